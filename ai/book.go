package ai

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"tictactoe/game"
)

// Each line of bookText holds a rule set, a position in which the unbeatable player may have to move, and its best moves,
// each with the chance that the other side errs after it:
//
//	5x5x4 .X.../...../...../...../..... b3:0.125 c3:0.200
//
// It is written by "TICTACTOE_LONG=1 go test ./ai -run Book -write" and checked by the same test.
//
//go:embed book.txt
var bookText string

// A book holds the best moves of positions that would take too long to search.
type book map[entry]options

// An entry identifies a standard position by the marks of the side to move and of the other side, whichever side began.
type entry struct{ me, rival uint32 }

func entryOf(standard game.Position) entry {
	me, rival := sides(standard)
	return entry{me, rival}
}

// bookOf reads the entries of a rule set. It panics if an entry is malformed; the tests check that none is.
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
