package profile_test

import (
	"testing"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
)

// cells is a 3x3 board with the marks 'X', 'O' or 0. It belongs to the judge of these tests, which shares no code with the packages
// game and ai.
type cells [9]byte

func (b cells) turn() byte {
	n := 0
	for _, c := range b {
		if c != 0 {
			n++
		}
	}
	return "XO"[n%2]
}

// winner returns the mark that has a line, and whether the game is over.
func (b cells) winner() (byte, bool) {
	for _, l := range [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
		if b[l[0]] != 0 && b[l[0]] == b[l[1]] && b[l[1]] == b[l[2]] {
			return b[l[0]], true
		}
	}
	for _, c := range b {
		if c == 0 {
			return 0, false
		}
	}
	return 0, true
}

// judge caches the values of positions, calculated by brute force: the value of a position is the value of its best move.
type judge map[cells]int

// value returns 1 if X wins with perfect play, -1 if O wins, and 0 for a draw.
func (j judge) value(b cells) int {
	if v, known := j[b]; known {
		return v
	}
	v := 0
	if winner, over := b.winner(); over {
		v = map[byte]int{'X': 1, 'O': -1}[winner]
	} else {
		sign := map[byte]int{'X': 1, 'O': -1}[b.turn()]
		best := -2
		for i, c := range b {
			if c == 0 {
				next := b
				next[i] = b.turn()
				best = max(best, sign*j.value(next))
			}
		}
		v = sign * best
	}
	j[b] = v
	return v
}

// verdict returns the judge's verdict on a game, which may be unfinished.
func (j judge) verdict(squares []game.Square) (sides [2]profile.Side) {
	var b cells
	var stood, lost [2]bool
	for ply, square := range squares {
		who, sign := ply%2, 1-2*(ply%2)
		before := sign * j.value(b)
		stood[who] = stood[who] || before > -1
		lost[who] = lost[who] || stood[who] && before == -1
		critical := false
		for i, c := range b {
			if c == 0 {
				next := b
				next[i] = b.turn()
				critical = critical || sign*j.value(next) < before
			}
		}
		b[square] = b.turn()
		if critical {
			sides[who].Critical++
			if sign*j.value(b) < before {
				sides[who].Errors++
			}
		}
	}
	for who := range sides {
		sides[who].Recovered = lost[who] && (1-2*who)*j.value(b) > -1
	}
	return sides
}

// TestVerdictsOnAllGames compares verdicts with those of the brute-force judge, for a sample of the 255,168 games on 3x3 and for
// each beginning of these games as an unfinished game.
func TestVerdictsOnAllGames(t *testing.T) {
	const every = 41
	solver, err := ai.NewSolver(game.Classic())
	if err != nil {
		t.Fatal(err)
	}
	j := judge{}
	games, perfect, comebacks := 0, 0, 0
	compare := func(record game.Record, squares []game.Square) {
		m := match.Start("m", "m", "home", game.Classic(), match.Seats{match.Human("a"), match.Human("b")}, time.Hour, 1, time.Time{})
		m.Record = record
		v := profile.Judge(m, solver.Review(record))
		if want := j.verdict(squares); !v.Judged || v.Sides != want {
			t.Fatalf("%v: %+v, not %+v", squares, v, want)
		}
		for _, side := range v.Sides {
			if side.Critical >= profile.MinCritical && side.Errors == 0 {
				perfect++
			}
			if side.Recovered {
				comebacks++
			}
		}
	}
	var play func(record game.Record, squares []game.Square)
	play = func(record game.Record, squares []game.Square) {
		if record.Outcome() != game.InProgress {
			if games++; games%every == 0 {
				for n := range squares {
					compare(record.First(n+1), squares[:n+1])
				}
			}
			return
		}
		for square := range record.Position().Legal().All() {
			next, err := record.Play(square)
			if err != nil {
				t.Fatal(err)
			}
			play(next, append(squares[:len(squares):len(squares)], square))
		}
	}
	play(game.NewRecord(game.Start(game.Classic())), nil)
	if games != 255_168 || perfect == 0 || comebacks == 0 {
		t.Errorf("%d games, %d perfect sides, %d comebacks", games, perfect, comebacks)
	}
}

func TestVerdicts(t *testing.T) {
	solver, err := ai.NewSolver(game.Classic())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		squares []game.Square
		want    [2]profile.Side
	}{
		{"nothing was played", nil, [2]profile.Side{}},
		{"a draw without an error", []game.Square{0, 4, 8, 1, 7, 6, 2, 5, 3}, [2]profile.Side{{Critical: 2}, {Critical: 4}}},
		{"O lets X fork", []game.Square{0, 4, 8, 2, 6, 3, 7}, [2]profile.Side{{Critical: 2}, {Critical: 2, Errors: 1}}},
		{"O errs with the only critical move", []game.Square{4, 1, 0, 8, 6, 2, 3}, [2]profile.Side{{Critical: 3}, {Critical: 1, Errors: 1}}},
		{
			"O was lost, moved, and X let go", []game.Square{0, 8, 2, 1, 3, 6, 4, 5},
			[2]profile.Side{{Critical: 3, Errors: 2}, {Critical: 3, Errors: 2, Recovered: true}},
		},
		{
			"O was lost, moved, and X resigned while it still was", []game.Square{0, 8, 2, 1},
			[2]profile.Side{{Critical: 1}, {Critical: 1, Errors: 1}},
		},
		{
			"O was lost, and X let go before O had to move", []game.Square{0, 8, 1, 2},
			[2]profile.Side{{Critical: 1, Errors: 1}, {Critical: 2, Errors: 1}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			record, err := game.Replay(game.Classic(), c.squares...)
			if err != nil {
				t.Fatal(err)
			}
			v := profile.Judge(match.Match{ID: "m", Record: record}, solver.Review(record))
			if v != (profile.Verdict{Match: "m", Judged: true, Sides: c.want}) {
				t.Errorf("%+v, not %+v", v.Sides, c.want)
			}
		})
	}
	t.Run("a side that was lost from the first move on has not come back", func(t *testing.T) {
		record, err := game.Replay(game.Classic(), 0, 1, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		review := ai.Review{{Mark: game.X}, {Mark: game.O, Best: ai.Eval{Value: ai.Loss}}, {Mark: game.X}, {Mark: game.O}}
		if v := profile.Judge(match.Match{Record: record}, review); v.Sides[1].Recovered {
			t.Error("the side has come back")
		}
	})
	t.Run("a review with an unjudged move gives no verdict", func(t *testing.T) {
		record, err := game.Replay(game.Classic(), 0, 8)
		if err != nil {
			t.Fatal(err)
		}
		review := solver.Review(record)
		review[0] = ai.Remark{Mark: game.X, Grade: ai.Unjudged}
		if v := profile.Judge(match.Match{ID: "m", Record: record}, review); v != (profile.Verdict{Match: "m"}) {
			t.Errorf("%+v", v)
		}
	})
}

func TestAccuracy(t *testing.T) {
	few := profile.Judged{Matches: profile.MinReviewed - 1, Critical: 40, Errors: 10}
	if share, known := few.Accuracy(); known {
		t.Errorf("%v of %d matches", share, few.Matches)
	}
	if share, known := few.Plus(profile.Judged{Matches: 1, Critical: 10}).Accuracy(); !known || share != 0.8 {
		t.Errorf("%v, %v", share, known)
	}
}
