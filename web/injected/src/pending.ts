// Whether a task has left something that goes on by itself: a timer, a frame or an idle callback.
//
// Their ids count up in each window, for the scripts of all worlds alike. One taken before the task
// and one taken after it tell whether the page has taken any in between.

import { owned } from "./beat.ts";
import { documents, viewOf } from "./dom.ts";

// LIMIT: of a page with more documents than this the others are not asked.
const VIEWS_MAX = 8;

interface Ids {
  timer: number;
  frame: number;
  idle: number;
}

const nothing = (): void => undefined;

function idsOf(view: Window): Ids {
  const timer = view.setTimeout(nothing);
  view.clearTimeout(timer);
  const frame = view.requestAnimationFrame(nothing);
  view.cancelAnimationFrame(frame);
  const idle = view.requestIdleCallback(nothing);
  view.cancelIdleCallback(idle);
  return { timer, frame, idle };
}

/** Asked as a task begins; what it returns says, as the task ends, whether it has left anything. */
export function pendingSince(): () => boolean {
  const views = documents().slice(0, VIEWS_MAX).flatMap((owner) => viewOf(owner) ?? []);
  const before = views.map(idsOf);
  const [timers, frames] = [owned.timers, owned.frames];
  return () => {
    // One of each is the question itself, asked again; our own are of the topmost window.
    const allowed = (at: number): [number, number] =>
      at === 0 ? [1 + owned.timers - timers, 1 + owned.frames - frames] : [1, 1];
    return views.some((view, at) => {
      const [was, is, [timer, frame]] = [before[at], idsOf(view), allowed(at)];
      if (!was) return false;
      return is.timer - was.timer > timer || is.frame - was.frame > frame || is.idle - was.idle > 1;
    });
  };
}
