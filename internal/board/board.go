// Package board remembers where a challenge or match is shown, so that what is shown can be made true again: after a
// loss on time, a restart, or a reply that never arrived.
package board

import (
	"context"
	"errors"
	"math"
	"time"

	"tictactoe/internal/match"
)

// Gone stands for the version that a deleted message shows: there is nothing left that could be behind.
const Gone = math.MaxInt32

const (
	// MaxRefused is how often in a row Discord may refuse to let the bot draw a board before it is left alone.
	MaxRefused = 3
	// Left stands for the number of refusals of a board in a server that the bot is not in any more.
	Left = math.MaxInt32
)

// ErrMoved: the message that was clicked does not show the board any more, another one does.
var ErrMoved = errors.New("the board is shown in another message")

// Board is the message that shows a challenge and then the match it leads to.
type Board struct {
	ID      match.ID
	Guild   string // empty in direct messages
	Channel string
	Message string // empty until Discord has told its id
	// Token is the newest interaction token that came from the message; it edits the message until Expires. It is empty if
	// nobody has used the message, which the bot then posted by itself. It is a secret: it is never logged.
	Token   string
	Expires time.Time
	Member  bool // the bot may edit the message with its own token
	Shown   int  // the version the message shows; 0 before it shows any, Gone once it is deleted
	Mention Mention
	// Locale is the language of the board, as Discord names it: the server's, elsewhere that of whoever began; empty if it
	// is not known.
	Locale string
	// Refused is how often in a row Discord has not let the bot draw the board: the channel is closed to it. Whoever uses
	// the board, and a board that was drawn, sets it back, but for Left.
	Refused int
	Past    Place // the message that showed the board before, until that says so; zero without one
	// Edit names the edit of the message that may be under way, or that was when its process ended: whatever Shown says,
	// the message may show something older. Empty without one.
	Edit string
}

// Place is a message.
type Place struct{ Channel, Message string }

// GivenUp tells whether the bot draws the board no more by itself, for it was refused too often.
func (b Board) GivenUp() bool { return b.Refused >= MaxRefused }

// Mention is the message that called the side to move to its turn, or the proposer to the match that has begun.
type Mention struct {
	Ply     int    // the ply it was for, counted from 1; 0 if there has been none
	Message string // empty until Discord has told its id, and if the player is not to be called
}

// Reference says that a message was seen, in a command or a click: saved in the transaction of the change it asks for.
// It replaces what was known, except that an empty Message keeps the known one, and that the guild never changes, nor the
// language outside of one. Shown and Mention stay. Saving it fails with ErrMoved if another message is known to show the
// board.
type Reference struct {
	ID      match.ID
	Guild   string
	Channel string
	Message string
	Token   string
	Expires time.Time
	Member  bool
	Locale  string
}

// Extra lets a reference be saved with a [match.Save].
func (Reference) Extra() {}

// Edit names an edit of a message outside of an interaction: it takes the place of an edit that was named before.
type Edit struct {
	ID      match.ID
	Message string
	Name    string // of no other edit, and not empty
}

// Shown says that a message shows a version now. An empty Message or Channel keeps the known one; a version older than
// the known one changes nothing, nor does what another message than the known one shows.
//
// Edit is the name of the edit that did it, empty for a reply and for an edit after which something older may still arrive. Saving it
// clears the edit that the board names, if that is this one and Version is the newest version that is stored.
type Shown struct {
	ID      match.ID
	Version int
	Channel string
	Message string
	Edit    string
}

// Store reads and writes boards. References are written by the core's [match.Store.Save].
type Store interface {
	// Board is where an id is shown; match.ErrNotFound if nowhere.
	Board(ctx context.Context, id match.ID) (Board, error)
	// Boards are those of several ids; unknown ones are absent.
	Boards(ctx context.Context, ids ...match.ID) (map[match.ID]Board, error)
	// Behind are the ids in servers of the partition whose message shows an older version than the stored one, or may for the sake
	// of an edit, in the order of the ids, after the given one (empty: from the start), at most limit.
	Behind(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error)
	// Uncalled are the ids of the matches between two people that go on in servers of the partition where the bot is a member, and
	// whose mention is for no ply or for one that has been played, in the order of the ids, after the given one (empty: from the
	// start), at most limit. Not all of them want a mention.
	Uncalled(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error)
	// Reopen lets the bot try again to draw the boards of a server that were refused at least so often, and returns how
	// many those are.
	Reopen(ctx context.Context, guild string, refused int) (int, error)
	// TurnMentionsOff tells whether a player has switched turn mentions off.
	TurnMentionsOff(ctx context.Context, p match.User) (bool, error)
	// SetTurnMentions switches a player's turn mentions off or on.
	SetTurnMentions(ctx context.Context, p match.User, off bool) error

	// Move lets a board be shown in a new message, the reply to the interaction of the reference, whose Message is empty. What
	// showed it becomes its Past, if the bot may still edit that. The same interaction moves it once. A [*match.Refusal] says
	// that there is no permit.
	Move(ctx context.Context, permit match.Permit, to Reference) error
	// BeginEdit says that a message is about to be edited outside of an interaction. ErrMoved: another message shows the board,
	// or there is no board.
	BeginEdit(ctx context.Context, e Edit) error
	// SaveShown says what messages show now.
	SaveShown(ctx context.Context, shown ...Shown) error
	// SaveMention says which message calls a player now, in place of the one that was known; the zero Mention says that none does.
	// match.ErrConflict: another one is known, or there is no board.
	SaveMention(ctx context.Context, id match.ID, was, is Mention) error
	// SaveDeleted says that a message was found deleted: if it showed the board, that is shown nowhere.
	SaveDeleted(ctx context.Context, id match.ID, message string) error
	// SaveRefused counts that Discord did not let the bot draw the board.
	SaveRefused(ctx context.Context, id match.ID) error
	// SaveDeparted says that the Past of a board says where the board is now, and mentions nobody any more.
	SaveDeparted(ctx context.Context, id match.ID, message string) error
	// SaveGuildLeft says that the bot is not in a server any more: its boards are left alone.
	SaveGuildLeft(ctx context.Context, guild string) error
}
