package match

import (
	"time"

	"tictactoe/game"
)

// First says who moves first, and so who plays X.
type First uint8

// The choices of the first mover, from the point of view of the player who asks for the match.
const (
	Random First = iota
	Me
	Them
)

// seats returns the seats of the player who asks for the match and of the other side, X first. The coin decides if First is
// Random.
func (f First) seats(me, them Seat, coin bool) Seats {
	if f == Them || f == Random && coin {
		return Seats{them, me}
	}
	return Seats{me, them}
}

// ChallengeStatus says whether a challenge still waits for its answer or how it ended.
type ChallengeStatus uint8

// The states of a challenge.
const (
	Pending ChallengeStatus = iota + 1
	Accepted
	Declined
	Withdrawn
	Expired
)

// String returns the name of the status.
func (s ChallengeStatus) String() string {
	return NameOf(s, "none", "pending", "accepted", "declined", "withdrawn", "expired")
}

// How long a challenge waits for its answer. An open one has to be found first by somebody who wants to play.
const (
	ChallengeTime     = 5 * time.Minute
	OpenChallengeTime = 15 * time.Minute
)

// Terms are the conditions that a challenger chooses for a match.
type Terms struct {
	Rules    game.Rules
	First    First
	TurnTime time.Duration
	Casual   bool // the match does not count for the ratings
	BestOf   int  // the number of games of a best-of series; zero for a single match
}

// Challenge is an invitation of one player to another, or to anybody who wants to play.
type Challenge struct {
	ID       ID // also the id of the match that it leads to
	Venue    Venue
	From, To User // To is empty in an open challenge, until somebody accepts it
	Terms
	Status   ChallengeStatus
	Created  time.Time
	Deadline time.Time // zero once the challenge has ended
	Version  int       // grows by one with each change
}

// NewChallenge returns a pending challenge, which is open if to is empty. The refusal is SelfChallenge.
func NewChallenge(id ID, venue Venue, from, to User, terms Terms, now time.Time) (Challenge, error) {
	if from == to {
		return Challenge{}, &Refusal{Reason: SelfChallenge}
	}
	c := Challenge{
		ID: id, Venue: venue, From: from, To: to, Terms: terms,
		Status: Pending, Created: now, Deadline: now.Add(ChallengeTime), Version: 1,
	}
	if c.Open() {
		c.Deadline = now.Add(OpenChallengeTime)
	}
	return c, nil
}

// Open reports whether the challenge is for anybody, and nobody has accepted it.
func (c Challenge) Open() bool { return c.To == "" }

// Accept returns the accepted challenge and the match that begins. The coin decides who moves first if First is Random.
// An open challenge becomes one to the player who accepts it. Refusals: ChallengeOver, OwnChallenge, NotChallenged.
func (c Challenge) Accept(by User, coin bool, at time.Time) (Challenge, Match, error) {
	if err := c.answerable(by, at); err != nil {
		return c, Match{}, err
	}
	c = c.close(Accepted)
	c.To = by
	seats := c.First.seats(Human(c.From), Human(c.To), coin)
	m := Start(c.ID, c.ID, c.Venue, c.Rules, seats, c.TurnTime, c.Version+1, at)
	m.Proposer, m.BestOf = seats.Mark(c.From), c.BestOf
	return c, m, nil
}

// Decline returns the challenge as declined by the challenged player; nobody can decline an open one. Refusals:
// ChallengeOver, OwnChallenge, NotChallenged.
func (c Challenge) Decline(by User, at time.Time) (Challenge, error) {
	if err := c.answerable(by, at); err != nil {
		return c, err
	}
	if c.Open() {
		return c, c.refuse(NotChallenged)
	}
	return c.close(Declined), nil
}

// Withdraw returns the challenge as withdrawn by the challenger. Refusals: ChallengeOver, NotChallenger.
func (c Challenge) Withdraw(by User, at time.Time) (Challenge, error) {
	switch {
	case by != c.From && (by != c.To || c.pending(at)):
		return c, c.refuse(NotChallenger)
	case !c.pending(at):
		return c, c.refuse(ChallengeOver)
	}
	return c.close(Withdrawn), nil
}

// Expire returns the challenge as expired if its deadline has passed; otherwise it returns the challenge unchanged and
// false.
func (c Challenge) Expire(now time.Time) (Challenge, bool) {
	if c.Status != Pending || c.pending(now) {
		return c, false
	}
	return c.close(Expired), true
}

// Leave returns the challenge after one of its two players has left for good: withdrawn or declined, or expired if its
// deadline has passed. It returns the challenge unchanged and false if it had already ended.
func (c Challenge) Leave(by User, at time.Time) (Challenge, bool) {
	if expired, due := c.Expire(at); due {
		return expired, true
	}
	next, err := c.Withdraw(by, at)
	if by == c.To {
		next, err = c.Decline(by, at)
	}
	return next, err == nil
}

func (c Challenge) answerable(by User, at time.Time) error {
	switch {
	case by == c.From && c.pending(at):
		return c.refuse(OwnChallenge)
	case by != c.From && by != c.To && !c.Open():
		return c.refuse(NotChallenged)
	case !c.pending(at):
		return c.refuse(ChallengeOver)
	}
	return nil
}

func (c Challenge) pending(at time.Time) bool { return c.Status == Pending && at.Before(c.Deadline) }

func (c Challenge) close(status ChallengeStatus) Challenge {
	c.Status, c.Deadline = status, time.Time{}
	c.Version++
	return c
}

func (c Challenge) refuse(reason Reason) *Refusal { return &Refusal{Reason: reason, Challenge: &c} }
