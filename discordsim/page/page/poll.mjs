// Polls: voting, the result, and the form for a new poll.
import { choice, complaint, h, press, toggle, useContext, useState } from "./dom.mjs";
import { Dialog } from "./dialog.mjs";
import { Emoji } from "./emoji.mjs";
import { Check, Close } from "./icons.mjs";
import { World, useAttempt, useLive } from "./text.mjs";
import { relative } from "./time.mjs";

const votes = (n) => `${n} ${n === 1 ? "vote" : "votes"}`;

/** PollResult is the result of a poll that has ended; the poll itself is in another message. */
export function PollResult({ embed, poll }) {
	const live = useLive();
	const said = Object.fromEntries(embed.fields.map((f) => [f.name, f.value]));
	const share = Math.round((100 * said.victor_answer_votes) / said.total_votes) || 0;
	return h("div", { class: "poll" }, h("strong", null, said.poll_question_text),
		h("p", null, said.victor_answer_text ?? (said.total_votes > 0 ? "The result was a draw" : "Nobody voted"), h("span", { class: "muted" }, ` · ${votes(Number(said.victor_answer_votes))}, ${share}%`)),
		poll && press({ class: "textual", onClick: () => live.jump(live.channel.key, poll) }, "View poll"));
}

/** Poll is a question with answers to vote on. Without an id the message is a copy, in which nobody can vote. */
export function Poll({ message }) {
	const { live, alert } = useContext(World);
	const { poll } = message, { results } = poll;
	const [picked, setPicked] = useState([]);
	const [peeking, setPeeking] = useState(false);
	const counts = Object.fromEntries((results?.answer_counts ?? []).map((c) => [c.id, c]));
	const total = Object.values(counts).reduce((sum, c) => sum + c.count, 0), most = Math.max(0, ...Object.values(counts).map((c) => c.count));
	const over = results?.is_finalized, voted = Object.values(counts).some((c) => c.me_voted);
	const open = message.id && !over, counted = over || voted || peeking || !message.id;
	const vote = (answers) => live.ask("POST", "vote", { as: live.me.username, message: message.id, answers }).then(() => { setPicked([]); setPeeking(false); }, (err) => alert(err.message));
	const pick = (id) => setPicked(!poll.allow_multiselect ? [id] : picked.includes(id) ? picked.filter((p) => p !== id) : [...picked, id]);
	const answer = ({ answer_id: id, poll_media: media }) => {
		const { count = 0, me_voted: mine } = counts[id] ?? {}, share = Math.round((100 * count) / total) || 0;
		const face = [media?.emoji && h(Emoji, { emoji: media.emoji }), h("span", { class: "grow" }, media?.text)];
		if (!counted) return h("label", { class: "answer" }, face, h("input", { type: poll.allow_multiselect ? "checkbox" : "radio", name: "poll" + message.id, checked: picked.includes(id), onChange: () => pick(id) }));
		return h("div", { class: "answer" + (mine || over && count === most && count ? " won" : "") },
			h("span", { class: "share", style: { width: share + "%" } }), face, mine && [h(Check), h("span", { class: "sr" }, "your vote")], h("small", null, votes(count)), h("strong", null, share + "%"));
	};
	return h("div", { class: "poll", role: "group", "aria-label": "Poll" }, h("strong", null, poll.question?.text),
		open && !counted && poll.allow_multiselect && h("p", { class: "small" }, "Select one or more answers"),
		h("ul", null, (poll.answers ?? []).map((a) => h("li", { key: a.answer_id }, answer(a)))),
		h("div", { class: "poll-foot" }, h("span", { class: "small grow" }, `${votes(total)} · ${over ? "ended" : "ends"} `, h("time", { dateTime: poll.expiry }, relative(Date.parse(poll.expiry) / 1000, live.now(), live.locale))),
			open && !voted && press({ class: "textual", onClick: () => setPeeking(!peeking) }, peeking ? "Back to the answers" : "Show results"),
			open && voted && press({ class: "textual", onClick: () => vote([]) }, "Remove vote"),
			open && !counted && press({ class: "button primary", disabled: !picked.length, onClick: () => vote(picked) }, "Vote")));
}

const durations = [[1, "1 hour"], [4, "4 hours"], [8, "8 hours"], [24, "24 hours"], [72, "3 days"], [168, "1 week"], [336, "2 weeks"]];

/** NewPoll is the form that sends a poll. */
export function NewPoll({ onClose }) {
	const live = useLive();
	const [question, setQuestion] = useState("");
	const [answers, setAnswers] = useState(["", ""]);
	const [duration, setDuration] = useState(24);
	const [several, setSeveral] = useState(false);
	const [error, attempt] = useAttempt();
	const send = (e) => {
		e.preventDefault();
		const poll = { question, answers: answers.filter((a) => a.trim()), duration, allow_multiselect: several };
		attempt(live.send({ poll }).then(onClose));
	};
	const line = (label, value, most, put, more) => h("input", { type: "text", "aria-label": label, placeholder: label, maxLength: most, autocomplete: "off", value, onInput: (e) => put(e.currentTarget.value), ...more });
	return h(Dialog, { label: "Create a poll", kind: "modal", onClose },
		h("form", { onSubmit: send },
			h("header", null, h("div", null, h("h2", null, "Create a poll"))),
			h("div", { class: "modal-parts adding" },
				line("Question", question, 300, setQuestion, { required: true }),
				answers.map((a, i) => h("div", { class: "new-channel" }, line(`Answer ${i + 1}`, a, 55, (to) => setAnswers(answers.with(i, to)), { required: i === 0 }),
					answers.length > 1 && press({ class: "icon-button", "aria-label": `Remove answer ${i + 1}`, onClick: () => setAnswers(answers.toSpliced(i, 1)) }, h(Close)))),
				answers.length < 10 && press({ class: "textual", onClick: () => setAnswers([...answers, ""]) }, "Add another answer"),
				choice("Duration", duration, durations, setDuration),
				toggle("Allow multiple answers", several, setSeveral),
				complaint(error)),
			h("footer", null, press({ class: "button", onClick: onClose }, "Cancel"), press({ type: "submit", class: "button primary" }, "Post"))));
}
