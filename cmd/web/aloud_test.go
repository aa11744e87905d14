package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tictactoe/game"
	"tictactoe/internal/file/golden"
	"tictactoe/internal/longtest"
	"tictactoe/internal/puzzles/puzzle"
)

var update = flag.Bool("update", false, "write testdata/aloud.txt anew")

// morning is the time at which the visit of the test takes place: puzzles and dates depend on it.
var morning = time.Date(2026, time.November, 29, 9, 0, 0, 0, time.UTC)

// at returns the page with the clock of its scripts stopped at a time.
func at(files map[string][]byte, now time.Time) map[string][]byte {
	stopped := fmt.Sprintf("{ const real = Date; globalThis.Date = class extends real { constructor(...a) { super(...(a.length ? a : [%[1]d])); } static now() { return %[1]d; } }; }\n", now.UnixMilli())
	files = maps.Clone(files)
	for name, content := range files {
		if strings.HasSuffix(name, "/worker.mjs") || strings.HasSuffix(name, "/app.mjs") {
			files[name] = append([]byte(stopped), content...)
			delete(files, name+".br")
		}
	}
	return files
}

// silent are the roles of nodes that a screen reader does not mention.
var silent = []string{"none", "generic", "InlineTextBox", "RootWebArea", "Iframe", "MenuListPopup", "option"}

// tree returns the accessibility tree in the order of reading, a line for each node. The part with announcements is left out.
func (w *window) tree() (lines []string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	found, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		w.t.Fatal(err)
	}
	word := func(v *accessibility.Value) (text string) {
		if v == nil {
			return ""
		}
		if json.Unmarshal(v.Value, &text) != nil {
			text = string(v.Value)
		}
		return strings.Join(strings.Fields(text), " ")
	}
	nodes := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range found.Nodes {
		nodes[n.NodeID] = n
	}
	var read func(n *accessibility.Node, depth int, above string)
	read = func(n *accessibility.Node, depth int, above string) {
		role, name := word(n.Role), word(n.Name)
		switch {
		case role == "status":
			return
		case n.Ignored || slices.Contains(silent, role):
		case role == "StaticText":
			if !strings.Contains(above, name) {
				lines = append(lines, strings.Repeat("  ", depth)+name)
			}
			return
		default:
			line := strings.Repeat("  ", depth) + role
			if name != "" {
				line += " " + fmt.Sprintf("%q", name)
			}
			if value := word(n.Value); value != "" {
				line += " = " + value
			}
			for _, p := range n.Properties {
				if state := string(p.Name); slices.Contains([]string{"disabled", "focused", "checked", "modal"}, state) && word(p.Value) != "false" {
					line += ", " + state
				}
			}
			lines, depth, above = append(lines, line), depth+1, name
		}
		for _, id := range n.ChildIDs {
			if child := nodes[id]; child != nil {
				read(child, depth, above)
			}
		}
	}
	if len(found.Nodes) > 0 {
		read(found.Nodes[0], 0, "")
	}
	return lines
}

// A blind player hears a match between friends, its review and a puzzle. The golden has the announcements after each press, and the new
// lines of the accessibility tree.
func TestAVisitReadAloud(t *testing.T) {
	longtest.Only(t)
	const file = "testdata/aloud.txt"
	w := serve(t, chromium(t), at(pageOf(t), morning), 390, 844)
	var heard strings.Builder
	var before []string
	hears := func(what string) {
		t.Helper()
		now := w.tree()
		fmt.Fprintf(&heard, "> %s\n", what)
		if said := eval[string](w, `document.querySelector("[role=status]").textContent`); said != "" {
			fmt.Fprintf(&heard, "said: %s\n", said)
		}
		for _, line := range now {
			if !slices.Contains(before, line) {
				fmt.Fprintf(&heard, "%s\n", line)
			}
		}
		before = now
	}
	press := func(words string) { t.Helper(); w.press(words); hears(words) }
	squares := func(names ...string) {
		t.Helper()
		for _, name := range names {
			w.square(name)
			hears(name)
		}
	}
	w.visit("")
	hears("the page opens")
	press("New game")
	eval[bool](w, `((s) => { s.value = "friend"; s.dispatchEvent(new Event("change")); return true; })(document.querySelector("dialog [name=opponent]"))`)
	hears("a friend is chosen")
	w.press("Start")
	hears("Start")
	squares("a1", "b1", "b2", "c3", "a2", "a3", "c2")
	golden.Compare(t, file, "a match", heard.String(), *update)

	heard.Reset()
	press("Review")
	press("Move by move")
	for eval[bool](w, `[...document.querySelectorAll("#below button")].some((b) => b.innerText === "Next" && !b.disabled)`) {
		press("Next")
	}
	golden.Compare(t, file, "its review", heard.String(), *update)

	heard.Reset()
	press("Puzzle")
	today, err := puzzle.Of(t.Context(), puzzle.DayOf(morning))
	if err != nil {
		t.Fatal(err)
	}
	right := today.Solution()
	name := func(i int) string { return today.Start.Rules().Name(right[i].Right) }
	wrong := slices.Collect(today.Start.Legal().All())
	wrong = slices.DeleteFunc(wrong, func(s game.Square) bool { return s == right[0].Right })
	squares(today.Start.Rules().Name(wrong[0]))
	for i := range right {
		squares(name(i))
	}
	press("Share")
	golden.Compare(t, file, "a puzzle", heard.String(), *update)
}

// The board stays as it is where text runs from right to left: its squares are named by letters from the left, as on a chess board.
func TestTheBoardFromRightToLeftAndInForcedColours(t *testing.T) {
	longtest.Only(t)
	w := open(t, chromium(t), 390, 844)
	w.look(true, true, forced)
	w.visit("")
	eval[bool](w, rightToLeft)
	w.typed("a1")
	w.until(`document.querySelectorAll(".square .O").length === 1`)
	if at := eval[[]float64](w, `["a1", "b1", "a2"].map((n) => document.querySelector("[data-name=" + n + "]").getBoundingClientRect().x)`); at[0] >= at[1] || at[0] != at[2] {
		t.Errorf("a1, b1 and a2 are at %v", at)
	}
	w.typed(kb.ArrowRight)
	if focused := eval[string](w, `document.activeElement.dataset.name`); focused != "b1" {
		t.Errorf("the arrow to the right leads from a1 to %s", focused)
	}
	colours := eval[map[string]string](w, `(() => {
		const of = (at, what) => getComputedStyle(document.querySelector(at))[what];
		return { ground: of("body", "backgroundColor"), edge: of(".square", "borderTopColor"), width: of(".square", "borderTopWidth"),
			x: of(".X .stroke", "stroke"), plate: of(".X .plate", "fill"), o: of(".O .stroke", "stroke"), ring: of(":focus-visible", "outlineStyle") };
	})()`)
	if colours["width"] != "1px" || colours["edge"] == colours["ground"] || colours["x"] == colours["o"] || colours["x"] == colours["plate"] || colours["ring"] != "solid" {
		t.Errorf("a board in forced colours has %v", colours)
	}
}
