package control

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"tictactoe/discordsim/world"
)

const (
	// backlog is how many events may wait for a slow stream before the stream is closed. Its client then reconnects
	// and fetches the missed events.
	backlog = 1024
	// keepAlive is the interval of keep-alive comments on an idle stream.
	keepAlive = 15 * time.Second
)

// watcher is one open event stream, as seen by one person.
type watcher struct {
	viewer string
	events chan []byte // guarded by the world's lock for sending and closing
}

// EventStreams are the open streams of GET /sim/events.
type EventStreams struct {
	w        *world.World
	watchers map[*watcher]struct{} // guarded by the world's lock
}

func newEventStreams(w *world.World) *EventStreams {
	es := &EventStreams{w: w, watchers: map[*watcher]struct{}{}}
	w.Events.Streams = es.publish
	return es
}

// publish sends an event to every stream for which bodyFor returns a body other than nil.
func (es *EventStreams) publish(kind string, bodyFor func(viewer string) any) {
	for w := range es.watchers {
		body := bodyFor(w.viewer)
		if body == nil {
			continue
		}
		text, err := json.Marshal(body)
		if err != nil {
			panic(fmt.Sprintf("discordsim: event %s cannot be written: %v", kind, err)) // only the simulator's types are published
		}
		var event bytes.Buffer
		fmt.Fprintf(&event, "event: %s\ndata: %s\n\n", kind, text)
		select {
		case w.events <- event.Bytes():
		default:
			es.unwatch(w)
		}
	}
}

// endAll ends all streams. The caller holds the lock.
func (es *EventStreams) endAll() {
	for w := range es.watchers {
		es.unwatch(w)
	}
}

func (es *EventStreams) unwatch(w *watcher) {
	if _, open := es.watchers[w]; open {
		delete(es.watchers, w)
		close(w.events)
	}
}

// serve handles GET /sim/events: Server-Sent Events until the client disconnects.
func (es *EventStreams) serve(w http.ResponseWriter, r *http.Request) error {
	stream := &watcher{events: make(chan []byte, backlog)}
	err := es.w.Locked(func() error {
		viewer, err := es.w.State.Person(r.URL.Query().Get("as"))
		if err != nil {
			return err
		}
		stream.viewer = viewer.ID
		es.watchers[stream] = struct{}{}
		es.w.Serving.Add(1)
		return nil
	})
	if err != nil {
		return err
	}
	defer es.w.Serving.Done()
	defer func() {
		es.w.Lock()
		defer es.w.Unlock()
		es.unwatch(stream)
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
		case <-es.w.Life.Done():
			alive = false
		}
		if !alive {
			return nil
		}
	}
}
