package announce_test

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

	"tictactoe/internal/boards/announce"
)

func TestPostsSideBySide(t *testing.T) {
	posts := make([]int, 200)
	for i := range posts {
		posts[i] = i
	}
	t.Run("are made once each, five at a time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var made []int
			under, most, began := 0, 0, time.Now()
			err := announce.Each(t.Context(), posts, func(_ context.Context, i int) error {
				mu.Lock()
				made = append(made, i)
				under++
				most = max(most, under)
				mu.Unlock()
				<-time.After(200 * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				under--
				return nil
			})
			slices.Sort(made)
			if err != nil || most != 5 || !slices.Equal(made, posts) || time.Since(began) != 8*time.Second {
				t.Errorf("%d posts, %d at a time, in %v: %v", len(made), most, time.Since(began), err)
			}
		})
	})
	t.Run("do not fail with each other", func(t *testing.T) {
		broken := errors.New("broken")
		var made atomic.Int32
		err := announce.Each(t.Context(), posts, func(_ context.Context, i int) error {
			made.Add(1)
			switch i {
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
	t.Run("are not begun any more when the process stops", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var made atomic.Int32
		err := announce.Each(ctx, posts, func(context.Context, int) error {
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

func TestATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turn announce.Turn
		ends := make(chan struct{})
		go turn.Do(t.Context(), func() error { <-ends; return nil })
		synctest.Wait()
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := turn.Do(short, func() error { t.Error("a second pass runs beside the first"); return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		close(ends)
		broken := errors.New("broken")
		if err := turn.Do(t.Context(), func() error { return broken }); !errors.Is(err, broken) {
			t.Error(err)
		}
	})
}
