import { test } from "node:test";
import assert from "node:assert/strict";
import { header, relative, stamp } from "../../page/time.mjs";

process.env.TZ = "UTC";
const now = Date.UTC(2026, 10, 21, 12, 0, 0);

for (const [seconds, want] of [
  [0, "in 0 seconds"], [59, "in 59 seconds"], [60, "in 1 minute"], [90, "in 2 minutes"], [3599, "in 1 hour"], [86399, "in 1 day"], [86400 * 29, "in 29 days"], [3600, "in 1 hour"], [-1, "1 second ago"], [-86400, "1 day ago"], [86400 * 400, "in 1 year"],
]) {
  test(`${seconds} seconds are ${want}`, () => assert.equal(relative(now / 1000 + seconds, now, "en-US"), want));
}

test("a language words its own times", () => assert.equal(relative(now / 1000 + 60, now, "de"), "in 1 Minute"));
test("an unknown language falls back", () => assert.equal(relative(now / 1000 + 60, now, "not a language"), "in 1 minute"));
test("styles differ", () => {
  assert.match(stamp(now / 1000, "t", now, "en-US"), /^12:00/);
  assert.match(stamp(now / 1000, "D", now, "en-US"), /^November 21, 2026$/);
  assert.equal(stamp(1e13, "f", now, "en-US"), "Invalid date");
});
test("a head shows the day only where it is another", () => {
  assert.match(header("2026-11-21T08:05:00Z", now, "en-GB"), /^08:05$/);
  assert.match(header("2026-11-20T08:05:00Z", now, "en-GB"), /^Yesterday at 08:05$/);
  assert.match(header("2026-11-01T08:05:00Z", now, "en-GB"), /^01\/11\/2026 08:05$/);
  assert.equal(header("nonsense", now, "en-GB"), "");
});
