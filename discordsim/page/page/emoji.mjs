// Emoji: their names, and their display.
import { h, parts } from "./dom.mjs";

// Discord's names of these emoji, which its client gives to screen readers.
const names = {
	"❌": "x", "⭕": "o", "❎": "negative_squared_cross_mark", "🅾": "o2", "⬜": "white_large_square", "⬛": "black_large_square", "🟥": "red_square", "▫": "white_small_square",
	"🏆": "trophy", "🥇": "first_place", "🥈": "second_place", "🥉": "third_place", "🏳": "flag_white", "⏰": "alarm_clock",
	"◀": "arrow_backward", "▶": "arrow_forward", "⚪": "white_circle", "✖": "heavy_multiplication_x", "⏩": "fast_forward", "⬇": "arrow_down",
	"♟": "chess_pawn", "⚙": "gear", "⚠": "warning", "✨": "sparkles", "❔": "grey_question", "➕": "heavy_plus_sign", "➖": "heavy_minus_sign", "🔸": "small_orange_diamond", "✅": "white_check_mark", "🚫": "no_entry_sign",
	"🎯": "dart", "💤": "zzz", "⭐": "star", "🐢": "turtle", "💎": "gem", "💥": "boom", "🔎": "mag_right", "🧹": "broom", "🤖": "robot", "🤝": "handshake",
	"👍": "thumbsup", "👎": "thumbsdown", "❤": "heart", "😂": "joy", "🎉": "tada",
	"🎓": "mortar_board", "💡": "bulb", "👤": "bust_in_silhouette", "👥": "busts_in_silhouette", "📈": "chart_with_upwards_trend", "🏅": "medal", "👉": "point_right",
	"📅": "date", "🏁": "checkered_flag", "↩": "leftwards_arrow_with_hook",
	"🏟": "stadium", "⏸": "pause_button",
	"🧩": "jigsaw", "🔥": "fire", "🌐": "globe_with_meridians",
};

/** bare returns an emoji without the characters that select picture or text style. */
export const bare = (s) => s.replace(/[\uFE0E\uFE0F]/g, "");

/** emojiName returns the name of a Unicode or custom emoji. */
export function emojiName(emoji) {
	if (typeof emoji === "string") return names[bare(emoji)] ?? emoji;
	if (!emoji) return "";
	return emoji.id ? emoji.name : names[bare(emoji.name ?? "")] ?? emoji.name ?? "";
}

// The letters of a board's columns are single regional indicators.
for (const letter of "abcde") names[String.fromCodePoint(0x1f185 + letter.charCodeAt(0))] = "regional_indicator_" + letter;

/** Emoji shows one emoji, given as {name, id?} as in components, or as a string. */
export function Emoji({ emoji, label }) {
	const name = typeof emoji === "string" ? emoji : emoji?.name ?? "";
	const word = label ?? emojiName(emoji);
	if (emoji?.id) return h("span", { class: "emoji-box" }, h("img", { class: "emoji", src: "/sim/emojis/" + emoji.id, alt: word, title: `:${name}:` }));
	const draw = parts.drawings?.[bare(name)];
	return h("span", { class: "emoji-box", ...(word ? { role: "img", "aria-label": word } : { "aria-hidden": true }) }, draw ? draw() : h("span", { class: "emoji glyph" }, name));
}

const pictographs = /(\p{RI}\p{RI}?|\p{Emoji}\uFE0F?\u20E3|(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)\p{EMod}?(?:\u200D(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})\uFE0F?\p{EMod}?)*)/gu;

/** splitEmoji splits a text into plain pieces and emoji: the emoji are at the odd indices. */
export const splitEmoji = (text) => text.split(pictographs);
