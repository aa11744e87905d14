// The composer: plain messages, and commands with their options.
import { h, iconPress, press, useContext, useEffect, useLayoutEffect, useRef, useState } from "./dom.mjs";
import { World, nameOf, placeName, useLive } from "./text.mjs";
import { Author, Avatar } from "./people.mjs";
import { Failure, Private, Used } from "./message.mjs";
import { header } from "./time.mjs";
import { entries } from "./live.mjs";
import { call, escapeRegExp, mentionAt, mentioned, parseLine, parseOptions, rank, resolve, suggestions } from "./options.mjs";
import { Close, Plus, icon } from "./icons.mjs";
import { editable } from "./actions.mjs";
import { shut } from "./forum.mjs";
import { read } from "./modal.mjs";
import { NewPoll } from "./poll.mjs";

const Send = icon("M4 12 20 4l-5 16-3.5-6.5L4 12Z");
const Slash = icon("M15 5 9 19M4.5 3h15A1.5 1.5 0 0 1 21 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 19.5v-15A1.5 1.5 0 0 1 4.5 3Z");
const USER = 6, CHANNEL = 7;
const patience = 250; // milliseconds without typing before the bot is asked for suggestions

const tail = ""; // the place after the last option, where another option can be named

/** Composer starts with the text of request {text} when another part of the page asks for a command, or replies to the message of request {to}. */
export function Composer({ request }) {
	const live = useLive();
	const [text, setText] = useState("");
	const [chosen, setChosen] = useState(null);  // the entry whose options are filled in
	const [texts, setTexts] = useState({});      // the text of each option
	const [shown, setShown] = useState([]);      // the names of the visible options, in order
	const [at, setAt] = useState(tail);          // the option that is being typed
	const [index, setIndex] = useState(0);       // the suggestion under the cursor
	const [closed, setClosed] = useState(false); // Escape has closed the menu
	const [errors, setErrors] = useState({});
	const [problem, setProblem] = useState("");
	const [polling, setPolling] = useState(false);
	const [to, setTo] = useState(null);          // the message that the person replies to
	const plain = useRef(null), root = useRef(null), moved = useRef(false);
	const lineBreak = useRef(false); // Shift+Enter was pressed, which asks for a line break

	const list = entries(live.offered, { locale: live.locale, context: live.context });
	const option = (name) => chosen?.options.find((o) => o.name === name);
	const [asked, found] = useOffers(live, chosen, option(at), texts);
	const world = { users: nameable(live), channels: live.channels.filter((c) => c.id && c.type !== 1), found, me: live.me };
	const [cursorAt, setCursorAt] = useState(0); // the position of the cursor in a plain message
	const naming = chosen ? null : mentionAt(text, cursorAt);
	const first = chosen?.options.find((o) => !shown.includes(o.name)); // the option that gets a text without a name

	// ---- what the menu offers ----

	let menu = [];
	if (!chosen) {
		if (text.startsWith("/") && !text.includes("\n")) menu = rank(list, text.slice(1)).map((entry) => ({ key: entry.command.id + entry.name, entry }));
		else if (naming) menu = suggestions({ type: naming.sign === "@" ? USER : CHANNEL }, naming.query, world).slice(0, 10).map((s) => ({ key: String(s.value), pick: s }));
	} else if (at === tail) {
		menu = chosen.options.filter((o) => !shown.includes(o.name)).map((o) => ({ key: o.name, option: o }));
		const q = (texts[tail] ?? "").trim().toLowerCase();
		if (q) menu = menu.filter((m) => m.option.label.toLowerCase().startsWith(q));
		if (q && first) menu.push(...suggestions(first, q, world).map((s) => ({ key: "=" + s.value, pick: s })));
	} else {
		menu = suggestions(option(at), texts[at] ?? "", world).map((s) => ({ key: String(s.value), pick: s }));
	}
	if (closed) menu = [];
	const cursor = Math.min(index, menu.length - 1);

	// ---- moving between the places ----

	const focus = (name) => { setAt(name); setIndex(name === tail ? -1 : 0); setClosed(false); moved.current = true; };
	useLayoutEffect(() => {
		if (!moved.current) return;
		moved.current = false;
		const input = chosen ? root.current.querySelector(`[data-option="${CSS.escape(at)}"]`) : plain.current;
		input?.focus();
		if (!chosen) input?.setSelectionRange(cursorAt, cursorAt);
	});
	const write = (value, cursor = value.length) => { setText(value); setCursorAt(cursor); };
	const reset = () => { setChosen(null); setTexts({}); setShown([]); setErrors({}); setProblem(""); write(""); setIndex(0); setClosed(false); moved.current = true; };

	const begin = (entry, given = {}) => {
		const names = entry.options.filter((o) => o.required || o.name in given).map((o) => o.name);
		setChosen(entry); setTexts(given); setShown(names); setErrors({}); setProblem(""); write("");
		const empty = names.find((n) => !given[n]);
		focus(empty ?? tail);
	};

	useEffect(() => {
		if (!request) return;
		setTo(request.to ?? null);
		if (request.to) {
			if (chosen) reset();
			moved.current = true;
			return;
		}
		const line = parseLine(list, request.text);
		if (line) begin(line.entry, line.texts);
		else { reset(); write(request.text); }
		moved.current = true;
	}, [request]);
	// With a keyboard, one can write at once. On other devices, focus would only open a keyboard that hides the messages.
	useEffect(() => {
		reset();
		setTo(null);
		moved.current = !matchMedia("(pointer: coarse)").matches;
		if (moved.current) plain.current?.focus();
	}, [live.channel?.key, live.me?.id]);
	useEffect(() => { if (live.up) setProblem(""); }, [live.up]);

	const next = (values, from) => {
		const order = [...shown];
		const after = [...order.slice(order.indexOf(from) + 1), ...order];
		return after.find((n) => n !== from && !(values[n] ?? "").trim()) ?? tail;
	};

	// ---- choosing and typing ----

	const choose = (item) => {
		if (item.entry) { begin(item.entry); return; }
		if (item.option) {
			setShown([...shown, item.option.name]);
			setTexts({ ...texts, [tail]: "" });
			focus(item.option.name);
			return;
		}
		if (naming) {
			const name = naming.sign + (item.pick.user?.username ?? item.pick.label) + " ", after = text.slice(cursorAt);
			write(text.slice(0, naming.from) + name + after, naming.from + name.length);
			moved.current = true;
			return;
		}
		// If two people have the same name, their ids tell them apart.
		const name = at || first.name, label = item.pick.label;
		const same = resolve(option(name), label, world).value === item.pick.value;
		const values = { ...texts, [tail]: "", [name]: same ? label : String(item.pick.value) };
		setTexts(values);
		if (!at) setShown([...shown, name]);
		setErrors({ ...errors, [name]: "" });
		focus(next(values, name));
	};

	// settle gives the text at the end to the first option that has none, as Discord does, and returns the texts.
	const settle = (given = texts) => {
		const loose = (given[tail] ?? "").trim();
		if (!loose || !first) return given;
		const values = { ...given, [tail]: "", [first.name]: loose };
		setTexts(values);
		setShown([...shown, first.name]);
		focus(first.name);
		return values;
	};

	const typedPlain = (value, cursor = value.length) => {
		write(value, cursor);
		setIndex(0);
		setClosed(false);
		setProblem("");
		const line = parseLine(list, value);
		if (line?.open) begin(line.entry, line.texts);
	};

	const typedOption = (name, value) => {
		setIndex(name || value ? 0 : -1);
		setClosed(false);
		setErrors({ ...errors, [name]: "" });
		setProblem("");
		// Typing "clock:" moves to that option, as pasting a whole line does.
		const named = chosen.options.find((o) => [o.name, o.label].some((l) => new RegExp(`(^|\\s)${escapeRegExp(l)}:`, "iu").test(value)));
		if (named) {
			const found = parseOptions(chosen, value, name || first?.name);
			const names = Object.keys(found);
			const values = { ...texts, [name]: "", ...found, [tail]: "" };
			setTexts(values);
			setShown([...shown, ...names.filter((n) => !shown.includes(n))]);
			focus(names.find((n) => !found[n]) ?? named.name);
			return;
		}
		setTexts({ ...texts, [name]: value });
	};

	const removeOption = (name) => {
		const { [name]: _, ...rest } = texts;
		const places = shown.filter((n) => n !== name || option(n).required);
		setTexts(rest);
		setShown(places);
		focus(option(name)?.required ? name : places.at(-1) ?? tail);
	};

	// ---- sending ----

	const sendMessage = async () => {
		const content = text.trim();
		if (!content) return;
		const line = parseLine(list, content); // a command that was typed and not chosen in the menu
		if (line) return sendCommand(line.entry, line.texts);
		if (content.startsWith("/")) {
			setProblem(list.length ? "No such command. Type / to see what there is." : "No bot has registered commands yet.");
			return;
		}
		await post(content);
	};

	// post sends a message, and takes it back into the composer if that fails.
	const post = async (content, files) => {
		write("");
		setTo(null);
		try { await live.send({ content: mentioned(content, world), reply_to: to?.id, files: files && await Promise.all(files.map(read)) }); } catch (err) { write(content); setTo(to); setProblem(err.message); }
	};

	const sendCommand = async (entry = chosen, given = settle()) => {
		const { errors: wrong, ...command } = call(entry, given, world);
		if (given[tail]?.trim()) { setProblem("This command has no further option."); return; }
		const bad = Object.keys(wrong)[0];
		if (bad && !chosen) return begin(entry, given);
		setErrors(wrong);
		if (bad) {
			if (!shown.includes(bad)) setShown([...shown, bad]);
			focus(bad);
			setIndex(0);
			return;
		}
		reset();
		try { await live.run({ ...command, path: entry.path }); } catch (err) {
			begin(entry, given);
			setProblem(err.message);
		}
	};

	const settledOption = () => {
		if (at === tail) return cursor < 0;
		const { error, value } = resolve(option(at), texts[at] ?? "", world);
		if (option(at).autocomplete && menu.length && !menu.some((m) => m.pick.label === texts[at])) return false;
		return !error && (value !== undefined || !option(at).required);
	};

	const onKey = (e) => {
		if (e.isComposing) return;
		lineBreak.current = e.key === "Enter" && e.shiftKey;
		const pickable = menu.length > 0;
		if ((e.key === "ArrowDown" || e.key === "ArrowUp") && pickable) {
			e.preventDefault();
			const step = e.key === "ArrowDown" ? 1 : -1;
			setIndex((cursor + step + menu.length + (cursor < 0 && step < 0 ? 1 : 0)) % menu.length);
		} else if (e.key === "Tab" && !e.shiftKey && pickable) {
			e.preventDefault();
			choose(menu[Math.max(cursor, 0)]);
		} else if (e.key === "Tab" && !e.shiftKey && settle() !== texts) {
			e.preventDefault();
		} else if (e.key === "Enter" && !e.shiftKey) {
			e.preventDefault();
			if (!chosen) {
				if (pickable) choose(menu[cursor]); else sendMessage();
			} else if (settledOption()) sendCommand();
			else if (pickable) choose(menu[Math.max(cursor, 0)]);
			else sendCommand();
		} else if (e.key === "Escape") {
			if (pickable) setClosed(true);
			else if (chosen) reset();
			else if (to) setTo(null);
		} else if (e.key === "ArrowUp" && !chosen && !text) {
			const last = live.messages?.findLast((m) => editable(m, live));
			if (last) { e.preventDefault(); live.edit(last); }
		} else if (e.key === "Backspace" && chosen && !(texts[at] ?? "")) {
			e.preventDefault();
			if (at === tail) { if (shown.length) focus(shown.at(-1)); else { const path = chosen.path; reset(); write("/" + path); } }
			else if (!option(at).required) removeOption(at);
			else if (shown.indexOf(at) > 0) focus(shown[shown.indexOf(at) - 1]);
			else { const path = chosen.path; reset(); write("/" + path); }
		}
	};

	const combo = {
		"aria-haspopup": "listbox", "aria-controls": menu.length ? "menu" : undefined, "aria-autocomplete": "list",
		"aria-activedescendant": menu.length && cursor >= 0 ? "menu-" + cursor : undefined, autocomplete: "off", spellcheck: false, onKeyDown: onKey,
	};
	const expands = { role: "combobox", "aria-expanded": menu.length > 0 }; // ARIA does not allow these on a text of several lines
	const barred = shut(live), { choose: offer } = useContext(World);
	const upload = (e) => post(text, [...e.target.files]);
	const attach = (e) => offer("Add", [
		{ label: "Upload files", run: () => Object.assign(document.createElement("input"), { type: "file", multiple: true, onchange: upload }).click() },
		{ label: "Create a poll", run: () => setPolling(true) },
	], e.currentTarget);
	const hint = chosen && at !== tail ? option(at) : null;
	const error = problem || (chosen && errors[at]) || Object.values(errors).find(Boolean);

	return h("div", { class: "composer", ref: root, role: "form", "aria-label": "Write a message" },
		(menu.length > 0 || hint) && h("div", { class: "menu", tabIndex: 0, onMouseDown: (e) => e.preventDefault() },
			hint && h("p", { class: "menu-help" }, h("strong", null, hint.label), " ", hint.help),
			hint?.autocomplete && asked && h("p", { class: "menu-help", role: "status" }, asked),
			!chosen && menu.length > 0 && h("p", { class: "menu-title" }, naming ? (naming.sign === "@" ? "Members" : "Text channels") : "Commands"),
			chosen && at === tail && h("p", { class: "menu-title" }, "Optional"),
			h("ul", { id: "menu", role: "listbox", "aria-label": "Suggestions" }, menu.map((item, i) => h(Item, { key: item.key, item, id: "menu-" + i, current: i === cursor, onPick: () => choose(item) })))),
		error && h("p", { class: "composer-error", role: "alert" }, error),
		to && h("p", { class: "replying", role: "status" }, h("span", { class: "grow" }, "Replying to ", h("strong", null, nameOf(live.user(to.author.id) ?? to.author))), iconPress("Cancel the reply", Close, { class: "tiny", onClick: () => { setTo(null); plain.current?.focus(); } })),
		h("div", { class: "composer-box" },
			chosen
				? iconPress("Cancel the command", Close, { onClick: reset })
				: iconPress("Add a file or a poll", Plus, { disabled: Boolean(barred), "aria-haspopup": "menu", onClick: attach }),
			!chosen && iconPress("Commands", Slash, { disabled: Boolean(barred), onClick: () => { typedPlain("/"); moved.current = true; } }),
			chosen
				? h("div", { class: "chips" },
					h("span", { class: "chip command-chip" }, "/" + chosen.path),
					shown.map((name) => h(Chip, {
						key: name, option: option(name), value: texts[name] ?? "", error: errors[name], active: at === name, combo: { ...combo, ...expands },
						onFocus: () => { if (at !== name) { setAt(name); setIndex(0); setClosed(false); } },
						onInput: (v) => typedOption(name, v), onRemove: () => removeOption(name),
					})),
					h("input", {
						...combo, ...expands, id: "compose", type: "text", class: "tail", "data-option": tail, "aria-label": "Add an option, or press Enter to send", value: texts[tail] ?? "",
						placeholder: restOf(chosen, shown),
						onFocus: () => { if (at !== tail) { setAt(tail); setIndex(-1); setClosed(false); } }, onInput: (e) => typedOption(tail, e.currentTarget.value),
					}))
				: h("textarea", {
					...combo, id: "compose", ref: plain, class: "plain", rows: Math.min(8, text.split("\n").length), value: text, maxLength: 2000, enterkeyhint: "send",
					onBeforeInput: (e) => { if (e.inputType === "insertLineBreak" && !lineBreak.current) e.preventDefault(); },
					"aria-label": `Message ${placeName(live.channel, live)}`, disabled: Boolean(barred),
					placeholder: barred || `Message ${placeName(live.channel, live)}`,
					onInput: (e) => typedPlain(e.currentTarget.value, e.currentTarget.selectionStart), onSelect: (e) => setCursorAt(e.currentTarget.selectionStart),
				}),
			polling && h(NewPoll, { onClose: () => setPolling(false) }),
			iconPress("Send", Send, { class: "send", disabled: !chosen && !text.trim(), onClick: () => (chosen ? sendCommand() : sendMessage()) })));
}

// nameable lists the users that can be mentioned: the members of a server, or everybody in direct messages, which nobody else
// reads.
const nameable = (live) => (live.guild ? live.present : live.users);

/** useOffers asks the bot for suggestions for the option being typed. It returns a note about the request, and the suggestions by option. */
function useOffers(live, entry, option, texts) {
	const [asked, setAsked] = useState("");
	const [found, setFound] = useState({});
	const typed = option ? texts[option.name] ?? "" : "";
	useEffect(() => { setFound({}); }, [entry]);
	useEffect(() => {
		if (!option?.autocomplete || found[option.name]?.some((c) => c.name === typed)) { setAsked(""); return undefined; }
		let wanted = true;
		setAsked("Loading options…");
		const timer = setTimeout(async () => {
			const { errors, ...command } = call(entry, { ...texts, [option.name]: "" }, { users: nameable(live), channels: live.channels, found });
			command.options[option.name] = typed;
			let choices = [], problem = "";
			try {
				const answer = await live.ask("POST", "autocomplete", { ...command, as: live.me.username, channel: live.channel.key, focused: option.name });
				if (answer.choices) choices = answer.choices;
				else problem = "Loading options failed.";
			} catch { problem = "Loading options failed."; }
			if (!wanted) return;
			setFound((known) => ({ ...known, [option.name]: choices }));
			setAsked(problem || (choices.length || !typed ? "" : "No options match your search."));
		}, patience);
		return () => { wanted = false; clearTimeout(timer); };
	}, [entry, option?.name, typed]);
	return [asked, found];
}

function restOf(entry, shown) {
	const n = entry.options.length - shown.length;
	return n > 0 ? `+${n} optional` : "Press Enter to send";
}

function Item({ item, id, current, onPick }) {
	const live = useLive();
	const ref = useRef(null);
	useLayoutEffect(() => { if (current) ref.current.scrollIntoView({ block: "nearest" }); }, [current]);
	const app = item.entry && live.bot(item.entry.command.application_id)?.user;
	return h("li", { id, ref, role: "option", "aria-selected": current, class: current ? "menu-row current" : "menu-row", onClick: onPick },
		item.entry && [
			app && h(Avatar, { user: app, size: 28 }),
			h("span", { class: "menu-text" }, h("span", null, h("strong", null, "/" + item.entry.path), item.entry.options.map((o) => h("span", { class: o.required ? "ghost needed" : "ghost" }, o.label))), h("small", null, item.entry.description)),
			app && h("small", { class: "menu-side" }, nameOf(app)),
		],
		item.option && h("span", { class: "menu-text" }, h("strong", null, item.option.label), h("small", null, item.option.help)),
		item.pick && [
			item.pick.user && h(Avatar, { user: item.pick.user, size: 24 }),
			h("span", { class: "menu-text one-line" }, h("span", null, item.pick.label), item.pick.detail && h("small", null, item.pick.detail)),
		]);
}

function Chip({ option, value, error, active, combo, onFocus, onInput, onRemove }) {
	const width = Math.max(4, value.length + 1);
	return h("label", { class: `chip option-chip${active ? " active" : ""}${error ? " wrong" : ""}` },
		h("span", { class: "chip-name" }, option.label, option.required && h("span", { class: "required", title: "required" }, "*")),
		h("input", {
			...combo, type: "text", "data-option": option.name, "aria-label": option.label + (option.required ? " (required)" : " (optional)"), "aria-invalid": Boolean(error) || undefined,
			"aria-required": option.required || undefined, value, style: { width: `min(${width}ch, 40vw)` }, onFocus, onInput: (e) => onInput(e.currentTarget.value),
		}),
		!option.required && press({ class: "chip-remove", tabIndex: -1, "aria-label": `Remove ${option.label}`, onClick: (e) => { e.preventDefault(); onRemove(); } }, h(Close)));
}

/** Draft is the message that Discord shows for an answer that never came. */
export function Draft({ draft }) {
	const live = useLive();
	return h("li", { class: "message ephemeral", "data-draft": draft.id },
		h(Used, { used: { user: live.me, target_user: draft.target }, name: draft.used }),
		h("span", { class: "face-button" }, h(Avatar, { user: draft.author })),
		h("div", { class: "message-body" }, h("h3", { class: "head" }, h(Author, { user: { ...draft.author, bot: true } }), h("time", { dateTime: draft.at }, header(draft.at, live.now(), live.locale))),
			h(Failure, draft),
			h(Private, { dismiss: () => live.dismissDraft(draft.id) })));
}
