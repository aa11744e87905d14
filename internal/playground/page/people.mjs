// People: avatars, the list of members, a member's card, and who one is.
import { h, useContext, useState } from "./vendor/preact-htm.mjs";
import { Dialog } from "./dialog.mjs";
import { World, nameOf } from "./text.mjs";
import { menus } from "./options.mjs";
import { Check, Plus, Swap } from "./icons.mjs";

const discs = ["#b0316d", "#1f7a4d", "#a85a0a", "#0f7285", "#8b4fb5", "#556b1f", "#b3382c", "#31638f"];

// Apps have the house's own colour, so that nobody takes one for a person;
// people take the others in turn, so that neighbours differ.
function disc(user, live) {
  if (user.bot || live.bot(user.id)) return "#5865f2";
  const place = live.people.findIndex((u) => u.id === user.id);
  return discs[(place < 0 ? Number(String(user.id).slice(-3)) || 0 : place) % discs.length];
}

const initial = (name) => [...name.replace(/[^\p{L}\p{N}]/gu, "")][0]?.toUpperCase() ?? [...name][0] ?? "?";

/** Avatar is a disc with an initial; status is "online", "offline" or nothing. */
export function Avatar({ user, size = 40, status }) {
  const { live } = useContext(World);
  return h("span", { class: "avatar", style: { width: size + "px", height: size + "px", fontSize: size * 0.45 + "px", backgroundColor: disc(user, live) }, "aria-hidden": "true" },
    initial(nameOf(user)), status && h("span", { class: "status " + status }));
}

export const AppTag = () => h("span", { class: "app-tag" }, "APP");

export function Members() {
  const { live } = useContext(World);
  const bots = live.bots.map((b) => ({ ...b.user, bot: true, on: b.connected })).sort((a, b) => b.on - a.on);
  const people = [...live.people].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const group = (title, list) => list.length > 0 && h("section", null, h("h2", null, `${title} — ${list.length}`), h("ul", null, list.map((u) => h("li", { key: u.id }, h(Member, { user: u })))));
  return [group("Apps", bots), group("Online", people)];
}

function Member({ user }) {
  const { live, card } = useContext(World);
  const off = user.bot && !user.on;
  return h("button", { type: "button", class: "member" + (off ? " off" : ""), "data-user": user.username, onClick: (e) => card(user, e.currentTarget) },
    h(Avatar, { user, size: 32, status: off ? "offline" : "online" }),
    h("span", { class: "member-name" }, nameOf(user)), user.bot && h(AppTag),
    user.id === live.me?.id && h("span", { class: "you-tag" }, "you"),
    off && h("span", { class: "sr" }, "offline"));
}

/** Card is what one sees after a click on a name. */
export function Card({ user, anchor, onClose }) {
  const { live, run } = useContext(World);
  const bot = live.bot(user.id);
  const known = live.user(user.id) ?? user;
  const isBot = Boolean(bot || known.bot);
  const apps = menus(live.offered, live.context);
  const dm = bot && live.channels.find((c) => c.bot?.user.id === user.id);
  const act = (fn) => () => { onClose(); fn(); };
  return h(Dialog, { label: nameOf(known), kind: "sheet card", anchor, onClose },
    h("div", { class: "card-top", style: { backgroundColor: disc(known, live) } }),
    h(Avatar, { user: known, size: 72, status: bot && !bot.connected ? "offline" : "online" }),
    h("h2", null, nameOf(known), " ", isBot && h(AppTag)),
    h("p", { class: "muted" }, known.username, known.locale && !isBot ? ` · ${languageName(known.locale)}` : ""),
    bot && !bot.connected && h("p", { class: "muted" }, "Not connected at the moment."),
    h("div", { class: "card-actions" },
      !isBot && known.id !== live.me.id && live.user(known.id) && h("button", { type: "button", class: "button primary", onClick: act(() => live.become(known.username)) }, h(Swap), `Be ${nameOf(known)}`),
      dm && h("button", { type: "button", class: "button secondary", onClick: act(() => live.open(dm.key)) }, "Message")),
    apps.length > 0 && h("div", { class: "card-apps" }, h("h3", null, "Apps"),
      apps.map((c) => h("button", { type: "button", class: "menu-item", onClick: act(() => run({ name: c.name, target: known.id })) },
        h("span", null, c.name), h("small", null, nameOf(live.bot(c.application_id)?.user))))));
}

export function languageName(locale) {
  try { return new Intl.DisplayNames(["en"], { type: "language" }).of(locale); } catch { return locale; }
}

const languages = ["en-US", "en-GB", "de", "fr", "es-ES", "it", "pt-BR", "nl", "pl", "sv-SE", "tr", "uk", "ru", "hi", "ja", "ko", "zh-CN"];

/** You stands at the bottom left: who this window is. */
export function You({ onOpen, compact }) {
  const { live } = useContext(World);
  if (!live.me) return null;
  return h("button", { type: "button", class: compact ? "you compact" : "you", "aria-haspopup": "dialog", "aria-label": `You are ${nameOf(live.me)}. Be somebody else`, onClick: (e) => onOpen(e.currentTarget) },
    h(Avatar, { user: live.me, size: compact ? 28 : 32, status: "online" }),
    !compact && h("span", { class: "you-text" }, h("small", null, "You are"), h("strong", null, nameOf(live.me))),
    h(Swap));
}

/** Switch lets one be somebody else, here or in a second window, or add a person. */
export function Switch({ anchor, onClose }) {
  const { live } = useContext(World);
  const [adding, setAdding] = useState(false);
  return h(Dialog, { label: "You are", kind: "sheet switch", anchor, onClose },
    h("h2", null, adding ? "Add a person" : "You are"),
    adding ? h(Adding, { onDone: onClose, onBack: () => setAdding(false) }) : [
      h("ul", { class: "people" }, live.people.map((u) => h("li", { key: u.id },
        h("button", { type: "button", class: "person", "data-person": u.username, "aria-pressed": String(u.id === live.me.id), "data-first": u.id === live.me.id ? true : undefined, onClick: () => { onClose(); live.become(u.username); } },
          h(Avatar, { user: u, size: 32 }), h("span", { class: "person-text" }, h("strong", null, nameOf(u)), h("small", null, u.username)), u.id === live.me.id && h(Check)),
        u.id !== live.me.id && h("a", { class: "window", href: "?as=" + encodeURIComponent(u.username), target: "_blank", rel: "noopener" }, "New window", h("span", { class: "sr" }, ` as ${nameOf(u)}`))))),
      h("button", { type: "button", class: "menu-item add", onClick: () => setAdding(true) }, h(Plus), "Add a person"),
    ]);
}

function Adding({ onDone, onBack }) {
  const { live } = useContext(World);
  const [name, setName] = useState("");
  const [locale, setLocale] = useState("en-US");
  const [error, setError] = useState("");
  const add = async (e) => {
    e.preventDefault();
    const username = name.trim().toLowerCase().normalize("NFKD").replace(/[^a-z0-9_.]+/g, "").slice(0, 32) || "person" + (live.people.length + 1);
    try {
      const user = await live.addPerson({ username, global_name: name.trim().slice(0, 32), locale });
      onDone();
      live.become(user.username);
    } catch (err) { setError(err.message); }
  };
  return h("form", { class: "adding", onSubmit: add },
    h("label", null, "Name", h("input", { type: "text", required: true, maxLength: 32, value: name, autocomplete: "off", onInput: (e) => setName(e.currentTarget.value) })),
    h("label", null, "Language", h("select", { value: locale, onChange: (e) => setLocale(e.currentTarget.value) }, languages.map((l) => h("option", { value: l }, languageName(l))))),
    error && h("p", { class: "error", role: "alert" }, error),
    h("div", { class: "form-actions" },
      h("button", { type: "button", class: "button secondary", onClick: onBack }, "Back"),
      h("button", { type: "submit", class: "button primary" }, "Add and be them")));
}
