package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/computer"
	"tictactoe/internal/match"
)

// replayed returns a game with moves on the given squares.
func replayed(t *testing.T, name, squares string) game.Record {
	t.Helper()
	rules, err := game.ParseRules(name)
	if err != nil {
		t.Fatal(err)
	}
	record, err := replay(rules, strings.Fields(squares))
	if err != nil {
		t.Fatal(err)
	}
	return record
}

// judgedBy returns reviews that call the function judge.
func judgedBy(judge func(context.Context, game.Record) (ai.Review, error)) *reviews {
	r := newReviews(&computer.Engines{})
	r.judge = judge
	return r
}

func TestReviews(t *testing.T) {
	t.Run("every rule set on offer can be reviewed, and the moves are judged", func(t *testing.T) {
		for _, offer := range game.Offered() {
			review, err := newReviews(&computer.Engines{}).review(t.Context(), replayed(t, offer.Name, "a"+fmt.Sprint(offer.Rules.Height())))
			if err != nil || len(review) != 1 || review[0].Grade == ai.Unjudged {
				t.Errorf("%s: %v, %v", offer.Name, review, err)
			}
		}
	})
	t.Run("a game whose review ran out of time is reviewed again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			judged := 0
			r := judgedBy(func(ctx context.Context, record game.Record) (ai.Review, error) {
				if judged++; judged == 1 {
					<-ctx.Done()
				}
				solver, err := ai.NewSolver(record.Position().Rules())
				if err != nil {
					return nil, err
				}
				return solver.ReviewWithin(ctx, record), nil
			})
			record, began := replayed(t, "classic", "a1 b1"), time.Now()
			review, err := r.review(t.Context(), record)
			if err != nil || review[1].Grade != ai.Unjudged || time.Since(began) != reviewTime {
				t.Errorf("after %v: %v, %v", time.Since(began), review, err)
			}
			if review, err = r.review(t.Context(), record); err != nil || review[1].Grade != ai.LosingMove {
				t.Errorf("the later review is %v, error %v", review, err)
			}
		})
	})
	t.Run("many games are reviewed one by one, and more than the limit are refused", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			now, most := 0, 0
			r := judgedBy(func(_ context.Context, record game.Record) (ai.Review, error) {
				mu.Lock()
				now++
				most = max(most, now)
				mu.Unlock()
				<-time.After(time.Second)
				mu.Lock()
				now--
				mu.Unlock()
				return make(ai.Review, record.Len()), nil
			})
			squares := strings.Fields("a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3")
			errs := make(chan error, len(squares))
			began := time.Now()
			for _, square := range squares {
				record := replayed(t, "4x4", square)
				go func() {
					_, err := r.review(t.Context(), record)
					errs <- err
				}()
			}
			busy := 0
			for range squares {
				if err := <-errs; errors.Is(err, match.ErrBusy) {
					busy++
				} else if err != nil {
					t.Error(err)
				}
			}
			if most != 1 || busy != len(squares)-maxReviewers || time.Since(began) != maxReviewers*time.Second {
				t.Errorf("%d reviews at once, %d refused, after %v", most, busy, time.Since(began))
			}
		})
	})
	t.Run("a waiting review ends with its context, and makes room", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			r := judgedBy(func(_ context.Context, record game.Record) (ai.Review, error) {
				<-release
				return make(ai.Review, record.Len()), nil
			})
			first := make(chan error)
			go func() {
				_, err := r.review(t.Context(), replayed(t, "classic", "a1"))
				first <- err
			}()
			synctest.Wait()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := r.review(ctx, replayed(t, "classic", "b1")); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			if len(r.open) != 1 {
				t.Errorf("%d open", len(r.open))
			}
			close(release)
			if err := <-first; err != nil || len(r.open) != 0 || len(r.turn) != 0 {
				t.Errorf("%v, %d open", err, len(r.open))
			}
		})
	})
}
