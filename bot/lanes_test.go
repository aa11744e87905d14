package bot_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
)

func TestEditsTakeTheLaneOfTheirMessage(t *testing.T) {
	inBubble(t, "a click waits for the edit of its message, and only for that", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) { c.Router.Component("play", after(0, redraw("board"), nil)) })
		var edit sync.WaitGroup
		edit.Go(func() { r.lanes.Edit(t.Context(), "m1", func() error { time.Sleep(time.Second); return nil }) })
		synctest.Wait()
		f.gateway().click("1", "m1", "play:x")
		f.gateway().click("2", "m2", "play:x")
		synctest.Wait()
		if diff := cmp.Diff([]string{"2 callback 7"}, f.answers()); diff != "" {
			t.Errorf("while the edit is under way: %s", diff)
		}
		passed(time.Second)
		if diff := cmp.Diff([]string{"2 callback 7", "1 callback 7"}, f.answers()); diff != "" {
			t.Errorf("after it: %s", diff)
		}
		edit.Wait()
	})
	inBubble(t, "an edit waits for the reply to a click", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) { c.Router.Component("play", after(time.Second, redraw("board"), nil)) })
		f.gateway().click("1", "m1", "play:x")
		synctest.Wait()
		start, began := time.Now(), time.Duration(0)
		var edit sync.WaitGroup
		edit.Go(func() { r.lanes.Edit(t.Context(), "m1", func() error { began = time.Since(start); return nil }) })
		edit.Wait()
		if began != time.Second {
			t.Errorf("the edit began after %v, want 1s", began)
		}
	})
	inBubble(t, "an edit that panics leaves the lane", func(t *testing.T, f *fake) {
		var lanes bot.Lanes
		func() {
			defer func() { recover() }()
			lanes.Edit(t.Context(), "m1", func() error { panic("cannot be drawn") })
		}()
		if err := lanes.Edit(t.Context(), "m1", func() error { return nil }); err != nil {
			t.Error(err)
		}
	})
	inBubble(t, "an edit gives up when its context ends, and the next gets its turn", func(t *testing.T, f *fake) {
		var lanes bot.Lanes
		var order []string
		var edits sync.WaitGroup
		edits.Go(func() {
			lanes.Edit(t.Context(), "m1", func() error { time.Sleep(3 * time.Second); order = append(order, "first"); return nil })
		})
		synctest.Wait()
		edits.Go(func() {
			brief, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			err := lanes.Edit(brief, "m1", func() error { t.Error("the edit began after its context had ended"); return nil })
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		})
		synctest.Wait()
		edits.Go(func() { lanes.Edit(t.Context(), "m1", func() error { order = append(order, "third"); return nil }) })
		edits.Wait()
		if diff := cmp.Diff([]string{"first", "third"}, order); diff != "" {
			t.Error(diff)
		}
	})
	inBubble(t, "edits that have given up take no room from clicks", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) {
			c.Limits.Room(1, 2) // room for one waiting edit per message
			c.Router.Component("play", after(0, redraw("board"), nil))
		})
		var edits sync.WaitGroup
		edits.Go(func() { r.lanes.Edit(t.Context(), "m1", func() error { time.Sleep(time.Second); return nil }) })
		synctest.Wait()
		for range 3 {
			edits.Go(func() {
				brief, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				defer cancel()
				r.lanes.Edit(brief, "m1", func() error { t.Error("the edit began although the lane was full"); return nil })
			})
		}
		passed(10 * time.Millisecond)
		f.gateway().click("1", "m1", "play:x")
		edits.Wait()
		passed(time.Millisecond)
		if diff := cmp.Diff([]string{"1 callback 7"}, f.answers()); diff != "" {
			t.Error(diff)
		}
	})
}
