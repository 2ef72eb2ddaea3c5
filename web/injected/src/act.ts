// `act.js`: the closed list of what input cannot do, and the only place that changes the page.
//
// Called with a permit only. Its events are untrusted, and the outcome says so.

interface Reader {
  element(args: { ref: string }): Element | null;
  own_task(): void;
  guarding(): boolean;
  allows(event: Event): boolean;
  still_meant(args: { ref: string }): boolean;
}

interface Answer {
  ok: boolean;
  /** Whether nothing was done because the element means something else than it was meant for. */
  changed?: boolean;
}

const read = (): Reader => (globalThis as unknown as { sidestickRead: Reader }).sidestickRead;

const elementOf = (ref: string): Element | null => read().element({ ref });

const SET_NOT_TYPED = /^(color|range|date|time|month|week|datetime-local)$/;

function scrollIntoView(args: { ref: string }): Answer {
  const e = elementOf(args.ref);
  if (!e) return { ok: false };
  // A rendered label stands for a checkbox that has no box of its own.
  // Through the prototype: a form's own properties are shadowed by what is named in it.
  const box = Element.prototype.getBoundingClientRect.call(e);
  const label = e.localName === "input" ? (e as HTMLInputElement).labels?.[0] : null;
  const shown = box.width <= 1 && box.height <= 1 && label ? label : e;
  const options: ScrollIntoViewOptions = { behavior: "instant", block: "center", inline: "center" };
  Element.prototype.scrollIntoView.call(shown, options);
  return { ok: true };
}

const collapse = (text: string): string => text.replace(/\s+/g, " ").trim();

function findOption(select: HTMLSelectElement, wanted: string): HTMLOptionElement | null {
  const label = (option: HTMLOptionElement): string => collapse(option.getAttribute("label") || option.text);
  const all = Array.from(select.options);
  const named = all.filter((option) => label(option) === collapse(wanted));
  const found = named.length > 0 ? named : all.filter((option) => option.value === wanted);
  const enabled = found.filter((option) => !option.matches(":disabled"));
  return enabled.length === 1 ? (enabled[0] ?? null) : null;
}

function tell(e: Element): void {
  e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  e.dispatchEvent(new Event("change", { bubbles: true }));
}

function selectOptions(args: { ref: string; values: string[] }): Answer & { selected: string[] } {
  const e = elementOf(args.ref);
  if (!e || e.localName !== "select") return { ok: false, selected: [] };
  const isMeant = read().still_meant(args);
  const select = e as HTMLSelectElement;
  const wanted = args.values.map((value) => findOption(select, value));
  const labels = (): string[] => Array.from(select.selectedOptions, (option) => collapse(option.label));
  const isHeld = wanted.every((option) => option !== null && !option.matches(":disabled"));
  if (!isHeld || select.matches(":disabled")) return { ok: false, selected: labels() };
  if (!isMeant) return { ok: false, changed: true, selected: labels() };

  read().own_task();
  const chosen = new Set(wanted);
  const before = Array.from(select.selectedOptions);
  if (select.multiple) for (const option of select.options) option.selected = chosen.has(option);
  else if (wanted[0]) wanted[0].selected = true;
  const after = Array.from(select.selectedOptions);
  const isSame = before.length === after.length && after.every((option) => before.includes(option));
  if (!isSame) tell(select);
  return { ok: true, selected: labels() };
}

function setValue(args: { ref: string; value: string }): Answer {
  const e = elementOf(args.ref);
  if (!e || e.localName !== "input") return { ok: false };
  const isMeant = read().still_meant(args);
  const input = e as HTMLInputElement;
  if (!SET_NOT_TYPED.test(input.type) || input.readOnly || input.matches(":disabled")) return { ok: false };
  if (!isMeant) return { ok: false, changed: true };
  read().own_task();
  const before = input.value;
  input.value = args.value;
  if (input.value !== before) tell(input);
  return { ok: true };
}

const editingHost = (e: Element): HTMLElement | null => {
  const inner = e as HTMLElement;
  return inner.isContentEditable ? inner : null;
};

function selectText(args: { ref: string }): Answer {
  return withCaret(
    args.ref,
    (field) => field.select(),
    (selection, host) => selection.selectAllChildren(host),
  );
}

function caretToEnd(args: { ref: string }): Answer {
  const toEnd = (field: HTMLInputElement): void => {
    try {
      field.setSelectionRange(field.value.length, field.value.length);
    } catch {
      // QUIRK: number and email fields take no selection range; focusing puts the caret at the end.
    }
  };
  return withCaret(args.ref, toEnd, (selection, host) => {
    selection.selectAllChildren(host);
    selection.collapseToEnd();
  });
}

/** Focuses the field if it is not focused, then moves its selection. */
function withCaret(
  ref: string,
  inField: (field: HTMLInputElement) => void,
  inHost: (selection: Selection, host: Element) => void,
): Answer {
  const e = elementOf(ref);
  if (!e) return { ok: false };
  const isField = e.localName === "input" || e.localName === "textarea";
  const host = editingHost(e);
  if (!isField && !host) return { ok: false };
  if (!e.matches(":focus-within")) (e as HTMLElement).focus({ preventScroll: true });
  if (isField) {
    inField(e as HTMLInputElement);
    return { ok: true };
  }
  const selection = e.ownerDocument.defaultView?.getSelection();
  if (!selection || !host) return { ok: false };
  inHost(selection, host);
  return { ok: true };
}

/** Takes the pointer back from an element that holds it: what is pressed would go there. */
function freePointer(): Answer {
  document.exitPointerLock();
  return { ok: true };
}

// The events of one press or key. The first is judged, and the rest goes with it.
const INPUT =
  "pointerdown mousedown pointerup mouseup click dblclick auxclick contextmenu dragstart " +
  "keydown keypress keyup beforeinput";

/** The reader that was asked: that of the topmost document that can be reached. */
function topReader(): Reader {
  let at: Window = window;
  try {
    while (at.parent !== at && (at.parent as unknown as { sidestickRead?: Reader }).sidestickRead) at = at.parent;
  } catch {
    // A document of another origin is above: this one is asked by itself.
  }
  return (at as unknown as { sidestickRead: Reader }).sidestickRead;
}

/** Keeps an input from the page when it would reach another element than was meant. */
function stand(event: Event): void {
  if (!event.isTrusted) return;
  const reader = topReader();
  if (!reader.guarding() || reader.allows(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

const api = Object.freeze({
  free_pointer: freePointer,
  scroll_into_view: scrollIntoView,
  select_options: selectOptions,
  set_value: setValue,
  select_text: selectText,
  caret_to_end: caretToEnd,
});

if (!("sidestickAct" in globalThis)) {
  Object.defineProperty(globalThis, "sidestickAct", { value: api });
  for (const name of INPUT.split(" ")) addEventListener(name, stand, { capture: true, passive: false });
}

export {};
