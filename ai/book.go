package ai

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	"tictactoe/game"
)

// bookText holds, line by line, a rule set, a position in which the unbeatable player may have to move, its best moves
// and the chance that each leaves to the other side to go wrong:
//
//	5x5x4 .X.../...../...../...../..... b3:0.125 c3:0.200
//
// It is written by "go test ./ai -run Book -write" and judged by the same test.
//
//go:embed book.txt
var bookText string

// A book knows answers that would take too long to search for.
type book map[entry]options

// An entry is a standard position as the side to move sees it, whoever began.
type entry struct{ me, rival uint32 }

func entryOf(standard game.Position) entry {
	me, rival := sides(standard)
	return entry{me, rival}
}

// bookOf reads the entries of a rule set. It panics if they are wrong, which the tests exclude.
func bookOf(rules game.Rules) book {
	b := book{}
	for line := range strings.Lines(bookText) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != rules.String() {
			continue
		}
		p, err := game.ParsePosition(rules, fields[1])
		if err != nil {
			panic(fmt.Sprintf("ai: book: %v", err))
		}
		var o options
		for _, field := range fields[2:] {
			name, number, _ := strings.Cut(field, ":")
			s, err := rules.ParseSquare(name)
			if err != nil {
				panic(fmt.Sprintf("ai: book: %s: %v", p, err))
			}
			if o.chances[s], err = strconv.ParseFloat(number, 64); err != nil {
				panic(fmt.Sprintf("ai: book: %s: %v", p, err))
			}
			o.moves |= game.SetOf(s)
		}
		b[entryOf(p)] = o
	}
	return b
}

// line writes an entry of the book as it is read.
func (o options) line(p game.Position) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", p.Rules(), p)
	for s := range o.moves.All() {
		fmt.Fprintf(&b, " %s:%.3f", p.Rules().Name(s), o.chances[s])
	}
	return b.String()
}

// bookPlies is how many plies of a game are in the book: those in which an answer would take too many nodes.
func bookPlies(rules game.Rules) int {
	switch {
	case rules.Gravity() && rules.Squares() == 25:
		return 5
	case rules.Squares() > tableSquares && !rules.Gravity():
		return 4
	default:
		return 0
	}
}

// writeBook lists, for each rule set, every position within the plies of the book in which the unbeatable player may have
// to move, with what it finds out at leisure.
func writeBook(all []game.Rules) []string {
	var lines []string
	for _, rules := range all {
		atLeisure := &prober{
			search: newSearch(rules, 20), spent: new(atomic.Int64), plies: rules.Squares(), choose: tempting, book: book{},
			effort: effort{nodes: 1_500_000, holding: 700_000, moves: rules.Squares(), replies: 3},
		}
		var visit func(p game.Position, side game.Mark)
		visit = func(p game.Position, side game.Mark) {
			if p, _ = standardOf(p); p.Ply() >= bookPlies(rules) || p.Legal() == 0 {
				return
			}
			squares := p.Legal()
			if p.Turn() == side {
				if _, ok := atLeisure.book[entryOf(p)]; !ok {
					o := atLeisure.options(p)
					for s := range o.chances {
						o.chances[s] = math.Round(1000*o.chances[s]) / 1000 // as it is written
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
