// Dialogs and menus. Every dialog is a modal <dialog> element, in which the browser keeps the focus, which it closes on Escape,
// and after which it restores the focus.
import { h, press, useLayoutEffect, useRef } from "./dom.mjs";

/** Dialog is shown while it is in the tree. With an anchor it opens beside the anchor if there is room. */
export function Dialog({ label, kind = "", anchor, onClose, children }) {
	const ref = useRef(null);
	// The dialog opens before the next frame, so that Escape restores the focus even if it is pressed at once.
	useLayoutEffect(() => {
		const back = document.activeElement;
		const dialog = ref.current;
		dialog.showModal();
		const first = dialog.querySelector("[data-first], input, select, textarea") ?? dialog.querySelector("button");
		first?.focus();
		return () => {
			if (dialog.open) dialog.close();
			if (back?.isConnected) back.focus({ preventScroll: true });
		};
	}, []);
	useLayoutEffect(() => {
		if (!anchor || !kind.includes("sheet")) return undefined;
		const watch = new ResizeObserver(() => place(ref.current, anchor)); // which is also called at first
		watch.observe(ref.current);
		return () => watch.disconnect();
	}, [anchor]);
	return h("dialog", {
		ref, class: "dialog " + kind, "aria-label": label,
		onCancel: (e) => { e.preventDefault(); onClose(); },
		onClose: () => { if (ref.current?.isConnected) onClose(); }, // a browser may close the dialog by itself
		onMouseDown: (e) => { if (e.target === ref.current) onClose(); },
	}, h("div", { class: "dialog-body" }, children));
}

// place moves a sheet beside its anchor. In narrow windows it stays at the bottom, where the style sheet puts it.
function place(dialog, anchor) {
	if (matchMedia("(width < 48em)").matches) return;
	const at = anchor.getBoundingClientRect(), size = dialog.getBoundingClientRect(), gap = 8;
	const clamp = (v, most) => Math.max(gap, Math.min(v, most - gap));
	let left = at.right + gap, top = at.top;
	if (left + size.width > innerWidth - gap) left = at.left - gap - size.width;
	if (left < gap || dialog.classList.contains("below")) {
		left = at.left;
		top = at.bottom + gap + size.height > innerHeight ? at.top - gap - size.height : at.bottom + gap;
	}
	dialog.style.left = clamp(left, innerWidth - size.width) + "px";
	dialog.style.top = clamp(top, innerHeight - size.height) + "px";
}

/** pointer returns an anchor for a dialog at the position of a mouse event. */
export function pointer(event) {
	const { clientX: x, clientY: y } = event;
	return { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
}

/** wanted reports whether a right click opens the page's menu: links and selected text keep the browser's menu. */
export const wanted = (event) => !event.target.closest("a, input, textarea, pre") && !getSelection().toString();

/** Menu shows items: {label, hint, danger, run}, or a string as a heading. It leaves out items that are false. */
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

/** step moves the focus in a list of buttons with the arrow keys. */
export function step(e) {
	if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
	e.preventDefault();
	const all = [...e.currentTarget.closest("ul").querySelectorAll("button")];
	const at = all.indexOf(e.currentTarget) + (e.key === "ArrowDown" ? 1 : -1);
	all[(at + all.length) % all.length].focus();
}
