// The form that an interaction can open.
import { complaint, h, iconPress, press, useState } from "./dom.mjs";
import { Dialog } from "./dialog.mjs";
import { Markdown, nameOf, useLive } from "./text.mjs";
import { Avatar } from "./people.mjs";
import { selectable } from "./components.mjs";
import { Close } from "./icons.mjs";

const ROW = 1, SELECT = 3, INPUT = 4, USER_SELECT = 5, CHANNEL_SELECT = 8, TEXT = 10, LABEL = 18, FILES = 19, RADIO = 21, CHECKS = 22, CHECK = 23, PARAGRAPH = 2;

const isSelect = (c) => c.type === SELECT || (c.type >= USER_SELECT && c.type <= CHANNEL_SELECT);
const isInput = (c) => c.type === INPUT || (c.type >= FILES && c.type <= CHECK && c.type !== 20) || isSelect(c);
// many reports whether an input has a list of values.
const many = (c) => c.type === CHECKS || c.type === FILES || (isSelect(c) && c.max_values > 1);

// fieldsOf lists the inputs of a modal in rows or labels.
function fieldsOf(components) {
	return (components ?? []).flatMap((c) => {
		if (c.type === ROW) return fieldsOf(c.components);
		if (c.type === LABEL) return c.component ? [{ ...c.component, label: c.label, description: c.description }] : [];
		return [c];
	});
}

// preset returns the initial value of an input.
function preset(c, live) {
	if (c.type === CHECK) return Boolean(c.default);
	if (c.type === INPUT || c.type === FILES) return c.value ?? (many(c) ? [] : "");
	const chosen = (isSelect(c) ? selectable(c, live) : c.options ?? []).filter((o) => o.default).map((o) => o.value);
	return many(c) ? chosen : chosen[0] ?? "";
}

// wrongWith returns why an input is invalid, or nothing.
function wrongWith(c, value) {
	if (c.type === CHECK) return "";
	const required = c.required !== false, n = many(c) ? value.length : value.trim().length;
	if (!n) return required ? "This field is required." : "";
	if (many(c)) return n < c.min_values ? `Choose ${c.min_values} or more.` : n > c.max_values ? `Choose ${c.max_values} or fewer.` : "";
	return c.min_length && value.length < c.min_length ? `Must be ${c.min_length} or more characters.` : "";
}

/** read returns a file in the form that the simulator accepts. */
export const read = (file) => new Promise((done, fail) => {
	const reader = new FileReader();
	reader.onload = () => done({ filename: file.name, data: reader.result.slice(reader.result.indexOf(",") + 1) });
	reader.onerror = () => fail(reader.error);
	reader.readAsDataURL(file);
});

export function Modal() {
	const live = useLive();
	const { modal } = live;
	const parts = fieldsOf(modal.components);
	const [values, setValues] = useState(() => Object.fromEntries(parts.filter(isInput).map((c) => [c.custom_id, preset(c, live)])));
	const [errors, setErrors] = useState({});
	const [problem, setProblem] = useState("");
	const [busy, setBusy] = useState(false);
	const app = live.bots.find((b) => b.application_id === modal.application_id) ?? live.bots[0];
	const set = (id, value) => { setValues({ ...values, [id]: value }); setErrors({ ...errors, [id]: "" }); };
	const submit = async (e) => {
		e.preventDefault();
		const wrong = Object.fromEntries(parts.filter(isInput).map((c) => [c.custom_id, wrongWith(c, values[c.custom_id])]).filter(([, why]) => why));
		setErrors(wrong);
		const bad = Object.keys(wrong)[0];
		if (bad) { e.currentTarget.querySelector(`[name="${CSS.escape(bad)}"]`)?.focus(); return; }
		setBusy(true);
		setProblem("");
		try { await live.submit(values); } catch (err) { setProblem(err.message); setBusy(false); }
	};
	const input = (c, i) => {
		const id = "field-" + i, error = errors[c.custom_id], value = values[c.custom_id];
		const shared = {
			id, name: c.custom_id, "aria-invalid": Boolean(error) || undefined, "aria-describedby": [error && id + "-error", c.description && id + "-help"].filter(Boolean).join(" ") || undefined,
			"aria-required": c.required !== false || undefined,
		};
		const text = { ...shared, value, onInput: (e) => set(c.custom_id, e.currentTarget.value), placeholder: c.placeholder, maxLength: c.max_length ?? 4000, autocomplete: "off" };
		const control = () => {
			if (isSelect(c)) return h("select", { ...shared, multiple: many(c), onChange: (e) => set(c.custom_id, many(c) ? [...e.currentTarget.selectedOptions].map((o) => o.value) : e.currentTarget.value) },
				!many(c) && h("option", { value: "" }, c.placeholder ?? "Make a selection"), selectable(c, live).map((o) => h("option", { value: o.value, selected: [value].flat().includes(o.value) }, o.label)));
			if (c.type === FILES) return h("input", { ...shared, type: "file", accept: c.file_types?.map((t) => (t.startsWith(".") ? t : t + "/*")).join(","), multiple: c.max_values > 1, onChange: async (e) => set(c.custom_id, await Promise.all([...e.currentTarget.files].map(read))) });
			if (c.type === CHECK) return h("input", { ...shared, type: "checkbox", checked: value, onChange: (e) => set(c.custom_id, e.currentTarget.checked) });
			if (c.type === RADIO || c.type === CHECKS) return h("div", { role: c.type === RADIO ? "radiogroup" : "group", "aria-label": c.label }, (c.options ?? []).map((o) => h("label", { class: "pick" },
				h("input", { ...shared, id: undefined, type: c.type === RADIO ? "radio" : "checkbox", checked: [value].flat().includes(o.value), onChange: () => set(c.custom_id, !many(c) ? o.value : value.includes(o.value) ? value.filter((v) => v !== o.value) : [...value, o.value]) }),
				h("span", { class: "option-text" }, o.label, o.description && h("small", null, o.description)))));
			return c.style === PARAGRAPH ? h("textarea", { ...text, rows: 4 }) : h("input", { ...text, type: "text" });
		};
		return h("div", { class: "field" },
			h("label", { for: id }, c.label, c.required !== false && c.type !== CHECK && h("span", { class: "required", "aria-hidden": true }, " *")),
			c.description && h("p", { class: "muted", id: id + "-help" }, c.description),
			control(), complaint(error, { id: id + "-error" }));
	};
	return h(Dialog, { label: modal.title, kind: "modal", onClose: () => live.closeModal() },
		h("form", { onSubmit: submit, noValidate: true },
			h("header", null, app && h(Avatar, { user: app.user, size: 32 }), h("div", null, h("h2", null, modal.title), app && h("p", { class: "muted" }, nameOf(app.user))),
				iconPress("Close", Close, { onClick: () => live.closeModal() })),
			h("div", { class: "modal-parts" }, parts.map((c, i) => (c.type === TEXT ? h(Markdown, { text: c.content }) : isInput(c) ? input(c, i) : h("p", { class: "unknown" }, `A component of type ${c.type}, which this page does not know`)))),
			complaint(problem),
			h("footer", null,
				press({ class: "button", onClick: () => live.closeModal(), "data-first": !parts.some(isInput) || undefined }, "Cancel"),
				press({ type: "submit", class: "button primary", disabled: busy }, "Submit"))));
}
