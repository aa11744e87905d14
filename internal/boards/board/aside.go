package board

import (
	"context"
	"time"

	"tictactoe/internal/match"
)

// Aside is the private line that a user sees under the board of a challenge or match: the answer to a refused click, or
// the words of the teacher. There is at most one for each user and board.
type Aside struct {
	ID   match.ID
	User match.User
	// Token is the token of the line's interaction. Only with this token, and only until Expires, can the line be edited
	// or deleted. It is a secret and is never logged.
	Token   string
	Message string // the id of the message, or "@original" if it is the response to the interaction itself
	Expires time.Time
}

// Asides reads and writes the private lines of users.
type Asides interface {
	// Aside returns the line of a user under a board; match.ErrNotFound if there is none.
	Aside(ctx context.Context, id match.ID, u match.User) (Aside, error)
	// ReplaceAside records a line, and returns the replaced line, zero if there was none.
	ReplaceAside(ctx context.Context, a Aside) (before Aside, err error)
	// Asides returns the lines under the given boards, in any order.
	Asides(ctx context.Context, ids ...match.ID) ([]Aside, error)
	// TakeAside forgets a line. The error is match.ErrNotFound if the user has no line or another one by now.
	TakeAside(ctx context.Context, a Aside) error
	// ForgetAsides forgets the lines that have expired by the given time.
	ForgetAsides(ctx context.Context, by time.Time) error
}
