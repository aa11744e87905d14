// The settings of a person or an app, and the roles of a server.
import { choice, complaint, h, iconPress, press, toggle, useContext, useState } from "./dom.mjs";
import { languageName, languages } from "./card.mjs";
import { Close, Plus, icon } from "./icons.mjs";
import { World, nameOf, useAttempt, useLive } from "./text.mjs";
import { stamp } from "./time.mjs";

const Up = icon("m6 15 6-6 6 6");
const statuses = [["online", "Online"], ["idle", "Idle"], ["dnd", "Do not disturb"], ["offline", "Offline"]];
const timeouts = [["0s", "no"], ["1m", "for 1 minute"], ["10m", "for 10 minutes"], ["1h", "for 1 hour"], ["24h", "for 1 day"], ["168h", "for 1 week"]];

/** useSure returns a function that makes an event handler, which calls run once the person has confirmed it. */
const useSure = () => {
	const { choose } = useContext(World);
	return (question, word, run) => (e) => choose(question, [question, { label: "Cancel", run() {} }, { label: word, danger: true, run }], e.currentTarget);
};

/** PersonSettings changes a person. Of an app it only changes what it is and may do on the server. */
export function PersonSettings({ user, onGone }) {
	const live = useLive(), sure = useSure();
	const [error, attempt] = useAttempt();
	const bot = live.bot(user.id), guild = live.guild;
	const member = guild?.members?.find((m) => m.user === user.id);
	const change = (...call) => attempt(live.ask(...call).then(() => live.refresh()));
	const patch = (to) => change("PATCH", "users/" + user.id, to);
	const server = `guilds/${guild?.id}/`, place = `${server}members/${user.id}`, until = live.silence(user.id);
	const put = (to) => change("PUT", place, { permissions: [member.permissions], nick: member.nick || undefined, ...to });
	const [words, bit] = bot ? ["May manage roles", 1n << 28n] : ["May manage the server", 1n << 5n];
	const may = BigInt(member?.permissions ?? 0);
	const leave = (word, question, ...call) => press({ class: "button danger", onClick: sure(`${question}?`, word, () => attempt(live.ask(...call).then(() => live.refresh()).then(onGone))) }, question);
	return [
		!bot && [
			choice("Status", user.status, statuses, (status) => patch({ status })),
			choice("Language", user.locale, [...new Set([user.locale, ...languages])].map((l) => [l, languageName(l)]), (locale) => patch({ locale })),
			toggle("Has installed every app", Boolean(user.installs), (installs) => patch({ installs })),
		],
		member && [
			toggle(words, (may & bit) !== 0n, () => put({ permissions: [String(may ^ bit)] })),
			!bot && choice("Time out", until ? "" : "0s", [...(until ? [["", "until " + stamp(until / 1000, "s", live.now(), live.locale)]] : []), ...timeouts], (d) => d && change("PUT", `${server}timeouts/${user.id}`, { for: d })),
			h(Roles, { guild, member, put }),
			leave("Ban", `Ban ${nameOf(user)}`, "PUT", `${server}bans/${user.id}`, {}),
			leave("Remove", `Remove from ${guild.name}`, "DELETE", place),
		],
		complaint(error),
	];
}

/** Roles lists the roles of a server, the highest first. With a member, put gives and takes them. */
export function Roles({ guild, member, put }) {
	const live = useLive(), sure = useSure();
	const [name, setName] = useState("");
	const [error, attempt] = useAttempt();
	const roles = guild.roles.filter((r) => r.id !== guild.id).sort((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1));
	const own = (id) => roles.find((r) => r.id === id)?.own;
	const change = (method, role, body) => attempt(live.ask(method, `guilds/${guild.id}/roles${role && "/" + role.id}`, body).then(() => live.refresh()));
	const add = (e) => {
		e.preventDefault();
		change("POST", "", { name: name.trim() }).then(() => setName(""));
	};
	return [
		h("h3", null, "Roles, the highest first"),
		h("ul", null, roles.map((r, i) => h("li", { key: r.id, class: "setting", "data-role": r.name },
			member && h("input", { type: "checkbox", "aria-label": "Has " + r.name, checked: member.roles.includes(r.id), disabled: r.own, onChange: (e) => put({ roles: [...member.roles.filter((id) => id !== r.id && !own(id)), ...(e.currentTarget.checked ? [r.id] : [])] }) }),
			h("input", { type: "text", maxLength: 100, "aria-label": "Name of " + r.name, value: r.name, onChange: (e) => change("PATCH", r, { name: e.currentTarget.value.trim() }) }),
			iconPress("Move up", Up, { class: "tiny", "aria-disabled": !i, onClick: () => change("PATCH", r, { position: roles.length - i + 1 }) }),
			iconPress("Delete", Close, { class: "tiny", disabled: r.own, onClick: sure(`Delete ${r.name}?`, "Delete", () => change("DELETE", r)) })))),
		h("form", { class: "new-channel", onSubmit: add },
			h("input", { type: "text", required: true, maxLength: 100, placeholder: "new role", "aria-label": "Name of a new role", autocomplete: "off", value: name, onInput: (e) => setName(e.currentTarget.value) }),
			iconPress("Add the role", Plus, { type: "submit" }),
			complaint(error)),
	];
}
