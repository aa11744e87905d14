// Icons on a 24 by 24 grid, in the colour of the surrounding text.
import { h } from "./dom.mjs";

/** icon makes an icon from a path on a 24 by 24 grid. */
export const icon = (d, extra = {}) => () => h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": true, focusable: "false" },
	h("path", { d, fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round", "stroke-linejoin": "round", ...extra }));

export const Hash = icon("M10 4 8 20M16 4l-2 16M5 9h15M4 15h15");
export const At = icon("M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Zm0 0v1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-4 7.5");
export const Menu = icon("M4 6h16M4 12h16M4 18h16");
export const People = icon("M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-7 9c0-3.5 3-6 7-6s7 2.5 7 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18.5 14.5c2.2.8 3.5 2.8 3.5 5.5");
export const Close = icon("M6 6l12 12M18 6 6 18");
export const Chevron = icon("m6 9 6 6 6-6");
export const Eye = icon("M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7S2 12 2 12Zm10 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z");
export const Reply = icon("M4 20v-6a6 6 0 0 1 6-6h10");
export const Outside = icon("M14 4h6v6M20 4 10 14M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5");
export const Swap = icon("M7 4 3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7");
export const Picture = icon("M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15.5 9.5h.01");
export const Plus = icon("M12 5v14M5 12h14");
export const Check = icon("m5 12 5 5 9-10");
export const Chats = icon("M20 12a7.5 7.5 0 0 1-11 6.6L4.5 20l1.4-4.4A7.5 7.5 0 1 1 20 12ZM9 12h.01M12.5 12h.01M16 12h.01");
export const Gear = icon("M4 7h9M19 7h1M4 17h1M11 17h9M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z");
export const Lock = icon("M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3");
export const Thread = icon("M5 4v8a4 4 0 0 0 4 4h10M15 12l4 4-4 4");
export const Wrench = icon("M14.5 6.5a4.5 4.5 0 0 1 5.800-1L17 8.800l.3 2.4 2.4.3 1.800-3.300M15 12 7 20a2.100 2.100 0 0 1-3-3l8-8m2.5-2.5A4.5 4.5 0 0 0 15 12a4.5 4.5 0 0 0 4.700-.5");
export const Pin = icon("M12 16v5M8 4h8l-1 6 3 3v3H6v-3l3-3Z");
export const Posts = icon("M4 5h16v11H10l-4 4v-4H4zM8 9h8M8 12h5");
export const Clock = icon("M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3 3");
const byType = { 1: At, 3: People, 10: Thread, 11: Thread, 12: Thread, 15: Posts, 16: Picture };

/** iconOf returns the icon of a channel. */
export const iconOf = (channel) => byType[channel?.type] ?? Hash;
