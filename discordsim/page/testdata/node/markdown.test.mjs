import { test } from "node:test";
import assert from "node:assert/strict";
import { parse, plain, safeURL } from "../../page/markdown.mjs";

// show writes a tree in one line: type(children), with texts quoted.
const show = (nodes) => nodes.map((n) => {
  switch (n.type) {
    case "text": return JSON.stringify(n.text);
    case "break": return "br";
    case "inlineCode": return `code${JSON.stringify(n.text)}`;
    case "code": return `block[${n.lang}]${JSON.stringify(n.text)}`;
    case "user": case "channel": case "role": return `${n.type}:${n.id}`;
    case "time": return `time:${n.unix}:${n.style}`;
    case "emoji": return `emoji:${n.name}`;
    case "command": return `command:${n.name}`;
    case "everyone": return "everyone";
    case "heading": return `h${n.level}(${show(n.children)})`;
    case "list": return `${n.ordered ? "ol" + n.start : "ul"}(${n.items.map((i) => `li(${show(i)})`).join(" ")})`;
    case "link": return `link<${n.url}>(${show(n.children)})`;
    case "paragraph": return `p(${show(n.children)})`;
    default: return `${n.type}(${show(n.children)})`;
  }
}).join(" ");

const rows = [
  ["plain text", "hello there", 'p("hello there")'],
  ["bold", "a **b** c", 'p("a " strong("b") " c")'],
  ["italic by star and underscore", "*a* _b_", 'p(em("a") " " em("b"))'],
  ["bold italic", "***x***", 'p(strong(em("x")))'],
  ["underline and strike", "__a__ ~~b~~", 'p(underline("a") " " strike("b"))'],
  ["spoiler", "||a **b**||", 'p(spoiler("a " strong("b")))'],
  ["nested", "**a *b* c**", 'p(strong("a " em("b") " c"))'],
  ["underscores inside words stay", "snake_case_name", 'p("snake_case_name")'],
  ["a star before a space opens nothing", "2 * 3 * 4", 'p("2 * 3 * 4")'],
  ["an unclosed mark stays", "**a", 'p("**a")'],
  ["escapes are honoured", "\\*\\*a\\*\\* \\_b\\_ \\`c\\` \\|\\|d\\|\\|", 'p("**a** _b_ `c` ||d||")'],
  ["an escaped mention is text", "\\<@12> <\\@12>", 'p("<@12> <@12>")'],
  ["an escaped heading is text", "\\# a", 'p("# a")'],
  ["a backslash before a letter stays", "a\\b", 'p("a\\\\b")'],
  ["inline code keeps marks", "`**a**`", 'p(code"**a**")'],
  ["code by two ticks holds a tick", "`` a`b ``", 'p(code" a`b ")'],
  ["a code block has a language", "```go\nx := 1\n```", 'block[go]"x := 1"'],
  ["a code block on one line", "```x```", 'block[]"x"'],
  ["text around a code block", "a\n```b```\nc", 'p("a") block[]"b" p("c")'],
  ["an unclosed block stays", "```a", 'p("```a")'],
  ["headings", "# a\n## b\n### c\n#### d", 'h1("a") h2("b") h3("c") p("#### d")'],
  ["no space is no heading", "#a", 'p("#a")'],
  ["small print", "-# a *b*", 'small("a " em("b"))'],
  ["quote", "> a\n> b\nc", 'quote(p("a" br "b")) p("c")'],
  ["quote to the end", ">>> a\nb", 'quote(p("a" br "b"))'],
  ["list", "- a\n- b\n  - c\n- d", 'ul(li("a") li("b" ul(li("c"))) li("d"))'],
  ["numbered list", "3. a\n4. b", 'ol3(li("a") li("b"))'],
  ["masked link", "[a *b*](https://example.com/x)", 'p(link<https://example.com/x>("a " em("b")))'],
  ["bare link without its full stop", "see https://example.com/x.", 'p("see " link<https://example.com/x>("https://example.com/x") ".")'],
  ["link in angles", "<https://example.com/>", 'p(link<https://example.com/>("https://example.com/"))'],
  ["no other kind of link", "[a](javascript:alert(1))", 'p("[a](javascript:alert(1))")'],
  ["data links neither", "[a](data:text/html,x)", 'p("[a](data:text/html,x)")'],
  ["mentions", "<@1> <@!2> <@&3> <#4> </a b:5>", 'p(user:1 " " user:2 " " role:3 " " channel:4 " " command:a b)'],
  ["everyone", "@everyone @here @herein", 'p(everyone " " everyone " @herein")'],
  ["times", "<t:100> <t:100:R> <t:-5:D> <t:1:x>", 'p(time:100:f " " time:100:R " " time:-5:D " <t:1:x>")'],
  ["custom emoji", "<:a_b:1> <a:cc:2>", 'p(emoji:a_b " " emoji:cc)'],
  ["markup is text", "<img src=x onerror=alert(1)>", 'p("<img src=x onerror=alert(1)>")'],
  ["lines", "a\nb", 'p("a" br "b")'],
  ["nothing", "", 'p()'],
];

for (const [name, source, want] of rows) {
  test(name, () => assert.equal(show(parse(source)), want));
}

test("a hostile name that is escaped comes out letter by letter", () => {
  const name = "**x** __y__ ||z|| `c` [a](https://e.example) <@1> @everyone # > - ~~s~~ \\";
  const escaped = name.replace(/[\\*_~|`<>@#[\]():-]/g, "\\$&");
  const tree = parse(escaped);
  const types = new Set();
  const walk = (nodes) => nodes.forEach((n) => { types.add(n.type); walk(n.children ?? []); });
  walk(tree);
  assert.equal(plain(tree).trim(), name);
  assert.deepEqual([...types].filter((t) => !["paragraph", "text"].includes(t)), []);
});

test("plain gives names for ids", () => {
  assert.equal(plain(parse("<@1> and <@2>"), { user: (id) => (id === "1" ? "Alice" : undefined) }).trim(), "@Alice and @2");
});

test("only web addresses are addresses", () => {
  for (const bad of ["javascript:alert(1)", "data:x", "file:///etc/passwd", "//x", "x", ""]) assert.equal(safeURL(bad), null);
  assert.equal(safeURL("https://example.com"), "https://example.com/");
});

test("the work grows with the length of a text, not with its square", () => {
  const pieces = ["*", "_", "**", "__", "||", "~~", "`", "``", "[", "[a](", "<@", "> ", ">>> ", "- ", "\\", "```", "*a", "_a ", "**a*", "https://", "(", "*_", "***", "|", "<t:",
    "*a ", "**a ", "*a**", "_a __", "__a _", "||a ", "`a ``", "[*a", "```a\n", "*a **b _c __d ~~e ||f "];
  // Every step of a search for a mark reads the text with one of these functions.
  const counted = ["startsWith", "indexOf", "slice"];
  const work = (text) => {
    let calls = 0;
    const own = counted.map((name) => String.prototype[name]);
    counted.forEach((name, i) => { String.prototype[name] = function (...args) { calls++; return own[i].apply(this, args); }; });
    try { parse(text); } finally { counted.forEach((name, i) => { String.prototype[name] = own[i]; }); }
    return calls;
  };
  for (const piece of pieces) {
    const [short, long] = [1000, 4000].map((n) => work(piece.repeat(Math.ceil(n / piece.length)).slice(0, n)));
    assert.ok(long <= 6 * short + 100, `${JSON.stringify(piece)}: ${short} steps for 1000 characters, ${long} for 4000`);
  }
});
