// Cases for outline, find, text and boxes_to_mask.

import assert from "node:assert/strict";
import { dataPage, findIn, outlineOf } from "./chromium.mjs";
import { lines, node, onPage } from "./on-page.mjs";

const SECRETS = /hunter2/;
const PLAIN_CELLS =
  "<table><thead><tr><th>A<th>B<th>C<th>D<th>E</thead><tbody>" +
  "<tr><td>1</td><td>two\u2003\n words</td><td></td><td> </td><td><button>Edit</button></td></tr>" +
  "<tr><td>\ue000</td><td><b>bold</b></td><td style='cursor:pointer'>go</td><td title=t>x</td><td>last</td></tr></table>";

export function outlineCases(shared) {
  const on = (name, place, run) => onPage(shared, name, place, run);

  on("refs stay with their element over an insert and a swap", "list-insert-keeps-refs", async (page) => {
    const first = await outlineOf(page);
    const beta = node(first, "button", "Beta").ref;
    await page.inPage("insert.click(); swap.click()");
    const second = await outlineOf(page);
    assert.equal(node(second, "button", "Beta").ref, beta);
    assert.notEqual(node(second, "button", "Zero").ref, node(first, "button", "Alpha").ref);
  });

  on("text, states and values are shown; secrets are not", "secrets-fields", async (page) => {
    const all = JSON.stringify([
      await outlineOf(page),
      await findIn(page, {}),
      await page.read("text", { ref: null, max_chars: 12000 }),
    ]);
    assert.doesNotMatch(all, SECRETS);
    const outline = await outlineOf(page);
    for (const name of ["Password", "New", "Card", "Code", "Pin"]) {
      const field = outline.nodes.find((at) => at.n === name);
      assert.deepEqual([field.v, field.s], [null, ["secret", "filled"]], name);
    }
    assert.equal(node(outline, "textbox", "User").v, "visible");
  });

  on(
    "a password switched to plain text stays secret, even when nobody had looked at it",
    "secrets-fields",
    async (page) => {
      await page.inPage("eye.click()");
      const outline = await outlineOf(page);
      const field = node(outline, "textbox", "Password");
      assert.deepEqual([field.v, field.s], [null, ["secret", "filled"]]);
      const back = await page.read("read_back", { ref: field.ref, key: "00" });
      assert.equal(back.value, null);
      assert.match(back.digest, /^[0-9a-f]{64}$/);
      assert.doesNotMatch(JSON.stringify([outline, back]), SECRETS);
    },
  );

  on("secret fields and text with a secret have boxes to mask", "secrets-fields", async (page) => {
    const none = await page.read("boxes_to_mask", { secrets: [] });
    assert.equal(none.boxes.length, 5);
    const some = await page.read("boxes_to_mask", { secrets: ["s3cr3t-token"] });
    assert.equal(some.boxes.length, 7, "the secret spans two text nodes");
  });

  on("what assistive technology does not get is left out", "hidden-from-readers", async (page) => {
    const outline = await outlineOf(page);
    const all = lines(outline).join("\n");
    assert.doesNotMatch(all, /Kept from readers|Not rendered|Not visible|\ue001/);
    assert.match(all, /Shown words/);
    assert.match(all, /but this/);
    assert.match(all, /Contents words/);
    assert.match(all, /img "Logo"/);
    assert.match(all, /button "One"/);
    assert.equal(outline.omitted.hidden, 1);
  });

  on(
    "F14: a button in a frame in a frame is listed with its own frame number",
    "frames-nested",
    async (page) => {
      const outline = await outlineOf(page);
      const button = node(outline, "button", "Deep button");
      assert.match(button.ref, /^f\d+e\d+$/);
      const [found] = (await findIn(page, { role: "button", name: "Deep button" })).matches;
      assert.equal(found.ref, button.ref);
      assert.ok(found.box[0] > 20 && found.box[1] > 60, String(found.box));
    },
  );

  on(
    "F15: shadow trees are read through slots, and closed ones once handed over",
    "shadow-open",
    async (page) => {
      const before = lines(await outlineOf(page)).join("\n");
      assert.match(before, /heading "Slotted title"/);
      assert.match(before, /button "Light button"/);
      assert.match(before, /button "Shadow button"/);
      assert.doesNotMatch(before, /Closed button/);

      const list = await page.readHandle("closed_suspects", { all: true });
      const { result } = await page.send("Runtime.getProperties", {
        objectId: list.objectId,
        ownProperties: true,
      });
      const hosts = result.filter((at) => /^\d+$/.test(at.name));
      assert.equal(hosts.length, 1);
      const { node: described } = await page.send("DOM.describeNode", {
        objectId: hosts[0].value.objectId,
        depth: 1,
        pierce: true,
      });
      const root = described.shadowRoots[0];
      const executionContextId = await page.context();
      const { object } = await page.send("DOM.resolveNode", {
        backendNodeId: root.backendNodeId,
        executionContextId,
      });
      await page.readWithHandle("adopt_closed", object.objectId);
      assert.match(lines(await outlineOf(page)).join("\n"), /button "Closed button"/);
    },
  );

  on("F18: a plain paragraph is kept", dataPage("<p>Status: order #4711 pending</p>"), async (page) => {
    assert.deepEqual(lines(await outlineOf(page)), ['text "Status: order #4711 pending"']);
  });

  on("F19: rows are kept, cells travel as text, controls as child nodes", "table-subjects", async (page) => {
    const outline = await outlineOf(page);
    const tables = outline.nodes.filter((at) => at.r === "table");
    assert.deepEqual(tables[1].x, {
      rows: 2,
      cols: 3,
      columns: ["Rank", "Team", "Act"],
      first: 1,
      last: 2,
    });
    assert.equal(tables[1].ref, null);
    const at = outline.nodes.indexOf(tables[1]);
    const [row, button] = outline.nodes.slice(at + 1, at + 3);
    assert.deepEqual([row.r, row.x.cells], ["row", [{ t: "1" }, { t: "Lions" }, { i: at + 2 }]]);
    assert.deepEqual([button.r, button.n, button.d], ["button", "Follow", row.d + 1]);
    assert.deepEqual(button.x.subject, {
      role: "button",
      tag: "button",
      name: "Follow",
      row: "Lions",
      column: "Act",
      heading: "Orders",
    });
    for (const at of outline.nodes) {
      for (const cell of at.x?.cells ?? []) if ("i" in cell) assert.equal(outline.nodes[cell.i].d, at.d + 1);
    }
  });

  on("F20: a contenteditable with a role shows its content", "editor-contenteditable", async (page) => {
    const outline = await outlineOf(page);
    assert.equal(node(outline, "textbox", "Rich").v, "old text");
    assert.deepEqual(node(outline, "textbox", "Plain").s, ["filled"]);
  });

  on("F21: a plain div with a click handler is clickable", "widgets-aria", async (page) => {
    const outline = await outlineOf(page);
    for (const name of ["Plain div", "Pointer span"]) {
      const generic = node(outline, "generic", name);
      assert.deepEqual(generic.s, ["clickable"]);
      assert.ok(generic.ref);
    }
    assert.deepEqual(node(outline, "checkbox", "Tick").s, ["unchecked"]);
    assert.deepEqual(node(outline, "button", "Bold").s, ["pressed"]);
    assert.deepEqual(node(outline, "tab", "First tab").s, ["selected"]);
  });

  on(
    "labels are not repeated as text, and hidden checkboxes are listed by them",
    "checkbox-behind-label",
    async (page) => {
      assert.deepEqual(lines(await outlineOf(page)), [
        'checkbox "Clipped box" [unchecked]',
        'checkbox "Clear box" [unchecked]',
        'checkbox "Missing box" [unchecked]',
        'radio "Apart radio" [unchecked]',
      ]);
    },
  );

  on("only the open modal is outlined, closed details are not", "dialog-modal", async (page) => {
    const before = lines(await outlineOf(page)).join("\n");
    assert.match(before, /button "More" \[collapsed\]/);
    assert.doesNotMatch(before, /Inside details|Delete it/);
    await page.inPage("document.querySelector('details').open = true; dialog.showModal()");
    const outline = await outlineOf(page);
    const text = lines(outline).join("\n");
    assert.match(text, /dialog/);
    assert.match(text, /Delete it/);
    assert.doesNotMatch(text, /Behind/);
    assert.ok(outline.omitted.hidden >= 3);
  });

  on(
    "the viewport drops what is far and counts it, but keeps what is pinned",
    "places-offscreen",
    async (page) => {
      const outline = await outlineOf(page);
      const text = lines(outline).join("\n");
      assert.match(text, /Pinned toast/);
      assert.doesNotMatch(text, /Deep|Inner|"Left"|Clear|None|Unseen/);
      assert.ok(outline.omitted.below >= 1);
      assert.ok(outline.omitted.hidden >= 2, JSON.stringify(outline.omitted));
      const whole = lines(await outlineOf(page, { scope: "document" })).join("\n");
      assert.match(whole, /Deep[^]*Pinned toast/);
      assert.match(whole, /Inner/);
    },
  );

  on("the outline ends at its budget and says so", "table-subjects", async (page) => {
    const outline = await outlineOf(page, { nodes_max: 4 });
    assert.equal(outline.nodes.length, 4);
    assert.ok(outline.truncated && outline.omitted.chars > 0);
    const short = await outlineOf(page, { chars_max: 60 });
    assert.ok(short.truncated && short.nodes.length < 5);
  });

  on("plain cells read alike in both scopes, at every budget", dataPage(PLAIN_CELLS), async (page) => {
    const full = await outlineOf(page);
    const rows = full.nodes.filter((at) => at.r === "row");
    assert.deepEqual(rows[0].x.cells.slice(0, 4), [{ t: "1" }, { t: "two words" }, { t: "" }, { t: "" }]);
    for (let budget = 20; budget < 400; budget += 3) {
      for (const limits of [{ chars_max: budget }, { nodes_max: Math.floor(budget / 20) }]) {
        const view = await outlineOf(page, limits);
        const whole = await outlineOf(page, { scope: "document", ...limits });
        assert.deepEqual(whole.nodes, view.nodes, JSON.stringify(limits));
        assert.deepEqual([whole.truncated, whole.omitted], [view.truncated, view.omitted]);
      }
    }
  });

  on(
    "an element named after what every object has is no role",
    dataPage("<constructor>One</constructor><valueof>Two</valueof>"),
    async (page) => {
      const outline = await outlineOf(page);
      assert.deepEqual(lines(outline), ['text "OneTwo"']);
    },
  );

  on("query keeps matching lines and what is above them", "table-subjects", async (page) => {
    const text = lines(await outlineOf(page, { query: "bears" }));
    assert.deepEqual(text, ["table", " row", '  button "Follow"']);
    const within = lines(await outlineOf(page, { within: "#rank" }));
    assert.equal(within[0], "table");
  });

  on("find tells namesakes apart by context and never by ordinal", "cards-subjects", async (page) => {
    const all = await findIn(page, { role: "BUTTON", name: " add  TO cart " });
    assert.deepEqual(
      all.matches.map((at) => at.subject.heading),
      ["Alice", "Alicia", "Bob"],
    );
    const near = await findIn(page, { role: "button", name: "Add to cart", near: "Alice" });
    assert.equal(near.total, 1);
    assert.equal((await findIn(page, { name: "Add to cart", near: "Ali" })).total, 0);
    const [price] = (await findIn(page, { text: "12" })).matches;
    assert.equal(price.subject.label, "Price");
    const [tool] = (await findIn(page, { name: "Tool" })).matches;
    assert.equal(tool.subject.heading, null);
    const [heading] = (await findIn(page, { role: "heading", name: "Shop" })).matches;
    assert.equal(heading.level, 1);
  });

  on("rows and columns count spans and skip ranks", "table-subjects", async (page) => {
    const of = async (id) => {
      const { element } = await page.read("resolve", {
        target: { ref: await page.refOf(`#${id}`) },
        action: "click",
        values: null,
        text_kind: null,
        expect: null,
      });
      return [element.subject.row, element.subject.column, element.subject.heading];
    };
    assert.deepEqual(await of("gold"), ["Gold", null, "Orders"]);
    assert.deepEqual(await of("tinask"), ["Tin", "Ask", "Orders"]);
    assert.deepEqual(await of("bears"), ["Bears", "Act", "Orders"]);
    assert.deepEqual(await of("pear"), ["Pear", "Do", "Orders"]);
  });

  on(
    "text is a line per block, with tabs between cells and masks for fields",
    "table-subjects",
    async (page) => {
      const { text } = await page.read("text", { ref: null, max_chars: 12000 });
      assert.match(text, /^Orders\n/);
      assert.match(text, /\n2\tBears\tFollow\n/);
      const cut = await page.read("text", { ref: null, max_chars: 20 });
      assert.ok(cut.truncated && cut.text.length <= 20 && text.startsWith(`${cut.text}\n`));
      assert.equal((await page.read("text", { ref: "e999", max_chars: 10 })).found, false);
    },
  );

  on("a page that bends prototypes and names changes no read", "prototype-pollution", async (page) => {
    const outline = await outlineOf(page);
    const names = outline.nodes.filter((at) => at.r === "textbox").map((at) => at.n);
    assert.deepEqual(names, ["One", "Two", "Three", "Four", "Five"]);
    assert.equal(outline.title, "Polluted");
    assert.ok(node(outline, "button", "Press"));
    const found = await page.read("resolve", {
      target: { role: "textbox", name: "two", near: null },
      action: "fill",
      values: ["x"],
      text_kind: null,
      expect: null,
    });
    assert.equal(found.element.ready.ok, true);
    assert.equal(found.element.form.method, "get");
  });

  on("a name of a megabyte is cut, and a tree 5,000 deep is survived", "name-huge", async (page) => {
    const start = Date.now();
    const outline = await outlineOf(page);
    assert.equal(outline.nodes[0].n.length, 1000);
    assert.ok(outline.truncated);
    await findIn(page, {});
    await page.read("text", { ref: null, max_chars: 100 });
    assert.ok(Date.now() - start < 5000);
  });

  const flat =
    "<script>let h='';for(let i=0;i<100000;i++)h+='<p>line '+i+'</p>';document.body.innerHTML=h</script>";
  on(
    "100,000 elements: the viewport is outlined and the rest counted",
    dataPage(`<body>${flat}`),
    async (page) => {
      const outline = await outlineOf(page);
      assert.ok(outline.nodes.length < 60);
      assert.ok(outline.omitted.below > 99_000);
    },
  );

  const rows =
    "<script>let h='';for(let i=1;i<=500;i++)h+=`<tr><td>${i}<td>Name ${i}<td><button>Del</button>`;document.body.innerHTML='<table><tr><th>#<th>Name<th>Do</tr>'+h+'</table>';scrollTo(0, 3000)</script>";
  on("a long table names the range of rows in view", dataPage(`<body>${rows}`), async (page) => {
    const outline = await outlineOf(page);
    const { rows: total, first, last } = outline.nodes[0].x;
    assert.equal(total, 500);
    const inView = outline.nodes.filter((at) => at.r === "row").length;
    assert.ok(first > 50 && last - first + 1 === inView, JSON.stringify([first, last, inView]));
    assert.equal(outline.omitted.rows, 501 - inView);
    assert.deepEqual(outline.nodes[0].x.columns, ["#", "Name", "Do"]);
  });
}
