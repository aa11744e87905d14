package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"
)

const (
	// handlerTimeout is how long a handler may take.
	handlerTimeout = 8 * time.Second
	// grace is how long handlers may go on when the bot stops.
	grace = 4 * time.Second
	// lastWords is how much longer answers may take after that, and then what is left has one more second to end.
	lastWords = callbackTimeout + time.Second
	// underWay is how long others may have to wait until an interaction is handled: it may come behind another one of the
	// same message, and both may take as long as they are allowed to.
	underWay = 2 * handlerTimeout
	// busyWorkers and busyQueue are the reserve that tells people to try again, or to be patient.
	busyWorkers = 2
	busyQueue   = 64
)

// dispatcher takes interactions from the gateway, runs their handlers on a bounded number of goroutines, and sends what
// they return. Interactions with one message are handled one after the other, up to the end of the answer's HTTP call, so
// that two redraws cannot arrive in the wrong order. Those of other messages do not wait for them.
type dispatcher struct {
	router  *Router
	rest    *REST
	gate    *gate
	log     *slog.Logger
	now     func() time.Time
	secret  string
	workers int
	limit   int // of interactions that wait for a worker
	apology func(in *Interaction, reference string, err error) Reply
	busy    func(in *Interaction) Reply
	hasty   func(in *Interaction) Reply

	base    context.Context // of all handlers; ends after the grace of a stop
	cancel  context.CancelFunc
	sending context.Context // of all answers; ends when a stop has no more patience with them
	abandon context.CancelFunc
	ready   chan *task // may be handled now
	reserve chan *task // will be told that the bot is busy
	running sync.WaitGroup
	pending sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	queued  int
	seen    seen
	paces   paces
	waiting map[string][]*task // by message; a key is there while one of its tasks is ready or running
	open    []*task            // accepted and not handled, in the order of their arrival
}

// task is one interaction on its way.
type task struct {
	in     *Interaction
	key    string // the message it concerns
	answer *answer
	broken error                       // why the interaction could not be read
	words  func(in *Interaction) Reply // of the reserve
	pass   <-chan struct{}             // closed when the connection it came by is ready
	done   chan struct{}               // closed when it is handled
}

func newDispatcher(config Config, g *gate, rest *REST) *dispatcher {
	return &dispatcher{
		router: config.Router, rest: rest, gate: g, log: config.Logger, now: config.Now, secret: config.Token,
		workers: config.Workers, limit: config.Queue, apology: config.Apology, busy: config.Busy,
		hasty: config.Hasty, paces: paces{rate: rate.Limit(config.Rate)},
		ready: make(chan *task, config.Queue), reserve: make(chan *task, busyQueue),
		waiting: make(map[string][]*task),
	}
}

// start makes the goroutines. base must not end before drain has been called.
func (d *dispatcher) start(base context.Context) {
	d.base, d.cancel = context.WithCancel(base)
	d.sending, d.abandon = context.WithCancel(base)
	for range d.workers {
		d.running.Go(func() {
			for t := range d.ready {
				for t != nil {
					d.handle(t)
					t = d.next(t)
				}
			}
		})
	}
	for range busyWorkers {
		d.running.Go(func() {
			for t := range d.reserve {
				d.send(t, d.word(t.in, func() Reply { return t.words(t.in) }))
				d.pending.Done()
			}
		})
	}
}

// accept takes the data of an INTERACTION_CREATE. It runs on the gateway's read loop and never blocks.
func (d *dispatcher) accept(raw json.RawMessage) {
	in, err := decode(raw)
	if in == nil {
		d.log.Warn("event ignored", "err", err)
		return
	}
	in.Received = d.now()
	key := "interaction " + in.ID
	if in.Message != nil {
		key = "message " + in.Message.ID
	}

	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.seen.add(in.ID) {
		d.log.Debug("interaction delivered again, ignored", "interaction", in.ID)
		return
	}
	if d.closed {
		d.log.Warn("interaction arrived after the end", "interaction", in.ID)
		return
	}
	if !d.paces.allow(in.User().ID) {
		if len(d.reserve) < busyQueue/2 { // half of it is for those who are turned away through no fault of theirs
			d.turnAway(in, d.hasty)
		} else {
			d.log.Debug("interaction dropped: one person asks for too much", "interaction", in.ID)
		}
		return
	}
	behind, occupied := d.waiting[key]
	// A crowd on one message leaves half of the queue to the others.
	if d.queued >= d.limit || len(behind) >= (d.limit+1)/2 {
		d.turnAway(in, d.busy)
		return
	}
	t := &task{in: in, key: key, answer: newAnswer(d.sending, in, d.rest), broken: err, pass: d.gate.pass(), done: make(chan struct{})}
	d.open = append(d.open, t)
	d.pending.Add(1)
	d.queued++
	if occupied {
		d.waiting[key] = append(behind, t)
		return
	}
	d.waiting[key] = nil
	d.ready <- t // has room for all that are queued
}

// turnAway hands the interaction to the reserve, which answers in those words; d.mu is held.
func (d *dispatcher) turnAway(in *Interaction, words func(in *Interaction) Reply) {
	t := &task{in: in, answer: newAnswer(d.sending, in, d.rest), words: words}
	d.pending.Add(1)
	select {
	case d.reserve <- t:
	default:
		t.answer.take()
		d.pending.Done()
		d.log.Error("interaction dropped: queue and reserve are full", "interaction", in.ID)
	}
}

// next ends a task and returns the one behind it, or nil.
func (d *dispatcher) next(t *task) *task {
	d.pending.Done()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open = slices.DeleteFunc(d.open, func(other *task) bool { return other == t })
	close(t.done)
	behind := d.waiting[t.key]
	if len(behind) == 0 {
		delete(d.waiting, t.key)
		return nil
	}
	d.waiting[t.key] = behind[1:]
	return behind[0]
}

// handled waits until everything that was received before until is handled. If ctx ends first, ok is false and left is when
// the earliest of the rest was received.
func (d *dispatcher) handled(ctx context.Context, until time.Time) (left time.Time, ok bool) {
	for {
		t := d.oldest()
		if t == nil || !t.in.Received.Before(until) {
			return time.Time{}, true
		}
		select {
		case <-t.done:
		case <-ctx.Done():
			return t.in.Received, false
		}
	}
}

// oldest is the task that arrived first, nil if there is none, of those that are not handled and may still be.
func (d *dispatcher) oldest() *task {
	d.mu.Lock()
	defer d.mu.Unlock()
	lost := d.now().Add(-underWay)
	for _, t := range d.open {
		if t.in.Received.After(lost) {
			return t
		}
	}
	return nil
}

// handle runs the handler and sends its reply.
func (d *dispatcher) handle(t *task) {
	d.mu.Lock()
	d.queued--
	d.mu.Unlock()

	ctx, cancel := context.WithTimeout(d.base, handlerTimeout)
	defer cancel()
	reply, route, err := d.call(ctx, t)
	if err == nil {
		err = d.send(t, reply)
		if err == nil {
			return
		}
		if !refused(err) && !errors.Is(err, ErrModalLate) && !errors.Is(err, errNothingToUpdate) && !errors.Is(err, errNoModal) &&
			!errors.Is(err, errFilesWithoutPost) {
			return // logged, and nobody can be reached
		}
	} else {
		d.log.Error("handler failed", "interaction", t.in.ID, "route", route, "err", redact(err.Error(), t.in.Token, d.secret))
	}
	d.send(t, d.word(t.in, func() Reply { return d.apology(t.in, t.in.ID, err) }))
}

// call runs the handler when the gate is open. A panic comes back as an error.
func (d *dispatcher) call(ctx context.Context, t *task) (reply Reply, route string, err error) {
	defer recovered(&err)
	if t.broken != nil {
		return Reply{}, "", t.broken
	}
	handler, route := d.router.find(t.in)
	if handler == nil {
		return Reply{}, route, fmt.Errorf("no handler for %s", route)
	}
	select {
	case <-t.pass: // first, for a context may end while it waits in the queue
	default:
		select {
		case <-t.pass:
		case <-ctx.Done():
			return Reply{}, route, fmt.Errorf("waiting for the connection to be ready: %w", ctx.Err())
		}
	}
	reply, err = handler(ctx, t.in)
	return reply, route, err
}

// word asks for a private text that has to be there: if wording panics, the reference alone must do.
func (d *dispatcher) word(in *Interaction, wording func() Reply) Reply {
	reply := Reply{Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: "⚠️ " + in.ID}}}
	var err error
	func() {
		defer recovered(&err)
		reply = wording()
	}()
	if err != nil {
		d.log.Error("no words", "interaction", in.ID, "err", redact(err.Error(), in.Token, d.secret))
	}
	reply.Kind, reply.Private = Post, true
	return reply
}

// send delivers the reply and logs if that failed. A panic of Reply.Sent comes back as an error.
func (d *dispatcher) send(t *task, reply Reply) (err error) {
	defer func() {
		switch {
		case err == nil:
		case errors.Is(err, ErrAlreadyAnswered), errors.Is(err, ErrLate):
			d.log.Info("another instance answered, or the answer was late", "interaction", t.in.ID, "err", err)
		default:
			d.log.Error("reply not delivered", "interaction", t.in.ID, "kind", reply.Kind, "err", redact(err.Error(), t.in.Token, d.secret))
		}
	}()
	defer recovered(&err)
	return t.answer.send(reply)
}

// drain takes no more interactions, waits for those that were accepted, and ends all goroutines. The error says that
// handlers would not end.
func (d *dispatcher) drain() error {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()

	ended := make(chan struct{})
	go func() {
		d.pending.Wait()
		close(d.ready)
		close(d.reserve)
		d.running.Wait()
		close(ended)
	}()
	defer d.abandon()
	defer d.cancel()
	for _, stage := range []struct {
		patience time.Duration
		then     func()
	}{{grace, d.cancel}, {lastWords, d.abandon}, {time.Second, func() {}}} {
		timer := time.NewTimer(stage.patience)
		select {
		case <-ended:
			timer.Stop()
			return nil
		case <-timer.C:
			stage.then()
		}
	}
	return errors.New("bot: stopped while handlers were still running")
}

// recovered turns a panic into an error with the stack.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
	}
}
