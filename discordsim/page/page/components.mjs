// Discord's message components (Components V2) and embeds, as elements.
import { h, press, useLayoutEffect, useRef, useState } from "./dom.mjs";
import { Markdown, Spoiler, Text, nameOf, useLive } from "./text.mjs";
import { Emoji, emojiName } from "./emoji.mjs";
import { Dialog, step } from "./dialog.mjs";
import { safeURL } from "./markdown.mjs";
import { stamp } from "./time.mjs";
import { Check, Chevron, Outside, Picture } from "./icons.mjs";
import { Avatar } from "./people.mjs";

const ROW = 1, BUTTON = 2, SELECT = 3, USER_SELECT = 5, ROLE_SELECT = 6, CHANNEL_SELECT = 8, SECTION = 9, TEXT = 10, THUMBNAIL = 11, GALLERY = 12, FILE = 13, SEPARATOR = 14, CONTAINER = 17;

/** colour returns a Discord colour number as CSS. */
export const colour = (n) => "#" + (n & 0xffffff).toString(16).padStart(6, "0");

/** texts lists the text displays of a component tree, in reading order. */
export function texts(components) {
	return (components ?? []).flatMap((c) => (c?.type === TEXT ? [c.content] : texts(c?.components)));
}

export function Components({ list, message }) {
	return list.map((c) => h(Component, { c, message }));
}

// Two or more buttons without words, or with only the name of a square, are a row of a board.
const isGrid = (c) => c?.type === ROW && c.components?.length > 1 && c.components.every((b) => b.type === BUTTON && wording(b).length <= 2);

// Bots pad labels with characters that are invisible.
const wording = (button) => (button.label ?? "").replace(/[\s\u00ad\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\u2800\u3164\ufeff\uffa0]/g, "");

function Component({ c, message }) {
	switch (c?.type) {
		case ROW: return h("div", { class: isGrid(c) ? "row grid" : "row" },
			(c.components ?? []).map((item) => h(Interactive, { c: item, message, grid: isGrid(c) })));
		case BUTTON: return h(Button, { c, message });
		case TEXT: return h(Markdown, { text: c.content, mentions: message.mentions });
		case SECTION: return h("div", { class: "section" },
			h("div", { class: "section-text" }, h(Components, { list: c.components ?? [], message })),
			c.accessory && h("div", { class: "accessory" }, c.accessory.type === THUMBNAIL
				? h(Media, { item: c.accessory, kind: "thumbnail" }) : h(Interactive, { c: c.accessory, message })));
		case SEPARATOR: return h("hr", { class: `separator${c.divider === false ? " bare" : ""}${c.spacing === 2 ? " large" : ""}` });
		case GALLERY: return h("div", { class: "gallery", "data-count": Math.min(c.items?.length ?? 0, 4) }, (c.items ?? []).map((item) => h(Media, { item })));
		case FILE: return h("div", { class: "file" }, h(Picture), h("span", null, c.name || (c.file?.url ?? "").split("/").at(-1) || "file"));
		case CONTAINER: {
			const box = h("div", { class: "container", style: c.accent_color != null ? { borderLeftColor: colour(c.accent_color) } : undefined },
				h(Components, { list: c.components ?? [], message }));
			return c.spoiler ? h(Spoiler, { block: true }, box) : box;
		}
		default: return h(Interactive, { c, message });
	}
}

function Interactive({ c, message, grid }) {
	if (c.type === BUTTON) return h(Button, { c, message, grid });
	if (c.type === SELECT || (c.type >= USER_SELECT && c.type <= CHANNEL_SELECT)) return h(Select, { c, message });
	return h("div", { class: "unknown" }, `A component of type ${c?.type}, which this page does not know`);
}

const styles = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "primary" };

function Button({ c, message, grid }) {
	const live = useLive();
	const words = wording(c) ? c.label : "";
	const square = !words;
	const busy = live.pending.get(message.id);
	const loading = busy !== undefined && busy === c.custom_id;
	const ref = useRef(null);
	// When a square that has the keyboard focus is disabled, the focus moves to another button of the message, so that the player
	// does not lose the place. The focus is read before the square is disabled, since some browsers drop it at once.
	const leaving = c.disabled && ref.current !== null && document.activeElement === ref.current && ref.current.matches(":focus-visible");
	useLayoutEffect(() => {
		if (!leaving) return;
		const open = [...ref.current.closest(".message").querySelectorAll(".components .button:not(:disabled)")];
		(open.find((b) => !b.closest(".grid")) ?? open[0] ?? ref.current.closest(".scroller"))?.focus();
	}, [c.disabled]);
	const cls = `button ${styles[c.style] ?? "secondary"}${square ? " square" : ""}${loading ? " loading" : ""}`;
	// As on Discord, a screen reader reads the label or the name of the emoji, and not the button's place.
	const label = square ? emojiName(c.emoji) || undefined : undefined;
	const face = [c.emoji && h(Emoji, { emoji: c.emoji, label: square ? "" : undefined }), words && h("span", { class: "label" }, h(Text, { text: words }))];
	if (c.style === 5) {
		const url = safeURL(c.url ?? "");
		if (!url || c.disabled) return press({ class: cls, disabled: true, "aria-label": label }, face);
		return h("a", { class: cls, href: url, target: "_blank", rel: "noopener noreferrer nofollow", "aria-label": label }, face, h(Outside));
	}
	return press({
		ref, class: cls, disabled: Boolean(c.disabled) || c.style === 6, "aria-label": label, onKeyDown: grid ? cross : undefined,
		"aria-busy": loading || undefined, "aria-disabled": busy !== undefined || undefined,
		"data-custom-id": c.custom_id,
		onClick: () => { if (busy === undefined) live.click(message, c); },
	}, h("span", { class: "face" }, face), h("span", { class: "dots", "aria-hidden": true }, h("i"), h("i"), h("i")));
}

function Select({ c, message }) {
	const live = useLive();
	const [open, setOpen] = useState(false);
	const [picked, setPicked] = useState([]);
	const button = useRef(null);
	const options = selectable(c, live);
	const most = Math.min(c.max_values ?? 1, options.length), least = c.min_values ?? 1;
	const chosen = options.filter((o) => o.default);
	const busy = live.pending.has(message.id);
	const show = () => { setPicked(chosen.map((o) => o.value)); setOpen(true); };
	// As on Discord, a menu that closes sends the choice if it is another one.
	const close = (values = picked) => {
		setOpen(false);
		if (values.length >= least && (values !== picked || values.length !== chosen.length || chosen.some((o) => !values.includes(o.value)))) live.select(message, c, values);
	};
	const toggle = (value) => {
		if (most === 1 && least >= 1) { close([value]); return; }
		setPicked(picked.includes(value) ? picked.filter((v) => v !== value) : most === 1 ? [value] : picked.length < most ? [...picked, value] : picked);
	};
	const name = c.placeholder || "Make a selection";
	return h("div", { class: "select" },
		press({
			ref: button, class: "select-button", disabled: Boolean(c.disabled), "aria-haspopup": "dialog", "aria-expanded": open,
			"aria-disabled": busy || undefined, "data-custom-id": c.custom_id, onClick: () => { if (!busy) show(); },
		}, chosen.length
			? h("span", { class: "chosen" }, chosen.map((o) => h("span", null, o.emoji && h(Emoji, { emoji: o.emoji }), h(Text, { text: o.label }))))
			: h("span", { class: "placeholder" }, h(Text, { text: name })), h(Chevron)),
		open && h(Dialog, { label: name, kind: "sheet below options-sheet", anchor: button.current, onClose: () => close() },
			h("ul", { class: "options", "aria-label": name }, options.map((o, i) => h("li", null, press({
				class: "option", "data-first": i === 0 || undefined, "aria-pressed": picked.includes(o.value),
				onKeyDown: step, onClick: () => toggle(o.value),
			}, o.user ? h(Avatar, { user: o.user, size: 24 }) : o.emoji && h(Emoji, { emoji: o.emoji }),
			h("span", { class: "option-text" }, h("span", null, h(Text, { text: o.label })), o.description && h("small", null, h(Text, { text: o.description }))),
			picked.includes(o.value) && h(Check))))),
			!(most === 1 && least >= 1) && press({ class: "button primary", disabled: picked.length < least, onClick: () => close() }, "Done")));
}

// cross moves the focus over a board with the arrow keys, and skips disabled squares.
function cross(e) {
	const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[e.key] ?? [0, 0];
	if (!right && !down) return;
	e.preventDefault();
	const row = e.currentTarget.parentElement, rows = [...row.parentElement.querySelectorAll(":scope > .grid")];
	let x = [...row.children].indexOf(e.currentTarget), y = rows.indexOf(row), next;
	do { x += right; y += down; next = rows[y]?.children[x]; } while (next?.disabled);
	next?.focus();
}

/** selectable lists the options of a select of any type: {label, value, ...}. */
export function selectable(c, live) {
	if (c.type === SELECT) return c.options ?? [];
	const defaults = new Set((c.default_values ?? []).map((d) => d.id));
	if (c.type === CHANNEL_SELECT) return live.channels.filter((x) => x.id && x.type === 0).map((x) => ({ label: "#" + x.name, value: x.id, default: defaults.has(x.id) }));
	if (c.type === ROLE_SELECT) return (live.guild?.roles ?? []).map((r) => ({ label: "@" + r.name.replace(/^@/, ""), value: r.id, default: defaults.has(r.id) }));
	return live.present.map((u) => ({ label: nameOf(u), description: u.username, value: u.id, user: u, default: defaults.has(u.id) }));
}

// Pictures are only loaded from this server: the page sends no requests to others.
export function Media({ item, kind = "picture" }) {
	const url = item.media?.url ?? item.url ?? "";
	const own = served(url);
	const picture = own ? h("img", { class: kind, src: own, alt: item.description || "Picture without a description", loading: "lazy" })
		: h("div", { class: kind + " absent", role: "img", "aria-label": item.description || "Picture that is not on this machine", title: url }, h(Picture), kind === "picture" && h("span", null, item.description || "A picture from elsewhere is not loaded"));
	return item.spoiler ? h(Spoiler, null, picture) : picture;
}

// served returns the address of a picture on this server, which bots may call by another name than the page; null for other
// servers.
function served(text) {
	try {
		const url = new URL(text, location.href), here = url.origin === location.origin || url.pathname.startsWith("/api/cdn/");
		return here && /^https?:$/.test(url.protocol) ? location.origin + url.pathname + url.search : null;
	} catch { return null; }
}

export function Embed({ embed, mentions }) {
	const live = useLive();
	const md = (text) => h(Markdown, { text, mentions });
	const linked = (url, words) => (safeURL(url ?? "") ? h("a", { href: safeURL(url), target: "_blank", rel: "noopener noreferrer nofollow" }, h(Text, { text: words })) : null);
	const foot = [embed.footer?.text, embed.timestamp && stamp(Date.parse(embed.timestamp) / 1000, "s", live.now(), live.locale)].filter(Boolean).join(" • ");
	return h("div", { class: "container embed", style: embed.color != null ? { borderLeftColor: colour(embed.color) } : undefined },
		h("div", { class: "embed-main" },
			h("div", { class: "embed-text" },
				embed.author?.name && h("div", { class: "embed-author" }, linked(embed.author.url, embed.author.name) ?? h(Text, { text: embed.author.name })),
				embed.title && h("div", { class: "embed-title" }, linked(embed.url, embed.title) ?? md(embed.title)),
				embed.description && md(embed.description),
				embed.fields?.length > 0 && h("div", { class: "embed-fields" }, embed.fields.map((f) => h("div", { class: f.inline ? "embed-field inline" : "embed-field" }, h("strong", null, md(f.name)), md(f.value))))),
			embed.thumbnail && h(Media, { item: embed.thumbnail, kind: "thumbnail" })),
		embed.image && h(Media, { item: embed.image }),
		foot && h("div", { class: "embed-footer" }, h(Text, { text: foot })));
}
