// What a maker can change about a person: status, language, and their place on the server.
import { choice, h, press, complaint, toggle } from "./dom.mjs";
import { useAttempt, useLive } from "./text.mjs";
import { manageGuild } from "./permissions.mjs";

// Discord's locales for people, as its clients offer them.
export const languages = ["en-US", "en-GB", "id", "da", "de", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko"];

export function languageName(locale) {
	try { return new Intl.DisplayNames(["en"], { type: "language" }).of(locale); } catch { return locale; }
}

const statuses = [["online", "Online"], ["idle", "Idle"], ["dnd", "Do not disturb"], ["offline", "Offline"]];

/** PersonSettings changes a person or, of an app, only whether it is on the server. */
export function PersonSettings({ user, onGone }) {
	const live = useLive();
	const [error, attempt] = useAttempt();
	const bot = live.bot(user.id), guild = live.guild;
	const member = guild?.members?.find((m) => m.user === user.id);
	const person = !bot && live.user(user.id);
	if (!person && !member) return null;
	const change = (...call) => attempt(live.ask(...call).then(() => live.refresh()));
	const patch = (to) => change("PATCH", "users/" + user.id, to);
	const place = `guilds/${guild?.id}/members/${user.id}`;
	const manages = (BigInt(member?.permissions ?? 0) & manageGuild) !== 0n;
	return h("details", { class: "card-apps card-settings" }, h("summary", null, "Change"),
		person && [
			choice("Status", user.status, statuses, (status) => patch({ status })),
			choice("Language", user.locale, [...new Set([user.locale, ...languages])].map((l) => [l, languageName(l)]), (locale) => patch({ locale })),
			toggle("Has installed every app", Boolean(user.installs), (installs) => patch({ installs })),
		],
		member && !bot && toggle("May manage the server", manages, (on) => change("PUT", place, { permissions: on ? ["MANAGE_GUILD"] : [], nick: member.nick || undefined })),
		member && press({ class: "button danger", onClick: () => attempt(live.ask("DELETE", place).then(() => live.refresh()).then(onGone)) }, `Remove from ${guild.name}`),
		complaint(error));
}
