package boards

import (
	"context"
	"errors"
	"time"

	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
)

// subject is what a board shows: the match, the challenge while there is no match yet, or an arena.
type subject struct {
	match     *match.Match
	arena     *arena.Arena
	challenge match.Challenge
	created   time.Time
	version   int
}

// notified returns the users whom a message that the redrawer posts notifies. If the first message of a pending challenge may never have
// arrived, that is the opponent; while that is possible, the board has the token of the command. If the bot itself has begun the match, and
// nobody has moved, both players are notified, because the message is the first that they see of the match. If a message was deleted, the
// board has no token, and nobody is notified.
func (s subject) notified(b board.Board) []match.User {
	switch {
	case s.match == nil && s.arena == nil && s.challenge.Status == match.Pending && !s.challenge.Open() && b.Token != "":
		return []match.User{s.challenge.To}
	case s.match != nil && b.Token == "" && b.Mention.Ply == 0 && s.match.Seats.People() && !s.match.Result.Over() && s.match.Stage() == 0:
		return s.match.Seats.Players()
	}
	return nil
}

// matters reports whether a deleted board is posted again, because a player still has something to do or to learn there. A declined or
// expired rematch does not matter enough.
func (s subject) matters() bool {
	switch {
	case s.arena != nil:
		return s.arena.Open()
	case s.match == nil:
		return s.challenge.Status == match.Pending
	}
	return !s.match.Result.Over() || s.match.Rematch.State == match.NoRematch
}

func (r *Redrawer) load(ctx context.Context, id match.ID) (subject, error) {
	found, err := r.Matches.Find(ctx, id)
	switch {
	case errors.Is(err, match.ErrNotFound) && r.Arenas != nil:
		a, err := r.Arenas.Store.Arena(ctx, id)
		return subject{arena: &a, created: a.Created, version: a.Version}, err
	case err != nil:
		return subject{}, err
	case found.Match != nil:
		return subject{match: found.Match, created: found.Match.Created, version: found.Match.Version}, nil
	default:
		return subject{challenge: *found.Challenge, created: found.Challenge.Created, version: found.Challenge.Version}, nil
	}
}

// known holds facts about a board that this process knows and that are not in the board's row.
type known struct {
	receipt int  // the older version that a late reply of this process may show; 0 if none
	drawn   int  // the version that was drawn in this attempt; 0 if none
	pending bool // a reply that shows the board in a new message is under way
}

// step is an action that brings a board one step closer to being up to date.
type step uint8

const (
	rest   step = iota // do nothing, because Discord refuses the board
	depart             // say in the old message where the board is now
	await              // wait for the reply that is under way
	draw               // draw the message, or post a new one
	finish             // bring the mention up to date; the message is up to date already
)

// next returns the next step for a board whose challenge or match has the given version. It is called again after each step until it
// returns finish or rest. If the row names an edit of another process or of a killed process, that edit may have drawn an older version, so
// the board is drawn once more.
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
