// SHA-256 and HMAC-SHA-256 over bytes, in plain code.
//
// `crypto.subtle` exists in secure contexts only, and a password page served over plain HTTP must
// not be the one whose read-back falls back to the value itself.

const ROUND = new Uint32Array(64);
const START = new Uint32Array(8);

/** Fills both tables from the fractions of the roots of the first primes. */
function fill(): void {
  let count = 0;
  for (let candidate = 2; count < 64; candidate += 1) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= candidate; factor += 1) {
      if (candidate % factor === 0) isPrime = false;
    }
    if (!isPrime) continue;
    const fraction = (root: number): number => ((root - Math.floor(root)) * 4294967296) >>> 0;
    if (count < 8) START[count] = fraction(Math.sqrt(candidate));
    ROUND[count] = fraction(Math.cbrt(candidate));
    count += 1;
  }
}
fill();

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function pad(bytes: Uint8Array): DataView {
  const length = (((bytes.length + 8) >> 6) + 1) * 64;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(length - 4, (bytes.length << 3) >>> 0);
  return view;
}

function mix(state: Uint32Array, words: Uint32Array): void {
  const at = (list: Uint32Array, index: number): number => list[index] ?? 0;
  for (let i = 16; i < 64; i += 1) {
    const a = at(words, i - 15);
    const b = at(words, i - 2);
    const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    words[i] = at(words, i - 16) + low + at(words, i - 7) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const sumE = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + sumE + ((e & f) ^ (~e & g)) + at(ROUND, i) + at(words, i)) >>> 0;
    const sumA = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (sumA + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = at(state, i) + word));
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const view = pad(bytes);
  const state = new Uint32Array(START);
  const words = new Uint32Array(64);
  for (let block = 0; block < view.byteLength; block += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(block + i * 4);
    mix(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = new Uint8Array(64 + message.length);
  inner.set(block.map((byte) => byte ^ 0x36));
  inner.set(message, 64);
  const outer = new Uint8Array(96);
  outer.set(block.map((byte) => byte ^ 0x5c));
  outer.set(sha256(inner), 64);
  return sha256(outer);
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = parseInt(hex.slice(i * 2, i * 2 + 2), 16);
  return bytes;
}
