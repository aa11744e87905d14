// Forums and media channels: the list of posts, and the form for a new post.
import { complaint, h, press, useContext, useEffect, useRef, useState } from "./dom.mjs";
import { Emoji } from "./emoji.mjs";
import { Line, Text, World, nameOf, useAttempt, useLive } from "./text.mjs";
import { Avatar } from "./people.mjs";
import { Lock, Pin, Plus } from "./icons.mjs";
import { read } from "./modal.mjs";
import { relative } from "./time.mjs";

const PINNED = 2, REQUIRE_TAG = 16; // flags of channels

const Tag = ({ tag }) => [tag.emoji_name && h(Emoji, { emoji: tag.emoji_name, label: "" }), tag.name];

/** Tags shows the tags of a post. */
export function Tags({ post }) {
	const live = useLive();
	const known = live.channels.find((c) => c.id === post.parent_id)?.available_tags ?? [];
	const own = known.filter((t) => post.applied_tags?.includes(t.id));
	return own.length > 0 && h("span", { class: "reactions" }, own.map((tag) => h("span", { class: "reaction tag", key: tag.id }, h(Tag, { tag }))));
}

/** shut returns why the person cannot write in the visible channel, or nothing. */
export function shut(live) {
	const { type, thread_metadata: thread } = live.channel ?? {};
	if (live.silence()) return `You are timed out. You can write again ${relative(live.silence() / 1000, live.now(), live.locale)}.`;
	if (thread?.locked && !live.may("MANAGE_THREADS")) return "This is locked: only moderators can write.";
	return live.may(type > 9 && type < 13 ? "SEND_MESSAGES_IN_THREADS" : "SEND_MESSAGES") ? "" : "You do not have permission to send messages in this channel.";
}

// mintedAt returns when a snowflake was created, in milliseconds.
const mintedAt = (id) => Number(BigInt(id) >> 22n) + 1420070400000;
const lastOf = (post) => post.last_message_id ?? post.id;

/** Forum lists the posts of the visible channel. */
export function Forum() {
	const live = useLive();
	const [only, setOnly] = useState(null);
	const [writing, setWriting] = useState(false);
	const forum = live.channel, tags = forum.available_tags ?? [];
	useEffect(() => { setOnly(null); setWriting(false); }, [forum.key, live.me.id]);
	const order = (p) => [Boolean(p.flags & PINNED), !p.thread_metadata?.archived, mintedAt(lastOf(p))];
	const posts = live.channels.filter((c) => c.parent_id === forum.id && (!only || c.applied_tags?.includes(only)))
		.map((p) => [p, ...order(p)]).sort((a, b) => b[1] - a[1] || b[2] - a[2] || b[3] - a[3]).map(([p]) => p);
	return h("div", { class: "scroller forum", tabIndex: 0, role: "region", "aria-label": `Posts in ${forum.name}` },
		h("div", { class: "forum-head" },
			forum.topic && h("p", { class: "muted" }, h(Line, { text: forum.topic })),
			shut(live) ? h("p", { class: "muted" }, shut(live))
				: writing ? h(NewPost, { forum, onClose: () => setWriting(false) }) : press({ class: "button primary", onClick: () => setWriting(true) }, h(Plus), "New post"),
			!writing && tags.length > 0 && h("div", { class: "reactions", role: "group", "aria-label": "Show posts with the tag" },
				tags.map((tag) => press({ key: tag.id, class: "reaction tag", "aria-pressed": only === tag.id, onClick: () => setOnly(only === tag.id ? null : tag.id) }, h(Tag, { tag }))))),
		posts.length ? h("ol", { class: "posts" }, posts.map((post) => h(Row, { key: post.id, post })))
			: h("p", { class: "muted forum-head" }, only ? "No post has this tag." : "There are no posts yet."));
}

function Row({ post }) {
	const live = useLive();
	const [first, setFirst] = useState(null);
	const ask = new URLSearchParams({ channel: post.id, as: live.me.username, first: "" });
	useEffect(() => { live.ask("GET", "messages?" + ask).then(([m]) => setFirst(m?.id === post.id ? m : null), () => {}); }, [post.last_message_id]);
	const author = live.user(post.owner_id) ?? first?.author, picture = first?.attachments?.find((a) => /^image\//.test(a.content_type));
	const fresh = live.fresh.has(post.id), { archived, locked } = post.thread_metadata ?? {}, n = post.message_count ?? 0;
	return h("li", null, press({ class: "post", "data-post": post.name, onClick: () => live.open(post.key) },
		h("span", { class: "post-text" },
			h(Tags, { post }),
			h("strong", null, h(Text, { text: post.name })),
			first && h("span", { class: "post-first" }, author && h("b", null, nameOf(author), ": "), h(Line, { text: first.content || first.attachments?.[0]?.filename || "A message" })),
			h("small", { class: "muted" }, author && h(Avatar, { user: author, size: 16 }),
				[`${n} ${n === 1 ? "message" : "messages"}`, relative(mintedAt(lastOf(post)) / 1000, live.now(), live.locale), archived && "closed", fresh && "new"].filter(Boolean).join(" · "),
				post.flags & PINNED ? [h(Pin), h("span", { class: "sr" }, "pinned")] : null, locked && [h(Lock), h("span", { class: "sr" }, "locked")])),
		picture && h("img", { class: "thumbnail", src: new URL(picture.url).pathname, alt: "" })));
}

function NewPost({ forum, onClose }) {
	const { live } = useContext(World);
	const [title, setTitle] = useState("");
	const [content, setContent] = useState("");
	const [tags, setTags] = useState([]);
	const [files, setFiles] = useState([]);
	const [error, attempt] = useAttempt();
	const send = (e) => {
		e.preventDefault();
		if (forum.flags & REQUIRE_TAG && !tags.length) { attempt(Promise.reject(new Error("Choose at least one tag."))); return; }
		attempt(live.send({ title, content, tags, files }).then((m) => live.refresh().then(() => { onClose(); live.open(m.channel_id); })));
	};
	const first = useRef(null);
	useEffect(() => first.current.focus(), []);
	const usable = (forum.available_tags ?? []).filter((t) => !t.moderated || live.may("MANAGE_THREADS"));
	return h("form", { class: "adding", onSubmit: send },
		h("input", { type: "text", required: true, maxLength: 100, placeholder: "Title", "aria-label": "Title", autocomplete: "off", ref: first, value: title, onInput: (e) => setTitle(e.currentTarget.value) }),
		h("textarea", { rows: 4, maxLength: 2000, placeholder: "Enter a message…", "aria-label": "Message", required: !files.length, value: content, onInput: (e) => setContent(e.currentTarget.value) }),
		usable.length > 0 && h("div", { class: "reactions", role: "group", "aria-label": "Tags of the post" },
			usable.map((tag) => press({ key: tag.id, class: "reaction tag", "aria-pressed": tags.includes(tag.id), onClick: () => setTags(tags.includes(tag.id) ? tags.filter((t) => t !== tag.id) : [...tags, tag.id]) }, h(Tag, { tag })))),
		h("label", null, "Files", h("input", { type: "file", multiple: true, onChange: async (e) => setFiles(await Promise.all([...e.currentTarget.files].map(read))) })),
		complaint(error),
		h("div", { class: "form-actions" }, press({ class: "button", onClick: onClose }, "Cancel"), press({ type: "submit", class: "button primary" }, "Post")));
}
