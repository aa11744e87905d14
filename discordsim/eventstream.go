package discordsim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	// backlog is how many events may wait for a slow stream before the stream is
	// closed; its client reconnects and fetches the missed events.
	backlog = 1024
	// keepAlive is the interval of keep-alive comments on an idle stream.
	keepAlive = 15 * time.Second
)

// watcher is one open event stream, as seen by one person.
type watcher struct {
	viewer string
	events chan []byte // guarded by Sim.mu for sending and closing
}

// publish sends an event to every stream for which of returns a body other than nil.
func (s *Sim) publish(kind string, of func(viewer string) any) {
	for w := range s.watchers {
		body := of(w.viewer)
		if body == nil {
			continue
		}
		text, err := json.Marshal(body)
		if err != nil {
			panic(fmt.Sprintf("discordsim: event %s cannot be written: %v", kind, err)) // only this package's types are published
		}
		var event bytes.Buffer
		fmt.Fprintf(&event, "event: %s\ndata: %s\n\n", kind, text)
		select {
		case w.events <- event.Bytes():
		default:
			s.unwatch(w)
		}
	}
}

func (s *Sim) unwatch(w *watcher) {
	if _, open := s.watchers[w]; open {
		delete(s.watchers, w)
		close(w.events)
	}
}

type messageEvent struct {
	Channel string   `json:"channel"`
	Message *Message `json:"message"`
	Ping    bool     `json:"ping"`
}

func (s *Sim) publishMessage(p *post, isNew bool) {
	s.publish("message", func(viewer string) any {
		if !s.sees(viewer, p) {
			return nil
		}
		return messageEvent{p.Message.ChannelID, s.state.messageFor(p, viewer), isNew && s.state.pings(p.Message, viewer)}
	})
}

func (s *Sim) publishDelete(p *post) {
	s.publish("delete", func(viewer string) any {
		if !s.sees(viewer, p) {
			return nil
		}
		return map[string]string{"channel": p.Message.ChannelID, "message": p.Message.ID}
	})
}

func (s *Sim) publishState() {
	s.publish("state", func(string) any { return struct{}{} })
}

func (s *Sim) publishClock() {
	s.publish("clock", func(string) any { return s.clockReading() })
}

// interactionNews is the event that reports the status of an interaction.
type interactionNews struct {
	Interaction  string `json:"interaction"`
	As           string `json:"as"`
	Message      string `json:"message"`
	Status       string `json:"status"`
	Milliseconds *int64 `json:"ms,omitempty"` // set once the interaction is settled
}

// publishInteraction reports the status of an interaction. Autocompletions are not reported.
func (s *Sim) publishInteraction(in *interaction, status string) {
	if in.kind == interactionAutocomplete {
		return
	}
	event := interactionNews{Interaction: in.id, As: in.who.ID, Status: status}
	if in.message != nil {
		event.Message = in.message.Message.ID
	}
	if in.isSettled() {
		event.Milliseconds = &in.result.Milliseconds
	}
	s.publish("interaction", func(string) any { return event })
}

// sees reports whether an account can see a message.
func (s *Sim) sees(userID string, p *post) bool {
	ch := s.state.channels[p.Message.ChannelID]
	return p.visibleTo(userID) && s.state.permissions(userID, ch).Has(ViewChannel)
}

// serveEvents handles GET /sim/events: Server-Sent Events until the client disconnects.
func (s *Sim) serveEvents(w http.ResponseWriter, r *http.Request) error {
	stream := &watcher{events: make(chan []byte, backlog)}
	err := s.locked(func() error {
		viewer, err := s.person(r.URL.Query().Get("as"))
		if err != nil {
			return err
		}
		stream.viewer = viewer.ID
		s.watchers[stream] = struct{}{}
		s.serving.Add(1)
		return nil
	})
	if err != nil {
		return err
	}
	defer s.serving.Done()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.unwatch(stream)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(w)
	write := func(text []byte) bool {
		_, err := w.Write(text)
		return err == nil && out.Flush() == nil
	}
	if !write([]byte(": connected\n\n")) {
		return nil
	}
	quiet := time.NewTicker(keepAlive)
	defer quiet.Stop()
	for {
		alive := true
		select {
		case event, open := <-stream.events:
			alive = open && write(event)
		case <-quiet.C:
			alive = write([]byte(": still here\n\n"))
		case <-r.Context().Done():
			alive = false
		case <-s.done:
			alive = false
		}
		if !alive {
			return nil
		}
	}
}
