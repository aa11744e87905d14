// Dates in Discord's wording. now is always the simulator's clock in milliseconds; the browser's clock is never used here.

// The units, with their seconds and the number that makes the next unit.
const units = [
	["second", 1, 60], ["minute", 60, 60], ["hour", 3600, 24], ["day", 86400, 30], ["month", 2592000, 12], ["year", 31536000, Infinity],
];

/** relative returns a rounded distance in time in words, such as "in 59 seconds" or "2 hours ago". */
export function relative(unix, nowMs, locale) {
	const seconds = Math.round(unix - nowMs / 1000);
	const count = (length) => Math.round(Math.abs(seconds) / length);
	const [unit, length] = units.find(([, length, most]) => count(length) < most);
	return formatter(Intl.RelativeTimeFormat, locale, { numeric: "always" }).format(Math.sign(seconds) * count(length), unit);
}

const t = { hour: "2-digit", minute: "2-digit" }, T = { ...t, second: "2-digit" };
const d = { year: "numeric", month: "2-digit", day: "2-digit" }, D = { year: "numeric", month: "long", day: "numeric" };
const styles = { t, T, d, D, f: { ...D, ...t }, F: { weekday: "long", ...D, ...t }, s: { ...d, ...t }, S: { ...d, ...T } };

/** stamp returns the words for the markdown timestamp <t:unix:style>. */
export function stamp(unix, style, nowMs, locale) {
	const ms = unix * 1000;
	if (Math.abs(ms) > 8.64e15) return "Invalid date";
	if (style === "R") return relative(unix, nowMs, locale);
	return formatter(Intl.DateTimeFormat, locale, styles[style] ?? styles.f).format(ms);
}

/** header returns the time beside an author's name. */
export function header(iso, nowMs, locale) {
	const ms = Date.parse(iso);
	if (Number.isNaN(ms)) return "";
	const clock = formatter(Intl.DateTimeFormat, locale, t).format(ms);
	const days = dayNumber(nowMs) - dayNumber(ms);
	if (days === 0) return clock;
	if (days === 1) return `Yesterday at ${clock}`;
	return `${formatter(Intl.DateTimeFormat, locale, d).format(ms)} ${clock}`;
}

/** dayNumber returns the number of a local day, which is equal for two times of one day. */
export function dayNumber(ms) {
	const d = new Date(ms);
	return Math.floor(Date.UTC(d.getFullYear(), d.getMonth(), d.getDate()) / 86400000);
}

const made = new Map();

function formatter(Kind, locale, options) {
	const key = `${Kind.name}|${locale}|${JSON.stringify(options)}`;
	let f = made.get(key);
	if (!f) {
		try { f = new Kind(locale || "en-US", options); } catch { f = new Kind("en-US", options); }
		made.set(key, f);
	}
	return f;
}
