package ai_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/longtest"
)

var write = flag.Bool("write", false, "write the book anew, which takes some minutes")

// TestBook checks that the moves of the book keep the value, and that it has every early position in which the unbeatable
// player may have to move.
func TestBook(t *testing.T) {
	longtest.Only(t)
	var all []game.Rules
	for _, text := range []string{"4x4x4", "5x4x4", "5x5x4", "5x5x4+gravity"} {
		all = append(all, must(game.ParseRules(text)))
	}
	if *write {
		text := strings.Join(ai.WriteBook(all), "\n") + "\n"
		if err := os.WriteFile("book.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Skip("the book is written; run the test again to check it")
	}
	for _, rules := range all {
		t.Run(rules.String(), func(t *testing.T) {
			solver := must(ai.NewSolver(rules))
			player := newEngine(ai.Unbeatable, solver)
			seen := map[game.Position]bool{}
			var visit func(p game.Position, side game.Mark)
			visit = func(p game.Position, side game.Mark) {
				if p.Ply() >= ai.BookPlies(rules) {
					return
				}
				squares := p.Legal()
				if p.Turn() == side {
					squares = must(player.Odds(p)).Squares()
					if !seen[p.Canonical()] {
						judgeEntry(t, solver, p)
						seen[p.Canonical()] = true
					}
				}
				for s := range squares.All() {
					visit(must(p.Play(s)), side)
				}
			}
			for _, side := range []game.Mark{game.X, game.O} {
				visit(game.Start(rules), side)
			}
			var others int // the hard positions
			for _, p := range ai.BookPositions(rules) {
				if !seen[p.Canonical()] {
					judgeEntry(t, solver, p)
					others++
				}
			}
			t.Logf("%d entries, and %d hard ones", len(seen), others)
		})
	}
}

// judgeEntry checks the entry of the book for a position.
func judgeEntry(t *testing.T, solver *ai.Solver, p game.Position) {
	t.Helper()
	moves := ai.BookMoves(p)
	if moves == 0 || moves&^p.Legal() != 0 {
		t.Errorf("%s %s: book moves are %b", p.Rules(), p, moves)
	}
	value := solver.Eval(p).Value
	for s := range moves.All() {
		if after := solver.Eval(must(p.Play(s))).Value; after != -value {
			t.Errorf("%s %s: %s makes a %s a %s", p.Rules(), p, p.Rules().Name(s), value, -after)
		}
	}
}
