// The pages' own record: what reached them, told over a socket of their own, in order.
//
// A request would be part of what an act is judged by; a message on a socket is not. A message back
// and forth after an act brings everything the page said before it.

import { createHash } from "node:crypto";
import http from "node:http";

import { waitFor } from "../lib/processes.mjs";

const ACCEPT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** A page that does not answer in this time has gone or hangs. */
const PONG_TIME_MAX_MS = 8_000;

/**
 * @typedef {object} Happened One thing that happened in a page.
 * @property {string} page The name of its document.
 * @property {string} kind `hello`, `click`, `effect`, `input`, `change`, `scroll`.
 * @property {string} [id] The element's.
 * @property {any} [value]
 * @property {number} t Milliseconds on the page's clock.
 */

export class Recorder {
  #server;
  /** @type {Map<string, import('node:net').Socket>} */
  #sockets = new Map();
  /** @type {Happened[]} */
  #happened = [];
  #pongs = new Set();
  #next = 1;

  static async start() {
    const recorder = new Recorder();
    const server = http.createServer((_, response) => response.writeHead(404).end());
    server.on("upgrade", (request, socket) => recorder.#welcome(request, socket));
    await new Promise((ready, failed) => {
      server.once("error", failed).listen(0, "127.0.0.1", () => ready(undefined));
    });
    recorder.#server = server;
    recorder.address = `ws://127.0.0.1:${server.address().port}/`;
    return recorder;
  }

  /** Forgets what happened so far in one document. @param {string} page */
  forget(page) {
    this.#happened = this.#happened.filter((happened) => happened.page !== page);
  }

  /**
   * Waits until everything the page said is here, and returns it.
   * @param {string} page
   * @returns {Promise<Happened[]>}
   */
  async all(page) {
    const there = await waitFor(() => this.#sockets.has(page), PONG_TIME_MAX_MS);
    const name = String(this.#next++);
    if (there) send(this.#sockets.get(page), name);
    const answered = there && (await waitFor(() => this.#pongs.delete(name), PONG_TIME_MAX_MS, 1));
    if (!answered) throw new Error(`the page ${page} does not tell what happened`);
    return this.#happened.filter((happened) => happened.page === page);
  }

  /** Returns whether the document said that it is there. @param {string} page */
  wasShown(page) {
    return this.#sockets.has(page);
  }

  close() {
    for (const socket of this.#sockets.values()) socket.destroy();
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  #welcome(request, socket) {
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${ACCEPT}`);
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${key.digest('base64')}\r\n\r\n`,
    );
    let bytes = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const [page, known] of this.#sockets) if (known === socket) this.#sockets.delete(page);
    });
    socket.on("data", (more) => {
      bytes = Buffer.concat([bytes, more]);
      for (let frame = parsed(bytes); frame !== undefined; frame = parsed(bytes)) {
        bytes = bytes.subarray(frame.length);
        if (frame.code === 8) socket.end();
        if (frame.code === 1) this.#take(socket, JSON.parse(frame.text));
      }
    });
  }

  #take(socket, message) {
    if (message.pong !== undefined) {
      this.#pongs.add(message.pong);
      return;
    }
    if (message.kind === "hello") this.#sockets.set(message.page, socket);
    this.#happened.push(message);
  }
}

function send(socket, text) {
  const body = Buffer.from(text);
  socket.write(Buffer.concat([Buffer.from([0x81, body.length]), body]));
}

/** Reads one frame of a browser: masked, and shorter than 64 KiB. */
function parsed(bytes) {
  if (bytes.length < 6) return undefined;
  const short = bytes[1] & 0x7f;
  const isLong = short === 126;
  if (isLong && bytes.length < 8) return undefined;
  const size = isLong ? bytes.readUInt16BE(2) : short;
  const head = isLong ? 8 : 6;
  if (bytes.length < head + size) return undefined;
  const mask = bytes.subarray(head - 4, head);
  const body = Buffer.from(bytes.subarray(head, head + size)).map((byte, at) => byte ^ mask[at % 4]);
  return { code: bytes[0] & 0x0f, text: body.toString("utf8"), length: head + size };
}

/** The script that a page tells its record with. @param {string} address @param {string} page */
export function telling(address, page) {
  return `
const page = ${JSON.stringify(page)};
let socket;
const unsent = [];
const asked = [];
const tell = (kind, more) => {
  const text = JSON.stringify({page, kind, t: performance.now(), ...more});
  if (socket.readyState === 1) socket.send(text); else unsent.push(text);
};
// A connection that could not be made on a busy machine, or was lost, is made again.
const connect = () => {
  socket = new WebSocket(${JSON.stringify(address)});
  unsent.unshift(JSON.stringify({page, kind: 'hello', t: performance.now()}));
  socket.onopen = () => unsent.splice(0).forEach((text) => socket.send(text));
  socket.onmessage = (e) => { socket.send(JSON.stringify({pong: e.data})); asked.forEach((answer) => answer()); };
  socket.onclose = () => setTimeout(connect, 200);
};
connect();
addEventListener('click', (e) => tell('click', {id: e.target.id}), true);
addEventListener('input', (e) => tell('input', {id: e.target.id, value: e.target.value}), true);
addEventListener('change', (e) => tell('change',
  {id: e.target.id, value: e.target.type === 'checkbox' ? e.target.checked : e.target.value}), true);
addEventListener('scroll', () => tell('scroll', {value: scrollY}), true);`;
}
