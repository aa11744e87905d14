package terminal_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/file/golden"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
	"tictactoe/internal/terminal"
)

// played returns a match between two people with the given moves, and with its review if it is over.
func played(t *testing.T, g *terminal.Game, moves string) terminal.Shown {
	t.Helper()
	record := game.NewRecord(game.StartWith(g.Rules, game.X))
	for move := range strings.FieldsSeq(moves) {
		square, err := g.Rules.ParseSquare(move)
		if err == nil {
			record, err = record.Play(square)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := terminal.Shown{Match: match.Match{Seats: match.Seats{match.Human("X"), match.Human("O")}, Record: record}}
	if outcome := record.Outcome(); outcome != game.InProgress {
		s.Match.Result = match.Result{Outcome: outcome, Cause: match.ByLine}
		s.Review = g.Solver.Review(record)
	}
	return s
}

// The second move of O in "a1 b2 c3 c1" loses, because X makes a fork at a3.
const forked = "a1 b2 c3 c1 a3 a2 b3"

func TestAMatchIsShownOnTheWholeScreen(t *testing.T) {
	for _, tt := range []struct {
		name, size, moves, keys string
		from                    int
	}{
		{"show-start", "", forked, "", 0},
		{"show-the-move-that-lost", "", forked, "right right right right", 0},
		{"show-end", "", forked, "end right", 0},
		{"show-back-to-the-start", "", forked, "home left", 4},
		{"show-a-match-that-goes-on", "", "b2 a1", "", 2},
		{"show-on-a-small-terminal", "40x12", forked, "", 4},
		{"show-on-a-large-terminal", "120x40", forked, "", 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGame(t, "classic", "human", "human", game.X)
			model, quit := feed(resized(t, terminal.NewWalk(g, played(t, g, tt.moves), tt.from), tt.size), keys(tt.keys)...)
			if quit {
				t.Fatal("the screen has quit")
			}
			golden.Compare(t, screensFile, tt.name, plain(model), *update)
		})
	}
	t.Run("q leaves", func(t *testing.T) {
		g := newGame(t, "classic", "human", "human", game.X)
		if _, quit := feed(terminal.NewWalk(g, played(t, g, forked), 0), keys("right q")...); !quit {
			t.Error("q did not end the program")
		}
	})
}

func TestAMatchIsPrinted(t *testing.T) {
	for _, tt := range []struct {
		name, rules, moves string
		from               int
		alone              bool
	}{
		{"show", "classic", forked, 0, false},
		{"show-one-position", "classic", forked, 4, true},
		{"show-the-last-moves", "infinite", "a1 b2 c3 c1 a3 a2 b1", 6, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newGame(t, tt.rules, "human", "human", game.X)
			var out bytes.Buffer
			g.Out = &out
			if err := g.ShowLines(played(t, g, tt.moves), tt.from, tt.alone); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, linesFile, tt.name, out.String(), *update)
		})
	}
	t.Run("with the names and the date of a match from a database", func(t *testing.T) {
		g := newGame(t, "classic", "human", "human", game.X)
		s := played(t, g, forked)
		s.Kept, s.Match.ID, s.Match.Ended, s.Names = true, "1bmcokn2s0000", time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), view.Names{"X": "Alice", "O": "Bob\x1b[31m"}
		var out bytes.Buffer
		g.Out = &out
		if err := g.ShowLines(s, 7, true); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, linesFile, "show-from-a-database", out.String(), *update)
	})
}
