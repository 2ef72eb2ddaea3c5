// A client of the Model Context Protocol over standard input and output: enough to call tools.

import { endTree, start } from "./processes.mjs";

const ANSWER_TIME_MAX_MS = 120_000;

export class McpClient {
  #child;
  #text = "";
  #next = 1;
  #waiting = new Map();
  #err = "";

  /**
   * Starts a server and greets it.
   * @param {string} program
   * @param {string[]} args
   * @param {{cwd: string, env: Record<string, string>}} options
   * @returns {Promise<McpClient>}
   */
  static async start(program, args, options) {
    const client = new McpClient();
    client.#begin(start(program, args, { ...options, stdio: "pipe" }));
    const clientInfo = { name: "bench", version: "1" };
    await client.call("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo,
    });
    client.#send({ method: "notifications/initialized" });
    return client;
  }

  #begin(child) {
    this.#child = child;
    child.stdin.on("error", () => {});
    child.stderr
      .setEncoding("utf8")
      .on("data", (text) => (this.#err = (this.#err + text).slice(-2_000)));
    child.stdout.setEncoding("utf8").on("data", (text) => this.#take(text));
    child.once("exit", () => {
      const error = new Error(`the server has ended: ${this.#err.slice(-300)}`);
      for (const { reject } of this.#waiting.values()) reject(error);
    });
  }

  get pid() {
    return this.#child.pid;
  }

  /** Calls a method. @param {string} method @param {Record<string, any>} [params] @returns {Promise<any>} */
  call(method, params = {}) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`no answer to ${method} ${params.name ?? ""}`));
      const timer = setTimeout(late, ANSWER_TIME_MAX_MS);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#send({ id, method, params });
    });
  }

  /**
   * Calls a tool and returns its text; other content is counted in `bytes`.
   * @param {string} name
   * @param {Record<string, any>} [args]
   * @returns {Promise<string>}
   */
  async tool(name, args = {}) {
    const result = await this.call("tools/call", { name, arguments: args });
    const text = result.content
      .filter((part) => part.type === "text")
      .map((part) => part.text)
      .join("\n");
    if (result.isError) throw new Error(`${name}: ${text.slice(0, 400)}`);
    return text;
  }

  async end() {
    this.#child.stdin.end();
    await endTree(this.#child.pid);
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #take(text) {
    this.#text += text;
    for (let at = this.#text.indexOf("\n"); at !== -1; at = this.#text.indexOf("\n")) {
      const line = this.#text.slice(0, at);
      this.#text = this.#text.slice(at + 1);
      if (line.startsWith("{")) this.#deliver(JSON.parse(line));
    }
  }

  #deliver(message) {
    if (message.method !== undefined) {
      if (message.id === undefined) return;
      // It asks something of its client; we have no roots and nothing else to give.
      const result = message.method === "roots/list" ? { roots: [] } : {};
      this.#send({ id: message.id, result });
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    clearTimeout(waiting.timer);
    if (message.error === undefined) waiting.resolve(message.result);
    else waiting.reject(new Error(message.error.message));
  }
}
