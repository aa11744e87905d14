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

// turnedAway tells whether an error may come of changes that are stored already.
func turnedAway(err error) bool {
	var refusal *match.Refusal
	return errors.Is(err, match.ErrConflict) || errors.Is(err, match.ErrExists) || errors.As(err, &refusal)
}

// unlessSaved is nil if changes that were turned away with an error have been saved before, and else that error. Challenges
// and matches tell, by their versions and times to the millisecond: what is the same is what was asked for, whoever saved
// it. Where somebody has gone on from there the error stays, for what was asked for is no longer how things stand.
func (s *Store) unlessSaved(ctx context.Context, changes []match.Change, turned error) error {
	type key struct {
		match bool // a challenge has the id of its match
		id    match.ID
	}
	saved := map[key]func() (bool, error){} // by the last change of each
	for _, change := range changes {
		switch c := change.(type) {
		case match.CreateMatch:
			saved[key{true, c.Match.ID}] = func() (bool, error) { return s.hasMatch(ctx, c.Match) }
		case match.UpdateMatch:
			saved[key{true, c.To.ID}] = func() (bool, error) { return s.hasMatch(ctx, c.To) }
		case match.CreateChallenge:
			saved[key{false, c.Challenge.ID}] = func() (bool, error) { return s.hasChallenge(ctx, c.Challenge) }
		case match.UpdateChallenge:
			saved[key{false, c.To.ID}] = func() (bool, error) { return s.hasChallenge(ctx, c.To) }
		}
	}
	for _, is := range saved {
		if ok, err := is(); err != nil {
			return err
		} else if !ok {
			return turned
		}
	}
	if len(saved) == 0 {
		return turned
	}
	return nil
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
