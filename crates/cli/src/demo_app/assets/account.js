// Signing out.
"use strict";

byId("leave").addEventListener("click", async () => {
  await send("/api/logout", {});
  location.assign("/login");
});
