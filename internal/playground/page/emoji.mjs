// Emoji. A few that boards are made of are drawn here, so that they look the
// same on every machine, also where no emoji font is installed.
import { h } from "./dom.mjs";

const names = {
  "❌": "cross mark", "⭕": "hollow circle", "⬜": "white square", "⬛": "black square", "▫": "white small square",
  "◻": "square", "➖": "minus", "✅": "check mark", "🟦": "blue square", "🟥": "red square", "🟩": "green square",
  "🏆": "trophy", "🤖": "robot", "🏳": "white flag", "🔁": "repeat", "⚔": "crossed swords", "👤": "person",
  "⬅": "left", "➡": "right", "◀": "previous", "▶": "next", "⏮": "first", "⏭": "last", "🎮": "game", "⏳": "hourglass",
  "🔴": "red circle", "🔵": "blue circle", "⚪": "white circle", "⚫": "black circle", "❓": "question mark", "🥇": "first place",
};

const bare = (s) => s.replace(/[\uFE0E\uFE0F]/g, "");

/** emojiName is the word for a unicode or custom emoji. */
export function emojiName(emoji) {
  if (typeof emoji === "string") return names[bare(emoji)] ?? emoji;
  if (!emoji) return "";
  return emoji.id ? emoji.name : names[bare(emoji.name ?? "")] ?? emoji.name ?? "";
}

const svg = (...children) => h("svg", { viewBox: "0 0 36 36", class: "emoji", "aria-hidden": "true", focusable: "false" }, ...children);

// Their colours are Discord's own, on whatever button they stand: a mark that is
// hard to see there has to be hard to see here. Only the pale dot has an edge
// on light buttons, as Discord's own picture of it has.
const red = "#dd2e44", pale = "#e6e7e8", black = "#31373d";

const drawings = {
  "❌": () => svg(h("path", { d: "M7 7 29 29M29 7 7 29", stroke: red, "stroke-width": "7", "stroke-linecap": "round", fill: "none" })),
  "⭕": () => svg(h("circle", { cx: "18", cy: "18", r: "12.5", stroke: red, "stroke-width": "6.5", fill: "none" })),
  "⬜": () => svg(h("rect", { x: "3", y: "3", width: "30", height: "30", rx: "4", fill: pale })),
  "▫": () => svg(h("rect", { class: "pip", x: "13", y: "13", width: "10", height: "10", rx: "2", fill: pale })),
  "⬛": () => svg(h("rect", { x: "3", y: "3", width: "30", height: "30", rx: "4", fill: black })),
};

/** Emoji shows one emoji: {name, id?} as components carry it, or a string. */
export function Emoji({ emoji, label }) {
  const name = typeof emoji === "string" ? emoji : emoji?.name ?? "";
  const word = label ?? emojiName(emoji);
  if (emoji?.id) return h("span", { class: "emoji custom", role: "img", "aria-label": word, title: `:${name}:` }, name.slice(0, 2));
  const draw = drawings[bare(name)];
  return h("span", { class: "emoji-box", role: "img", "aria-label": word }, draw ? draw() : h("span", { class: "emoji glyph" }, name));
}

const pictographs = /(\p{RI}\p{RI}|\p{Emoji}\uFE0F?\u20E3|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)\p{EMod}?(?:\u200D(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})\uFE0F?\p{EMod}?)*)/gu;

/** splitEmoji cuts text into plain pieces and emoji: odd places hold the emoji. */
export const splitEmoji = (text) => text.split(pictographs);
