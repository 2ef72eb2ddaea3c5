// Serves the package's files on loopback, and puts into each task's page what starts its episode
// and tells the recorder what happens in it.
//
// Nothing else is changed in a page. The added script decides the seed and the time, never an
// answer, and what it tells goes over a socket that is no part of what an act is judged by.

import fs from "node:fs";
import http from "node:http";
import path from "node:path";

import { pathOf } from "./corpus.mjs";
import { frameScript, script } from "./telling.mjs";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".gif": "image/gif",
  ".svg": "image/svg+xml",
  ".woff": "font/woff",
  ".ttf": "font/ttf",
  ".json": "application/json",
};
/** The script every task's page loads; what we add stands right behind it. */
const CORE = /<script[^>]*src="[./]*core\/core\.js"[^>]*><\/script>/;
/** The pages that stand in a frame of their task's page. */
const INNER = /^\/flight\/[^/]+\/index\.html$/;

/**
 * @param {string} pages The folder `html` of the package.
 * @param {string} recorder The address of the recorder's socket.
 * @returns {Promise<{origin: string, addressOf: (task: string, page: string, seed: string) => string, missing: Set<string>, close: () => Promise<void>}>}
 */
export async function serve(pages, recorder) {
  /** @type {Set<string>} Files that a page asked for and the package does not have. */
  const missing = new Set();
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://site.test");
    const file = path.join(pages, path.normalize(decodeURIComponent(pathname)));
    const content = file.startsWith(pages + path.sep) ? read(file) : undefined;
    if (content === undefined) {
      if (pathname !== "/favicon.ico") missing.add(pathname);
      response.writeHead(pathname === "/favicon.ico" ? 204 : 404).end();
      return;
    }
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    const page = searchParams.get("page");
    const seed = searchParams.get("seed");
    let body = content;
    if (page !== null && seed !== null) body = telling(content.toString("utf8"), { page, seed, recorder });
    else if (INNER.test(pathname)) body = inner(content.toString("utf8"));
    response.writeHead(200, { "content-type": type, "cache-control": "no-store" });
    response.end(body);
  });
  await new Promise((ready, failed) => {
    server.once("error", failed).listen(0, "127.0.0.1", () => ready(undefined));
  });
  const origin = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  return {
    origin,
    missing,
    addressOf: (task, page, seed) =>
      `${origin}${pathOf(task)}?${new URLSearchParams({ page, seed })}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function read(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Adds our script right behind the page's core. */
function telling(html, how) {
  const added = `<script>${script(how)}</script>`;
  if (!CORE.test(html)) throw new Error("the page does not load core.js");
  return html.replace(CORE, (found) => found + added);
}

/** Adds our script at the beginning of a page that stands in a frame. */
function inner(html) {
  return html.replace(/<head[^>]*>/, (found) => `${found}<script>${frameScript()}</script>`);
}
