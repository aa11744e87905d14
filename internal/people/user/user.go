// Package user is what players say about themselves, and what is known of them: to be shown, handed out and deleted.
package user

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
)

// MaxBlocked is how many players one can block, which is what fits a menu.
const MaxBlocked = 25

// MaxExported bounds the matches of an export, its challenges and its audit entries, the latest of each, so that the file is one that Discord
// takes: at most 10 MiB.
const MaxExported = 2_500

// Settings are what a player has chosen. The zero value is that of one who has chosen nothing.
type Settings struct {
	NotTaking   bool         // takes no challenges
	MentionsOff bool         // wants no turn mentions
	TextBoard   bool         // wants words on the squares of boards in place of pictures
	Hidden      bool         // is named on no leaderboard, and shows others no profile
	Language    string       // of what only the player sees, as Discord names it; empty: that of the player's Discord
	Blocked     []match.User // in the order of their ids
	// Hashed is how many of those blocked have had their data deleted since. They stay blocked, and nobody can tell who
	// they are.
	Hashed int
}

// Held is how much is known of a player.
type Held struct {
	Name         string    // as last seen; empty if it never was
	Since        time.Time // of the first challenge, match, puzzle or audit entry; zero if there is none
	Matches      int       // those that go on included
	Open         int       // those that go on
	Challenges   int       // sent and received
	Scores       int       // entries, one for each place, season, kind of opponent and board, and one for all boards
	Ratings      int       // one for each venue and rule set, of however many seasons
	AuditEntries int       // as a moderator
	Lessons      int       // of the course that were solved
	Puzzles      int       // begun, whatever became of them
	Settings     Settings
}

// Data is everything that is known of a player.
type Data struct {
	Held
	Entries    []score.Entry
	Ratings    []Rating
	Challenged []match.Challenge // sent and received: the latest MaxExported, oldest first
	Played     []Played          // the latest MaxExported, oldest first
	LeaveAlone []LeaveAlone
	Did        []policy.AuditEntry // as a moderator: the latest MaxExported, oldest first
	Seasons    []season.Season     // that the player has begun, by venue and number
	Solved     []Lesson            // of the course, by their names
	Puzzles    []daily.Attempt     // the latest MaxExported, oldest first
	Listed     []match.Venue       // where the player is listed among those who have solved puzzles
	// PrivateLines are those that the bot can still delete, by their boards.
	PrivateLines []PrivateLine
}

// Rating is how a player stands on a ladder in a season.
type Rating struct {
	Venue  match.Venue
	Rules  string
	Season int
	ladder.Standing
}

// Played is a match with the time of each of its moves.
type Played struct {
	match.Match
	Moved  []time.Time
	Rating rating.Rating // of the player after it; the zero value if it counts for none
	Other  rating.Rating // value and deviation of the opponent before it; zero likewise
	// Judged tells whether its review is kept, which says Review of the player.
	Judged bool
	Review profile.Side
}

// Lesson is one of the course that a player has solved.
type Lesson struct {
	Name   string
	Solved time.Time // for the first time
}

// PrivateLine is a private line under the board of a challenge or match.
type PrivateLine struct {
	Board match.ID
	Until time.Time // the bot can delete it
}

// LeaveAlone is a back-off: whom the player has to leave alone, or who has to leave the player alone.
type LeaveAlone struct {
	Challenger match.User // empty if that is somebody else
	Until      time.Time
}

// Store reads, writes and deletes what is known of players.
type Store interface {
	Settings(ctx context.Context, p match.User) (Settings, error)
	// SetClosed says whether a player takes no challenges.
	SetClosed(ctx context.Context, p match.User, closed bool) error
	// SetTextBoard says whether the boards of a player have words on their squares in place of pictures.
	SetTextBoard(ctx context.Context, p match.User, on bool) error
	// SetHidden says whether a player is named on no leaderboard and shows others no profile.
	SetHidden(ctx context.Context, p match.User, hidden bool) error
	// Language is that of the player's settings, alone.
	Language(ctx context.Context, p match.User) (string, error)
	// SetLanguage says which language a player wants; empty: that of the player's Discord.
	SetLanguage(ctx context.Context, p match.User, language string) error
	// SetBlocked says whom a player blocks, MaxBlocked at most, in place of whom he blocked before. Those who are hashed stay
	// so, except that to block one of them and to stop doing so ends that too.
	SetBlocked(ctx context.Context, p match.User, blocked []match.User) error
	// Lessons are those of the course that a player has solved, by their names.
	Lessons(ctx context.Context, p match.User) ([]Lesson, error)
	// SolveLesson keeps that a player has solved a lesson. What is kept already stays.
	SolveLesson(ctx context.Context, p match.User, lesson string, at time.Time) error
	Held(ctx context.Context, p match.User) (Held, error)
	// Data is all that is known of a player. Beside an error that wraps [match.ErrUnreadable] stands what can be read.
	Data(ctx context.Context, p match.User) (Data, error)
	// Erase deletes everything that names a player, in one transaction. What goes on is ended first, as [match.Match.Leave]
	// and [match.Challenge.Leave] end it. Matches against people stay, with [match.Left] in the seat; those in which nobody
	// is known any more are deleted. Audit entries stay for the moderators, as those of [match.Left]. Scores of the others stay as they are. It reports what has ended by it, to be redrawn.
	// For a player of whom nothing is known it does nothing.
	Erase(ctx context.Context, p match.User, at time.Time) ([]match.ID, error)
}
