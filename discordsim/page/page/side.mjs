// The left side: servers, their channels, direct messages, and the person of the window.
import { h, iconPress, part, parts, press, useState } from "./dom.mjs";
import { Text, nameOf, useLive } from "./text.mjs";
import { Avatar, You, statusOf } from "./people.mjs";
import { Chats, Chevron, Gear, Lock, Plus, iconOf } from "./icons.mjs";

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** Side calls open(channel key) and enter(server id or null) to show a channel or a server. */
export function Side({ open, enter, onYou }) {
	const live = useLive();
	const [adding, setAdding] = useState(null);
	const [settings, setSettings] = useState(null);
	const [grouping, setGrouping] = useState(null);
	const direct = live.channels.filter((c) => !c.guild_id);
	const icon = (key, name, here, channels, props, face) => {
		const count = sum(channels.map((c) => live.unread.get(c.id) ?? 0)), fresh = channels.some((c) => live.fresh.has(c.id));
		return h("li", { key }, press({
			class: `server${fresh && !here ? " fresh" : ""}`, title: name, "aria-label": name + (count ? `, ${count} new` : ""), "aria-current": here || undefined, ...props,
		}, face, count > 0 && h("span", { class: "badge", "aria-hidden": true }, count)));
	};
	return [
		h("nav", { class: "rail", "aria-label": "Servers" }, h("ul", null,
			icon("@me", "Direct messages", Boolean(live.channel && !live.guild), direct, { class: "server home", onClick: () => enter(null) }, h(Chats)),
			h("li", { class: "rail-line", "aria-hidden": true }),
			live.guilds.map((g) => icon(g.id, g.name, g.id === live.guild?.id, live.channels.filter((c) => c.guild_id === g.id), { onClick: () => enter(g.id), "data-server": g.name }, initials(g.name))),
			h("li", null, press({ class: "server add", title: "Add a server", "aria-label": "Add a server", onClick: (e) => setAdding(e.currentTarget) }, h(Plus))))),
		h("div", { class: "sidebar" },
			h("header", { class: "bar" }, live.guild
				? h("h2", null, press({ class: "server-name", "aria-haspopup": "dialog", onClick: () => setSettings({}) }, h("span", null, live.guild.name), h(Chevron)))
				: [h("h2", null, "Direct messages"), iconPress("New group", Plus, { class: "tiny", "aria-haspopup": "dialog", onClick: (e) => setGrouping(e.currentTarget) })]),
			h("nav", { class: "channels", "aria-label": "Channels" }, live.guild
				? h(Channels, { live, open, onSettings: setSettings })
				: h("section", null, h("ul", null, direct.map((c) => h(Place, { key: c.key, live, channel: c, open }))))),
			h("div", { class: "you-bar" }, h(You, { onOpen: onYou }))),
		grouping && parts.NewGroup && h(parts.NewGroup, { anchor: grouping, open, onClose: () => setGrouping(null) }),
		adding && part("AddServer") && h(parts.AddServer, { anchor: adding, onClose: () => setAdding(null) }),
		settings && live.guild && part("ServerSettings") && h(parts.ServerSettings, { guild: live.guild, ...settings, onClose: () => setSettings(null) }),
	];
}

const initials = (name) => name.split(/\s+/).map((w) => [...w][0]).join("").slice(0, 3) || "?";

function Channels({ live, open, onSettings }) {
	const own = live.channels.filter((c) => c.guild_id === live.guild.id);
	// A forum can have many posts, so only the visible post and posts with unread messages are listed.
	const threads = (c) => own.filter((t) => t.parent_id === c.id && !t.thread_metadata?.archived && (c.type < 15 || t === live.channel || live.fresh.has(t.id)));
	const tops = own.filter((c) => !own.some((p) => p.id === c.parent_id));
	return h("section", null,
		h("h2", null, "Text channels", iconPress("Channels of this server", Plus, { class: "tiny", onClick: () => onSettings({}) })),
		h("ul", null, tops.map((c) => [h(Place, { key: c.key, live, channel: c, open, onSettings }), threads(c).map((t) => h(Place, { key: t.key, live, channel: t, open, under: true }))])));
}

function Place({ live, channel: c, open, onSettings, under }) {
	const here = c.key === live.channel?.key, unread = live.unread.get(c.id) ?? 0, fresh = !here && live.fresh.has(c.id);
	const other = c.bot?.user ?? (c.type === 1 ? c.recipients?.[0] : null);
	const shut = (c.overwrites ?? []).some((o) => o.id === c.guild_id && (BigInt(o.deny ?? 0) >> 10n) & 1n);
	return h("li", { class: "place-row" + (under ? " under" : "") },
		press({ class: "channel" + (here ? " here" : "") + (unread || fresh ? " unread" : ""), "aria-current": here ? "page" : undefined, "data-channel": c.name, onClick: () => open(c.key) },
			other ? h(Avatar, { user: live.user(other.id) ?? other, size: 32, status: statusOf(other, live) }) : h(shut ? Lock : iconOf(c)),
			h("span", { class: "channel-name" }, other ? nameOf(live.user(other.id) ?? other) : h(Text, { text: c.name })), fresh && h("span", { class: "sr" }, "unread"),
			unread > 0 && h("span", { class: "badge", "aria-label": `${unread} new` }, unread)),
		onSettings && iconPress(`Edit ${c.name}`, Gear, { class: "tiny", onClick: () => onSettings({ channel: c.id }) }));
}
