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

// Gone is the shown version of a deleted message. It is greater than any version, so that such a board is never behind.
const Gone = math.MaxInt32

const (
	// MaxRefused is how often in a row Discord may refuse a drawing before the bot leaves the board alone.
	MaxRefused = 3
	// Left is the number of refusals that marks a board in a server that the bot has left.
	Left = math.MaxInt32
)

// ErrMoved means that another message than the clicked one shows the board.
var ErrMoved = errors.New("the board is shown in another message")

// Board is the message that shows a challenge and then the match it leads to.
type Board struct {
	ID      match.ID
	Guild   string // empty in direct messages
	Channel string
	Message string // empty until Discord has returned its id
	// Token is the token of the newest interaction with the message, by which the message can be edited until Expires. It is
	// empty if the bot posted the message by itself and no user has clicked on it. It is a secret and is never logged.
	Token   string
	Expires time.Time
	Member  bool // the bot may edit the message with its own token
	Shown   int  // the version that the message shows; 0 before it shows one, Gone once it is deleted
	Mention Mention
	// Locale is the language of the board, as Discord names it: in a server the server's language, elsewhere the language
	// of the player who began; empty if unknown.
	Locale string
	// Refused is how often in a row Discord has refused to let the bot draw the board, because the bot has no access to
	// the channel. A click on the board and a successful drawing reset it to zero, unless it is Left.
	Refused int
	Past    Place // the old message of a moved board, until it says where the board is now; zero if there is none
	// Edit names an edit of the message that may be under way, or was under way when its process ended. Until the edit is
	// settled, the message may show an older version than Shown. It is empty if there is no such edit.
	Edit string
}

// Place is the location of a message.
type Place struct{ Channel, Message string }

// GivenUp reports whether the bot has stopped drawing the board on its own, because Discord refused it too often.
func (b Board) GivenUp() bool { return b.Refused >= MaxRefused }

// Mention is the message that calls the side to move to its turn, or the proposer to a match that has begun.
type Mention struct {
	Ply     int    // the ply that it calls the player to play, counted from 1; 0 if there was no mention
	Message string // empty until Discord has returned its id, and if the player wants no mentions
}

// Reference records the message and channel of a command or a click. It is saved in the transaction of the change that
// the command or click requests.
//
// It replaces the recorded values, with three exceptions: an empty Message keeps the known message, the guild never
// changes, and outside of a guild the language never changes. Shown and Mention stay. Saving it fails with ErrMoved if
// the board is known to be in another message.
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

// Edit names an edit of a message outside of an interaction. It replaces the name of the previous edit.
type Edit struct {
	ID      match.ID
	Message string
	Name    string // unique, and not empty
}

// Shown records the version that a message shows now. An empty Message or Channel keeps the known one. It changes
// nothing if the version is older than the known version, or if the message is not the known message.
//
// Edit is the name of the edit that drew the version. It is empty for a reply, and for an edit after which an older
// version may still arrive. Saving it clears the board's Edit if the names are equal and Version is the newest stored
// version.
type Shown struct {
	ID      match.ID
	Version int
	Channel string
	Message string
	Edit    string
}

// Store reads and writes boards. References are written by the core's [match.Store.Save].
type Store interface {
	// Board returns the board of an id; the error is match.ErrNotFound if there is none.
	Board(ctx context.Context, id match.ID) (Board, error)
	// Boards returns the boards of several ids. Unknown ids are absent.
	Boards(ctx context.Context, ids ...match.ID) (map[match.ID]Board, error)
	// Behind returns the boards in servers of the partition that are behind: the message shows an older version than the
	// stored version, or may do so because of an edit. It returns the first limit boards with ids after the given one
	// (empty: from the start), in order.
	Behind(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error)
	// WithoutMention returns the matches whose boards may lack a mention: matches in progress between two people, in
	// servers of the partition where the bot is a member, whose recorded mention is for no ply or for a ply that has been
	// played, and whose boards are not given up. Not all of them need a mention. It returns the first limit ids after the given one (empty: from the start),
	// in order.
	WithoutMention(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error)
	// Reopen lets the bot draw the boards of a server again that were refused at least the given number of times, and
	// returns how many there are.
	Reopen(ctx context.Context, guild string, refused int) (int, error)
	// TurnMentionsOff reports whether a player has switched turn mentions off.
	TurnMentionsOff(ctx context.Context, p match.User) (bool, error)
	// SetTurnMentions switches a player's turn mentions off or on.
	SetTurnMentions(ctx context.Context, p match.User, off bool) error

	// Move moves a board to a new message: the reply to the interaction of the reference, whose Message is empty. The old
	// message becomes the board's Past, if the bot may still edit that message. The same interaction moves a board only
	// once. The error is a [*match.Refusal] if the venue does not permit it.
	Move(ctx context.Context, permit match.Permit, to Reference) error
	// BeginEdit records that a message is about to be edited outside of an interaction. The error is ErrMoved if the board
	// is in another message or does not exist.
	BeginEdit(ctx context.Context, e Edit) error
	// SaveShown records the versions that messages show now.
	SaveShown(ctx context.Context, shown ...Shown) error
	// SaveMention replaces the recorded mention was by is. The zero Mention means no mention. The error is
	// match.ErrConflict if another mention is recorded, or if the board does not exist.
	SaveMention(ctx context.Context, id match.ID, was, is Mention) error
	// SaveDeleted records that a message was found deleted. If it showed the board, the board then has no message.
	SaveDeleted(ctx context.Context, id match.ID, message string) error
	// SaveRefused counts one more refusal by Discord to let the bot draw the board.
	SaveRefused(ctx context.Context, id match.ID) error
	// SaveDeparted records that the old message of a moved board says where the board is now, and that the mention beside
	// the old message is deleted.
	SaveDeparted(ctx context.Context, id match.ID, message string) error
	// SaveGuildLeft records that the bot has left a server, so that its boards are left alone.
	SaveGuildLeft(ctx context.Context, guild string) error
}
