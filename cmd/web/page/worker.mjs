// Runs the program, so that the page never waits for it.
import "./wasm_exec.js";
import { openRows } from "./rows.mjs";

let rows, started;
const running = new Promise((resolve) => { started = resolve; });
globalThis.started = () => started();

const channel = "BroadcastChannel" in self ? new BroadcastChannel("tictactoe") : null;
if (channel) channel.onmessage = () => postMessage({ changed: true });
const opening = openRows(() => channel?.postMessage("changed")); // while the program is on its way

async function start(module) {
  const go = new Go();
  WebAssembly.instantiate(module, go.importObject).then((instance) => go.run(instance));
  rows = await opening;
  await running;
  await tictactoe.storage(rows);
  return rows.keeps;
}

const calls = {
  start,
  rows: () => rows.all(""),
  erase: () => rows.erase(),
  speak: (code, texts) => tictactoe.speak(code, texts),
  do: (word) => tictactoe.do(word),
  say: (keys) => tictactoe.say(keys),
  take: (taken) => tictactoe.take(taken),
  puzzle: (day) => tictactoe.puzzle(day),
  values: (positions) => tictactoe.values(positions),
};

// One call after the other, as the program wants it.
let last = Promise.resolve();
onmessage = ({ data: { id, what, args } }) => {
  last = last.then(async () => {
    try {
      postMessage({ id, value: await calls[what](...args) });
    } catch (error) {
      postMessage({ id, failed: String(error?.message ?? error) });
    }
  });
};
