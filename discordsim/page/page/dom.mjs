// Preact 10.29.8 and its hooks as published, except for the path by which the hooks import it; and the few controls that all other
// files use.
import { h } from "./vendor/preact.mjs";

export { h, render, createContext } from "./vendor/preact.mjs";
export { useContext, useEffect, useErrorBoundary, useLayoutEffect, useMemo, useReducer, useRef, useState } from "./vendor/hooks.mjs";

/** press is a button, which submits nothing unless its type says so. */
export const press = (props, ...children) => h("button", { type: "button", ...props }, ...children);

/** iconPress is a button that shows an icon, and has a label for screen readers. */
export const iconPress = (label, icon, { class: more = "", ...props }, ...children) =>
	press({ class: "icon-button " + more, title: label, "aria-label": label, ...props }, h(icon), ...children);

/** choice is a labelled select; options are [value, words]. */
export const choice = (words, value, options, pick, props) => h("label", { class: "setting", ...props }, h("span", null, words),
	h("select", { value: String(value), onChange: (e) => pick(options.find(([v]) => String(v) === e.currentTarget.value)[0]) }, options.map(([v, word]) => h("option", { value: String(v) }, word))));

/** toggle is a labelled switch. */
export const toggle = (words, on, pick, props) => h("label", { class: "setting", ...props }, h("span", null, words),
	h("input", { type: "checkbox", role: "switch", class: "switch-input", checked: on, onChange: (e) => pick(e.currentTarget.checked) }));

/** complaint shows an error message, if there is one. */
export const complaint = (text, props) => text && h("p", { class: "error", role: "alert", ...props }, text);

/** parts has the components that later.mjs and maker.mjs export, once these are loaded. */
export const parts = {};
let redraw = () => {};

let fetching = null;

/** part returns a component of maker.mjs, and loads maker.mjs when it is first needed. */
export function part(name) {
	if (!parts[name]) fetching ??= import("./maker.mjs").catch(() => { fetching = null; });
	return parts[name];
}

/** later.mjs and maker.mjs call arrived with their components. */
export function arrived(found) {
	Object.assign(parts, found);
	redraw();
}

/** whenArrived sets the function that draws the page again once components have arrived. */
export function whenArrived(fn) { redraw = fn; }
