// The command line of Sidestick, run the way a shell runs it, in a world of its own.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { HostClient } from "./host-client.mjs";
import {
  adopt,
  alsoEnds,
  ended,
  finished,
  isChromium,
  marked,
  sample,
  temporaryFolder,
  tree,
} from "./processes.mjs";

/** A verb that takes longer hangs. */
const VERB_TIME_MAX_MS = 150_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * @typedef {import("./processes.mjs").Said} Said
 *
 * @typedef {object} BeginOptions
 * @property {string} [browser] The browser's executable.
 * @property {number} [actions] Actions the run may take.
 * @property {string[]} [allow] Further origins.
 */

/** A verb that did not do what it had to. */
export class VerbFailed extends Error {
  /** @param {string[]} args @param {Said} said */
  constructor(args, said) {
    super(
      `\`sidestick ${args.join(" ")}\` exited ${said.exit}: ${(said.out + said.err).slice(0, 600)}`,
    );
    this.said = said;
  }
}

/** A project folder, a temporary folder and a home for one binary. */
export class World {
  /** @param {{binary: string, browser?: string}} options */
  constructor({ binary, browser }) {
    this.binary = path.resolve(binary);
    this.browser = browser;
    this.root = temporaryFolder("ssb");
    this.project = path.join(this.root, "p");
    for (const name of ["p", "t", "h"]) fs.mkdirSync(path.join(this.root, name));
    /** @type {Record<string, string>} */
    this.environment = marked({
      PATH: process.env.PATH ?? "/usr/bin:/bin",
      HOME: path.join(this.root, "h"),
      LANG: "C.UTF-8",
      TMPDIR: path.join(this.root, "t"),
      // Only a build for tests looks at it; a release build says its own place below.
      SIDESTICK_TEST_USER_ROOT: path.join(this.root, "u"),
    });
    const doctor = this.runNow(["doctor", "--json", ...this.#browserArgs()]);
    /** Where hosts, brake and keys of this binary are. */
    this.userRoot = JSON.parse(doctor.out).user_root;
    this.isTestBuild = this.userRoot === path.join(this.root, "u");
    // A host is independent of the verb that began it, and its environment is scrubbed.
    alsoEnds(() => this.hosts());
  }

  /** Returns the hosts of runs of this project, by the files they entered themselves in. @returns {number[]} */
  hosts() {
    const folder = path.join(this.userRoot, "hosts");
    try {
      const entries = fs.readdirSync(folder).filter((name) => name.endsWith(".json"));
      const read = entries.map((name) =>
        JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")),
      );
      return read.filter((entry) => entry.state.startsWith(this.project)).map((entry) => entry.pid);
    } catch {
      return [];
    }
  }

  #browserArgs(browser = this.browser) {
    return browser === undefined ? [] : ["--browser", browser];
  }

  /**
   * Runs a verb and waits for it, without blocking us.
   * @param {string[]} args
   * @param {{input?: string, timeoutMs?: number}} [options]
   * @returns {Promise<Said>}
   */
  run(args, { input = "", timeoutMs = VERB_TIME_MAX_MS } = {}) {
    const where = { cwd: this.project, env: this.environment };
    return finished(this.binary, args, { ...where, input, timeoutMs });
  }

  /**
   * Runs a verb while we do nothing else: the least disturbed way to time one.
   * @param {string[]} args
   * @returns {Said}
   */
  runNow(args) {
    const began = performance.now();
    const done = spawnSync(this.binary, args, {
      cwd: this.project,
      env: this.environment,
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: OUTPUT_BYTES_MAX,
      timeout: VERB_TIME_MAX_MS,
    });
    const ms = performance.now() - began;
    if (done.error !== undefined && done.status === null) throw done.error;
    return { exit: done.status ?? -1, out: String(done.stdout), err: String(done.stderr), ms };
  }

  /**
   * Runs a verb with `--json` and returns its object, whatever it says.
   * @param {string[]} args
   * @param {{input?: string, timeoutMs?: number}} [options]
   * @returns {Promise<Record<string, any>>}
   */
  async ask(args, options) {
    const said = await this.run([...args, "--json"], options);
    try {
      return JSON.parse(said.out);
    } catch {
      throw new VerbFailed(args, said);
    }
  }

  /** Like `ask`, for a verb that has to work. @param {string[]} args @param {{input?: string, timeoutMs?: number}} [options] */
  async good(args, options) {
    const said = await this.run([...args, "--json"], options);
    if (said.exit !== 0) throw new VerbFailed(args, said);
    return JSON.parse(said.out);
  }

  /**
   * Begins a run; the first outline is in the answer.
   * @param {string} target
   * @param {BeginOptions} [options]
   * @returns {Promise<Run>}
   */
  async begin(target, { browser, actions, allow = [] } = {}) {
    const args = [
      "begin",
      "--target",
      target,
      "--surface",
      "web",
      "--owner",
      "yours",
      "--unattended",
    ];
    args.push(...this.#browserArgs(browser ?? this.browser));
    // Chromium refuses to sandbox itself for root. Never inferred by the binary: said here.
    if (os.userInfo().uid === 0) args.push("--no-sandbox");
    if (actions !== undefined) args.push("--budget-run", String(actions));
    for (const origin of allow) args.push("--allow", origin);
    const began = await this.good(args);
    return new Run(this, began);
  }

  /** Returns what is left of this world's runs: profile folders, sockets and registry entries. */
  leftovers() {
    const hosts = path.join(this.userRoot, "hosts");
    const inHosts = fs.existsSync(hosts) ? fs.readdirSync(hosts) : [];
    return {
      profiles: fs.readdirSync(path.join(this.root, "t")),
      // A release build's folder is this user's own and may hold sessions that are not ours.
      entries: inHosts.filter((name) => this.isTestBuild || this.#isOurs(name)),
    };
  }

  #isOurs(name) {
    const run = name.replace(/\.(json|sock)$/, "");
    return fs.existsSync(path.join(this.project, ".sidestick", "runs", run));
  }
}

/** A run that was begun, and the processes behind it. */
export class Run {
  /** @param {World} world @param {Record<string, any>} began */
  constructor(world, began) {
    this.world = world;
    /** @type {string} */
    this.id = began.run;
    /** @type {number} The process id of its host. */
    this.host = began.host;
    /** @type {string} Its folder. */
    this.dir = began.run_dir;
    /** @type {string} */
    this.outline = began.observation.outline;
    this.socket = path.join(world.userRoot, "hosts", `${this.id}.sock`);
    adopt(this.host);
    const below = tree(this.host)
      .map(sample)
      .filter((found) => found !== undefined);
    /** @type {number | undefined} The process id of its keeper. */
    this.keeper = below.find((found) => found.pid !== this.host && !isChromium(found))?.pid;
    /** @type {number | undefined} The process id of the browser's first process. */
    this.chromium = below.find((found) => found.ppid === this.host && isChromium(found))?.pid;
    if (this.keeper !== undefined) adopt(this.keeper);
  }

  /** Opens a connection to its host. @param {string} [caller] */
  connect(caller) {
    return HostClient.connect(this.socket, caller);
  }

  /** Runs a verb on this run. @param {string[]} args @param {{input?: string, timeoutMs?: number}} [options] */
  run(args, options) {
    return this.world.run([...args, "--run", this.id], options);
  }

  /** Like `run`, while we do nothing else. @param {string[]} args */
  runNow(args) {
    return this.world.runNow([...args, "--run", this.id]);
  }

  /** Runs a verb on this run with `--json` and returns its object. @param {string[]} args @param {{input?: string, timeoutMs?: number}} [options] */
  ask(args, options) {
    return this.world.ask([...args, "--run", this.id], options);
  }

  /**
   * Ends the run and writes its report; its processes are gone when this returns.
   * @returns {Promise<Record<string, any>>} The answer, and `lingered`: how many did not go by themselves.
   */
  async end() {
    const answer = await this.ask(["end"]);
    const went = await Promise.all(this.processes().map((pid) => ended(pid)));
    return { ...answer, lingered: went.filter((byItself) => !byItself).length };
  }

  /** Returns host and keeper: what is ours and not the browser's. @returns {number[]} */
  processes() {
    return [this.host, this.keeper].filter((pid) => pid !== undefined);
  }
}
