package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"

	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/internal/replica/claim"
)

const (
	// handlerTimeout is how long a handler may take.
	handlerTimeout = 8 * time.Second
	// stopGrace is how long handlers may go on when the bot stops.
	stopGrace = 4 * time.Second
	// lastWords is how long answers may still be sent after stopGrace. After that, goroutines have one more second to end.
	lastWords = callbackTimeout + time.Second
	// underWay is the age of an interaction at which its handler must end, even if the interaction had to wait for other handlers.
	underWay = 2 * handlerTimeout
	// suggestWithin is the age of an autocomplete request at which its handler must end. The rest of Discord's three seconds is for the
	// network.
	suggestWithin = 2 * time.Second
	// maxWaiting is how many interactions and edits may wait for the lane of one message, so that one message cannot fill the queue.
	maxWaiting = 64
)

// claimFor is how long a command stays claimed. It is longer than Discord keeps a session, after which it repeats no event.
const claimFor = 5 * time.Minute

// dispatcher takes interactions as they arrive, runs their handlers on a bounded number of goroutines, and sends the replies that they
// return. An interaction holds the lane of its message from the start of the handler to the end of the reply's HTTP call, so that replies
// cannot arrive in the wrong order. Interactions with other messages do not wait for that call, because a worker is free again as soon as
// the handler has returned.
type dispatcher struct {
	Config
	log        *slog.Logger
	limit      int // the maximum number of open interactions
	maxWaiting int // interactions and edits that may wait for the lane of one message: the constant, or less with a small queue

	base    context.Context // the context of all handlers; ends after the grace period of a stop
	cancel  context.CancelFunc
	sending context.Context // the context of all answers; ends when a stop no longer waits for them
	abandon context.CancelFunc
	ready   chan *task // tasks that may be handled now
	running sync.WaitGroup
	pending sync.WaitGroup // counts the interactions that are accepted or being turned away

	busy, limited chan struct{}  // one element for each user who is being told Busy, or RateLimited
	looked        sync.Map       // the servers whose own commands were checked for leftovers
	complain      rate.Sometimes // limits the log lines about dropped interactions

	mu     sync.Mutex
	closed bool
	seen   recent[struct{}] // the ids of interactions
	users  userLimiter
	typing userLimiter // limits suggestions separately, so that fast typists can still play
	open   []*task     // accepted and not yet completely handled, in the order of arrival
}

// task is one interaction that is being handled.
type task struct {
	in       *Interaction
	received time.Time // the time of receipt, by the real clock
	shard    gateway.Shard
	lane     string // the key of its lane: the id of the message, or of the interaction if there is no message
	route    string // the route of the handler; empty until it is found
	refusal  string // the reply's Refusal
	answer   *answer
	broken   error           // why decoding failed
	ready    <-chan struct{} // closed when the connection that brought it is ready
	done     chan struct{}   // closed when the task is handled
}

func newDispatcher(c Config) *dispatcher {
	d := &dispatcher{
		Config: c, log: c.Telemetry.Logger, limit: c.Limits.workers + c.Limits.queue, maxWaiting: min((c.Limits.queue+1)/2, maxWaiting),
	}
	d.users.rate, d.typing.rate = rate.Limit(c.Limits.UserRate), rate.Limit(c.Limits.UserRate)
	d.busy, d.limited = make(chan struct{}, busyLimit), make(chan struct{}, rateLimitedLimit)
	d.ready, d.complain.Interval = make(chan *task, d.limit), complainEvery
	return d
}

// start starts the workers. base must not end before drain has been called.
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

// spawn runs f on a goroutine that drain waits for. If f panics, the panic is logged and ends only that goroutine.
func (d *dispatcher) spawn(f func()) {
	d.running.Go(func() {
		defer d.survive()
		f()
	})
}

// survive recovers and logs a panic of the dispatcher's own code. Panics of handlers and texts are recovered elsewhere and become an
// apology.
func (d *dispatcher) survive() {
	if v := recover(); v != nil {
		d.log.Error("panic", "err", d.REST.Redact(fmt.Sprint(v)), "stack", string(debug.Stack()))
	}
}

// accept takes an interaction as decode returns it; broken is decode's error. accept runs on the gateway's read loop and never blocks.
func (d *dispatcher) accept(from *shardConnection, in *Interaction, broken error, received time.Time) {
	if in == nil {
		d.log.Warn("event ignored", "err", broken)
		return
	}
	in.Received = d.Clock.Now().Add(-time.Since(received)) // the time of receipt, converted to the bot's clock
	d.REST.Know(in.AppID)
	d.CommandIDs.used(in)
	t := &task{in: in, received: received, shard: from.shard, lane: in.ID, broken: broken, ready: from.ready.passed(), done: make(chan struct{})}
	if in.Message != nil {
		t.lane = in.Message.ID // otherwise the lane belongs to this interaction alone: a message that the reply creates cannot be clicked yet
	}
	if turned := d.admit(t); turned != "" {
		d.turnAway(t, turned)
	}
}

// end ends a task and hands its lane to the next holder.
func (d *dispatcher) end(t *task) {
	defer d.pending.Done()
	d.mu.Lock()
	d.open = slices.DeleteFunc(d.open, func(other *task) bool { return other == t })
	close(t.done)
	d.mu.Unlock()
	d.Lanes.leave(t.lane)
}

// load returns the number of accepted interactions that are not handled yet, and of users who are being turned away.
func (d *dispatcher) load() (open, turnedAway int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.open), len(d.busy) + len(d.limited)
}

// handled waits until all interactions that the shard received before cutoff are handled. If ctx ends first, ok is false, and earliest is
// when the earliest unhandled interaction was received.
func (d *dispatcher) handled(ctx context.Context, shard int, cutoff time.Time) (earliest time.Time, ok bool) {
	for {
		t := d.oldest(shard)
		if t == nil || !t.received.Before(cutoff) {
			return time.Time{}, true
		}
		select {
		case <-t.done:
		case <-ctx.Done():
			return t.received, false
		}
	}
}

// oldest returns the shard's earliest task that is neither handled nor older than underWay, or nil if there is none.
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

// handledUpTo returns a sequence number up to which all interactions of the shard are handled: sequence itself or, if an interaction up to
// there is not handled, the number before the first such interaction.
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

// handle runs the handler, and sends its reply on a separate goroutine, so that the worker is free.
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
		d.removeLeftovers(t.in)
	})
}

// removeLeftovers removes a server's own commands that have the name of a global command, after a user has used a command of the server's
// own. This program registers only global commands, so an older program has left the others. It checks each server once.
func (d *dispatcher) removeLeftovers(in *Interaction) {
	if !in.ofServer {
		return
	}
	if _, looked := d.looked.LoadOrStore(in.GuildID, true); looked {
		return
	}
	d.spawn(func() {
		ctx, cancel := context.WithTimeout(d.sending, lateTimeout)
		defer cancel()
		if removed, err := d.REST.RemoveLeftovers(ctx, in.GuildID); removed > 0 || err != nil {
			d.log.Info("commands of a server removed that are global too", "guild", in.GuildID, "removed", removed, "err", err)
		}
	})
}

// conclude sends the reply of the handler. If the handler failed with err, or if Discord refuses the reply, conclude sends an apology.
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
		if !rest.Refused(err) && !errors.Is(err, ErrModalLate) && !errors.Is(err, errUnfit) {
			d.report(t, lost(err)) // send has logged the error; an apology would not arrive either
			return
		}
	} else {
		d.line(t, slog.LevelError, "handler failed", "err", d.REST.Redact(err.Error(), t.in.Token))
	}
	outcome := Failed
	if err := d.send(t, d.apology(t.in, t.in.ID, err)); err != nil {
		outcome = lost(err)
	}
	d.report(t, outcome)
}

// yield leaves the answer to another instance. If this instance has already acknowledged, the other one cannot answer, so yield tells
// the user that the bot is busy.
func (d *dispatcher) yield(t *task) {
	d.line(t, slog.LevelInfo, "interaction left to another instance")
	outcome := Missed
	if !t.answer.take() {
		outcome = Busy
		if err := d.send(t, d.apology(t.in, "", ErrBusy)); err != nil {
			outcome = lost(err)
		}
	}
	d.report(t, outcome)
}

// call runs the handler once the connection is ready. It returns a panic as an error.
func (d *dispatcher) call(ctx context.Context, t *task) (reply Reply, err error) {
	defer Recovered(&err)
	if t.broken != nil {
		return Reply{}, t.broken
	}
	handler, route := d.Router.find(t.in)
	t.route = route
	if handler == nil {
		return Reply{}, fmt.Errorf("no handler for %s", routeOf(t.in))
	}
	select {
	case <-t.ready: // checked first, because ctx may have ended as well while the task waited in the queue
	default:
		select {
		case <-t.ready:
		case <-ctx.Done():
			return Reply{}, fmt.Errorf("waiting for the connection to be ready: %w", ctx.Err())
		}
	}
	// An interaction that is replayed, or has waited for its lane, may be older than the user's request to have all data deleted.
	if late := time.Since(t.answer.arrived) > acknowledgeAfter; (late || t.in.replayed) && !t.in.typing() && d.Gateway.Erased != nil {
		switch erased, err := d.Gateway.Erased(ctx, t.in.User().ID, t.in.ID); {
		case err != nil:
			return Reply{}, err
		case erased:
			return Reply{}, claim.ErrTaken
		}
	}
	if d.Router.claiming[route] {
		t.in.Claim = &claim.Claim{Interaction: t.in.ID, By: rand.Text(), Until: d.Clock.Now().Add(claimFor)}
	}
	return handler(ctx, t.in)
}

// apology returns the private reply that Config.Apology makes. If Apology panics, the reply shows only the interaction's id. To an
// autocomplete request the reply is an empty list, because a list of choices has no place for a text.
func (d *dispatcher) apology(in *Interaction, reference string, why error) Reply {
	if in.typing() {
		return Reply{Kind: Suggest}
	}
	reply := Reply{Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: "⚠️ " + in.ID}}}
	var err error
	func() {
		defer Recovered(&err)
		reply = d.Apology(in, reference, why)
	}()
	if err != nil {
		d.log.Error("text for the answer failed", "interaction", in.ID, "err", d.REST.Redact(err.Error(), in.Token))
	}
	reply.Kind, reply.Private = Post, true
	return reply
}

// send delivers the reply and logs a failure. If Reply.Sent panics, send returns the panic as an error.
func (d *dispatcher) send(t *task, reply Reply) (err error) {
	defer func() {
		switch {
		case err == nil:
		case errors.Is(err, rest.ErrAlreadyAnswered), errors.Is(err, rest.ErrLate):
			d.line(t, slog.LevelInfo, "another instance answered, or the answer was late", "err", err)
		default:
			d.line(t, slog.LevelError, "reply not delivered", "kind", reply.Kind.String(), "err", d.REST.Redact(err.Error(), t.in.Token))
		}
	}()
	defer Recovered(&err)
	return t.answer.send(reply)
}

// drain accepts no more interactions, waits for the accepted ones, and ends all goroutines. It returns an error if
// handlers do not end.
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

// Recovered turns a panic into an error with the stack. It must be the deferred function itself: defer Recovered(&err).
func Recovered(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
	}
}
