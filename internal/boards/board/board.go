// Package board records which message shows a challenge or match, so that the bot can bring the message up to date after a loss on time, a
// restart, or a reply that never arrived.
package board

import (
	"context"
	"errors"
	"math"
	"time"

	"tictactoe/internal/match"
)

// Gone is the value of Shown for a deleted message. It is greater than any version, so that such a board is never behind.
const Gone = math.MaxInt32

const (
	// MaxRefused is how often in a row Discord may refuse a drawing before the bot leaves the board alone.
	MaxRefused = 3
	// Left is the value of Refused that marks a board in a server that the bot has left.
	Left = math.MaxInt32
)

// ErrMoved means that the board is now shown in another message than the one that was to be changed.
var ErrMoved = errors.New("the board is shown in another message")

// Board is the record of the message that shows a challenge and, once it is accepted, the match.
type Board struct {
	ID      match.ID
	Guild   string // empty in direct messages
	Channel string
	Message string // empty until Discord has returned its id
	// Token is the token of the newest interaction with the message. Until Expires, the message can be edited with it. Token is empty if
	// the bot posts the message without an interaction and nobody has clicked on it. It is a secret and is never logged.
	Token   string
	Expires time.Time
	Member  bool // the bot may edit the message with its own token
	Shown   int  // the version that the message shows; 0 before it shows one, Gone once it is deleted
	Mention Mention
	// Locale is the language of the board, as Discord names it. In a server it is the server's language, and outside of servers the
	// language of the player who began. It is empty if unknown.
	Locale string
	// Refused counts how often in a row Discord has refused to let the bot draw the board, because the bot has no access to the channel. A
	// click on the board or a successful drawing sets it to zero, unless it is Left.
	Refused int
	Past    Place // the old message of a moved board, until that message says where the board is now; zero if there is none
	// Edit names an edit of the message that may be under way, or was under way when its process ended. Until the edit is
	// settled, the message may show an older version than Shown. If Message is empty, Edit names the post of the message, which may have
	// arrived. It is empty if there is no such edit or post.
	Edit string
	// Small is set once the board of an ended match shrinks to one line, and stays set.
	Small bool
}

// Place is the location of a message.
type Place struct{ Channel, Message string }

// GivenUp reports whether the bot has stopped drawing the board on its own, because Discord refused it too often.
func (b Board) GivenUp() bool { return b.Refused >= MaxRefused }

// Mention is the message beside a board that calls the side to move to its turn, or the proposer to a match that has begun.
type Mention struct {
	Ply     int    // the number of the ply that the player is called to play, from 1; 0 if there is no mention
	Message string // empty until Discord has returned its id, and if the player wants no mentions
}

// Reference updates the record of a board with the message and channel of a command or a click. It is saved in the same transaction as the
// change that the command or click requests.
//
// Saving a reference replaces the recorded values, with three exceptions: an empty Message keeps the known message, the guild never
// changes, and outside of a guild the language never changes. Shown and Mention stay. Saving fails with ErrMoved if the record says that
// another message shows the board.
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

// Extra makes Reference a [match.Extra], so that it can be saved together with a match.
func (Reference) Extra() {}

// Edit records that an edit of a message outside of an interaction is about to begin. It replaces the record of the previous edit. Without
// a message it records that a new message is about to be posted, or, without a name, that this did not happen.
type Edit struct {
	ID      match.ID
	Message string
	Name    string // unique
	Was     string // the recorded name that is replaced; of no account if there is a message
}

// Shown records the version that a message shows now. An empty Message or Channel keeps the known one. Nothing changes if the version is
// older than the known one, or if another message is known to show the board.
//
// Edit is the name of the edit that drew the version. It is empty for a reply, and for an edit after which an older version may still
// arrive. If it equals the board's Edit and Version is the newest stored version, saving clears the board's Edit.
type Shown struct {
	ID      match.ID
	Version int
	Channel string
	Message string
	Edit    string
}

// Store reads and writes boards. References are written by the core's [match.Store.Save].
type Store interface {
	// Board returns the board of a challenge or match. The error is match.ErrNotFound if there is none.
	Board(ctx context.Context, id match.ID) (Board, error)
	// Boards returns the boards of several ids. Unknown ids are absent.
	Boards(ctx context.Context, ids ...match.ID) (map[match.ID]Board, error)
	// Behind returns which boards in servers of the partition are behind: their message shows an older version than the stored one, or may
	// show one because of an edit. It returns at most limit ids, in order, that follow the id after; if after is empty, it begins with the
	// first.
	Behind(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error)
	// Untidy returns the boards in servers of the partition that have to be small by the given time and are not yet, at most limit, the
	// earliest first. When a board becomes small is recorded when its match ends, if the server wants that.
	Untidy(ctx context.Context, p match.Partition, by time.Time, limit int) ([]match.ID, error)
	// Shrink records that boards from Untidy are small, and the name of an edit that draws them, so that they count as behind until then.
	Shrink(ctx context.Context, edit string, ids ...match.ID) error
	// WithoutMention returns the matches whose boards may lack a mention. They are in progress between two people, in servers of the
	// partition where the bot is a member; their recorded mention is for no ply or for one that has been played; and their boards are not
	// given up. Not all of them need a mention. limit and after are as for Behind.
	WithoutMention(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error)
	// Reopen sets Refused to zero for the boards of a server that Discord refused at least the given number of times, so that the bot draws
	// them again. It returns their number.
	Reopen(ctx context.Context, guild string, refused int) (int, error)
	// TurnMentionsOff reports whether a player has switched turn mentions off.
	TurnMentionsOff(ctx context.Context, p match.User) (bool, error)
	// SetTurnMentions switches a player's turn mentions off or on.
	SetTurnMentions(ctx context.Context, p match.User, off bool) error

	// Move records that a board moves to a new message, which is the reply to the interaction of the reference and has no id yet. The old
	// message becomes the board's Past, if the bot can still edit it. A repeated call with the same interaction and channel changes nothing. The error
	// is a [*match.Refusal] if the venue does not permit the move.
	Move(ctx context.Context, permit match.Permit, to Reference) error
	// BeginEdit records that the message of a board is about to be edited outside of an interaction, or posted. The error is ErrMoved if
	// another message shows the board, if there is no such board, or if another post than Was is recorded.
	BeginEdit(ctx context.Context, e Edit) error
	// SaveShown records the versions that messages show now.
	SaveShown(ctx context.Context, shown ...Shown) error
	// SaveMention replaces the recorded mention by a new one. A zero Mention means none. The error is match.ErrConflict if the recorded
	// mention is not equal to expected, or if there is no such board.
	SaveMention(ctx context.Context, id match.ID, expected, replacement Mention) error
	// SaveDeleted records that a message is deleted. If it was the message of the board, the board then has no message.
	SaveDeleted(ctx context.Context, id match.ID, message string) error
	// SaveRefused adds one to the board's Refused.
	SaveRefused(ctx context.Context, id match.ID) error
	// SaveDeparted records that the old message of a moved board says where the board is now, and that the mention beside
	// the old message is deleted.
	SaveDeparted(ctx context.Context, id match.ID, message string) error
	// SaveGuildLeft records that the bot has left a server, so that it no longer draws the boards there.
	SaveGuildLeft(ctx context.Context, guild string) error
}
