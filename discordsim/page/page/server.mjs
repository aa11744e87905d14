// Servers: adding a server, its channels, and their permissions.
import { choice, h, iconPress, press, complaint, toggle, useEffect, useState } from "./dom.mjs";
import { Dialog } from "./dialog.mjs";
import { nameOf, useAttempt, useLive } from "./text.mjs";
import { Close, Plus, iconOf } from "./icons.mjs";
import { overwriteOf, permissions } from "./permissions.mjs";
import { Roles } from "./person.mjs";

const channelName = (text) => text.trim().toLowerCase().replace(/[\s#]+/g, "-").slice(0, 100);

/** AddServer creates a server, of which everybody is a member. */
export function AddServer({ anchor, onClose }) {
	const live = useLive();
	const [name, setName] = useState("");
	const [channels, setChannels] = useState("general, lobby");
	const [absent, setAbsent] = useState(false);
	const [error, attempt] = useAttempt();
	const add = (e) => {
		e.preventDefault();
		attempt(live.ask("POST", "guilds", { name: name.trim(), channels: channels.split(",").map(channelName).filter(Boolean), bots_absent: absent })
			.then(({ id }) => live.refresh().then(() => { onClose(); live.enter(id); })));
	};
	return h(Dialog, { label: "Add a server", kind: "sheet", anchor, onClose },
		h("h2", null, "Add a server"),
		h("form", { class: "adding", onSubmit: add },
			h("label", null, "Name", h("input", { type: "text", required: true, maxLength: 100, autocomplete: "off", value: name, onInput: (e) => setName(e.currentTarget.value) })),
			h("label", null, "Channels", h("input", { type: "text", required: true, autocomplete: "off", value: channels, onInput: (e) => setChannels(e.currentTarget.value) })),
			toggle("Without any app", absent, setAbsent),
			complaint(error),
			h("div", { class: "form-actions" }, press({ class: "button", onClick: onClose }, "Cancel"), press({ type: "submit", class: "button primary" }, "Add"))));
}

/** ServerSettings shows all channels of a server, even if the person cannot see them. */
export function ServerSettings({ guild, channel, onClose }) {
	const live = useLive();
	const [channels, setChannels] = useState(null);
	const [at, setAt] = useState(channel ?? null);
	const [error, attempt] = useAttempt();
	const load = () => attempt(live.ask("GET", "state").then((state) => setChannels(state.channels.filter((c) => c.guild_id === guild.id && !c.thread_metadata))));
	useEffect(() => { load(); }, [live.channels]);
	const chosen = channels?.find((c) => c.id === at) ?? channels?.[0];
	const all = [...live.people, ...live.bots.map((b) => b.user)], banned = (u) => guild.bans?.some((b) => b.user_id === u.id);
	const absent = all.filter((u) => !banned(u) && !guild.members.some((m) => m.user === u.id));
	const list = (title, users, word, method, path) => users.length > 0 && [h("h3", null, title), h("ul", null, users.map((u) => h("li", { key: u.id },
		press({ class: "menu-item", onClick: () => attempt(live.ask(method, `guilds/${guild.id}/${path}/${u.id}`, method === "PUT" ? {} : undefined)) }, nameOf(u), h("small", null, word)))))];
	return h(Dialog, { label: `Settings of ${guild.name}`, kind: "modal settings", onClose },
		h("header", null, h("div", null, h("h2", null, guild.name)), iconPress("Close", Close, { onClick: onClose })),
		h("div", { class: "settings-body" },
			h("nav", { "aria-label": "Channels to edit" },
				h("ul", null, channels?.map((c) => h("li", { key: c.id }, press({ class: "channel" + (c === chosen ? " here" : ""), "aria-pressed": c === chosen, "data-edit": c.name, onClick: () => setAt(c.id) }, h(iconOf(c)), h("span", { class: "channel-name" }, c.name))))),
				h(NewChannel, { guild, onDone: (id) => { setAt(id); load(); } }),
				h(Roles, { guild }),
				list("Not here", absent, "Let in", "PUT", "members"), list("Banned", all.filter(banned), "Lift the ban", "DELETE", "bans")),
			chosen && h("div", { class: "settings-channel" },
				h("h3", null, "#" + chosen.name),
				h(Overwrites, { key: chosen.id, channel: chosen, guild, attempt, onDone: load }))),
		complaint(error));
}

const kinds = [[0, "Text"], [5, "Announcements"], [15, "Forum"], [16, "Media"], [2, "Voice"], [13, "Stage"]];

function NewChannel({ guild, onDone }) {
	const live = useLive();
	const [name, setName] = useState("");
	const [type, setType] = useState(0);
	const [error, attempt] = useAttempt();
	const add = (e) => {
		e.preventDefault();
		attempt(live.ask("POST", "channels", { guild: guild.id, name: channelName(name), type }).then(({ id }) => { setName(""); onDone(id); }));
	};
	return h("form", { class: "new-channel", onSubmit: add },
		h("input", { type: "text", required: true, maxLength: 100, placeholder: "new-channel", "aria-label": "Name of a new channel", autocomplete: "off", value: name, onInput: (e) => setName(e.currentTarget.value) }),
		iconPress("Add the channel", Plus, { type: "submit" }),
		choice("Kind", type, kinds, setType),
		complaint(error));
}

// Each permission has three states, as on Discord: denied, as on the server, allowed.
const states = [["deny", "✕", "denied"], ["", "/", "as on the server"], ["allow", "✓", "allowed"]];

function Overwrites({ channel, guild, attempt, onDone }) {
	const live = useLive();
	const [of, setOf] = useState("everyone");
	const id = of === "everyone" ? guild.id : of;
	const now = overwriteOf(channel, id);
	const set = (name, state) => {
		const without = (list) => list.filter((n) => n !== name);
		const next = { allow: without(now.allow), deny: without(now.deny) };
		if (state) next[state].push(name);
		attempt(live.ask("PUT", `channels/${channel.id}/overwrites`, { of, ...next }).then(onDone));
	};
	const stateOf = (name) => (now.allow.includes(name) ? "allow" : now.deny.includes(name) ? "deny" : "");
	const owner = live.user(guild.owner_id);
	return [
		owner && h("p", { class: "muted small" }, `${nameOf(owner)} owns the server and may do everything.`),
		choice("For", of, [["everyone", "@everyone"], ...live.present.map((u) => [u.id, nameOf(u)])], setOf),
		h("ul", { class: "permissions" }, permissions.map(([name, words]) => h("li", { key: name, "data-permission": name },
			h("span", { id: "p-" + name }, words),
			h("span", { class: "tri", role: "radiogroup", "aria-labelledby": "p-" + name }, states.map(([state, sign, word]) => h("label", { key: state, class: "tri-" + (state || "none"), title: word },
				h("input", { type: "radio", class: "sr", name: "p-" + name, "aria-label": word, checked: stateOf(name) === state, onChange: () => set(name, state) }), h("span", { "aria-hidden": true }, sign))))))),
	];
}
