// Waiting in the page for one condition, answered the moment it holds or when time is up.

import { frame, pause } from "./beat.ts";
import { attr, documents, has, queryAll, readyStateOf, tagOf } from "./dom.ts";
import { clipOf } from "./hit.ts";
import { isEmpty, Look, meet } from "./look.ts";
import { showsText, urlMatches } from "./predicate.ts";
import { takeReading, type Reading } from "./reading.ts";
import { differences } from "./diff.ts";
import { recorder } from "./recorder.ts";

const POLL_MS = 100;
// What style alone changes is seen by no observer: this long after, it is worth asking again.
const CHANGE_MS = 250;

export interface WaitArgs {
  kind: "text" | "gone" | "url" | "ready" | "still" | "change";
  value: string | null;
  timeout_ms: number;
  quiet_ms: number | null;
}

export async function wait(args: WaitArgs): Promise<{ held: boolean; looked_ms: number }> {
  recorder.start();
  const start = performance.now();
  const done = (held: boolean): { held: boolean; looked_ms: number } => ({
    held,
    looked_ms: Math.round((performance.now() - start) * 10) / 10,
  });
  const stillness = args.kind === "still" ? new Stillness(args.quiet_ms ?? 300) : null;
  let looked = -Infinity;
  for (;;) {
    recorder.flush();
    const now = performance.now();
    if (recorder.isDue || now - looked >= POLL_MS) {
      looked = now;
      const wasDue = recorder.isDue;
      if (!recorder.act) recorder.isDue = false;
      const isOver = wasDue || now - start >= CHANGE_MS;
      if (stillness ? stillness.holds(wasDue) : await holds(args, isOver)) return done(true);
    }
    if (performance.now() - start >= args.timeout_ms) return done(false);
    await Promise.race([frame(), pause(args.timeout_ms - (performance.now() - start))]);
  }
}

function holds(args: WaitArgs, isOver: boolean): boolean | Promise<boolean> {
  const value = args.value ?? "";
  switch (args.kind) {
    case "text":
      return showsText(new Look(), value);
    case "gone":
      return !showsText(new Look(), value);
    case "url":
      return urlMatches(location.href, value);
    case "ready":
      return isReady();
    case "change":
      return isOver;
    case "still":
      return false;
  }
}

/** Whether nothing the outline shows has differed for a while. */
class Stillness {
  private reading: Reading = takeReading(new Look());
  private since = performance.now();

  constructor(private readonly quietMs: number) {}

  holds(wasDue: boolean): boolean {
    const isOver = performance.now() - this.since >= this.quietMs;
    if (!wasDue && !isOver) return false;
    const reading = takeReading(new Look());
    const context = { wasAdded: () => true, isAttached: (e: Element) => e.isConnected };
    const isSame = differences(this.reading, reading, context).length === 0;
    this.reading = reading;
    if (isSame) return isOver;
    this.since = performance.now();
    return false;
  }
}

/** Whether the page is fit to be shown: parsed, painted, its fonts and images in, nothing busy. */
async function isReady(): Promise<boolean> {
  if (!documents().every((owner) => readyStateOf(owner) !== "loading")) return false;
  const look = new Look();
  if (!hasSomething(look) || !areImagesIn(look) || isBusy(look) || isAnimating(look)) return false;
  if (document.fonts.status !== "loaded") return false;
  await frame();
  return true;
}

const inView = (look: Look, e: Element): boolean => !isEmpty(meet(look.edges(e), clipOf(look, e)));

function hasSomething(look: Look): boolean {
  for (const entry of takeReading(look).entries.values()) {
    if (entry.name !== "" || entry.text !== "" || entry.raw) return true;
  }
  return documents().some((owner) =>
    queryAll(owner, "img,svg,canvas,video,iframe").some((e) => {
      const [left, top, right, bottom] = look.edges(e);
      if (right - left < 48 || bottom - top < 48 || !inView(look, e)) return false;
      return tagOf(e) !== "canvas" || isDrawn(e as HTMLCanvasElement);
    }),
  );
}

/** A canvas whose pixels cannot be read counts as drawn: it got them from somewhere. */
function isDrawn(canvas: HTMLCanvasElement): boolean {
  try {
    const copy = new OffscreenCanvas(16, 16);
    const context = copy.getContext("2d");
    if (!context || canvas.width === 0 || canvas.height === 0) return false;
    context.drawImage(canvas, 0, 0, 16, 16);
    return context.getImageData(0, 0, 16, 16).data.some((byte) => byte !== 0);
  } catch {
    return true;
  }
}

const areImagesIn = (look: Look): boolean =>
  documents().every((owner) =>
    queryAll(owner, "img").every(
      (e) => (e as HTMLImageElement).complete || !has(e, "src") || !inView(look, e),
    ),
  );

const isBusy = (look: Look): boolean =>
  documents().some((owner) =>
    queryAll(owner, '[aria-busy="true" i]').some((e) => attr(e, "aria-busy") !== null && inView(look, e)),
  );

function isAnimating(look: Look): boolean {
  return document.getAnimations().some((at) => {
    const end = at.effect?.getComputedTiming().endTime;
    const target = (at.effect as KeyframeEffect | null)?.target;
    return at.playState === "running" && Number.isFinite(Number(end)) && target && inView(look, target);
  });
}
