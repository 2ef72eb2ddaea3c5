// Reads an outline the way an agent reads it: lines to nodes with role, name, value, states and ref.

/**
 * @typedef {object} Node
 * @property {string} role
 * @property {string} name Empty when it has none.
 * @property {string[]} quoted Every quoted text of its line, unescaped, in order.
 * @property {string | null} value
 * @property {string[]} words What stands between: states and extras.
 * @property {string | null} ref
 * @property {number} depth
 * @property {number} line
 */

const TOKEN = /"((?:[^"\\]|\\.)*)"|\S+/g;
const REF = /^(?:f\d+)?e\d+$/;

/**
 * Returns the nodes of an outline, cells of a row as nodes of their own behind it.
 * @param {string} outline
 * @returns {Node[]}
 */
export function nodes(outline) {
  return outline.split("\n").flatMap((line, at) => {
    const depth = line.length - line.trimStart().length;
    return parts(line.trim()).map((part) => ({ ...node(part), depth, line: at }));
  });
}

/** Splits a line at the bars between its cells; a bar inside a quoted text is none. */
function parts(line) {
  const found = [[]];
  for (const token of line.matchAll(TOKEN)) {
    if (token[0] === "|") found.push([]);
    else found.at(-1)?.push(token);
  }
  return found.filter((part) => part.length > 0);
}

function node(tokens) {
  const isQuoted = (token) => token[1] !== undefined;
  const first = tokens[0];
  const role = isQuoted(first) ? "text" : first[0];
  const quoted = tokens.filter(isQuoted).map((token) => unescaped(token[1]));
  const words = tokens.filter((token) => !isQuoted(token)).map((token) => token[0]);
  const at = tokens.findIndex((token) => token[0] === "value");
  const value = at !== -1 && tokens[at + 1]?.[1] !== undefined ? unescaped(tokens[at + 1][1]) : null;
  const second = tokens.slice(1).find(isQuoted);
  const isNamed = isQuoted(first) || (second !== undefined && tokens.indexOf(second) !== at + 1);
  return {
    role,
    name: isNamed ? quoted[0] : "",
    quoted,
    value,
    words,
    ref: words.findLast((word) => REF.test(word)) ?? null,
  };
}

function unescaped(text) {
  return text.replace(/\\(?:u\{([0-9a-f]+)\}|(.))/g, (_, code, char) => {
    if (code !== undefined) return String.fromCodePoint(parseInt(code, 16));
    return { n: "\n", t: "\t" }[char] ?? char;
  });
}
