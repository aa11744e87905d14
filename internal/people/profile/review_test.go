package profile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/replica/lease"
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

// backlog is a store with matches to review.
type backlog struct {
	mu   sync.Mutex
	due  []match.Match
	kept []profile.Verdict
	fail error // the error that KeepVerdicts returns
}

func (b *backlog) add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range n {
		id := match.ID(fmt.Sprint(len(b.due) + len(b.kept)))
		b.due = append(b.due, match.Match{ID: id, Record: game.NewRecord(game.Start(game.Classic()))})
	}
}

func (b *backlog) set(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = err
}

func (b *backlog) judged() []profile.Verdict {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.kept)
}

func (b *backlog) Unreviewed(_ context.Context, limit int) ([]match.Match, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.due[:min(limit, len(b.due))]), nil
}

func (b *backlog) KeepVerdicts(_ context.Context, verdicts []profile.Verdict) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fail != nil {
		return b.fail
	}
	for _, v := range verdicts {
		if len(b.due) == 0 || b.due[0].ID != v.Match {
			return fmt.Errorf("match %s is not the next", v.Match)
		}
		b.due, b.kept = b.due[1:], append(b.kept, v)
	}
	return nil
}

// reviewing runs a reviewer until stop is called. Each review takes the given time.
func reviewing(t *testing.T, b *backlog, leases lease.Store, log *bytes.Buffer, takes time.Duration, fail error) (stop func()) {
	t.Helper()
	r := &profile.Reviewer{
		Store: b, Leases: leases, Clock: clock.New(clock.Machine{}), Log: slog.New(slog.NewTextHandler(log, nil)),
		Review: func(ctx context.Context, _ game.Record) (ai.Review, error) {
			select {
			case <-time.After(takes):
				return nil, fail
			case <-ctx.Done():
				return ai.Review{{Grade: ai.Unjudged}}, nil
			}
		},
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { r.Run(ctx); close(ended) }()
	return func() { cancel(); <-ended }
}

func TestReviewer(t *testing.T) {
	for name, test := range map[string]func(t *testing.T){
		"reviews what is due, in order, and what comes later": func(t *testing.T) {
			b := &backlog{}
			b.add(250)
			stop := reviewing(t, b, &lease.Memory{}, new(bytes.Buffer), 0, nil)
			synctest.Wait()
			if n := len(b.judged()); n != 250 {
				t.Errorf("%d matches were reviewed at once", n)
			}
			b.add(1)
			<-time.After(2 * background.Pause)
			if n := len(b.judged()); n != 251 {
				t.Errorf("%d matches were reviewed in the end", n)
			}
			stop()
		},
		"takes two percent of the time": func(t *testing.T) {
			b := &backlog{}
			b.add(1000)
			const takes = 8 * time.Millisecond
			began := time.Now()
			stop := reviewing(t, b, &lease.Memory{}, new(bytes.Buffer), takes, nil)
			<-time.After(time.Minute)
			stop()
			if share := float64(len(b.judged())) * takes.Seconds() / time.Since(began).Seconds(); share < 0.019 || share > 0.021 {
				t.Errorf("reviews took %v of the time", share)
			}
		},
		"keeps of a review that takes too long that it was tried": func(t *testing.T) {
			b := &backlog{}
			b.add(1)
			stop := reviewing(t, b, &lease.Memory{}, new(bytes.Buffer), time.Hour, nil)
			<-time.After(time.Minute)
			if kept := b.judged(); len(kept) != 1 || kept[0].Judged {
				t.Errorf("%+v", kept)
			}
			stop()
		},
		"keeps of rules without a solver that it was tried": func(t *testing.T) {
			b := &backlog{}
			b.add(1)
			stop := reviewing(t, b, &lease.Memory{}, new(bytes.Buffer), 0, fmt.Errorf("of these: %w", ai.ErrUnsolved))
			synctest.Wait()
			if kept := b.judged(); len(kept) != 1 || kept[0].Judged {
				t.Errorf("%+v", kept)
			}
			stop()
		},
		"keeps nothing of a review that it was stopped in": func(t *testing.T) {
			b := &backlog{}
			b.add(1)
			stop := reviewing(t, b, &lease.Memory{}, new(bytes.Buffer), time.Second, nil)
			synctest.Wait()
			stop()
			if kept := b.judged(); len(kept) != 0 {
				t.Errorf("%+v", kept)
			}
		},
		"tries again what cannot be saved, and says so once": func(t *testing.T) {
			b, log := &backlog{}, new(bytes.Buffer)
			b.add(3)
			b.set(errors.New("the disk is gone"))
			stop := reviewing(t, b, &lease.Memory{}, log, 0, nil)
			<-time.After(3 * background.Pause)
			b.set(match.ErrBusy)
			<-time.After(3 * background.Pause)
			b.set(nil)
			<-time.After(2 * background.Pause)
			stop()
			if n := len(b.judged()); n != 3 || strings.Count(log.String(), "\n") != 1 {
				t.Errorf("%d were reviewed, and the log says:\n%s", n, log)
			}
		},
		"leaves it to the process that has begun, and goes on after it": func(t *testing.T) {
			b, leases := &backlog{}, &lease.Memory{}
			b.add(10)
			first := reviewing(t, b, leases, new(bytes.Buffer), time.Second, nil)
			synctest.Wait()
			second := reviewing(t, b, leases, new(bytes.Buffer), 0, nil)
			<-time.After(500 * time.Millisecond)
			if n := len(b.judged()); n != 0 {
				t.Errorf("%d matches were reviewed by the second reviewer", n)
			}
			first()
			<-time.After(2 * background.Pause)
			if n := len(b.judged()); n != 10 {
				t.Errorf("%d matches were reviewed in the end", n)
			}
			second()
		},
	} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
	}
}
