package boards

import (
	"errors"
	"fmt"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

var (
	// errUnreachable means that the bot has neither the permission nor a token to draw the board. The next click on the board brings it up
	// to date.
	errUnreachable = errors.New("the board is out of reach")
	// errRefused means that Discord does not let the bot draw the board.
	errRefused = fmt.Errorf("%w: %w", errUnreachable, messages.ErrForbidden)

	// Further reasons why a board is unreachable.
	errUnclear = fmt.Errorf("%w: its message may have been posted, and the messages of the channel cannot be searched for it", errUnreachable)
	errLost    = fmt.Errorf("%w: the bot is not in its server, and was not told which message shows it", errUnreachable)
	errExpired = fmt.Errorf("%w: the bot is not in its server, and the token of the last click has expired", errUnreachable)
	errSpent   = fmt.Errorf("%w: the bot is not in its server, and Discord no longer accepts the token of the last click", errUnreachable)
	errGivenUp = fmt.Errorf("%w: Discord has refused it too often", errUnreachable)
	errLeft    = fmt.Errorf("%w: the bot has left its server", errUnreachable)
)

// tokenUnexpired reports whether the interaction token of the board has time left. Discord may still reject the token.
func (r *Redrawer) tokenUnexpired(b board.Board) bool { return r.Now().Before(b.Expires) }

// whyUnreachable returns why the board cannot be drawn, or nil if an attempt makes sense.
func (r *Redrawer) whyUnreachable(b board.Board) error {
	switch {
	case b.Refused >= board.Left:
		return errLeft
	case b.GivenUp():
		return errGivenUp
	case !b.Member && !r.tokenUnexpired(b):
		return errExpired
	}
	return nil
}

// logUndrawn logs that a change of a board will not be drawn, and why.
func (r *Redrawer) logUndrawn(id match.ID, why error) {
	r.Log.Info("board left as it is", "match", id, "reason", why)
}
