// Loads one source module for a test without a browser: types stripped, imports bundled.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), "../src");

export async function load(name) {
  const result = await build({
    entryPoints: [join(SOURCES, `${name}.ts`)],
    bundle: true,
    write: false,
    format: "esm",
    tsconfigRaw: { compilerOptions: { target: "ES2022" } },
  });
  return import(
    `data:text/javascript;base64,${Buffer.from(result.outputFiles[0].contents).toString("base64")}`
  );
}
