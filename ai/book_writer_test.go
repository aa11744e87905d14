package ai

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tictactoe/game"
)

// line returns an entry of the book in its text form.
func (o options) line(p game.Position) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", p.Rules(), p)
	for s := range o.moves.All() {
		fmt.Fprintf(&b, " %s:%.3f", p.Rules().Name(s), o.chances[s])
	}
	return b.String()
}

// BookPlies returns the number of plies of a game that are in the book: the plies in which an answer would take too many nodes.
func BookPlies(rules game.Rules) int {
	switch {
	case rules.Gravity() && rules.Squares() == 25:
		return 5
	case rules.Squares() > tableSquares && !rules.Gravity():
		return 4
	default:
		return 0
	}
}

// hardPlies returns the number of plies of a game within which the book has every position whose value takes more nodes than an answer
// may take.
func hardPlies(rules game.Rules) int {
	switch rules.Title() {
	case "5x5", "drop-5x5":
		return 7
	default:
		return 0
	}
}

// hard lists these positions, in standard form and in the order of plies. It takes minutes on 5x5.
func hard(rules game.Rules) []game.Position {
	var found []game.Position
	search := newSearch(rules, 17)
	known := map[entry]game.Position{{}: game.Start(rules)}
	for range hardPlies(rules) {
		after := map[entry]game.Position{}
		for _, e := range slices.SortedFunc(maps.Keys(known), entry.compare) {
			p := known[e]
			if winning(p)|blocking(p) == 0 {
				clear(search.known.entries)
				search.allow(liveEffort().nodes)
				if search.value(sides(p)); search.spent {
					found = append(found, p)
				}
			}
			for _, next := range p.Moves() {
				if next.Legal() != 0 {
					next, _ = standardOf(next)
					after[entryOf(next)] = next
				}
			}
		}
		known = after
	}
	return found
}

func (e entry) compare(f entry) int {
	return cmp.Or(cmp.Compare(e.me, f.me), cmp.Compare(e.rival, f.rival))
}

// WriteBook lists, for each rule set, every position within the plies of the book in which the unbeatable player may have
// to move, and every hard one, with the results of an unlimited search.
func WriteBook(all []game.Rules) []string {
	var lines []string
	for _, rules := range all {
		atLeisure := &boundedPlayer{
			search: newSearch(rules, 20), plies: rules.Squares(), choose: tempting, book: book{},
			effort: effort{nodes: 1_500_000, last: unlimited, holding: 700_000, traps: unlimited, moves: rules.Squares(), replies: 3},
		}
		enter := func(p game.Position) {
			if _, ok := atLeisure.book[entryOf(p)]; ok {
				return
			}
			o := atLeisure.options(p)
			for s := range o.chances {
				o.chances[s] = math.Round(1000*o.chances[s]) / 1000 // the precision of the text
			}
			atLeisure.book[entryOf(p)] = o
			lines = append(lines, o.line(p))
		}
		var visit func(p game.Position, side game.Mark)
		visit = func(p game.Position, side game.Mark) {
			if p, _ = standardOf(p); p.Ply() >= BookPlies(rules) || p.Legal() == 0 {
				return
			}
			squares := p.Legal()
			if p.Turn() == side {
				enter(p)
				squares = atLeisure.odds(p).Squares()
			}
			for s := range squares.All() {
				if next, err := p.Play(s); err == nil {
					visit(next, side)
				}
			}
		}
		visit(game.Start(rules), game.X)
		visit(game.Start(rules), game.O)
		for _, p := range hard(rules) {
			enter(p)
		}
	}
	return lines
}
