// A web server for pages made in memory, on a port of its own, that remembers what reached it.

import { EventEmitter } from "node:events";
import http from "node:http";

/**
 * @typedef {object} Received One request other than a GET.
 * @property {string} method
 * @property {string} path
 * @property {string} search Such as `?a`, or an empty text.
 * @property {string} body
 *
 * @typedef {object} Site
 * @property {string} origin Such as `http://127.0.0.1:40123`, without a slash at its end.
 * @property {Received[]} received What other than GETs came, in order.
 * @property {Map<string, string | (() => string)>} pages Path to HTML; may be changed at any time.
 * @property {(message: string, search?: string) => void} tell Sends an event to the pages that
 *   listen at `/live`; with `search` only to those that listen at `/live` with just that behind it.
 * @property {(holds: (received: Received) => boolean, timeoutMs?: number) => Promise<Received>} next
 *   The next request other than a GET of which this holds.
 * @property {() => Promise<void>} close
 */

/** Bodies longer than this are cut. */
const BODY_CHARS_MAX = 64 * 1024;

/**
 * Serves `pages` on 127.0.0.1.
 * @param {Record<string, string | (() => string)>} pages Path, such as `/form`, to HTML.
 * @param {number} [port] 0 for one that is free.
 * @returns {Promise<Site>}
 */
export async function serve(pages, port = 0) {
  /** @type {Received[]} */
  const received = [];
  const known = new Map(Object.entries(pages));
  /** @type {Map<http.ServerResponse, string>} */
  const listening = new Map();
  const arrivals = new EventEmitter();

  const server = http.createServer((request, response) => {
    const { pathname: path, search } = new URL(request.url ?? "/", "http://site.test");
    if (request.method !== "GET") {
      let body = "";
      request.setEncoding("utf8").on("data", (text) => {
        if (body.length < BODY_CHARS_MAX) body += text;
      });
      request.on("end", () => {
        const one = { method: request.method ?? "", path, search, body };
        received.push(one);
        arrivals.emit("came", one);
        response.writeHead(200, { "content-type": "text/plain", "cache-control": "no-store" });
        response.end("ok");
      });
      return;
    }
    if (path === "/live") {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write(": listening\n\n");
      listening.set(response, search);
      response.on("close", () => listening.delete(response));
      return;
    }
    const page = known.get(path);
    if (page === undefined) {
      // A browser asks for an icon by itself; that is no fault of the page.
      response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
      return;
    }
    const html = typeof page === "function" ? page() : page;
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-length": Buffer.byteLength(html),
      "cache-control": "no-store",
    });
    response.end(html);
  });
  await new Promise((ready, failed) => {
    server.once("error", failed).listen(port, "127.0.0.1", () => ready(undefined));
  });
  const { port: bound } = /** @type {import('node:net').AddressInfo} */ (server.address());

  return {
    origin: `http://127.0.0.1:${bound}`,
    received,
    pages: known,
    tell: (message, search) => {
      for (const [response, its] of listening) {
        if (search === undefined || search === its) response.write(`data: ${message}\n\n`);
      }
    },
    next: (holds, timeoutMs = 10_000) =>
      new Promise((resolve, reject) => {
        const done = (end) => {
          clearTimeout(timer);
          arrivals.off("came", looked);
          end();
        };
        const looked = (one) => {
          if (holds(one)) done(() => resolve(one));
        };
        const late = () => reject(new Error(`nothing came in ${timeoutMs} ms`));
        const timer = setTimeout(() => done(late), timeoutMs);
        arrivals.on("came", looked);
      }),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
