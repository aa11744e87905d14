// Markdown trees as elements. Texts only become text nodes, never HTML.
import { h, createContext, press, useContext, useEffect, useReducer, useState } from "./dom.mjs";
import { parse, plain } from "./markdown.mjs";
import { Emoji, splitEmoji } from "./emoji.mjs";
import { entries } from "./live.mjs";
import { stamp } from "./time.mjs";

/**
 * World carries {live, card(user, anchor), menu(user, anchor), choose(label, items, anchor), run(command), compose(text), reply(message),
 * inspect(about), alert(text)} to the components of the page.
 */
export const World = createContext(null);
export const useLive = () => useContext(World).live;

const parsed = new Map(), remembered = 400;

/** tree is parse with a cache, since a message is drawn more often than it changes. */
export function tree(text) {
	let nodes = parsed.get(text);
	if (!nodes) {
		nodes = parse(text);
		if (parsed.size >= remembered) parsed.delete(parsed.keys().next().value);
		parsed.set(text, nodes);
	}
	return nodes;
}

/** spoken returns a text for screen readers. names can replace the words for some kinds of node. */
export function spoken(text, live, names) {
	return plain(tree(text), {
		...names,
		user: (id) => nameOf(live.user(id)), channel: (id) => live.channels.find((c) => c.id === id)?.name,
		time: (node) => stamp(node.unix, node.style, live.now(), live.locale),
	}).trim();
}

/** useAttempt returns [error, attempt]: attempt(promise) sets the error if the promise fails. The error is cleared when the connection is back. */
export function useAttempt() {
	const [error, setError] = useState("");
	const { up } = useLive();
	useEffect(() => { if (up) setError(""); }, [up]);
	return [error, (promise) => promise.then(() => setError(""), (err) => setError(err.message))];
}

/** placeName returns the displayed name of a channel: #general, @ and the name of the other user, or the name of a group. */
export function placeName(channel, live) {
	if (!channel) return "…";
	const other = channel.type === 1 && (channel.bot?.user ?? channel.recipients?.[0]);
	return other ? "@" + nameOf(live.user(other.id) ?? other) : (channel.guild_id ? "#" : "") + channel.name;
}

// Right-to-left letters, and characters that change the direction.
const turning = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]/, overrides = /[\u202a-\u202e\u2066-\u2069]/g;

// isolated returns a name that does not change the direction of the words around it.
function isolated(name) {
	const plain = name.replace(overrides, "");
	return turning.test(plain) ? `\u2068${plain}\u2069` : plain;
}

export const nameOf = (user) => isolated(user?.nick || user?.global_name || user?.username || "unknown-user");

/** Text draws a plain string with its emoji. */
export function Text({ text }) {
	return splitEmoji(text).map((part, i) => (i % 2 ? h(Emoji, { emoji: part }) : part));
}

/** Code draws a block of code. Its emoji are drawn, but copied as characters. */
function Code({ text }) {
	return splitEmoji(text).map((part, i) => (i % 2 ? h("span", null, h(Emoji, { emoji: part }), h("span", { class: "copied", "aria-hidden": true }, part)) : part));
}

/** Line draws a text on one line, with its emoji and without other markup. */
export function Line({ text }) {
	const live = useLive(), drawn = [];
	const words = spoken(text, live, { emoji: (node) => `\0${drawn.push(node) - 1}\0` }).replace(/\s+/g, " ").slice(0, 120);
	return words.split("\0").map((part, i) => (i % 2 ? drawn[part] && h(Emoji, { emoji: drawn[part] }) : h(Text, { text: part })));
}

/** Markdown draws a message's text. mentions are the users in the message object. */
export function Markdown({ text, mentions }) {
	const nodes = tree(text);
	return h("div", { class: "markdown" + (onlyEmoji(nodes) ? " jumbo" : "") }, nodes.map((n) => h(Node, { node: n, mentions })));
}

function onlyEmoji(nodes) {
	if (nodes.length !== 1 || nodes[0].type !== "paragraph") return false;
	let count = 0;
	for (const node of nodes[0].children) {
		if (node.type === "emoji") { count++; continue; }
		if (node.type !== "text") return false;
		const parts = splitEmoji(node.text);
		if (parts.some((p, i) => i % 2 === 0 && p.trim())) return false;
		count += (parts.length - 1) / 2;
	}
	return count > 0 && count <= 27;
}

function Node({ node, mentions }) {
	const children = () => (node.children ?? []).map((n) => h(Node, { node: n, mentions }));
	switch (node.type) {
		case "text": return h(Text, { text: node.text });
		case "break": return h("br");
		case "paragraph": return h("p", null, children());
		case "heading": return h("h4", { class: "h" + node.level }, children());
		case "small": return h("p", { class: "small" }, children());
		case "quote": return h("blockquote", null, children());
		case "code": return h("pre", { tabIndex: 0 }, h("code", null, h(Code, { text: node.text })));
		case "list": {
			const items = node.items.map((item) => h("li", null, item.map((n) => h(Node, { node: n, mentions }))));
			return node.ordered ? h("ol", { start: node.start }, items) : h("ul", null, items);
		}
		case "strong": return h("strong", null, children());
		case "em": return h("em", null, children());
		case "underline": return h("u", null, children());
		case "strike": return h("s", null, children());
		case "inlineCode": return h("code", null, node.text);
		case "spoiler": return h(Spoiler, null, children());
		case "link": return messageLink(node.url) ? h(MessageLink, { url: node.url, words: node.children[0]?.text === node.url ? null : children() }) : h(Outside, { url: node.url }, children());
		case "user": return h(UserMention, { id: node.id, mentions });
		case "channel": return h(ChannelMention, { id: node.id });
		case "role": return h(RoleMention, { id: node.id });
		case "everyone": return h("span", { class: "mention" }, node.text);
		case "command": return h(CommandMention, { name: node.name, id: node.id });
		case "emoji": return h(Emoji, { emoji: node });
		case "time": return h(Timestamp, { unix: node.unix, style: node.style });
		default: return null;
	}
}

export function UserMention({ id, mentions }) {
	const { live, card } = useContext(World);
	const user = live.user(id) ?? mentions?.find((u) => u.id === id);
	if (!user) return h("span", { class: "mention" }, "@unknown-user");
	const mine = id === live.me?.id ? " mine" : "";
	return press({ class: "mention" + mine, onClick: (e) => card(user, e.currentTarget) }, "@" + nameOf(user));
}

function RoleMention({ id }) {
	const live = useLive();
	const role = live.guilds.flatMap((g) => g.roles ?? []).find((r) => r.id === id);
	return h("span", { class: "mention" }, "@" + isolated(role?.name.replace(/^@/, "") ?? "unknown-role"));
}

function ChannelMention({ id }) {
	const live = useLive();
	const channel = live.channels.find((c) => c.id === id);
	if (!channel) return h("span", { class: "mention" }, "#unknown");
	return press({ class: "mention", onClick: () => live.open(channel.key) }, h(Text, { text: "#" + channel.name }));
}

// A command mention can be pressed if the channel offers a command with its id and name.
function CommandMention({ name, id }) {
	const { compose, live } = useContext(World);
	if (!entries(live.offered, { context: live.context }).some((e) => e.command.id === id && e.name === name)) return h("span", { class: "mention" }, "/" + name);
	return press({ class: "mention", onClick: () => compose("/" + name + " ") }, "/" + name);
}

// A link to another site.
function Outside({ url, children }) {
	return h("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow", title: url }, children);
}

// messageLink returns the channel and message in the address of a channel or message, at Discord or at any name of this server;
// null for other addresses.
function messageLink(url) {
	const m = /^https?:\/\/([^/?#@]+)\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/.exec(url);
	return m && { channel: m[2], message: m[3], discord: /^(?:\w+\.)?discord(?:app)?\.com$/.test(m[1]) };
}

// MessageLink opens the channel and message on this page, as Discord does. If the channel is unknown, an address at Discord is
// shown as an unknown channel, and another address as a link to another site.
function MessageLink({ url, words }) {
	const live = useLive();
	const at = messageLink(url);
	const channel = live.channels.find((c) => c.id === at.channel);
	if (!channel && !at.discord) return h(Outside, { url }, words ?? url);
	if (!channel) return h("span", { class: "mention" }, words ?? "#unknown");
	return press({ class: words ? "textual" : "mention", onClick: () => live.jump(channel.key, at.message) },
		words ?? h(Text, { text: `#${channel.name.replace(/^[@#]/, "")}${at.message ? " › message" : ""}` }));
}

export function Spoiler({ children, block }) {
	const [open, setOpen] = useState(false);
	const tag = block ? "div" : "span";
	if (open) return h(tag, { class: "spoiler open", tabIndex: -1 }, children); // keeps the focus after the button is gone
	const reveal = (e) => { e.preventDefault(); e.stopPropagation(); setOpen(true); };
	return h(tag, {
		class: "spoiler" + (block ? " block" : ""), role: "button", tabIndex: 0, "aria-label": "Spoiler: show it", onClick: reveal,
		onKeyDown: (e) => { if (e.key === "Enter" || e.key === " ") reveal(e); },
	}, h("span", { class: "hidden", "aria-hidden": true, inert: true }, children));
}

// All counting timestamps share one interval, which runs while at least one is visible.
const beats = new Set();
let beating = 0;

function useBeat() {
	const [, beat] = useReducer((n) => n + 1, 0);
	useEffect(() => {
		beats.add(beat);
		beating ||= setInterval(() => { for (const b of beats) b(); }, 1000);
		return () => {
			beats.delete(beat);
			if (!beats.size) { clearInterval(beating); beating = 0; }
		};
	}, []);
}

export function Timestamp({ unix, style }) {
	const live = useLive();
	useBeat();
	const valid = Math.abs(unix) <= 8.64e12;
	return h("time", {
		class: "stamp", dateTime: valid ? new Date(unix * 1000).toISOString() : undefined, title: stamp(unix, "F", live.now(), live.locale),
	}, stamp(unix, style, live.now(), live.locale));
}

/** Clock shows the simulated time, and updates it every second. */
export function Clock({ style }) {
	const live = useLive();
	useBeat();
	return h("span", { class: "clock" }, stamp(Math.floor(live.now() / 1000), style, live.now(), live.locale));
}
