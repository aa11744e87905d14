import { test } from "node:test";
import assert from "node:assert/strict";
import { entries, menus } from "../../page/live.mjs";
import { call, escapeRegExp, mentionAt, mentioned, parseLine, parseOptions, rank, resolve, suggestions } from "../../page/options.mjs";

const commands = [
  {
    id: "1", application_id: "9", type: 1, name: "tictactoe", name_localizations: { de: "dreigewinnt" }, description: "Tic-Tac-Toe", contexts: [0, 1],
    options: [
      {
        type: 1, name: "challenge", description: "Challenge somebody", description_localizations: { de: "Jemanden fordern" }, options: [
          { type: 6, name: "opponent", description: "Who", required: true },
          { type: 3, name: "clock", description: "Time", choices: [{ name: "1 minute", value: "1m" }, { name: "5 minutes", value: "5m" }] },
        ],
      },
      { type: 1, name: "ai", description: "Play the computer", options: [] },
      { type: 2, name: "admin", description: "", options: [{ type: 1, name: "reset", description: "Reset", options: [{ type: 4, name: "count", description: "", required: true, min_value: 1, max_value: 9 }, { type: 5, name: "sure", description: "" }] }] },
    ],
  },
  { id: "2", application_id: "9", type: 1, name: "ping", description: "Ping", contexts: [0], options: [{ type: 3, name: "text", description: "", required: true, max_length: 5 }] },
  { id: "3", application_id: "9", type: 2, name: "Challenge to Tic-Tac-Toe", description: "" },
  { id: "4", application_id: "9", type: 3, name: "Quote", description: "" },
];
const users = [{ id: "10", username: "alice", global_name: "Alice" }, { id: "11", username: "bob", global_name: "Bob" }, { id: "12", username: "bobby", global_name: "Bob" }];
const world = { users, channels: [{ id: "20", name: "general" }] };
const list = entries(commands);
const entry = (name) => list.find((e) => e.name === name);

test("every subcommand is an entry, in the order of its bot, and only chat commands are", () => {
  assert.deepEqual(list.map((e) => e.name), ["ping", "tictactoe challenge", "tictactoe ai", "tictactoe admin reset"]);
  assert.deepEqual(menus(commands).map((c) => c.name), ["Challenge to Tic-Tac-Toe"]);
});

test("a command that belongs to servers is not offered in direct messages", () => {
  assert.deepEqual(entries(commands, { context: 1 }).map((e) => e.name), ["tictactoe challenge", "tictactoe ai", "tictactoe admin reset"]);
});

test("names are shown in the person's language and sent in Discord's", () => {
  const german = entries(commands, { locale: "de" }).find((e) => e.name === "tictactoe challenge");
  assert.equal(german.path, "dreigewinnt challenge");
  assert.equal(german.description, "Jemanden fordern");
});

test("the best fit comes first", () => {
  assert.deepEqual(rank(list, "chall").map((e) => e.name), ["tictactoe challenge"]);
  assert.deepEqual(rank(list, "tictactoe a").map((e) => e.name), ["tictactoe ai", "tictactoe admin reset"]);
  assert.equal(rank(list, "p")[0].name, "ping");
  assert.equal(rank(list, "").length, list.length);
  assert.deepEqual(rank(list, "zzz"), []);
});

const lines = [
  ["/tictactoe challenge opponent:bob clock:5m", "tictactoe challenge", { opponent: "bob", clock: "5m" }],
  ["/tictactoe challenge clock: 5 minutes opponent: @Bob", "tictactoe challenge", { opponent: "@Bob", clock: "5 minutes" }],
  ["/tictactoe challenge bob", "tictactoe challenge", { opponent: "bob" }],
  ["/tictactoe ai", "tictactoe ai", {}],
  ["/TicTacToe AI ", "tictactoe ai", {}],
  ["/ping text:a:b c", "ping", { text: "a:b c" }],
];
for (const [line, name, texts] of lines) {
  test(`${line} is understood`, () => {
    const got = parseLine(list, line);
    assert.equal(got.entry.name, name);
    assert.deepEqual(got.texts, texts);
  });
}
for (const line of ["/", "/tictactoe", "/tictactoe aix", "tictactoe ai", "/pin"]) {
  test(`${line} is no command yet`, () => assert.equal(parseLine(list, line), null));
}

test("a command is open for options only after a space", () => {
  assert.equal(parseLine(list, "/ping").open, false);
  assert.equal(parseLine(list, "/ping ").open, true);
});

test("what stands before the first name belongs to the option it was typed into", () => {
  const { entry } = parseLine(list, "/tictactoe challenge ");
  assert.deepEqual(parseOptions(entry, "bob clock:"), { opponent: "bob", clock: "" });
  assert.deepEqual(parseOptions(entry, "5m opponent:bob", "clock"), { clock: "5m", opponent: "bob" });
  assert.deepEqual(parseOptions(entry, "nothing clock:5m", ""), { clock: "5m" });
});

test("people and choices are suggested", () => {
  const [opponent, clock] = entry("tictactoe challenge").options;
  assert.deepEqual(suggestions(opponent, "@bo", world).map((s) => s.value), ["11", "12"]);
  assert.deepEqual(suggestions(opponent, "", world).length, 3);
  assert.equal(suggestions(opponent, "", { ...world, me: world.users[0] })[0].value, world.users[1].id, "oneself is not offered first");
  assert.deepEqual(suggestions(clock, "5").map((s) => s.value), ["5m"]);
  assert.deepEqual(suggestions({ type: 5 }, "t").map((s) => s.value), [true]);
  assert.deepEqual(suggestions({ type: 3 }, "x"), []);
});

const values = [
  ["a name", { type: 6 }, "Alice", "10"], ["a username before a shown name", { type: 6 }, "bob", "11"], ["an id", { type: 6 }, "12", "12"],
  ["a choice's name", { type: 3, choices: [{ name: "A b", value: "ab" }] }, "a B", "ab"], ["a choice's number", { type: 4, choices: [{ name: "One", value: 1 }] }, "1", 1],
  ["a whole number", { type: 4 }, "7", 7], ["a number", { type: 10 }, "1.5", 1.5], ["a boolean", { type: 5 }, "TRUE", true], ["a text", { type: 3 }, " x y ", "x y"], ["a channel", { type: 7 }, "#general", "20"],
];
for (const [name, option, text, want] of values) test(`${name} is a value`, () => assert.deepEqual(resolve(option, text, world), { value: want }));

const wrong = [
  ["nobody", { type: 6 }, "zoe"], ["no choice", { type: 3, choices: [{ name: "A", value: "a" }] }, "b"], ["half a number", { type: 4 }, "1.5"], ["no number", { type: 10 }, "x"],
  ["too little", { type: 4, min_value: 1 }, "0"], ["too much", { type: 4, max_value: 9 }, "10"], ["too long", { type: 3, max_length: 2 }, "abc"], ["neither true nor false", { type: 5 }, "maybe"], ["a missing value", { type: 3, required: true }, " "],
];
for (const [name, option, text] of wrong) test(`${name} is refused`, () => assert.ok(resolve(option, text, world).error));

test("a call has only the options that were filled, and an error for each wrong one", () => {
  assert.deepEqual(call(entry("tictactoe challenge"), { opponent: "bob" }, world), { application: "9", name: "tictactoe challenge", options: { opponent: "11" }, errors: {} });
  assert.deepEqual(Object.keys(call(entry("tictactoe challenge"), { clock: "9m" }, world).errors), ["opponent", "clock"]);
  assert.deepEqual(call(entry("tictactoe admin reset"), { count: "3", sure: "false" }, world).options, { count: 3, sure: false });
});

test("a name is completed where a word begins", () => {
  assert.deepEqual(mentionAt("hi @bo", 6), { sign: "@", query: "bo", from: 3 });
  assert.deepEqual(mentionAt("#", 1), { sign: "#", query: "", from: 0 });
  assert.deepEqual(mentionAt("(@bob) and", 5), { sign: "@", query: "bob", from: 1 });
  assert.equal(mentionAt("mail me@home", 12), null);
  assert.equal(mentionAt("<@1", 3), null);
  assert.equal(mentionAt("@bob and", 8), null);
});

test("written names become mentions, and only those that exist", () => {
  const world = { users: [{ id: "2", username: "bob" }, { id: "3", username: "bob.b" }], channels: [{ id: "7", name: "general" }] };
  assert.equal(mentioned("@bob, see #general.", world), "<@2>, see <#7>.");
  assert.equal(mentioned("@bob.b. (@Bob)", world), "<@3>. (<@2>)");
  for (const same of ["@bobby", "me@bob", "<@2>", "@nobody", "# general", "@everyone", "a#general"]) assert.equal(mentioned(same, world), same);
});

test("what the bot offered is sent by its value, other texts as they are", () => {
  const option = { name: "word", label: "word", type: 3, autocomplete: true, required: true };
  const found = { word: [{ name: "Beta", value: "v-beta" }] };
  assert.deepEqual(suggestions(option, "be", { found }).map((s) => s.label), ["Beta"]);
  assert.deepEqual(suggestions(option, "be", {}), []);
  assert.deepEqual(resolve(option, "beta", { found }), { value: "v-beta" });
  assert.deepEqual(resolve(option, "other", { found }), { value: "other" });
});

test("a choice and an offer may begin with a sign", () => {
  assert.deepEqual(resolve({ name: "o", type: 3, choices: [{ name: "#1", value: "first" }] }, "#1"), { value: "first" });
  assert.deepEqual(resolve({ name: "o", type: 4, autocomplete: true }, "@alice, today", { found: { o: [{ name: "@alice, today", value: 42 }] } }), { value: 42 });
});

test("every name that an option may have is found in a text", () => {
  for (const name of ["2nd", "l'option", "größe", "a-b", "a_b"]) assert.match(`x ${name}:`, new RegExp(`(^|\\s)${escapeRegExp(name)}:`, "iu"));
});
