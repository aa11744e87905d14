// Draws screens, which are values from the program in the worker, as elements. Nothing here knows the rules.

const SVG = "http://www.w3.org/2000/svg";
let locale = "en";
export const speak = (code) => { locale = code; };

export function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value != null) e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}

function svg(name, attributes = {}, ...children) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

const corners = (points, radius, waist) => Array.from({ length: 2 * points }, (_, i) => {
  const r = i % 2 ? radius * waist : radius, angle = Math.PI * (i / points - 0.5);
  return `${(50 + 100 * r * Math.cos(angle)).toFixed(2)},${(50 + 100 * r * Math.sin(angle)).toFixed(2)}`;
}).join(" ");

// How far the lines of a mark reach from the middle and how thick they are, in hundredths of a square, as in internal/show/picture.
const sizes = { "": [25, 15], last: [20, 12], leaves: [25, 7], wins: [22, 14], loses: [22, 13], better: [25, 15] };

/** mark draws a mark on its plate, or a star where a better move would have been. */
export function mark(of, look) {
  const root = svg("svg", { viewBox: "0 0 100 100", class: `mark ${of || "none"} ${look}`, "aria-hidden": "true", focusable: "false" });
  if (!of) {
    if (look === "better") root.append(svg("polygon", { class: "star", points: corners(5, 0.38, 0.5) }));
    return root;
  }
  const [reach, thick] = sizes[look];
  if (look === "wins") root.append(svg("polygon", { class: "edge", points: corners(12, 0.5, 0.84) }), svg("polygon", { class: "plate", points: corners(12, 0.46, 0.84) }));
  else if (look === "loses") root.append(svg("polygon", { class: "plate ring", points: corners(4, 0.5, 0.98) }));
  else if (look === "leaves") root.append(svg("rect", { class: "plate dashed", x: 8, y: 8, width: 84, height: 84, rx: 20 }));
  else {
    root.append(svg("rect", { class: "plate", x: 2, y: 2, width: 96, height: 96, rx: 20 }));
    if (look === "last") root.append(svg("rect", { class: "frame", x: 9, y: 9, width: 82, height: 82, rx: 14 }));
  }
  if (of === "X") {
    const near = 50 - reach * 0.92, far = 50 + reach * 0.92;
    root.append(svg("path", { class: "stroke one", pathLength: 1, "stroke-width": thick, d: `M${near} ${near}L${far} ${far}` }),
      svg("path", { class: "stroke two", pathLength: 1, "stroke-width": thick, d: `M${far} ${near}L${near} ${far}` }));
  } else root.append(svg("circle", { class: "stroke one", pathLength: 1, "stroke-width": thick, cx: 50, cy: 50, r: reach, transform: "rotate(-90 50 50)" }));
  return root;
}

/** rich turns the signs in a text into drawn marks and countdowns. */
export function rich(text) {
  return text.split(/(\ue001|\ue002|\ue003\d+\ue003)/).filter(Boolean).map((part) => {
    if (part === "\ue001" || part === "\ue002") {
      const of = part === "\ue001" ? "X" : "O", icon = mark(of, "");
      icon.removeAttribute("aria-hidden");
      icon.setAttribute("role", "img");
      icon.setAttribute("aria-label", of);
      return icon;
    }
    if (part[0] === "\ue003") {
      const at = Number(part.slice(1, -1)), time = element("time", { "data-at": at, datetime: new Date(at).toISOString() });
      time.textContent = relative(at);
      return time;
    }
    return part;
  });
}

export const plain = (text) => text.replaceAll("\ue001", "X").replaceAll("\ue002", "O").replace(/\ue003(\d+)\ue003/g, (_, at) => relative(Number(at)));

export function relative(at) {
  const seconds = Math.round((at - Date.now()) / 1000), size = Math.abs(seconds);
  const [n, unit] = size < 60 ? [seconds, "second"] : size < 3600 ? [Math.round(seconds / 60), "minute"] : size < 172800 ? [Math.round(seconds / 3600), "hour"] : [Math.round(seconds / 86400), "day"];
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(n, unit);
}

/** Board is the grid of squares. It keeps its elements as long as the board has the same size, so that the focus stays where it is. */
export class Board {
  constructor(root, press) {
    this.root = root;
    this.press = press;
    this.at = 0;
    root.addEventListener("keydown", (e) => this.move(e));
  }

  draw(screen) {
    const { columns, cells, grid } = screen;
    this.root.hidden = cells.length === 0;
    if (cells.length === 0) return;
    if (this.columns !== columns || this.squares?.length !== cells.length) this.build(columns, cells.length);
    this.screen = screen;
    this.frame.setAttribute("aria-label", plain(grid));
    cells.forEach((cell, i) => {
      const square = this.squares[i], drawn = `${cell.mark}|${cell.look}|${cell.value}`;
      square.setAttribute("aria-label", plain(cell.say));
      square.setAttribute("aria-disabled", cell.do ? "false" : "true");
      square.classList.toggle("open", Boolean(cell.do) && !cell.mark);
      if (square.dataset.drawn === drawn) return;
      const had = (square.dataset.drawn ?? "||").split("|")[0];
      square.dataset.drawn = drawn;
      square.classList.toggle("fresh", Boolean(cell.mark) && had !== cell.mark && this.drawnOnce);
      square.replaceChildren(mark(cell.mark, cell.look));
      if (cell.value) {
        const kind = cell.value[0] === "+" ? "good" : cell.value[0] === "=" ? "even" : cell.value[0] === "−" ? "bad" : "open";
        square.append(element("span", { class: `value ${kind}`, "aria-hidden": "true" }, cell.value));
      }
    });
    this.drawnOnce = true;
    this.strike(screen.line);
  }

  build(columns, count) {
    this.columns = columns;
    this.at = Math.min(this.at, count - 1);
    if (this.squares) this.at = 0;
    this.squares = [];
    this.drawnOnce = false;
    this.frame = element("div", { role: "grid", class: "grid" });
    this.frame.style.setProperty("--columns", columns);
    for (let i = 0; i < count; i += columns) {
      const row = element("div", { role: "row", class: "row" });
      for (let c = 0; c < columns; c++) {
        const n = i + c;
        const square = element("button", { role: "gridcell", type: "button", class: "square", tabindex: n === this.at ? 0 : -1, "data-name": String.fromCharCode(97 + c) + (i / columns + 1) });
        square.addEventListener("click", () => { this.focus(n, false); this.press(this.screen.cells[n], n); });
        row.append(square);
        this.squares.push(square);
      }
      this.frame.append(row);
    }
    const letters = element("div", { class: "letters", "aria-hidden": "true" }), numbers = element("div", { class: "numbers", "aria-hidden": "true" });
    for (let c = 0; c < columns; c++) letters.append(element("span", {}, String.fromCharCode(97 + c)));
    for (let r = 1; r <= count / columns; r++) numbers.append(element("span", {}, String(r)));
    this.line = svg("svg", { class: "strike", viewBox: `0 0 ${columns} ${count / columns}`, "aria-hidden": "true", focusable: "false" });
    this.root.replaceChildren(letters, numbers, element("div", { class: "field" }, this.line, this.frame));
  }

  strike(ends) {
    this.line.replaceChildren();
    if (ends.length < 2) return;
    const at = (i) => [(i % this.columns) + 0.5, Math.floor(i / this.columns) + 0.5];
    this.line.append(svg("path", { pathLength: 1, d: `M${at(ends[0])}L${at(ends[1])}` })); // below the marks, so that they stay what they are
  }

  focus(n, really = true) {
    this.squares[this.at]?.setAttribute("tabindex", "-1");
    this.at = n;
    this.squares[n].setAttribute("tabindex", "0");
    if (really) this.squares[n].focus();
  }

  move(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || !this.squares) return;
    const rows = this.squares.length / this.columns, x = this.at % this.columns, y = Math.floor(this.at / this.columns);
    const to = { ArrowUp: [x, y - 1], ArrowDown: [x, y + 1], ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y], Home: [0, y], End: [this.columns - 1, y], PageUp: [x, 0], PageDown: [x, rows - 1] }[e.key];
    if (!to) return;
    e.preventDefault();
    const [c, r] = to;
    if (c >= 0 && c < this.columns && r >= 0 && r < rows) this.focus(r * this.columns + c);
  }
}
