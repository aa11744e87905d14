package match_test

import (
	"errors"
	"testing"
	"time"

	"tictactoe/internal/match"
)

// loads counts how often a match is loaded from a store.
func loads(s *probed) *int {
	n := new(int)
	s.failing(func(method string) error {
		if method == "Match" {
			*n++
		}
		return nil
	})
	return n
}

// playing plays a move, which has to succeed.
func playing(t *testing.T, r *match.Referee, by match.User, ply int, square string, now time.Time) match.Match {
	t.Helper()
	m, err := r.Play(t.Context(), at(ask("9", by), now), "m", ply, square)
	if err != nil {
		t.Fatal(ply, err)
	}
	return m
}

func TestAMatchThatWasSavedAMomentAgoIsNotLoaded(t *testing.T) {
	s := newStore(t)
	s.put(between(t, ""))
	r, n := newReferee(s), loads(s)

	playing(t, r, alice, 0, "a1", noon)
	playing(t, r, bob, 1, "a2", noon)
	if *n != 1 {
		t.Errorf("loaded %d times for two moves", *n)
	}
	_, err := r.Play(t.Context(), ask("9", bob), "m", 2, "b1")
	if !errors.Is(err, match.NotYourTurn) || *n != 2 {
		t.Errorf("loaded %d times when it was refused: %v", *n, err)
	}
	playing(t, r, alice, 2, "b1", noon)
	if err := s.Store.Save(t.Context(), match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}}}); err != nil {
		t.Fatal(err)
	}
	m := playing(t, r, bob, 3, "b2", noon)
	if *n != 3 || m.Looks[alice].Name != "Alice" {
		t.Errorf("loaded %d times, and shown as %v", *n, m.Looks)
	}
	if d := diff(s.match(t, "m"), m); d != "" {
		t.Error(d)
	}
}

func TestAMatchThatRestedIsLoaded(t *testing.T) {
	s := newStore(t)
	m := between(t, "")
	m.TurnTime, m.Deadline = time.Hour, noon.Add(time.Hour)
	s.put(m)
	r, n := refereeAt(s, noon.Add(2*time.Minute)), loads(s)
	playing(t, r, alice, 0, "a1", noon)
	if playing(t, r, bob, 1, "a2", noon.Add(59*time.Second)); *n != 1 {
		t.Errorf("loaded %d times within a minute", *n)
	}
	if playing(t, r, alice, 2, "b1", noon.Add(2*time.Minute)); *n != 2 {
		t.Errorf("loaded %d times, the last after a minute", *n)
	}
}

func TestWhatAnotherHasChangedIsLoaded(t *testing.T) {
	s := newStore(t)
	s.put(between(t, ""))
	one, other, n := newReferee(s), newReferee(s), loads(s)

	playing(t, one, alice, 0, "a1", noon)
	playing(t, other, bob, 1, "a2", noon)
	playing(t, one, alice, 2, "b1", noon) // remembers the first move only
	if *n != 3 {
		t.Errorf("loaded %d times for three moves of two referees", *n)
	}
	if _, err := other.Resign(t.Context(), ask("9", alice), "m", 3); err != nil {
		t.Fatal(err)
	}
	if _, err := one.Play(t.Context(), ask("9", bob), "m", 3, "b2"); !errors.Is(err, match.Finished) || *n != 5 {
		t.Errorf("loaded %d times, a match that has ended: %v", *n, err)
	}
}
