// People: avatars, the list of members, and the person of the window.
import { h, press, useContext } from "./dom.mjs";
import { World, nameOf, useLive } from "./text.mjs";
import { menus } from "./live.mjs";
import { pointer, wanted } from "./dialog.mjs";
import { Clock, Swap } from "./icons.mjs";

const discs = ["#b0316d", "#1f7a4d", "#a85a0a", "#0f7285", "#8b4fb5", "#556b1f", "#b3382c", "#31638f"];

// Apps have the product's own colour, so that nobody takes one for a person. People take the other colours in turn, so that
// neighbours differ.
export function disc(user, live) {
	if (user.bot || live.bot(user.id)) return "#5865f2";
	const place = live.people.findIndex((u) => u.id === user.id);
	return discs[(place < 0 ? Number(String(user.id).slice(-3)) || 0 : place) % discs.length];
}

const initial = (name) => [...name.replace(/[^\p{L}\p{N}]/gu, "")][0]?.toUpperCase() ?? [...name][0] ?? "?";

// The face of an app: two eyes and an antenna, which no person's avatar has.
const robot = () => h("svg", { viewBox: "0 0 24 24", class: "robot", focusable: "false" },
	h("path", { d: "M12 4.5V7M8 7h8a3 3 0 0 1 3 3v5a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-5a3 3 0 0 1 3-3ZM9.5 11.5v2M14.5 11.5v2", fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round" }), h("circle", { cx: "12", cy: "4", r: "1.5", fill: "currentColor" }));

// An app's own picture covers its disc.
const picture = ({ id, avatar }) => avatar && h("img", { key: avatar, src: `/api/cdn/avatars/${id}/${avatar}.png`, alt: "", onError: (e) => { e.currentTarget.hidden = true; } });

/** Avatar is a disc with an initial or, for apps, with a robot's face or the app's picture; status comes from statusOf or is missing. */
export function Avatar({ user, size = 40, status }) {
	const live = useLive();
	return h("span", { class: "avatar", style: { width: size + "px", height: size + "px", fontSize: size * 0.45 + "px", backgroundColor: disc(user, live) }, "aria-hidden": true },
		user.bot || live.bot(user.id) ? robot() : initial(nameOf(user)), picture(user), status && h("span", { class: "status " + status }));
}

export const AppTag = () => h("span", { class: "app-tag" }, "APP");

const statusWords = { online: "Online", idle: "Idle", dnd: "Do not disturb", offline: "Offline" };

/** statusOf returns online, idle, dnd or offline. */
export function statusOf(user, live) {
	const bot = live.bot(user.id);
	if (bot) return bot.connected ? "online" : "offline";
	return live.user(user.id)?.status ?? "online";
}

export function Members() {
	const live = useLive();
	const all = [...live.present].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
	const is = (bot, off) => (u) => Boolean(live.bot(u.id)) === bot && (statusOf(u, live) === "offline") === off;
	const group = (title, list) => list.length > 0 && h("section", null, h("h2", null, `${title} — ${list.length}`), h("ul", null, list.map((u) => h("li", { key: u.id }, h(Member, { user: u })))));
	return [group("Apps", all.filter(is(true, false))), group("Online", all.filter(is(false, false))), group("Offline", [...all.filter(is(true, true)), ...all.filter(is(false, true))])];
}

function Member({ user }) {
	const { live, card, menu } = useContext(World);
	const status = statusOf(user, live);
	return press({
		class: "member" + (status === "offline" ? " off" : ""), "data-user": user.username,
		onClick: (e) => card(user, e.currentTarget), onContextMenu: (e) => { e.preventDefault(); menu(user, pointer(e)); },
	}, h(Avatar, { user, size: 32, status }),
	h("span", { class: "member-name" }, nameOf(user)), live.bot(user.id) && h(AppTag),
	live.silence(user.id) > 0 && h("span", { class: "timed-out", title: "Timed out" }, h(Clock), h("span", { class: "sr" }, "Timed out")),
	user.id === live.me?.id && h("span", { class: "you-tag" }, "you"),
	status !== "online" && h("span", { class: "sr" }, statusWords[status]));
}

/** Author is a name that opens the user's card or, with a right click, the menu of actions. */
export function Author({ user, tag = "span" }) {
	const { card, menu } = useContext(World);
	return h(tag, { class: "who" }, press({
		class: "author", onClick: (e) => card(user, e.currentTarget),
		onContextMenu: (e) => { if (wanted(e)) { e.preventDefault(); e.stopPropagation(); menu(user, pointer(e)); } },
	}, nameOf(user)), user.bot && h(AppTag));
}

/** actions lists the actions for a person or an app, for Menu. */
export function actions(user, { live, run, card, compose }, anchor) {
	const bot = live.bot(user.id), other = user.id !== live.me.id && live.user(user.id);
	return [
		{ label: "Profile", run: () => card(user, anchor) },
		other && { label: "Message", run: () => live.write(user) },
		other && !bot && { label: `Be ${nameOf(user)}`, run: () => live.become(user.username) },
		{ label: "Mention", run: () => compose(`@${user.username} `) },
		...apps({ live, run }, user.id),
	];
}

/** apps lists the commands that apps offer for a person or, with MESSAGE_MENU, a message: for Menu, under a heading. */
export function apps({ live, run }, target, type) {
	const list = menus(live.offered, live.context, type).map((c) => ({ label: c.name, hint: nameOf(live.bot(c.application_id)?.user), run: () => run({ application: c.application_id, name: c.name, target }) }));
	return list.length ? ["Apps", ...list] : [];
}

/** You shows the person of this window, at the bottom left. */
export function You({ onOpen, compact }) {
	const live = useLive();
	if (!live.me) return null;
	return press({ class: compact ? "you compact" : "you", "aria-haspopup": "dialog", onClick: (e) => onOpen(e.currentTarget) },
		h(Avatar, { user: live.me, size: compact ? 28 : 32, status: statusOf(live.me, live) }),
		h("span", { class: compact ? "sr" : "you-text" }, h("small", null, "You are "), h("strong", null, nameOf(live.me)), h("span", { class: "sr" }, ". Be somebody else")),
		h(Swap));
}
