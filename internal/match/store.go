package match

import (
	"context"
	"maps"
	"strconv"
	"time"

	"tictactoe/internal/match/clock"
)

// Look is how a player is shown.
type Look struct {
	Name      string // as last seen; empty if it never was
	TextBoard bool   // wants words on the squares instead of pictures
	Hidden    bool   // shows others no profile, and is named on no leaderboard
}

// Looks are how players are shown. Unknown players are absent.
type Looks map[User]Look

// renamed returns the looks with the given names, and those of the names that are new.
func (l Looks) renamed(names []Name) (renamed Looks, news []Name) {
	for _, n := range names {
		look, known := l[n.Player]
		if known && look.Name == n.Name {
			continue
		}
		news = append(news, n)
		look.Name = n.Name
		l = maps.Clone(l)
		l[n.Player] = look
	}
	return l, news
}

// Store keeps challenges and matches. Every method honours its context; a store that cannot answer in time returns
// [ErrBusy]. Lists hold complete values, oldest first; beside an error that wraps [ErrUnreadable] a list holds all values
// that can be read.
type Store interface {
	// Match returns a match, with how it is shown, and Challenge a challenge. The error is ErrNotFound if there is none,
	// ErrUnreadable if the stored values make no sense.
	Match(ctx context.Context, id ID) (Match, error)
	Challenge(ctx context.Context, id ID) (Challenge, error)
	// Find returns the match or challenge with an id. The errors are those of Match.
	Find(ctx context.Context, id ID) (Found, error)
	// OpenMatches returns the matches of a player that go on.
	OpenMatches(ctx context.Context, p User) ([]Match, error)
	// EndedMatches returns the matches of a player that ended at since or later.
	EndedMatches(ctx context.Context, p User, since time.Time) ([]Match, error)
	// PendingChallenges returns the challenges from or to a player.
	PendingChallenges(ctx context.Context, p User) ([]Challenge, error)
	// Series returns the ended matches of a series, counted by seats and result, in any order.
	Series(ctx context.Context, series ID) ([]Past, error)
	// Names returns the names of players as last seen. Unknown players are absent.
	Names(ctx context.Context, players ...User) (map[User]string, error)
	// Looks returns how players are shown, their names included. Unknown players are absent.
	Looks(ctx context.Context, players ...User) (Looks, error)

	// Save writes save in one transaction, or nothing of it if a condition does not hold. ErrExists: the id of a new value
	// is taken. ErrConflict: a stored version is not the one that the change started from. A [*Refusal]: a permit, consent
	// or quota is refused. ErrUnsaved: nobody can save anything, which the store itself has reported.
	Save(ctx context.Context, save Save) error

	// TakeDue returns at most limit challenges and matches of the partition whose deadline is at now or before. The latest
	// come first, to the minute, so that those that cannot be acted on, and stay due, do not keep out those that become due
	// after them. Where several stores share a database, this store holds them until the given time, unless they change
	// before: no other store takes them. Another store may take them after that, if this process has died. The same store
	// may take them again at any time.
	TakeDue(ctx context.Context, p Partition, now time.Time, limit int, until time.Time) ([]ID, error)
	// NextDeadline returns the earliest deadline of the partition after a time, of those that no other store holds; zero if
	// there is none.
	NextDeadline(ctx context.Context, p Partition, after time.Time) (time.Time, error)
	// LastSeen returns the latest time that was saved as Seen of the partition, zero if there is none. If presence was
	// recorded for another number of partitions, it returns the earliest of their times.
	LastSeen(ctx context.Context, p Partition) (time.Time, error)
	// Credit credits what players of the partition missed in a span, as [clock.Span.Credit] says by the recorded presence,
	// and records up to when they were heard, in one transaction. Only Credit moves the recorded time back, if the clock was
	// set back. It returns how many deadlines moved.
	//
	// Each value whose deadline moves gets a new version. If it moves by less than [BriefGap], a board that was up to date
	// still is. Where several processes share a database they credit one after the other, and each counts from then on as a
	// process that hears the players, as after a Seen.
	Credit(ctx context.Context, p Partition, span clock.Span) (int, error)
}

// BriefGap is the shortest time away for which boards are redrawn. Discord ends a connection every now and then, and that
// should not cost an edit of every open board. Below BriefGap the countdowns on boards are short by the time away, but the
// players have that time all the same.
const BriefGap = 10 * time.Second

// Found is the match or challenge with an id: the match, or while there is none the challenge that may lead to it.
type Found struct {
	Match     *Match
	Challenge *Challenge
}

// expired returns what to save of the match or challenge at its deadline, and reports whether that has passed.
func (f Found) expired(now time.Time) (save Save, due bool) {
	if f.Match != nil {
		next, due := f.Match.Expire(now)
		return Save{Matches: []MatchChange{{*f.Match, next}}}, due
	}
	next, due := f.Challenge.Expire(now)
	return Save{Challenge: ChallengeChange{*f.Challenge, next, now}}, due
}

// Past counts ended matches with the same seats and result, as a running score needs them.
type Past struct {
	Seats  Seats
	Result Result
	Count  int
}

// Partition is one of several parts into which the venues are divided, if several connections deliver what players do:
// whether the players of one partition are heard does not depend on the others. The zero value is the partition of all
// venues.
//
// The partition of a venue follows from its id alone, as the shard of a server does at Discord; see [PartitionOf]. So it is
// the same for every process, needs no column, and a store can compute it in its own language.
type Partition struct {
	Index int // from 0
	Of    int // how many partitions there are; 0 is the same as 1
}

// PartitionOf returns the partition of a venue, one of the given number: the id without its lowest 22 bits, modulo that
// number. An id that is not a number, such as the empty one of direct messages, belongs to the first partition.
func PartitionOf(v Venue, of int) Partition {
	p := Partition{Of: max(of, 1)}
	id, err := strconv.ParseUint(string(v), 10, 63)
	if err == nil {
		p.Index = int((id >> 22) % uint64(p.Of))
	}
	return p
}

// Count returns how many partitions there are, at least 1.
func (p Partition) Count() int { return max(p.Of, 1) }
