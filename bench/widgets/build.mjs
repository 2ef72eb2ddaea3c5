// Builds the pages of the corpus: each one HTML file that holds its script and styles.

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const SOURCES = path.join(HERE, "pages");
const OUT = path.join(HERE, "../../target/widgets");

/** Page to the file it is built from. */
export const PAGES = {
  "react-form": "react-form.jsx",
  mui: "mui.jsx",
  antd: "antd.jsx",
  "react-select": "react-select.jsx",
  "react-datepicker": "react-datepicker.jsx",
  "dnd-kit": "dnd-kit.jsx",
  "react-window": "react-window.jsx",
  lexical: "lexical.jsx",
  tiptap: "tiptap.mjs",
  codemirror: "codemirror.mjs",
  quill: "quill.mjs",
  flatpickr: "flatpickr.mjs",
  choices: "choices.mjs",
  board: "board.mjs",
  otp: "otp.mjs",
  imask: "imask.mjs",
  "vue-form": "vue-form.mjs",
  "svelte-form": "svelte-form.mjs",
};

/** Returns whether the libraries are installed. */
export function isInstalled() {
  return fs.existsSync(path.join(HERE, "node_modules/.package-lock.json"));
}

/** Returns the pages that stand, built again when a source or the lock file is newer. @returns {Promise<Record<string, string>>} Path such as `/mui` to HTML. */
export async function built() {
  if (!isFresh()) await build();
  const read = (name) => fs.readFileSync(path.join(OUT, `${name}.html`), "utf8");
  return Object.fromEntries(Object.keys(PAGES).map((name) => [`/${name}`, read(name)]));
}

function isFresh() {
  const sources = fs.readdirSync(SOURCES).map((name) => path.join(SOURCES, name));
  sources.push(path.join(HERE, "package-lock.json"), fileURLToPath(import.meta.url));
  const newest = Math.max(...sources.map((file) => fs.statSync(file).mtimeMs));
  return Object.keys(PAGES).every((name) => {
    const file = path.join(OUT, `${name}.html`);
    return fs.existsSync(file) && fs.statSync(file).mtimeMs > newest;
  });
}

async function build() {
  const need = createRequire(import.meta.url);
  const esbuild = need("esbuild");
  const result = await esbuild.build({
    entryPoints: Object.entries(PAGES).map(([out, file]) => ({ out, in: path.join(SOURCES, file) })),
    bundle: true,
    write: false,
    outdir: OUT,
    format: "iife",
    minify: true,
    jsx: "automatic",
    target: "es2022",
    logLevel: "error",
    legalComments: "none",
    loader: { ".svg": "dataurl" },
    define: {
      "process.env.NODE_ENV": '"production"',
      __VUE_OPTIONS_API__: "true",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
    plugins: [svelte(need("svelte/compiler"))],
  });
  const text = new Map(result.outputFiles.map((file) => [path.basename(file.path), file.text]));
  fs.mkdirSync(OUT, { recursive: true });
  for (const name of Object.keys(PAGES)) {
    const page = html(name, text.get(`${name}.js`) ?? "", text.get(`${name}.css`) ?? "");
    fs.writeFileSync(path.join(OUT, `${name}.html`), page);
  }
}

/** Compiles `.svelte` files for the bundler. */
function svelte(compiler) {
  return {
    name: "svelte",
    setup(build) {
      build.onLoad({ filter: /\.svelte$/ }, ({ path: file }) => {
        const source = fs.readFileSync(file, "utf8");
        const { js } = compiler.compile(source, { filename: file, generate: "client", css: "injected" });
        return { contents: js.code, loader: "js" };
      });
    },
  };
}

function html(name, script, styles) {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${name}</title>
<style>body { font-family: sans-serif; margin: 16px }</style>
<style>${styles.replaceAll("</style", "<\\/style")}</style></head>
<body><h1>${name}</h1><main id="root"></main><p id="saved" role="status"></p>
<script>${script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--")}</script>
</body></html>`;
}
