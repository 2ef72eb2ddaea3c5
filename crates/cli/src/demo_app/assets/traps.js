// The test bench. Every press that arrives is counted by the server, whatever the page shows.
"use strict";

const LATE_TIME_MS = 600;
const REVERT_TIME_MS = 1500;
const TICK_TIME_MS = 250;

function count(what) {
  void fetch(`/api/trap?what=${encodeURIComponent(what)}`);
}

function onPress(id, what, effect) {
  byId(id).addEventListener("click", (event) => {
    count(what);
    effect(event.currentTarget);
  });
}

function show(id, text) {
  byId(id).textContent = text;
}

let presses = 0;
let packed = 0;

onPress("focus", "focus", (button) => button.focus());
onPress("late", "late", () => {
  setTimeout(() => show("late-shown", "Total: $9,412"), LATE_TIME_MS);
});
onPress("revert", "revert", () => {
  show("revert-shown", "Reserved: 1");
  setTimeout(() => show("revert-shown", "Reserved: 0"), REVERT_TIME_MS);
});
onPress("second", "second", () => {
  presses += 1;
  show("second-shown", `Labels printed: ${Math.max(0, presses - 1)}`);
});
onPress("covered", "covered", () => {
  packed += 1;
  show("covered-shown", `Packed: ${packed}`);
});
onPress("clock-dead", "clock", () => {});
onPress("confirm", "confirm", () => {
  const isAgreed = confirm("Archive 12 closed orders?");
  show("confirm-shown", isAgreed ? "Archived: 12" : "Archived: none");
});
byId("readonly").addEventListener("input", () => count("readonly"));
byId("short").addEventListener("input", () => count("short"));

function tick() {
  show("clock", new Date().toLocaleTimeString("en-GB"));
}
setInterval(tick, TICK_TIME_MS);
tick();
