package soak

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"tictactoe/internal/discordsim"
)

// recorder writes the history. Its methods may be called by several goroutines.
type recorder struct {
	mu      sync.Mutex
	history History
	faults  int
	sum     Summary
}

func (r *recorder) add(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.At.IsZero() {
		e.At = time.Now()
	}
	r.history = append(r.history, e)
	r.sum.count(e)
}

// next is the number of one more fault.
func (r *recorder) next() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults++
	return r.faults
}

// began notes a fault and returns how its end is noted, once.
func (r *recorder) began(what Event) (over func()) {
	until := r.lasts(what)
	return sync.OnceFunc(func() { until(time.Now()) })
}

// lasts notes the beginning of something and returns how its end is noted, which does not come before it.
func (r *recorder) lasts(what Event) (until func(time.Time)) {
	what.Kind, what.Number = Began, r.next()
	if what.At.IsZero() {
		what.At = time.Now()
	}
	r.add(what)
	return func(at time.Time) {
		what.Kind, what.At, what.Text = Over, later(what.At, at), ""
		r.add(what)
	}
}

// finish is the history in the order of time: what a player did is known only when it is settled.
func (r *recorder) finish() History {
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.SortStableFunc(r.history, func(a, b Event) int { return a.At.Compare(b.At) })
	return r.history
}

// summary is what was counted so far.
func (r *recorder) summary() Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sum.copy()
}

// seen is a message that everybody sees, as it looks now.
type seen struct {
	screen
	message string
	at      time.Time
}

// world is what everybody sees.
type world struct {
	mu    sync.Mutex
	shown map[string]*seen // by message
	order []string         // of the messages
}

func newWorld() *world { return &world{shown: map[string]*seen{}} }

// keptFor is how long an ended match or an old notice is still something to press.
const keptFor = 30 * time.Second

// put is a new or changed message.
func (w *world) put(m *discordsim.Message) screen {
	s := read(m)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shown[m.ID] == nil {
		w.order = append(w.order, m.ID)
	}
	w.shown[m.ID] = &seen{s, m.ID, time.Now()}
	if len(w.order) > 256 {
		w.order = slices.DeleteFunc(w.order, func(id string) bool {
			one := w.shown[id]
			old := one.mover == "" && one.challenge == "" && time.Since(one.at) > keptFor
			if old {
				delete(w.shown, id)
			}
			return old
		})
	}
	return s
}

// where are the messages of some kind, the oldest first.
func (w *world) where(keep func(seen) bool) []seen {
	w.mu.Lock()
	defer w.mu.Unlock()
	var some []seen
	for _, id := range w.order {
		if one := *w.shown[id]; keep(one) {
			some = append(some, one)
		}
	}
	return some
}

// watch follows the stream of what a spectator sees until ctx ends, and records every board. Worlds are by channel. The first
// word comes when it has begun.
func watch(ctx context.Context, address, spectator string, worlds map[string]*world, r *recorder, begun func()) error {
	request, err := http.NewRequestWithContext(ctx, "GET", address+"/sim/events?as="+spectator, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("watching: %w", err)
	}
	defer response.Body.Close()
	begun()
	lines := bufio.NewReaderSize(response.Body, 1<<16)
	kind := ""
	for {
		line, err := lines.ReadBytes('\n')
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, io.EOF):
			return errors.New("the stream of events ended: too much happened for it")
		case err != nil:
			return fmt.Errorf("watching: %w", err)
		}
		if word, is := bytes.CutPrefix(line, []byte("event: ")); is {
			kind = string(bytes.TrimSpace(word))
		}
		data, is := bytes.CutPrefix(line, []byte("data: "))
		if !is || kind != "message" {
			continue
		}
		var event struct{ Message *discordsim.Message }
		if err := json.Unmarshal(data, &event); err != nil {
			return fmt.Errorf("watching: %w", err)
		}
		w := worlds[event.Message.ChannelID]
		if w == nil {
			continue
		}
		if e, is := w.put(event.Message).event(Shown); is {
			r.add(e)
		}
	}
}
