// Emoji. Those of boards are drawn, to look the same on every machine.
import { h } from "./dom.mjs";

// Discord's own names of them, which its client gives screen readers.
const names = {
	"❌": "x", "⭕": "o", "❎": "negative_squared_cross_mark", "🅾": "o2", "⬜": "white_large_square", "⬛": "black_large_square", "▫": "white_small_square",
	"🏆": "trophy", "🥇": "first_place", "🥈": "second_place", "🥉": "third_place", "🏳": "flag_white", "⏰": "alarm_clock",
	"◀": "arrow_backward", "▶": "arrow_forward", "⚪": "white_circle", "✖": "heavy_multiplication_x",
};

const bare = (s) => s.replace(/[\uFE0E\uFE0F]/g, "");

/** emojiName is the word for a unicode or custom emoji. */
export function emojiName(emoji) {
	if (typeof emoji === "string") return names[bare(emoji)] ?? emoji;
	if (!emoji) return "";
	return emoji.id ? emoji.name : names[bare(emoji.name ?? "")] ?? emoji.name ?? "";
}

const svg = (...children) => h("svg", { viewBox: "0 0 36 36", class: "emoji", "aria-hidden": true, focusable: "false" }, ...children);

// Their colours are Discord's own, on whatever button they stand: a mark that is
// hard to see there has to be hard to see here. Only what is pale has an
// edge on light buttons, as Discord's pictures have.
const red = "#dd2e44", pale = "#e6e7e8", black = "#31373d", gold = "#ffcc4d", grey = "#99aab5", green = "#77b255";

const path = (d, fill, stroke, width = 3) => h("path", { d, fill: fill ?? "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
const medal = (colour, place) => () => svg(path("M9 2h7l2 8 2-8h7l-6 14h-6Z", "#55acee"), h("circle", { cx: "18", cy: "24", r: "10", fill: colour }), h("text", { x: "18", y: "29", "text-anchor": "middle", "font-size": "14", "font-weight": "700", fill: black }, place));
const tile = (fill) => () => svg(h("rect", { x: "3", y: "3", width: "30", height: "30", rx: "4", fill }));

const drawings = {
	"❌": () => svg(path("M7 7 29 29M29 7 7 29", null, red, 7)),
	"⭕": () => svg(h("circle", { cx: "18", cy: "18", r: "12.5", stroke: red, "stroke-width": "6.5", fill: "none" })),
	"❎": () => svg(h("rect", { x: "2", y: "2", width: "32", height: "32", rx: "5", fill: green }), path("M10 10 26 26M26 10 10 26", null, "#fff", 5)),
	"🅾": () => svg(h("rect", { x: "2", y: "2", width: "32", height: "32", rx: "5", fill: red }), h("circle", { cx: "18", cy: "18", r: "9", stroke: "#fff", "stroke-width": "5", fill: "none" })),
	"⬜": tile(pale),
	"▫": () => svg(h("rect", { class: "pip", x: "13", y: "13", width: "10", height: "10", rx: "2", fill: pale })),
	"🏆": () => svg(path("M9 8H4c0 7 3 9 7 10M27 8h5c0 7-3 9-7 10M18 20v8", null, gold, 4), path("M9 4h18c0 11-3 18-9 18S9 15 9 4ZM10 28h16v5H10Z", gold)),
	"🥇": medal(gold, 1), "🥈": medal("#ccd6dd", 2), "🥉": medal("#ff8a3b", 3),
	"🏳": () => svg(path("M7 3v30", null, grey), path("M8 5c9-4 12 4 23 0v15c-11 4-14-4-23 0Z", pale)),
	"⏰": () => svg(h("circle", { cx: "18", cy: "20", r: "12.5", fill: pale, stroke: red, "stroke-width": "4" }), path("M18 12v8l5 4", null, black), path("M4 9l5-5M32 9l-5-5", null, red, 5)),
	"🤝": () => svg(path("M2 11h8l8 4 8-4h8v12h-5l-9 7-4-1-8-6H2Z", gold), path("M18 15l-5 5 4 2 5-4 7 6", null, "#c1694f", 2)),
	"🤖": () => svg(path("M18 3v5", null, grey), path("M7 8h22v22H7Z", grey), path("M13 16v2M23 16v2M13 25h10", null, "#fff")),
	"✅": () => svg(h("rect", { x: "2", y: "2", width: "32", height: "32", rx: "5", fill: green }), path("m9 19 6 6L27 10", null, "#fff", 4)),
	"⚪": () => svg(h("circle", { class: "pip", cx: 18, cy: 18, r: 15, fill: pale })),
	"✖": () => svg(path("M8 8 28 28M28 8 8 28", null, grey, 7)),
	"⬛": tile(black),
};

/** Emoji shows one emoji: {name, id?} as components carry it, or a string. */
export function Emoji({ emoji, label }) {
	const name = typeof emoji === "string" ? emoji : emoji?.name ?? "";
	const word = label ?? emojiName(emoji);
	if (emoji?.id) return h("span", { class: "emoji-box" }, h("img", { class: "emoji", src: "/api/cdn/emojis/" + emoji.id, alt: word, title: `:${name}:` }));
	const draw = drawings[bare(name)];
	return h("span", { class: "emoji-box", role: "img", "aria-label": word }, draw ? draw() : h("span", { class: "emoji glyph" }, name));
}

const pictographs = /(\p{RI}\p{RI}|\p{Emoji}\uFE0F?\u20E3|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)\p{EMod}?(?:\u200D(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})\uFE0F?\p{EMod}?)*)/gu;

/** splitEmoji cuts text into plain pieces and emoji: odd places hold the emoji. */
export const splitEmoji = (text) => text.split(pictographs);
