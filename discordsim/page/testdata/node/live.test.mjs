import { test } from "node:test";
import assert from "node:assert/strict";
import { Live } from "../../page/live.mjs";

// Stand-ins for the browser's API: every call waits until the test answers it.
const calls = [];
let stream;
Object.assign(globalThis, {
  fetch: (path) => new Promise((settle) => calls.push({
    path, answer: (body, status = 200) => settle({ ok: status < 300, status, text: async () => JSON.stringify(body) }),
  })),
  EventSource: class {
    #heard = {};
    constructor() { stream = this; }
    addEventListener(name, fn) { this.#heard[name] = fn; }
    says(name, body) { this.#heard[name]({ data: JSON.stringify(body) }); }
    close() {}
  },
  location: { href: "http://127.0.0.1/" }, history: { replaceState() {} }, document: { addEventListener() {} }, addEventListener() {},
});

// asked takes the next call to a path.
async function asked(path) {
  for (;;) {
    const i = calls.findIndex((c) => c.path.startsWith("/sim/" + path));
    if (i >= 0) return calls.splice(i, 1)[0];
    await new Promise((later) => setTimeout(later, 1));
  }
}
const settled = () => new Promise((later) => setImmediate(later));

const alice = { id: "1", username: "alice" }, bot = { id: "9", username: "bot", bot: true };
const general = { id: "200", name: "general", type: 0 };
const state = (...more) => ({ viewer: "1", users: [alice], bots: [{ user: bot, application_id: "9" }], channels: [general, ...more], now: "2026-01-01T00:00:00Z", offset_ms: 0 });

// connected returns a page that shows general.
async function connected() {
  [stream, calls.length] = [null, 0];
  const live = new Live({ as: "alice", channel: null });
  live.start();
  (await asked("state")).answer(state());
  (await asked("messages")).answer([]);
  while (!stream) await settled();
  stream.onopen();
  (await asked("state")).answer(state());
  (await asked("faults")).answer({ all: {}, bots: {} });
  (await asked("messages")).answer([]);
  while (!live.up) await settled();
  return live;
}

test("an answer that a later one has overtaken changes nothing", async () => {
  const live = await connected();
  stream.says("state", {});
  const first = await asked("state");
  stream.says("state", {});
  const second = await asked("state");
  second.answer(state({ id: "201", name: "new", type: 0 }));
  await settled();
  first.answer(state());
  await settled();
  assert.deepEqual(live.channels.map((c) => c.name), ["general", "new", "@bot"]);
});

test("a conversation that gets its id while it is fetched is shown, with what comes after", async () => {
  const live = await connected();
  live.open("@bot");
  const messages = await asked("messages");
  stream.says("state", {});
  (await asked("state")).answer(state({ id: "300", type: 1, recipients: [alice, bot] }));
  await settled();
  messages.answer([{ id: "1001", channel_id: "300" }]);
  await settled();
  stream.says("message", { channel: "300", message: { id: "1002", channel_id: "300" } });
  assert.deepEqual(live.messages?.map((m) => m.id), ["1001", "1002"]);
});

test("a fetch that fails after a refused click is made up for", async () => {
  const live = await connected();
  const click = live.click({ id: "1001" }, { custom_id: "x" });
  (await asked("click")).answer({ error: "gone" }, 409);
  await click;
  (await asked("messages")).answer({ error: "down" }, 502);
  await settled();
  assert.equal(live.up, false); // so it reconnects
  (await asked("state")).answer(state());
});
