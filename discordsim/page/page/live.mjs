// The page's copy of the simulator's state, kept current by the event stream. After every interruption of the stream everything is
// fetched again, so no event is indispensable.

import { has } from "./permissions.mjs";

const retryFirst = 400, retryMost = 5000; // milliseconds between attempts to reach the stream
const fetchedAtFirst = 50; // messages of a channel that are fetched at first

/** Refused is an unsuccessful response of the simulator. */
export class Refused extends Error {
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

async function call(method, path, body) {
	const made = path === globalThis.early?.path ? globalThis.early.response : fetch(path, {
		method, cache: "no-store",
		...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
	});
	globalThis.early = null; // its response is only valid for the first call
	const response = await made.catch(() => { throw new Error("The local Discord cannot be reached. Try again when the connection is back."); });
	const text = await response.text();
	let answer = null;
	try { answer = text ? JSON.parse(text) : null; } catch { /* a proxy's page, which the status below explains */ }
	if (!response.ok) throw new Refused(response.status, answer?.error ?? `The simulator answered ${response.status}.`);
	return answer;
}

const byId = (a, b) => (a.id.length - b.id.length) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

export class Live {
	users = []; bots = []; channels = []; commands = []; guilds = [];
	me = null;           // the person of this window
	channel = null;      // the visible channel
	messages = null;     // oldest first; null while they are fetched
	more = false;        // whether there may be older messages
	drafts = [];         // drafts exist only in this window: commands that nobody answered
	pending = new Map(); // message id -> custom_id of the component whose answer is pending
	failures = new Map(); // message id -> {text, detail}
	unread = new Map();  // channel id -> number of mentions of me and private answers
	fresh = new Set();   // ids of channels with unread messages
	settled = [];        // the latest interactions of everybody, newest first: {id, as, message, status, ms, at}
	faults = { all: {}, bots: {} }; // the faults that are switched on
	done = false;        // this window has sent, pressed or used something
	modal = null;
	problem = "";        // the error of the last failed call
	target = null;       // id of a message to scroll to once it is loaded
	ping = null;         // the latest {channel, message} that is for me and out of view
	away = false;        // the visible messages are scrolled up
	follow = false;      // a message of my own has arrived, so the messages scroll to their end
	editing = null;      // id of the message whose text the person is changing
	up = false;
	lost = false;        // the connection is interrupted, or could not be opened
	ready = false;
	offset = 0;
	#skew = 0; #listeners = new Set(); #source = null; #retry = retryFirst; #timer = 0;
	#buffer = null; #epoch = 0; #want; #stateTimer = 0; #asked = 0; #shown = 0; #turn = 0; #breaking = 0; #silent = 0; #last = new Map();
	#began = 0; // when the page was opened, by the simulator's clock

	/** as and channel come from the page's address; both may be null. */
	constructor({ as, channel }) {
		this.#want = { as, channel };
	}

	subscribe(fn) {
		this.#listeners.add(fn);
		return () => this.#listeners.delete(fn);
	}

	#changed() { for (const fn of this.#listeners) fn(); }

	/** now returns the time by the simulator's clock, in milliseconds. */
	now() { return Date.now() + this.#skew; }

	/** guild is the visible server, or null among the direct messages. */
	get guild() { return this.guilds.find((g) => g.id === this.channel?.guild_id) ?? null; }

	/** user returns a person or bot, with the nickname on the visible server. */
	user(id) {
		const user = this.users.find((u) => u.id === id);
		const nick = user && this.guild?.members?.find((m) => m.user === id)?.nick;
		return nick ? { ...user, nick } : user;
	}
	bot(id) { return this.bots.find((b) => b.user.id === id || b.application_id === id); }
	get people() { return this.users.filter((u) => !u.bot); }
	/** present lists the people and bots in the visible channel, as far as they are known. */
	get present() {
		const { recipients, bot } = this.channel ?? {};
		const members = this.guild?.members;
		if (members) return members.map((m) => this.user(m.user)).filter(Boolean);
		if (this.guild || !this.channel) return this.users;
		return [this.me, ...(bot ? [bot.user] : recipients ?? [])].map((u) => u && this.user(u.id)).filter(Boolean);
	}
	/** may reports whether the person has a permission in the visible channel. */
	may(name) { return has(this.channel?.permissions, name); }
	/** silence returns when a user's timeout ends, in milliseconds, or 0 without a timeout. */
	silence(id = this.me.id) {
		const until = Date.parse(this.guild?.members?.find((m) => m.user === id)?.communication_disabled_until);
		return until > this.now() ? until : 0;
	}
	/** ask makes a call under /sim/. It throws Refused if the call fails. */
	ask(method, path, body) { return call(method, "/sim/" + path, body); }
	get locale() { return this.me?.locale || "en-US"; }
	/** context is Discord's number for the context of commands: a server, the bot's direct messages, or other direct messages. */
	get context() { return this.channel?.guild_id || !this.channel ? 0 : this.channel.bot ? 1 : 2; }
	get offered() {
		const { bot, guild_id: guild } = this.channel ?? {};
		if (this.silence() || !this.may("USE_APPLICATION_COMMANDS")) return [];
		return this.commands.filter((c) => (!c.guild_id || c.guild_id === guild) && (!bot || c.application_id === bot.application_id));
	}

	// ---- connection ----

	start() {
		this.#connect();
		const again = () => { if (!this.up) this.#connect(); };
		addEventListener("online", again);
		document.addEventListener("visibilitychange", () => { if (!document.hidden) again(); });
	}

	#connect() {
		clearTimeout(this.#timer);
		this.#source?.close();
		const epoch = ++this.#epoch;
		this.#load(epoch).catch((err) => this.#lost(epoch, err));
	}

	async #load(epoch) {
		await this.#fetchState(epoch);
		if (epoch !== this.#epoch) return;
		this.#fetchMessages(epoch).catch(() => {}); // to be shown at once; they are fetched again when the stream is there
		const source = new EventSource("/sim/events?as=" + encodeURIComponent(this.me.username));
		this.#source = source;
		source.onopen = async () => {
			if (epoch !== this.#epoch) return;
			try {
				await Promise.all([this.#fetchState(epoch), this.#fetchFaults(), this.#fetchMessages(epoch)]);
				if (epoch !== this.#epoch) return;
				this.up = true;
				this.lost = false;
				this.ready = true;
				this.#retry = retryFirst;
				this.problem = "";
				this.failures.clear();
				this.#changed();
			} catch (err) { this.#lost(epoch, err); }
		};
		source.onerror = () => this.#lost(epoch);
		const on = (name, fn) => source.addEventListener(name, (event) => {
			if (epoch !== this.#epoch) return;
			let body;
			try { body = JSON.parse(event.data); } catch { return; }
			fn(body);
		});
		on("message", (event) => this.#arrived(event));
		on("delete", ({ channel, message }) => this.#event({ channel, gone: message }));
		on("state", () => this.#refreshState(epoch));
		on("interaction", (event) => this.#noted(event));
		on("faults", () => this.#fetchFaults().catch((err) => this.#lost(epoch, err)));
		on("clock", ({ now, offset_ms }) => { this.#setClock(now, offset_ms); this.#refreshState(epoch); });
	}

	#lost(epoch, err) {
		if (epoch !== this.#epoch) return;
		this.#source?.close();
		this.#epoch++;
		this.up = false;
		this.lost = true;
		if (err instanceof Refused) this.problem = err.message;
		this.#timer = setTimeout(() => this.#connect(), this.#retry);
		this.#retry = Math.min(this.#retry * 1.6, retryMost);
		this.#changed();
	}

	// ---- state ----

	async #fetchState(epoch) {
		const turn = ++this.#asked, as = this.me?.username ?? this.#want.as;
		const seen = (as) => call("GET", "/sim/state?as=" + encodeURIComponent(as)); // without a name, as the first person
		const state = await seen(as ?? "").catch((err) => {
			if (err instanceof Refused && as) return seen("");
			throw err;
		});
		const me = state.users.find((u) => u.id === state.viewer);
		if (!me) throw new Refused(0, "This Discord has no people.");
		if (epoch !== this.#epoch || turn < this.#shown) return; // a later request was answered first
		this.#shown = turn;
		this.me = me;
		// A bot with an interactions endpoint needs no gateway connection.
		this.bots = (state.bots ?? []).map((b) => ({ ...b, connected: b.connected || Boolean(b.interactions_endpoint_url) }));
		this.users = [...(state.users ?? [])];
		for (const bot of this.bots) if (!this.user(bot.user.id)) this.users.push({ ...bot.user, bot: true });
		this.commands = state.commands ?? [];
		this.guilds = state.guilds ?? [];
		const before = this.channel?.key, at = before ?? this.#want.channel;
		this.channels = this.#arrange(state.channels ?? []);
		this.#setClock(state.now, state.offset_ms);
		clearTimeout(this.#silent);
		if (this.silence()) this.#silent = setTimeout(() => this.#refreshState(epoch), Math.min(this.silence() - this.now() + 50, 2 ** 31 - 1));
		this.#began ||= Date.parse(state.now);
		this.channel = (at && this.channels.find((c) => c.key === at || c.name === at))
			?? this.channels.find((c) => c.name === this.channel?.name)
			?? this.channels.find((c) => c.name === "general") ?? this.channels[0] ?? null;
		this.#address();
		this.#changed();
		// The person no longer sees the channel, so another channel is opened.
		if (before && this.channel && before !== this.channel.key && before !== this.channel.name) this.#entered();
	}

	// A direct message that was never opened has no id yet. Its name stands for the id, since every call accepts the name too.
	#arrange(found) {
		const channels = found.filter((c) => c.type !== 4).map((c) => ({ ...c, key: c.id }));
		for (const bot of this.bots) {
			const name = "@" + bot.user.username;
			const open = channels.find((c) => c.type === 1 && (c.name === name || c.recipients?.some((r) => r.id === bot.user.id)));
			if (open) Object.assign(open, { bot, name });
			else channels.push({ key: name, id: null, name, type: 1, bot });
		}
		for (const c of channels) if (c.type === 1 && !c.bot) c.recipients = c.recipients?.filter((r) => r.id !== this.me.id);
		const here = this.channel;
		if (here && !here.id && !here.bot && !channels.some((c) => c.name === here.name)) channels.push(here);
		return channels;
	}

	#setClock(now, offset) {
		const ms = Date.parse(now);
		if (!Number.isNaN(ms)) this.#skew = ms - Date.now();
		this.offset = offset ?? this.offset;
	}

	#refreshState(epoch) {
		clearTimeout(this.#stateTimer);
		this.#stateTimer = setTimeout(() => {
			this.#fetchState(epoch).catch((err) => this.#lost(epoch, err));
		}, 30);
	}

	#address() {
		const url = new URL(location.href);
		url.searchParams.set("as", this.me.username);
		const { channel } = this;
		const first = channel && this.channels.find((c) => c.name === channel.name);
		if (channel && first !== channel) url.searchParams.set("channel", channel.key); // several channels have that name
		else if (channel && channel.name !== "general") url.searchParams.set("channel", channel.name);
		else url.searchParams.delete("channel");
		if (url.href !== location.href) history.replaceState(null, "", url);
	}

	// ---- messages ----

	/** fetchOlder fetches all messages of the channel. */
	fetchOlder() {
		if (!this.more) return;
		this.more = false;
		this.#fetchMessages(this.#epoch, true).catch((err) => this.#lost(this.#epoch, err));
	}

	async #fetchMessages(epoch, all) {
		const channel = this.channel;
		if (!channel) { this.#buffer = null; this.messages = []; return; }
		const buffer = this.#buffer = [];
		const query = new URLSearchParams({ channel: channel.key, as: this.me.username });
		if (!all && !this.target && !channel.last_pin_timestamp) query.set("last", fetchedAtFirst);
		const list = await call("GET", "/sim/messages?" + query).catch((err) => {
			if (err.status === 404 && !channel.id) return [];
			throw err;
		});
		const again = this.#buffer !== buffer; // another channel was opened, or a later fetch has begun
		if (epoch !== this.#epoch || again && (this.messages || channel.key !== this.channel?.key)) return;
		this.messages = (list ?? []).filter((m) => !this.#forgotten(m)).sort(byId);
		this.more = query.has("last") && list.length === fetchedAtFirst;
		this.#changed();
		performance.mark("messages"); // lets tests measure how long the messages take
		if (again) return;
		this.#buffer = null;
		this.unread.delete(channel.key);
		this.fresh.delete(channel.key);
		for (const event of buffer) this.#apply(event);
		this.#changed();
	}

	// As on Discord, a private message is gone once the page is reloaded.
	#forgotten(message) { return message.flags & 64 && Date.parse(message.timestamp) < this.#began; }

	#arrived({ channel, message, ping }) {
		if (this.#forgotten(message)) return;
		const here = channel === this.channel?.id || (!this.channel?.id && message.channel_id === channel && this.#isMine(message));
		const known = here && this.messages?.find((m) => m.id === message.id);
		const epoch = this.#epoch, unknown = !this.channels.some((c) => c.id === channel);
		if (!here) {
			const count = () => {
				const at = this.channels.find((c) => c.id === channel);
				if (at?.parent_id && at.parent_id === this.channel?.id) this.#refreshState(epoch); // the number of messages in the forum's posts
				const counts = message.flags & 64 || ping || at && !at.guild_id;
				if (!message.edited_timestamp) this.fresh.add(channel);
				if (counts && !message.edited_timestamp) {
					this.unread.set(channel, (this.unread.get(channel) ?? 0) + 1);
					this.ping = { channel, message };
				}
				this.#changed();
			};
			if (unknown) this.#fetchState(epoch).then(count).catch((err) => this.#lost(epoch, err));
			else count();
			return;
		}
		if (unknown) this.#refreshState(epoch);
		if (!known && !message.edited_timestamp) {
			this.follow ||= message.author?.id === this.me.id || Boolean(message.flags & 64) || message.interaction_metadata?.user?.id === this.me.id;
			if (this.away && !this.follow && this.mentions(message)) this.ping = { channel, message };
		}
		if (!known || message.author?.bot) [this.heard, this.heardBefore] = [message, known];
		this.#event({ channel, message });
	}

	// The first message of a direct message without an id tells the id.
	#isMine(message) {
		const other = this.channel?.bot?.user.id ?? this.channel?.recipients?.[0]?.id;
		return other && (message.author?.id === other || message.author?.id === this.me.id)
			&& !this.channels.some((c) => c.id === message.channel_id);
	}

	#event(event) {
		if (this.#buffer) this.#buffer.push(event);
		else this.#apply(event);
		this.#changed();
	}

	#apply({ channel, message, gone }) {
		if (channel !== this.channel?.id && this.channel?.id) return;
		const list = this.messages ?? [];
		if (gone) { this.messages = list.filter((m) => m.id !== gone); return; }
		const i = list.findIndex((m) => m.id === message.id);
		if (i < 0 && this.more && byId(message, list[0]) < 0) return; // an older message that was not fetched
		if (i >= 0) this.messages = list.with(i, message);
		else this.messages = [...list, message].sort(byId);
		if (i >= 0) this.failures.delete(message.id);
	}

	/** mentions reports whether a message mentions the person of this window, or everybody. */
	mentions(message) {
		return message.author?.id !== this.me?.id && (message.mention_everyone || (message.mentions ?? []).some((u) => u.id === this.me?.id));
	}

	// ---- actions of the person ----

	become(username) {
		if (username === this.me?.username) return;
		this.me = this.users.find((u) => u.username === username) ?? { username };
		if (!this.channel?.guild_id) this.channel = null;
		Object.assign(this, { messages: null, drafts: [], modal: null, editing: null, ping: null });
		this.pending = new Map(); this.failures = new Map(); this.unread = new Map(); this.fresh = new Set();
		this.#address();
		this.#changed();
		this.#connect();
	}

	open(key) {
		const channel = this.channels.find((c) => c.key === key);
		if (!channel || channel === this.channel) return;
		this.channel = channel;
		if (channel.guild_id) this.#last.set(channel.guild_id, key);
		this.#address();
		this.#entered();
	}

	/** enter opens the channel of a server that was visible there last, or with null the last direct messages. */
	enter(guild) {
		const own = this.channels.filter((c) => (c.guild_id ?? null) === guild);
		this.open((own.find((c) => c.key === this.#last.get(guild)) ?? own[0])?.key);
	}

	/** write opens the direct messages with a user, even if there are none yet. */
	write(user) {
		const open = this.channels.find((c) => c.type === 1 && (c.bot?.user.id === user.id || c.recipients?.some((r) => r.id === user.id)));
		const name = "@" + user.username;
		if (!open) this.channels.push({ key: name, id: null, name, type: 1, recipients: [user] });
		this.open(open?.key ?? name);
	}

	#entered() {
		this.messages = this.editing = null;
		this.drafts = [];
		this.#changed();
		this.#reload();
	}

	#reload() {
		const epoch = this.#epoch;
		this.#fetchMessages(epoch).catch((err) => this.#lost(epoch, err));
	}

	/** jump opens the channel of a message and scrolls to the message; message may be missing. */
	jump(key, message) {
		this.target = message ?? null;
		this.open(key);
		this.#changed();
	}

	/** seen removes the banner about a message out of view. */
	seen() { this.ping = null; this.#changed(); }

	click(message, component) {
		return this.#press(message, component.custom_id, "/sim/click", { custom_id: component.custom_id });
	}

	select(message, component, values) {
		return this.#press(message, component.custom_id, "/sim/select", { custom_id: component.custom_id, values });
	}

	async #press(message, customId, path, body) {
		if (this.pending.has(message.id)) return;
		const me = this.me;
		this.done = true;
		this.pending.set(message.id, customId);
		this.failures.delete(message.id);
		this.#changed();
		const fail = (detail) => this.failures.set(message.id, { text: "This interaction failed", detail });
		try {
			const answer = await call("POST", path, { as: me.username, message: message.id, ...body });
			if (me.id !== this.me.id) return;
			const why = broken(answer);
			if (why) fail(why);
			this.#settled(answer);
		} catch (err) {
			if (me.id !== this.me.id) return;
			fail(err.message);
			if (err.status === 404 || err.status === 409) this.#reload();
		} finally {
			this.pending.delete(message.id);
			this.#changed();
		}
	}

	#settled(answer) {
		if (answer.modal) this.modal = { ...answer.modal, interaction: answer.interaction };
		const message = answer.message;
		if (message && !this.up && message.channel_id === this.channel?.id) this.#apply({ channel: this.channel.id, message });
	}

	#noted({ interaction, as, message, status, ms }) {
		const before = this.settled.find((i) => i.id === interaction);
		const row = { at: this.now(), ...before, id: interaction, as, message: message || before?.message, status, ms: ms ?? before?.ms };
		if (status === "pending") row.began = performance.now();
		else row.ms ??= row.began && Math.round(performance.now() - row.began);
		this.settled = [row, ...this.settled.filter((i) => i !== before)].slice(0, 100);
		this.#changed();
	}

	/** run sends a command. It throws Refused if the simulator does not accept it. */
	async run({ application, name, options, target, path }) {
		const { me, channel } = this;
		this.done = true;
		const body = { as: me.username, application, channel: channel.key, name };
		if (target) body.target = target;
		else if (Object.keys(options ?? {}).length) body.options = options;
		const answer = await call("POST", "/sim/command", body);
		if (me.id !== this.me.id) return;
		const why = broken(answer);
		if (why) {
			this.follow = true;
			this.drafts = [...this.drafts, {
				id: answer.interaction, text: "The application did not respond", detail: why, used: target ? name : "/" + (path ?? name), target: this.user(target),
				author: this.bot(application).user, at: new Date(this.now()).toISOString(),
			}];
		}
		this.#settled(answer);
		this.#changed();
	}

	/** submit sends the open modal. It throws if the answer was missing or refused. */
	async submit(fields) {
		const modal = this.modal;
		const answer = await call("POST", "/sim/modal", { as: this.me.username, interaction: modal.interaction, fields });
		const why = broken(answer);
		if (why) throw new Error("Something went wrong. Try again.");
		if (this.modal === modal) this.modal = null;
		this.#settled(answer);
		this.#changed();
	}

	closeModal() { this.modal = null; this.#changed(); }

	/** edit starts to change the text of a message or, without a message, stops it. */
	edit(message) { this.editing = message?.id; this.#changed(); }

	/** send posts a message {content, reply_to, files, poll, title, tags} in the visible channel. */
	send(message) {
		this.done = true;
		return call("POST", "/sim/message", { as: this.me.username, channel: this.channel.key, ...message });
	}

	async dismiss(message) {
		await call("POST", "/sim/dismiss", { as: this.me.username, message: message.id });
		this.messages = (this.messages ?? []).filter((m) => m.id !== message.id);
		this.#changed();
	}

	dismissDraft(id) { this.drafts = this.drafts.filter((d) => d.id !== id); this.#changed(); }

	async #fetchFaults() {
		const turn = ++this.#turn, faults = await call("GET", "/sim/faults");
		if (turn !== this.#turn || this.#breaking) return; // a newer request is under way
		this.faults = faults;
		this.#changed();
	}

	/** breaks replaces the faults of an app or, with "", of all apps without faults of their own. */
	async breaks(application, next) {
		const { all, bots } = this.faults;
		// The change is visible at once, so that two quick changes do not undo each other. If the call fails, the old faults are
		// fetched again.
		this.#breaking++;
		this.faults = application ? { all, bots: { ...bots, [application]: next } } : { all: next, bots };
		this.#changed();
		try {
			await call("PUT", "/sim/faults", { application: application || undefined, faults: next });
		} finally {
			this.#breaking--;
			await this.#fetchFaults();
		}
	}

	async advance(duration) {
		const { now, offset_ms } = await call("POST", "/sim/clock", { advance: duration });
		this.#setClock(now, offset_ms);
		this.#changed();
	}

	/** refresh fetches the state, so that a caller finds an object that it has just created. */
	refresh() { return this.#fetchState(this.#epoch); }

	async addPerson(person) {
		const user = await call("POST", "/sim/users", person);
		await this.refresh();
		return user;
	}
}

// broken returns why an interaction got no good answer, or "".
function broken(answer) {
	if (answer.status === "timeout") return "The bot sent no answer within 3 seconds.";
	if (answer.status === "failed") return answer.error ? `The bot's answer was refused: ${JSON.stringify(answer.error, null, 1)}` : "The bot's answer was refused.";
	return "";
}

/** lacking returns the bots that have requested unsimulated features. */
export const lacking = (live) => live.bots.filter((b) => b.not_simulated?.length);

/** idle has the values at which a switch has no effect, if they are not zero. */
export const idle = { rest_retry_after_ms: 1000, emoji_retry_after_ms: 3600000 };
/** countOn counts the faults that are switched on. */
export const countOn = (faults) => Object.entries(faults ?? {}).filter(([key, value]) => value && value !== idle[key]).length;

/** troubles counts the faults that are switched on, for all apps and for single apps. */
export const troubles = ({ all, bots }) => [all, ...Object.values(bots)].reduce((sum, faults) => sum + countOn(faults), 0);

// ---- the commands that a person can use ----

const SUBCOMMAND = 1, GROUP = 2;
const CHAT = 1, USER_MENU = 2;
export const MESSAGE_MENU = 3;

/** localized returns the text of a command, option or choice in the person's language. */
export function localized(thing, field, locale) {
	return thing[`${field}_localizations`]?.[locale] ?? thing[`${field}_localized`] ?? thing[field] ?? "";
}

/**
 * entries lists everything a person can type after the slash: one entry per
 * command without subcommands, and one per subcommand. name is for calls of
 * the simulator, path is shown to the person.
 */
export function entries(commands, { locale = "en-US", context = 0 } = {}) {
	const out = [];
	for (const command of commands ?? []) {
		if ((command.type ?? CHAT) !== CHAT || !offered(command, context)) continue;
		walk(command, command, [command.name], [localized(command, "name", locale)], locale, out);
	}
	// Subcommands keep the order of the bot's definition, as on Discord.
	const top = (entry) => entry.path.split(" ")[0];
	return out.sort((a, b) => top(a).localeCompare(top(b)));
}

/** menus lists the commands of the Apps menu of a person or, with MESSAGE_MENU, of a message. */
export function menus(commands, context = 0, type = USER_MENU) {
	return (commands ?? []).filter((c) => c.type === type && offered(c, context));
}

const offered = (command, context) => !command.contexts?.length || command.contexts.includes(context);

function walk(command, node, name, path, locale, out) {
	const nested = (node.options ?? []).filter((o) => o.type === SUBCOMMAND || o.type === GROUP);
	if (!nested.length) {
		out.push({
			command, name: name.join(" "), path: path.join(" "),
			description: localized(node, "description", locale),
			options: (node.options ?? []).map((o) => ({
				...o, label: localized(o, "name", locale), help: localized(o, "description", locale),
				choices: (o.choices ?? []).map((c) => ({ ...c, label: localized(c, "name", locale) })),
			})),
		});
		return;
	}
	for (const sub of nested) walk(command, sub, [...name, sub.name], [...path, localized(sub, "name", locale)], locale, out);
}
