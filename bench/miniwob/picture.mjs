// A screenshot as pixels: what an agent that sees would work with, as numbers.

import fs from "node:fs";
import zlib from "node:zlib";

/** Bytes before the first chunk of a PNG. */
const SIGNATURE_BYTES = 8;
const CHANNELS = { 0: 1, 2: 3, 6: 4 };

/**
 * @typedef {[number, number, number]} Color
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 *
 * @typedef {object} Blob One connected part of a picture.
 * @property {Color} color The color of its first pixel.
 * @property {Box} box
 * @property {number} size How many pixels.
 * @property {number} x Of its middle of mass.
 * @property {number} y
 * @property {[number, number][]} pixels
 */

export class Picture {
  /** @param {number} width @param {number} height @param {Buffer} pixels Three bytes each. */
  constructor(width, height, pixels) {
    Object.assign(this, { width, height, pixels });
  }

  /**
   * Reads a PNG with 8 bits per channel and no interlacing, down to a row.
   * @param {string} file
   * @param {number} [rows]
   */
  static read(file, rows = Infinity) {
    const bytes = fs.readFileSync(file);
    let [width, height, channels] = [0, 0, 0];
    const parts = [];
    for (let at = SIGNATURE_BYTES; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
      const length = bytes.readUInt32BE(at);
      const kind = bytes.toString("latin1", at + 4, at + 8);
      const body = bytes.subarray(at + 8, at + 8 + length);
      if (kind === "IHDR") {
        [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
        channels = CHANNELS[body[9]];
        if (body[8] !== 8 || channels === undefined || body[12] !== 0) {
          throw new Error(`${file}: not a plain PNG`);
        }
      }
      if (kind === "IDAT") parts.push(body);
    }
    const read = Math.min(rows, height);
    return new Picture(width, read, unfiltered(zlib.inflateSync(Buffer.concat(parts)), width, read, channels));
  }

  /** @param {number} x @param {number} y @returns {Color} */
  at(x, y) {
    const from = (Math.round(y) * this.width + Math.round(x)) * 3;
    return [this.pixels[from], this.pixels[from + 1], this.pixels[from + 2]];
  }

  /**
   * Returns the connected parts of which every pixel holds, the largest first.
   * @param {Box} within
   * @param {(color: Color, x: number, y: number) => boolean} holds
   * @param {{same?: boolean, least?: number}} [options] `same`: only pixels of like color connect.
   * @returns {Blob[]}
   */
  blobs(within, holds, { same = false, least = 1 } = {}) {
    const seen = new Set();
    const isIn = (x, y) => x >= within.x && y >= within.y && x < within.x + within.width && y < within.y + within.height;
    const key = (x, y) => y * this.width + x;
    const found = [];
    for (let y = within.y; y < within.y + within.height; y++) {
      for (let x = within.x; x < within.x + within.width; x++) {
        const color = this.at(x, y);
        if (seen.has(key(x, y)) || !holds(color, x, y)) continue;
        seen.add(key(x, y));
        const pixels = [[x, y]];
        for (let at = 0; at < pixels.length; at++) {
          const [px, py] = pixels[at];
          for (const [nx, ny] of [[px + 1, py], [px - 1, py], [px, py + 1], [px, py - 1]]) {
            if (!isIn(nx, ny) || seen.has(key(nx, ny))) continue;
            const next = this.at(nx, ny);
            if (!holds(next, nx, ny) || (same && distance(next, color) > LIKE_MAX)) continue;
            seen.add(key(nx, ny));
            pixels.push([nx, ny]);
          }
        }
        if (pixels.length >= least) found.push(blob(pixels, color));
      }
    }
    return found.sort((a, b) => b.size - a.size);
  }
}

/** Colors that are no further apart than this look alike. */
const LIKE_MAX = 40;

/** How far two colors are apart. @param {Color} a @param {Color} b */
export function distance(a, b) {
  return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);
}

/** Returns hue (degrees), saturation and lightness (shares) of a color. @param {Color} color */
export function hsl([red, green, blue]) {
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const span = most - least;
  const lightness = (most + least) / 2;
  if (span === 0) return { hue: 0, saturation: 0, lightness };
  const saturation = span / (1 - Math.abs(2 * lightness - 1));
  let hue = 0;
  if (most === r) hue = ((g - b) / span) % 6;
  else if (most === g) hue = (b - r) / span + 2;
  else hue = (r - g) / span + 4;
  return { hue: (hue * 60 + 360) % 360, saturation, lightness };
}

function blob(pixels, color) {
  const xs = pixels.map(([x]) => x);
  const ys = pixels.map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;
  return {
    color,
    box: { x: left, y: top, width: Math.max(...xs) - left + 1, height: Math.max(...ys) - top + 1 },
    size: pixels.length,
    x: mean(xs),
    y: mean(ys),
    pixels,
  };
}

/** Takes the filters of the rows away and keeps three channels. */
function unfiltered(raw, width, height, channels) {
  const stride = width * channels;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    const from = y * (stride + 1) + 1;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= channels ? rows[at - channels] : 0;
      const up = y > 0 ? rows[at - stride] : 0;
      rows[at] = raw[from + x] + predicted(filter, left, up, x >= channels && y > 0 ? rows[at - stride - channels] : 0);
    }
  }
  if (channels === 3) return rows;
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    for (let channel = 0; channel < 3; channel++) {
      pixels[at * 3 + channel] = rows[at * channels + (channels === 1 ? 0 : channel)];
    }
  }
  return pixels;
}

/** What a filter says a byte is, from the bytes left of it, above it and above left of it. */
function predicted(filter, left, up, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
