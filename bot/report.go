package bot

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"tictactoe/bot/rest"
)

// Outcome is how an interaction ended, in one word for logs and counters.
type Outcome string

// The outcomes of an interaction. A repeated delivery is not counted again.
const (
	// Answered means that the handler's reply was delivered, perhaps after an acknowledgement.
	Answered Outcome = "answered"
	// Failed means that the handler failed, or that Discord refused its reply, and that an apology was delivered.
	Failed Outcome = "failed"
	// Busy means that the user was told to try again.
	Busy Outcome = "busy"
	// RateLimited means that the user exceeded Limits.UserRate, and was told so unless too many others were being told.
	// ([messages.ErrRateLimited] is Discord's limit on the bot.) The value is an older name, which dashboards use.
	RateLimited Outcome = "hasty"
	// Missed means that another instance answered first, or that the callback came too late.
	Missed Outcome = "missed"
	// Undelivered means that the reply reached no user.
	Undelivered Outcome = "undelivered"
	// Dropped means that the queue had no room, not even to say that the bot is busy.
	Dropped Outcome = "dropped"
)

// slowAfter is how long the first answer may take; a longer time is logged as a warning.
const slowAfter = time.Second

// Report says how an interaction ended and how long its handling took.
type Report struct {
	// Route is the route of the handler, as "component play". It is empty if the interaction was turned away, could not be read, or matched
	// no route.
	Route   string
	Outcome Outcome
	// Refusal is Reply.Refusal.
	Refusal string
	// FirstAnswer is the time from arrival until Discord had accepted the first answer, or 0 if it accepted none. Deferred reports whether
	// that answer was an acknowledgement. Took is the time from arrival to the end of the handling.
	FirstAnswer time.Duration
	Deferred    bool
	Took        time.Duration
}

func (t *task) summary(o Outcome) Report {
	t.answer.mu.Lock()
	defer t.answer.mu.Unlock()
	return Report{
		Route: t.route, Outcome: o, Refusal: t.refusal,
		FirstAnswer: t.answer.first, Deferred: t.answer.deferred, Took: time.Since(t.answer.arrived),
	}
}

// lost returns the outcome of an interaction whose answer was not delivered.
func lost(err error) Outcome {
	if errors.Is(err, rest.ErrAlreadyAnswered) || errors.Is(err, rest.ErrLate) {
		return Missed
	}
	return Undelivered
}

// report calls Telemetry.Report without holding a lock, and recovers a panic in it.
func (d *dispatcher) report(t *task, o Outcome) Report {
	defer d.survive()
	r := t.summary(o)
	d.Telemetry.Report(r)
	return r
}

// tell calls report for an interaction whose answer was delivered, and logs a line about it.
func (d *dispatcher) tell(t *task, o Outcome) {
	r := d.report(t, o)
	switch {
	case o == Busy:
		d.line(t, slog.LevelWarn, "interaction turned away")
	case o == RateLimited: // one user could fill the log
		d.line(t, slog.LevelDebug, "interaction turned away")
	case r.Took > slowAfter:
		d.line(t, slog.LevelWarn, "interaction answered slowly")
	default:
		d.line(t, slog.LevelDebug, "interaction answered")
	}
}

// line logs a message about an interaction, with its id, server, shard and other attributes.
func (d *dispatcher) line(t *task, level slog.Level, message string, more ...any) {
	ctx := context.Background()
	if !d.log.Enabled(ctx, level) {
		return
	}
	r := t.summary("")
	attrs := []slog.Attr{
		slog.String("interaction", t.in.ID), slog.String("route", r.Route), slog.String("guild", t.in.GuildID), slog.Int("shard", t.shard.ID),
		slog.Float64("heard_ms", milliseconds(r.FirstAnswer)), slog.Float64("took_ms", milliseconds(r.Took)), slog.Bool("deferred", r.Deferred),
	}
	attrs = slices.DeleteFunc(append(attrs, d.Telemetry.Describe(t.in)...), func(a slog.Attr) bool {
		return a.Value.Kind() == slog.KindString && a.Value.String() == ""
	})
	d.log.LogAttrs(ctx, level, message, append(attrs, slog.Group("", more...))...)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
