// The card of a person or an app, and the dialog in which the window changes its person.
import { choice, h, part, parts, press, complaint, useContext, useEffect, useRef, useState } from "./dom.mjs";
import { Dialog } from "./dialog.mjs";
import { World, nameOf, useAttempt, useLive } from "./text.mjs";
import { AppTag, Avatar, apps, disc, statusOf } from "./people.mjs";
import { Check, Plus, Swap } from "./icons.mjs";

/** Card is the dialog that opens after a click on a name. */
export function Card({ user, anchor, onClose }) {
	const { live, run } = useContext(World);
	const bot = live.bot(user.id);
	const known = live.user(user.id) ?? user;
	const isBot = Boolean(bot || known.bot);
	const [, ...offers] = apps({ live, run }, known.id);
	const other = known.id !== live.me.id && live.user(known.id);
	const [changing, setChanging] = useState(false);
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
		(bot ? live.guild?.members?.some((m) => m.user === known.id) : live.user(known.id)) && h("details", { class: "card-apps card-settings", onToggle: (e) => setChanging(e.currentTarget.open) }, h("summary", null, "Change"),
			changing && part("PersonSettings") && h(parts.PersonSettings, { user: known, onGone: onClose })));
}

/** Switch changes the person of this window, opens a second window as another person, or adds a person. */
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
	const input = useRef(null);
	useEffect(() => input.current.focus(), []);
	const [error, attempt] = useAttempt();
	const add = (e) => {
		e.preventDefault();
		const username = name.trim().toLowerCase().normalize("NFKD").replace(/[^a-z0-9_.]+/g, "").slice(0, 32) || "person" + (live.people.length + 1);
		attempt(live.addPerson({ username, global_name: name.trim().slice(0, 32), locale }).then((user) => { onDone(); live.become(user.username); }));
	};
	return h("form", { class: "adding", onSubmit: add },
		h("label", null, "Name", h("input", { ref: input, type: "text", required: true, maxLength: 32, value: name, autocomplete: "off", onInput: (e) => setName(e.currentTarget.value) })),
		h("label", null, "Language", h("select", { value: locale, onChange: (e) => setLocale(e.currentTarget.value) }, languages.map((l) => h("option", { value: l }, languageName(l))))),
		complaint(error),
		h("div", { class: "form-actions" },
			press({ class: "button", onClick: onBack }, "Back"),
			press({ type: "submit", class: "button primary" }, "Add and be them")));
}

/** NewGroup creates a group of people, without bots, and calls open with its id. */
export function NewGroup({ anchor, open, onClose }) {
	const live = useLive();
	const [name, setName] = useState("");
	const [others, setOthers] = useState([]);
	const [error, attempt] = useAttempt();
	const people = live.people.filter((u) => u.id !== live.me.id);
	const add = (e) => {
		e.preventDefault();
		const called = name.trim() || others.map((id) => nameOf(live.user(id))).join(", ").slice(0, 100);
		attempt(live.ask("POST", "groups", { name: called, people: [live.me.id, ...others] }).then(({ id }) => live.refresh().then(() => { onClose(); open(id); })));
	};
	return h(Dialog, { label: "New group", kind: "sheet", anchor, onClose },
		h("form", { class: "adding", onSubmit: add }, h("h2", null, "New group"),
			h("div", null, people.map((u) => h("label", { class: "setting", key: u.id }, h(Avatar, { user: u, size: 24 }), h("span", { class: "grow" }, nameOf(u)),
				h("input", { type: "checkbox", checked: others.includes(u.id), onChange: () => setOthers(others.includes(u.id) ? others.filter((o) => o !== u.id) : [...others, u.id]) })))),
			h("label", null, "Name", h("input", { type: "text", maxLength: 100, autocomplete: "off", value: name, onInput: (e) => setName(e.currentTarget.value) })),
			complaint(error),
			h("div", { class: "form-actions" }, press({ class: "button", onClick: onClose }, "Cancel"), press({ type: "submit", class: "button primary", disabled: !others.length }, "Open"))));
}

// Discord's locales for people, as Discord's clients offer them.
export const languages = ["en-US", "en-GB", "id", "da", "de", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko"];

export function languageName(locale) {
	try { return new Intl.DisplayNames(["en"], { type: "language" }).of(locale); } catch { return locale; }
}
