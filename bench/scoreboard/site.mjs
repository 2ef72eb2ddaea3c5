// The corpus's own web server: one folder per case, two ports, two host names, and a list of every
// request that came.

import http from "node:http";

import { Recorder, telling } from "../soak/record.mjs";

/** Bodies longer than this are cut. */
const BODY_CHARS_MAX = 256 * 1024;

/**
 * @typedef {object} Hit One request.
 * @property {string} key The case it belongs to.
 * @property {string} method
 * @property {string} path What follows the key, such as `frame`.
 * @property {string} search
 * @property {string} body
 *
 * @typedef {(place: Place, request: http.IncomingMessage, response: http.ServerResponse, hit: Hit) => void} Serving
 * @typedef {Record<string, string | ((place: Place) => string) | {serve: Serving}>} Routes
 */

/** What every page of the corpus has at hand beside what `telling` gives it. */
const PAGE_SCRIPT = `
const by = (id) => document.getElementById(id);
const did = (id, value) => tell('effect', {id, value});
let hits = 0;
const hit = (id) => { did(id); by('out').textContent = id + ' ' + ++hits; };
const valueOf = (e) => e.type === 'checkbox' || e.type === 'radio' ? e.checked
  : e.type === 'file' ? [...e.files].map((f) => f.name).join()
  : e.localName === 'select' ? [...e.selectedOptions].map((o) => o.label).join()
  : 'value' in e && e.localName !== 'button' && e.localName !== 'li' ? e.value
  : e.isContentEditable ? e.innerText.trim() : undefined;
window.more = () => ({});
window.state = () => {
  const found = {};
  for (const e of document.querySelectorAll('[id]')) {
    const value = valueOf(e);
    if (value !== undefined && e.localName !== 'output') found[e.id] = value;
  }
  return {...found, ...window.more()};
};
asked.push(() => tell('state', {value: window.state()}));`;

/** Listens for what the corpus tells the page: a command is a function of that name in \`window.on\`. */
const LIVE_SCRIPT = `
window.on = {};
new EventSource('live').onmessage = (event) => { window.on[event.data](); did('told', event.data); };`;

/** Where one case is shown to one tool. */
export class Place {
  /** @type {Set<string>} The documents that keep a record. */
  names = new Set();

  /** @param {Site} site @param {string} key */
  constructor(site, key) {
    this.site = site;
    this.key = key;
    this.url = `${site.origin}/${key}/`;
    /** The same server on another port: another origin. */
    this.beside = `${site.beside}/${key}/`;
    /** The same server by another name: another origin and another site. */
    this.local = `${site.local}/${key}/`;
  }

  /** Returns the scripts of a page that keeps a record. @param {{name?: string, live?: boolean}} [how] */
  script({ name = "", live = false } = {}) {
    const whole = name === "" ? this.key : `${this.key}~${name}`;
    this.names.add(whole);
    const address = this.site.recorder.address;
    return `<script>${telling(address, whole)}${PAGE_SCRIPT}${live ? LIVE_SCRIPT : ""}</script>`;
  }

  /** Returns a whole page. @param {string} title @param {string} body @param {{live?: boolean, name?: string, head?: string}} [how] */
  page(title, body, { head = "", ...how } = {}) {
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>body { font: 14px sans-serif } #out { display: block; margin: 4px }</style>${head}${this.script(how)}</head>
<body><h1>${title}</h1><output id="out">nothing yet</output>${body}</body></html>`;
  }

  /** @returns {Hit[]} */
  hits() {
    return this.site.hits.filter((hit) => hit.key === this.key);
  }

  /** Forgets what happened so far. */
  forget() {
    for (const name of this.names) this.site.recorder.forget(name);
    this.site.hits = this.site.hits.filter((hit) => hit.key !== this.key);
  }

  /** Returns everything its documents said; one that has gone or hangs says nothing more. */
  async happened() {
    const found = [];
    for (const name of this.names) {
      if (!this.site.recorder.wasShown(name)) continue;
      // What a page answers with its state comes right behind its first answer.
      await this.site.recorder.all(name).catch(() => []);
      found.push(...(await this.site.recorder.all(name).catch(() => [])));
    }
    return found;
  }
}

export class Site {
  /** @type {Hit[]} */
  hits = [];
  /** @type {Map<string, {place: Place, routes: Routes}>} */
  #shown = new Map();
  /** @type {Map<http.ServerResponse, string>} */
  #listening = new Map();
  #servers = [];

  static async open() {
    const site = new Site();
    site.recorder = await Recorder.start();
    const [first, second] = [await site.#listen(), await site.#listen()];
    site.origin = `http://127.0.0.1:${first}`;
    site.beside = `http://127.0.0.1:${second}`;
    site.local = `http://localhost:${first}`;
    return site;
  }

  async #listen() {
    const server = http.createServer((request, response) => {
      // A browser sends a request again by itself when a connection that it kept was closed.
      response.shouldKeepAlive = false;
      this.#take(request, response);
    });
    await new Promise((ready, failed) => {
      server.once("error", failed).listen(0, "127.0.0.1", () => ready(undefined));
    });
    this.#servers.push(server);
    return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
  }

  /** Shows a case under a key and returns its place. @param {string} key @param {(place: Place) => Routes} make */
  show(key, make) {
    const place = new Place(this, key);
    this.#shown.set(key, { place, routes: make(place) });
    return place;
  }

  /** Shows it no more. @param {string} key */
  hide(key) {
    this.#shown.delete(key);
    for (const [response, its] of this.#listening) if (its === key) response.end();
    this.hits = this.hits.filter((hit) => hit.key !== key);
  }

  /** Tells the pages of a case to do something. @param {string} key @param {string} message */
  tell(key, message) {
    for (const [response, its] of this.#listening) {
      if (its === key) response.write(`data: ${message}\n\n`);
    }
  }

  #take(request, response) {
    const { pathname, search } = new URL(request.url ?? "/", "http://site.test");
    const [, key, ...rest] = pathname.split("/");
    const hit = { key, method: request.method ?? "", path: rest.join("/"), search, body: "" };
    request.setEncoding("latin1").on("data", (text) => {
      if (hit.body.length < BODY_CHARS_MAX) hit.body += text;
    });
    request.on("end", () => {
      this.hits.push(hit);
      this.#answer(request, response, hit);
    });
  }

  #answer(request, response, hit) {
    const shown = this.#shown.get(hit.key);
    if (hit.path === "live" && shown !== undefined) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write(": listening\n\n");
      this.#listening.set(response, hit.key);
      response.on("close", () => this.#listening.delete(response));
      return;
    }
    const route = shown?.routes[hit.path];
    if (shown === undefined || route === undefined) {
      response.writeHead(hit.key === "favicon.ico" ? 204 : 404).end();
      return;
    }
    if (typeof route === "object") {
      route.serve(shown.place, request, response, hit);
      return;
    }
    html(response, typeof route === "function" ? route(shown.place) : route);
  }

  async close() {
    this.recorder.close();
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

/** Answers with a page. @param {http.ServerResponse} response @param {string} text @param {Record<string, string>} [headers] */
export function html(response, text, headers = {}) {
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    ...headers,
  });
  response.end(text);
}

/** Makes a route that answers after a while. @param {number} status @param {number} [afterMs] @param {string} [body] @returns {{serve: Serving}} */
export function answers(status, afterMs = 0, body = "ok") {
  return {
    serve: (_place, _request, response) => {
      const send = () =>
        response
          .writeHead(status, { "content-type": "text/plain" })
          .end(status === 204 ? "" : body);
      setTimeout(send, afterMs);
    },
  };
}

/**
 * Makes a route whose answer breaks off after its head; a browser repeats by itself only what got no
 * answer at all.
 * @param {number} [afterMs]
 * @returns {{serve: Serving}}
 */
export function lost(afterMs = 0) {
  return {
    serve: (_place, request, response) => {
      const breakOff = () => {
        response.writeHead(200, { "content-type": "text/html", "content-length": "1000" });
        response.write("<!doctype html>", () => request.socket.destroy());
      };
      setTimeout(breakOff, afterMs);
    },
  };
}
