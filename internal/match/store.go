package match

import (
	"context"
	"maps"
	"time"

	"tictactoe/internal/clock"
)

// Look is how a player is shown.
type Look struct {
	Name      string // as last seen; empty if it never was
	TextBoard bool   // wants words on the squares in place of pictures
	Hidden    bool   // shows others no profile, and is named on no leaderboard
}

// Looks are how players are shown; unknown players are absent.
type Looks map[User]Look

// renamed are the looks with these names, and those of the names that are new.
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
// [ErrBusy]. Lists are complete values, oldest first; beside an error that wraps [ErrUnreadable] a list holds all that can
// be read.
type Store interface {
	// Match, with its looks, and Challenge load one; ErrNotFound if there is none, ErrUnreadable if what is stored makes no sense.
	Match(ctx context.Context, id ID) (Match, error)
	Challenge(ctx context.Context, id ID) (Challenge, error)
	// Find is what there is under an id; the errors are those of Match.
	Find(ctx context.Context, id ID) (Found, error)
	// OpenMatches are the matches of a player that go on.
	OpenMatches(ctx context.Context, p User) ([]Match, error)
	// EndedMatches are the matches of a player that ended at since or later.
	EndedMatches(ctx context.Context, p User, since time.Time) ([]Match, error)
	// PendingChallenges are those from or to a player.
	PendingChallenges(ctx context.Context, p User) ([]Challenge, error)
	// Series counts the ended matches of a chain of rematches, those with the same seats and result together, in any order.
	Series(ctx context.Context, series ID) ([]Past, error)
	// Names are the names of players as last seen; unknown players are absent.
	Names(ctx context.Context, players ...User) (map[User]string, error)
	// Looks are how players are shown, their names included; unknown players are absent.
	Looks(ctx context.Context, players ...User) (Looks, error)

	// Save writes what that says in one transaction, or nothing of it if something of it does not hold. ErrExists: a new value's
	// id is taken. ErrConflict: a stored version is not the one the change started from. A [*Refusal]: a permit, consent or
	// quota is refused. ErrUnsaved: nothing can be saved by anybody, which the store itself has reported.
	Save(ctx context.Context, save Save) error

	// TakeDue are the challenges and matches of the partition whose deadline is at now or before, at most limit; latest first, to the minute, so
	// that those that cannot be acted on, and stay due, do not keep out those that become due after them. Where several
	// stores share a database this one holds them until then, unless they change before: no other takes them, and what was
	// held by a bot that died is taken again. The same store may take them as often as it likes.
	TakeDue(ctx context.Context, p Partition, now time.Time, limit int, until time.Time) ([]ID, error)
	// NextDeadline is the earliest deadline of the partition after a time, of those that no other store holds; zero if there is
	// none.
	NextDeadline(ctx context.Context, p Partition, after time.Time) (time.Time, error)
	// LastSeen is the latest time saved as Seen of the partition, zero if there is none. Where the record is of another number
	// of parts it is the earliest of theirs.
	LastSeen(ctx context.Context, p Partition) (time.Time, error)
	// Credit credits what players of the partition missed in a span, as [clock.Span.Credit] says by what is recorded as last
	// seen, and records until when they were heard, all in one transaction. That is the only way in which the record goes back,
	// with a clock that was set back. Each value whose deadline moves gets a new version; if it moves by less than [BriefGap], a
	// board that was up to date still is. It reports how many deadlines there were. Where several bots share a database one after
	// the other asks, and from then on counts as one that hears the players, as Seen says.
	Credit(ctx context.Context, p Partition, span clock.Span) (int, error)
}

// BriefGap is the time away from which on boards are redrawn for it. Discord ends a connection every now and then, and
// that should not cost an edit of every open board: below it their countdowns are short by as much, and players have the
// time all the same.
const BriefGap = 10 * time.Second

// Found is what there is under an id: the match, or while there is none the challenge that may lead to it.
type Found struct {
	Match     *Match
	Challenge *Challenge
}

// expired is what to save of it at its deadline; it reports false while that is not due.
func (f Found) expired(now time.Time) (save Save, due bool) {
	if f.Match != nil {
		next, due := f.Match.Expire(now)
		return Save{Matches: []MatchChange{{*f.Match, next}}}, due
	}
	next, due := f.Challenge.Expire(now)
	return Save{Challenge: ChallengeChange{*f.Challenge, next, now}}, due
}

// Past are ended matches of a kind, as a running score needs them.
type Past struct {
	Seats  Seats
	Result Result
	Count  int
}
