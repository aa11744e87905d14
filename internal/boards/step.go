package boards

import (
	"context"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
)

// subject is what a board shows: the match, or while there is none the challenge.
type subject struct {
	match     *match.Match
	challenge match.Challenge
	version   int
}

// notified returns the users who are notified of a message that is posted anew: the opponent of a pending challenge, who may
// not have seen it. The board still has the token of the command in that case. If the message was seen and deleted, the
// token was forgotten.
func (s subject) notified(b board.Board) []string {
	if s.match == nil && s.challenge.Status == match.Pending && b.Token != "" {
		return []string{string(s.challenge.To)}
	}
	return nil
}

// matters reports whether a player still has something to do or to learn, so that a board that was deleted is posted again.
// That a rematch was declined or has expired is not enough.
func (s subject) matters() bool {
	if s.match == nil {
		return s.challenge.Status == match.Pending
	}
	return !s.match.Result.Over() || s.match.Rematch.State == match.NoRematch
}

func (r *Redrawer) load(ctx context.Context, id match.ID) (subject, error) {
	found, err := r.Matches.Find(ctx, id)
	switch {
	case err != nil:
		return subject{}, err
	case found.Match != nil:
		return subject{match: found.Match, version: found.Match.Version}, nil
	default:
		return subject{challenge: *found.Challenge, version: found.Challenge.Version}, nil
	}
}

// known is what this process knows of a board in addition to its row.
type known struct {
	receipt int  // the older version that a reply of ours may have put back; 0 if none
	drawn   int  // the version that was drawn in this attempt; 0 before
	pending bool // a reply that shows the board in a new message is under way
}

// step is the next thing to be done with a board.
type step uint8

const (
	rest   step = iota // do nothing: Discord refuses the board
	depart             // say in the message that showed the board before where it is now
	await              // wait for the reply that is under way
	draw               // draw the message, or post it anew
	finish             // see to the mention: the message is up to date
)

// next returns the next step for a board whose subject has the given version. It is called again after each step, until it
// returns finish or rest. If the row names an edit, of another process or of a process that was killed, that edit may have
// drawn an older version, so the board is drawn once more.
func next(b board.Board, version int, k known) step {
	overdrawn := 0 < k.receipt && k.receipt < b.Shown // a reply arrived after a newer version
	editSettled := k.drawn == version || k.drawn == 0 && b.Edit == ""
	switch {
	case b.GivenUp():
		return rest
	case b.Message == "" && k.pending:
		return await
	case b.Message != "" && b.Past.Message != "":
		return depart
	case b.Shown >= version && !overdrawn && editSettled:
		return finish
	default:
		return draw
	}
}
