package postgres

import (
	"context"
	"errors"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// errUnanswered says that a COMMIT was not answered and may have been carried out. The transaction is run again; if the first run was
// committed, the second conflicts with it.
var errUnanswered = errors.New("commit")

// turnedAway tells whether an error may come of a save that is stored already.
func turnedAway(err error) bool {
	var refusal *match.Refusal
	return errors.Is(err, match.ErrConflict) || errors.Is(err, match.ErrExists) || errors.As(err, &refusal)
}

// unlessSaved returns nil if a save that failed with an error is stored already, and else that error. It compares the challenge and the
// matches with their versions and times: if they are equal, they are what was asked for, whoever saved them. If they were changed since,
// the error stays, because the state is no longer what was asked for.
func (s *Store) unlessSaved(ctx context.Context, save match.Save, turned error) error {
	challenge := save.Challenge.To
	if challenge.ID == "" && len(save.Matches) == 0 {
		return turned
	}
	if challenge.ID != "" {
		stored, err := s.Challenge(ctx, challenge.ID)
		if err != nil || !column.Same(column.OfChallenge(stored), column.OfChallenge(challenge)) {
			return notSaved(err, turned)
		}
	}
	for _, c := range save.Matches {
		stored, err := s.Match(ctx, c.To.ID)
		if err != nil || !stored.Record.Equal(c.To.Record) || !column.Same(column.OfMatch(stored), column.OfMatch(c.To)) {
			return notSaved(err, turned)
		}
	}
	return nil
}

// notSaved is the error of a save that was turned away and is not stored, or of the search for it.
func notSaved(searching, turned error) error {
	if searching == nil || errors.Is(searching, match.ErrNotFound) {
		return turned
	}
	return searching
}
