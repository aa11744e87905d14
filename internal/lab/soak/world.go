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

	"tictactoe/discordsim"
)

// shownMessage is a public message in its current form.
type shownMessage struct {
	screen
	message string
	at      time.Time
}

// world holds the public messages of a server.
type world struct {
	words
	mu    sync.Mutex
	shown map[string]*shownMessage // keyed by message id
	order []string                 // message ids, the oldest first
}

func newWorld(w words) *world { return &world{words: w, shown: map[string]*shownMessage{}} }

// keptFor is how long players may still press buttons of an ended match or another old message.
const keptFor = 30 * time.Second

// put adds or replaces a message, and returns its screen.
func (w *world) put(m *discordsim.Message) screen {
	s := w.read(m)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shown[m.ID] == nil {
		w.order = append(w.order, m.ID)
	}
	w.shown[m.ID] = &shownMessage{s, m.ID, time.Now()}
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

// where returns the messages for which keep returns true, the oldest first.
func (w *world) where(keep func(shownMessage) bool) []shownMessage {
	w.mu.Lock()
	defer w.mu.Unlock()
	var some []shownMessage
	for _, id := range w.order {
		if one := *w.shown[id]; keep(one) {
			some = append(some, one)
		}
	}
	return some
}

// watch follows a spectator's stream of public messages until ctx ends, and records every board and challenge. worlds is indexed by
// channel. It calls begun when the stream has begun.
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
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("watching: %s", response.Status)
	}
	begun()
	lines := bufio.NewReaderSize(response.Body, 1<<16)
	kind := ""
	for {
		line, err := lines.ReadBytes('\n')
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, io.EOF):
			return errors.New("the stream of events ended, because too many events were waiting")
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
