package board

import (
	"context"
	"time"

	"tictactoe/internal/match"
)

// Aside is a private line that a user sees under the board of a challenge or match: the answer to a refused click, or a comment of the
// computer level "teacher" on a move. A user has at most one such line under a board.
type Aside struct {
	ID   match.ID
	User match.User
	// Token is the token of the interaction with which the line was written. Only with this token, and only until Expires, can the bot edit
	// or delete the line. It is a secret and is never logged.
	Token   string
	Message string // the id of the message, or "@original" if the line is the response to the interaction
	Expires time.Time
}

// Asides stores which private lines users have.
type Asides interface {
	// Aside returns the line of a user under a board. The error is match.ErrNotFound if there is none.
	Aside(ctx context.Context, id match.ID, u match.User) (Aside, error)
	// ReplaceAside records a line, and returns the line that it replaces, or zero if there was none.
	ReplaceAside(ctx context.Context, a Aside) (before Aside, err error)
	// Asides returns the lines under the given boards, in any order.
	Asides(ctx context.Context, ids ...match.ID) ([]Aside, error)
	// TakeAside deletes the record of a line. The error is match.ErrNotFound if the user has no line, or has another one by now.
	TakeAside(ctx context.Context, a Aside) error
	// ForgetAsides deletes the records of the lines that have expired by the given time.
	ForgetAsides(ctx context.Context, by time.Time) error
}
