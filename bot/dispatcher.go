package bot

import (
	"context"
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
)

const (
	// handlerTimeout is how long a handler may take.
	handlerTimeout = 8 * time.Second
	// grace is how long handlers may go on when the bot stops.
	grace = 4 * time.Second
	// lastWords is how much longer answers may take after that, and then what is left has one more second to end.
	lastWords = callbackTimeout + time.Second
	// underWay is how long after its arrival a handler may take: there may have been others before it.
	underWay = 2 * handlerTimeout
	// crowd is how many interactions may wait behind one message.
	crowd = 64
	// busyLimit is how many people may be turned away at the same moment, hastyLimit how many of them for asking for too much:
	// who is turned away through no fault of theirs finds room.
	busyLimit  = 512
	hastyLimit = 64
	// complainEvery is how often the log tells of interactions that were dropped.
	complainEvery = 10 * time.Second
)

// errClaimed: another instance of the bot handles the interaction, or has.
var errClaimed = errors.New("another instance has the interaction")

// claimFor is how long an interaction stays claimed. A request that brings it again is refused long before: see freshFor.
const claimFor = 5 * time.Minute

// dispatcher takes interactions as they arrive, runs their handlers on a bounded number of goroutines, and sends what
// they return. An interaction holds the lane of its message from its handler to the end of the answer's HTTP call, so that what
// is drawn cannot arrive in the wrong order. Those of other messages do not wait for it: a worker is free again when its
// handler has returned, however long Discord takes to listen.
type dispatcher struct {
	router   *Router
	rest     *REST
	log      *slog.Logger
	clock    Clock
	secret   string
	workers  int
	limit    int // of interactions under way
	behind   int // of interactions that wait for another one of their message
	apology  func(in *Interaction, reference string, err error) Reply
	busy     func(in *Interaction) Reply
	hasty    func(in *Interaction) Reply
	claim    func(ctx context.Context, interaction string, until time.Time) (first bool, err error)
	describe func(in *Interaction) []slog.Attr
	report   func(Report)

	base    context.Context // of all handlers; ends after the grace of a stop
	cancel  context.CancelFunc
	sending context.Context // of all answers; ends when a stop has no more patience with them
	abandon context.CancelFunc
	ready   chan *task // may be handled now
	running sync.WaitGroup
	pending sync.WaitGroup

	mu         sync.Mutex
	closed     bool
	turned     int // are being turned away
	hurried    int // of these, for asking for too much
	dropped    int // since the log last told of it
	complained time.Time
	seen       seen
	paces      paces
	lanes      *Lanes
	open       []*task // accepted and not handled, in the order of their arrival
}

// task is one interaction on its way.
type task struct {
	in     *Interaction
	shard  Shard
	lane   string // of the message that it concerns
	route  string // that was found, or empty
	answer *answer
	broken error           // why the interaction could not be read
	pass   <-chan struct{} // closed when the connection it came by is ready
	done   chan struct{}   // closed when it is handled
}

func newDispatcher(config Config, rest *REST) *dispatcher {
	d := &dispatcher{
		router: config.Router, rest: rest, log: config.Logger, clock: config.Clock, secret: config.Token,
		workers: config.Workers, limit: config.Workers + config.Queue, behind: min((config.Queue+1)/2, crowd),
		apology: config.Apology, busy: config.Busy, describe: config.Describe, report: config.Report,
		hasty: config.Hasty, paces: paces{rate: rate.Limit(config.Rate)},
		lanes: new(Lanes),
	}
	d.ready = make(chan *task, d.limit)
	return d
}

// start makes the goroutines. base must not end before drain has been called.
func (d *dispatcher) start(base context.Context) {
	d.base, d.cancel = context.WithCancel(base)
	d.sending, d.abandon = context.WithCancel(base)
	for range d.workers {
		d.running.Go(func() {
			for t := range d.ready {
				d.handle(t)
			}
		})
	}
}

// accept takes an interaction as decode returned it, from one of the lines, that was received then, with the response to the
// request that brought it or nil. It runs on the gateway's read loop and never blocks. If nobody will use the response, its status is returned, and
// else 0.
func (d *dispatcher) accept(from *line, in *Interaction, broken error, received time.Time, response *response) (status int) {
	if in == nil {
		d.log.Warn("event ignored", "err", broken)
		return http.StatusBadRequest
	}
	in.Received = received
	d.rest.know(in.AppID)
	lane := in.ID // nothing else is about the message that it may lead to
	if in.Message != nil {
		lane = in.Message.ID
	}

	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.seen.add(in.ID) {
		d.log.Debug("interaction delivered again, ignored", "interaction", in.ID)
		return http.StatusAccepted
	}
	if d.closed {
		d.log.Warn("interaction arrived after the end", "interaction", in.ID)
		return http.StatusServiceUnavailable
	}
	if !in.replayed && !d.paces.allow(in.User().ID) {
		return d.turnAway(from.shard, in, response, Hasty, d.hasty)
	}
	// A crowd on one message leaves room to the others.
	if len(d.open) >= d.limit || d.lanes.crowd(lane) >= d.behind {
		return d.turnAway(from.shard, in, response, Busy, d.busy)
	}
	t := &task{
		in: in, shard: from.shard, lane: lane, answer: newAnswer(d.sending, in, d.rest, response), broken: broken,
		pass: from.gate.pass(), done: make(chan struct{}),
	}
	d.open = append(d.open, t)
	d.pending.Add(1)
	d.lanes.interact(lane, func() { d.ready <- t }) // ready has room for all that are open
	return 0
}

// turnAway answers in those words, at once and with nothing before it; the outcome is Busy or Hasty. d.mu is held. It
// returns what accept does.
func (d *dispatcher) turnAway(shard Shard, in *Interaction, response *response, outcome Outcome, words func(in *Interaction) Reply) (status int) {
	t := &task{in: in, shard: shard, answer: &answer{in: in, response: response, rest: d.rest, base: d.sending, arrived: time.Now()}}
	if outcome == Hasty && (d.hurried >= hastyLimit || d.turned >= busyLimit) {
		d.report(t.summary(Hasty))
		d.log.Debug("interaction dropped: one person asks for too much", "interaction", in.ID)
		return http.StatusServiceUnavailable
	}
	if d.turned >= busyLimit {
		d.dropped++
		if now := time.Now(); now.Sub(d.complained) >= complainEvery {
			d.log.Error("interactions dropped: more come than can even be told to wait", "dropped", d.dropped, "interaction", in.ID)
			d.dropped, d.complained = 0, now
		}
		d.report(t.summary(Dropped))
		return http.StatusServiceUnavailable
	}
	hurried := 0
	if outcome == Hasty {
		hurried = 1
	}
	d.turned++
	d.hurried += hurried
	d.pending.Add(1)
	d.running.Go(func() {
		defer d.pending.Done()
		if err := d.send(t, d.word(in, func() Reply { return words(in) })); err != nil {
			d.report(t.summary(lost(err)))
		} else {
			d.tell(t, outcome)
		}
		d.mu.Lock()
		d.turned--
		d.hurried -= hurried
		d.mu.Unlock()
	})
	return 0
}

// end ends a task, and leaves its lane to whoever is next there.
func (d *dispatcher) end(t *task) {
	defer d.pending.Done()
	d.mu.Lock()
	d.open = slices.DeleteFunc(d.open, func(other *task) bool { return other == t })
	close(t.done)
	d.mu.Unlock()
	d.lanes.leave(t.lane)
}

// handled waits until everything that was received from a shard before until is handled. If ctx ends first, ok is false and
// left is when the earliest of the rest was received.
func (d *dispatcher) handled(ctx context.Context, shard int, until time.Time) (left time.Time, ok bool) {
	for {
		t := d.oldest(shard)
		if t == nil || !before(d.clock, t.in.Received, until) {
			return time.Time{}, true
		}
		select {
		case <-t.done:
		case <-ctx.Done():
			return t.in.Received, false
		}
	}
}

// oldest is the task of a shard that arrived first, nil if there is none, of those that are not handled and may still be.
func (d *dispatcher) oldest(shard int) *task {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.clock.Now()
	for _, t := range d.open {
		if t.shard.ID == shard && d.clock.Passed(t.in.Received, now) < underWay {
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
	patience := min(handlerTimeout, underWay-time.Since(t.answer.arrived))
	ctx, cancel := context.WithTimeout(d.base, patience)
	defer cancel()
	reply, err := d.call(ctx, t)
	d.running.Go(func() {
		defer d.end(t)
		d.conclude(t, reply, err)
	})
}

// conclude sends the reply, or an apology if there is none that Discord would take.
func (d *dispatcher) conclude(t *task, reply Reply, err error) {
	if errors.Is(err, errClaimed) {
		d.yield(t)
		return
	}
	if err == nil {
		err = d.send(t, reply)
		if err == nil {
			d.tell(t, Answered)
			return
		}
		if !refused(err) && !errors.Is(err, ErrModalLate) && !errors.Is(err, errNothingToUpdate) && !errors.Is(err, errNoModal) &&
			!errors.Is(err, errFilesWithoutPost) {
			d.report(t.summary(lost(err))) // logged, and nobody can be reached
			return
		}
	} else {
		d.line(t, slog.LevelError, "handler failed", "err", redact(err.Error(), t.in.Token, d.secret))
	}
	outcome := Failed
	if err := d.send(t, d.word(t.in, func() Reply { return d.apology(t.in, t.in.ID, err) })); err != nil {
		outcome = lost(err)
	}
	d.report(t.summary(outcome))
}

// yield lets the other instance answer, unless this one has acknowledged already: then nobody else can.
func (d *dispatcher) yield(t *task) {
	d.line(t, slog.LevelInfo, "interaction left to another instance")
	outcome := Missed
	if !t.answer.leave() {
		outcome = Busy
		if err := d.send(t, d.word(t.in, func() Reply { return d.busy(t.in) })); err != nil {
			outcome = lost(err)
		}
	}
	d.report(t.summary(outcome))
}

// call runs the handler when the gate is open. A panic comes back as an error.
func (d *dispatcher) call(ctx context.Context, t *task) (reply Reply, err error) {
	defer recovered(&err)
	if t.broken != nil {
		return Reply{}, t.broken
	}
	handler, route := d.router.find(t.in)
	t.route = route
	if handler == nil {
		return Reply{}, fmt.Errorf("no handler for %s", routeOf(t.in))
	}
	select {
	case <-t.pass: // first, for a context may end while it waits in the queue
	default:
		select {
		case <-t.pass:
		case <-ctx.Done():
			return Reply{}, fmt.Errorf("waiting for the connection to be ready: %w", ctx.Err())
		}
	}
	if d.claim != nil {
		first, err := d.claim(ctx, t.in.ID, d.clock.Now().Add(claimFor))
		if err != nil {
			return Reply{}, err
		}
		if !first {
			return Reply{}, errClaimed
		}
	}
	return handler(ctx, t.in)
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
			d.line(t, slog.LevelInfo, "another instance answered, or the answer was late", "err", err)
		default:
			d.line(t, slog.LevelError, "reply not delivered", "kind", reply.Kind.String(), "err", redact(err.Error(), t.in.Token, d.secret))
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
