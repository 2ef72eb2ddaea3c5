// Every process and folder a run of the bench or the soak makes, and what the kernel says of them.
//
// Whatever is started here is ended by its own id, on failure and on Ctrl-C too. A process that
// makes itself independent of us is found by a mark in its environment, never by its name.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** The variable every process of this run carries. */
const MARK_NAME = "SIDESTICK_BENCH_MARK";
const MARK = randomBytes(8).toString("hex");

/** Time between asking a process to end and ending it. */
const END_TIME_MAX_MS = 3_000;
/** Time everything together gets to be gone, after each was told. */
const END_ALL_TIME_MAX_MS = 10_000;
/** Clock ticks per second in /proc, the same on every Linux of the last decades. */
const TICKS_PER_S = 100;

/** @type {Map<number, string>} pid to start time: a number that was given again is not ours. */
const adopted = new Map();
/** @type {Set<string>} */
const folders = new Set();
/** Whether everything is being ended: nothing new may start. */
let isOver = false;
let wasInterrupted = false;
/** @type {Set<() => number[]>} */
const finders = new Set();

/**
 * @typedef {object} Sample What the kernel says of one process.
 * @property {number} pid
 * @property {number} ppid
 * @property {string} startTime Ticks since boot; with `pid` it names one process for ever.
 * @property {string} program The name of its executable's file.
 * @property {number} cpuMs User and system time so far.
 * @property {number} threads
 * @property {number} fds Open file descriptors.
 * @property {number} rssMb
 * @property {number} pssMb
 */

/**
 * @typedef {object} Said What a program said.
 * @property {number} exit -1 when it was ended by a signal.
 * @property {string} out
 * @property {string} err
 * @property {number} ms From its start until it was gone.
 */

/** Waits for `ms` milliseconds. @param {number} ms @returns {Promise<void>} */
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Waits until `holds` is true, looking again every few milliseconds.
 * @param {() => boolean | Promise<boolean>} holds
 * @param {number} timeoutMs
 * @returns {Promise<boolean>} Whether it came to hold in time.
 */
export async function waitFor(holds, timeoutMs, everyMs = 5) {
  const end = performance.now() + timeoutMs;
  for (;;) {
    if (await holds()) return true;
    if (performance.now() > end) return false;
    await pause(everyMs);
  }
}

/**
 * Makes a private folder that is removed when we end.
 * The name is short: the path of a socket has 108 bytes.
 * @param {string} name
 * @returns {string}
 */
export function temporaryFolder(name = "ssb") {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `${name}-`));
  folders.add(folder);
  return folder;
}

/** Removes a folder made by `temporaryFolder` now. @param {string} folder */
export function removeFolder(folder) {
  if (!folders.has(folder)) throw new Error(`${folder} was not made here`);
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  folders.delete(folder);
}

/** Returns `environment` with the mark of this run. @param {Record<string, string>} environment */
export function marked(environment) {
  return { ...environment, [MARK_NAME]: MARK };
}

/**
 * Starts a program that ends with us.
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & {env: Record<string, string>}} options
 * @returns {import('node:child_process').ChildProcess}
 */
export function start(program, args, options) {
  if (isOver) throw new Error("everything is being ended");
  // A group of its own: Ctrl-C at the terminal reaches us alone, and we end the rest in order.
  const child = spawn(program, args, { detached: true, ...options, env: marked(options.env) });
  child.on("error", () => {});
  if (child.pid !== undefined) adopt(child.pid);
  return child;
}

/**
 * Runs a program to its end.
 * @param {string} program
 * @param {string[]} args
 * @param {{cwd: string, env: Record<string, string>, input?: string, timeoutMs: number}} options
 * @returns {Promise<Said>}
 */
export async function finished(program, args, { cwd, env, input = "", timeoutMs }) {
  const began = performance.now();
  const child = start(program, args, { cwd, env, stdio: "pipe" });
  let [out, err] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text) => (out += text));
  child.stderr?.setEncoding("utf8").on("data", (text) => (err += text));
  child.stdin?.on("error", () => {}).end(input);
  const hung = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  const exit = await new Promise((done) => {
    child.once("close", (code) => done(code ?? -1)).once("error", () => done(-1));
  });
  clearTimeout(hung);
  if (child.pid !== undefined) adopted.delete(child.pid);
  return { exit, out, err, ms: performance.now() - began };
}

/** Takes a process that something of ours started into our care. @param {number} pid */
export function adopt(pid) {
  const startTime = stat(pid)?.startTime;
  if (startTime !== undefined) adopted.set(pid, startTime);
}

/**
 * Names a way to find processes of ours that carry no mark, asked when everything is ended.
 * @param {() => number[]} find
 */
export function alsoEnds(find) {
  finders.add(find);
}

/**
 * Waits for a process in our care to end by itself, and ends it when it does not.
 * @param {number} pid
 * @returns {Promise<boolean>} Whether it ended by itself.
 */
export async function ended(pid, timeoutMs = END_TIME_MAX_MS) {
  const startTime = adopted.get(pid);
  if (startTime === undefined) return true;
  const byItself = await waitFor(() => !isAlive(pid, startTime), timeoutMs);
  await end(pid);
  return byItself;
}

/**
 * Ends one process we started, politely first, and waits until it is gone.
 * @param {number} pid
 */
export async function end(pid, graceMs = END_TIME_MAX_MS) {
  const startTime = adopted.get(pid);
  if (startTime === undefined) return;
  signal(pid, startTime, "SIGTERM");
  if (!(await waitFor(() => !isAlive(pid, startTime), graceMs))) signal(pid, startTime, "SIGKILL");
  await waitFor(() => !isAlive(pid, startTime), END_TIME_MAX_MS);
  adopted.delete(pid);
}

/**
 * Ends a process we started and whatever is below it.
 * @param {number} pid
 */
export async function endTree(pid) {
  const below = identified(tree(pid));
  await end(pid);
  await killed(below);
}

/** Ends everything we started and removes our folders; nothing can be started afterwards. */
export async function endAll() {
  isOver = true;
  for (const find of finders) find().forEach(adopt);
  // A browser's own children carry no mark, and outlive it long enough to write to its folder.
  const all = identified([...adopted.keys(), ...strays()].flatMap(tree));
  for (const pid of [...adopted.keys()].reverse()) await end(pid);
  await killed(all);
  // What was about to be started when we began to end may only appear now.
  await waitFor(async () => {
    await killed(identified(strays().flatMap(tree)));
    if (strays().length > 0) return false;
    removeFolders();
    return folders.size === 0;
  }, END_ALL_TIME_MAX_MS);
  for (const folder of folders) console.error(`cannot remove ${folder}`);
}

/** Returns whether everything is being ended because of a signal, after which we exit. */
export const isInterrupted = () => wasInterrupted;

/**
 * Sends SIGKILL to one process at once, and waits until it is gone.
 * @param {number} pid
 */
export async function kill(pid) {
  const startTime = adopted.get(pid) ?? stat(pid)?.startTime;
  if (startTime === undefined) return;
  signal(pid, startTime, "SIGKILL");
  await waitFor(() => !isAlive(pid, startTime), END_TIME_MAX_MS);
  adopted.delete(pid);
}

/**
 * Returns the living processes that carry our mark, or that were told one of our folders: a browser
 * writes over the environment of its children.
 * @returns {number[]}
 */
export function strays() {
  const needle = `${MARK_NAME}=${MARK}`;
  const isOurs = (pid) => {
    if (read(`/proc/${pid}/environ`).split("\0").includes(needle)) return true;
    const command = read(`/proc/${pid}/cmdline`);
    return [...folders].some((folder) => command.includes(`${folder}/`));
  };
  return pids().filter((pid) => pid !== process.pid && isAlive(pid) && isOurs(pid));
}

/**
 * Returns whether the process lives; a dead one that nobody has collected does not.
 * @param {number} pid
 * @param {string} [startTime] When given, it also has to be the same process as then.
 */
export function isAlive(pid, startTime) {
  const found = stat(pid);
  if (found === undefined || found.state === "Z" || found.state === "X") return false;
  return startTime === undefined || found.startTime === startTime;
}

/** Returns `pid` and everything below it. @param {number} pid @returns {number[]} */
export function tree(pid) {
  const children = new Map();
  for (const each of pids()) {
    const ppid = stat(each)?.ppid;
    if (ppid !== undefined) children.set(ppid, [...(children.get(ppid) ?? []), each]);
  }
  const found = [];
  const open = [pid];
  while (open.length > 0) {
    const next = open.pop();
    if (isAlive(next)) found.push(next);
    open.push(...(children.get(next) ?? []));
  }
  return found;
}

/** Returns what the kernel says of a process; undefined when it is gone. @param {number} pid @returns {Sample | undefined} */
export function sample(pid) {
  const found = stat(pid);
  if (found === undefined) return undefined;
  try {
    const memory = fs.readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    const mb = (word) =>
      Number(new RegExp(`^${word}:\\s+(\\d+)`, "m").exec(memory)?.[1] ?? 0) / 1024;
    const fds = fs.readdirSync(`/proc/${pid}/fd`).length;
    const { ppid, startTime, cpuMs, threads } = found;
    const program = programOf(pid);
    return {
      pid,
      ppid,
      startTime,
      program,
      cpuMs,
      threads,
      fds,
      rssMb: mb("Rss"),
      pssMb: mb("Pss"),
    };
  } catch {
    return undefined;
  }
}

/** Returns whether a sample is of a browser rather than of a tool. @param {{program: string}} of */
export const isChromium = (of) => /^(chromium|chrome|headless_shell)/.test(of.program);

/**
 * Returns the processor time of a process and its threads, finer than `cpuMs` where the kernel
 * counts it.
 * @param {number} pid
 */
export function cpuTimeMs(pid) {
  try {
    const threads = fs.readdirSync(`/proc/${pid}/task`);
    const times = threads.map((id) =>
      Number(fs.readFileSync(`/proc/${pid}/task/${id}/schedstat`, "latin1").split(" ")[0]),
    );
    return times.reduce((total, ns) => total + ns / 1e6, 0);
  } catch {
    return stat(pid)?.cpuMs ?? 0;
  }
}

/**
 * Returns the memory of the tool's own processes among `list`, browsers left out.
 * @param {number[]} list
 * @returns {{rssMb: number, pssMb: number, processes: number}}
 */
export function toolMemory(list) {
  const own = list.map(sample).filter((found) => found !== undefined && !isChromium(found));
  const sum = (key) => own.reduce((total, found) => total + found[key], 0);
  return { rssMb: sum("rssMb"), pssMb: sum("pssMb"), processes: own.length };
}

/** Returns the name of a process's executable, or an empty text. @param {number} pid */
function programOf(pid) {
  try {
    return path.basename(fs.readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, "");
  } catch {
    return "";
  }
}

function stat(pid) {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const cpuMs = ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_S;
    const [state, ppid] = [fields[0], Number(fields[1])];
    return { state, ppid, cpuMs, threads: Number(fields[17]), startTime: fields[19] };
  } catch {
    return undefined;
  }
}

/** Returns the text of a file of the kernel; an empty one when its process is gone. */
function read(file) {
  try {
    return fs.readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

function pids() {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function signal(pid, startTime, name) {
  if (!isAlive(pid, startTime)) return;
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended by itself.
  }
}

/** Returns the processes with what tells each from a later one of the same number. */
function identified(list) {
  return list.map((pid) => ({ pid, startTime: stat(pid)?.startTime }));
}

/** Kills these very processes and waits until they are gone. */
async function killed(list) {
  const known = list.filter(({ startTime }) => startTime !== undefined);
  for (const { pid, startTime } of known) signal(pid, startTime, "SIGKILL");
  const areGone = () => known.every(({ pid, startTime }) => !isAlive(pid, startTime));
  await waitFor(areGone, END_TIME_MAX_MS);
}

function removeFolders() {
  for (const folder of folders) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      folders.delete(folder);
    } catch {
      // Somebody still writes into it; whoever asked looks at what is left.
    }
  }
}

// The last resort, when nobody called `endAll`. A killed host's keeper ends its browser.
process.on("exit", () => {
  for (const find of finders) find().forEach(adopt);
  for (const [pid, startTime] of adopted) signal(pid, startTime, "SIGKILL");
  for (const pid of strays()) signal(pid, stat(pid)?.startTime, "SIGKILL");
  removeFolders();
});
for (const [name, number] of [
  ["SIGINT", 2],
  ["SIGTERM", 15],
  ["SIGHUP", 1],
]) {
  process.on(name, () => {
    console.error(`${name}: ending everything`);
    wasInterrupted = true;
    endAll().finally(() => process.exit(128 + number));
  });
}
