package sqlite_test

import (
	"errors"
	"fmt"
	"testing"

	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

func TestAFullDisk(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	var told []string
	s.Health = func(err error) { told = append(told, fmt.Sprint(err)) }
	all := everything(t, s)
	if err := sqlite.Limit(s, 1); err != nil { // which is as many as there are
		t.Fatal(err)
	}

	saved, failed := 0, 0
	for n := range 200 {
		m := begin(match.ID(fmt.Sprint("new", n)))
		switch err := s.Save(t.Context(), match.CreateMatch{Match: m}, match.Name{Player: match.Player(m.ID), Name: "x"}); {
		case err == nil && failed == 0:
			saved++
			all[m.ID] = m
		case err == nil:
			all[m.ID] = m // there was room for this one
		case errors.Is(err, match.ErrUnsaved):
			failed++
		default:
			t.Fatal(err)
		}
	}
	if failed == 0 {
		t.Fatal("the disk was never full")
	}
	t.Run("what was saved can be read, and is all that is there", func(t *testing.T) {
		for id, m := range all {
			same(t, load(t, s, id), m)
		}
		r := checked(t, path)
		same(t, r.Findings, []sqlite.Finding{})
		same(t, r.Matches, len(all))
	})
	t.Run("it was told once", func(t *testing.T) {
		if len(told) != 1 || told[0] == "<nil>" {
			t.Errorf("%q", told)
		}
	})
	t.Run("with room it goes on, and that is told once", func(t *testing.T) {
		if err := sqlite.Limit(s, 0); err != nil {
			t.Fatal(err)
		}
		save(t, s, match.CreateMatch{Match: begin("again")})
		save(t, s, match.CreateMatch{Match: begin("and again")})
		if len(told) != 2 || told[1] != "<nil>" {
			t.Errorf("%q", told)
		}
	})
}
