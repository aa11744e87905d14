package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"

	"tictactoe/internal/claim"
)

const (
	// handlerTimeout is how long a handler may take.
	handlerTimeout = 8 * time.Second
	// stopGrace is how long handlers may go on when the bot stops.
	stopGrace = 4 * time.Second
	// lastWords is how much longer answers may take after that, and then what is left has one more second to end.
	lastWords = callbackTimeout + time.Second
	// underWay is how long after its arrival a handler may take: there may have been others before it.
	underWay = 2 * handlerTimeout
	// suggestWithin is how long after its arrival a handler may take that suggests what to type. The rest of Discord's three seconds is
	// for the way there.
	suggestWithin = 2 * time.Second
	// crowd is how many interactions may wait behind one message.
	crowd = 64
)

// claimFor is how long an interaction stays claimed. A request that brings it again is refused long before: see freshFor.
const claimFor = 5 * time.Minute

// dispatcher takes interactions as they arrive, runs their handlers on a bounded number of goroutines, and sends what
// they return. An interaction holds the lane of its message from its handler to the end of the answer's HTTP call, so that what
// is drawn cannot arrive in the wrong order. Those of other messages do not wait for it: a worker is free again when its
// handler has returned, however long Discord takes to listen.
type dispatcher struct {
	Config
	log    *slog.Logger
	limit  int // of interactions under way
	behind int // of interactions that wait for another one of their message

	base    context.Context // of all handlers; ends after the grace of a stop
	cancel  context.CancelFunc
	sending context.Context // of all answers; ends when a stop has no more patience with them
	abandon context.CancelFunc
	ready   chan *task // may be handled now
	running sync.WaitGroup
	pending sync.WaitGroup // counts the interactions that are accepted or being turned away

	turned turnedAway

	mu     sync.Mutex
	closed bool
	dedup  dedup
	users  userLimiter
	typing userLimiter // of those who type a command: who types fast can still play
	open   []*task     // accepted and not handled, in the order of their arrival
}

// task is one interaction on its way.
type task struct {
	in       *Interaction
	received time.Time // by the real clock
	shard    Shard
	lane     string // of the message that it concerns
	route    string // that was found, or empty
	refusal  string // of the reply
	answer   *answer
	broken   error           // why the interaction could not be read
	ready    <-chan struct{} // closed when the connection it came by is ready
	done     chan struct{}   // closed when it is handled
}

func newDispatcher(c Config) *dispatcher {
	d := &dispatcher{
		Config: c, log: c.Telemetry.Logger, limit: c.Limits.workers + c.Limits.queue, behind: min((c.Limits.queue+1)/2, crowd),
	}
	d.users.rate, d.typing.rate = rate.Limit(c.Limits.UserRate), rate.Limit(c.Limits.UserRate)
	d.turned.by, d.turned.complain.Interval = make(map[Outcome]int), complainEvery
	d.ready = make(chan *task, d.limit)
	return d
}

// start makes the goroutines. base must not end before drain has been called.
func (d *dispatcher) start(base context.Context) {
	d.base, d.cancel = context.WithCancel(base)
	d.sending, d.abandon = context.WithCancel(base)
	for range d.Limits.workers {
		d.running.Go(func() {
			for t := range d.ready {
				d.handle(t)
			}
		})
	}
}

// spawn runs f on a goroutine that drain waits for. A panic there is logged and ends nothing else.
func (d *dispatcher) spawn(f func()) {
	d.running.Go(func() {
		defer d.survive()
		f()
	})
}

// survive logs a panic. What comes from handlers and texts was recovered before, and became an apology.
func (d *dispatcher) survive() {
	if v := recover(); v != nil {
		d.log.Error("panic", "err", redact(fmt.Sprint(v), d.REST.token), "stack", string(debug.Stack()))
	}
}

// accept takes an interaction as decode returned it, from one of the shard connections, that was received then, with the response to the
// request that brought it or nil. It runs on the gateway's read loop and never blocks. If nobody will use the response, its status is returned, and
// else 0.
func (d *dispatcher) accept(from *shardConnection, in *Interaction, broken error, received time.Time, response *response) (status int) {
	if in == nil {
		d.log.Warn("event ignored", "err", broken)
		return http.StatusBadRequest
	}
	in.Received = d.Clock.Now().Add(-time.Since(received)) // the date of that moment
	d.REST.know(in.AppID)
	d.CommandIDs.used(in)
	t := &task{in: in, received: received, shard: from.shard, lane: in.ID, broken: broken, ready: from.ready.passed(), done: make(chan struct{})}
	if in.Message != nil {
		t.lane = in.Message.ID // without one, nothing else is about the message that it may lead to
	}
	status, turned := d.admit(t, response)
	if turned != "" {
		return d.turnAway(t, turned)
	}
	return status
}

// admit decides what becomes of an interaction: it is handled, dismissed with a status, or to be turned away with the outcome
// Busy or RateLimited. Nothing of the application is called, because mu is held.
func (d *dispatcher) admit(t *task, response *response) (status int, turned Outcome) {
	d.mu.Lock()
	defer d.mu.Unlock()
	users, limit := &d.users, d.limit
	if t.in.typing() {
		users, limit = &d.typing, d.limit/2 // the rest of the room is for those who play
	}
	switch {
	case !d.dedup.add(t.in.ID):
		d.log.Debug("interaction delivered again, ignored", "interaction", t.in.ID)
		return http.StatusAccepted, ""
	case d.closed:
		d.log.Warn("interaction arrived after the end", "interaction", t.in.ID)
		return http.StatusServiceUnavailable, ""
	case !t.in.replayed && !users.allow(t.in.User().ID):
		turned = RateLimited
	case len(d.open) >= limit || d.Lanes.crowd(t.lane) >= d.behind: // a crowd on one message leaves room to the others
		turned = Busy
	}
	d.pending.Add(1)
	t.answer = &answer{in: t.in, response: response, rest: d.REST, log: d.log, base: d.sending, arrived: time.Now()}
	if turned == "" {
		if !t.in.typing() { // what is suggested later is of no use
			t.answer.acknowledgeInTime()
		}
		d.open = append(d.open, t)
		d.Lanes.interact(t.lane, func() { d.ready <- t }) // ready has room for all that are open
	}
	return 0, turned
}

// end ends a task, and leaves its lane to whoever is next there.
func (d *dispatcher) end(t *task) {
	defer d.pending.Done()
	d.mu.Lock()
	d.open = slices.DeleteFunc(d.open, func(other *task) bool { return other == t })
	close(t.done)
	d.mu.Unlock()
	d.Lanes.leave(t.lane)
}

// load counts the interactions that are accepted and not yet handled, and those that are being turned away.
func (d *dispatcher) load() (open, turnedAway int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.open), d.turned.count()
}

// handled waits until everything that was received from a shard before until is handled. If ctx ends first, ok is false and
// left is when the earliest of the rest was received.
func (d *dispatcher) handled(ctx context.Context, shard int, until time.Time) (left time.Time, ok bool) {
	for {
		t := d.oldest(shard)
		if t == nil || !t.received.Before(until) {
			return time.Time{}, true
		}
		select {
		case <-t.done:
		case <-ctx.Done():
			return t.received, false
		}
	}
}

// oldest is the task of a shard that arrived first, nil if there is none, of those that are not handled and may still be.
func (d *dispatcher) oldest(shard int) *task {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.open {
		if t.shard.ID == shard && time.Since(t.received) < underWay {
			return t
		}
	}
	return nil
}

// handledUpTo returns the number, at most that one, of the latest event of a shard's session up to which all interactions are
// handled.
func (d *dispatcher) handledUpTo(shard int, sequence int64) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.open {
		if t.shard.ID == shard {
			sequence = min(sequence, t.in.sequence-1)
		}
	}
	return sequence
}

// handle runs the handler, and has its reply sent by somebody else than the worker.
func (d *dispatcher) handle(t *task) {
	defer d.survive()
	patience := min(handlerTimeout, underWay-time.Since(t.answer.arrived))
	if t.in.typing() {
		patience = suggestWithin - time.Since(t.answer.arrived)
	}
	ctx, cancel := context.WithTimeout(d.base, patience)
	defer cancel()
	reply, err := d.call(ctx, t)
	d.spawn(func() {
		defer d.end(t)
		d.conclude(t, reply, err)
	})
}

// conclude sends the reply, or an apology if there is none that Discord would take.
func (d *dispatcher) conclude(t *task, reply Reply, err error) {
	if errors.Is(err, claim.ErrTaken) {
		d.yield(t)
		return
	}
	if err == nil {
		t.refusal = reply.Refusal
		err = d.send(t, reply)
		if err == nil {
			d.tell(t, Answered)
			return
		}
		if !refused(err) && !errors.Is(err, ErrModalLate) && !errors.Is(err, errUnfit) {
			d.report(t, lost(err)) // logged, and nobody can be reached
			return
		}
	} else {
		d.line(t, slog.LevelError, "handler failed", "err", redact(err.Error(), t.in.Token, d.REST.token))
	}
	outcome := Failed
	if err := d.send(t, d.word(t.in, func() Reply { return d.Texts.Apology(t.in, t.in.ID, err) })); err != nil {
		outcome = lost(err)
	}
	d.report(t, outcome)
}

// yield lets the other instance answer, unless this one has acknowledged already: then nobody else can.
func (d *dispatcher) yield(t *task) {
	d.line(t, slog.LevelInfo, "interaction left to another instance")
	outcome := Missed
	if !t.answer.leave() {
		outcome = Busy
		if err := d.send(t, d.word(t.in, func() Reply { return d.Texts.Busy(t.in) })); err != nil {
			outcome = lost(err)
		}
	}
	d.report(t, outcome)
}

// call runs the handler when the connection is ready. A panic comes back as an error.
func (d *dispatcher) call(ctx context.Context, t *task) (reply Reply, err error) {
	defer recovered(&err)
	if t.broken != nil {
		return Reply{}, t.broken
	}
	handler, route := d.Router.find(t.in)
	t.route = route
	if handler == nil {
		return Reply{}, fmt.Errorf("no handler for %s", routeOf(t.in))
	}
	select {
	case <-t.ready: // first, for a context may end while it waits in the queue
	default:
		select {
		case <-t.ready:
		case <-ctx.Done():
			return Reply{}, fmt.Errorf("waiting for the connection to be ready: %w", ctx.Err())
		}
	}
	switch {
	case t.in.typing(): // nothing is saved, so every instance may answer
	case d.Endpoint != nil:
		return d.claimed(ctx, t, handler)
	case t.in.Type == discordgo.InteractionApplicationCommand && d.Router.claiming[route]:
		t.in.Claim = d.claim(t)
	}
	return handler(ctx, t.in)
}

// claim is what this instance claims an interaction by.
func (d *dispatcher) claim(t *task) *claim.Claim {
	return &claim.Claim{Interaction: t.in.ID, By: rand.Text(), Until: d.Clock.Now().Add(claimFor)}
}

// claimed runs a handler in the one instance that has the interaction. It is claimed before anything is changed, or together with
// that, by the handler.
func (d *dispatcher) claimed(ctx context.Context, t *task, handler Handler) (reply Reply, err error) {
	own := d.claim(t)
	if !d.Router.claiming[t.route] {
		if err := d.Endpoint.Claim(ctx, *own); err != nil {
			return Reply{}, err
		}
		return handler(ctx, t.in)
	}
	t.in.Claim = own
	func() {
		defer recovered(&err)
		reply, err = handler(ctx, t.in)
	}()
	if t.in.Saved || errors.Is(err, claim.ErrTaken) {
		return reply, err
	}
	// Nothing was saved, and only one instance is to say why.
	if taken := d.Endpoint.Claim(ctx, *own); taken != nil {
		return Reply{}, taken
	}
	return reply, err
}

// word asks for a private text that has to be there: if wording panics, the reference alone must do. Somebody who is typing gets
// an empty list instead: there is no place for words.
func (d *dispatcher) word(in *Interaction, wording func() Reply) Reply {
	if in.typing() {
		return Reply{Kind: Suggest}
	}
	reply := Reply{Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: "⚠️ " + in.ID}}}
	var err error
	func() {
		defer recovered(&err)
		reply = wording()
	}()
	if err != nil {
		d.log.Error("no words", "interaction", in.ID, "err", redact(err.Error(), in.Token, d.REST.token))
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
			d.line(t, slog.LevelInfo, "another instance answered, or the answer was late", "err", err)
		default:
			d.line(t, slog.LevelError, "reply not delivered", "kind", reply.Kind.String(), "err", redact(err.Error(), t.in.Token, d.REST.token))
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
		d.running.Wait()
		close(ended)
	}()
	defer d.abandon()
	defer d.cancel()
	for _, stage := range []struct {
		patience time.Duration
		then     func()
	}{{stopGrace, d.cancel}, {lastWords, d.abandon}, {time.Second, func() {}}} {
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
