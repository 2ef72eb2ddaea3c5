// How a page of the corpus tells the server what its widget holds.

let saves = 0;

/** Sends what the widget holds, and says on the page that it was saved. */
export async function save(values) {
  saves += 1;
  const count = saves;
  await fetch(`/save${location.pathname}${location.search}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(values),
  });
  document.getElementById("saved").textContent = `Saved ${count}`;
}

/** Adds a button Save below `root`. @param {() => any} holds What the widget holds. */
export function saveButton(root, holds) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Save";
  button.addEventListener("click", () => save(holds()));
  root.append(button);
}

/** Adds elements of a markup to the page's root, and returns the root. @param {string} markup */
export function put(markup) {
  const root = document.getElementById("root");
  root.insertAdjacentHTML("beforeend", markup);
  return root;
}
