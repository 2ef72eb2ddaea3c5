// Our SHA-256 and HMAC against Node's.

import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { load } from "./load.mjs";

const { fromHex, hmac, sha256, toHex } = await load("sha256");

test("digests agree at every length around the block borders", () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = randomBytes(length);
    assert.equal(toHex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"), String(length));
  }
});

test("codes agree for short, block-long and long keys", () => {
  for (const length of [0, 1, 32, 63, 64, 65, 200]) {
    const key = randomBytes(length);
    const message = randomBytes(100);
    const ours = toHex(hmac(fromHex(key.toString("hex")), message));
    assert.equal(ours, createHmac("sha256", key).update(message).digest("hex"), String(length));
  }
});
