// The login form: on to the account, or the server's words about why not.
"use strict";

byId("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const username = byId("username").value;
  const password = byId("password").value;
  const answer = await send("/api/login", { username, password });
  if (answer.ok) {
    location.assign("/account");
    return;
  }
  byId("refused").textContent = (await answer.json()).error;
});
