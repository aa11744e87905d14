package match

import (
	"time"

	"tictactoe/game"
)

// RematchState says whether a rematch of a match was proposed, and what came of it.
type RematchState uint8

// The states of a rematch.
const (
	NoRematch RematchState = iota
	RematchProposed
	RematchDeclined
	RematchExpired
	RematchStarted
)

// RematchTime is how long the offer of a rematch waits for the other player.
const RematchTime = 5 * time.Minute

// Rematch is the state of the rematch of an ended match: whether a player proposed it, and with what outcome.
type Rematch struct {
	State    RematchState
	By       User      // the player who proposed the rematch
	Deadline time.Time // when an open proposal expires; zero if there is none
	Next     ID        // the match that was started
}

// AskRematch returns the match after a player has pressed Rematch on a board of the given version, at any time after its
// end. Against a computer, after the match of a crowd, or if the other player has proposed a rematch, the second value is the
// new match, with the given id and with seats swapped; else the proposal waits for the other player. Anybody can ask for the
// next match of a crowd. Refusals: Stranger, Stale, TimeUp if the proposal has expired, HasLeft, AwaitingRematch.
func (m Match) AskRematch(by User, version int, id ID, at time.Time) (Match, *Match, error) {
	crowd := m.Seats.HasCrowd()
	if m.Seats.Mark(by) == game.None && !crowd {
		return m, nil, m.refuse(Stranger)
	}
	if !m.Result.Over() || m.Arena != "" {
		return m, nil, m.refuse(Stale) // an arena pairs its players itself, so its boards have no such button
	}
	proposed := m.Rematch.State == RematchProposed
	switch {
	case proposed && !at.Before(m.Rematch.Deadline):
		return m, nil, m.refuse(TimeUp)
	case m.Seats.Left():
		return m, nil, m.refuse(HasLeft)
	case (m.Seats.Level() != "" || crowd) && m.Rematch.State == NoRematch, proposed && m.Rematch.By != by:
		series := m.Series
		if m.BestOf > 0 { // the rematch of a series is a series with a score of its own
			series = id
		}
		next := Start(id, series, m.Venue, m.Position().Rules(), m.Seats.Swapped(), m.TurnTime, 1, at)
		next.Proposer, next.BestOf = next.Seats.Mark(m.Rematch.By), m.BestOf
		if crowd {
			next.Host, next.Place = by, m.Place
		}
		m.Rematch = Rematch{State: RematchStarted, By: m.Rematch.By, Next: id}
		m.Version++
		return m, &next, nil
	case proposed && version == m.Version:
		return m, nil, m.refuse(AwaitingRematch)
	case m.Rematch.State != NoRematch:
		return m, nil, m.refuse(Stale)
	}
	m.Rematch = Rematch{State: RematchProposed, By: by, Deadline: at.Add(RematchTime)}
	m.Version++
	return m, nil, nil
}

// DeclineRematch returns the match after either player has declined or withdrawn an open proposal. Refusals: Stranger,
// Stale.
func (m Match) DeclineRematch(by User) (Match, error) {
	if m.Seats.Mark(by) == game.None {
		return m, m.refuse(Stranger)
	}
	if m.Rematch.State != RematchProposed {
		return m, m.refuse(Stale)
	}
	m.Rematch = Rematch{State: RematchDeclined, By: m.Rematch.By}
	m.Version++
	return m, nil
}

// Swapped returns the seats with their marks exchanged.
func (s Seats) Swapped() Seats { return Seats{s[1], s[0]} }
