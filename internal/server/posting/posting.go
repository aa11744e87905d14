// Package posting holds the posts that the bot makes in the channels of a venue by the calendar: the puzzle of each day, and a leaderboard
// each week or month.
package posting

import (
	"context"
	"strings"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
)

// Kind is a kind of posts. Databases store the text.
type Kind string

// The kinds.
const (
	Puzzle      Kind = "puzzle"
	Leaderboard Kind = "leaderboard"
)

// Every says how often something is posted. Databases store the text.
type Every string

// How often something is posted. Weeks begin on Monday. All days are in UTC.
const (
	Day   Every = "day"
	Week  Every = "week"
	Month Every = "month"
)

// Begin returns the first day of the day, week or month that contains a day.
func (e Every) Begin(day puzzle.Day) puzzle.Day {
	switch e {
	case Week:
		return day - (puzzle.Day(day.Weekday())+6)%7
	case Month:
		return day - puzzle.Day(day.Start().Day()) + 1
	}
	return day
}

// After returns the first day of the day, week or month after the one that contains a day.
func (e Every) After(day puzzle.Day) puzzle.Day {
	switch first := e.Begin(day); e {
	case Week:
		return first + 7
	case Month:
		return puzzle.DayOf(first.Start().AddDate(0, 1, 0))
	default:
		return first + 1
	}
}

// Post holds the settings and the state of the posts of one kind in a venue.
type Post struct {
	Venue   match.Venue
	Kind    Kind
	Channel string // "" if nothing is posted
	// Language is the language of public messages in the channel at the time of the choice, as Discord names it; "" if unknown.
	Language string
	Every    Every
	Board    string     // the leaderboard, as the menu of moderators names it; "" for puzzles
	Edit     bool       // the last post is edited, rather than a new one made
	Message  string     // the last post; "" if there is none in the channel
	Next     puzzle.Day // the first day on which the next post can be claimed
	Claimed  time.Time  // when the latest post was claimed; zero once its outcome is known
	Blocked  bool       // the bot was not allowed to write in the channel when it last tried
}

// edited is the last value of a choice if the last post is edited.
const edited = "edit"

// choice returns the settings of posts as audit entries have them: the channel, and for leaderboards the words of the board and how often.
// It is empty if nothing is posted.
func (p Post) choice() (values []string) {
	if p.Channel == "" {
		return nil
	}
	values = []string{p.Channel}
	if p.Kind == Leaderboard {
		values = append(append(values, strings.Fields(p.Board)...), string(p.Every))
	}
	if p.Edit {
		values = append(values, edited)
	}
	return values
}

// Choose sets the settings of posts to the values in an audit entry.
func (p *Post) Choose(values []string) {
	if p.Channel = ""; len(values) == 0 {
		return
	}
	p.Channel, values = values[0], values[1:]
	last := len(values) - 1
	if p.Edit = last >= 0 && values[last] == edited; p.Edit {
		last--
	}
	if last > 0 {
		p.Board, p.Every = strings.Join(values[:last], " "), Every(values[last])
	}
}

// Day returns the first day of the day, week or month in which a claimed post is made.
func (p Post) Day() puzzle.Day { return p.Every.Begin(p.Next - 1) }

// Store keeps the posts.
type Store interface {
	// Post returns the posts of a kind in a venue. The channel is empty if none was chosen.
	Post(ctx context.Context, v match.Venue, k Kind) (Post, error)
	// SetPost saves the settings of posts together with the audit entry and the names. They apply from the day p.Next on or, unless the
	// posts become more or less frequent, from the stored next day if that is later. A claimed post is not continued by another process.
	SetPost(ctx context.Context, p Post, entry policy.AuditEntry, names ...match.Name) error
	// DuePosts returns at most limit posts whose next day is today or earlier, ordered by that day and then by venue.
	DuePosts(ctx context.Context, k Kind, today puzzle.Day, limit int) ([]Post, error)
	// ClaimedPosts returns the posts that are claimed and not settled, in the order in which they were claimed.
	ClaimedPosts(ctx context.Context, k Kind) ([]Post, error)
	// ClaimPost claims the post of the day, week or month that contains today, and returns the claimed post. It has to be called before
	// the post is sent, so that there is at most one: if several processes claim the same post, all but one get the error
	// [match.ErrConflict].
	ClaimPost(ctx context.Context, p Post, today puzzle.Day, at time.Time) (Post, error)
	// ReleasePost gives up the claim on a post that was not sent, so that it can be claimed again, from the day next on.
	ReleasePost(ctx context.Context, claimed Post, next puzzle.Day) error
	// SettlePost records the outcome of a claimed post: it saves the channel, the message, the next day and Blocked of settled, and
	// the audit entry if it has an id. If another process or a moderator has changed the post since, SettlePost does nothing.
	SettlePost(ctx context.Context, claimed, settled Post, entry policy.AuditEntry) error
}
