// What the person can do with a message: the buttons that appear beside it, its menu, and changing its text.
import { complaint, h, iconPress, press, useContext, useEffect, useRef, useState } from "./dom.mjs";
import { Emoji } from "./emoji.mjs";
import { World, useAttempt, useLive } from "./text.mjs";
import { icon } from "./icons.mjs";
import { MESSAGE_MENU } from "./live.mjs";
import { gist, react } from "./message.mjs";
import { mentioned } from "./options.mjs";
import { apps } from "./people.mjs";

const EPHEMERAL = 64;
const Code = icon("m8 7-5 5 5 5M16 7l5 5-5 5");
const More = icon("M5 12h.01M12 12h.01M19 12h.01", { "stroke-width": "3" });
const Answer = icon("M9 6 3 12l6 6M3 12h11a7 7 0 0 1 7 7");
const Pencil = icon("M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4");

// The menu offers these reactions. Any other reaction can be joined below its message.
const faces = ["👍", "❤️", "😂", "🎉", "👎"];

const shared = (message) => !(message.flags & EPHEMERAL);
const written = (message) => [0, 19, 20, 23].includes(message.type ?? 0); // and not a message of the system
const mine = (message, live) => message.author.id === live.me.id && shared(message);
const answerable = (message, live) => shared(message) && written(message) && live.may(live.channel.thread_metadata ? "SEND_MESSAGES_IN_THREADS" : "SEND_MESSAGES");

/** editable reports whether the person wrote the text of a message and can change it. */
export const editable = (message, live) => mine(message, live) && written(message) && !message.poll && !live.channel.thread_metadata?.archived;

/** Tools are the buttons beside a message; more(anchor) opens its menu, which has all actions. */
export function Tools({ message, more }) {
	const world = useContext(World), { live, reply } = world;
	return h("div", { class: "tools", role: "group", "aria-label": "What to do with this message" },
		editable(message, live) ? iconPress("Edit", Pencil, { tabIndex: -1, onClick: () => live.edit(message) })
			: answerable(message, live) && iconPress("Reply", Answer, { tabIndex: -1, onClick: () => reply(message) }),
		iconPress("Show what was sent", Code, { tabIndex: -1, onClick: () => world.inspect({ message: message.id }) }),
		iconPress("More", More, { "aria-haspopup": "menu", onClick: (e) => more(e.currentTarget) }));
}

/** messageActions lists the actions for a message, for Menu. */
export function messageActions(message, world, anchor) {
	const { live, run, inspect, alert } = world;
	const text = gist(message, live), copy = (s) => navigator.clipboard.writeText(s).catch(() => alert("The browser did not let the page copy."));
	const ask = (what, more) => () => live.ask("POST", what, { as: live.me.username, message: message.id, ...more }).catch((err) => alert(err.message));
	return [
		shared(message) && { label: "Add reaction", run: () => world.choose("Reaction", faces.map((name) => ({ label: h(Emoji, { emoji: name }), run: () => react(message, { name }, false, world) })), anchor) },
		editable(message, live) && { label: "Edit message", run: () => live.edit(message) },
		answerable(message, live) && { label: "Reply", run: () => world.reply(message) },
		mine(message, live) && message.poll && !message.poll.results?.is_finalized && { label: "End poll now", run: ask("end-poll") },
		shared(message) && live.may("PIN_MESSAGES") && { label: message.pinned ? "Unpin message" : "Pin message", run: ask("pin", { remove: message.pinned }) },
		text && { label: "Copy text", run: () => copy(text) },
		{ label: "Copy message ID", run: () => copy(message.id) },
		{ label: "Show what was sent", run: () => inspect({ message: message.id }) },
		shared(message) && (mine(message, live) || live.may("MANAGE_MESSAGES")) && { label: "Delete message", danger: true, run: ask("delete") },
		...apps({ live, run }, message.id, MESSAGE_MENU),
	];
}

// asWritten is the text of a message with the names in place of the mentions, as people write them.
const asWritten = (text, live) => text.replace(/<([@#])!?(\d+)>/g, (whole, sign, id) => {
	const name = sign === "@" ? live.user(id)?.username : live.channels.find((c) => c.id === id)?.name;
	return name ? sign + name : whole;
});

/** Edit shows the text of the person's own message for changing it. */
export function Edit({ message }) {
	const live = useLive();
	const [text, setText] = useState(() => asWritten(message.content, live));
	const [error, attempt] = useAttempt();
	const input = useRef(null);
	useEffect(() => { input.current.focus(); input.current.setSelectionRange(text.length, text.length); }, []);
	const close = () => { live.edit(null); document.getElementById("compose")?.focus(); };
	const save = () => {
		const content = mentioned(text.trim(), { users: live.users, channels: live.channels.filter((c) => c.guild_id) });
		if (content === message.content) close();
		else attempt(live.ask("POST", "edit", { as: live.me.username, message: message.id, content }).then(close));
	};
	const onKeyDown = (e) => {
		if (e.isComposing || e.key !== "Escape" && (e.key !== "Enter" || e.shiftKey)) return;
		e.preventDefault();
		e.stopPropagation();
		if (e.key === "Enter") save(); else close();
	};
	return h("div", { class: "edit" },
		h("textarea", { ref: input, class: "plain", rows: Math.min(8, text.split("\n").length), value: text, maxLength: 2000, "aria-label": "Edit message", onInput: (e) => setText(e.currentTarget.value), onKeyDown }),
		complaint(error),
		h("p", { class: "small" }, "Escape to ", press({ class: "textual", onClick: close }, "cancel"), " · Enter to ", press({ class: "textual", onClick: save }, "save")));
}
