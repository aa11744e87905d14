package ai_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/longtest"
)

func TestReviewGradesTheLastMove(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	for _, test := range []struct {
		name    string
		squares []game.Square
		want    ai.Grade
		better  game.Bitboard
	}{
		{"the first move may be any", []game.Square{0}, ai.Ungraded, 0},
		{"only the centre holds against a corner", []game.Square{0, 4}, ai.OnlyMove, 0},
		{"one of four replies to an edge", []game.Square{1, 0}, ai.BestMove, 0},
		{"an edge loses to a corner", []game.Square{0, 1}, ai.LosingMove, game.SetOf(4)},
		{"a won game is drawn", []game.Square{0, 1, 2}, ai.MissedWin, game.SetOf(3, 4, 6)},
		{"a won game is lost", []game.Square{0, 2, 1}, ai.Blunder, game.SetOf(3, 6, 8)},
		{"a win on the spot is overlooked", []game.Square{0, 1, 3, 2, 4}, ai.SlowerWin, game.SetOf(6)},
		{"a fork is overlooked", []game.Square{0, 1, 5, 2, 6}, ai.SlowerWin, game.SetOf(3, 4)},
		{"a lost game is not defended", []game.Square{0, 1, 3, 2}, ai.FasterLoss, game.SetOf(6)},
		{"the only square left", []game.Square{0, 4, 8, 1, 7, 6, 2, 5, 3}, ai.Ungraded, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			review := solver.Review(must(game.Replay(game.Classic(), test.squares...)))
			last := review[len(review)-1]
			if last.Grade != test.want || last.Better != test.better || last.Square != test.squares[len(test.squares)-1] {
				t.Errorf("square %d is %q, better %b; want %q, %b", last.Square, last.Grade, last.Better, test.want, test.better)
			}
			if last.Grade.Error() != (last.Best.Value != last.Played.Value) {
				t.Errorf("%q from %s to %s", last.Grade, last.Best, last.Played)
			}
		})
	}
}

func TestAccuracy(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	for _, test := range []struct {
		name    string
		squares []game.Square
		x, o    ai.Accuracy
		grades  map[int]ai.Grade // the grades to compare, by ply
	}{
		{
			"a fork decides", []game.Square{0, 4, 8, 2, 6, 3, 7},
			ai.Accuracy{Critical: 2}, ai.Accuracy{Critical: 2, Errors: 1},
			map[int]ai.Grade{1: ai.OnlyMove, 3: ai.LosingMove, 4: ai.OnlyMove, 6: ai.OnlyMove},
		},
		{
			"a draw without an error", []game.Square{0, 4, 8, 1, 7, 6, 2, 5, 3},
			ai.Accuracy{Critical: 2}, ai.Accuracy{Critical: 4}, nil,
		},
		{
			"the only decision loses", []game.Square{4, 1, 0, 8, 6, 2, 3},
			solver.Review(must(game.Replay(game.Classic(), 4, 1, 0, 8, 6, 2, 3))).Of(game.X), ai.Accuracy{Critical: 1, Errors: 1}, nil,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			review := solver.Review(must(game.Replay(game.Classic(), test.squares...)))
			if diff := cmp.Diff([]ai.Accuracy{test.x, test.o}, []ai.Accuracy{review.Of(game.X), review.Of(game.O)}); diff != "" {
				t.Errorf("accuracy of X and O (-want +got):\n%s", diff)
			}
			for ply, want := range test.grades {
				if got := review[ply].Grade; got != want {
					t.Errorf("ply %d is %q, want %q", ply, got, want)
				}
			}
		})
	}

	t.Run("the accuracy of games with and without critical decisions", func(t *testing.T) {
		if share, ok := (ai.Accuracy{Critical: 4, Errors: 1}).Share(); !ok || share != 0.75 {
			t.Errorf("share %v, %t", share, ok)
		}
		if _, ok := (ai.Accuracy{}).Share(); ok {
			t.Error("there is a share, although no decision was critical")
		}
	})
}

func TestReviewOnOtherBoards(t *testing.T) {
	for _, test := range []struct {
		name, rules string
		squares     []game.Square
		want        ai.Grade
	}{
		{"5x5: b2 leaves one reply, the centre", "5x5x4", []game.Square{6, 12}, ai.OnlyMove},
		{"5x5: any other loses", "5x5x4", []game.Square{6, 7}, ai.LosingMove},
		{"infinite: the centre gives away the first player's win", "3x3x3+keep3", []game.Square{4}, ai.MissedWin},
		{"infinite: an edge wins", "3x3x3+keep3", []game.Square{1}, ai.BestMove},
		{"misere: only the centre holds", "3x3x3+misere", []game.Square{4}, ai.OnlyMove},
		{"misere: a corner loses", "3x3x3+misere", []game.Square{0}, ai.LosingMove},
		{"drop: an edge column loses", "5x4x4+gravity", []game.Square{15}, ai.LosingMove},
	} {
		t.Run(test.name, func(t *testing.T) {
			rules := must(game.ParseRules(test.rules))
			review := must(ai.NewSolver(rules)).Review(must(game.Replay(rules, test.squares...)))
			if got := review[len(review)-1].Grade; got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// impatient is a context that ends after a number of calls of Err.
type impatient struct {
	context.Context
	patience int
}

func (c *impatient) Err() error {
	if c.patience--; c.patience < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestAReviewThatRunsOutOfTime(t *testing.T) {
	for _, name := range []string{"classic", "drop"} {
		rules := must(game.ParseRules(name))
		var squares []game.Square
		for p := game.Start(rules); p.Legal() != 0; p = must(p.Play(squares[len(squares)-1])) {
			all := p.Legal()
			for s := range all.All() {
				squares = append(squares, s) // always the first legal square
				break
			}
			if len(squares) == 12 {
				break
			}
		}
		record := must(game.Replay(rules, squares...))
		whole := must(ai.NewSolver(rules)).Review(record)
		solver := must(ai.NewSolver(rules))
		cut := 0
		for patience := 0; ; patience = patience*2 + 1 {
			got := solver.ReviewWithin(&impatient{t.Context(), patience}, record)
			judged := false
			for ply, remark := range got {
				switch {
				case remark.Grade != ai.Unjudged:
					judged = true
					if remark != whole[ply] {
						t.Errorf("%s, ply %d: %+v; with enough time %+v", name, ply, remark, whole[ply])
					}
				case judged:
					t.Errorf("%s: ply %d is not judged, but an earlier one is", name, ply)
				case remark.Square != squares[ply] || remark.Critical || remark.Better != 0:
					t.Errorf("%s: %+v", name, remark)
				default:
					cut++
				}
			}
			if got[0].Grade != ai.Unjudged {
				break
			}
		}
		if cut < len(squares) {
			t.Errorf("%s: only %d moves were not judged: the time did not run out", name, cut)
		}
	}
}

func TestAReviewLeavesAtOnceWhenTheContextEnds(t *testing.T) {
	rules := must(game.ParseRules("5x5"))
	record := must(game.Replay(rules, 12, 0, 11))
	ctx := &impatient{t.Context(), 20}
	must(ai.NewSolver(rules)).ReviewWithin(ctx, record)
	// The review calls Err once for each move and for each slice of the search, and only a few times after the end.
	if asked := 20 - ctx.patience; asked > 20+2*record.Len()+2 {
		t.Errorf("called Err %d times", asked)
	}
}

var reviews = flag.Int("reviews", 25, "the number of random games of each board whose reviews have to be short")

// TestReviewsOfRandomGamesAreShort checks that a new solver judges random games of each board, up to the last move, within the time that
// the bot allows, three seconds. One core visits about eleven million nodes in three seconds, so the test allows eight million.
func TestReviewsOfRandomGamesAreShort(t *testing.T) {
	longtest.Only(t)
	for _, offer := range game.Offered() {
		if offer.Rules.Squares() == 9 {
			continue // a table
		}
		t.Run(offer.Name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 5))
			moves, most := 0, 0
			for range *reviews {
				record := game.NewRecord(game.Start(offer.Rules))
				for p := range randomGame(offer.Rules, random) {
					if p.Ply() > 0 {
						record = must(record.Play(added(record.Position(), p)))
					}
				}
				solver := must(ai.NewSolver(offer.Rules))
				for _, remark := range solver.Review(record) {
					if moves++; remark.Grade == ai.Unjudged {
						t.Errorf("not judged: %v", remark)
					}
				}
				if most = max(most, ai.Searched(solver)); most > 8_000_000 {
					t.Fatalf("a review takes %d nodes: %v", most, record.Squares())
				}
			}
			t.Logf("%d moves; the longest review takes %d nodes", moves, most)
		})
	}
}

// added returns the square that is empty in before and marked in after.
func added(before, after game.Position) game.Square {
	for s := range (before.Marks(game.None) &^ after.Marks(game.None)).All() {
		return s
	}
	return game.NoSquare
}
