// The welcome: three lines about how to begin, a button that begins, and three lines about the page.
import { h, iconPress, press, useContext, useEffect, useState } from "./dom.mjs";
import { World, nameOf } from "./text.mjs";
import { entries } from "./live.mjs";
import { Close } from "./icons.mjs";

/** Tour ends when it is closed, or when the person has sent, pressed or used something. */
export function Tour({ onDone }) {
	const { live, run, compose } = useContext(World);
	const [around, setAround] = useState(false);
	useEffect(() => { if (live.done) onDone(); }, [live.done]);
	const game = live.commands.find((c) => c.name === "tictactoe" && c.options?.some((o) => o.name === "ai"));
	const command = entries(live.offered, { context: live.context })[0]?.name; // of a bot other than ours
	const other = live.people.find((u) => u.id !== live.me.id);
	const then = (act) => () => { onDone(); act(); };
	const first = game ? press({ class: "button success", onClick: then(() => run({ application: game.application_id, name: "tictactoe ai", options: {} })) }, "Play the computer")
		: command && press({ class: "button success", onClick: then(() => compose(`/${command} `)) }, `Try /${command}`);
	return h("section", { class: "tour", "aria-label": "Welcome" },
		iconPress("Close the welcome", Close, { class: "tour-close", onClick: onDone }),
		h("h2", null, around ? "What is where" : game ? "Tic-Tac-Toe, on a Discord of your own" : "A Discord of your own"),
		around ? h("ol", null,
			h("li", null, matchMedia("(width < 48em)").matches ? "Behind ☰ at the top" : "On the left", " are servers, channels and direct messages, and at the bottom who you are."),
			h("li", null, "A name opens a card, and the dots at a message open a menu."),
			h("li", null, "The wrench at the top has the clock, faults to try, and all that was said between bot and Discord."))
			: h("ol", null,
				h("li", null, "Type ", h("kbd", null, "/"), " and pick a command, then ", game ? "play by pressing the squares." : "press the buttons under its answer."),
				h("li", null, "You are ", h("strong", null, nameOf(live.me)), ". Be somebody else at any time", other && [", or open ", h("a", { href: "?as=" + encodeURIComponent(other.username), target: "_blank", rel: "noopener" }, "a second window as " + nameOf(other))], "."),
				h("li", null, "Everything stays on this machine.")),
		h("div", { class: "tour-actions" }, first,
			press({ class: "button", onClick: around ? onDone : () => setAround(true) }, around ? "Done" : "Look around")));
}
