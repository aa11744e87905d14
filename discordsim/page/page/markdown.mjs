// Discord's subset of markdown, as a tree. Nothing here makes HTML: the tree
// holds plain strings, and text.mjs turns it into elements.
//
// A node is {type, ...}. Blocks: paragraph, heading, small, quote, list, code.
// Inline: text, strong, em, underline, strike, spoiler, inlineCode, link,
// user, channel, role, everyone, command, time, emoji, break.

const deepest = 24; // deeper nesting is shown as plain text

/** parse parses a message's text into block nodes. */
export function parse(source) {
	return blocks(String(source ?? "").replace(/\r\n?/g, "\n"), 0);
}

/** plain returns the text for screen readers, without markup. */
export function plain(nodes, names = {}) {
	const name = (kind, id, sign) => sign + (names[kind]?.(id) ?? id);
	return nodes.map((node) => {
		switch (node.type) {
			case "text": return node.text;
			case "break": return "\n";
			case "inlineCode": case "code": return node.text;
			case "user": return name("user", node.id, "@");
			case "channel": return name("channel", node.id, "#");
			case "role": return name("role", node.id, "@");
			case "everyone": return node.text;
			case "command": return "/" + node.name;
			case "emoji": return names.emoji?.(node) ?? `:${node.name}:`;
			case "time": return names.time?.(node) ?? "";
			case "list": return node.items.map((item) => plain(item, names)).join("\n");
			case "spoiler": return "spoiler";
			default: return plain(node.children ?? [], names) + (isBlock(node) ? "\n" : "");
		}
	}).join("");
}

const isBlock = (node) => ["paragraph", "heading", "small", "quote"].includes(node.type);

// ---- blocks ----

function blocks(source, depth) {
	const out = [];
	let prose = [];
	const flush = () => {
		if (prose.length) out.push({ type: "paragraph", children: inline(prose.join("\n"), depth) });
		prose = [];
	};
	let lines = source.split("\n");
	for (let i = 0; i < lines.length; i++) {
		const line = lines[i];
		const fence = line.indexOf("```");
		if (fence >= 0 && depth < deepest && !escapedAt(line, fence)) {
			const rest = [line.slice(fence + 3), ...lines.slice(i + 1)].join("\n");
			const end = rest.indexOf("```");
			if (end > 0 && rest.slice(0, end).trim()) {
				if (fence > 0) prose.push(line.slice(0, fence));
				flush();
				const body = rest.slice(0, end);
				const lang = /^([A-Za-z0-9_+.#-]+)\n/.exec(body);
				out.push({
					type: "code", lang: lang ? lang[1] : "",
					text: (lang ? body.slice(lang[0].length) : body).replace(/^\n+|\n+$/g, ""),
				});
				const after = rest.slice(end + 3).replace(/^\n/, "");
				if (!after) return out;
				lines = after.split("\n");
				i = -1;
				continue;
			}
		}
		if (depth >= deepest) { prose.push(line); continue; }
		let m;
		if ((m = /^(#{1,3}) +(\S.*)$/.exec(line))) {
			flush();
			out.push({ type: "heading", level: m[1].length, children: inline(m[2], depth) });
		} else if ((m = /^-# +(\S.*)$/.exec(line))) {
			flush();
			out.push({ type: "small", children: inline(m[1], depth) });
		} else if ((m = /^>>> ?([^]*)$/.exec(line))) {
			flush();
			out.push({ type: "quote", children: blocks([m[1], ...lines.slice(i + 1)].join("\n"), depth + 1) });
			return out;
		} else if (/^> /.test(line)) {
			flush();
			const inner = [];
			while (i < lines.length && /^>( |$)/.test(lines[i])) inner.push(lines[i++].slice(2));
			i--;
			out.push({ type: "quote", children: blocks(inner.join("\n"), depth + 1) });
		} else if (bullet(line)) {
			flush();
			const [list, next] = listAt(lines, i, depth);
			out.push(list);
			i = next - 1;
		} else {
			prose.push(line);
		}
	}
	flush();
	return out;
}

function bullet(line) {
	const m = /^( *)([-*]|\d{1,9}\.) +(\S.*)$/.exec(line);
	return m && { indent: m[1].length, ordered: m[2].length > 1, start: parseInt(m[2], 10), text: m[3] };
}

function listAt(lines, i, depth) {
	const first = bullet(lines[i]);
	const list = { type: "list", ordered: first.ordered, start: first.ordered ? first.start : 1, items: [] };
	while (i < lines.length) {
		const b = bullet(lines[i]);
		if (!b || b.indent < first.indent || (b.indent === first.indent && b.ordered !== first.ordered)) break;
		if (b.indent > first.indent && list.items.length && depth < deepest) {
			const [nested, next] = listAt(lines, i, depth + 1);
			list.items.at(-1).push(nested);
			i = next;
		} else {
			list.items.push(inline(b.text, depth));
			i++;
		}
	}
	return [list, i];
}

// ---- inline ----

const word = /[\p{L}\p{N}_]/u;

function escapedAt(s, i) {
	let n = 0;
	while (i - n > 0 && s[i - n - 1] === "\\") n++;
	return n % 2 === 1;
}

// closer finds the mark that ends a span which was opened before from; -1 if there is none. It skips escapes and inline code. If
// it reaches the end of s, missing remembers the mark: later searches would fail too, and a text full of marks would take
// quadratic time.
function closer(s, mark, from, missing) {
	if (missing.has(mark)) return -1;
	for (let i = from; i < s.length; i++) {
		if (s[i] === "\\") { i++; continue; }
		if (s[i] === "`") {
			const code = codeAt(s, i, missing);
			if (code) { i = code.end - 1; continue; }
		}
		if (!s.startsWith(mark, i)) continue;
		if (i === from) { i += mark.length - 1; if (mark.length === 1) return -1; continue; }
		if (mark === "*" ) {
			if (s[i + 1] === "*") { // a ** inside *...* belongs to a strong span
				const inner = closer(s, "**", i + 2, missing);
				if (inner > 0) { i = inner + 1; continue; }
			}
			if (/\s/.test(s[i - 1])) continue;
		}
		if (mark === "**" && s[i + 2] === "*") { i++; if (s[i + 2] === "*") continue; return i; }
		if (mark === "_") {
			if (s[i + 1] === "_") {
				const inner = closer(s, "__", i + 2, missing);
				if (inner > 0) { i = inner + 1; continue; }
			}
			if (i + 1 < s.length && word.test(s[i + 1])) continue;
		}
		if (mark === "__" && s[i + 2] === "_") i++;
		return i;
	}
	missing.add(mark);
	return -1;
}

function codeAt(s, i, missing) {
	const mark = s[i + 1] === "`" ? "``" : "`";
	const n = mark.length;
	if (missing.has(mark)) return null;
	const end = s.indexOf(mark, i + n);
	if (end < 0) missing.add(mark);
	if (end <= i + n) return null;
	let text = s.slice(i + n, end);
	if (n === 2) text = text.replace(/^ (?=`)|(?<=`) $/g, "");
	return { node: { type: "inlineCode", text }, end: end + n };
}

const spans = [
	["**", "strong"], ["__", "underline"], ["~~", "strike"], ["||", "spoiler"], ["*", "em"], ["_", "em"],
];

const tags = [
	[/^<@!?(\d{1,20})>/, (m) => ({ type: "user", id: m[1] })],
	[/^<@&(\d{1,20})>/, (m) => ({ type: "role", id: m[1] })],
	[/^<#(\d{1,20})>/, (m) => ({ type: "channel", id: m[1] })],
	[/^<\/([-_' \p{L}\p{N}]{1,100}):(\d{1,20})>/u, (m) => ({ type: "command", name: m[1], id: m[2] })],
	[/^<a?:(\w{2,32}):(\d{1,20})>/, (m) => ({ type: "emoji", name: m[1], id: m[2] })],
	[/^<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/, (m) => ({ type: "time", unix: Number(m[1]), style: m[2] ?? "f" })],
];

function inline(s, depth) {
	const out = [];
	const missing = new Set(); // the marks that do not occur in the rest of the text
	let text = "";
	const push = (node) => {
		if (text) out.push({ type: "text", text });
		text = "";
		out.push(node);
	};
	for (let i = 0; i < s.length;) {
		const c = s[i];
		if (c === "\\" && i + 1 < s.length && /[^0-9A-Za-z\s]/.test(s[i + 1])) {
			const whole = String.fromCodePoint(s.codePointAt(i + 1));
			text += whole;
			i += 1 + whole.length;
			continue;
		}
		if (c === "\n") { push({ type: "break" }); i++; continue; }
		if (c === "`") {
			const code = codeAt(s, i, missing);
			if (code) { push(code.node); i = code.end; continue; }
		}
		if (c === "<") {
			const rest = s.slice(i, i + 140);
			const hit = tags.map(([re, make]) => [re.exec(rest), make]).find(([m]) => m);
			if (hit) { push(hit[1](hit[0])); i += hit[0][0].length; continue; }
			const angle = /^<(https?:\/\/[^\s<>]{1,2000})>/.exec(s.slice(i));
			const url = angle && safeURL(angle[1]);
			if (url) { push({ type: "link", url, children: [{ type: "text", text: angle[1] }] }); i += angle[0].length; continue; }
		}
		if (c === "[" && depth < deepest) {
			const link = linkAt(s, i, depth, missing);
			if (link) { push(link.node); i = link.end; continue; }
		}
		if (c === "h" && (i === 0 || !word.test(s[i - 1]))) {
			const bare = /^https?:\/\/[^\s<>]+/.exec(s.slice(i, i + 2048));
			if (bare) {
				let shown = bare[0].replace(/[.,:;"'!?\]*_~|]+$/, "");
				if (shown.endsWith(")") && !shown.includes("(")) shown = shown.replace(/\)+$/, "");
				const url = safeURL(shown);
				if (url) { push({ type: "link", url, children: [{ type: "text", text: shown }] }); i += shown.length; continue; }
			}
		}
		if (c === "@") {
			const all = /^@(everyone|here)(?![\p{L}\p{N}_])/u.exec(s.slice(i, i + 12));
			if (all) { push({ type: "everyone", text: all[0] }); i += all[0].length; continue; }
		}
		const span = depth < deepest && spanAt(s, i, depth, missing);
		if (span) { push(span.node); i = span.end; continue; }
		text += c;
		i++;
	}
	if (text) out.push({ type: "text", text });
	return out;
}

function spanAt(s, i, depth, missing) {
	for (const [mark, type] of spans) {
		if (!s.startsWith(mark, i)) continue;
		const from = i + mark.length;
		if (mark === "*" && (from >= s.length || /\s/.test(s[from]))) continue;
		if (mark === "_" && i > 0 && word.test(s[i - 1])) continue;
		const end = closer(s, mark, from, missing);
		if (end <= from) continue;
		return { node: { type, children: inline(s.slice(from, end), depth + 1) }, end: end + mark.length };
	}
	return null;
}

function linkAt(s, i, depth, missing) {
	const end = closer(s, "](", i + 1, missing);
	if (end < 0 || s.slice(i, end).includes("\n\n")) return null;
	const m = /^<?(https?:\/\/[^\s<>()]{1,2000}(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?: +"[^"\n]*")?\)/.exec(s.slice(end + 2));
	const url = m && safeURL(m[1]);
	if (!url) return null;
	return { node: { type: "link", url, children: inline(s.slice(i + 1, end), depth + 1) }, end: end + 2 + m[0].length };
}

/** safeURL returns the normal form of an http or https address, or null. */
export function safeURL(text) {
	try {
		const url = new URL(text);
		return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
	} catch {
		return null;
	}
}
