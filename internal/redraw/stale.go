package redraw

import (
	"errors"
	"fmt"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

var (
	// errUnreachable: nothing that we hold lets us write to the board. It stays behind for its next click.
	errUnreachable = errors.New("the board is out of reach")
	// errRefused: Discord does not let us write to the board.
	errRefused = fmt.Errorf("%w: %w", errUnreachable, bot.ErrForbidden)

	// Why a board is out of reach, beside what Discord says.
	errLost    = fmt.Errorf("%w: the bot is not in its server, and was not told which message shows it", errUnreachable)
	errExpired = fmt.Errorf("%w: the bot is not in its server, and the token of the last click has run out", errUnreachable)
	errSpent   = fmt.Errorf("%w: the bot is not in its server, and the token of the last click is taken no more", errUnreachable)
	errQuiet   = fmt.Errorf("%w: it was refused too often", errUnreachable)
	errLeft    = fmt.Errorf("%w: the bot has left its server", errUnreachable)
)

// maxTold bounds how many reasons are remembered of which the log was told.
const maxTold = 4096

// lives tells whether the token of the board still works, as far as we know.
func (r *Redrawer) lives(b board.Board) bool { return r.Now().Before(b.Expires) }

// beyond is why nothing that we hold lets us write to a board, nil if something does.
func (r *Redrawer) beyond(b board.Board) error {
	switch {
	case b.Refused >= board.Left:
		return errLeft
	case b.GivenUp():
		return errQuiet
	case !b.Member && !r.lives(b):
		return errExpired
	}
	return nil
}

// stale is a board that is left as it is, and why.
type stale struct {
	id  match.ID
	why string
}

// leave tells the log that a board is left as it is, once for each reason.
func (r *Redrawer) leave(id match.ID, why error) {
	this := stale{id, why.Error()}
	r.mu.Lock()
	_, told := r.told[this]
	if len(r.told) >= maxTold {
		clear(r.told)
	}
	r.told[this] = struct{}{}
	r.mu.Unlock()
	if !told {
		r.Log.Info("board left as it is", "match", id, "reason", why)
	}
}
