// The welcome: three lines, and one click that starts a game.
import { h, iconPress, press, useContext, useEffect } from "./dom.mjs";
import { World, nameOf } from "./text.mjs";
import { Close } from "./icons.mjs";

/** Tour is over when it is closed, and when one has done anything by oneself. */
export function Tour({ onDone }) {
	const { live, run } = useContext(World);
	useEffect(() => { if (live.done) onDone(); }, [live.done]);
	const command = live.commands.find((c) => c.name === "tictactoe" && c.options?.some((o) => o.name === "ai"));
	const other = live.people.find((u) => u.id !== live.me.id);
	return h("section", { class: "tour", "aria-label": "Welcome" },
		iconPress("Close the welcome", Close, { class: "tour-close", onClick: onDone }),
		h("h2", null, "A Discord of your own"),
		h("ol", null,
			h("li", null, "Type ", h("kbd", null, "/"), " and pick a command, then play by pressing the buttons under the message."),
			h("li", null, "You are ", h("strong", null, nameOf(live.me)), ". Be somebody else at any time", other && [", or open ", h("a", { href: "?as=" + encodeURIComponent(other.username), target: "_blank", rel: "noopener" }, "a second window as " + nameOf(other))], "."),
			h("li", null, "Everything stays on this machine. The wrench at the top has its clock, and faults to try.")),
		h("div", { class: "tour-actions" },
			press({ class: "button success", disabled: !command, onClick: () => { onDone(); run({ application: command.application_id, name: "tictactoe ai", options: {} }); } }, command ? "Play the computer" : "Waiting for the bot…"),
			press({ class: "button", onClick: onDone }, "Look around")));
}
