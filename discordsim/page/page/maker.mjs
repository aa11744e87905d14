// The panel for makers of bots: the clock, faults to switch on, how fast each interaction was answered, and the transcript. With
// the settings of servers it is the last of the three scripts.
import { arrived, choice, h, iconPress, press, complaint, toggle, useEffect, useState } from "./dom.mjs";
import { Clock, nameOf, useAttempt, useLive } from "./text.mjs";
import { Avatar } from "./people.mjs";
import { Close } from "./icons.mjs";
import { stamp } from "./time.mjs";
import { countOn, idle, lacking } from "./live.mjs";
import { AddServer, ServerSettings } from "./server.mjs";
import { PersonSettings } from "./person.mjs";

const tabs = [["controls", "Controls"], ["interactions", "Interactions"], ["transcript", "Transcript"]];

// Maker opens with shown {tab, about}; about is {message} or {interaction}, or nothing.
function Maker({ shown, show, onClose }) {
	const live = useLive();
	const { tab } = shown;
	const keys = (e) => {
		const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
		if (!by) return;
		const next = tabs[(tabs.findIndex(([key]) => key === tab) + by + tabs.length) % tabs.length][0];
		show({ tab: next });
		document.getElementById("tab-" + next).focus();
	};
	return [
		h("header", { class: "bar" }, h("h2", null, "Maker's tools"), h("span", { class: "grow" }),
			iconPress("Close the maker's tools", Close, { onClick: onClose })),
		h("div", { class: "tabs", role: "tablist", "aria-label": "Maker's tools", onKeyDown: keys }, tabs.map(([key, word]) => press({
			role: "tab", id: "tab-" + key, class: "tab", "aria-selected": key === tab, "aria-controls": "maker-panel", tabIndex: key === tab ? 0 : -1, onClick: () => show({ tab: key }),
		}, word))),
		h("div", { class: "maker-panel", id: "maker-panel", role: "tabpanel", "aria-labelledby": "tab-" + tab, tabIndex: 0 },
			tab === "controls" && [h(Absent), h(ClockTools), h(Faults), live.bots.map((b) => h(Endpoint, { key: b.application_id, bot: b }))],
			tab === "interactions" && h(Interactions, { onPick: (id) => show({ tab: "transcript", about: { interaction: id } }) }),
			tab === "transcript" && h(Transcript, { about: shown.about, onAll: () => show({ tab: "transcript" }) })),
	];
}

// ---- unsimulated features ----

function Absent() {
	const live = useLive();
	return lacking(live).map((b) => h("section", { class: "tool", key: b.application_id }, h("h3", null, "Not simulated"),
		h("p", { class: "muted" }, `${nameOf(b.user)} asked for what Discord has and this simulator does not have:`),
		h("ul", { class: "absent-list" }, b.not_simulated.map(({ what, times }) => h("li", { key: what }, h("code", null, what), times > 1 && ` ${times} times`)))));
}

// ---- clock ----

function ahead(ms) {
	const minutes = Math.round(ms / 60000), parts = [[Math.floor(minutes / 1440), "d"], [Math.floor(minutes / 60) % 24, "h"], [minutes % 60, "min"]];
	return parts.filter(([n]) => n).map(([n, u]) => `${n} ${u}`).join(" ") || "0 min";
}

function ClockTools() {
	const live = useLive();
	const [busy, setBusy] = useState(false);
	const [error, attempt] = useAttempt();
	const go = (step) => {
		if (busy) return;
		setBusy(true);
		attempt(live.advance(step)).then(() => setBusy(false));
	};
	return h("section", { class: "tool" }, h("h3", null, "Clock"),
		h("p", { class: "tools-now" }, h(Clock, { style: "T" }), h("small", null, h(Clock, { style: "D" }))),
		h("p", { class: "muted" }, live.offset ? `${ahead(live.offset)} ahead of real time.` : "Runs with real time."),
		h("div", { class: "tools-steps", role: "group", "aria-label": "Move the clock forward" }, [["1m", "+1 min"], ["5m", "+5 min"], ["1h", "+1 h"], ["24h", "+1 d"], ["168h", "+7 d"]].map(([step, word]) =>
			press({ class: "button", "aria-disabled": busy || undefined, "data-advance": step, onClick: () => go(step) }, word))),
		complaint(error),
		h("p", { class: "muted small" }, "Turns, challenges and countdowns follow it. It never goes back."));
}

// ---- faults ----

// Each switch: [key in the call, words, kind]. A kind is "switch", "ms", "count", or a list of [value, words].
const faultGroups = [
	["Interactions", [
		["duplicate", "Sent twice", "switch"], ["reorder", "Sent in the wrong order", "switch"], ["lose", "Lost on the way", "switch"], ["delay_ms", "Sent late by", "ms"],
		["callback_delay_ms", "Answers arrive late by", "ms"],
	]],
	["REST", [
		["rest_delay_ms", "Each call takes longer by", "ms"], ["rest_status", "Each call fails with", [[0, "—"], [500, "500"], [502, "502"], [503, "503"], [504, "504"]]],
		["rest_limit", "Each call is limited", [["", "—"], ["global", "globally"], ["global_bare", "globally, with bare headers"], ["shared", "on a shared resource"], ["html", "by a page that is no JSON"]]],
		["rest_retry_after_ms", "Retry after", "ms"], ["rest_count", "Only that many calls (0: all)", "count"],
	]],
	["Gateway", [
		["silent", "Silent after HELLO", "switch"], ["no_acks", "Heartbeats are not acknowledged", "switch"],
		["hello", "Around HELLO", [["", "—"], ["reconnect", "reconnect instead"], ["ack", "an unasked acknowledgement"], ["with_upgrade", "with the upgrade"]]],
		["hello_delay_ms", "HELLO comes late by", "ms"],
		["after_identify", "After IDENTIFY", [["", "—"], ["reconnect", "reconnect"], ["invalid", "invalid session"], ["invalid_resumable", "invalid session, resumable"]]],
		["truncate_replay", "RESUME leaves out the last", "count"],
	]],
];

const gatewayActions = [["reconnect", "Reconnect"], ["invalid", "Invalid session"], ["invalid_resumable", "Invalid, resumable"], ["heartbeat", "Ask for a heartbeat"], ["drop", "Drop the line"], ["close", "Close with 4000"]];

function Faults() {
	const live = useLive();
	const [application, setApplication] = useState("");
	const [said, setSaid] = useState("");
	const [error, attempt] = useAttempt();
	const faults = (application ? live.faults.bots[application] : live.faults.all) ?? {};
	const put = (next) => attempt(live.breaks(application, next));
	const set = (key, value) => put({ ...faults, [key]: value });
	const act = (action) => attempt(live.ask("POST", "gateway", { application: application || undefined, action, ...(action === "close" && { code: 4000 }) })
		.then(({ connections: n }) => setSaid(`Done to ${n} connection${n === 1 ? "" : "s"}.`)));
	return h("section", { class: "tool" }, h("h3", null, "Faults"),
		live.bots.length > 1 && choice("Of", application, [["", "every app"], ...live.bots.map((b) => [b.application_id, nameOf(b.user)])], setApplication),
		faultGroups.map(([title, rows]) => h("fieldset", { key: title }, h("legend", null, title), rows.map(([key, words, kind]) => {
			const pick = (value) => set(key, value), props = { key, "data-fault": key };
			if (kind === "switch") return toggle(words, Boolean(faults[key]), pick, props);
			if (Array.isArray(kind)) return choice(words, faults[key] ?? kind[0][0], kind, pick, props);
			return h("label", { class: "setting", ...props }, h("span", null, words), h("span", { class: "number" },
				h("input", { type: "number", min: 0, max: 3600000, inputMode: "numeric", value: faults[key] ?? idle[key] ?? 0, onChange: (e) => pick(Math.max(0, Math.trunc(Number(e.currentTarget.value)) || 0)) }), kind === "ms" && h("small", null, "ms")));
		}))),
		countOn(faults) > 0 && press({ class: "button", onClick: () => put({}) }, "Switch all off"),
		h("fieldset", null, h("legend", null, "To the gateway, once and now"),
			h("div", { class: "actions" }, gatewayActions.map(([action, word]) => press({ class: "button", "data-gateway": action, onClick: () => act(action) }, word)))),
		said && h("p", { class: "muted small", role: "status" }, said),
		complaint(error));
}

// ---- interactions endpoint ----

function Endpoint({ bot }) {
	const live = useLive();
	const [url, setURL] = useState(bot.interactions_endpoint_url);
	const [said, setSaid] = useState("");
	const [error, attempt] = useAttempt();
	const save = (e) => {
		e.preventDefault();
		setSaid("");
		attempt(live.ask("PUT", `applications/${bot.application_id}/endpoint`, { url: url.trim() })
			.then(() => setSaid(`Interactions go ${url.trim() ? "there" : "over the gateway"}.`)));
	};
	return h("section", { class: "tool" }, h("h3", null, `Interactions endpoint of ${nameOf(bot.user)}`),
		h("form", { class: "new-channel", onSubmit: save },
			h("input", { type: "url", "aria-label": "Address", placeholder: "none: over the gateway", autocomplete: "off", value: url, onInput: (e) => setURL(e.currentTarget.value) }),
			press({ type: "submit", class: "button" }, "Set")),
		said && h("p", { class: "muted small", role: "status" }, said),
		complaint(error));
}

// ---- interactions ----

const statusWords = { pending: "waiting", held: "waiting", answered: "answered", deferred: "deferred", failed: "refused", timeout: "no answer" };
const limit = 3000; // the time limit for an answer, in milliseconds

function Interactions({ onPick }) {
	const live = useLive();
	if (!live.settled.length) return h("p", { class: "muted tool" }, "Use a command or press a button: how long the bot took for it is shown here.");
	return h("ul", { class: "latencies" }, live.settled.map((i) => {
		const who = live.user(i.as), bad = i.status === "failed" || i.status === "timeout";
		const inside = [
			who && h(Avatar, { user: who, size: 24 }),
			h("span", { class: "latency-text" }, h("span", null, h("strong", null, nameOf(who)), i.message ? " · component" : " · command"),
				h("small", { class: bad ? "error" : "muted" }, statusWords[i.status] ?? i.status, " · ", stamp(i.at / 1000, "T", live.now(), live.locale))),
			i.ms != null && i.status !== "pending" && h("span", { class: "latency" }, h("span", null, `${i.ms} ms`), h("meter", { min: 0, max: limit, low: limit / 6, high: limit / 2, optimum: 0, value: Math.min(i.ms, limit), "aria-label": "of three seconds" })),
		];
		return h("li", { key: i.id, "data-interaction": i.id }, press({ class: "latency-row", onClick: () => onPick(i.id) }, inside));
	}));
}

// ---- transcript ----

const opcodes = { 0: "dispatch", 1: "heartbeat", 2: "identify", 3: "presence", 6: "resume", 7: "reconnect", 8: "request members", 9: "invalid session", 10: "hello", 11: "heartbeat acknowledged" };
const newest = 200; // the number of visible lines

async function transcript(about) {
	const query = new URLSearchParams({ last: newest, ...about });
	const response = await fetch("/sim/transcript?" + query, { cache: "no-store" });
	if (!response.ok) throw new Error(`The transcript is not to be had: ${response.status}.`);
	return (await response.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line)).reverse();
}

const titleOf = (line) => (line.kind === "gateway" ? line.t || (line.path ? "connected" : line.op == null ? `closed with ${line.status}` : opcodes[line.op] || `op ${line.op}`) : `${line.method} ${pathOf(line)}`);

// An interaction's id and token mean nothing to readers, and fill the line.
const pathOf = (line) => (line.path ?? "").replace(/(\d{17,}\/)?\[token\]/, "…");

function Transcript({ about, onAll }) {
	const live = useLive();
	const [lines, setLines] = useState(null);
	const [beats, setBeats] = useState(false);
	const [error, setError] = useState("");
	const news = live.settled[0]; // changes soon after every message of the transcript
	useEffect(() => {
		let wanted = true;
		const timer = setTimeout(() => transcript(about).then((l) => { if (wanted) { setLines(l); setError(""); } }, (err) => wanted && setError(err.message)), 150);
		return () => { wanted = false; clearTimeout(timer); };
	}, [about?.message, about?.interaction, news]);
	const isBeat = (line) => line.kind === "gateway" && (line.op === 1 || line.op === 11);
	const shown = (lines ?? []).filter((line) => beats || !isBeat(line));
	// For one message or interaction, the last request and its response are opened.
	const open = about ? new Set([shown.find((l) => l.direction === "bot"), shown.find((l) => l.direction === "sim")]) : new Set();
	return h("section", { class: "tool" },
		h("div", { class: "actions" },
			about ? press({ class: "button", onClick: onAll }, about.message ? "Of one message" : "Of one interaction", h(Close), h("span", { class: "sr" }, "Show all")) : toggle("Heartbeats too", beats, setBeats),
			h("a", { class: "button link", href: "/sim/transcript", download: "transcript.jsonl" }, "Download all")),
		complaint(error),
		lines && !shown.length && h("p", { class: "muted" }, "Nothing was said yet."),
		h("ul", { class: "lines" }, shown.map((line) => h("li", { key: line.at + line.direction + titleOf(line) }, h("details", { class: "line", open: open.has(line) },
			h("summary", null, h("span", { class: "arrow " + line.direction, title: line.direction === "bot" ? "from the bot" : "to the bot" }, line.direction === "bot" ? "↑" : "↓", h("span", { class: "sr" }, line.direction === "bot" ? "from the bot " : "to the bot ")),
				h("span", { class: "line-title" }, titleOf(line)), line.not_simulated && h("span", { class: "error" }, "not simulated"), line.status && h("span", { class: line.status >= 400 ? "error" : "muted" }, line.status), line.ms != null && h("span", { class: "muted" }, `${line.ms} ms`)),
			h("p", { class: "muted small" }, stamp(Date.parse(line.at) / 1000, "S", live.now(), live.locale)),
			line.body !== undefined && h("pre", { tabIndex: 0 }, typeof line.body === "string" ? line.body : JSON.stringify(line.body, null, 1)))))));
}

arrived({ AddServer, Maker, PersonSettings, ServerSettings });
