// What every page needs: planted bugs by name, requests to the server, the toast.
"use strict";

const TOAST_TIME_MS = 8000;

const flips = new Set(document.documentElement.dataset.flips.split(" ").filter(Boolean));
const byId = (id) => document.getElementById(id);

function send(path, body) {
  return fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

// Tells the server that a control was reached, and nothing else.
function seen(what) {
  void fetch(`/api/seen?what=${encodeURIComponent(what)}`);
}

function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => (box.textContent = ""), TOAST_TIME_MS);
}
