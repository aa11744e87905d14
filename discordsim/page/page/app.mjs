// The root of the page.
import { h, iconPress, part, parts, render, useEffect, useReducer, useRef, useState, whenArrived } from "./dom.mjs";
import { Live, lacking, troubles } from "./live.mjs";
import { Text, World, nameOf, placeName } from "./text.mjs";
import { Messages, gist, news } from "./message.mjs";
import { Menu } from "./dialog.mjs";
import { Side } from "./side.mjs";
import { Members, You, actions } from "./people.mjs";
import { Close, People, Pin, Menu as Lines, Wrench, iconOf } from "./icons.mjs";

const tourKey = "discordsim.tour", asideKey = "discordsim.aside", themeKey = "discordsim.theme";

// Storage may be switched off; then the page remembers nothing over a reload.
function remember(key, value) { try { localStorage.setItem(key, value); } catch { /* see above */ } }
function recall(key) { try { return localStorage.getItem(key); } catch { return null; } }

const wear = (theme) => { if (theme) document.documentElement.dataset.theme = theme; else delete document.documentElement.dataset.theme; };

// toComposer moves the focus to the composer, so that a character typed elsewhere is written there.
function toComposer(event) {
	if (event.type === "click") event.preventDefault();
	document.getElementById("compose")?.focus();
}

const wide = matchMedia("(width >= 62.5em)"); // wide enough to show the right side beside the chat

function App({ live }) {
	const [, redraw] = useReducer((n) => n + 1, 0);
	const [card, setCard] = useState(null);
	const [menu, setMenu] = useState(null);
	const [switching, setSwitching] = useState(null);
	const [drawer, setDrawer] = useState("");                               // the drawer over the chat of a narrow window: channels, aside or none
	const [aside, setAside] = useState(recall(asideKey) ?? "members");      // the content of the right side: members, maker or none
	const [maker, setMaker] = useState({ tab: "controls" });
	const [tour, setTour] = useState(recall(tourKey) !== "seen");
	const [theme, setTheme] = useState(recall(themeKey) ?? "");
	const [request, setRequest] = useState(null);
	const [alert, setAlert] = useState("");
	const world = useRef({}).current; // stays the same object, so that components with this context are only drawn when needed
	useEffect(() => {
		const off = live.subscribe(redraw);
		live.start();
		whenArrived(redraw);
		wide.addEventListener("change", redraw);
		document.addEventListener("keydown", (e) => { if (e.key === "/" && !e.target.closest("input, textarea, select, dialog")) toComposer(e); });
		return off;
	}, []);
	useEffect(() => wear(theme), [theme]);
	useEffect(() => { if (drawer) document.querySelector(drawer === "channels" ? ".channels .here" : ".aside button")?.focus(); }, [drawer]);
	useEffect(() => { if (live.up) setAlert(""); }, [live.up]);
	useEffect(() => {
		if (!alert) return undefined;
		const timer = setTimeout(() => setAlert(""), 6000);
		return () => clearTimeout(timer);
	}, [alert]);
	const faults = troubles(live.faults), lacks = lacking(live).length > 0;
	const pinned = (live.messages ?? []).filter((m) => m.pinned);
	const unread = [...live.unread.values()].reduce((a, b) => a + b, 0);
	useEffect(() => { document.title = `${unread ? `(${unread}) ` : ""}${placeName(live.channel, live)} · ${live.guild?.name ?? "Playground"}`; });

	const hold = (what) => { remember(asideKey, what); setAside(what); };
	const visible = (what) => aside === what && (wide.matches || drawer === "aside");
	// In a narrow window the right side is a drawer, which closes when it is asked to show the same content again.
	const toggle = (what) => {
		const on = !visible(what);
		if (wide.matches) hold(on ? what : "");
		else { setAside(what); setDrawer(on ? "aside" : ""); }
	};
	const hide = () => { setDrawer(""); if (wide.matches) hold(""); };
	const inspect = (about) => { setMaker({ tab: "transcript", about }); if (!visible("maker")) toggle("maker"); };
	const run = (command) => live.run(command).catch((err) => setAlert(err.message));
	Object.assign(world, { live, run, inspect, alert: setAlert, card: (user, anchor) => setCard({ user, anchor }), compose: (text) => setRequest({ text }), reply: (to) => setRequest({ to }) });
	world.menu = (user, anchor) => setMenu({ label: nameOf(user), items: actions(user, world, anchor), anchor });
	world.choose = (label, items, anchor) => setMenu({ label, items, anchor });
	const endTour = () => { remember(tourKey, "seen"); setTour(false); };
	const you = (anchor) => setSwitching({ anchor });

	if (!live.me) return h("div", { class: "starting", role: "status" }, h("p", null, live.problem || "Connecting to the local Discord…"));
	return h(World.Provider, { value: world },
		h("div", { class: `app${aside ? "" : " no-aside"}${aside === "maker" ? " with-maker" : ""}${drawer ? " drawer-" + drawer : ""}`, onKeyDown: (e) => { if (e.key === "Escape" && !e.target.closest("dialog")) setDrawer(""); } },
			h("a", { class: "skip", href: "#compose", onClick: toComposer }, "Skip to the message box"),
			h("div", { class: "scrim", onClick: () => setDrawer("") }),
			h("div", { class: "side" }, h(Side, { onYou: you, open: (key) => { setDrawer(""); live.open(key); }, enter: (guild) => live.enter(guild) })),
			h("main", { class: "chat" },
				h("header", { class: "bar" },
					iconPress("Channels" + (unread ? `, ${unread} new` : ""), Lines, { class: "narrow", "aria-expanded": drawer === "channels", onClick: () => setDrawer("channels") }, unread > 0 && h("span", { class: "badge", "aria-hidden": true }, unread)),
					h("h1", { class: "place" }, h(iconOf(live.channel)), h("span", null, h(Text, { text: placeName(live.channel, live).replace(/^[@#]/, "") }))),
					h("span", { class: "grow" }),
					h("span", { class: "narrow" }, h(You, { onOpen: you, compact: true })),
					pinned.length > 0 && iconPress("Pinned messages", Pin, { "aria-haspopup": "menu", onClick: (e) => world.choose("Pinned messages", pinned.map((m) => ({ label: gist(m, live).slice(0, 80) || "A message", hint: nameOf(m.author), run: () => live.jump(live.channel.key, m.id) })), e.currentTarget) }),
					iconPress("Maker's tools" + (lacks ? ", a bot asked for what is not simulated" : "") + (faults ? ", faults are on" : "") + (live.offset ? ", the clock was moved" : ""), Wrench, { "aria-pressed": visible("maker"), onClick: () => toggle("maker") }, faults ? h("span", { class: "badge", "aria-hidden": true }, faults) : (lacks || live.offset > 0) && h("span", { class: "dot" })),
					iconPress("Members", People, { "aria-pressed": visible("members"), onClick: () => toggle("members") })),
				live.ping && parts.Ping && h(parts.Ping),
				live.lost && h("p", { class: "banner", role: "status" }, h("span", { class: "spinner", "aria-hidden": true }), "Connection lost. Reconnecting…"),
				live.up && !live.bots.some((b) => b.connected) && h("p", { class: "banner quiet", role: "status" }, live.bots.length ? `${live.bots.map((b) => nameOf(b.user)).join(", ")} is offline. Buttons and commands answer again when it is back.` : "No bot is connected yet. Point one at this address: " + location.origin),
				live.channel?.type > 14 ? parts.Forum && h(parts.Forum) : h(Messages),
				tour && live.ready && parts.Tour && h(parts.Tour, { onDone: endTour }),
				alert && h("p", { class: "toast", role: "alert" }, alert, iconPress("Close", Close, { onClick: () => setAlert("") })),
				live.channel?.type > 14 ? null : parts.Composer ? h(parts.Composer, { request }) : h("div", { class: "composer" }, h("div", { class: "composer-box" }))),
			aside === "maker"
				? h("aside", { class: "aside maker", "aria-label": "Maker's tools" }, part("Maker") && h(parts.Maker, { shown: maker, show: setMaker, onClose: hide }))
				: h("aside", { class: "aside members", "aria-label": "Members" }, h(Members))),
		h(Announcer, { live }),
		card && parts.Card && h(parts.Card, { key: card.user.id, ...card, onClose: () => setCard(null) }),
		menu && h(Menu, { ...menu, onClose: () => setMenu(null) }),
		switching && parts.Switch && h(parts.Switch, { ...switching, theme, onTheme: (t) => { remember(themeKey, t); setTheme(t); }, onClose: () => { setSwitching(null); setDrawer(""); } }),
		live.modal && parts.Modal && h(parts.Modal, { key: live.modal.interaction }));
}

// Announcer makes screen readers read each new message, and the new text of an edited message.
function Announcer({ live }) {
	const last = useRef(null);
	const message = live.heard;
	const text = useRef("");
	if (message && message !== last.current) {
		last.current = message;
		const said = message.author?.id !== live.me?.id && news(message, live.heardBefore, live).slice(0, 240);
		if (said) text.current = `${nameOf(live.user(message.author?.id) ?? message.author)}: ${said}`;
	}
	return h("div", { class: "sr", "aria-live": "polite", "aria-atomic": "true" }, text.current);
}

const query = new URLSearchParams(location.search);
wear(recall(themeKey));
render(h(App, { live: new Live({ as: query.get("as"), channel: query.get("channel") }) }), document.getElementById("root"));
