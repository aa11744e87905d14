package board

import (
	"context"
	"time"

	"tictactoe/internal/match"
)

// Aside is the private line that a user has under the board of a challenge or match: what a refused click was told, or what
// the teacher says. There is one at most for each user and board.
type Aside struct {
	ID   match.ID
	User match.User
	// Token is that of the interaction which the line belongs to. Nothing else edits or deletes it, and that until Expires. It is a
	// secret: it is never logged.
	Token   string
	Message string // its id, or "@original" if it was the answer to the interaction itself
	Expires time.Time
}

// Asides reads and writes the private lines of users.
type Asides interface {
	// Aside is the line of a user under a board; match.ErrNotFound if there is none.
	Aside(ctx context.Context, id match.ID, u match.User) (Aside, error)
	// ReplaceAside records a line, and returns the one that it takes the place of, zero if there was none.
	ReplaceAside(ctx context.Context, a Aside) (before Aside, err error)
	// Asides are the lines under these boards, in any order.
	Asides(ctx context.Context, ids ...match.ID) ([]Aside, error)
	// TakeAside forgets a line; match.ErrNotFound if the user has another one, or none.
	TakeAside(ctx context.Context, a Aside) error
	// ForgetAsides forgets the lines that have expired by then.
	ForgetAsides(ctx context.Context, by time.Time) error
}
