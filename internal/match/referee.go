package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tictactoe/game"
)

// ComputerTurnTime is the time for each move against a computer: long enough for an unhurried player, finite so that a
// match that was left does not stay open for ever.
const ComputerTurnTime = 24 * time.Hour

// attemptTime bounds one attempt to save a turn. The time of a turn runs from when it is saved, so an attempt that a busy
// store has kept waiting for that long is made again, with the deadline that is right by then.
const attemptTime = time.Second

// Engine chooses moves for a computer's seat. It must be safe for concurrent use.
type Engine interface {
	Choose(ctx context.Context, p game.Position) (game.Square, error)
}

// ErrNoEngine is wrapped where nobody plays those rules at that level.
var ErrNoEngine = errors.New("no such engine")

// Engines gives the engine that plays those rules at that level. It must be safe for concurrent use; the error wraps
// [ErrNoEngine] where there is none.
type Engines interface {
	Engine(rules game.Rules, level string) (Engine, error)
}

// Request is who asks for something, and when it reached us.
type Request struct {
	ID    ID // of the request itself; whatever it creates gets this id
	By    User
	Venue Venue
	At    time.Time
	// Places are where in the venue it was asked, a channel for example, and what that is a part of.
	Places []string

	// What a front end wants saved in the same transaction: Also with any change, OnCreate when the request creates a
	// challenge or match of its own, OnUpdate when it does not.
	Also, OnCreate, OnUpdate []Change
}

// Referee decides on requests. All methods are safe for concurrent use, and every refusal is a [*Refusal] that carries
// the true state.
type Referee struct {
	Store   Store
	Engines Engines
	Coin    func() bool // decides random starts
	Limits  Limits
	// Saved is called after each attempt to save, with the earliest deadline in it, zero if there is none, and how it went; see
	// [Schedulers.Saved]. May be nil.
	Saved func(deadline time.Time, err error)
	// Now is when a turn begins in a venue: as it is saved, be it long after the request has come. No request counts as later;
	// see [Scheduler.Now]. Nil: when the request came.
	Now func(Venue) time.Time
	// Follow moves the deadlines of a venue with a clock that was set, before anything is judged by them; until done is called
	// none of them is moved. See [Scheduler.Follow]. Nil: clocks are never set.
	Follow func(context.Context, Venue) (done func(), err error)
}

// Challenge invites another player. The same request delivered twice finds the same challenge.
func (r *Referee) Challenge(ctx context.Context, req Request, to User, terms Terms) (Challenge, error) {
	if known, err := r.Store.Challenge(ctx, req.ID); !errors.Is(err, ErrNotFound) {
		return known, err
	}
	req, done, err := r.timely(ctx, req.Venue, req)
	if err != nil {
		return Challenge{}, err
	}
	defer done()
	c, err := NewChallenge(req.ID, req.Venue, req.By, to, terms, req.At)
	if err != nil {
		return Challenge{}, err
	}
	room := Quota{By: req.By, Other: to, Limits: r.Limits, At: req.At, Pending: true}
	consent := Consent{By: req.By, Other: to, Challenge: true, At: req.At}
	if err := r.save(ctx, req, req.permit(""), consent, room, CreateChallenge{c}); err != nil {
		if known, missing := r.Store.Challenge(ctx, req.ID); missing == nil {
			return known, nil // delivered twice at the same moment
		}
		return Challenge{}, err
	}
	return c, nil
}

// Accept starts the match of a challenge.
func (r *Referee) Accept(ctx context.Context, req Request, id ID) (Match, error) {
	var begun Match
	_, err := r.answerTo(ctx, req, id, func(c Challenge, req Request) (Challenge, error) {
		accepted, m, err := c.Accept(req.By, r.Coin(), req.At)
		if err != nil {
			return c, err
		}
		begun = m.startTurn(r.now(m.Venue, req))
		room := Quota{By: req.By, Other: c.From, Limits: r.Limits, At: req.At}
		consent := Consent{By: req.By, Other: c.From, At: req.At}
		return accepted, r.saveTurn(ctx, req, UpdateChallenge{c, accepted}, Answered{accepted, req.At}, consent, room, CreateMatch{begun})
	})
	if err != nil {
		return Match{}, err
	}
	return begun, nil
}

// Decline says no to a challenge.
func (r *Referee) Decline(ctx context.Context, req Request, id ID) (Challenge, error) {
	return r.closeChallenge(ctx, req, id, Challenge.Decline)
}

// Withdraw takes a challenge back.
func (r *Referee) Withdraw(ctx context.Context, req Request, id ID) (Challenge, error) {
	return r.closeChallenge(ctx, req, id, Challenge.Withdraw)
}

// PlayComputer starts a match against the computer of that level, with its first move if it begins. The same request
// delivered twice finds the same match. Refusals: UnknownLevel, WrongPlace, LevelWithheld, TooManyYours.
func (r *Referee) PlayComputer(ctx context.Context, req Request, level string, terms Terms) (Match, error) {
	if known, err := r.Store.Match(ctx, req.ID); !errors.Is(err, ErrNotFound) {
		return known, err
	}
	if _, err := r.Engines.Engine(terms.Rules, level); errors.Is(err, ErrNoEngine) {
		return Match{}, &Refusal{Reason: UnknownLevel}
	} else if err != nil {
		return Match{}, err
	}
	req, done, err := r.timely(ctx, req.Venue, req)
	if err != nil {
		return Match{}, err
	}
	defer done()
	seats := terms.First.seats(Human(req.By), Computer(level), r.Coin())
	m := Start(req.ID, req.ID, req.Venue, terms.Rules, seats, ComputerTurnTime, 1, req.At)
	m, err = r.answer(ctx, m, req.At)
	if err != nil {
		return Match{}, err
	}
	m = m.startTurn(r.now(m.Venue, req))
	room := Quota{By: req.By, Limits: r.Limits, At: req.At, Pending: true}
	if err := r.save(ctx, req, req.permit(level), room, CreateMatch{m}); err != nil {
		if known, missing := r.Store.Match(ctx, req.ID); missing == nil {
			return known, nil // delivered twice at the same moment
		}
		return Match{}, err
	}
	return m, nil
}

// Play makes a player's move and, where a computer sits opposite, its answer: both are saved together.
// The square is written as the rules of the match name it; see [game.Rules.Name].
func (r *Referee) Play(ctx context.Context, req Request, id ID, ply int, square string) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, []Change, error) {
		s, err := m.Position().Rules().ParseSquare(square)
		if err != nil && m.Seats.Mark(req.By) == game.None {
			return m, nil, m.refuse(Stranger)
		}
		if err != nil {
			return m, nil, m.refuse(NoSuchSquare)
		}
		next, err := m.Play(req.By, ply, s, req.At)
		if err != nil {
			return m, nil, err
		}
		next, err = r.answer(ctx, next, req.At)
		return next.startTurn(r.now(m.Venue, req)), nil, err
	})
}

// Resign gives a match up, or aborts it; see [Match.Resign].
func (r *Referee) Resign(ctx context.Context, req Request, id ID, ply int) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, []Change, error) {
		next, err := m.Resign(req.By, ply, req.At)
		return next, nil, err
	})
}

// AskRematch proposes a rematch or agrees to one. The second value is the new match, if one was started; see
// [Match.AskRematch].
func (r *Referee) AskRematch(ctx context.Context, req Request, id ID, version int) (Match, *Match, error) {
	var started *Match
	m, err := r.change(ctx, req, id, func(m Match, req Request) (Match, []Change, error) {
		started = nil
		next, fresh, err := m.AskRematch(req.By, version, req.ID, req.At)
		if err != nil {
			return next, nil, err
		}
		other := m.Seats[0].Player
		if other == req.By {
			other = m.Seats[1].Player
		}
		asks := []Change{req.permit(m.Seats.Level())}
		if other != "" {
			asks = append(asks, Consent{By: req.By, Other: other, At: req.At})
		}
		if fresh == nil {
			return next, asks, nil
		}
		first, err := r.answer(ctx, *fresh, req.At)
		if err != nil {
			return m, nil, err
		}
		first = first.startTurn(r.now(m.Venue, req))
		started = &first
		room := Quota{By: req.By, Other: other, Limits: r.Limits, At: req.At}
		return next, append(asks, room, CreateMatch{first}), nil
	})
	if err != nil {
		return m, nil, err
	}
	return m, started, nil
}

// DeclineRematch closes a proposal.
func (r *Referee) DeclineRematch(ctx context.Context, req Request, id ID) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, []Change, error) {
		next, err := m.DeclineRematch(req.By)
		return next, nil, err
	})
}

// CallDraw ends a match as a draw, for a moderator of its venue; see [Match.CallDraw]. A match of another venue is
// Unknown.
func (r *Referee) CallDraw(ctx context.Context, req Request, id ID) (Match, error) {
	return r.moderate(ctx, req, id, Match.CallDraw)
}

// Void takes a match back, and with it the score, for a moderator of its venue; see [Match.Void]. A match of another
// venue is Unknown.
func (r *Referee) Void(ctx context.Context, req Request, id ID) (Match, error) {
	return r.moderate(ctx, req, id, Match.Void)
}

func (r *Referee) moderate(ctx context.Context, req Request, id ID, how func(Match, time.Time) (Match, error)) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, []Change, error) {
		if m.Venue != req.Venue {
			return m, nil, &Refusal{Reason: Unknown}
		}
		next, err := how(m, req.At)
		return next, nil, err
	})
}

// Expire acts on whatever deadline of that id has passed, at a time that is asked for once that is loaded. It reports whether
// anything changed.
func (r *Referee) Expire(ctx context.Context, id ID, at func() time.Time) (bool, error) {
	c, err := r.Store.Challenge(ctx, id)
	if err == nil {
		now := at()
		if expired, due := c.Expire(now); due {
			return settled(r.Store.Save(ctx, UpdateChallenge{c, expired}, Answered{expired, now}))
		}
	} else if !errors.Is(err, ErrNotFound) {
		return false, err
	}
	m, err := r.Store.Match(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if expired, due := m.Expire(at()); due {
		return settled(r.Store.Save(ctx, UpdateMatch{m, expired}))
	}
	return false, nil
}

// settled takes a conflict for what it is here: somebody else acted first, and the next look at the deadlines will show.
func settled(err error) (bool, error) {
	if errors.Is(err, ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

// change loads a match, applies a step and saves, until that is done or refused. The step gets the request as it is dated by
// the clock of the match's venue, which need not be the one that it was asked in: a board can be shown elsewhere.
//
// It is dated after the match is loaded, each time anew: a store that others share may learn as it loads that its clock was
// set. If the deadline is moved after that, what is judged by the old one meets a conflict.
func (r *Referee) change(ctx context.Context, req Request, id ID, step func(Match, Request) (Match, []Change, error)) (Match, error) {
	for {
		m, err := r.match(ctx, id)
		if err != nil {
			return Match{}, err
		}
		req, done, err := r.timely(ctx, m.Venue, req)
		if err != nil {
			return Match{}, err
		}
		next, more, refusal := step(m, req)
		if errors.Is(refusal, TimeUp) {
			// The click came before the scheduler: the clock decides all the same, and the clicker sees it at once.
			next, _ = m.Expire(req.At)
			refusal = next.refuse(TimeUp)
		} else if refusal != nil {
			done()
			return m, refusal
		}
		err = r.saveTurn(ctx, req, append([]Change{UpdateMatch{m, next}}, more...)...)
		done()
		if err == nil {
			return next, refusal
		}
		if !again(ctx, err) {
			return m, err
		}
	}
}

// match loads a match for a click on it.
func (r *Referee) match(ctx context.Context, id ID) (Match, error) {
	m, err := r.Store.Match(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return m, &Refusal{Reason: Unknown}
	}
	return m, err
}

// answer lets the engine move if a computer is to move.
func (r *Referee) answer(ctx context.Context, m Match, at time.Time) (Match, error) {
	if m.Result.Over() || !m.Turn().IsComputer() {
		return m, nil
	}
	engine, err := r.Engines.Engine(m.Position().Rules(), m.Turn().Level)
	if errors.Is(err, ErrNoEngine) {
		return m, &Refusal{Reason: UnknownLevel, Match: &m}
	}
	if err != nil {
		return m, fmt.Errorf("match %s: computer %s: %w", m.ID, m.Turn().Level, err)
	}
	square, err := engine.Choose(ctx, m.Position())
	if err != nil {
		return m, fmt.Errorf("match %s: computer %s: %w", m.ID, m.Turn().Level, err)
	}
	// The human's move and the answer are one change and one version.
	version := m.Version
	m, err = m.Answer(square, at)
	m.Version = version
	return m, err
}

// answerTo loads a challenge and lets step answer it and save that, until it is done or refused. As in [Referee.change], the
// request is dated after the challenge is loaded.
func (r *Referee) answerTo(ctx context.Context, req Request, id ID, step func(Challenge, Request) (Challenge, error)) (Challenge, error) {
	for {
		c, err := r.Store.Challenge(ctx, id)
		if errors.Is(err, ErrNotFound) {
			return c, &Refusal{Reason: Unknown}
		}
		if err != nil {
			return c, err
		}
		req, done, err := r.timely(ctx, req.Venue, req)
		if err != nil {
			return c, err
		}
		if err = r.pending(ctx, req, c); err == nil {
			c, err = step(c, req)
		}
		done()
		if !again(ctx, err) {
			return c, err
		}
	}
}

// pending refuses a click on a challenge that is over. One that has run out without the scheduler having seen it expires
// here; one that has been accepted is refused with its match beside it.
func (r *Referee) pending(ctx context.Context, req Request, c Challenge) error {
	if expired, due := c.Expire(req.At); due {
		if err := r.save(ctx, req, UpdateChallenge{c, expired}, Answered{expired, req.At}); err != nil {
			return err
		}
		return expired.refuse(ChallengeOver)
	}
	if c.Status == Accepted {
		m, err := r.Store.Match(ctx, c.ID)
		if err != nil {
			return err
		}
		return &Refusal{Reason: ChallengeOver, Challenge: &c, Match: &m}
	}
	return nil
}

func (r *Referee) closeChallenge(ctx context.Context, req Request, id ID,
	step func(Challenge, User, time.Time) (Challenge, error)) (Challenge, error) {
	return r.answerTo(ctx, req, id, func(c Challenge, req Request) (Challenge, error) {
		closed, err := step(c, req.By, req.At)
		if err != nil {
			return c, err
		}
		return closed, r.save(ctx, req, UpdateChallenge{c, closed}, Answered{closed, req.At})
	})
}

// timely dates a request by the clock that the deadlines of a venue are dated by: those follow it first if it was set, and a
// request that came before it was set back came no later than now. Done is to be called once it is saved.
func (r *Referee) timely(ctx context.Context, v Venue, req Request) (on Request, done func(), err error) {
	done = func() {}
	if r.Follow != nil {
		if done, err = r.Follow(ctx, v); err != nil {
			return req, nil, err
		}
	}
	// Nor did one that came while the clocks stand still. Round strips the readings of the monotonic clock, which would say
	// that it came before.
	if now := r.now(v, req); now.Round(0).Before(req.At.Round(0)) {
		req.At = now
	}
	return req, done, nil
}

// saveTurn saves what a turn may begin with, in an attempt of bounded time; see [again].
func (r *Referee) saveTurn(ctx context.Context, req Request, changes ...Change) error {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	return r.save(ctx, req, changes...)
}

// again tells whether to start over after that error of saveTurn: another writer came first, and each such conflict
// means that somebody else got on, or the attempt took too long, and there is time left for another.
func again(ctx context.Context, err error) bool {
	return ctx.Err() == nil && (errors.Is(err, ErrConflict) || errors.Is(err, ErrBusy))
}

// now is when a turn begins in a venue that is about to be saved.
func (r *Referee) now(v Venue, req Request) time.Time {
	if r.Now == nil {
		return req.At
	}
	return r.Now(v)
}

// permit asks the venue whether something may begin that has a computer of that level in it, if any.
func (req Request) permit(level string) Permit {
	return Permit{Venue: req.Venue, Places: req.Places, Level: level}
}

// save writes changes and what the request adds to them. A refusal for want of [Quota], [Permit] or [Consent] comes as such.
func (r *Referee) save(ctx context.Context, req Request, changes ...Change) error {
	extra := req.OnUpdate
	for _, c := range changes {
		switch c := c.(type) {
		case CreateChallenge:
			extra = req.OnCreate
		case CreateMatch:
			if c.Match.ID == req.ID {
				extra = req.OnCreate
			}
		}
	}
	changes = slices.Concat(changes, req.Also, extra)
	err := r.Store.Save(ctx, changes...)
	if r.Saved != nil {
		r.Saved(earliest(changes), err)
	}
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		return refusal
	}
	return err
}

// earliest is the first deadline that there is after those changes because of them, zero if there is none.
func earliest(changes []Change) (first time.Time) {
	for _, c := range changes {
		var deadlines [2]time.Time
		switch c := c.(type) {
		case CreateChallenge:
			deadlines[0] = c.Challenge.Deadline
		case UpdateChallenge:
			deadlines[0] = c.To.Deadline
		case CreateMatch:
			deadlines = [2]time.Time{c.Match.Deadline, c.Match.Rematch.Deadline}
		case UpdateMatch:
			deadlines = [2]time.Time{c.To.Deadline, c.To.Rematch.Deadline}
		}
		for _, d := range deadlines {
			if !d.IsZero() && (first.IsZero() || d.Before(first)) {
				first = d
			}
		}
	}
	return first
}
