// The avatar page celebrates whatever the server answered: that is its planted bug.
"use strict";

byId("save-avatar").addEventListener("click", async () => {
  const chosen = document.querySelector("input[name=avatar]:checked");
  await send("/api/avatar", { avatar: chosen.value });
  toast("Saved");
});
