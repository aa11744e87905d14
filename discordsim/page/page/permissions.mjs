// Discord's permissions, as far as the page shows or respects them.

/** permissions that a channel's settings offer: [name in calls, words, bit]. */
export const permissions = [
	["VIEW_CHANNEL", "View channel", 10], ["SEND_MESSAGES", "Send messages", 11], ["READ_MESSAGE_HISTORY", "Read message history", 16],
	["USE_APPLICATION_COMMANDS", "Use application commands", 31], ["USE_EXTERNAL_APPS", "Use external apps", 50],
	["EMBED_LINKS", "Embed links", 14], ["MANAGE_MESSAGES", "Manage messages", 13], ["PIN_MESSAGES", "Pin messages", 51],
	["SEND_MESSAGES_IN_THREADS", "Send messages in threads", 38], ["MANAGE_THREADS", "Manage threads", 34], ["SEND_POLLS", "Create polls", 49],
];

const administrator = 1n << 3n;

/** has reports whether bits, a number in a string as in Discord's API, include a permission. Unknown bits include all. */
export function has(bits, name) {
	if (bits == null) return true;
	const [, , bit] = permissions.find(([n]) => n === name);
	return (BigInt(bits) & ((1n << BigInt(bit)) | administrator)) !== 0n;
}

/** overwriteOf returns a channel's overwrite for a role or member: {allow, deny}, lists of names. */
export function overwriteOf(channel, id) {
	const found = (channel.overwrites ?? []).find((o) => o.id === id);
	const names = (bits) => permissions.filter(([, , bit]) => (BigInt(bits ?? 0) >> BigInt(bit)) & 1n).map(([name]) => name);
	return { allow: names(found?.allow), deny: names(found?.deny) };
}
