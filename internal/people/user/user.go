// Package user holds the settings of players and the data stored about them, which players can see, export and delete.
package user

import (
	"context"
	"time"

	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
)

// MaxBlocked is the number of players that a player can block: as many as a menu can list.
const MaxBlocked = 25

// MaxExported is the largest number of matches in an export, and of challenges and of audit entries. The export has the latest
// of each. The bound keeps the file below the 10 MiB that Discord accepts.
const MaxExported = 2_500

// Settings holds the choices of a player. The zero value holds the defaults.
type Settings struct {
	NotTaking   bool         // the player takes no challenges
	MentionsOff bool         // the player gets no turn mentions
	TextBoard   bool         // boards have words on their squares in place of pictures
	Hidden      bool         // the player is named on no leaderboard, and others cannot see the profile
	Language    string       // the language of private messages, as Discord names it; empty: the language of the player's Discord
	Blocked     []match.User // in the order of their ids
	// Hashed is the number of blocked players whose data has been deleted since. They stay blocked, and their ids are kept only
	// as hashes.
	Hashed int
}

// Held counts the data stored about a player.
type Held struct {
	Name         string    // the name last seen; empty if none was seen
	Since        time.Time // the time of the first challenge, match, puzzle or audit entry; zero if there is none
	Matches      int       // matches, including those in progress
	Open         int       // matches in progress
	Challenges   int       // sent and received
	Scores       int       // entries: one for each venue, season, kind of opponent and rule set, and one for all rule sets together
	Ratings      int       // the number of ratings: one for each venue and rule set, regardless of seasons
	AuditEntries int       // the number of audit entries about what the user did as a moderator
	Lessons      int       // solved lessons of the course
	Puzzles      int       // puzzles begun, solved or not
	Crowds       int       // matches of crowds that the player began or, while they go on, voted in
	Roles        int       // roles for ranks, given or about to be given or taken back
	Arenas       int       // arenas entered
	Members      int       // servers of which the bot has asked whether the player is a member
	Bars         int       // bars against the player, and leaderboards that leave the player out
	Settings     Settings
}

// Data is all data stored about a player.
type Data struct {
	Held
	Entries    []score.Entry
	Ratings    []Rating
	Challenged []match.Challenge // sent and received: the latest MaxExported, oldest first
	Played     []Played          // the latest MaxExported, oldest first
	Crowds     []match.Match     // matches of crowds that the player began or, while they go on, voted in: the latest MaxExported, oldest first
	LeaveAlone []LeaveAlone
	Did        []policy.AuditEntry // what the user did as a moderator: the latest MaxExported entries, the oldest first
	Seasons    []season.Season     // seasons begun by the player, by venue and number
	Solved     []Lesson            // solved lessons of the course, by name
	Puzzles    []daily.Attempt     // the latest MaxExported, oldest first
	Listed     []match.Venue       // venues in which the player is listed as a solver of puzzles
	Hosted     []arena.Arena       // without entrants and pairings, the oldest first
	Entered    []Entered           // in the order of joining
	// PrivateLines are the private lines that the bot can still delete, by board.
	PrivateLines []PrivateLine
	Granted      []rankrole.Grant // roles for ranks, by venue and role
	Members      []match.Venue    // the servers of which the bot has asked whether the player is a member
	Barred       []policy.Bar     // by venue
	Unranked     []match.Venue    // venues in which a moderator took the player off the leaderboards
}

// Rating is the standing of a player on a ladder in a season.
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
	Rating rating.Rating // the player's rating after the match; the zero value if the match is not rated
	Other  rating.Rating // the opponent's value and deviation before the match; the zero value if the match is not rated
	// Judged reports whether a review of the match is stored. Review is the part of that review about the player.
	Judged bool
	Review profile.Side
}

// Entered says when and how a player has entered an arena.
type Entered struct {
	Arena match.ID
	arena.Entrant
}

// Lesson is a lesson of the course that a player has solved.
type Lesson struct {
	Name   string
	Solved time.Time // when the player first solved it
}

// PrivateLine is a private line under the board of a challenge or match.
type PrivateLine struct {
	Board match.ID
	Until time.Time // the time until which the bot can delete it
}

// LeaveAlone is a back-off, which follows challenges that were not accepted: until it ends, one player may not challenge another.
type LeaveAlone struct {
	Challenger match.User // the player who may not challenge; empty if it is another player
	Until      time.Time
}

// Store reads, writes and deletes the data of players.
type Store interface {
	Settings(ctx context.Context, p match.User) (Settings, error)
	// SetClosed sets whether a player takes no challenges.
	SetClosed(ctx context.Context, p match.User, closed bool) error
	// SetTextBoard sets whether the boards of a player have words on their squares in place of pictures.
	SetTextBoard(ctx context.Context, p match.User, on bool) error
	// SetHidden sets whether a player is left out of leaderboards by name and has no public profile.
	SetHidden(ctx context.Context, p match.User, hidden bool) error
	// Language returns the language of the player's settings.
	Language(ctx context.Context, p match.User) (string, error)
	// SetLanguage sets the language of a player; empty means the language of the player's Discord.
	SetLanguage(ctx context.Context, p match.User, language string) error
	// SetBlocked replaces the list of players whom a player blocks, at most MaxBlocked. Hashed ids stay blocked; blocking and
	// then unblocking the same player again removes the hashed id, too.
	SetBlocked(ctx context.Context, p match.User, blocked []match.User) error
	// Lessons returns the lessons that a player has solved, by name.
	Lessons(ctx context.Context, p match.User) ([]Lesson, error)
	// SolveLesson records that a player has solved a lesson. A lesson that is recorded already keeps its time.
	SolveLesson(ctx context.Context, p match.User, lesson string, at time.Time) error
	Held(ctx context.Context, p match.User) (Held, error)
	// Data returns all data about a player. With an error that wraps [match.ErrUnreadable] it returns the readable part.
	Data(ctx context.Context, p match.User) (Data, error)
	// Erase deletes everything that names a player, in one transaction. It first ends open matches and challenges, as
	// [match.Match.Leave] and [match.Challenge.Leave] do. Matches against people stay, with [match.Left] in the seat; matches
	// without a known player are deleted. Audit entries stay for the moderators, with [match.Left] as the user. The scores of
	// other players stay. Erase returns the ids of the matches and challenges that it ended, whose messages must be redrawn.
	// For an unknown player it does nothing. The argument form is the id of the interaction in which the player asked for the deletion,
	// or empty if an operator deletes the data. Erase carries out a form only once: if the form is delivered again, the error is
	// [claim.ErrTaken].
	Erase(ctx context.Context, p match.User, at time.Time, form string) ([]match.ID, error)
}
