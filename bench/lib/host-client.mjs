// The other end of a host's socket: a length in four bytes, then JSON, calls answered by number.
//
// A warm client like this one is what a server for agents will be; it pays for no process.

import net from "node:net";

/** The version of the frames it speaks. */
const VERSION = 1;
/** A call that takes longer has no answer. */
const ANSWER_TIME_MAX_MS = 130_000;

/**
 * @typedef {{ref: string} | {role: string, name?: string, near?: string}} Target
 * @typedef {Record<string, any>} Answer The words of `Answer` in crates/model/src/call.rs.
 *
 * @typedef {object} ObserveOptions
 * @property {'viewport' | 'document'} [scope]
 * @property {string} [within] A CSS selector.
 * @property {string} [query]
 * @property {number} [maxChars]
 * @property {boolean} [screenshot] Default false.
 */

/** An answer that is no outcome: a usage error, a run that has ended, a host that is gone. */
export class CallRefused extends Error {
  /** @param {Answer} answer */
  constructor(answer) {
    super(`${answer.error}: ${answer.message}`);
    this.code = answer.error;
    this.answer = answer;
  }
}

export class HostClient {
  #socket;
  #bytes = Buffer.alloc(0);
  #next = 1;
  /** @type {Map<number, {resolve: (answer: Answer) => void, reject: (error: Error) => void, timer: NodeJS.Timeout}>} */
  #waiting = new Map();
  /** @type {((frame: any) => void) | undefined} */
  #welcomed;
  #caller;

  constructor(socket, caller) {
    this.#socket = socket;
    this.#caller = caller;
    socket.on("data", (bytes) => this.#take(bytes));
    socket.on("error", () => {});
    socket.on("close", () => this.#close(new Error("the host went away")));
  }

  /**
   * Connects to the host that listens at `path`.
   * @param {string} path
   * @param {string} [caller] Under which name observations are remembered.
   * @returns {Promise<HostClient>}
   */
  static async connect(path, caller = "bench") {
    const socket = net.connect(path);
    await new Promise((ready, failed) => {
      socket.once("connect", ready).once("error", failed);
    });
    const client = new HostClient(socket, caller);
    const welcome = await new Promise((resolve, reject) => {
      client.#welcomed = resolve;
      socket.once("close", () => reject(new Error("the host closed without a word")));
      client.#send({ sidestick: VERSION, program: caller });
    });
    if (welcome.ready === undefined) throw new CallRefused(welcome.refused ?? {});
    return client;
  }

  /**
   * Asks, and waits for the answer; several calls may be open at a time.
   * @param {Record<string, any>} call The words of `Call` in crates/model/src/call.rs.
   * @returns {Promise<Answer>}
   * @throws {CallRefused} when the answer is a refusal of the door.
   */
  ask(call, timeoutMs = ANSWER_TIME_MAX_MS) {
    const n = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(n);
        reject(new Error(`no answer to \`${call.call}\` in ${timeoutMs} ms`));
      }, timeoutMs);
      this.#waiting.set(n, { resolve, reject, timer });
      this.#send({ n, ...call });
    });
  }

  /**
   * Acts. A refusal of the gate is an answer: look at `status`.
   * @param {Record<string, any>} action The words of `Action` in crates/model/src/action.rs.
   * @param {Record<string, any>} [options] Further words of `ActAsk`.
   */
  act(action, options = {}) {
    return this.ask({
      call: "act",
      action,
      actor: "agent",
      caller: this.#caller,
      obs: null,
      expect: null,
      gate: "none",
      approval: null,
      wait_ms: 0,
      timeout_ms: null,
      goal: null,
      full: false,
      ...options,
    });
  }

  /** @param {Target} target @param {Record<string, any>} [options] */
  click(target, options) {
    return this.act({ action: "click", target }, options);
  }

  /** Replaces what a field holds, with text that is not sensitive. @param {Target} target @param {string} text @param {Record<string, any>} [options] */
  fill(target, text, options) {
    return this.act({ action: "fill", target, text: { source: "public", text } }, options);
  }

  /** Types key by key. @param {Target | null} target @param {string} text @param {Record<string, any>} [options] */
  type(target, text, options) {
    return this.act({ action: "type", target, text: { source: "public", text } }, options);
  }

  /** @param {string} url @param {Record<string, any>} [options] */
  navigate(url, options) {
    return this.act({ action: "navigate", url }, options);
  }

  /** Looks. @param {ObserveOptions} [options] */
  observe(options = {}) {
    return this.ask({
      call: "observe",
      caller: this.#caller,
      actor: "agent",
      goal: null,
      scope: options.scope ?? "viewport",
      within: options.within ?? null,
      query: options.query ?? null,
      max_chars: options.maxChars ?? 20_000,
      screenshot: options.screenshot ?? false,
    });
  }

  screenshot(fullPage = false) {
    return this.ask({ call: "screenshot", full_page: fullPage });
  }

  status() {
    return this.ask({ call: "status" });
  }

  /** Brakes this one session. */
  pause(by = "bench", why = null) {
    return this.ask({ call: "pause", by, why });
  }

  /** Lifts its brake. */
  release(by = "bench") {
    return this.ask({ call: "release", by });
  }

  /** Ends the run at once, without a last look. */
  stop(by = "bench") {
    return this.ask({ call: "stop", by });
  }

  /** Ends the run and writes its report. */
  end() {
    return this.ask({ call: "end", keep_open: false });
  }

  close() {
    this.#socket.destroy();
  }

  #send(frame) {
    const body = Buffer.from(JSON.stringify(frame));
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    this.#socket.write(Buffer.concat([head, body]));
  }

  #take(bytes) {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    while (this.#bytes.length >= 4) {
      const length = this.#bytes.readUInt32BE(0);
      if (this.#bytes.length < 4 + length) return;
      const frame = JSON.parse(this.#bytes.toString("utf8", 4, 4 + length));
      this.#bytes = this.#bytes.subarray(4 + length);
      this.#deliver(frame);
    }
  }

  #deliver(frame) {
    if (this.#welcomed !== undefined) {
      this.#welcomed(frame);
      this.#welcomed = undefined;
      return;
    }
    const waiting = this.#waiting.get(frame.n);
    if (waiting === undefined) return;
    this.#waiting.delete(frame.n);
    clearTimeout(waiting.timer);
    if (frame.answer === "refused") waiting.reject(new CallRefused(frame));
    else waiting.resolve(frame);
  }

  #close(error) {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }
}

/**
 * Returns the ref of the first line of an outline with this role and name.
 * @param {string} outline
 * @param {string} role
 * @param {string} name
 * @returns {string}
 */
export function refIn(outline, role, name) {
  const quoted = `${role} ${JSON.stringify(name)}`;
  const line = outline.split("\n").find((each) => each.trimStart().startsWith(quoted));
  const ref = line
    ?.slice(line.indexOf(quoted) + quoted.length)
    .match(/(?:^|\s)((?:f\d+)?e\d+)\b/)?.[1];
  if (ref === undefined) throw new Error(`no ${quoted} in\n${outline.slice(0, 2_000)}`);
  return ref;
}
