package postgres

import (
	"context"
	"errors"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// errUnanswered is that of a COMMIT: nobody knows whether it was carried out. Whoever made it makes it again, and is then
// turned away by what it has written itself, if it was.
var errUnanswered = errors.New("commit")

// turnedAway tells whether an error may come of a save that is stored already.
func turnedAway(err error) bool {
	var refusal *match.Refusal
	return errors.Is(err, match.ErrConflict) || errors.Is(err, match.ErrExists) || errors.As(err, &refusal)
}

// unlessSaved is nil if a save that was turned away with an error has been made before, and else that error. The challenge and
// the matches tell, by their versions and times to the millisecond: what is the same is what was asked for, whoever saved it.
// Where somebody has gone on from there the error stays, for what was asked for is no longer how things stand.
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
