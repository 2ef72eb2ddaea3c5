// The floor: what the raw protocol needs for the same work, with nothing that makes it safe.

import { RawChromium } from "../lib/cdp.mjs";

/** Finds the element of a role and a name; good enough for the bench's own pages. */
const FIND = `(selector, name) => [...document.querySelectorAll(selector)].find((each) =>
  (each.labels?.[0]?.textContent ?? each.textContent).trim() === name)`;

/**
 * The smallest walk that gives something like an outline: text and names of what is visible. No
 * roles, no states, no refs, no frames. Of a long list it looks for the part in the viewport by
 * halves, as if every list were one column.
 */
const WALK = `(viewportOnly) => {
  const lines = [];
  const controls = 'a,button,input,select,textarea,summary,[role=button],[role=link],[tabindex]';
  const firstBelow = (list, edge) => {
    let [from, to] = [0, list.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (list[middle].getBoundingClientRect().bottom > edge) to = middle;
      else from = middle + 1;
    }
    return from;
  };
  const walk = (element) => {
    const box = element.getBoundingClientRect();
    if (viewportOnly && box.height > 0 && (box.bottom <= 0 || box.top >= innerHeight)) return;
    if (element.matches(controls)) {
      const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
      lines.push(element.localName + ' ' + name.trim() + (element.value ? ' ' + element.value : ''));
      return;
    }
    if (viewportOnly && element.children.length > 500) {
      const list = element.children;
      const shows = (each) => each.getBoundingClientRect().top < innerHeight;
      for (let at = firstBelow(list, 0); at < list.length && shows(list[at]); at++) walk(list[at]);
      return;
    }
    for (const child of element.childNodes) {
      if (child.nodeType === 1) walk(child);
      else if (child.nodeType === 3 && child.data.trim() !== '') lines.push(child.data.trim());
    }
  };
  walk(document.body);
  return lines.join('\\n');
}`;

export class Floor {
  who = "raw protocol";

  /** @param {string} browser */
  static async start(browser) {
    const floor = new Floor();
    floor.chromium = await RawChromium.start(browser);
    return floor;
  }

  async open(url) {
    await this.chromium.open(url);
  }

  async prepare() {}

  /** Presses a button, looks once at what is pressed, and waits for the next frame. */
  async click(name) {
    const element = `(${FIND})('button', ${JSON.stringify(name)})`;
    const box = await this.chromium.evaluate(
      `(() => { const box = ${element}.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()`,
    );
    const [x, y] = box;
    const mouse = (type, more) =>
      this.chromium.call("Input.dispatchMouseEvent", { type, x, y, ...more });
    await mouse("mouseMoved");
    const hit = await this.chromium.evaluate(
      `${element}.contains(document.elementFromPoint(${x}, ${y}))`,
    );
    if (!hit) throw new Error("something else would be hit");
    const primary = { button: "left", clickCount: 1 };
    await Promise.all([mouse("mousePressed", primary), mouse("mouseReleased", primary)]);
    return this.chromium.evaluate(
      'new Promise((done) => requestAnimationFrame(() => done(window.state?.() ?? "")))',
    );
  }

  /** Presses a button and waits for the frame after the page's state has changed. */
  async clickAndWait(name) {
    const was = JSON.stringify(await this.state());
    await this.click(name);
    return this.chromium.evaluate(`new Promise((done) => {
      const look = () => requestAnimationFrame(() => (window.state() === ${was} ? look() : done(window.state())));
      look();
    })`);
  }

  /** Focuses a field, replaces its text and reads it back. */
  async fill(name, text) {
    const element = `(${FIND})('input', ${JSON.stringify(name)})`;
    await this.chromium.evaluate(
      `(() => { const field = ${element}; field.focus(); field.select(); })()`,
    );
    await this.chromium.call("Input.insertText", { text });
    return this.chromium.evaluate(`${element}.value`);
  }

  outline({ whole }) {
    return this.chromium.evaluate(`(${WALK})(${!whole})`);
  }

  state() {
    return this.chromium.evaluate("window.state()");
  }

  async picture() {
    const { data } = await this.chromium.call("Page.captureScreenshot", {
      format: "png",
      optimizeForSpeed: true,
    });
    return Buffer.from(data, "base64").length;
  }

  end() {
    return this.chromium.end();
  }
}
