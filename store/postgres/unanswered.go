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
	if save.Challenge.To.ID == "" && len(save.Matches) == 0 {
		return turned
	}
	saved, err := true, error(nil)
	if c := save.Challenge.To; c.ID != "" {
		saved, err = s.hasChallenge(ctx, c)
	}
	for _, c := range save.Matches {
		if saved && err == nil {
			saved, err = s.hasMatch(ctx, c.To)
		}
	}
	if err == nil && !saved {
		err = turned
	}
	return err
}

func (s *Store) hasMatch(ctx context.Context, want match.Match) (bool, error) {
	stored, err := s.Match(ctx, want.ID)
	if errors.Is(err, match.ErrNotFound) {
		return false, nil
	}
	return err == nil && stored.Record.Equal(want.Record) && column.Same(column.OfMatch(stored), column.OfMatch(want)), err
}

func (s *Store) hasChallenge(ctx context.Context, want match.Challenge) (bool, error) {
	stored, err := s.Challenge(ctx, want.ID)
	if errors.Is(err, match.ErrNotFound) {
		return false, nil
	}
	return err == nil && column.Same(column.OfChallenge(stored), column.OfChallenge(want)), err
}
