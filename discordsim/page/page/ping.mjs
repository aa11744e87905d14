// The banner about a message for the person that is out of view. The style sheet shows it in narrow windows, where the list of
// channels is hidden.
import { h, press, useEffect } from "./dom.mjs";
import { Text, nameOf, placeName, useLive } from "./text.mjs";
import { gist } from "./message.mjs";
import { Avatar } from "./people.mjs";

/** Ping leads to the message when it is pressed, and disappears after 5 seconds. */
export function Ping() {
	const live = useLive();
	const { channel, message } = live.ping;
	useEffect(() => {
		const timer = setTimeout(() => live.seen(), 5000);
		return () => clearTimeout(timer);
	}, [message]);
	return h("div", { class: "ping narrow", role: "status" }, press({ class: "person", onClick: () => { live.seen(); live.jump(channel, message.id); } },
		h(Avatar, { user: message.author, size: 32 }),
		h("span", { class: "person-text" },
			h("strong", null, nameOf(message.author), h("small", null, " ", h(Text, { text: placeName(live.channels.find((c) => c.id === channel), live) }))),
			h("span", null, h(Text, { text: gist(message, live) })))));
}
