import test from "node:test";
import assert from "node:assert/strict";
import { has, overwriteOf } from "../../page/permissions.mjs";

test("bits above the 32nd are read too", () => {
  assert.equal(has(String(1n << 50n), "USE_EXTERNAL_APPS"), true);
  assert.equal(has(String(1n << 50n), "SEND_MESSAGES"), false);
  assert.equal(has("2048", "SEND_MESSAGES"), true);
});

test("the administrator may do everything, and so may who is told nothing", () => {
  assert.equal(has("8", "VIEW_CHANNEL"), true);
  assert.equal(has(undefined, "VIEW_CHANNEL"), true);
  assert.equal(has("0", "VIEW_CHANNEL"), false);
});

test("an overwrite is read by its names", () => {
  const channel = { overwrites: [{ id: "1", allow: "1024", deny: String(1n << 31n) }] };
  assert.deepEqual(overwriteOf(channel, "1"), { allow: ["VIEW_CHANNEL"], deny: ["USE_APPLICATION_COMMANDS"] });
  assert.deepEqual(overwriteOf(channel, "2"), { allow: [], deny: [] });
  assert.deepEqual(overwriteOf({}, "2"), { allow: [], deny: [] });
});
