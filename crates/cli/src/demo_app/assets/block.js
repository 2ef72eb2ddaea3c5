// Holds the page's main thread for five seconds: once after the first paint, and on every press.
"use strict";

const BLOCK_TIME_MS = 5000;

function block() {
  const end = performance.now() + BLOCK_TIME_MS;
  while (performance.now() < end);
  byId("state").textContent = "The index is ready.";
}

requestAnimationFrame(() => requestAnimationFrame(block));
byId("rebuild").addEventListener("click", block);
