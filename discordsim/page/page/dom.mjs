// Preact 10.29.8 and its hooks as published, but for the path by which the
// hooks find it; and the few controls that every other file is made of.
import { h } from "./vendor/preact.mjs";

export { h, render, createContext } from "./vendor/preact.mjs";
export { useContext, useEffect, useErrorBoundary, useLayoutEffect, useReducer, useRef, useState } from "./vendor/hooks.mjs";

/** press is a button that submits nothing unless its type says so. */
export const press = (props, ...children) => h("button", { type: "button", ...props }, ...children);

/** iconPress shows a picture to those who look and a label to those who listen. */
export const iconPress = (label, icon, { class: more = "", ...props }, ...children) =>
	press({ class: "icon-button " + more, title: label, "aria-label": label, ...props }, h(icon), ...children);

/** choice is a labelled select; options are [value, words]. */
export const choice = (words, value, options, pick, props) => h("label", { class: "setting", ...props }, h("span", null, words),
	h("select", { value: String(value), onChange: (e) => pick(options.find(([v]) => String(v) === e.currentTarget.value)[0]) }, options.map(([v, word]) => h("option", { value: String(v) }, word))));

/** toggle is a labelled switch. */
export const toggle = (words, on, pick, props) => h("label", { class: "setting", ...props }, h("span", null, words),
	h("input", { type: "checkbox", role: "switch", class: "switch-input", checked: on, onChange: (e) => pick(e.currentTarget.checked) }));

/** complaint says what went wrong, if anything did. */
export const complaint = (text, props) => text && h("p", { class: "error", role: "alert", ...props }, text);

/** parts are what later.mjs and maker.mjs bring, once they are there. */
export const parts = {};
let redraw = () => {};

let fetching = null;

/** part is one of those that maker.mjs brings, which is fetched when it is first wanted. */
export function part(name) {
	if (!parts[name]) fetching ??= import("./maker.mjs").catch(() => { fetching = null; });
	return parts[name];
}

/** arrived is called by later.mjs and maker.mjs. */
export function arrived(found) {
	Object.assign(parts, found);
	redraw();
}

/** whenArrived sets what draws the page with its parts. */
export function whenArrived(fn) { redraw = fn; }
