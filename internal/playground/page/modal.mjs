// The form that an interaction may open.
import { h, iconPress, press, complaint, useContext, useState } from "./dom.mjs";
import { Dialog } from "./dialog.mjs";
import { Markdown, World, nameOf } from "./text.mjs";
import { Avatar } from "./people.mjs";
import { selectable } from "./components.mjs";
import { Close } from "./icons.mjs";

const ROW = 1, SELECT = 3, INPUT = 4, USER_SELECT = 5, CHANNEL_SELECT = 8, TEXT = 10, LABEL = 18, PARAGRAPH = 2;

const isSelect = (c) => c.type === SELECT || (c.type >= USER_SELECT && c.type <= CHANNEL_SELECT);
const isInput = (c) => c.type === INPUT || isSelect(c);

// fieldsOf lists a modal's inputs whichever way they are wrapped.
function fieldsOf(components) {
  return (components ?? []).flatMap((c) => {
    if (c.type === ROW) return fieldsOf(c.components);
    if (c.type === LABEL) return c.component ? [{ ...c.component, label: c.label, description: c.description }] : [];
    return [c];
  });
}

export function Modal() {
  const { live } = useContext(World);
  const { modal } = live;
  const parts = fieldsOf(modal.components);
  const first = (c) => (isSelect(c) ? selectable(c, live).find((o) => o.default)?.value : c.value) ?? "";
  const [values, setValues] = useState(() => Object.fromEntries(parts.filter(isInput).map((c) => [c.custom_id, first(c)])));
  const [errors, setErrors] = useState({});
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const app = live.bots.find((b) => b.application_id === modal.application_id) ?? live.bots[0];
  const set = (id, value) => { setValues({ ...values, [id]: value }); setErrors({ ...errors, [id]: "" }); };
  const submit = async (e) => {
    e.preventDefault();
    const wrong = {};
    for (const c of parts) {
      if (!isInput(c)) continue;
      const text = values[c.custom_id] ?? "";
      if (c.required !== false && !text.trim()) wrong[c.custom_id] = "This field is required.";
      else if (text && c.min_length && text.length < c.min_length) wrong[c.custom_id] = `Must be ${c.min_length} or more characters.`;
    }
    setErrors(wrong);
    const bad = Object.keys(wrong)[0];
    if (bad) { e.currentTarget.elements.namedItem(bad)?.focus(); return; }
    setBusy(true);
    setProblem("");
    try { await live.submit(values); } catch (err) { setProblem(err.message); setBusy(false); }
  };
  const input = (c, i) => {
    const id = "field-" + i, error = errors[c.custom_id];
    const shared = {
      id, name: c.custom_id, "aria-invalid": error ? "true" : undefined, "aria-describedby": [error && id + "-error", c.description && id + "-help"].filter(Boolean).join(" ") || undefined,
      "aria-required": c.required !== false ? "true" : undefined, value: values[c.custom_id], onInput: (e) => set(c.custom_id, e.currentTarget.value),
    };
    const text = { ...shared, placeholder: c.placeholder, maxLength: c.max_length ?? 4000, autocomplete: "off" };
    return h("div", { class: "field" },
      h("label", { for: id }, c.label, c.required !== false && h("span", { class: "required", "aria-hidden": "true" }, " *")),
      c.description && h("p", { class: "muted", id: id + "-help" }, c.description),
      isSelect(c) ? h("select", { ...shared, onChange: shared.onInput }, h("option", { value: "" }, c.placeholder ?? "Make a selection"), selectable(c, live).map((o) => h("option", { value: o.value }, o.label)))
        : c.style === PARAGRAPH ? h("textarea", { ...text, rows: 4 }) : h("input", { ...text, type: "text" }),
      error && h("p", { class: "error", id: id + "-error", role: "alert" }, error));
  };
  return h(Dialog, { label: modal.title, kind: "modal", onClose: () => live.closeModal() },
    h("form", { onSubmit: submit, noValidate: true },
      h("header", null, app && h(Avatar, { user: app.user, size: 32 }), h("div", null, h("h2", null, modal.title), app && h("p", { class: "muted" }, nameOf(app.user))),
        iconPress("Close", Close, { onClick: () => live.closeModal() })),
      h("div", { class: "modal-parts" }, parts.map((c, i) => (c.type === TEXT ? h(Markdown, { text: c.content }) : isInput(c) ? input(c, i) : h("p", { class: "unknown" }, `A component of type ${c.type}, which this page does not know`)))),
      complaint(problem),
      h("footer", null,
        press({ class: "button secondary", onClick: () => live.closeModal() }, "Cancel"),
        press({ type: "submit", class: "button primary", disabled: busy, "data-first": !parts.some(isInput) ? true : undefined }, "Submit"))));
}
