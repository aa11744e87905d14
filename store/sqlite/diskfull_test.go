package sqlite_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

func TestAFullDiskLosesNothingAndIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := newPath(t)
		s := open(t, path)
		var told []string
		s.Health.Tell = func(err error) { told = append(told, fmt.Sprint(err)) }
		all := everything(t, s)
		if err := sqlite.Limit(s, 1); err != nil { // fewer pages than the file has, so it cannot grow
			t.Fatal(err)
		}

		failed, between := 0, 0
		for n := range 200 {
			m := begin(match.ID(fmt.Sprint("new", n)))
			time.Sleep(time.Second)
			switch err := s.Save(t.Context(), match.Save{Matches: []match.MatchChange{{To: m}}, Names: []match.Name{{Player: match.User(m.ID), Name: "x"}}}); {
			case errors.Is(err, match.ErrUnsaved):
				failed++
				// This save needs no new page.
				if s.Save(t.Context(), match.Save{Seen: match.Seen{At: noon()}}) == nil {
					between++
				}
			case err != nil:
				t.Fatal(err)
			default:
				all[m.ID] = m
			}
		}
		if failed == 0 || between == 0 {
			t.Fatalf("%d saves failed, %d succeeded after one; the test needs both", failed, between)
		}
		for id, m := range all {
			same(t, load(t, s, id), m)
		}
		r := checked(t, path)
		same(t, r.Findings, []sqlite.Finding{})
		same(t, r.Matches, len(all))
		if len(told) != 1 || told[0] == "<nil>" {
			t.Errorf("told %q", told)
		}

		if err := sqlite.Limit(s, 0); err != nil {
			t.Fatal(err)
		}
		for n := range 3 {
			time.Sleep(50 * time.Second)
			save(t, s, match.Save{Matches: []match.MatchChange{{To: begin(match.ID(fmt.Sprint("again", n)))}}})
		}
		if len(told) != 2 || told[1] != "<nil>" {
			t.Errorf("told %q", told)
		}
	})
}
