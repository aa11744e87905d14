package boards

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/match/clock"
)

func TestPostsSideBySide(t *testing.T) {
	posts := make([]*Post, 200)
	for i := range posts {
		posts[i] = &Post{Nonce: nonceOf(string(rune(i)))}
	}
	t.Run("are made once each, five at a time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			made := map[string]bool{}
			under, most, began := 0, 0, time.Now()
			err := each(t.Context(), posts, func(_ context.Context, p *Post) error {
				mu.Lock()
				made[p.Nonce] = true
				under++
				most = max(most, under)
				mu.Unlock()
				<-time.After(200 * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				under--
				return nil
			})
			if err != nil || most != 5 || len(made) != len(posts) || time.Since(began) != 8*time.Second {
				t.Errorf("%d posts, %d at a time, in %v: %v", len(made), most, time.Since(began), err)
			}
		})
	})
	t.Run("do not fail with each other", func(t *testing.T) {
		broken := errors.New("broken")
		var made atomic.Int32
		err := each(t.Context(), posts, func(_ context.Context, p *Post) error {
			made.Add(1)
			switch slices.Index(posts, p) {
			case 3:
				return broken
			case 4:
				panic("the painter has no brush")
			}
			return nil
		})
		if !errors.Is(err, broken) || !strings.Contains(err.Error(), "no brush") || int(made.Load()) != len(posts) {
			t.Errorf("%d were made: %v", made.Load(), err)
		}
	})
	t.Run("are not begun after the process stops", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var made atomic.Int32
		err := each(ctx, posts, func(context.Context, *Post) error {
			if made.Add(1) == 7 {
				stop()
			}
			return nil
		})
		if n := made.Load(); n < 7 || n > 12 || err != nil {
			t.Errorf("%d were made: %v", n, err)
		}
	})
}

// turns is a source that has no posts. Each pass of the poster calls the function claimed.
type turns struct{ claimed func() error }

func (u turns) Claimed(context.Context) ([]*Post, error) { return nil, u.claimed() }
func (u turns) Due(context.Context) ([]*Post, error)     { return nil, nil }

func TestOnePassRunsAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ends := make(chan struct{})
		p := &Poster{Posts: turns{func() error { <-ends; return nil }}, Clock: clock.New(clock.Machine{})}
		go p.Act(t.Context())
		synctest.Wait()
		p.Posts = turns{func() error { t.Error("a second pass runs beside the first"); return nil }}
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := p.Act(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		close(ends)
		synctest.Wait() // the first pass has ended
		broken := errors.New("broken")
		p.Posts = turns{func() error { return broken }}
		if err := p.Act(t.Context()); !errors.Is(err, broken) {
			t.Error(err)
		}
	})
}
