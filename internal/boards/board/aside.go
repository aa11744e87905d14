package board

import (
	"context"
	"time"

	"tictactoe/internal/match"
)

// Aside is the private line that a user has under the board of a challenge or match: what a refused click was told, or what
// the teacher says. There is at most one for each user and board.
type Aside struct {
	ID   match.ID
	User match.User
	// Token is the token of the interaction that the line belongs to. Only with this token, and only until Expires, can the line
	// be edited or deleted. It is a secret and is never logged.
	Token   string
	Message string // the id of the message, or "@original" if it was the answer to the interaction itself
	Expires time.Time
}

// Asides reads and writes the private lines of users.
type Asides interface {
	// Aside returns the line of a user under a board; match.ErrNotFound if there is none.
	Aside(ctx context.Context, id match.ID, u match.User) (Aside, error)
	// ReplaceAside records a line, and returns the line that it replaces, zero if there was none.
	ReplaceAside(ctx context.Context, a Aside) (before Aside, err error)
	// Asides returns the lines under these boards, in any order.
	Asides(ctx context.Context, ids ...match.ID) ([]Aside, error)
	// TakeAside forgets a line; match.ErrNotFound if the user has another one, or none.
	TakeAside(ctx context.Context, a Aside) error
	// ForgetAsides forgets the lines that have expired at a time or before.
	ForgetAsides(ctx context.Context, by time.Time) error
}
