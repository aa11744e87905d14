// What the first screen does not need: it comes in a file of its own, after that screen.
import { arrived, h } from "./dom.mjs";
import { Emoji } from "./emoji.mjs";
import { useLive } from "./text.mjs";
import { header } from "./time.mjs";
import { drawings } from "./drawings.mjs";
import { Composer } from "./composer.mjs";
import { Modal } from "./modal.mjs";
import { Maker } from "./maker.mjs";
import { AddServer, ServerSettings } from "./server.mjs";
import { Tour } from "./tour.mjs";
import { Card, Switch } from "./card.mjs";

// PollResult is what came of a poll, in one line.
function PollResult({ embed }) {
	const said = Object.fromEntries(embed.fields.map((f) => [f.name, f.value]));
	const winner = said.victor_answer_text ?? "no single winner";
	return h("p", null, h("strong", null, said.poll_question_text), ` ${winner} · ${said.victor_answer_votes} of ${said.total_votes} votes`);
}

// Poll is a question with its answers and their votes.
function Poll({ poll }) {
	const votes = Object.fromEntries((poll.results?.answer_counts ?? []).map((c) => [c.id, c.count]));
	const total = Object.values(votes).reduce((sum, n) => sum + n, 0);
	const live = useLive();
	return h("div", { class: "poll", role: "group", "aria-label": "Poll" }, h("strong", null, poll.question?.text),
		h("ul", null, (poll.answers ?? []).map(({ answer_id: id, poll_media: media }) => h("li", { key: id }, media?.emoji && [h(Emoji, { emoji: media.emoji }), " "], media?.text, votes[id] && ` · ${votes[id]}`))),
		h("p", { class: "muted small" }, `${total} ${total === 1 ? "vote" : "votes"} · ${poll.results?.is_finalized ? "ended" : "ends"} `, h("time", { dateTime: poll.expiry }, header(poll.expiry, live.now(), live.locale))));
}

arrived({ AddServer, Card, Composer, Maker, Modal, Poll, PollResult, ServerSettings, Switch, Tour, drawings });
