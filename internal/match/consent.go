package match

import "time"

// Consent asks whether one player may ask another to play. Without another there is nobody to be asked.
type Consent struct {
	By, Other User
	Challenge bool // it is a new challenge, not the answer to one or a rematch
	At        time.Time
}

// Given is what a store knows for a [Consent].
type Given struct {
	Closed    bool      // Other takes no challenges
	Blocked   bool      // Other has blocked By
	Blocking  bool      // By has blocked Other
	LeftAlone time.Time // until when By has to leave Other alone, by the [BackOff] of the two
	NoShows   NoShows   // of By; counted for a new challenge only
}

// Refuse is nil if By may ask, else a [*Refusal]: Blocking, MissedMatches, NotTaking, TooSoon. It does not tell a player who was blocked
// from one who meets somebody that takes no challenges.
func (c Consent) Refuse(g Given) error {
	switch {
	case g.Blocking:
		return &Refusal{Reason: Blocking, Player: c.Other}
	case c.Challenge && c.At.Before(g.NoShows.Until()):
		return &Refusal{Reason: MissedMatches, Until: g.NoShows.Until()}
	case g.Blocked, c.Challenge && g.Closed:
		return &Refusal{Reason: NotTaking, Player: c.Other}
	case c.Challenge && c.At.Before(g.LeftAlone):
		return &Refusal{Reason: TooSoon, Player: c.Other, Until: g.LeftAlone}
	}
	return nil
}

// BackOff is how long a player has to leave another alone whom he has challenged in vain. The zero value is that of two
// between whom nothing has happened.
type BackOff struct {
	// Weight is what came to nothing so far: two for a challenge that was declined, one for a challenge that was withdrawn or
	// not answered. One of these alone may be a mistake; more of them call a person just as often.
	Weight int
	Until  time.Time
}

// BackOffMemory is how long after its end a back-off still counts for the next one.
const BackOffMemory = 24 * time.Hour

// backOffs are the times to wait after each declined challenge; the last one holds for all that follow.
func backOffs() []time.Duration {
	return []time.Duration{0, 2 * time.Minute, 10 * time.Minute, time.Hour}
}

// After is the back-off after a challenge has ended so, at that time. One that was accepted settles everything.
func (b BackOff) After(ended ChallengeStatus, at time.Time) BackOff {
	if at.Sub(b.Until) >= BackOffMemory {
		b = BackOff{}
	}
	switch ended {
	case Accepted:
		return BackOff{}
	case Declined:
		b.Weight += 2
	default:
		b.Weight++
	}
	waits := backOffs()
	b.Weight = min(b.Weight, 2*(len(waits)-1))
	if until := at.Add(waits[b.Weight/2]); until.After(b.Until) {
		b.Until = until
	}
	return b
}

// NoShows are the matches that became void within [NoShowMemory] because a player who had asked for them did not show up.
type NoShows struct {
	Count int
	Last  time.Time // when the last of them ended
}

// NoShowMemory is how long a match that its proposer missed counts for the wait before the next challenge.
const NoShowMemory = 24 * time.Hour

const (
	freeNoShows = 2 // anybody may miss a match or two
	firstWait   = 10 * time.Minute
	longestWait = 6 * time.Hour
)

// Until is when the player may challenge anybody again, zero if at any time: ten minutes after the third no-show of a day, and
// twice as long after each that follows, up to six hours.
func (n NoShows) Until() time.Time {
	if n.Count <= freeNoShows {
		return time.Time{}
	}
	wait := firstWait
	for range n.Count - freeNoShows - 1 {
		wait = min(2*wait, longestWait)
	}
	return n.Last.Add(wait)
}
