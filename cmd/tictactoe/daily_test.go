package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/puzzles/puzzle"
)

func TestDaily(t *testing.T) {
	t.Run("a puzzle without its solution, as JSON", func(t *testing.T) {
		out, _, code := told(t, "", "daily", "--date", "2026-11-25", "--json")
		want := `{"date":"2026-11-25","board":"4x4","rules":"4x4x4","position":"O.X./.X.X/.O.O/.OX.","turn":"X","goal":"win","decisions":2,"difficulty":0.659271}` + "\n"
		if diff := cmp.Diff(want, out); code != 0 || diff != "" {
			t.Errorf("exit %d (-want +got):\n%s", code, diff)
		}
	})
	t.Run("with its solution", func(t *testing.T) {
		out, _, code := told(t, "", "daily", "--date", "2026-11-25", "--json", "--solution")
		var got dailyPuzzle
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || len(got.Solution) != got.Decisions {
			t.Fatalf("exit %d: %v\n%s", code, err, out)
		}
		answer := "c3"
		want := []puzzleMove{
			{"O.X./.X.X/.O.O/.OX.", "c2", got.Solution[0].Why, &answer},
			{"O.X./.XXX/.OOO/.OX.", "a2", "winning move", nil},
		}
		if diff := cmp.Diff(want, got.Solution); diff != "" || got.Solution[0].Why == "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("the solution in words", func(t *testing.T) {
		out, _, code := told(t, "", "daily", "--date", "2026-11-25", "--solution")
		if code != 0 || !strings.Contains(out, "1. c2: ") || !strings.Contains(out, "2. a2: winning move.") {
			t.Errorf("exit %d:\n%s", code, out)
		}
	})
	t.Run("a puzzle is solved line by line", func(t *testing.T) {
		out, _, code := told(t, "a2\nc2\na2\n", "daily", "--date", "2026-11-25")
		if code != 0 || !strings.Contains(out, "You have 2 tries left") || !strings.Contains(out, "Solved on try 2 of 3") {
			t.Errorf("exit %d:\n%s", code, out)
		}
	})
	t.Run("without a date it is that of today", func(t *testing.T) {
		before := puzzle.DayOf(time.Now())
		out, _, code := told(t, "", "daily", "--json")
		after := puzzle.DayOf(time.Now())
		if code != 0 || !strings.Contains(out, before.String()) && !strings.Contains(out, after.String()) {
			t.Errorf("exit %d, on %s: %s", code, after, out)
		}
	})
	t.Run("any date has one", func(t *testing.T) {
		for _, date := range []string{"1999-12-31", "2040-02-29", "0001-01-01", "9999-12-31"} {
			if out, errs, code := told(t, "", "daily", "--date", date, "--json"); code != 0 || !strings.Contains(out, `"date":"`+date+`"`) {
				t.Errorf("%s: exit %d: %s%s", date, code, out, errs)
			}
		}
	})
	t.Run("what is no date is refused", func(t *testing.T) {
		for _, date := range []string{"yesterday", "2026-02-30", "23.11.2026", ""} {
			if _, errs, code := told(t, "", "daily", "--date", date); code != exitUsage || !strings.Contains(errs, "write year, month and day") {
				t.Errorf("%q: exit %d: %s", date, code, errs)
			}
		}
	})
}
