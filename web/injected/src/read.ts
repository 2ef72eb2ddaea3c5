// `read.js`: everything the driver may ask of a document. It observes and computes.
//
// INVARIANT: nothing reached from here changes the page. A test bans every changing call in this
// bundle; what input cannot do is in `act.ts`.

import { adoptRoot, activeElement, rootElementOf, scrollHeightOf, scrollWidthOf, tagOf } from "./dom.ts";
import { tellAsides } from "./asides.ts";
import { changes, type ChangesArgs } from "./changes.ts";
import { takeSuspects } from "./closed.ts";
import { chosenFiles, dropTaken, watchDrop } from "./files.ts";
import { find } from "./find.ts";
import { expectHolds, frames, reach } from "./frames.ts";
import { allows, guardEnd, isGuarding, stillMeant } from "./guard.ts";
import { Look } from "./look.ts";
import { boxesToMask } from "./mask.ts";
import { outline } from "./outline.ts";
import { readBack } from "./readback.ts";
import { recorder } from "./recorder.ts";
import { type Outer, placeIn } from "./outer.ts";
import { beginNumbers, documentId, elementOf, numbers, refOf, takeFrameNumber } from "./refs.ts";
import { resolve } from "./resolve.ts";
import { isEditingHost, roleOf } from "./roles.ts";
import { scrolled, scroller } from "./scroll.ts";
import { isSecret } from "./secret.ts";
import { arm, type ArmArgs, disarm, settle, type SettleArgs, shownAtArm } from "./settle.ts";
import { subjectOf } from "./subject.ts";
import { text } from "./text.ts";
import { hasCaret, isSection } from "./values.ts";
import { wait } from "./wait.ts";

interface BeginArgs {
  ref_start: number;
  frame_start: number;
  own: string | null;
}

function beginDocument(args: BeginArgs): Record<string, unknown> {
  beginNumbers(args.ref_start, args.frame_start, args.own);
  recorder.start();
  return { document: documentId, ...numbers() };
}

function focusInfo(): Record<string, unknown> {
  const active = activeElement();
  if (!active) return { ref: null, subject: null, is_text_field: false, is_secret: false, operates: false };
  const look = new Look();
  const role = roleOf(look, active) ?? "";
  const isField = hasCaret(active) || isEditingHost(active) || isSection(look, active);
  return {
    ref: refOf(active),
    subject: subjectOf(look, active),
    is_text_field: isField,
    is_secret: isSecret(active),
    operates:
      !isField &&
      /^(button|checkbox|combobox|link|listbox|menuitem|menuitemcheckbox|menuitemradio|option|radio|slider|switch|tab|treeitem)$/.test(
        role,
      ),
  };
}

function viewport(): Record<string, unknown> {
  const root = rootElementOf(document);
  return {
    width: window.innerWidth,
    height: window.innerHeight,
    scroll_x: window.scrollX,
    scroll_y: window.scrollY,
    page_width: root ? scrollWidthOf(root) : 0,
    page_height: root ? scrollHeightOf(root) : 0,
  };
}

function adoptClosed(root: ShadowRoot): Record<string, unknown> {
  adoptRoot(root);
  recorder.follow([root.host]);
  return { tag: tagOf(root.host) };
}

/** Where the frame lies that shows this document comes with every call the driver makes to it. */
interface Placed {
  outer?: Outer | null;
}

function placed<A, R>(run: (args: A) => R): (args: A & Placed) => R {
  return (args) => {
    placeIn(args.outer);
    return run(args);
  };
}

/** Every read starts the recorder, so that what moves by itself is known when it matters. */
function reading<A, R>(run: (args: A) => R): (args: A & Placed) => R {
  return placed((args: A) => {
    recorder.start();
    return run(args);
  });
}

/** What an act brings about is watched from here on, also after it was told. */
function armed(args: ArmArgs): Record<string, unknown> {
  const answer = arm(args);
  changes.armed(args.ref ? elementOf(args.ref) : activeElement(), shownAtArm());
  return answer;
}

async function settled(args: SettleArgs): Promise<Record<string, unknown>> {
  const answer = await settle(args);
  changes.told();
  return answer;
}

const api = Object.freeze({
  begin_document: beginDocument,
  outline: reading(outline),
  find: reading(find),
  text: reading(text),
  resolve: reading(resolve),
  arm: placed(armed),
  settle: placed(settled),
  disarm,
  read_back: readBack,
  element: (args: { ref: string }) => elementOf(args.ref),
  boxes_to_mask: placed(boxesToMask),
  wait: placed(wait),
  changes: (args: ChangesArgs) => changes.read(args),
  late: () => changes.late(),
  focus_info: focusInfo,
  viewport,
  frames: reading(frames),
  frame_number: () => ({ number: takeFrameNumber() }),
  reach: placed(reach),
  holds: reading(expectHolds),
  scroller: placed(scroller),
  scrolled: placed(scrolled),
  closed_suspects: takeSuspects,
  adopt_closed: adoptClosed,
  chosen_files: chosenFiles,
  watch_drop: watchDrop,
  drop_taken: dropTaken,
  own_task: () => recorder.ownTask(),
  guarding: isGuarding,
  still_meant: ({ ref }: { ref: string }) => stillMeant(ref),
  allows,
  guard_end: guardEnd,
});

// A second injection into the same world must not start the numbers over.
if (!("sidestickRead" in globalThis)) {
  Object.defineProperty(globalThis, "sidestickRead", { value: api });
  tellAsides();
}
