// Where the viewport of a document lies in the top one, whatever scales, turns or tilts its frame.
//
// Almost always it is moved and nothing else. Otherwise it is a projective mapping, which the browser
// is asked for itself: it knows every transform, zoom and perspective above the frame.

import { clientHeightOf, clientWidthOf, rectOf } from "./dom.ts";

/** Left, top, right, bottom. */
export type Edges = readonly [number, number, number, number];
export type Point = [number, number];
/** Rows of a 3x3 matrix, for (x, y, 1). */
export type Matrix = readonly [number, number, number, number, number, number, number, number, number];

export interface Sides {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Differences below this are those of the browser's own arithmetic. */
const SAME_PX = 0.01;
const MOVED_PX = 0.05;
/** How far the box that the mapping gives a frame may be from the one the browser gives it. */
const FIT_PX = 1.5;
/** What is nearer to the eye than this, or behind it, is not painted where arithmetic puts it. */
const DEPTH_MIN = 1e-3;
const FLAT = 1e-12;
/** Where nothing is: the box of what a tilted frame would paint behind the eye. */
const NOWHERE: Edges = [1e7, 1e7, 1e7 + 100, 1e7 + 100];

/** A document's viewport in the top one. */
export class Place {
  private constructor(
    readonly dx: number,
    readonly dy: number,
    /** From the document to the top; null where it is only moved. */
    readonly map: Matrix | null,
    private readonly back: Matrix | null,
    /** By how much the frames above zoom it; what it is told of lengths is before that. */
    readonly zoom: number,
    /** Where its frame is, when nobody can say how it lies in there. */
    private readonly lost: Edges | null,
  ) {}

  static moved(dx: number, dy: number, zoom = 1): Place {
    return new Place(dx, dy, null, null, zoom, null);
  }

  /** A place that cannot be known; all that is in it is said to be all over the frame. */
  static unknown(frame: Edges): Place {
    return new Place(0, 0, null, null, 1, frame);
  }

  static mapped(map: Matrix, zoom: number, frame: Edges): Place {
    const back = inverse(map);
    return back ? new Place(map[2], map[5], map, back, zoom, null) : Place.unknown(frame);
  }

  get isKnown(): boolean {
    return this.lost === null;
  }

  get isMoved(): boolean {
    return this.lost === null && this.map === null;
  }

  /** A point of the document in the top viewport. */
  out(x: number, y: number): Point {
    return this.map ? project(this.map, x, y) : [x + this.dx, y + this.dy];
  }

  /** A point of the top viewport in the document. */
  into(x: number, y: number): Point {
    return this.back ? project(this.back, x, y) : [x - this.dx, y - this.dy];
  }

  /** The box in the top viewport around a box of the document. */
  edges(r: Sides): Edges {
    const { left, top, right, bottom } = r;
    const { map } = this;
    if (this.lost) return this.lost;
    if (!map) return [left + this.dx, top + this.dy, right + this.dx, bottom + this.dy];
    const all = corners([left, top, right, bottom]);
    const isSeen = all.every(([x, y]) => depthAt(map, x, y) > DEPTH_MIN);
    return isSeen ? around(all.map(([x, y]) => project(map, x, y))) : NOWHERE;
  }

  /** The place of a document in a frame that lies so in this one. */
  of(e: Element, style: CSSStyleDeclaration): Place {
    const box = rectOf(e);
    const left = pixels(style.borderLeftWidth) + pixels(style.paddingLeft);
    const top = pixels(style.borderTopWidth) + pixels(style.paddingTop);
    const lost = (): Place => Place.unknown(this.edges(box));
    if (!this.isKnown) return lost();
    // What has no box shows nothing that could be pressed.
    const isShown = box.width > 0 && box.height > 0;
    const [x, y] = [box.left + left, box.top + top];
    const map = isShown ? frameMap(e, box, style, this.zoom) : move(x, y);
    if (!map) return lost();
    const zoom = this.zoom * zoomOf(e);
    const isMoved = !isShown || isMove(map, box);
    if (isMoved && !this.map) return Place.moved(this.dx + x, this.dy + y, zoom);
    return Place.mapped(product(this.map ?? move(this.dx, this.dy), map), zoom, this.edges(box));
  }
}

const zoomOf = (e: Element): number => (e as { currentCSSZoom?: number }).currentCSSZoom ?? 1;
const pixels = (length: string): number => parseFloat(length) || 0;

const move = (x: number, y: number): Matrix => [1, 0, x, 0, 1, y, 0, 0, 1];

const corners = ([left, top, right, bottom]: Edges): Point[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

const around = (points: Point[]): Edges => {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

const depthAt = (m: Matrix, x: number, y: number): number => m[6] * x + m[7] * y + m[8];

function project(m: Matrix, x: number, y: number): Point {
  const depth = depthAt(m, x, y);
  return [(m[0] * x + m[1] * y + m[2]) / depth, (m[3] * x + m[4] * y + m[5]) / depth];
}

function product(a: Matrix, b: Matrix): Matrix {
  const cell = (row: 0 | 3 | 6, column: 0 | 1 | 2): number =>
    a[row] * b[column] +
    (a[(row + 1) as 1] ?? 0) * (b[(column + 3) as 3] ?? 0) +
    (a[(row + 2) as 2] ?? 0) * (b[(column + 6) as 6] ?? 0);
  return [
    cell(0, 0), cell(0, 1), cell(0, 2),
    cell(3, 0), cell(3, 1), cell(3, 2),
    cell(6, 0), cell(6, 1), cell(6, 2),
  ];
}

/** The mapping the other way, scaled so that its depth at the origin is that of the first. */
function inverse([a, b, c, d, e, f, g, h, i]: Matrix): Matrix | null {
  const [A, B, C] = [e * i - f * h, c * h - b * i, b * f - c * e];
  const [D, E, F] = [f * g - d * i, a * i - c * g, c * d - a * f];
  const [G, H, I] = [d * h - e * g, b * g - a * h, a * e - b * d];
  const size = a * A + b * D + c * G;
  if (!Number.isFinite(size) || Math.abs(size) < FLAT) return null;
  return [A / size, B / size, C / size, D / size, E / size, F / size, G / size, H / size, I / size];
}

/** The mapping of the unit square to four points, in the order of `corners`. */
function ofSquare([p, q, r, s]: [Point, Point, Point, Point]): Matrix | null {
  const x = p[0] - q[0] + r[0] - s[0];
  const y = p[1] - q[1] + r[1] - s[1];
  if (Math.abs(x) < SAME_PX && Math.abs(y) < SAME_PX) {
    return [q[0] - p[0], s[0] - p[0], p[0], q[1] - p[1], s[1] - p[1], p[1], 0, 0, 1];
  }
  const [x1, x2, y1, y2] = [q[0] - r[0], s[0] - r[0], q[1] - r[1], s[1] - r[1]];
  const size = x1 * y2 - x2 * y1;
  if (Math.abs(size) < FLAT) return null;
  const g = (x * y2 - x2 * y) / size;
  const h = (x1 * y - x * y1) / size;
  return [
    q[0] - p[0] + g * q[0], s[0] - p[0] + h * s[0], p[0],
    q[1] - p[1] + g * q[1], s[1] - p[1] + h * s[1], p[1],
    g, h, 1,
  ];
}

// Nobody can listen for an event whose name is not known before it has gone by.
const PROBE = `sidestick-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
const dispatch = EventTarget.prototype.dispatchEvent;
const listen = EventTarget.prototype.addEventListener;

/** Where a point of the element's document lies in its own padding box, as the browser says. */
function inOwnBox(e: Element, [clientX, clientY]: Point): Point {
  const probe = new PointerEvent(PROBE, { clientX, clientY });
  let found: Point | null = null;
  // Asked while the event is there: one that has left a shadow tree has no target any more.
  listen.call(e, PROBE, () => void (found = [probe.offsetX, probe.offsetY]), { once: true });
  dispatch.call(e, probe);
  // Where no script may run none hears it.
  return found ?? [probe.offsetX, probe.offsetY];
}

/**
 * The mapping of the viewport in a frame to the document the frame is in; null when it cannot be known.
 * Its depth is 1 in the middle of the frame.
 */
function frameMap(e: Element, box: DOMRect, style: CSSStyleDeclaration, above: number): Matrix | null {
  const { left, top, width, height } = box;
  const zoom = zoomOf(e);
  const inner = (x: number, y: number): Point => {
    // Events take their places as the frames above zoom them.
    const [ownX, ownY] = inOwnBox(e, [(left + width * x) * above, (top + height * y) * above]);
    return [ownX / zoom - pixels(style.paddingLeft), ownY / zoom - pixels(style.paddingTop)];
  };
  // Well inside, where even a tilted frame is before the eye.
  const square = ofSquare([inner(0.25, 0.25), inner(0.75, 0.25), inner(0.75, 0.75), inner(0.25, 0.75)]);
  const [x, y] = [left / width + 0.25, top / height + 0.25];
  const toSquare: Matrix = [2 / width, 0, -2 * x, 0, 2 / height, -2 * y, 0, 0, 1];
  const map = square && inverse(product(square, toSquare));
  return map && fitted(e, map, box, style);
}

/** The mapping, when it gives the frame the box that the browser says it has. */
function fitted(e: Element, map: Matrix, box: DOMRect, style: CSSStyleDeclaration): Matrix | null {
  const left = -pixels(style.paddingLeft) - pixels(style.borderLeftWidth);
  const top = -pixels(style.paddingTop) - pixels(style.borderTopWidth);
  const right = clientWidthOf(e) - pixels(style.paddingLeft) + pixels(style.borderRightWidth);
  const bottom = clientHeightOf(e) - pixels(style.paddingTop) + pixels(style.borderBottomWidth);
  const middle = depthAt(map, (left + right) / 2, (top + bottom) / 2);
  const scaled = map.map((cell) => cell / middle) as unknown as Matrix;
  const all = corners([left, top, right, bottom]);
  if (!all.every(([x, y]) => depthAt(scaled, x, y) > DEPTH_MIN)) return null;
  const found = around(all.map(([x, y]) => project(scaled, x, y)));
  const wanted: Edges = [box.left, box.top, box.right, box.bottom];
  // Sizes are told in whole pixels, and what is wrong in them grows with what scales the frame.
  const fit = FIT_PX * Math.max(1, box.width / (right - left), box.height / (bottom - top));
  return found.every((at, side) => Math.abs(at - (wanted[side] ?? NaN)) <= fit) ? scaled : null;
}

/** Whether the mapping only moves what is in a frame with this box. */
function isMove(map: Matrix, { width, height }: DOMRect): boolean {
  const [x, y] = project(map, 0, 0);
  return corners([0, 0, width, height]).every(([fromX, fromY]) => {
    const [toX, toY] = project(map, fromX, fromY);
    return Math.abs(toX - fromX - x) < MOVED_PX && Math.abs(toY - fromY - y) < MOVED_PX;
  });
}
