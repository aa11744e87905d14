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

// Limits bound what one player can have open at once.
type Limits struct {
	Open int // matches of one player; who asks for one more counts the own pending challenges too
	Pair int // matches between the same two players
}

// DefaultLimits are the limits that suit a public bot.
func DefaultLimits() Limits { return Limits{Open: 5, Pair: 2} }

// Request is who asks for something, and when it reached us.
type Request struct {
	ID    ID // of the request itself; whatever it creates gets this id
	By    Player
	Venue Venue
	At    time.Time

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
}

// Challenge invites another player. The same request delivered twice finds the same challenge.
func (r *Referee) Challenge(ctx context.Context, req Request, to Player, terms Terms) (Challenge, error) {
	if known, err := r.Store.Challenge(ctx, req.ID); !errors.Is(err, ErrNotFound) {
		return known, err
	}
	c, err := NewChallenge(req.ID, req.Venue, req.By, to, terms, req.At)
	if err != nil {
		return Challenge{}, err
	}
	pending, err := r.Store.PendingChallenges(ctx, req.By)
	if err != nil {
		return Challenge{}, err
	}
	for _, other := range pending {
		if between(other, req.By, to) && other.open(req.At) {
			return Challenge{}, other.refuse(AlreadyPending)
		}
	}
	if err := r.roomFor(ctx, req, to, pending); err != nil {
		return Challenge{}, err
	}
	err = r.save(ctx, req, CreateChallenge{c})
	if errors.Is(err, ErrExists) { // delivered twice at the same moment
		return r.Store.Challenge(ctx, req.ID)
	}
	return c, err
}

// Accept starts the match of a challenge.
func (r *Referee) Accept(ctx context.Context, req Request, id ID) (Match, error) {
	for {
		c, err := r.challenge(ctx, req, id)
		if err != nil {
			return Match{}, err
		}
		accepted, m, err := c.Accept(req.By, r.Coin(), req.At)
		if err != nil {
			return Match{}, err
		}
		if err := r.roomFor(ctx, req, c.From, nil); err != nil {
			return Match{}, err
		}
		err = r.save(ctx, req, UpdateChallenge{c, accepted}, CreateMatch{m})
		if errors.Is(err, ErrConflict) && ctx.Err() == nil {
			continue
		}
		return m, err
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
// delivered twice finds the same match. Refusals: UnknownLevel, TooManyYours.
func (r *Referee) PlayComputer(ctx context.Context, req Request, level string, terms Terms) (Match, error) {
	if known, err := r.Store.Match(ctx, req.ID); !errors.Is(err, ErrNotFound) {
		return known, err
	}
	if _, err := r.Engines.Engine(terms.Rules, level); errors.Is(err, ErrNoEngine) {
		return Match{}, &Refusal{Reason: UnknownLevel}
	} else if err != nil {
		return Match{}, err
	}
	pending, err := r.Store.PendingChallenges(ctx, req.By)
	if err != nil {
		return Match{}, err
	}
	if err := r.roomFor(ctx, req, "", pending); err != nil {
		return Match{}, err
	}
	seats := terms.First.seats(Human(req.By), Computer(level), r.Coin())
	m := Start(req.ID, req.ID, req.Venue, terms.Rules, seats, ComputerTurnTime, 1, req.At)
	m, err = r.answer(ctx, m, req.At)
	if err != nil {
		return Match{}, err
	}
	err = r.save(ctx, req, CreateMatch{m})
	if errors.Is(err, ErrExists) { // delivered twice at the same moment
		return r.Store.Match(ctx, req.ID)
	}
	return m, err
}

// Play makes a player's move and, where a computer sits opposite, its answer: both are saved together.
// The square is written as the rules of the match name it; see [game.Rules.Name].
func (r *Referee) Play(ctx context.Context, req Request, id ID, ply int, square string) (Match, error) {
	return r.change(ctx, req, id, func(m Match) (Match, []Change, error) {
		s, err := m.Position().Rules().ParseSquare(square)
		if err != nil {
			return m, nil, m.refuse(NoSuchSquare)
		}
		next, err := m.Play(req.By, ply, s, req.At)
		if err != nil {
			return m, nil, err
		}
		next, err = r.answer(ctx, next, req.At)
		return next, nil, err
	})
}

// Resign gives a match up, or aborts it; see [Match.Resign].
func (r *Referee) Resign(ctx context.Context, req Request, id ID, ply int) (Match, error) {
	return r.change(ctx, req, id, func(m Match) (Match, []Change, error) {
		next, err := m.Resign(req.By, ply, req.At)
		return next, nil, err
	})
}

// AskRematch proposes a rematch or agrees to one. The second value is the new match, if one was started; see
// [Match.AskRematch].
func (r *Referee) AskRematch(ctx context.Context, req Request, id ID, version int) (Match, *Match, error) {
	var started *Match
	m, err := r.change(ctx, req, id, func(m Match) (Match, []Change, error) {
		started = nil
		next, fresh, err := m.AskRematch(req.By, version, req.ID, req.At)
		if err != nil || fresh == nil {
			return next, nil, err
		}
		other := m.Seats[0].Player
		if other == req.By {
			other = m.Seats[1].Player
		}
		if err := r.roomFor(ctx, req, other, nil); err != nil {
			return m, nil, err
		}
		first, err := r.answer(ctx, *fresh, req.At)
		if err != nil {
			return m, nil, err
		}
		started = &first
		return next, []Change{CreateMatch{first}}, nil
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

// Expire acts on whatever deadline of that id has passed. It reports whether anything changed.
func (r *Referee) Expire(ctx context.Context, id ID, now time.Time) (bool, error) {
	c, err := r.Store.Challenge(ctx, id)
	if err == nil {
		if expired, due := c.Expire(now); due {
			return settled(r.Store.Save(ctx, UpdateChallenge{c, expired}))
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

// change loads a match, applies a step and saves, again from the start when another writer came first: each conflict
// means that somebody else got on, so this ends.
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
		err = r.save(ctx, req, append([]Change{UpdateMatch{m, next}}, more...)...)
		if errors.Is(err, ErrConflict) && ctx.Err() == nil {
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
		err := r.save(ctx, req, UpdateChallenge{c, expired})
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
	for {
		c, err := r.challenge(ctx, req, id)
		if err != nil {
			return c, err
		}
		closed, err := step(c, req.By, req.At)
		if err != nil {
			return c, err
		}
		err = r.save(ctx, req, UpdateChallenge{c, closed})
		if errors.Is(err, ErrConflict) && ctx.Err() == nil {
			continue
		}
		return closed, err
	}
}

// roomFor refuses when a new match would go beyond the limits of either player; the other may be empty. Of the pending
// challenges those count that the player who asks has sent.
func (r *Referee) roomFor(ctx context.Context, req Request, other Player, pending []Challenge) error {
	open, err := r.Store.OpenMatches(ctx, req.By)
	if err != nil {
		return err
	}
	own := 0
	for _, c := range pending {
		if c.From == req.By && c.open(req.At) {
			own++
		}
	}
	if len(open)+own >= r.Limits.Open {
		return &Refusal{Reason: TooManyYours, Limit: r.Limits.Open}
	}
	if other == "" {
		return nil
	}
	pair := 0
	for _, m := range open {
		if m.Seats.Mark(other) != game.None {
			pair++
		}
	}
	if pair >= r.Limits.Pair {
		return &Refusal{Reason: TooManyPair, Limit: r.Limits.Pair}
	}
	theirs, err := r.Store.OpenMatches(ctx, other)
	if err != nil {
		return err
	}
	if len(theirs) >= r.Limits.Open {
		return &Refusal{Reason: TooManyTheirs, Limit: r.Limits.Open, Player: other}
	}
	return nil
}

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
	changes = slices.Concat(changes, req.Also, extra, []Change{Seen{req.At}})
	err := r.Store.Save(ctx, changes...)
	if err == nil && r.Saved != nil {
		r.Saved()
	}
	return err
}

func between(c Challenge, a, b Player) bool {
	return c.From == a && c.To == b || c.From == b && c.To == a
}
