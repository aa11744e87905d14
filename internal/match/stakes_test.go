package match_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
)

// settling is a source of stakes that depend on the number of matches that have begun.
type settling struct {
	asked int
	err   error
}

func (s *settling) stakes(_ context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (rating.Stakes, error) {
	if v != "venue" || rules != game.Classic() || a == b || !now.Equal(noon) {
		return rating.NoStakes, errors.New("the stakes of this match should not be requested")
	}
	s.asked++
	return []rating.Stakes{rating.Full, rating.Half, rating.TooOften}[s.asked-1], s.err
}

// begun returns the match of an accepted challenge with the given terms.
func begun(t *testing.T, r *match.Referee, id match.ID, on match.Terms, v match.Venue) (match.Match, error) {
	t.Helper()
	challenge, accept := ask(id, alice), ask("accept"+id, bob)
	challenge.Venue, accept.Venue = v, v
	if _, err := r.Challenge(t.Context(), challenge, bob, on); err != nil {
		t.Fatal(err)
	}
	return r.Accept(t.Context(), accept, id)
}

// again returns the rematch of a match that alice resigns.
func again(t *testing.T, r *match.Referee, m match.Match, id match.ID) match.Match {
	t.Helper()
	for _, square := range []string{"a1", "b2"} {
		var err error
		if m, err = r.Play(t.Context(), ask("move", m.Turn().Player), m.ID, m.Record.Len(), square); err != nil {
			t.Fatal(err)
		}
	}
	m, err := r.Resign(t.Context(), ask("resign", alice), m.ID, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = r.AskRematch(t.Context(), ask("propose", alice), m.ID, m.Version); err != nil {
		t.Fatal(err)
	}
	_, next, err := r.AskRematch(t.Context(), ask(id, bob), m.ID, m.Version+1)
	if err != nil || next == nil {
		t.Fatal(next, err)
	}
	return *next
}

func TestTheStakesOfAMatchAreSetWhenItBegins(t *testing.T) {
	casual := terms(match.Me)
	casual.Casual = true
	for _, tt := range []struct {
		name        string
		on          match.Terms
		first, next rating.Stakes
		asked       int
	}{
		{"between two players who want it rated", terms(match.Me), rating.Full, rating.Half, 2},
		{"between two players who want it unrated, as is their rematch", casual, rating.Casual, rating.Casual, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, settled := newStore(t), &settling{}
			r := newReferee(s)
			r.Stakes = settled.stakes
			m, err := begun(t, r, "1", tt.on, "venue")
			if err != nil || m.Stakes != tt.first || s.match(t, "1").Stakes != tt.first {
				t.Fatal(m.Stakes, err)
			}
			if m = again(t, r, m, "2"); m.Stakes != tt.next || s.match(t, "2").Stakes != tt.next {
				t.Error("the stakes of the rematch are", m.Stakes)
			}
			if settled.asked != tt.asked {
				t.Error("stakes were requested", settled.asked, "times")
			}
		})
	}
	t.Run("without Stakes the match does not count", func(t *testing.T) {
		r := newReferee(newStore(t))
		if m, err := begun(t, r, "1", casual, "venue"); err != nil || m.Stakes != rating.NoStakes {
			t.Error(m.Stakes, err)
		}
	})
	t.Run("without a venue the match does not count", func(t *testing.T) {
		r, settled := newReferee(newStore(t)), &settling{}
		r.Stakes = settled.stakes
		if m, err := begun(t, r, "1", casual, ""); err != nil || m.Stakes != rating.NoStakes || settled.asked > 0 {
			t.Error(m.Stakes, err)
		}
	})
	t.Run("a match against the computer does not count", func(t *testing.T) {
		r, settled := newReferee(newStore(t)), &settling{}
		r.Stakes = settled.stakes
		m, err := r.PlayComputer(t.Context(), ask("1", alice), "easy", terms(match.Me))
		if err != nil || m.Stakes != rating.NoStakes {
			t.Fatal(m.Stakes, err)
		}
		m, err = r.Play(t.Context(), ask("2", alice), "1", 0, "a1")
		if err == nil {
			m, err = r.Resign(t.Context(), ask("3", alice), "1", m.Record.Len())
		}
		if err != nil {
			t.Fatal(err)
		}
		_, next, err := r.AskRematch(t.Context(), ask("4", alice), "1", m.Version)
		if err != nil || next == nil || next.Stakes != rating.NoStakes || settled.asked > 0 {
			t.Error(next, err)
		}
	})
	t.Run("if the stakes cannot be read, no match begins", func(t *testing.T) {
		s, settled := newStore(t), &settling{err: match.ErrBusy}
		r := newReferee(s)
		r.Stakes = settled.stakes
		if m, err := begun(t, r, "1", terms(match.Me), "venue"); !errors.Is(err, match.ErrBusy) {
			t.Error(m.Stakes, err)
		}
		if s.challenge(t, "1").Status != match.Pending {
			t.Error("the challenge is not pending any more")
		}
	})
	t.Run("the stakes are not computed for a challenge that cannot be accepted", func(t *testing.T) {
		r, settled := newReferee(newStore(t)), &settling{}
		r.Stakes = settled.stakes
		if _, err := r.Challenge(t.Context(), ask("1", alice), bob, terms(match.Me)); err != nil {
			t.Fatal(err)
		}
		_, err := r.Accept(t.Context(), ask("2", alice), "1")
		if refused(t, err, match.OwnChallenge); settled.asked > 0 {
			t.Error("the stakes were computed")
		}
	})
}
