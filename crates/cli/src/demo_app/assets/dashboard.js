// The overview: a counter that works, a button that does not, a box nobody can see, notes, theme.
"use strict";

if (!flips.has("console")) {
  console.error("fixture: analytics bundle failed to load");
}

byId("increment").addEventListener("click", async () => {
  if (flips.has("working")) {
    return;
  }
  const { count } = await (await send("/api/working", {})).json();
  byId("count").textContent = `Count: ${count}`;
});

byId("export").addEventListener("click", () => {
  seen("dead");
  if (flips.has("dead")) {
    byId("exported").textContent = "Report exported";
  }
});

byId("promo").addEventListener("focus", () => seen("hidden"));

// Notes: one request at a time, so that the server ends up with the text typed last.
const notes = byId("notes");
let isSending = false;
let isBehind = false;

async function mirrorNotes() {
  isBehind = true;
  if (isSending) {
    return;
  }
  isSending = true;
  while (isBehind) {
    isBehind = false;
    await send("/api/text", { text: notes.value });
  }
  isSending = false;
}
notes.addEventListener("input", () => void mirrorNotes());

const theme = byId("theme");
const root = document.documentElement;

function showTheme() {
  theme.value = root.dataset.theme;
  byId("theme-status").textContent = `Theme: ${theme.selectedOptions[0].textContent}`;
}
theme.addEventListener("change", async () => {
  if (!flips.has("theme")) {
    root.dataset.theme = theme.value;
    await send("/api/theme", { theme: theme.value });
  }
  showTheme();
});
showTheme();
