// Bundles the page scripts into crates/browser/src/injected/, or checks that what lies there is fresh.
//
// The first line of each bundle is the SHA-256 of its sources and of the lock file, so that a
// reader without Node can tell a stale bundle. It does not check types: `npm run build` does.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const WEB = dirname(fileURLToPath(import.meta.url));
const SOURCES = join(WEB, "injected/src");
const OUTPUT = join(WEB, "../crates/browser/src/injected");
const BUNDLES = ["read", "act"];

/** Hashes every source by name, then the lock file: name, NUL, bytes, NUL for each. */
function sourcesHash() {
  const files = readdirSync(SOURCES)
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => join(SOURCES, name));
  const hash = createHash("sha256");
  for (const file of [...files, join(WEB, "package-lock.json")]) {
    hash.update(basename(file)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

async function bundle(name) {
  const result = await build({
    entryPoints: [join(SOURCES, `${name}.ts`)],
    absWorkingDir: WEB,
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "chrome120",
    charset: "utf8",
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    tsconfigRaw: { compilerOptions: { target: "ES2022" } },
    logLevel: "warning",
  });
  return `// sha256 ${sourcesHash()}\n${result.outputFiles[0].text}`;
}

const isCheck = process.argv.includes("--check");
let isStale = false;
mkdirSync(OUTPUT, { recursive: true });
for (const name of BUNDLES) {
  const file = join(OUTPUT, `${name}.js`);
  const text = await bundle(name);
  if (!isCheck) {
    writeFileSync(file, text);
    console.log(`${name}.js: ${text.length} characters`);
    continue;
  }
  let written = null;
  try {
    written = readFileSync(file, "utf8");
  } catch {
    // A missing bundle is a stale one.
  }
  if (written !== text) {
    isStale = true;
    console.error(`${name}.js is stale; run: npm --prefix web run build`);
  }
}
process.exit(isStale ? 1 : 0);
