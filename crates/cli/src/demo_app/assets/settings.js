// The settings form believes the server's "ok"; the server has stored nothing.
"use strict";

byId("settings").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = byId("display-name").value;
  const { ok } = await (await send("/api/settings", { display_name: name })).json();
  if (ok) {
    byId("banner").textContent = "Saved";
    byId("shown-name").textContent = name;
    byId("initials").textContent = name.split(/\s+/).map((word) => word.charAt(0)).join("").slice(0, 2);
  }
});
