// Pictures of emoji, so that boards look the same on every machine.
import { h } from "./dom.mjs";
import { bare } from "./emoji.mjs";

const svg = (...children) => h("svg", { viewBox: "0 0 36 36", class: "emoji", "aria-hidden": true, focusable: "false" }, ...children);

// These are Discord's own colours on every button: a mark that is hard to see on Discord must be hard to see here. Only pale parts
// have an edge on light buttons, as in Discord's pictures.
const red = "#dd2e44", pale = "#e6e7e8", black = "#31373d", gold = "#ffcc4d", grey = "#99aab5", green = "#77b255", blue = "#55acee";

const edge = { stroke: grey, "stroke-width": 1.5 };
const path = (d, fill, stroke, width = 3) => h("path", { d, fill: fill ?? "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
const circle = (cx, cy, r, fill, props) => h("circle", { cx, cy, r, fill, ...props });
const square = (from, size, fill, rx = 5, props) => h("rect", { x: from, y: from, width: size, height: size, rx, fill, ...props });
const medal = (colour, place) => () => svg(path("M9 2h7l2 8 2-8h7l-6 14h-6Z", blue), circle(18, 24, 10, colour), h("text", { x: "18", y: "29", "text-anchor": "middle", "font-size": "14", "font-weight": "700", fill: black }, place));
const tile = (fill) => () => svg(square(3, 30, fill, 4));
const key = (d) => () => svg(square(2, 32, "#3b88c3"), path(d, "#fff"));
const thumb = (turn) => () => svg(h("g", { transform: `rotate(${turn} 18 18)` }, path("M12 16l6-13c5 0 5 5 3 10h9c3 0 4 2 3 5l-3 11c-1 3-2 3-4 3H12Z", gold), path("M4 16h5v16H4Z", blue)));

const bust = (x) => path(`M${x} 33c0-9 4-11 8-12-5-4-5-16 3-16s8 12 3 16c4 1 8 3 8 12Z`, "#4f5d75", pale, 1.5);

export const drawings = {
	"❌": () => svg(path("M7 7 29 29M29 7 7 29", null, red, 7)),
	"⭕": () => svg(circle(18, 18, 12.5, "none", { stroke: red, "stroke-width": 6.5 })),
	"❎": () => svg(square(2, 32, green), path("M10 10 26 26M26 10 10 26", null, "#fff", 5)),
	"🅾": () => svg(square(2, 32, red), circle(18, 18, 9, "none", { stroke: "#fff", "stroke-width": 5 })),
	"⬜": tile(pale), "🟥": tile(red),
	"🌐": () => svg(circle(18, 18, 15, blue), path("M3 18h30M6 10h24M6 26h24M18 3c-9 8-9 22 0 30M18 3c9 8 9 22 0 30", null, pale)),
	"🧩": () => svg(path("M4 12h7c-2-8 10-8 8 0h7v7c8-2 8 10 0 8v7h-7c2-8-10-8-8 0H4Z", green)),
	"🏟": () => svg(path("M2 15c0-5 7-8 16-8s16 3 16 8v9c0 5-7 8-16 8S2 29 2 24Z", grey), path("M6 15c0-3 5-5 12-5s12 2 12 5-5 5-12 5-12-2-12-5Z", green), path("M9 22v7M18 24v7M27 22v7", null, pale, 2)),
	"⏸": () => svg(square(2, 32, blue), path("M11 9h5v18h-5ZM20 9h5v18h-5Z", "#fff")),
	"🔥": () => svg(path("M18 2c2 7 11 11 11 20 0 7-5 12-11 12S7 29 7 22c0-4 2-7 4-9 0 3 1 5 3 6-1-7 1-13 4-17Z", "#f4900c"), path("M18 19c4 4 5 6 5 9a5 5 0 0 1-10 0c0-3 2-5 5-9Z", gold)),
	"▫": () => svg(square(13, 10, pale, 2, { class: "pip" })),
	"🏆": () => svg(path("M9 8H4c0 7 3 9 7 10M27 8h5c0 7-3 9-7 10M18 20v8", null, gold, 4), path("M9 4h18c0 11-3 18-9 18S9 15 9 4ZM10 28h16v5H10Z", gold)),
	"🥇": medal(gold, 1), "🥈": medal("#ccd6dd", 2), "🥉": medal("#ff8a3b", 3),
	"🏳": () => svg(path("M7 3v30", null, grey), path("M8 5c9-4 12 4 23 0v15c-11 4-14-4-23 0Z", pale)),
	"⏰": () => svg(circle(18, 20, 12.5, pale, { stroke: red, "stroke-width": 4 }), path("M18 12v8l5 4", null, black), path("M4 9l5-5M32 9l-5-5", null, red, 5)),
	"🤝": () => svg(path("M2 11h8l8 4 8-4h8v12h-5l-9 7-4-1-8-6H2Z", gold), path("M18 15l-5 5 4 2 5-4 7 6", null, "#c1694f", 2)),
	"🤖": () => svg(path("M18 3v5", null, grey), path("M7 8h22v22H7Z", grey), path("M13 16v2M23 16v2M13 25h10", null, "#fff")),
	"✅": () => svg(square(2, 32, green), path("m9 19 6 6L27 10", null, "#fff", 4)),
	"⚪": () => svg(circle(18, 18, 15, pale, { class: "pip" })),
	"✖": () => svg(path("M8 8 28 28M28 8 8 28", null, grey, 7)),
	"⬛": tile(black),
	"▶": key("M13 9l14 9-14 9Z"), "◀": key("M23 9 9 18l14 9Z"), "⏩": key("M7 10l10 8-10 8Zm12 0 10 8-10 8Z"), "⬇": key("M14 6h8v12h7L18 31 7 18h7Z"),
	"♟": () => svg(circle(18, 9, 6, black, edge), path("M13 15h10l-2 3 4 10h3v5H8v-5h3l4-10Z", black, grey, 1.5)),
	"⚙": () => svg(h("g", { stroke: grey, "stroke-width": 7 }, [0, 45, 90, 135].map((turn) => h("path", { d: "M18 4v4M18 28v4", transform: `rotate(${turn} 18 18)` }))), circle(18, 18, 8.5, "none", { stroke: grey, "stroke-width": 7 })),
	"⚠": () => svg(path("M18 4 33 31H3Z", gold, gold), path("M18 13v9M18 27v.1", null, black, 3.5)),
	"✨": () => svg(path("M15 6l3 9 9 3-9 3-3 9-3-9-9-3 9-3ZM28 3l1.5 4.5L34 9l-4.5 1.5L28 15l-1.5-4.5L22 9l4.5-1.5ZM29 24l1 3 3 1-3 1-1 3-1-3-3-1 3-1Z", gold)),
	"❔": () => svg(path("M11 12c0-9 15-9 15 0 0 5-7 5-7 11M19 31v.1", null, grey, 5)),
	"➕": () => svg(path("M18 6v24M6 18h24", null, grey, 7)),
	"➖": () => svg(path("M6 18h24", null, grey, 7)), "🔸": () => svg(path("M18 10l8 8-8 8-8-8Z", "#ffac33")),
	"🎯": () => svg(circle(18, 18, 16, red), circle(18, 18, 11, pale), circle(18, 18, 6, red), path("M18 18 29 7", null, black, 2)),
	"⭐": () => svg(path("M18 2l5 10.5 11.5 1.5-8.5 8 2 11.5L18 28 8 33.5l2-11.5L1.5 14 13 12.5Z", gold)),
	"💤": () => svg(path("M16 4h13L16 17h13M8 17h8l-8 8h8M3 27h6l-6 6h6", null, blue)),
	"🐢": () => svg(circle(29, 17, 5, green), path("M6 27h5v5H6ZM20 27h5v5h-5ZM3 27h26", green, green), path("M4 26c0-18 22-18 22 0Z", "#3e721d"), path("M11 15v9M19 15v9", null, green, 2)),
	"💎": () => svg(path("M9 5h18l8 10-17 18L1 15Z", "#bdddf4"), path("M1 15h34M12 15l6 16 6-16L18 5Z", null, blue, 2)),
	"💥": () => svg(path("M18 1l4 8 9-5-3 9 8 5-8 4 4 10-9-4-5 7-4-8-10 5 4-10-7-5 8-4-4-9 9 5Z", red), path("M18 10l2 5 6-1-3 5 3 5-6-1-3 5-2-6-5 1 3-5-3-5 6 1Z", gold)),
	"🔎": () => svg(path("M14 22 5 31", null, black, 6), path("M14 22 5 31", null, grey, 4), circle(21, 14, 10, "#bdddf4", { stroke: grey, "stroke-width": 4 })),
	"↩": () => svg(square(2, 32, "#3b88c3"), path("M10 14h11c8 0 8 12 0 12h-7M15 8l-6 6 6 6", null, "#fff", 3.5)),
	"🚫": () => svg(circle(18, 18, 13.5, "none", { stroke: red, "stroke-width": 5 }), path("M9 9l18 18", null, red, 5)),
	"🧹": () => svg(path("M33 3 19 17", null, "#c1694f", 4), path("M18 13l5 5-7 15L3 20Z", gold), path("M16 15l5 5", null, red, 3)),
	"👍": thumb(0), "👎": thumb(180),
	"❤": () => svg(path("M18 32C-7 16 7-2 18 10c11-12 25 6 0 22Z", red)),
	"😂": () => svg(circle(18, 18, 16, gold), path("M8 19h20c-1 13-19 13-20 0Z", black), path("M8 13c2-4 5-4 6 0M22 13c1-4 4-4 6 0", null, black, 2), path("M5 16c-5 6-3 9 0 9s4-3 0-9ZM31 16c5 6 3 9 0 9s-4-3 0-9Z", blue)),
	"🎓": () => svg(path("M8 17v9c5 5 15 5 20 0v-9", black, grey, 1.5), path("M18 6 1 14l17 8 17-8Z", black, grey, 1.5), path("M31 16v11", null, gold)),
	"💡": () => svg(circle(18, 14, 11, gold), path("M13 23h10v5H13Z", gold), path("M13 28h10v3l-3 3h-4l-3-3Z", grey), path("M15 23v-7l3 3 3-3v7", null, "#fff", 1.5)),
	"👤": () => svg(bust(7)),
	"👥": () => svg(bust(12), bust(2)),
	"📈": () => svg(square(2, 32, pale, 3, edge), path("M8 27l7-8 5 4 9-13M22 10h7v7", null, red)),
	"🏅": medal(gold, ""),
	"📅": () => svg(square(3, 30, pale, 4, edge), path("M4 7c0-3 1-4 4-4h20c3 0 4 1 4 4v5H4Z", red), path("M11 1v6M25 1v6", null, grey), h("g", { fill: black }, [17, 22, 27].map((y) => [9, 15, 21, 26].map((x) => h("rect", { x, y, width: 3, height: 3 }))))),
	"🏁": () => svg(path("M5 3v31", null, grey), h("rect", { x: 7, y: 4, width: 26, height: 18, fill: pale, ...edge }), h("g", { fill: black }, [0, 1, 2].map((row) => [0, 1].map((i) => h("rect", { x: 7 + 6.5 * (2 * i + (row % 2)), y: 4 + 6 * row, width: 6.5, height: 6 }))))),
	"👉": () => svg(path("M3 12h8l6-4 4 1-4 5h15c3 0 3 5 0 5H22c2 1 2 4 0 4 1 2 0 4-2 4 0 2-1 3-3 3H9l-3-3H3Z", gold)),
	"🎉": () => svg(path("M3 33l7-20 13 13Z", gold), path("M15 12c4-2 4-6 2-9M23 20c3-5 7-4 10-2", null, red), path("M19 16l9-10", null, green), circle(9, 5, 2, blue), circle(30, 27, 2, blue), circle(31, 11, 2, gold)),
};

// The letters of a board's columns are single regional indicators.
for (const letter of "abcde") {
	const sign = String.fromCodePoint(0x1f185 + letter.charCodeAt(0));
	drawings[sign] = () => svg(square(2, 32, "#3b88c3"), h("text", { x: 18, y: 27, "text-anchor": "middle", "font-size": 25, "font-weight": 700, fill: "#fff" }, letter.toUpperCase()));
}

/** isDrawn reports whether the page has a picture for an emoji; the machine may have none for others. */
export const isDrawn = (emoji) => bare(emoji) in drawings;
