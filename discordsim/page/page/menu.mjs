// The menu that a right click, a long press or a "more" button opens.
import { h, press } from "./dom.mjs";
import { Dialog } from "./dialog.mjs";

/** pointer is an anchor for a dialog at the place of a mouse event. */
export function pointer(event) {
	const { clientX: x, clientY: y } = event;
	return { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
}

/** wanted says whether a right click means our menu: links and selected text keep the browser's. */
export const wanted = (event) => !event.target.closest("a, input, textarea, pre") && !getSelection().toString();

/** Menu shows items: {label, hint, danger, run}, or a string as a heading; what is false is left out. */
export function Menu({ label, items, anchor, onClose }) {
	const rows = items.filter(Boolean);
	const first = rows.findIndex((item) => item.run);
	return h(Dialog, { label, kind: "sheet menu-sheet", anchor, onClose },
		h("ul", { role: "menu", "aria-label": label }, rows.map((item, i) => (typeof item === "string"
			? h("li", { role: "presentation", class: "menu-title" }, item)
			: h("li", { role: "none" }, press({
				role: "menuitem", class: "menu-item" + (item.danger ? " danger" : ""), "data-first": i === first || undefined,
				onKeyDown: step, onClick: () => { onClose(); item.run(); },
			}, h("span", null, item.label), item.hint && h("small", null, item.hint)))))));
}

/** step moves the focus along a list of buttons with the arrow keys. */
export function step(e) {
	if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
	e.preventDefault();
	const all = [...e.currentTarget.closest("ul").querySelectorAll("button")];
	const at = all.indexOf(e.currentTarget) + (e.key === "ArrowDown" ? 1 : -1);
	all[(at + all.length) % all.length].focus();
}
