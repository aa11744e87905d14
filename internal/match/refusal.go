package match

import (
	"errors"
	"fmt"
	"time"
)

// Reason is the reason why a request is refused. It is an error, so that errors.Is can compare it.
type Reason string

// The reasons. Each has a text in internal/show/locale, whose tests read this list.
const (
	Unknown         Reason = "no such match or challenge"
	Stranger        Reason = "not a player of this match"
	NotYourTurn     Reason = "the other side is to move"
	SquareTaken     Reason = "the square is taken"
	NoSuchSquare    Reason = "no such square on this board"
	Stale           Reason = "the request was made against an older state"
	Finished        Reason = "the match is over"
	TimeUp          Reason = "the time to move or to answer had run out"
	AwaitingRematch Reason = "the other player has to agree to the rematch"

	AskedAlready Reason = "one can ask once after each own move"
	OwnWish      Reason = "the other player has to answer"

	OtherTeam    Reason = "the person has voted for the other side"
	CrowdPlaying Reason = "a crowd is playing in this place already"

	NoHints Reason = "there are no hints in matches between people"

	OwnChallenge   Reason = "one cannot accept or decline one's own challenge"
	NotChallenged  Reason = "the challenge is for somebody else"
	NotChallenger  Reason = "only the challenger can withdraw a challenge"
	ChallengeOver  Reason = "the challenge was answered, withdrawn or has expired"
	SelfChallenge  Reason = "one cannot challenge oneself"
	AlreadyPending Reason = "a challenge between these two is waiting for an answer"
	TooManyYours   Reason = "too many open matches and challenges"
	TooManyTheirs  Reason = "the other player has too many open matches"
	TooManyPair    Reason = "these two have too many open matches"
	TooManyPosts   Reason = "too many public posts in this place within a minute"
	UnknownLevel   Reason = "no computer of that level"
	WrongPlace     Reason = "the venue wants its matches elsewhere"
	LevelWithheld  Reason = "the venue does not offer that level"
	BoardWithheld  Reason = "the venue does not offer that board"

	NotTaking Reason = "the other player takes no challenges"
	NotOpen   Reason = "the open challenge is not for this player"
	Blocking  Reason = "one cannot ask a player whom one has blocked"
	TooSoon   Reason = "the other player is to be left alone for a while"
	HasLeft   Reason = "the other player has left"

	Barred      Reason = "the player may not play in this venue"
	VenueBarred Reason = "nobody may play in this venue"
	OtherBarred Reason = "the other player may not play in this venue"
	OwnBar      Reason = "a moderator cannot decide about himself"

	MissedMatches Reason = "the player did not show up for several matches that he asked for"

	Undone      Reason = "it has been undone already"
	UndoExpired Reason = "it can no longer be undone"
	CutShort    Reason = "the match was voided while it went on"
	NotLatest   Reason = "another season has begun since"
	// ChangedSince refuses to undo a setting that was changed again.
	ChangedSince Reason = "the setting was changed again"
)

func (r Reason) Error() string { return string(r) }

// Refusal is the answer to a request that was understood and turned down. It carries the current state of the match or
// challenge.
type Refusal struct {
	Reason    Reason
	Match     *Match     // the current match, if the request was about a match
	Challenge *Challenge // the current challenge, if the request was about a challenge
	Limit     int        // the limit that was reached, for the TooMany reasons
	Player    User       // the other player, for TooManyTheirs, NotTaking, NotOpen, Blocking, TooSoon and OtherBarred
	Until     time.Time  // when the player may try again, for TooSoon, MissedMatches, TooManyPosts and Barred (zero: never); when the time to undo ended, for UndoExpired
	Allowed   []string   // the values that the venue allows: places for WrongPlace, levels for LevelWithheld, boards for BoardWithheld
}

func (r *Refusal) Error() string {
	switch {
	case r.Match != nil:
		return fmt.Sprintf("match %s: %s", r.Match.ID, r.Reason)
	case r.Challenge != nil:
		return fmt.Sprintf("challenge %s: %s", r.Challenge.ID, r.Reason)
	default:
		return string(r.Reason)
	}
}

// Unwrap makes errors.Is find the reason.
func (r *Refusal) Unwrap() error { return r.Reason }

// The errors of a store, which may be wrapped.
var (
	ErrNotFound   = errors.New("not found")
	ErrExists     = errors.New("exists already")
	ErrConflict   = errors.New("another writer came first")
	ErrBusy       = errors.New("the store is busy")
	ErrUnreadable = errors.New("cannot be read")                      // the stored values are invalid
	ErrUnsaved    = errors.New("the store cannot save at the moment") // the disk is full, for example
)
