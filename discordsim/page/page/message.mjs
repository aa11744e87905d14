// A message, and the list of messages.
import { h, iconPress, parts, press, useContext, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from "./dom.mjs";
import { Line, Markdown, Text, World, nameOf, placeName, spoken, useLive } from "./text.mjs";
import { Emoji, emojiName } from "./emoji.mjs";
import { Components, Embed, Media, texts } from "./components.mjs";
import { Author, Avatar } from "./people.mjs";
import { pointer, wanted } from "./dialog.mjs";
import { Eye, Picture, Reply, Thread, iconOf } from "./icons.mjs";
import { dayNumber, header, stamp } from "./time.mjs";

const EPHEMERAL = 64, LOADING = 128;
const groupGap = 7 * 60 * 1000, shownAtFirst = 100;

/** gist returns a message in one line, for screen readers. */
export const gist = (message, live) => spoken(source(message), live).replace(/\s+/g, " ");

/** news returns the lines of a message that its earlier version did not have, for screen readers. Custom emoji are named. */
export function news(message, before, live) {
	const lines = (m) => (m ? spoken(source(m), live, { emoji: (node) => ` ${node.name.replaceAll("_", " ")} ` }).split("\n").map((line) => line.replace(/\s+/g, " ").trim()) : []);
	const old = lines(before);
	return [...new Set(lines(message))].filter((line) => line && !old.includes(line)).join(" ");
}

// source returns all text of a message, as it was written.
function source(message) {
	const own = [notes[message.type], message.content, ...texts(message.components), ...(message.embeds ?? []).map((e) => e.title ?? e.description), message.poll?.question?.text];
	return [...own, ...forwarded(message).map((m) => "Forwarded: " + source(m))].filter(Boolean).join("\n");
}

// forwarded returns the messages that a message forwards, as they were when forwarded.
const forwarded = (message) => (message.message_snapshots ?? []).map((s) => s.message);

// Consecutive messages of one author within a short time share one head.
function follows(previous, message) {
	return previous && message.interaction_metadata?.type !== 2 && !message.message_reference && previous.author.id === message.author.id && previous.author.username === message.author.username && previous.author.avatar === message.author.avatar
		&& (previous.flags & EPHEMERAL) === (message.flags & EPHEMERAL)
		&& Date.parse(message.timestamp) - Date.parse(previous.timestamp) < groupGap;
}

// original returns the message that a message replies to: null if it was deleted, undefined if the message is no reply.
function original(message, list) {
	const id = message.message_reference?.message_id;
	if (!id || message.message_reference.type || message.type === 21) return undefined; // a forward or thread starter refers to a message elsewhere
	return list.find((m) => m.id === id) ?? message.referenced_message ?? null;
}

// authorOf returns the author of a message with the author's current name.
const authorOf = ({ author }, live) => ({ ...author, ...live.user(author.id), bot: Boolean(author.bot || live.bot(author.id)) });

export function Messages() {
	const live = useLive();
	const list = live.messages;
	const scroller = useRef(null), ol = useRef(null), pinned = useRef(true), top = useRef(0);
	const [older, setOlder] = useState(0);
	const [away, setAway] = useState(false);
	const near = () => scroller.current.scrollHeight - scroller.current.scrollTop - scroller.current.clientHeight < 60;
	const bottom = () => {
		const s = scroller.current;
		s.scrollTop = s.scrollHeight;
		top.current = s.scrollTop;
	};
	useLayoutEffect(() => { pinned.current = true; top.current = 0; setOlder(0); setAway(false); }, [live.channel?.key, live.me?.id]);
	useLayoutEffect(() => {
		if (live.follow) { live.follow = false; pinned.current = true; setAway(false); }
		if (live.target && list) {
			const found = document.getElementById("m" + live.target);
			if (!found && live.more) { live.fetchOlder(); return; }
			if (!found && from > 0) { setOlder(list.length); return; }
			live.target = null;
			if (found) { light(found); pinned.current = near(); setAway(!pinned.current); return; }
		}
		if (pinned.current) bottom();
	});
	// If content grows after it was drawn, such as a picture that loads late, the list stays at its end.
	useLayoutEffect(() => {
		const grown = new ResizeObserver(() => { if (pinned.current) bottom(); });
		grown.observe(ol.current);
		grown.observe(scroller.current);
		return () => grown.disconnect();
	}, []);
	// Only scrolling up leaves the end, since the end may also move by itself.
	const onScroll = () => {
		const s = scroller.current;
		pinned.current = near() || pinned.current && s.scrollTop >= top.current;
		top.current = s.scrollTop;
		if (away === pinned.current) setAway(!pinned.current);
	};
	live.away = away;
	const from = Math.max(0, (list?.length ?? 0) - shownAtFirst - older);
	const rows = [];
	(list ?? []).slice(from).forEach((message, i, all) => {
		const previous = all[i - 1];
		const day = dayNumber(Date.parse(message.timestamp));
		const turned = !previous || dayNumber(Date.parse(previous.timestamp)) !== day;
		if (turned) rows.push(h("li", { key: "day" + day, class: "day" }, h("span", null, stamp(Date.parse(message.timestamp) / 1000, "D", live.now(), live.locale))));
		rows.push(h(Message, { key: message.id, message, compact: !turned && follows(previous, message), replied: original(message, list) }));
	});
	return [h("div", { class: "scroller", ref: scroller, onScroll, tabIndex: 0, role: "region", "aria-label": `Messages in ${placeName(live.channel, live)}` },
		h("div", { class: "pusher" }),
		list && from === 0 && !live.more && h(Beginning),
		(from > 0 || live.more) && press({ class: "button older", onClick: () => { pinned.current = false; setOlder(older + shownAtFirst); live.fetchOlder(); } }, "Show older messages"),
		!list && h("p", { class: "muted waiting" }, "Loading messages…"),
		h("ol", { class: "messages", ref: ol }, rows, parts.Draft && live.drafts.map((d) => h(parts.Draft, { key: d.id, draft: d })))),
		away && press({ class: "present", onClick: () => { pinned.current = true; bottom(); } }, "Jump to present")];
}

// light scrolls to a message and highlights it for a moment.
function light(element) {
	element.scrollIntoView({ block: "center" });
	element.classList.add("lit");
	setTimeout(() => element.classList.remove("lit"), 1600);
}

function Beginning() {
	const live = useLive();
	const { channel } = live, post = channel?.applied_tags, name = placeName(channel, live);
	if (!channel) return null;
	const about = channel.type === 1 ? `your direct messages with ${name}` : channel.type === 3 ? `the group ${name}` : post ? "the post" : `the ${name} channel`;
	return h("div", { class: "beginning" },
		h("span", { class: "big-icon" }, h(iconOf(channel))),
		h("h2", null, h(Text, { text: channel.guild_id && !post ? `Welcome to ${name}!` : name.replace(/^[@#]/, "") })),
		post && parts.Tags && h(parts.Tags, { post: channel }),
		h("p", { class: "muted" }, h(Text, { text: `This is the beginning of ${about}.` })));
}

/** react adds the person's reaction to a message, or removes it. */
export const react = (message, emoji, remove, { live, alert }) => live.ask("POST", "react", {
	as: live.me.username, message: message.id, emoji: emoji.id ? `${emoji.name}:${emoji.id}` : emoji.name, remove,
}).catch((err) => alert(err.message));

// The texts of system messages, by the type of the message.
const notes = { 6: "pinned a message to this channel.", 18: "started a thread.", 21: "started this thread with a message.", 46: "ran a poll that has ended." };

function Reactions({ message }) {
	const world = useContext(World);
	return h("div", { class: "reactions", role: "group", "aria-label": "Reactions" }, message.reactions.map((r) => press({
		class: "reaction", "aria-pressed": r.me, "aria-label": `${emojiName(r.emoji)}, ${r.count} ${r.count === 1 ? "reaction" : "reactions"}`, onClick: () => react(message, r.emoji, r.me, world),
	}, h(Emoji, { emoji: r.emoji, label: "" }), r.count)));
}

// Bots can send anything, so a message that cannot be drawn must not break the others.
function Message(props) {
	const [broken] = useErrorBoundary(), live = useLive();
	const { message, compact, replied } = props, { id } = message;
	// Every event draws the page again, but a message only if something that it shows has changed: live.users and live.channel are
	// replaced with the rest of the state.
	const post = useMemo(() => h(Post, props), [message, compact, replied, live.users, live.channel, live.pending.get(id), live.failures.get(id), live.editing === id, live.up, parts.Tools]);
	return broken ? h("li", { class: "message", "data-message": id, id: "m" + id }, h(Failure, { text: "This message cannot be shown", detail: JSON.stringify(message, null, 1) })) : post;
}

function Post({ message, compact, replied }) {
	const world = useContext(World), { live, card } = world;
	const author = authorOf(message, live);
	const ephemeral = Boolean(message.flags & EPHEMERAL);
	const mine = live.mentions(message);
	const failure = live.failures.get(message.id);
	const begun = message.type === 18 ? message.message_reference?.channel_id : message.id;
	const thread = live.channels.find((c) => c.id === begun && c.id !== live.channel?.id); // the thread that begins at this message
	const used = message.interaction_metadata;
	const thinking = Boolean(message.flags & LOADING) && !message.content && !message.components?.length;
	const cls = ["message", compact && "compact", ephemeral && "ephemeral", mine && "mentioned"].filter(Boolean).join(" ");
	const more = (anchor) => parts.messageActions && world.choose("Message", parts.messageActions(message, world, anchor), anchor);
	return h("li", { class: cls, "data-message": message.id, id: "m" + message.id, onContextMenu: (e) => { if (wanted(e)) { e.preventDefault(); more(pointer(e)); } } },
		used?.type === 2 ? h(Used, { used, name: message.interaction?.name ?? used.name, message }) : replied !== undefined && h(Replied, { to: replied }),
		!compact && press({ class: "face-button", tabIndex: -1, "aria-hidden": true, onClick: (e) => card(author, e.currentTarget) }, h(Avatar, { user: author })),
		h("div", { class: "message-body" },
			compact
				? h("time", { class: "margin-time", dateTime: message.timestamp, "aria-hidden": true }, stamp(Date.parse(message.timestamp) / 1000, "t", live.now(), live.locale))
				: h("h3", { class: "head" }, h(Author, { user: author }), h("time", { dateTime: message.timestamp, title: stamp(Date.parse(message.timestamp) / 1000, "F", live.now(), live.locale) }, header(message.timestamp, live.now(), live.locale))),
			thinking && h("p", { class: "thinking" }, h("span", { class: "dots", "aria-hidden": true }, h("i"), h("i"), h("i")), ` ${nameOf(author)} is thinking…`),
			notes[message.type] && h("p", { class: "muted" }, `${nameOf(author)} ${notes[message.type]}`),
			live.editing === message.id ? h(parts.Edit, { message }) : message.content && h(Markdown, { text: message.content, mentions: message.mentions }),
			message.edited_timestamp && message.content && !message.author.bot && h("span", { class: "edited" }, "(edited)"),
			h(Enclosed, { message }),
			forwarded(message).map((m) => h(Forward, { message: m, from: message.message_reference })),
			thread && press({ class: "reaction", onClick: () => live.open(thread.key) }, h(Thread), h(Text, { text: thread.name })),
			message.reactions && h(Reactions, { message }),
			failure && h(Failure, failure),
			parts.Tools && h(parts.Tools, { message, more }),
			ephemeral && h(Private, { dismiss: () => live.dismiss(message).catch((err) => world.alert(err.message)) })));
}

// Enclosed shows the parts of a message other than its text.
function Enclosed({ message }) {
	return [
		(message.embeds ?? []).map((embed) => embed.type === "poll_result" ? parts.PollResult && h(parts.PollResult, { embed, poll: message.message_reference?.message_id }) : h(Embed, { embed, mentions: message.mentions })),
		(message.attachments ?? []).map((a) => (/^image\//.test(a.content_type) ? h(Media, { item: a }) : h("div", { class: "file" }, h(Picture), h("span", null, a.filename)))),
		message.poll && parts.Poll && h(parts.Poll, { message }),
		message.components?.length > 0 && h("div", { class: "components" }, h(Components, { list: message.components, message })),
	];
}

// still returns a copy of components that nobody can press.
const still = (list) => (list ?? []).map((c) => ({ ...c, disabled: true, components: c.components && still(c.components), accessory: c.accessory && still([c.accessory])[0] }));

// Forward shows a message as it was when it was forwarded. Discord does not tell its author.
function Forward({ message, from }) {
	const live = useLive();
	const origin = live.channels.find((c) => c.id === from?.channel_id);
	const m = { ...message, id: "", components: still(message.components) };
	return h("div", { class: "forward", role: "group", "aria-label": "Forwarded message" },
		h("p", { class: "muted small" }, h(Reply), " ", h("em", null, "Forwarded")),
		m.content && h(Markdown, { text: m.content, mentions: m.mentions }), h(Enclosed, { message: m }),
		h("p", { class: "muted small" }, origin ? `#${origin.name} · ` : "", h("time", { dateTime: m.timestamp }, header(m.timestamp, live.now(), live.locale))));
}

export function Private({ dismiss }) {
	const go = (e) => { e.currentTarget.closest(".scroller")?.focus({ preventScroll: true }); dismiss(); }; // the button disappears with the message, so the focus moves first
	return h("p", { class: "private" }, h(Eye), "Only you can see this · ", press({ class: "textual", onClick: go }, "Dismiss message"));
}

export function Failure({ text, detail }) {
	return h("div", { class: "failure", role: "alert" }, text, detail && h("details", null, h("summary", null, "Why?"), h("pre", null, detail)));
}

// above shows a line above a message, joined to it.
const above = (...children) => h("div", { class: "used" }, h("span", { class: "spine", "aria-hidden": true }), children);

// Used is the line above an answer: who used which command.
export function Used({ used, name, message }) {
	const live = useLive();
	const user = live.user(used.user?.id) ?? used.user ?? { id: "0", username: "someone" };
	const target = used.target_user ?? null;
	const word = name ? (target || message?.type === 23 || name.startsWith("/") ? name : "/" + name) : "a command";
	return above(h(Avatar, { user, size: 16 }), h(Author, { user }),
		h("span", null, " used "), h("span", { class: "command" }, word), target && h("span", { class: "target" }, ` on ${nameOf(target)}`));
}

function Replied({ to }) {
	const live = useLive();
	if (to === null) return above(h(Reply), h("em", null, "Original message was deleted"));
	const jump = () => live.jump(live.channel.key, to.id);
	const author = authorOf(to, live);
	const text = source(to);
	return above(h(Avatar, { user: author, size: 16 }), h(Author, { user: author }),
		press({ class: "quoted", onClick: jump }, text ? h(Line, { text }) : "Click to see the message"));
}
