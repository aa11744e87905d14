package match

import "time"

// Consent asks whether one player may ask another to play. If Other is empty, there is no opponent to ask.
type Consent struct {
	By, Other User
	Challenge bool // By asks with a new challenge, not by accepting one or by a rematch
	Open      bool // By accepts an open challenge of Other
	At        time.Time
}

// Given holds the stored settings and the history of the two players of a [Consent].
type Given struct {
	NotTaking bool      // Other takes no challenges
	Blocked   bool      // Other has blocked By
	Blocking  bool      // By has blocked Other
	LeftAlone time.Time // By must leave Other alone until then, by the [BackOff] between the two
	NoShows   NoShows   // the no-shows of By; they only matter for a new challenge
}

// Refuse returns nil if By may ask, else a [*Refusal]: Blocking, MissedMatches, NotOpen, NotTaking, TooSoon. No answer reveals to By that
// Other has blocked By. To a blocked player who challenges, Refuse gives the same answer as if the opponent took no challenges. An open
// challenge shows that its author takes challenges, so a blocked player who accepts one gets the answer NotOpen, which also has harmless
// reasons: a back-off, or too many open matches of the author.
func (c Consent) Refuse(g Given) error {
	switch {
	case g.Blocking:
		return &Refusal{Reason: Blocking, Player: c.Other}
	case c.Challenge && c.At.Before(g.NoShows.Until()):
		return &Refusal{Reason: MissedMatches, Until: g.NoShows.Until()}
	case c.Open && (g.Blocked || c.At.Before(g.LeftAlone)):
		return &Refusal{Reason: NotOpen, Player: c.Other}
	case g.Blocked, c.Challenge && g.NotTaking:
		return &Refusal{Reason: NotTaking, Player: c.Other}
	case c.Challenge && c.At.Before(g.LeftAlone):
		return &Refusal{Reason: TooSoon, Player: c.Other, Until: g.LeftAlone}
	}
	return nil
}

// BackOff says how long a challenger must leave a user alone after failed challenges. The zero value means that there
// were none.
type BackOff struct {
	// Weight counts the failed challenges: two for a declined one, one for a withdrawn or unanswered one. A single
	// withdrawn or unanswered challenge may be a mistake, so it costs nothing; several of them bother a user as much as
	// declined ones.
	Weight int
	Until  time.Time // when the user may be challenged again
}

// BackOffMemory is how long after its end a back-off still counts towards the next one.
const BackOffMemory = 24 * time.Hour

// ErasureMemory is how long the store remembers that a user's data was deleted, so that restoring a backup does not
// bring the data back. Backups older than this must be deleted.
const ErasureMemory = 90 * 24 * time.Hour

// After returns the back-off that follows when a challenge ends with a status at a time. An accepted challenge resets it.
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
	// The waits, indexed by half the weight. The last wait holds for all greater weights.
	waits := []time.Duration{0, 2 * time.Minute, 10 * time.Minute, time.Hour}
	b.Weight = min(b.Weight, 2*(len(waits)-1))
	if until := at.Add(waits[b.Weight/2]); until.After(b.Until) {
		b.Until = until
	}
	return b
}

// NoShows counts the matches within [NoShowMemory] that ended without a result because the player proposed them and did
// not show up.
type NoShows struct {
	Count int
	Last  time.Time // when the latest no-show happened
}

// NoShowMemory is the time for which a match that its proposer missed counts towards the wait before the next challenge.
const NoShowMemory = 24 * time.Hour

const (
	freeNoShows = 2 // this number of no-shows costs nothing, because any player may miss a match or two
	firstWait   = 10 * time.Minute
	longestWait = 6 * time.Hour
)

// Until returns when the player may challenge again, zero if at once: ten minutes after the third no-show of a day, and
// twice as long after each further no-show, up to six hours.
func (n NoShows) Until() time.Time {
	if n.Count <= freeNoShows {
		return time.Time{}
	}
	doubled := min(n.Count-freeNoShows-1, 10)
	return n.Last.Add(min(firstWait<<doubled, longestWait))
}
