// The whole page.
import { h, render, useEffect, useReducer, useRef, useState } from "./vendor/preact-htm.mjs";
import { Live } from "./live.mjs";
import { Clock, World, nameOf } from "./text.mjs";
import { Messages, gist } from "./message.mjs";
import { Composer } from "./composer.mjs";
import { Modal } from "./modal.mjs";
import { Dialog } from "./dialog.mjs";
import { Avatar, Card, Members, Switch, You } from "./people.mjs";
import { At, ClockFace, Close, Hash, Menu, People } from "./icons.mjs";

const tourKey = "tictactoe.tour", membersKey = "tictactoe.members";

// Storage may be switched off; the page then forgets what it would remember.
function remember(key, value) { try { localStorage.setItem(key, value); } catch { /* see above */ } }
function recall(key) { try { return localStorage.getItem(key); } catch { return null; } }

function App({ live }) {
  const [, redraw] = useReducer((n) => n + 1, 0);
  const [card, setCard] = useState(null);
  const [switching, setSwitching] = useState(null);
  const [clock, setClock] = useState(null);
  const [drawer, setDrawer] = useState("");
  const [members, setMembers] = useState(recall(membersKey) !== "hidden");
  const [tour, setTour] = useState(recall(tourKey) !== "seen");
  const [request, setRequest] = useState(null);
  const [alert, setAlert] = useState("");
  useEffect(() => {
    const off = live.subscribe(redraw);
    live.start();
    return off;
  }, []);
  useEffect(() => {
    if (!alert) return undefined;
    const timer = setTimeout(() => setAlert(""), 6000);
    return () => clearTimeout(timer);
  }, [alert]);
  const unread = [...live.unread.values()].reduce((a, b) => a + b, 0);
  useEffect(() => { document.title = `${unread ? `(${unread}) ` : ""}${title(live.channel)} · ${live.guild?.name ?? "Playground"}`; });

  const run = (command) => live.run(command).catch((err) => setAlert(err.message));
  const world = {
    live, run, card: (user, anchor) => setCard({ user, anchor }),
    compose: (text) => setRequest({ text }),
  };
  const endTour = () => { remember(tourKey, "seen"); setTour(false); };
  const toggleMembers = () => {
    if (innerWidth < 1000) { setDrawer(drawer === "members" ? "" : "members"); return; }
    remember(membersKey, members ? "hidden" : "shown");
    setMembers(!members);
  };
  const open = (key) => { setDrawer(""); live.open(key); };
  const you = (anchor) => setSwitching({ anchor });

  if (!live.me) return h("div", { class: "starting", role: "status" }, h("p", null, live.problem || "Connecting to the local Discord…"));
  return h(World.Provider, { value: world },
    h("div", { class: `app${members ? "" : " no-members"}${drawer ? " drawer-" + drawer : ""}` },
      h("div", { class: "scrim", onClick: () => setDrawer("") }),
      h("div", { class: "side", onKeyDown: (e) => { if (e.key === "Escape") setDrawer(""); } },
        h("nav", { class: "rail", "aria-label": "Servers" }, live.guilds.map((g) => h("button", {
          type: "button", key: g.id, class: "server", title: g.name, "aria-label": g.name, "aria-current": g.id === live.guild?.id ? "true" : undefined,
          onClick: () => open(live.channels.find((c) => c.guild_id === g.id)?.key),
        }, [...g.name][0]))),
        h("div", { class: "sidebar" },
          h("header", { class: "bar" }, h("h1", null, live.guild?.name ?? "Playground")),
          h("nav", { class: "channels", "aria-label": "Channels" }, h(Channels, { live, open })),
          h("div", { class: "you-bar" }, h(You, { onOpen: you }), h(ClockButton, { live, onOpen: (anchor) => setClock({ anchor }) })))),
      h("main", { class: "chat" },
        h("header", { class: "bar" },
          h("button", { type: "button", class: "icon-button narrow", "aria-label": "Channels", "aria-expanded": String(drawer === "channels"), onClick: () => setDrawer("channels") }, h(Menu)),
          h("h2", { class: "place" }, live.channel?.type === 1 ? h(At) : h(Hash), h("span", null, title(live.channel).replace(/^[@#]/, ""))),
          h("span", { class: "grow" }),
          h("span", { class: "narrow" }, h(You, { onOpen: you, compact: true })),
          h("button", { type: "button", class: "icon-button", "aria-label": "Members", "aria-pressed": String(innerWidth < 1000 ? drawer === "members" : members), onClick: toggleMembers }, h(People))),
        live.ready && !live.up && h("p", { class: "banner", role: "status" }, h("span", { class: "spinner", "aria-hidden": "true" }), "Connection lost. Reconnecting…"),
        live.up && !live.bots.some((b) => b.connected) && h("p", { class: "banner quiet", role: "status" }, live.bots.length ? `${live.bots.map((b) => nameOf(b.user)).join(", ")} is offline. Buttons and commands answer again when it is back.` : "No bot is connected yet. Point one at this address: tictactoe serve --discord-url " + location.origin),
        h(Messages),
        tour && live.ready && h(Tour, { live, run, onDone: endTour }),
        alert && h("p", { class: "toast", role: "alert" }, alert, h("button", { type: "button", class: "icon-button", "aria-label": "Close", onClick: () => setAlert("") }, h(Close))),
        h(Composer, { request })),
      h("aside", { class: "members", "aria-label": "Members", onKeyDown: (e) => { if (e.key === "Escape") setDrawer(""); } }, h(Members))),
    h(Announcer, { live }),
    card && h(Card, { key: card.user.id, ...card, onClose: () => setCard(null) }),
    switching && h(Switch, { ...switching, onClose: () => { setSwitching(null); setDrawer(""); } }),
    clock && h(ClockTools, { ...clock, live, onClose: () => setClock(null) }),
    live.modal && h(Modal, { key: live.modal.interaction }));
}

const title = (channel) => (channel ? (channel.type === 1 ? channel.name : "#" + channel.name) : "");

function Channels({ live, open }) {
  const group = (name, list) => list.length > 0 && h("section", null, h("h2", null, name), h("ul", null, list.map((c) => {
    const here = c.key === live.channel?.key, unread = live.unread.get(c.id) ?? 0;
    return h("li", { key: c.key }, h("button", { type: "button", class: "channel" + (here ? " here" : "") + (unread ? " unread" : ""), "aria-current": here ? "page" : undefined, "data-channel": c.name, onClick: () => open(c.key) },
      c.type === 1 && c.bot ? h(Avatar, { user: c.bot.user, size: 28, status: c.bot.connected ? "online" : "offline" }) : c.type === 1 ? h(At) : h(Hash),
      h("span", { class: "channel-name" }, c.name.replace(/^@/, "")), unread > 0 && h("span", { class: "badge", "aria-label": `${unread} new` }, unread)));
  })));
  return [group("Text channels", live.channels.filter((c) => c.guild_id && c.guild_id === live.guild?.id)), group("Direct messages", live.channels.filter((c) => !c.guild_id))];
}

function Tour({ live, run, onDone }) {
  const command = live.commands.find((c) => c.name === "tictactoe" && c.options?.some((o) => o.name === "ai"));
  const other = live.people.find((u) => u.id !== live.me.id);
  return h("section", { class: "tour", "aria-label": "Welcome" },
    h("button", { type: "button", class: "icon-button tour-close", "aria-label": "Close the welcome", onClick: onDone }, h(Close)),
    h("h2", null, "A Discord of your own"),
    h("ol", null,
      h("li", null, "Type ", h("kbd", null, "/"), " and pick a command, then play by pressing the buttons under the message."),
      h("li", null, "You are ", h("strong", null, nameOf(live.me)), ". Be somebody else at any time", other && [", or open ", h("a", { href: "?as=" + encodeURIComponent(other.username), target: "_blank", rel: "noopener" }, "a second window as " + nameOf(other))], "."),
      h("li", null, "Everything stays on this machine. The clock beside your name can be moved forward.")),
    h("div", { class: "tour-actions" },
      h("button", { type: "button", class: "button success", disabled: !command, onClick: () => { onDone(); run({ name: "tictactoe ai", options: {} }); } }, command ? "Play the computer" : "Waiting for the bot…"),
      h("button", { type: "button", class: "button secondary", onClick: onDone }, "Look around")));
}

function ClockButton({ live, onOpen }) {
  return h("button", { type: "button", class: "icon-button", "aria-haspopup": "dialog", "aria-label": "Clock" + (live.offset ? `, ${ahead(live.offset)} ahead` : ""), title: "Clock", onClick: (e) => onOpen(e.currentTarget) }, h(ClockFace), live.offset > 0 && h("span", { class: "dot" }));
}

function ahead(ms) {
  const minutes = Math.round(ms / 60000), parts = [[Math.floor(minutes / 1440), "d"], [Math.floor(minutes / 60) % 24, "h"], [minutes % 60, "min"]];
  return parts.filter(([n]) => n).map(([n, u]) => `${n} ${u}`).join(" ") || "0 min";
}

function ClockTools({ live, anchor, onClose }) {
  const [busy, setBusy] = useState("");
  const [error, setError] = useState("");
  const go = async (step) => {
    if (busy) return;
    setBusy(step);
    setError("");
    try { await live.advance(step); } catch (err) { setError(err.message); }
    setBusy("");
  };
  return h(Dialog, { label: "Clock", kind: "sheet tools", anchor, onClose },
    h("h2", null, "Clock"),
    h("p", { class: "tools-now" }, h(Clock, { style: "T" }), h("small", null, h(Clock, { style: "D" }))),
    h("p", { class: "muted" }, live.offset ? `${ahead(live.offset)} ahead of real time.` : "Runs with real time."),
    h("div", { class: "tools-steps", role: "group", "aria-label": "Move the clock forward" }, [["1m", "+1 min"], ["5m", "+5 min"], ["1h", "+1 h"], ["24h", "+24 h"]].map(([step, word], i) =>
      h("button", { type: "button", class: "button secondary", "data-first": i === 0 ? true : undefined, "aria-disabled": busy ? "true" : undefined, "data-advance": step, onClick: () => go(step) }, word))),
    error && h("p", { class: "error", role: "alert" }, error),
    h("p", { class: "muted small" }, "Turns, challenges and countdowns follow it. It never goes back."));
}

// Announcer tells what arrived to people who listen.
function Announcer({ live }) {
  const last = useRef(null);
  const message = live.heard;
  const text = useRef("");
  if (message && message !== last.current) {
    last.current = message;
    if (message.author?.id !== live.me?.id) text.current = `${nameOf(live.user(message.author?.id) ?? message.author)}: ${gist(message, live).slice(0, 240)}`;
  }
  return h("div", { class: "sr", "aria-live": "polite", "aria-atomic": "true" }, text.current);
}

const query = new URLSearchParams(location.search);
render(h(App, { live: new Live({ as: query.get("as"), channel: query.get("channel") }) }), document.getElementById("root"));
