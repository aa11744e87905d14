// People: avatars, the list of members, a member's card, and who one is.
import { choice, h, press, complaint, useContext, useState } from "./dom.mjs";
import { Dialog } from "./dialog.mjs";
import { World, nameOf, useAttempt, useLive } from "./text.mjs";
import { menus } from "./options.mjs";
import { pointer, wanted } from "./menu.mjs";
import { PersonSettings, languageName, languages } from "./person.mjs";
import { Check, Plus, Swap } from "./icons.mjs";

const discs = ["#b0316d", "#1f7a4d", "#a85a0a", "#0f7285", "#8b4fb5", "#556b1f", "#b3382c", "#31638f"];

// Apps have the house's own colour, so that nobody takes one for a person;
// people take the others in turn, so that neighbours differ.
function disc(user, live) {
	if (user.bot || live.bot(user.id)) return "#5865f2";
	const place = live.people.findIndex((u) => u.id === user.id);
	return discs[(place < 0 ? Number(String(user.id).slice(-3)) || 0 : place) % discs.length];
}

const initial = (name) => [...name.replace(/[^\p{L}\p{N}]/gu, "")][0]?.toUpperCase() ?? [...name][0] ?? "?";

// An app's face: two eyes and an antenna, as on no person's disc.
const robot = () => h("svg", { viewBox: "0 0 24 24", class: "robot", focusable: "false" },
	h("path", { d: "M12 4.5V7M8 7h8a3 3 0 0 1 3 3v5a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3v-5a3 3 0 0 1 3-3ZM9.5 11.5v2M14.5 11.5v2", fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round" }), h("circle", { cx: "12", cy: "4", r: "1.5", fill: "currentColor" }));

// What an app has given itself lies over its disc.
const picture = ({ id, avatar }) => avatar && h("img", { key: avatar, src: `/api/cdn/avatars/${id}/${avatar}.png`, alt: "", onError: (e) => { e.currentTarget.hidden = true; } });

/** Avatar is a disc with an initial, or with a robot's face or its own picture for apps; status is one of statusOf or nothing. */
export function Avatar({ user, size = 40, status }) {
	const live = useLive();
	return h("span", { class: "avatar", style: { width: size + "px", height: size + "px", fontSize: size * 0.45 + "px", backgroundColor: disc(user, live) }, "aria-hidden": true },
		user.bot || live.bot(user.id) ? robot() : initial(nameOf(user)), picture(user), status && h("span", { class: "status " + status }));
}

export const AppTag = () => h("span", { class: "app-tag" }, "APP");

const statusWords = { online: "Online", idle: "Idle", dnd: "Do not disturb", offline: "Offline" };

/** statusOf is online, idle, dnd or offline. */
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
	user.id === live.me?.id && h("span", { class: "you-tag" }, "you"),
	status !== "online" && h("span", { class: "sr" }, statusWords[status]));
}

/** Author is a name that opens the card of who it is, and with the other mouse button what one can do with them. */
export function Author({ user, tag = "span" }) {
	const { card, menu } = useContext(World);
	return h(tag, { class: "who" }, press({
		class: "author", onClick: (e) => card(user, e.currentTarget),
		onContextMenu: (e) => { if (wanted(e)) { e.preventDefault(); e.stopPropagation(); menu(user, pointer(e)); } },
	}, nameOf(user)), user.bot && h(AppTag));
}

/** actions lists what one can do with a person or an app, for Menu. */
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

/** Card is what one sees after a click on a name. */
export function Card({ user, anchor, onClose }) {
	const { live, run } = useContext(World);
	const bot = live.bot(user.id);
	const known = live.user(user.id) ?? user;
	const isBot = Boolean(bot || known.bot);
	const [, ...offers] = apps({ live, run }, known.id);
	const other = known.id !== live.me.id && live.user(known.id);
	const act = (fn) => () => { onClose(); fn(); };
	return h(Dialog, { label: nameOf(known), kind: "sheet card", anchor, onClose },
		h("div", { class: "card-top", style: { backgroundColor: disc(known, live) } }),
		h(Avatar, { user: known, size: 72, status: statusOf(known, live) }),
		h("h2", null, nameOf(known), " ", isBot && h(AppTag)),
		h("p", { class: "muted" }, known.username, known.locale && !isBot ? ` · ${languageName(known.locale)}` : ""),
		bot && !bot.connected && h("p", { class: "muted" }, "Not connected at the moment."),
		h("div", { class: "card-actions" },
			other && !isBot && press({ class: "button primary", onClick: act(() => live.become(known.username)) }, h(Swap), `Be ${nameOf(known)}`),
			other && press({ class: "button", onClick: act(() => live.write(known)) }, "Message")),
		offers.length > 0 && h("div", { class: "card-apps" }, h("h3", null, "Apps"),
			offers.map((o) => press({ class: "menu-item", onClick: act(o.run) }, h("span", null, o.label), h("small", null, o.hint)))),
		h(PersonSettings, { user: known, onGone: onClose }));
}

/** You stands at the bottom left: who this window is. */
export function You({ onOpen, compact }) {
	const live = useLive();
	if (!live.me) return null;
	return press({ class: compact ? "you compact" : "you", "aria-haspopup": "dialog", onClick: (e) => onOpen(e.currentTarget) },
		h(Avatar, { user: live.me, size: compact ? 28 : 32, status: statusOf(live.me, live) }),
		h("span", { class: compact ? "sr" : "you-text" }, h("small", null, "You are "), h("strong", null, nameOf(live.me)), h("span", { class: "sr" }, ". Be somebody else")),
		h(Swap));
}

/** Switch lets one be somebody else, here or in a second window, or add a person. */
export function Switch({ anchor, theme, onTheme, onClose }) {
	const live = useLive();
	const [adding, setAdding] = useState(false);
	return h(Dialog, { label: "You are", kind: "sheet switch", anchor, onClose },
		h("h2", null, adding ? "Add a person" : "You are"),
		adding ? h(Adding, { onDone: onClose, onBack: () => setAdding(false) }) : [
			h("ul", { class: "people" }, live.people.map((u) => h("li", { key: u.id },
				press({ class: "person", "data-person": u.username, "aria-pressed": u.id === live.me.id, "data-first": u.id === live.me.id || undefined, onClick: () => { onClose(); live.become(u.username); } },
					h(Avatar, { user: u, size: 32 }), h("span", { class: "person-text" }, h("strong", null, nameOf(u)), h("small", null, u.username, u.locale && u.locale !== "en-US" ? ` · ${languageName(u.locale)}` : "")), u.id === live.me.id && h(Check)),
				u.id !== live.me.id && h("a", { class: "window", href: "?as=" + encodeURIComponent(u.username), target: "_blank", rel: "noopener" }, "New window", h("span", { class: "sr" }, ` as ${nameOf(u)}`))))),
			press({ class: "menu-item add", onClick: () => setAdding(true) }, h(Plus), "Add a person"),
			choice("Theme", theme, [["", "as the system"], ["dark", "dark"], ["light", "light"]], onTheme),
		]);
}

function Adding({ onDone, onBack }) {
	const live = useLive();
	const [name, setName] = useState("");
	const [locale, setLocale] = useState("en-US");
	const [error, attempt] = useAttempt();
	const add = (e) => {
		e.preventDefault();
		const username = name.trim().toLowerCase().normalize("NFKD").replace(/[^a-z0-9_.]+/g, "").slice(0, 32) || "person" + (live.people.length + 1);
		attempt(live.addPerson({ username, global_name: name.trim().slice(0, 32), locale }).then((user) => { onDone(); live.become(user.username); }));
	};
	return h("form", { class: "adding", onSubmit: add },
		h("label", null, "Name", h("input", { type: "text", required: true, maxLength: 32, value: name, autocomplete: "off", onInput: (e) => setName(e.currentTarget.value) })),
		h("label", null, "Language", h("select", { value: locale, onChange: (e) => setLocale(e.currentTarget.value) }, languages.map((l) => h("option", { value: l }, languageName(l))))),
		complaint(error),
		h("div", { class: "form-actions" },
			press({ class: "button", onClick: onBack }, "Back"),
			press({ type: "submit", class: "button primary" }, "Add and be them")));
}
