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
	By    Player
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
	Saved   func() // called after deadlines may have changed; may be nil
	// Now is when a turn begins: as it is saved, be it long after the request has come. Nil: when the request came.
	Now func() time.Time
	// Parts is in how many parts players are heard; see [Part]. Nil: in one.
	Parts func() int
	// Follow moves the deadlines with a clock that was set, before anything is judged by them; see [Scheduler.Follow]. Nil:
	// clocks are never set.
	Follow func(context.Context) error
}

// Challenge invites another player. The same request delivered twice finds the same challenge.
func (r *Referee) Challenge(ctx context.Context, req Request, to Player, terms Terms) (Challenge, error) {
	if known, err := r.Store.Challenge(ctx, req.ID); !errors.Is(err, ErrNotFound) {
		return known, err
	}
	req, err := r.timely(ctx, req)
	if err != nil {
		return Challenge{}, err
	}
	c, err := NewChallenge(req.ID, req.Venue, req.By, to, terms, req.At)
	if err != nil {
		return Challenge{}, err
	}
	room := Room{By: req.By, Other: to, Limits: r.Limits, At: req.At, Pending: true}
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
	req, err := r.timely(ctx, req)
	if err != nil {
		return Match{}, err
	}
	for {
		c, err := r.challenge(ctx, req, id)
		if err != nil {
			return Match{}, err
		}
		accepted, m, err := c.Accept(req.By, r.Coin(), req.At)
		if err != nil {
			return Match{}, err
		}
		m = m.startTurn(r.now(req))
		room := Room{By: req.By, Other: c.From, Limits: r.Limits, At: req.At}
		consent := Consent{By: req.By, Other: c.From, At: req.At}
		err = r.saveTurn(ctx, req, UpdateChallenge{c, accepted}, Answered{accepted, req.At}, consent, room, CreateMatch{m})
		if again(ctx, err) {
			continue
		}
		if err != nil {
			return Match{}, err
		}
		return m, nil
	}
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
	req, err := r.timely(ctx, req)
	if err != nil {
		return Match{}, err
	}
	seats := terms.First.seats(Human(req.By), Computer(level), r.Coin())
	m := Start(req.ID, req.ID, req.Venue, terms.Rules, seats, ComputerTurnTime, 1, req.At)
	m, err = r.answer(ctx, m, req.At)
	if err != nil {
		return Match{}, err
	}
	m = m.startTurn(r.now(req))
	room := Room{By: req.By, Limits: r.Limits, At: req.At, Pending: true}
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
	req, err := r.timely(ctx, req)
	if err != nil {
		return Match{}, err
	}
	return r.change(ctx, req, id, func(m Match) (Match, []Change, error) {
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
		return next.startTurn(r.now(req)), nil, err
	})
}

// Resign gives a match up, or aborts it; see [Match.Resign].
func (r *Referee) Resign(ctx context.Context, req Request, id ID, ply int) (Match, error) {
	req, err := r.timely(ctx, req)
	if err != nil {
		return Match{}, err
	}
	return r.change(ctx, req, id, func(m Match) (Match, []Change, error) {
		next, err := m.Resign(req.By, ply, req.At)
		return next, nil, err
	})
}

// AskRematch proposes a rematch or agrees to one. The second value is the new match, if one was started; see
// [Match.AskRematch].
func (r *Referee) AskRematch(ctx context.Context, req Request, id ID, version int) (Match, *Match, error) {
	req, err := r.timely(ctx, req)
	if err != nil {
		return Match{}, nil, err
	}
	var started *Match
	m, err := r.change(ctx, req, id, func(m Match) (Match, []Change, error) {
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
		first = first.startTurn(r.now(req))
		started = &first
		room := Room{By: req.By, Other: other, Limits: r.Limits, At: req.At}
		return next, append(asks, room, CreateMatch{first}), nil
	})
	if err != nil {
		return m, nil, err
	}
	return m, started, nil
}

// DeclineRematch closes a proposal.
func (r *Referee) DeclineRematch(ctx context.Context, req Request, id ID) (Match, error) {
	return r.change(ctx, req, id, func(m Match) (Match, []Change, error) {
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
	return r.change(ctx, req, id, func(m Match) (Match, []Change, error) {
		if m.Venue != req.Venue {
			return m, nil, &Refusal{Reason: Unknown}
		}
		next, err := how(m, req.At)
		return next, nil, err
	})
}

// Expire acts on whatever deadline of that id has passed. It reports whether anything changed.
func (r *Referee) Expire(ctx context.Context, id ID, now time.Time) (bool, error) {
	c, err := r.Store.Challenge(ctx, id)
	if err == nil {
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
	if expired, due := m.Expire(now); due {
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

// change loads a match, applies a step and saves, until that is done or refused.
func (r *Referee) change(ctx context.Context, req Request, id ID, step func(Match) (Match, []Change, error)) (Match, error) {
	for {
		m, err := r.Store.Match(ctx, id)
		if errors.Is(err, ErrNotFound) {
			return Match{}, &Refusal{Reason: Unknown}
		}
		if err != nil {
			return Match{}, err
		}
		next, more, refusal := step(m)
		if errors.Is(refusal, TimeUp) {
			// The click came before the scheduler: the clock decides all the same, and the clicker sees it at once.
			next, _ = m.Expire(req.At)
			refusal = next.refuse(TimeUp)
		} else if refusal != nil {
			return m, refusal
		}
		err = r.saveTurn(ctx, req, append([]Change{UpdateMatch{m, next}}, more...)...)
		if again(ctx, err) {
			continue
		}
		if err != nil {
			return m, err
		}
		return next, refusal
	}
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

// challenge loads a challenge for a click on it. One that has run out without the scheduler having seen it expires here;
// one that has been accepted is refused with its match beside it.
func (r *Referee) challenge(ctx context.Context, req Request, id ID) (Challenge, error) {
	c, err := r.Store.Challenge(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return c, &Refusal{Reason: Unknown}
	}
	if err != nil {
		return c, err
	}
	if expired, due := c.Expire(req.At); due {
		err := r.save(ctx, req, UpdateChallenge{c, expired}, Answered{expired, req.At})
		if errors.Is(err, ErrConflict) && ctx.Err() == nil {
			return r.challenge(ctx, req, id)
		}
		if err != nil {
			return c, err
		}
		return c, expired.refuse(ChallengeOver)
	}
	if c.Status == Accepted {
		m, err := r.Store.Match(ctx, id)
		if err != nil {
			return c, err
		}
		return c, &Refusal{Reason: ChallengeOver, Challenge: &c, Match: &m}
	}
	return c, nil
}

func (r *Referee) closeChallenge(ctx context.Context, req Request, id ID,
	step func(Challenge, Player, time.Time) (Challenge, error)) (Challenge, error) {
	req, err := r.timely(ctx, req)
	if err != nil {
		return Challenge{}, err
	}
	for {
		c, err := r.challenge(ctx, req, id)
		if err != nil {
			return c, err
		}
		closed, err := step(c, req.By, req.At)
		if err != nil {
			return c, err
		}
		err = r.save(ctx, req, UpdateChallenge{c, closed}, Answered{closed, req.At})
		if errors.Is(err, ErrConflict) && ctx.Err() == nil {
			continue
		}
		return closed, err
	}
}

// timely dates a request by the clock that deadlines are dated by: those follow it first if it was set, and a request that
// came before it was set back came no later than now.
func (r *Referee) timely(ctx context.Context, req Request) (Request, error) {
	if r.Follow != nil {
		if err := r.Follow(ctx); err != nil {
			return req, err
		}
	}
	// Round strips the readings of the monotonic clock, which would say that it came before.
	if now := r.now(req); now.Round(0).Before(req.At.Round(0)) {
		req.At = now
	}
	return req, nil
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

// now is when a turn begins that is about to be saved.
func (r *Referee) now(req Request) time.Time {
	if r.Now == nil {
		return req.At
	}
	return r.Now()
}

// part is that of a venue.
func (r *Referee) part(v Venue) Part {
	if r.Parts == nil {
		return Part{}
	}
	return PartOf(v, r.Parts())
}

// permit asks the venue whether something may begin that has a computer of that level in it, if any.
func (req Request) permit(level string) Permit {
	return Permit{Venue: req.Venue, Places: req.Places, Level: level}
}

// save writes changes and what the request adds to them. A refusal for want of [Room], [Permit] or [Consent] comes as such.
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
	changes = slices.Concat(changes, req.Also, extra, []Change{Seen{Part: r.part(req.Venue), At: req.At}})
	err := r.Store.Save(ctx, changes...)
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		return refusal
	}
	if err == nil && r.Saved != nil {
		r.Saved()
	}
	return err
}
