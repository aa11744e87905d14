package match

import (
	"context"
	"maps"
	"strconv"
	"time"

	"tictactoe/internal/match/clock"
)

// Look says how a player is shown.
type Look struct {
	Name      string // the latest known name; empty if unknown
	TextBoard bool   // the player wants words on the squares instead of pictures
	Hidden    bool   // other users cannot see the player's profile, and no leaderboard names the player
}

// Looks maps players to their looks. Unknown players are absent.
type Looks map[User]Look

// renamed returns the looks with the given names, and the given names that the looks did not have.
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

// Store keeps challenges and matches. Every method honours its context; a store that cannot answer in time returns [ErrBusy]. Lists hold
// complete values, oldest first; together with an error that wraps [ErrUnreadable], a list holds all values that can be read.
type Store interface {
	// Match returns a match with its looks, and Challenge a challenge. The error is ErrNotFound if the id is unknown,
	// ErrUnreadable if the stored values are invalid.
	Match(ctx context.Context, id ID) (Match, error)
	Challenge(ctx context.Context, id ID) (Challenge, error)
	// Find returns the match or challenge with an id. The errors are the same as for Match.
	Find(ctx context.Context, id ID) (Found, error)
	// CrowdIn returns the match in progress of a crowd in a channel, or ErrNotFound.
	CrowdIn(ctx context.Context, place string) (Match, error)
	// CrowdWins counts the matches in which a crowd has beaten a level: in a venue or, without a venue, in a channel.
	CrowdWins(ctx context.Context, v Venue, place, level string) (int, error)
	// OpenMatches returns the matches of a player that are in progress.
	OpenMatches(ctx context.Context, p User) ([]Match, error)
	// EndedMatches returns the matches of a player that ended at since or later.
	EndedMatches(ctx context.Context, p User, since time.Time) ([]Match, error)
	// PendingChallenges returns the pending challenges that a player has sent or received.
	PendingChallenges(ctx context.Context, p User) ([]Challenge, error)
	// Series counts the ended matches of a chain of rematches by seats and result, in any order. The chain is named by
	// the id of its first match.
	Series(ctx context.Context, series ID) ([]Past, error)
	// Games returns the ended matches of a chain, in any order.
	Games(ctx context.Context, series ID) ([]Match, error)
	// MoveTimes returns when the moves of a match were made, in order.
	MoveTimes(ctx context.Context, id ID) ([]time.Time, error)
	// Names returns the latest known names of players. Unknown players are absent.
	Names(ctx context.Context, players ...User) (map[User]string, error)
	// Looks returns how players are shown, their names included. Unknown players are absent.
	Looks(ctx context.Context, players ...User) (Looks, error)

	// Save writes the values of save in one transaction, or nothing if a condition does not hold. ErrExists: the id of a new value is
	// taken. ErrConflict: the stored version is not the version that was changed. A [*Refusal]: the permit, consent or quota is refused.
	// ErrUnsaved: no save can succeed at the moment, and the store has logged why.
	Save(ctx context.Context, save Save) error

	// TakeDue returns at most limit challenges and matches of the partition whose deadline is not after now. The latest deadlines come
	// first, compared by their minutes, so that a backlog of unreadable values, which stay due, does not keep out newly due ones. If
	// several stores share a database, the values are reserved for this store until the given time or until they change. If this process
	// dies, another store can take them after that. The same store may take them again at any time.
	TakeDue(ctx context.Context, p Partition, now time.Time, limit int, until time.Time) ([]ID, error)
	// NextDeadline returns the earliest deadline of the partition after the given time, without the deadlines that another
	// store has taken; zero if there is none.
	NextDeadline(ctx context.Context, p Partition, after time.Time) (time.Time, error)
	// LastSeen returns the latest saved Seen time of the partition, zero if there is none. If presence was recorded for
	// another number of partitions, it returns the earliest of their times.
	LastSeen(ctx context.Context, p Partition) (time.Time, error)
	// Credit moves the deadlines of the partition by the time that its players missed in a span, as [clock.Span.Credit]
	// computes it from the recorded presence, and records the time up to which players were heard, in one transaction.
	// Only Credit moves the recorded time back, after the clock was set back. It returns how many deadlines moved.
	//
	// Each value whose deadline moves gets a new version. If it moves by less than [BriefGap], an up-to-date board still
	// counts as up to date. Processes that share a database credit one after the other, and from then on each counts as a
	// process that hears the players, as after a Seen.
	Credit(ctx context.Context, p Partition, span clock.Span) (int, error)
}

// BriefGap is the shortest absence of the bot after which boards are redrawn. Discord closes a connection every now and then, and that
// should not cost an edit of every open board. After a shorter gap the countdowns on boards are too early by the gap, but the players still
// have the full time.
const BriefGap = 10 * time.Second

// Found holds the match or challenge of an id. Once the challenge has led to a match, it holds the match.
type Found struct {
	Match     *Match
	Challenge *Challenge
}

// expired returns the match or challenge as it is after its deadline, ready to be saved, and reports whether the
// deadline has passed.
func (f Found) expired(now time.Time) (save Save, due bool) {
	if f.Match != nil {
		next, due := f.Match.Expire(now)
		return Save{Matches: []MatchChange{{*f.Match, next}}}, due
	}
	next, due := f.Challenge.Expire(now)
	return Save{Challenge: ChallengeChange{*f.Challenge, next, now}}, due
}

// Past counts the ended matches with the same seats and result. A running score needs no more than that.
type Past struct {
	Seats  Seats
	Result Result
	Count  int
}

// Partition is one of several parts into which the venues are divided when several connections deliver the players'
// actions. A partition can lose its connection while the others keep theirs. The zero value is the partition of all
// venues.
//
// The partition of a venue follows from its id alone, like the shard of a server at Discord; see [PartitionOf]. So it
// is the same for every process, needs no column, and a store can compute it in SQL.
type Partition struct {
	Index int // from 0
	Of    int // the number of partitions; 0 is the same as 1
}

// PartitionOf returns the partition of a venue, for the given number of partitions: the id without its lowest 22 bits,
// modulo that number. An id that is not a number, such as the empty id of direct messages, belongs to the first
// partition.
func PartitionOf(v Venue, of int) Partition {
	p := Partition{Of: max(of, 1)}
	id, err := strconv.ParseUint(string(v), 10, 63)
	if err == nil {
		p.Index = int((id >> 22) % uint64(p.Of))
	}
	return p
}

// Count returns the number of partitions, at least 1.
func (p Partition) Count() int { return max(p.Of, 1) }
