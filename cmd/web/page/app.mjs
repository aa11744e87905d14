// The page around the screens: it asks the worker, shows what comes back, and says it once.
import { Board, element, mark, plain, relative, rich, speak } from "./draw.mjs";

const $ = (id) => document.getElementById(id);
const body = document.body, files = new URL(body.dataset.files + "/", location.href);
const languages = body.dataset.languages.split(" ");
const kept = (() => { try { localStorage.setItem("tictactoe-try", "1"); localStorage.removeItem("tictactoe-try"); return localStorage; } catch { return null; } })();
const remember = (key, value) => { try { kept?.setItem("tictactoe-" + key, value); } catch { /* the choice holds until the page closes */ } };
const remembered = (key) => kept?.getItem("tictactoe-" + key);

const worker = new Worker(new URL("worker.mjs", files), { type: "module" });
const waiting = new Map();
let asked = 0;
const call = (what, ...args) => new Promise((resolve, reject) => {
  waiting.set(++asked, { resolve, reject });
  worker.postMessage({ id: asked, what, args });
});
globalThis.tictactoeCall = call; // for tests and the curious
worker.onmessage = ({ data }) => {
  if (data.changed) return elsewhere();
  const { resolve, reject } = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.failed) reject(new Error(data.failed)); else resolve(data.value);
};
worker.onerror = () => news(texts["web.error"], [[texts["web.reload"], () => location.reload()]]);

// The empty board can be pressed before the program has arrived; the press is played as soon as it has.
const names = Array.from({ length: 9 }, (_, i) => "abc"[i % 3] + (1 + Math.floor(i / 3)));
let screen = { tab: "play", tone: "turn-x", lines: [], notes: [], paste: "", grid: "Tic-Tac-Toe", columns: 3, line: [], buttons: [], menus: [], until: 0, self: "", link: "", again: "",
  cells: names.map((name) => ({ name, mark: "", look: "", say: name, value: "", do: "early:" + name })) };
let early = "", busy = false, texts = {}, ready = false, fetchedTexts;
const board = new Board($("board"), press);
const still = matchMedia("(prefers-reduced-motion: reduce)");

function press(cell, n) {
  if (busy || !cell) return;
  if (cell.do.startsWith("early:")) {
    if (early) return;
    early = cell.name;
    cell.mark = "X";
    cell.look = "last";
    board.draw(screen);
    return;
  }
  if (!cell.do) return say([cell.say]);
  if (cell.do.startsWith("play:")) { // one's own mark is there at once, and the answer follows
    const turn = screen.tone === "turn-o" ? "O" : "X", shown = { ...screen, cells: screen.cells.map((c, i) => i === landing(n) ? { ...c, mark: turn, look: "last" } : c.look === "last" ? { ...c, look: "" } : c) };
    board.draw(shown);
    sound("own");
  }
  go(cell.do);
}

// landing returns the square that a press plays, which is another one where marks fall: its name ends the word.
const landing = (n) => screen.cells.findIndex((c) => c.name === screen.cells[n].do.split(":").pop());

async function go(word, { quiet = false, top = false, back = false } = {}) {
  if (busy && !quiet) return;
  busy = true;
  body.dataset.asking = "1";
  const began = performance.now(), slow = setTimeout(() => { body.dataset.busy = "1"; if (!quiet) said(texts["terminal.thinking"] ?? ""); }, 400);
  try {
    const next = await call("do", word);
    if (word.startsWith("play:") && !still.matches) await new Promise((r) => setTimeout(r, Math.max(0, 260 - (performance.now() - began))));
    show(next, { quiet, top, back });
  } catch (error) {
    console.error(error);
    history.replaceState(null, ""); // a reload must not repeat the word that failed
    news(texts["web.error"], [[texts["web.reload"], () => location.reload()]]);
  } finally {
    clearTimeout(slow);
    delete body.dataset.busy;
    busy = false;
    delete body.dataset.asking;
  }
  if (screen.again && screen.tab === "analyse") go(screen.again, { quiet: true });
}

const verb = ({ self }) => self.split(":")[0];

function show(next, { quiet, top, back }) {
  if (!next.tab) { // a remark on the screen that is there
    next = { ...screen, notes: [...next.notes, ...screen.notes.filter((n) => !next.notes.includes(n))], tone: next.tone, self: screen.self };
  }
  if (next.self === "form") return form(next);
  const before = screen, moved = before.tab !== next.tab || top;
  const other = before.tab !== next.tab || verb(before) !== verb(next) && before.lines[0] !== next.lines[0]; // a press on a square keeps the verb or the headline
  // The board and the buttons below it move up only for another screen, so that a person can press one of them again and again.
  $("lines").style.minHeight = !other && !top ? $("lines").offsetHeight + "px" : "";
  screen = next;
  body.dataset.tab = next.tab;
  body.dataset.tone = next.tone;
  body.dataset.verb = verb(next);
  for (const a of document.querySelectorAll("nav a")) a.toggleAttribute("aria-current", a.dataset.tab === next.tab), a.dataset.tab === next.tab && a.setAttribute("aria-current", "page");
  $("lines").replaceChildren(...next.lines.map((line, i) => element("p", { class: i ? "line" : "headline" }, ...rich(line))));
  board.draw(next);
  below(next);
  // Sentences that are still there are not said again, except the ones about another move.
  const about = next.lines[0] === before.lines[0] ? before.lines : [];
  const fresh = next.lines.concat(next.notes).filter((t) => !about.includes(t) && !before.notes.includes(t));
  if (!quiet) say(fresh.length ? fresh : next.lines.slice(-1));
  if (moved && !quiet) scrollTo({ top: 0 });
  const address = next.tab === "analyse" && next.link ? "#" + next.link : next.tab === "play" ? "#" : "#" + next.tab;
  if (history.state !== next.self) history[other && !quiet && !back ? "pushState" : "replaceState"](next.self, "", address === "#" ? location.pathname + location.search : address);
  const finished = next.line.length > 0 && before.line.length === 0;
  if (!quiet) sound(finished ? "end" : "answer");
}

function below(next) {
  const focused = document.activeElement?.closest?.("#below")?.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const parts = [];
  if (next.paste) parts.push(element("pre", { class: "paste", tabindex: 0 }, next.paste));
  const buttons = next.buttons.map(button);
  if (next.tab === "play" && next.cells.length) buttons.push(button({ label: texts["web.new"] ?? "", do: "form", weight: "", ask: [] }));
  if (buttons.length) parts.push(element("div", { class: next.cells.length || next.paste ? "buttons" : "buttons list" }, ...buttons));
  for (const menu of next.menus) parts.push(choice(menu, (value) => go(value)));
  if (next.notes.length) parts.push(element("div", { class: "notes" }, ...next.notes.map((n) => element("p", {}, ...rich(n)))));
  $("below").replaceChildren(...parts);
  if (focused) ($("below").querySelector(`[data-key="${CSS.escape(focused)}"]`) ?? $("below").querySelector("button:not([disabled])") ?? board.squares?.[board.at])?.focus();
}

function button(b) {
  const act = async () => {
    if (b.copy) return copy(b.copy);
    if (b.ask.length && !(await confirmed(...b.ask, b.label))) return;
    go(b.do, { top: /^(new|rematch|show)\b/.test(b.do) });
  };
  return element("button", { type: "button", class: b.weight || "plain", disabled: b.off, "data-key": b.do.split(":")[0] + b.label, onclick: act }, ...rich(b.label));
}

function choice(menu, chosen, key) {
  const select = element("select", { name: menu.name || null, onchange: chosen ? () => chosen(select.value) : () => {} },
    ...(menu.options.some((o) => o.chosen) || !chosen ? [] : [element("option", { value: "", disabled: true, selected: true }, texts["web.board"])]),
    ...menu.options.map((o) => element("option", { value: o.value, selected: o.chosen }, plain(o.label))));
  return element("label", { class: "choice", "data-key": key }, element("span", {}, ...rich(menu.label)), select);
}

async function copy(text) {
  if (text.startsWith("#")) text = new URL(text, location.href).href;
  try {
    await navigator.clipboard.writeText(text);
    toast(texts["web.copied"]);
  } catch { // without permission the text can be marked and copied by hand
    news(text, []);
  }
}

// A dialog asks, and gives the focus back to what opened it.
function dialog(...children) {
  const box = element("dialog", { "aria-labelledby": "asked" }, ...children);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (e) => { if (e.target === box) box.close(); });
  body.append(box);
  box.showModal();
  return box;
}

const confirmed = (title, question, label) => new Promise((resolve) => {
  const box = dialog(element("h2", { id: "asked" }, title), element("p", {}, question),
    element("div", { class: "buttons" }, element("button", { class: "bad", onclick: () => box.close("yes") }, label), element("button", { class: "plain", autofocus: true, onclick: () => box.close() }, texts["web.cancel"])));
  box.addEventListener("close", () => resolve(box.returnValue === "yes"));
});

function form(next) {
  const choices = next.menus.map((m) => choice(m, null));
  const box = dialog(element("h2", { id: "asked" }, next.lines[0]), ...choices, element("div", { class: "buttons" }, ...next.buttons.map((b) =>
    element("button", { class: b.weight || "plain", onclick: () => { box.close(); if (b.do === "new") go("new:" + ["board", "opponent", "side", "clock"].map(value).join(":"), { top: true }); } }, b.label))));
  const [value, opponent] = [(name) => box.querySelector(`[name=${name}]`).value, box.querySelector("[name=opponent]")];
  // Friends have a clock, and the computer has an opponent's mark.
  const fit = () => { for (const name of ["side", "clock"]) box.querySelector(`[name=${name}]`).closest("label").hidden = (opponent.value === "friend") === (name === "side"); };
  opponent.addEventListener("change", fit);
  fit();
}

function settings() {
  const names = new Intl.DisplayNames([speaks], { type: "language" });
  const own = (code) => { try { return new Intl.DisplayNames([code], { type: "language" }).of(code); } catch { return names.of(code); } };
  const language = choice({ label: texts["web.language"], options: languages.map((code) => ({ label: own(code), value: code, chosen: code === speaks })) }, async (code) => {
    remember("language", code);
    await setLanguage(code);
    box.close();
    settings();
  });
  const loud = element("input", { type: "checkbox", checked: remembered("sound") === "on", onchange: () => { remember("sound", loud.checked ? "on" : "off"); sound("own"); } });
  const input = element("input", { type: "file", accept: ".json,application/json", class: "hidden", tabindex: -1, "aria-hidden": "true", onchange: async () => { box.close(); await taken(input.files[0]); } });
  const box = dialog(element("h2", { id: "asked" }, texts["action.admin"]), language, element("label", { class: "switch" }, loud, element("span", {}, texts["web.sound"])),
    element("p", { class: "small keys" }, texts["web.keys"]), element("p", { class: "small" }, texts["web.kept"]),
    element("div", { class: "buttons" },
      element("button", { class: "plain", onclick: save }, texts["action.privacy.export"]), element("button", { class: "plain", onclick: () => input.click() }, texts["web.import"]), input,
      element("button", { class: "bad", onclick: async () => { box.close(); if (await confirmed(texts["web.erase.ask"], texts["privacy.ask.final"], texts["action.privacy.erase"])) await erase(); } }, texts["action.privacy.erase"]),
      element("button", { class: "main", onclick: () => box.close() }, texts["web.setup.done"])));
}

async function save() {
  const content = JSON.stringify({ format: 1, rows: await call("rows") }, null, 1), at = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  element("a", { href: at, download: "tic-tac-toe.json" }).click();
  setTimeout(() => URL.revokeObjectURL(at), 10000);
}

async function taken(file) {
  let words = texts["web.import.bad"];
  try {
    const { format, rows } = JSON.parse(await file.text());
    if (format === 1) words = await call("take", rows);
  } catch { /* it is no file of ours, which the words say */ }
  toast(words);
  go("open", { quiet: true });
}

async function erase() {
  await call("erase");
  for (const key of ["language", "sound"]) kept?.removeItem("tictactoe-" + key);
  toast(texts["web.erased"]);
  go("open", { top: true });
}

// What happened is said once, in one sentence after the other.
function said(text) { $("said").textContent = text === $("said").textContent ? text + "\xa0" : text; } // the same words are said again
function say(lines) { if (lines.length) said(lines.map((line) => plain(line).replace(/[.:!?…。：！？]?$/, (end) => end || ".")).join(" ")); }

function news(text, actions) {
  $("news").replaceChildren(element("p", {}, text ?? ""), ...actions.map(([label, act]) => element("button", { class: "main", onclick: act }, label)), element("button", { class: "plain", onclick: () => { $("news").hidden = true; } }, texts[actions.length ? "web.cancel" : "web.setup.done"] ?? "×"));
  $("news").hidden = false;
  say([text ?? ""]);
}

let toasting;
function toast(text) {
  clearTimeout(toasting);
  $("news").replaceChildren(element("p", {}, text));
  $("news").hidden = false;
  say([text]);
  toasting = setTimeout(() => { $("news").hidden = true; }, 4000);
}

let audio;
function sound(what) {
  if (remembered("sound") !== "on") return;
  audio ??= new AudioContext();
  for (const [pitch, after] of { own: [[440, 0]], answer: [[330, 0]], end: [[523, 0], [659, 0.12], [784, 0.24]] }[what]) {
    const tone = audio.createOscillator(), gain = audio.createGain(), at = audio.currentTime + after;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0.12, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.18);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.2);
  }
}

// A letter and a digit, typed anywhere, are a square.
let typed = "";
addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey || document.querySelector("dialog") || e.target.matches?.("select, input, textarea")) return;
  const key = e.key.toLowerCase();
  if (/^[a-e]$/.test(key)) typed = key;
  else if (/^[1-5]$/.test(key) && typed) {
    const n = board.squares?.findIndex((s) => s.dataset.name === typed + key) ?? -1;
    typed = "";
    if (n >= 0 && !board.root.hidden) { board.focus(n); press(screen.cells[n], n); }
  } else typed = "";
});

setInterval(() => {
  for (const time of document.querySelectorAll("time")) { const text = relative(Number(time.dataset.at)); if (time.textContent !== text) time.textContent = text; }
  if (screen.until && Date.now() >= screen.until && !busy) { screen.until = 0; go(screen.expire); }
}, 500);

// Another tab has played: the board is drawn as it is now.
function elsewhere() { if (!busy && screen.self) go(screen.self, { quiet: true }); }

// fromAddress returns the word for the screen after a step back or a reload. A match is shown as it stands now.
function fromAddress() {
  if (history.state && !history.state.startsWith("show:")) return history.state;
  const hash = decodeURIComponent(location.hash.slice(1));
  return { "": "open", puzzle: "puzzle", learn: "lessons", analyse: "analyse:classic" }[hash] ?? "analyse:" + hash;
}
addEventListener("popstate", () => go(fromAddress(), { top: true, back: true }));
for (const a of document.querySelectorAll("nav a")) a.addEventListener("click", (e) => {
  e.preventDefault();
  if (!ready) return;
  go({ play: "open", puzzle: "puzzle", learn: "lessons", analyse: "analyse:classic" }[a.dataset.tab], { top: true });
});
$("settings").addEventListener("click", () => { if (ready) settings(); });

let speaks = "en";
function nearest() {
  const chosen = remembered("language");
  for (const code of [...(chosen ? [chosen] : []), ...navigator.languages]) {
    const found = languages.find((l) => l.toLowerCase() === code.toLowerCase()) ?? languages.find((l) => l.split("-")[0] === code.split("-")[0] && !(l === "en-GB")) ?? (/^(nb|nn)\b/.test(code) ? "no" : undefined);
    if (found) return found;
  }
  return "en";
}

async function readTexts(code) {
  const parents = [code, ...(code.includes("-") && languages.includes(code.split("-")[0]) ? [code.split("-")[0]] : [])];
  const read = await Promise.all(parents.map(async (c) => [c, await (await fetch(new URL(`texts/${c}.json`, files))).json()]));
  return Object.fromEntries(read);
}

const around = ["web.play", "web.puzzle", "web.learn", "web.analyse", "web.board", "web.new", "web.cancel", "web.copied", "web.sound", "web.language", "web.import", "web.import.bad", "web.kept", "web.erase.ask", "web.erased",
  "web.forgetful", "web.error", "web.update", "web.reload", "web.keys", "web.setup.done", "action.admin", "action.privacy.export", "action.privacy.erase", "privacy.ask.final", "terminal.thinking", "share.title"];

async function setLanguage(code, read = readTexts(code)) {
  await call("speak", code, await read);
  texts = await call("say", around);
  speaks = code;
  speak(code);
  document.documentElement.lang = code;
  document.documentElement.dir = new Intl.Locale(code).getTextInfo?.().direction ?? "ltr";
  document.title = texts["share.title"];
  document.querySelector("h1").textContent = texts["share.title"];
  for (const a of document.querySelectorAll("nav a")) a.textContent = texts["web." + a.dataset.tab];
  $("settings").setAttribute("aria-label", texts["action.admin"]);
  if (ready) await go(screen.self, { quiet: true });
}

async function start() {
  board.draw(screen);
  const fetched = fetch(new URL("tictactoe.wasm", files));
  const code = nearest(), read = readTexts(code);
  const module = WebAssembly.compileStreaming(fetched).catch(async () => WebAssembly.compile(await (await fetch(new URL("tictactoe.wasm", files))).arrayBuffer())); // not all servers know its type
  const keeps = await call("start", await module);
  await setLanguage(code, read);
  ready = true;
  const word = fromAddress();
  busy = false;
  const pressed = early;
  await go(word, { quiet: true });
  say(screen.lines);
  body.dataset.ready = "1";
  if (pressed) {
    const n = screen.cells.findIndex((c) => c.name === pressed);
    if (word === "open" && screen.cells.length === 9 && screen.cells.every((c) => !c.mark)) press(screen.cells[n], n);
  }
  if (!keeps) news(texts["web.forgetful"], []);
  register();
}

// The service worker keeps the page for when there is no network. A new version waits until the person reloads.
async function register() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  try {
    const registration = await navigator.serviceWorker.register("sw.js");
    const offer = (fresh) => {
      if (fresh && navigator.serviceWorker.controller) news(texts["web.update"], [[texts["web.reload"], () => fresh.postMessage("take over")]]);
    };
    offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const fresh = registration.installing;
      fresh.addEventListener("statechange", () => { if (fresh.state === "installed") offer(fresh); });
    });
    let had = Boolean(navigator.serviceWorker.controller);
    navigator.serviceWorker.addEventListener("controllerchange", () => { if (had) location.reload(); had = true; });
  } catch (error) {
    console.warn("no service worker:", error.message); // the page works without, as long as there is a network
  }
}

start().catch((error) => {
  console.error(error);
  news(texts["web.error"] ?? "Something went wrong. Please reload the page.", [[texts["web.reload"] ?? "Reload", () => location.reload()]]);
});
