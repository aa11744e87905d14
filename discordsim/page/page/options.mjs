// Slash commands in the composer: finding a command, completing its options, and turning the typed text into the values of the
// call.

const INTEGER = 4, BOOLEAN = 5, USER = 6, CHANNEL = 7, ROLE = 8, MENTIONABLE = 9, NUMBER = 10;

/** rank returns the entries that match the text after the slash, best first. */
export function rank(list, query) {
	const q = query.trim().toLowerCase();
	if (!q) return list;
	return list.map((entry) => [entry, score(entry, q)])
		.filter(([, s]) => s > 0)
		.sort((a, b) => b[1] - a[1])
		.map(([entry]) => entry);
}

function score(entry, q) {
	const path = entry.path.toLowerCase();
	if (path.startsWith(q)) return 4;
	if (path.split(" ").some((w) => w.startsWith(q))) return 3;
	if (path.includes(q)) return 2;
	return q.split(/\s+/).every((w) => path.split(" ").some((p) => p.startsWith(w))) ? 1 : 0;
}

/**
 * parseLine reads "/tictactoe challenge opponent:bob clock:5m". It returns the
 * entry and the text of each named option, or null while no command is
 * complete. A value runs to the next "name:" of this command.
 */
export function parseLine(list, line) {
	if (!line.startsWith("/")) return null;
	const body = line.slice(1).replace(/\s+/g, " ");
	const entry = [...list].sort((a, b) => b.path.length - a.path.length)
		.find((e) => [e.path, e.name].some((p) => body.toLowerCase() === p.toLowerCase() || body.toLowerCase().startsWith(p.toLowerCase() + " ")));
	if (!entry) return null;
	const used = [entry.path, entry.name].find((p) => body.toLowerCase().startsWith(p.toLowerCase()));
	return { entry, texts: parseOptions(entry, body.slice(used.length)), open: body.length > used.length };
}

/**
 * parseOptions reads "opponent:bob clock:5m" into {opponent: "bob", clock: "5m"}.
 * The text before the first name belongs to the option home, if there is one.
 */
export function parseOptions(entry, text, home = entry.options[0]?.name) {
	const marks = [];
	for (const option of entry.options) {
		for (const label of new Set([option.name, option.label])) {
			const re = new RegExp(`(^|\\s)${escapeRegExp(label)}:`, "giu");
			for (const m of text.matchAll(re)) marks.push({ name: option.name, at: m.index, from: m.index + m[0].length });
		}
	}
	marks.sort((a, b) => a.at - b.at);
	const texts = {};
	marks.forEach((mark, i) => { texts[mark.name] = text.slice(mark.from, marks[i + 1]?.at ?? text.length).trim(); });
	const loose = text.slice(0, marks[0]?.at ?? text.length).trim();
	if (loose && home && !(home in texts)) texts[home] = loose;
	return texts;
}

/** escapeRegExp returns a regular expression that matches a text. */
export const escapeRegExp = (s) => s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * mentionAt reads the text before the cursor of a plain message: for "hi @bo"
 * it is {sign: "@", query: "bo", from: 3}, and null if no mention is being typed.
 */
export function mentionAt(text, cursor) {
	const m = /(?:^|[\s(])([@#])([^\s@#]{0,32})$/u.exec(text.slice(0, cursor));
	return m && { sign: m[1], query: m[2], from: cursor - m[2].length - 1 };
}

/** mentioned replaces the @username and #channel in a plain message by Discord's mentions. */
export function mentioned(text, { users = [], channels = [] } = {}) {
	return text.replace(/(^|[\s(])([@#])([\p{L}\p{N}_.-]{1,100})/gu, (whole, before, sign, written) => {
		// "@bob." at the end of a sentence means bob.
		for (let name = written, rest = ""; name; rest = name.at(-1) + rest, name = name.slice(0, -1)) {
			const hit = sign === "@" ? users.find((u) => u.username === name.toLowerCase()) : channels.find((c) => c.name === name);
			if (hit) return `${before}<${sign}${hit.id}>${rest}`;
			if (/[\p{L}\p{N}_]/u.test(name.at(-1))) break;
		}
		return whole;
	});
}

/** suggestions returns the values that complete the text of an option; found are the bot's suggestions. */
export function suggestions(option, text, { users = [], channels = [], found: asked = {}, me } = {}) {
	const q = text.trim().replace(/^[@#]/, "").toLowerCase();
	const fits = (...names) => !q || names.some((n) => n && n.toLowerCase().includes(q));
	// People rarely mean themselves, so the person of the window comes last among equally good matches.
	const place = (s) => (q && s.label.toLowerCase().startsWith(q) ? 0 : 2) + (s.user && s.user.id === me?.id ? 1 : 0);
	if (option.autocomplete) return (asked[option.name] ?? []).map((c) => ({ label: c.name, detail: "", value: c.value }));
	let found = [];
	if (option.choices?.length) {
		found = option.choices.filter((c) => fits(c.label, c.name, String(c.value)))
			.map((c) => ({ label: c.label ?? c.name, detail: "", value: c.value }));
	} else if (option.type === BOOLEAN) {
		found = [true, false].filter((b) => fits(String(b))).map((b) => ({ label: b ? "True" : "False", detail: "", value: b }));
	} else if (option.type === USER || option.type === MENTIONABLE) {
		found = users.filter((u) => fits(u.username, u.global_name) || u.id === q)
			.map((u) => ({ label: u.global_name || u.username, detail: u.username, value: u.id, user: u }));
	} else if (option.type === CHANNEL) {
		found = channels.filter((c) => fits(c.name)).map((c) => ({ label: c.name, detail: "", value: c.id }));
	}
	return found.sort((a, b) => place(a) - place(b)).slice(0, 25);
}

/** resolve returns the value for the text of an option, or why the text is invalid. */
export function resolve(option, text, world = {}) {
	const t = text.trim();
	if (!t) return option.required ? { error: "This option is required. Specify a value." } : {};
	const q = t.replace(/^[@#]/, "").toLowerCase();
	const among = (list, wanted, ...fields) => list.find((x) => fields.some((f) => String(x[f] ?? "").toLowerCase() === wanted));
	const known = (list, ...fields) => among(list, q, ...fields);
	if (option.choices?.length) {
		const c = among(option.choices, t.toLowerCase(), "label", "name", "value");
		return c ? { value: c.value } : { error: "Choose one of the values offered." };
	}
	const offer = option.autocomplete && among(world.found?.[option.name] ?? [], t.toLowerCase(), "name");
	if (offer) return { value: offer.value };
	switch (option.type) {
		case BOOLEAN:
			return q === "true" || q === "false" ? { value: q === "true" } : { error: "Must be True or False." };
		case USER: case MENTIONABLE: {
			const u = known(world.users ?? [], "id", "username") ?? known(world.users ?? [], "global_name");
			return u ? { value: u.id } : { error: "No such person here. Pick one from the list." };
		}
		case CHANNEL: {
			const c = known(world.channels ?? [], "id", "name");
			return c ? { value: c.id } : { error: "No such channel." };
		}
		case ROLE:
			return /^\d+$/.test(q) ? { value: q } : { error: "No such role." };
		case INTEGER: case NUMBER: {
			const n = Number(t);
			if (!Number.isFinite(n) || (option.type === INTEGER && !Number.isSafeInteger(n))) {
				return { error: option.type === INTEGER ? "Must be a whole number." : "Must be a number." };
			}
			if (option.min_value != null && n < option.min_value) return { error: `Must be ${option.min_value} or more.` };
			if (option.max_value != null && n > option.max_value) return { error: `Must be ${option.max_value} or less.` };
			return { value: n };
		}
		default:
			if (option.min_length != null && t.length < option.min_length) return { error: `Must be ${option.min_length} or more characters.` };
			if (option.max_length != null && t.length > option.max_length) return { error: `Must be ${option.max_length} or fewer characters.` };
			return { value: t };
	}
}

/** call turns an entry and its typed texts into {application, name, options} and {errors}, both by option name. */
export function call(entry, texts, world) {
	const options = {}, errors = {};
	for (const option of entry.options) {
		const { value, error } = resolve(option, texts[option.name] ?? "", world);
		if (error) errors[option.name] = error;
		else if (value !== undefined) options[option.name] = value;
	}
	return { application: entry.command.application_id, name: entry.name, options, errors };
}
