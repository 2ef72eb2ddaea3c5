// Colors by their names, as a page that names them means them.

/** @type {Record<string, import('../picture.mjs').Color>} */
export const NAMED = {
  red: [255, 0, 0], green: [0, 128, 0], blue: [0, 0, 255], aqua: [0, 255, 255], black: [0, 0, 0],
  magenta: [255, 0, 255], yellow: [255, 255, 0], olive: [128, 128, 0], lime: [0, 255, 0],
  white: [255, 255, 255], grey: [128, 128, 128], gray: [128, 128, 128], purple: [128, 0, 128],
  orange: [255, 165, 0], cyan: [0, 255, 255], pink: [255, 192, 203], brown: [165, 42, 42],
  maroon: [128, 0, 0], navy: [0, 0, 128], silver: [192, 192, 192], teal: [0, 128, 128],
  gold: [255, 215, 0],
};

/** What shapes, letters and digits are drawn in. */
export const DRAWN = ["red", "green", "blue", "aqua", "black", "magenta", "yellow"];
