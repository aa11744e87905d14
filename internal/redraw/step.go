package redraw

import (
	"context"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

// subject is what there is to show: the match, or while there is none the challenge.
type subject struct {
	match     *match.Match
	challenge match.Challenge
	version   int
}

// pings are those who are notified of a message that is posted anew: the opponent of a pending challenge who may not have seen it. The
// board still has the token of the command then; with a message that was seen and deleted, its token is forgotten.
func (s subject) pings(b board.Board) []string {
	if s.match == nil && s.challenge.Status == match.Pending && b.Token != "" {
		return []string{string(s.challenge.To)}
	}
	return nil
}

// matters tells whether there is still something to do or to learn, so that a board which was deleted is worth another
// message. How a rematch came to nothing is not.
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

// known is what this process knows of a board beside its row.
type known struct {
	receipt int  // the version that a reply showed although the row knew of a newer one, 0 if there is none
	drawn   int  // the version that was drawn in this attempt, 0 before
	pending bool // a reply is under way that shows the board in a new message
}

// step is what has to be done next with a board.
type step uint8

const (
	rest   step = iota // nothing: Discord refuses the board
	depart             // say in the message that showed the board before where it is
	await              // the reply that is under way
	draw               // the message, or post it anew
	finish             // the message is true: see to the mention
)

// next says what has to be done with a board whose subject has that version. It is called again after each step, until it says
// finish or rest. If the row names an edit, of another process or of one that was killed, that edit may have drawn an older
// version, so the board is drawn once more.
func next(b board.Board, version int, k known) step {
	overdrawn := 0 < k.receipt && k.receipt < b.Shown // by a reply that landed after something newer
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
