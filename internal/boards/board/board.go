// Package board says where a challenge or match is shown, so that its message can be brought up to date: after a loss on
// time, a restart, or a reply that never arrived.
package board

import (
	"context"
	"errors"
	"math"
	"time"

	"tictactoe/internal/match"
)

// Gone stands for the version that a deleted message shows. It is greater than any other, so that such a board is never
// behind.
const Gone = math.MaxInt32

const (
	// MaxRefused is how often in a row Discord may refuse to let the bot draw a board before the board is left alone.
	MaxRefused = 3
	// Left stands for the number of refusals of a board in a server that the bot has left.
	Left = math.MaxInt32
)

// ErrMoved means that another message than the clicked one shows the board.
var ErrMoved = errors.New("the board is shown in another message")

// Board is the message that shows a challenge and then the match it leads to.
type Board struct {
	ID      match.ID
	Guild   string // empty in direct messages
	Channel string
	Message string // empty until Discord has told its id
	// Token is the token of the newest interaction with the message, by which the message can be edited until Expires. It is
	// empty if the bot posted the message by itself and nobody has clicked on it. It is a secret and is never logged.
	Token   string
	Expires time.Time
	Member  bool // the bot may edit the message with its own token
	Shown   int  // the version that the message shows; 0 before it shows any, Gone once it is deleted
	Mention Mention
	// Locale is the language of the board, as Discord names it: the server's, elsewhere the language of the player who began;
	// empty if it is not known.
	Locale string
	// Refused is how often in a row Discord has not let the bot draw the board, because the channel is closed to the bot. It
	// is set to zero when somebody uses the board and when the board is drawn, unless it is Left.
	Refused int
	Past    Place // the message that showed the board before, until it says where the board is now; zero if there is none
	// Edit names an edit of the message that may be under way, or was when its process ended. Until that is settled, the
	// message may show an older version than Shown. It is empty if there is no such edit.
	Edit string
}

// Place is where a message is.
type Place struct{ Channel, Message string }

// GivenUp reports whether the bot has stopped drawing the board by itself, because Discord refused it too often.
func (b Board) GivenUp() bool { return b.Refused >= MaxRefused }

// Mention is the message that called the side to move to its turn, or the proposer to the match that has begun.
type Mention struct {
	Ply     int    // the ply that it called to, counted from 1; 0 if there has been no mention
	Message string // empty until Discord has told its id, and if the player does not want to be called
}

// Reference records where a command or a click came from. It is saved in the transaction of the change that the command or
// click asks for.
//
// It replaces what was recorded, with three exceptions: an empty Message keeps the known one, the guild never changes, and
// outside of a guild the language never changes. Shown and Mention stay. Saving it fails with ErrMoved if another message is
// known to show the board.
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

// Edit names an edit of a message outside of an interaction. It replaces the edit that the board named before.
type Edit struct {
	ID      match.ID
	Message string
	Name    string // unique, and not empty
}

// Shown records that a message shows a version now. An empty Message or Channel keeps the known one. It changes nothing if
// the version is older than the known one, or if the message is not the known one.
//
// Edit is the name of the edit that drew the version. It is empty for a reply, and for an edit after which an older version
// may still arrive. Saving it clears the edit that the board names, if the names are equal and Version is the newest version
// that is stored.
type Shown struct {
	ID      match.ID
	Version int
	Channel string
	Message string
	Edit    string
}

// Store reads and writes boards. References are written by the core's [match.Store.Save].
type Store interface {
	// Board returns where an id is shown; match.ErrNotFound if nowhere.
	Board(ctx context.Context, id match.ID) (Board, error)
	// Boards returns the boards of several ids. Unknown ids are absent.
	Boards(ctx context.Context, ids ...match.ID) (map[match.ID]Board, error)
	// Behind returns the boards in servers of the partition that are behind: the message shows an older version than the
	// stored one, or may do so because of an edit. They are the first limit ids after the given one (empty: from the start),
	// in order.
	Behind(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error)
	// WithoutMention returns the matches beside whose boards a mention may be missing: matches between two people that go
	// on, in servers of the partition where the bot is a member, whose recorded mention is for no ply or for one that has
	// been played. Not all of them need a mention. They are the first limit ids after the given one (empty: from the start),
	// in order.
	WithoutMention(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error)
	// Reopen lets the bot draw the boards of a server again that were refused at least so often, and returns their number.
	Reopen(ctx context.Context, guild string, refused int) (int, error)
	// TurnMentionsOff reports whether a player has switched turn mentions off.
	TurnMentionsOff(ctx context.Context, p match.User) (bool, error)
	// SetTurnMentions switches a player's turn mentions off or on.
	SetTurnMentions(ctx context.Context, p match.User, off bool) error

	// Move makes a board be shown in a new message, the reply to the interaction of the reference, whose Message is empty.
	// The message that showed it becomes its Past, if the bot may still edit that message. The same interaction moves a
	// board only once. The error is a [*match.Refusal] if the venue does not permit it.
	Move(ctx context.Context, permit match.Permit, to Reference) error
	// BeginEdit records that a message is about to be edited outside of an interaction. The error is ErrMoved if another
	// message shows the board, or if there is no board.
	BeginEdit(ctx context.Context, e Edit) error
	// SaveShown records what messages show now.
	SaveShown(ctx context.Context, shown ...Shown) error
	// SaveMention replaces the recorded mention was by is. The zero Mention stands for none. The error is match.ErrConflict
	// if another mention is recorded, or if there is no board.
	SaveMention(ctx context.Context, id match.ID, was, is Mention) error
	// SaveDeleted records that a message was found deleted. If it showed the board, no message shows it from then on.
	SaveDeleted(ctx context.Context, id match.ID, message string) error
	// SaveRefused records one more time that Discord did not let the bot draw the board.
	SaveRefused(ctx context.Context, id match.ID) error
	// SaveDeparted records that the Past of a board says where the board is now, and that the mention beside it is gone.
	SaveDeparted(ctx context.Context, id match.ID, message string) error
	// SaveGuildLeft records that the bot has left a server, so that its boards are left alone.
	SaveGuildLeft(ctx context.Context, guild string) error
}
