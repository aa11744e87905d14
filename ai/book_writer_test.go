package ai

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"

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

// WriteBook lists, for each rule set, every position within the plies of the book in which the unbeatable player may have
// to move, with the results of an unlimited search.
func WriteBook(all []game.Rules) []string {
	var lines []string
	for _, rules := range all {
		atLeisure := &boundedPlayer{
			search: newSearch(rules, 20), spent: new(atomic.Int64), plies: rules.Squares(), choose: tempting, book: book{},
			effort: effort{nodes: 1_500_000, holding: 700_000, moves: rules.Squares(), replies: 3},
		}
		var visit func(p game.Position, side game.Mark)
		visit = func(p game.Position, side game.Mark) {
			if p, _ = standardOf(p); p.Ply() >= BookPlies(rules) || p.Legal() == 0 {
				return
			}
			squares := p.Legal()
			if p.Turn() == side {
				if _, ok := atLeisure.book[entryOf(p)]; !ok {
					o := atLeisure.options(p)
					for s := range o.chances {
						o.chances[s] = math.Round(1000*o.chances[s]) / 1000 // the precision of the text
					}
					atLeisure.book[entryOf(p)] = o
					lines = append(lines, o.line(p))
				}
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
	}
	return lines
}
