// The projects table. A row goes when the server has deleted its project, and not before.
"use strict";

const table = byId("projects");

table.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-project]");
  if (button === null) {
    return;
  }
  const answer = await send("/api/projects/delete", { id: button.dataset.project });
  if (answer.ok) {
    button.closest("tr").remove();
    byId("project-count").textContent = `${table.rows.length} projects`;
  }
});
