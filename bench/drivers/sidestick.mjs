// Sidestick, by its two doors: a warm client on the host's socket, and one process per verb.

import { refIn } from "../lib/host-client.mjs";

/** More acts than the bench asks for. */
const ACTIONS = 100_000;
/** Characters of an outline that is asked for whole, uncut. */
const CHARS_ALL = 2_000_000;

/** A warm client. */
export class Sidestick {
  who = "sidestick";
  #outline = "";

  /**
   * @param {import('../lib/cli.mjs').World} world
   * @param {string} url
   */
  static async start(world, url) {
    const sidestick = new Sidestick();
    sidestick.run = await world.begin(url, { actions: ACTIONS });
    sidestick.client = await sidestick.run.connect();
    return sidestick;
  }

  async open(url) {
    const answer = await this.client.navigate(url);
    if (answer.status !== "OBSERVED") throw new Error(`${answer.status}: ${answer.message}`);
  }

  /** Looks, so that what is there has refs. */
  async prepare() {
    this.#outline = (await this.client.observe()).outline;
  }

  ref(role, name) {
    return { ref: refIn(this.#outline, role, name) };
  }

  click(name) {
    return this.client.click(this.ref("button", name));
  }

  fill(name, text) {
    return this.client.fill(this.ref("textbox", name), text);
  }

  /** @param {{whole: boolean, all?: boolean}} scope `all` takes the usual budget of characters away. */
  async outline({ whole, all = false }) {
    const scope = whole ? "document" : "viewport";
    return (await this.client.observe({ scope, maxChars: all ? CHARS_ALL : undefined })).outline;
  }

  /** Returns what the page shows, as text. */
  async state() {
    return (await this.client.ask({ call: "text", target: null, max_chars: 100_000 })).text;
  }

  picture() {
    return this.client.screenshot();
  }

  processes() {
    return this.run.processes();
  }

  async end() {
    this.client.close();
    return this.run.end();
  }
}

/** One process per verb, on the session of a warm client. */
export class SidestickCli {
  who = "sidestick CLI";
  #outline = "";

  /** @param {import('../lib/cli.mjs').Run} run */
  constructor(run) {
    this.run = run;
  }

  async prepare() {
    this.#outline = (await this.run.ask(["observe", "--no-screenshot"])).outline;
  }

  async click(name) {
    return this.run.ask(["click", refIn(this.#outline, "button", name)]);
  }

  async fill(name, text) {
    return this.run.ask(["fill", refIn(this.#outline, "textbox", name), "--text", text]);
  }

  async outline({ whole }) {
    const args = ["observe", "--no-screenshot", "--scope", whole ? "document" : "viewport"];
    return (await this.run.ask(args)).outline;
  }
}
