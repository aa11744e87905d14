package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/ranking/rating"
)

// attemptTime bounds one attempt to save a turn. The turn time runs from when the turn is saved, so an attempt that a busy
// store has kept waiting for that long is repeated with a later deadline.
const attemptTime = time.Second

// Engine chooses moves for a computer's seat. It must be safe for concurrent use.
type Engine interface {
	Choose(ctx context.Context, p game.Position) (game.Square, error)
}

// ErrNoEngine is wrapped by errors which say that no engine exists for a rule set and level.
var ErrNoEngine = errors.New("no such engine")

// Engines returns the engine that plays a rule set at a level. The error wraps [ErrNoEngine] if there is none. It must be
// safe for concurrent use.
type Engines interface {
	Engine(rules game.Rules, level string) (Engine, error)
}

// Timekeeper tells the time by which the deadlines of each venue are dated, as [Schedulers] do.
type Timekeeper interface {
	Now(Venue) time.Time
	Follow(context.Context, Venue) (done func(), err error)
	// Saved is called after each attempt to save the outcome of a request, with the error and with the earliest deadline
	// that was saved, zero if none was.
	Saved(deadline time.Time, err error)
}

// Request says who asks, where, and when the request reached the bot.
type Request struct {
	ID    ID // the id of the request itself; a match or challenge that it creates gets the same id
	By    User
	Venue Venue
	At    time.Time
	// Interaction is the id by which the front end numbers the requests of users in their order; empty if there is none. What a request from
	// before the deletion of the user's data would begin, join or vote for is not saved after the deletion.
	Interaction string
	// Places are the place in the venue where the player asked, such as a channel, and the places that contain it.
	Places []string

	// A front end may add values to the transaction. Names are always saved; OnCreate if the request creates a match or
	// challenge (with the request's id), otherwise OnUpdate; OnGrant unless the match turns out to have expired.
	Names                       []Name
	OnCreate, OnUpdate, OnGrant []Extra
}

// Referee decides on requests. All methods are safe for concurrent use, and every refusal is a [*Refusal] that carries the
// true state.
type Referee struct {
	Store   Store
	Engines Engines
	Coin    func() bool // decides who moves first if First is Random
	Limits  Limits
	Time    Timekeeper
	Stakes  Stakes // if nil, no match is rated
	Fit     Fit    // if nil, no level adapts to its player
}

// Fit returns the level that plays by the rules against a user who asked for a level, where first reports whether the user begins. A level
// that adapts to the user, such as "fair", becomes a level of fixed skill, such as "fair:7". Any other level stays as it is. It must be
// safe for concurrent use.
type Fit func(ctx context.Context, level string, rules game.Rules, u User, first bool) (string, error)

// fitted returns the seats with the computer, if there is one, at the level that fits its opponent. The error is ErrNoEngine if no
// engine plays that level.
func (r *Referee) fitted(ctx context.Context, seats Seats, rules game.Rules) (Seats, error) {
	for i, seat := range seats {
		if !seat.IsComputer() {
			continue
		}
		if r.Fit != nil {
			level, err := r.Fit(ctx, LevelName(seat.Level), rules, seats[1-i].Player, i == 1)
			if err != nil {
				return seats, fmt.Errorf("level that fits: %w", err)
			}
			seats[i] = Computer(level)
		}
		if _, err := r.Engines.Engine(rules, seats[i].Level); err != nil {
			return seats, err
		}
	}
	return seats, nil
}

// Stakes returns how much a match between two people counts for their ratings if it begins now in the venue and both
// players want it rated. It must be safe for concurrent use.
type Stakes func(ctx context.Context, v Venue, rules game.Rules, a, b User, now time.Time) (rating.Stakes, error)

// Of returns the stakes of the match that would begin if a challenge were accepted now. Without a venue nothing is rated.
func (s Stakes) Of(ctx context.Context, c Challenge, now time.Time) (rating.Stakes, error) {
	switch {
	case s == nil || c.Venue == "":
		return rating.NoStakes, nil
	case c.Casual:
		return rating.Casual, nil
	default:
		return s(ctx, c.Venue, c.Rules, c.From, c.To, now)
	}
}

// Challenge saves a challenge to another player, or an open one if to is empty. A request that is delivered twice finds the challenge that it created.
func (r *Referee) Challenge(ctx context.Context, req Request, to User, terms Terms) (Challenge, error) {
	return begin(ctx, r, req, r.Store.Challenge, func(req Request) (Challenge, error) {
		c, err := NewChallenge(req.ID, req.Venue, req.By, to, terms, req.At)
		if err != nil {
			return c, err
		}
		return c, r.save(ctx, req, Save{
			Permit:    req.permit(terms.Rules, "", to),
			Consent:   Consent{By: req.By, Other: to, Challenge: true, At: req.At},
			Quota:     Quota{By: req.By, Other: to, Limits: r.Limits, At: req.At, Pending: true, Open: c.Open(), Venue: req.Venue},
			Challenge: ChallengeChange{To: c},
		})
	})
}

// begin saves the match or challenge that a request creates. If the request was delivered before, even at the same
// moment, begin finds the stored one.
func begin[T any](
	ctx context.Context, r *Referee, req Request,
	find func(context.Context, ID) (T, error), create func(Request) (T, error),
) (T, error) {
	known, err := find(ctx, req.ID)
	if !errors.Is(err, ErrNotFound) {
		return known, err
	}
	req, done, err := r.timely(ctx, req.Venue, req)
	if err != nil {
		return known, err
	}
	defer done()
	created, err := create(req)
	if err != nil {
		if known, missing := find(ctx, req.ID); missing == nil {
			return known, nil
		}
	}
	return created, err
}

// Accept saves an accepted challenge together with the match that it starts.
func (r *Referee) Accept(ctx context.Context, req Request, id ID) (Match, error) {
	var begun Match
	_, err := r.changeChallenge(ctx, req, id, func(c Challenge, req Request) (Challenge, Save, error) {
		accepted, m, err := c.Accept(req.By, r.Coin(), req.At)
		if err == nil {
			m.Stakes, err = r.Stakes.Of(ctx, accepted, req.At)
		}
		begun = m.startTurn(r.Time.Now(m.Venue))
		return accepted, Save{
			Permit:  Permit{Venue: c.Venue, Players: []User{req.By, c.From}, At: req.At, Joins: true, Interaction: req.Interaction},
			Consent: Consent{By: req.By, Other: c.From, Open: c.Open(), At: req.At},
			Quota:   Quota{By: req.By, Other: c.From, Limits: r.Limits, At: req.At, Open: c.Open()},
			Matches: []MatchChange{{To: begun}},
		}, err
	})
	return begun, err
}

// Decline ends a challenge without a match, for the challenged player; see [Challenge.Decline].
func (r *Referee) Decline(ctx context.Context, req Request, id ID) (Challenge, error) {
	return r.endChallenge(ctx, req, id, Challenge.Decline)
}

// Withdraw ends a challenge without a match, for the challenger; see [Challenge.Withdraw].
func (r *Referee) Withdraw(ctx context.Context, req Request, id ID) (Challenge, error) {
	return r.endChallenge(ctx, req, id, Challenge.Withdraw)
}

func (r *Referee) endChallenge(ctx context.Context, req Request, id ID, how func(Challenge, User, time.Time) (Challenge, error)) (Challenge, error) {
	return r.changeChallenge(ctx, req, id, func(c Challenge, req Request) (Challenge, Save, error) {
		ended, err := how(c, req.By, req.At)
		return ended, Save{}, err
	})
}

// PlayComputer starts a match against the computer of a level, which moves at once if it has the first move. A request that
// is delivered twice finds the match that it created. Refusals: UnknownLevel, WrongPlace, LevelWithheld, BoardWithheld,
// TooManyYours, Barred.
func (r *Referee) PlayComputer(ctx context.Context, req Request, level string, terms Terms) (Match, error) {
	return begin(ctx, r, req, r.Store.Match, func(req Request) (Match, error) {
		seats := terms.First.seats(Human(req.By), Computer(level), r.Coin())
		m := Start(req.ID, req.ID, req.Venue, terms.Rules, seats, ComputerTurnTime, 1, req.At)
		return r.start(ctx, req, m, Quota{By: req.By, Limits: r.Limits, At: req.At, Pending: true})
	})
}

// start saves a new match against the computer or of a crowd. The computer takes the level that fits, and moves if it begins.
func (r *Referee) start(ctx context.Context, req Request, m Match, quota Quota) (Match, error) {
	rules, level := m.Position().Rules(), m.Seats.Level()
	seats, err := r.fitted(ctx, m.Seats, rules)
	if errors.Is(err, ErrNoEngine) {
		return Match{}, &Refusal{Reason: UnknownLevel}
	} else if err != nil {
		return Match{}, err
	}
	m.Seats = seats
	if m, err = r.answer(ctx, m, req); err != nil {
		return m, err
	}
	return m, r.save(ctx, req, Save{Permit: req.permit(rules, level), Quota: quota, Matches: []MatchChange{{To: m}}})
}

// PlayCrowd starts a match of a crowd in a channel, the first of req.Places: against the computer of a level, or of two teams if level is
// empty. The crowd's time to vote is terms.TurnTime. A request that is delivered twice finds the match that it created. Refusals:
// UnknownLevel, WrongPlace, LevelWithheld, BoardWithheld, CrowdPlaying.
func (r *Referee) PlayCrowd(ctx context.Context, req Request, level string, terms Terms) (Match, error) {
	return begin(ctx, r, req, r.Store.Match, func(req Request) (Match, error) {
		us, them := CrowdSeat(Channel), Computer(level)
		if level == "" {
			us, them = CrowdSeat(TeamOne), CrowdSeat(TeamTwo)
		}
		m := Start(req.ID, req.ID, req.Venue, terms.Rules, terms.First.seats(us, them, r.Coin()), terms.TurnTime, 1, req.At)
		m.Host, m.Place = req.By, req.Places[0]
		return r.start(ctx, req, m, Quota{By: req.By, Place: m.Place})
	})
}

// Play makes a player's move or, in the match of a crowd, takes a vote, and makes the answer of a computer after a move: all are saved
// together. The square is written as the rules of the match name it; see [game.Rules.Name].
func (r *Referee) Play(ctx context.Context, req Request, id ID, stage int, square string) (Match, error) {
	return r.changeWith(ctx, req, id, func(m Match, req Request) (Match, Save, error) {
		s, err := m.Position().Rules().ParseSquare(square)
		play, save := m.Play, Save{}
		if m.Seats.HasCrowd() {
			play, save.Permit = m.Vote, Permit{Venue: m.Venue, Players: []User{req.By}, At: req.At, Joins: true, Interaction: req.Interaction}
		} else if err != nil && m.Seats.Mark(req.By) == game.None {
			return m, save, m.refuse(Stranger)
		}
		if err != nil {
			return m, save, m.refuse(NoSuchSquare)
		}
		next, err := play(req.By, stage, s, req.At)
		if err != nil || next.Record.Len() == m.Record.Len() {
			return next, save, err
		}
		next, err = r.answer(ctx, next, req)
		return next, save, err
	})
}

// Stop calls the match of a crowd off; see [Match.Stop].
func (r *Referee) Stop(ctx context.Context, req Request, id ID) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, error) { return m.Stop(req.At) })
}

// Resign resigns or aborts a match; see [Match.Resign].
func (r *Referee) Resign(ctx context.Context, req Request, id ID, ply int) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, error) { return m.Resign(req.By, ply, req.At) })
}

// Ease gives the computer in a match another level; see [Match.Ease]. Refusals are also UnknownLevel, WrongPlace,
// LevelWithheld and BoardWithheld.
func (r *Referee) Ease(ctx context.Context, req Request, id ID, version int, level string) (Match, error) {
	return r.changeWith(ctx, req, id, func(m Match, req Request) (Match, Save, error) {
		next, err := m.Ease(req.By, version, level, req.At)
		if err != nil {
			return m, Save{}, err
		}
		if next.Seats, err = r.fitted(ctx, next.Seats, m.Position().Rules()); errors.Is(err, ErrNoEngine) {
			return m, Save{}, m.refuse(UnknownLevel)
		}
		return next, Save{Permit: req.permit(m.Position().Rules(), level)}, err
	})
}

// Help records that the player had a hint, and reports whether it was the first; see [Match.Help]. A further hint saves
// nothing.
func (r *Referee) Help(ctx context.Context, req Request, id ID, ply int) (m Match, first bool, err error) {
	m, err = r.change(ctx, req, id, func(m Match, req Request) (Match, error) {
		first = !m.Helped
		return m.Help(req.By, ply, req.At)
	})
	return m, first && err == nil, err
}

// MayHelp returns the match if the player can have a hint, and saves nothing; the refusals are the same as for [Match.Help].
func (r *Referee) MayHelp(ctx context.Context, req Request, id ID, ply int) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, error) {
		_, err := m.Help(req.By, ply, req.At)
		return m, err
	})
}

// AskRematch proposes a rematch or agrees to one. The second value is the new match, if one was started; see
// [Match.AskRematch].
func (r *Referee) AskRematch(ctx context.Context, req Request, id ID, version int) (Match, *Match, error) {
	var started *Match
	m, err := r.changeWith(ctx, req, id, func(m Match, req Request) (Match, Save, error) {
		next, fresh, err := m.AskRematch(req.By, version, req.ID, req.At)
		if err != nil {
			return m, Save{}, err
		}
		var other User
		if mark := m.Seats.Mark(req.By); mark != game.None {
			other = m.Seats.Of(mark.Opponent()).Player
		}
		rules := m.Position().Rules()
		if m.BestOf > 0 { // the last game may have been on the board of the play-off
			games, err := r.Store.Games(ctx, m.Series)
			if err != nil && !errors.Is(err, ErrUnreadable) {
				return m, Save{}, err
			}
			rules = SeriesOf(m, games).Rules
		}
		save := Save{Permit: req.permit(rules, m.Seats.Level(), other), Consent: Consent{By: req.By, Other: other, At: req.At}}
		if started = fresh; fresh == nil {
			return next, save, nil
		}
		fresh.Record, fresh.Stakes = game.NewRecord(game.Start(rules)), m.Stakes
		if fresh.Stakes, err = r.rematchStakes(ctx, *fresh, req.At); err != nil {
			return m, Save{}, err
		}
		if fresh.Seats, err = r.fitted(ctx, fresh.Seats, rules); err != nil {
			return m, Save{}, err
		}
		begun, err := r.answer(ctx, *fresh, req)
		if err != nil {
			return m, Save{}, err
		}
		started = &begun
		save.Quota = Quota{By: req.By, Other: other, Limits: r.Limits, At: req.At, Place: begun.Place}
		save.Matches = []MatchChange{{To: begun}}
		return next, save, nil
	})
	if err != nil {
		return m, nil, err
	}
	return m, started, nil
}

// DeclineRematch declines or withdraws the offer of a rematch; see [Match.DeclineRematch].
func (r *Referee) DeclineRematch(ctx context.Context, req Request, id ID) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, error) { return m.DeclineRematch(req.By) })
}

// AskWish asks the other player for a draw or to take back a move; see [Match.AskWish].
func (r *Referee) AskWish(ctx context.Context, req Request, id ID, stage int, kind WishKind) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, error) { return m.AskWish(req.By, stage, kind, req.At) })
}

// AnswerWish agrees to what the other player asked for, or declines it; see [Match.AnswerWish].
func (r *Referee) AnswerWish(ctx context.Context, req Request, id ID, stage int, agrees bool) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, error) {
		next, err := m.AnswerWish(req.By, stage, agrees, req.At)
		if err == nil && next.Backs > m.Backs {
			next = next.startTurn(r.Time.Now(m.Venue))
		}
		return next, err
	})
}

// CallDraw ends a match as a draw, for a moderator of its venue; see [Match.CallDraw]. For a match of another venue the
// refusal is Unknown.
func (r *Referee) CallDraw(ctx context.Context, req Request, id ID) (Match, error) {
	return r.moderate(ctx, req, id, Match.CallDraw)
}

// Void voids a match, and takes its score back, for a moderator of its venue; see [Match.Void]. For a match of another venue
// the refusal is Unknown.
func (r *Referee) Void(ctx context.Context, req Request, id ID) (Match, error) {
	return r.moderate(ctx, req, id, Match.Void)
}

// Restore restores a voided match, for a moderator of its venue; see [Match.Restore]. For a match of another venue the
// refusal is Unknown.
func (r *Referee) Restore(ctx context.Context, req Request, id ID) (Match, error) {
	return r.moderate(ctx, req, id, func(m Match, _ time.Time) (Match, error) { return m.Restore() })
}

func (r *Referee) moderate(ctx context.Context, req Request, id ID, how func(Match, time.Time) (Match, error)) (Match, error) {
	return r.change(ctx, req, id, func(m Match, req Request) (Match, error) {
		if m.Venue != req.Venue {
			return m, &Refusal{Reason: Unknown}
		}
		return how(m, req.At)
	})
}

// Expire acts on the deadline of a match or challenge if it has passed, and reports whether anything changed. The function at returns the
// time; Expire calls it after the match or challenge is loaded.
func (r *Referee) Expire(ctx context.Context, id ID, at func() time.Time) (bool, error) {
	found, err := r.Store.Find(ctx, id)
	if err == nil {
		now := at()
		save, due := found.expired(now)
		if !due {
			return false, nil
		}
		if found.Match != nil && !save.Matches[0].To.Result.Over() { // a crowd has moved, and a computer may answer
			save.Matches[0].To, err = r.answer(ctx, save.Matches[0].To, Request{At: now})
		}
		if err == nil {
			err = r.follow(ctx, &save, now)
		}
		if err == nil {
			err = r.Store.Save(ctx, save)
		}
	}
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrConflict) {
		return false, nil // another writer acted first; if a deadline is still due, the next look finds it
	}
	return err == nil, err
}

// follow adds the next game to a save whose first match is a game of a series that ends, unless the series ends with it. The two are saved
// together, so no kill comes between them. What both players agreed to goes on whatever has changed since: the server's settings, blocks, and
// the players' other matches.
func (r *Referee) follow(ctx context.Context, save *Save, now time.Time) error {
	if len(save.Matches) == 0 {
		return nil
	}
	from, to := save.Matches[0].From, &save.Matches[0].To
	if to.BestOf == 0 || from.Result.Over() || !to.Result.Over() {
		return nil
	}
	games, err := r.Store.Games(ctx, to.Series)
	if err != nil && !errors.Is(err, ErrUnreadable) {
		return err
	}
	s := SeriesOf(*to, games)
	if s.End != 0 {
		return nil
	}
	next := s.nextGame(*to, r.Time.Now(to.Venue))
	if next.Stakes, err = r.rematchStakes(ctx, next, now); err != nil {
		return err
	}
	to.Rematch = Rematch{State: RematchStarted, Next: next.ID}
	save.Matches = append(save.Matches, MatchChange{To: next})
	save.Extras = append(save.Extras, BoardAfter{ID: next.ID, After: to.ID})
	return nil
}

// rematchStakes returns the stakes of the rematch of m. They are the stakes of a match that follows a challenge on
// the same terms.
func (r *Referee) rematchStakes(ctx context.Context, m Match, now time.Time) (rating.Stakes, error) {
	if !m.Seats.People() {
		return rating.NoStakes, nil
	}
	again := Challenge{Venue: m.Venue, From: m.Seats[0].Player, To: m.Seats[1].Player}
	again.Rules, again.Casual = m.Position().Rules(), m.Stakes == rating.Casual
	return r.Stakes.Of(ctx, again, now)
}

// change is like changeWith, for a step that has nothing to save but the match.
func (r *Referee) change(ctx context.Context, req Request, id ID, step func(Match, Request) (Match, error)) (Match, error) {
	return r.changeWith(ctx, req, id, func(m Match, req Request) (Match, Save, error) {
		next, err := step(m, req)
		return next, Save{}, err
	})
}

// changeWith loads a match, applies a step, and saves the changed match together with the step's other values. It starts over until the
// change is saved or refused. If the step changes nothing, nothing is saved. The step gets the request dated by the clock of the match's
// venue, which may differ from the request's venue, because a board can be shown in another venue.
//
// In each attempt the request is dated after the match is loaded, because loading from a shared store may reveal that
// the clock was set. If a deadline moves after that, saving a change that was judged by the old deadline ends in a
// conflict.
//
// A click may come after the deadline but before the scheduler acts. Then the match is saved as expired instead of as
// requested, and the refusal is TimeUp, or Stale if a crowd has moved.
func (r *Referee) changeWith(ctx context.Context, req Request, id ID, step func(Match, Request) (Match, Save, error)) (Match, error) {
	return untilSaved(func() (_ Match, again bool, _ error) {
		m, err := r.Store.Match(ctx, id)
		if errors.Is(err, ErrNotFound) {
			err = &Refusal{Reason: Unknown}
		}
		if err != nil {
			return m, false, err
		}
		req, done, err := r.timely(ctx, m.Venue, req)
		if err != nil {
			return Match{}, false, err
		}
		defer done()
		next, save, refusal := step(m, req)
		if expired, due := m.Expire(req.At); due && errors.Is(refusal, TimeUp) {
			if next, err = r.answer(ctx, expired, req); err != nil {
				return m, false, err
			}
			save, refusal, req.OnGrant = Save{}, next.refuse(TimeUp), nil
			if !next.Result.Over() {
				refusal = next.refuse(Stale)
			}
		} else if refusal != nil || next.Version == m.Version {
			return m, false, refusal
		}
		if m.Looks != nil { // most names have not changed
			next.Looks, req.Names = m.Looks.renamed(req.Names)
		}
		if m.Seats.HasCrowd() && len(save.Matches) == 0 {
			req.Names = nil // nobody names the people of a crowd
		}
		save.Matches = append([]MatchChange{{m, next}}, save.Matches...)
		if err := r.follow(ctx, &save, req.At); err != nil {
			return m, false, err
		}
		if again, err := r.saveTurn(ctx, req, save); again || err != nil {
			return m, again, err
		}
		return save.Matches[0].To, false, refusal
	})
}

// untilSaved calls try until it does not ask to start over.
func untilSaved[T any](try func() (changed T, again bool, err error)) (T, error) {
	for {
		if changed, again, err := try(); !again {
			return changed, err
		}
	}
}

// answer makes the engine's move if a computer is to move. The turn that follows begins now.
func (r *Referee) answer(ctx context.Context, m Match, req Request) (Match, error) {
	if !m.Result.Over() && m.Turn().IsComputer() {
		square, err := r.choose(ctx, m)
		if err != nil {
			return m, err
		}
		// The human's move and the answer are one change and one version.
		version := m.Version
		if m, err = m.Answer(square, req.At); err != nil {
			return m, err
		}
		m.Version = version
	}
	return m.startTurn(r.Time.Now(m.Venue)), nil
}

// choose asks the engine of the computer that is to move for its move.
func (r *Referee) choose(ctx context.Context, m Match) (square game.Square, err error) {
	engine, err := r.Engines.Engine(m.Position().Rules(), m.Turn().Level)
	if errors.Is(err, ErrNoEngine) {
		return 0, m.refuse(UnknownLevel)
	}
	if err == nil {
		square, err = engine.Choose(ctx, m.Position())
	}
	if err != nil {
		return 0, fmt.Errorf("match %s: computer %s: %w", m.ID, m.Turn().Level, err)
	}
	return square, nil
}

// changeChallenge is like changeWith, for a challenge. A challenge whose deadline has passed is saved as expired instead
// of as requested, and a challenge that was accepted is refused with its match.
func (r *Referee) changeChallenge(
	ctx context.Context, req Request, id ID, step func(Challenge, Request) (Challenge, Save, error),
) (Challenge, error) {
	return untilSaved(func() (_ Challenge, again bool, _ error) {
		found, err := r.Store.Find(ctx, id)
		switch {
		case errors.Is(err, ErrNotFound):
			return Challenge{}, false, &Refusal{Reason: Unknown}
		case err != nil:
			return Challenge{}, false, err
		case found.Match != nil:
			return Challenge{}, false, found.Match.refuse(ChallengeOver)
		}
		c := *found.Challenge
		req, done, err := r.timely(ctx, req.Venue, req)
		if err != nil {
			return c, false, err
		}
		defer done()
		next, save, refusal := step(c, req)
		if expired, due := c.Expire(req.At); due {
			next, save, refusal = expired, Save{}, expired.refuse(ChallengeOver)
		} else if refusal != nil {
			return c, false, refusal
		}
		save.Challenge = ChallengeChange{c, next, req.At}
		if again, err := r.saveTurn(ctx, req, save); again || err != nil {
			return c, again, err
		}
		return next, false, refusal
	})
}

// timely dates a request by the venue's clock; see [Dated].
func (r *Referee) timely(ctx context.Context, v Venue, req Request) (dated Request, done func(), err error) {
	req.At, done, err = Dated(ctx, r.Time, v, req.At)
	return req, done, err
}

// Dated returns when a request reached the bot, by the venue's clock. If that clock was set, the deadlines are moved first. The date is
// never later than now: a request that arrived before the clock was set back, or while no time counts, is dated now. The
// caller must call done once the request is saved.
func Dated(ctx context.Context, t Timekeeper, v Venue, at time.Time) (_ time.Time, done func(), err error) {
	if done, err = t.Follow(ctx, v); err != nil {
		return at, nil, err
	}
	if now := t.Now(v); now.Before(at) {
		at = now
	}
	return at, done, nil
}

// saveTurn saves a change that may begin a turn, in an attempt of bounded time. It reports whether to start over: after
// a conflict, since every conflict means that another writer made progress, or after a timeout if time is left for
// another attempt.
func (r *Referee) saveTurn(ctx context.Context, req Request, save Save) (again bool, err error) {
	attempt, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	err = r.save(attempt, req, save)
	return ctx.Err() == nil && (errors.Is(err, ErrConflict) || errors.Is(err, ErrBusy)), err
}

// permit returns the condition that the venue allows a match by these rules of the one who asks and the given players and, if level is
// not empty, against a computer of that level.
func (req Request) permit(rules game.Rules, level string, players ...User) Permit {
	players = slices.DeleteFunc(append([]User{req.By}, players...), func(u User) bool { return u == "" })
	return Permit{
		Venue: req.Venue, Players: players, At: req.At, Interaction: req.Interaction,
		Places: req.Places, Level: LevelName(level), Board: rules.Title(),
	}
}

// save saves a change together with the names and extras of the request.
func (r *Referee) save(ctx context.Context, req Request, save Save) error {
	extras := req.OnUpdate
	if save.creates(req.ID) {
		extras = req.OnCreate
	}
	save.Names, save.Extras = req.Names, slices.Concat(save.Extras, extras, req.OnGrant)
	err := r.Store.Save(ctx, save)
	r.Time.Saved(save.deadline(), err)
	return err
}
