// Package board remembers where a challenge or match is shown, so that what is shown can be made true again: after a
// loss on time, a restart, or a reply that never arrived.
package board

import (
	"context"
	"math"
	"time"

	"tictactoe/internal/match"
)

// Gone stands for the version that a deleted message shows: there is nothing left that could be behind.
const Gone = math.MaxInt32

// Board is the message that shows a challenge and then the match it leads to.
type Board struct {
	ID      match.ID
	Guild   string // empty in direct messages
	Channel string
	Message string // empty until Discord has told its id
	// Token is the newest interaction token that came from the message; it edits the message until Expires. It is a
	// secret: it is never logged.
	Token   string
	Expires time.Time
	Member  bool // the bot may edit the message with its own token
	Shown   int  // the version the message shows; 0 before it shows any, Gone once it is deleted
	Mention Mention
}

// Mention is the message that called the side to move to its turn.
type Mention struct {
	Ply     int // the ply it was for, counted from 1; 0 if there has been none
	Message string
}

// Sighting says that a message was seen, in a command or a click: saved in the transaction of the change it asks for.
// It replaces what was known, except that an empty Message keeps the known one; Shown and Mention stay.
type Sighting struct {
	ID      match.ID
	Guild   string
	Channel string
	Message string
	Token   string
	Expires time.Time
	Member  bool
}

// Change lets a sighting be saved beside the core's changes.
func (Sighting) Change() {}

// Shown says that a message shows a version now. An empty Message or Channel keeps the known one; a version older than
// the known one changes nothing.
type Shown struct {
	ID      match.ID
	Version int
	Channel string
	Message string
}

// Change lets it be saved with others.
func (Shown) Change() {}

// Mentioned says which message calls the side to move now; the zero Mention says that none does.
type Mentioned struct {
	ID match.ID
	Mention
}

// Change lets it be saved with others.
func (Mentioned) Change() {}

// Quiet switches a player's turn mentions off or on.
type Quiet struct {
	Player match.Player
	Off    bool
}

// Change lets it be saved with others.
func (Quiet) Change() {}

// Store reads and writes boards. Writing goes through the core's Save.
type Store interface {
	// Board is where an id is shown; match.ErrNotFound if nowhere.
	Board(ctx context.Context, id match.ID) (Board, error)
	// Boards are those of several ids; unknown ones are absent.
	Boards(ctx context.Context, ids ...match.ID) (map[match.ID]Board, error)
	// Behind are the ids whose message shows an older version than the stored one, in the order of the ids, after the
	// given one (empty: from the start), at most limit.
	Behind(ctx context.Context, after match.ID, limit int) ([]match.ID, error)
	// IsQuiet tells whether a player has switched turn mentions off.
	IsQuiet(ctx context.Context, p match.Player) (bool, error)
	Save(ctx context.Context, changes ...match.Change) error
}
