package main

import (
	"strings"
	"testing"
	"time"

	"tictactoe/internal/puzzles/puzzle"
)

func TestDaily(t *testing.T) {
	t.Run("the solution in words", func(t *testing.T) {
		out, _, code := runInProcess(t, "", "daily", "--date", "2026-11-25", "--solution")
		if code != 0 || !strings.Contains(out, "1. c2: ") || !strings.Contains(out, "2. a2: a winning move.") {
			t.Errorf("exit %d:\n%s", code, out)
		}
	})
	t.Run("a puzzle is solved line by line", func(t *testing.T) {
		out, _, code := runInProcess(t, "a2\nc2\na2\n", "daily", "--date", "2026-11-25")
		if code != 0 || !strings.Contains(out, "You have 2 tries left") || !strings.Contains(out, "Solved on try 2 of 3") {
			t.Errorf("exit %d:\n%s", code, out)
		}
	})
	t.Run("without a date it prints the puzzle of today", func(t *testing.T) {
		before := puzzle.DayOf(time.Now())
		out, _, code := runInProcess(t, "", "daily", "--solution")
		after := puzzle.DayOf(time.Now())
		if code != 0 || !strings.Contains(out, written(before)) && !strings.Contains(out, written(after)) {
			t.Errorf("exit %d, on %s: %s", code, after, out)
		}
	})
	t.Run("any date has one", func(t *testing.T) {
		today := puzzle.DayOf(time.Now())
		for date, says := range map[string]string{
			"1999-12-31": "December 31, 1999", "2024-02-29": "February 29, 2024", "0001-01-01": "January 1, 1", today.String(): written(today),
		} {
			if out, errs, code := runInProcess(t, "", "daily", "--date", date, "--solution"); code != 0 || !strings.Contains(out, says) {
				t.Errorf("%s: exit %d: %s%s", date, code, out, errs)
			}
		}
	})
	t.Run("a day to come is refused", func(t *testing.T) {
		for _, date := range []string{(puzzle.DayOf(time.Now()) + 2).String(), "9999-12-31"} {
			for _, args := range [][]string{{"daily", "--date", date, "--solution"}, {"daily", "--date", date}} {
				if out, errs, code := runInProcess(t, "", args...); code != exitUsage || out != "" || !strings.Contains(errs, "--date "+date+": that day has not come yet") {
					t.Errorf("%s: exit %d: %s%s", args, code, out, errs)
				}
			}
		}
	})
	t.Run("an invalid date is refused", func(t *testing.T) {
		for _, date := range []string{"yesterday", "2026-02-30", "23.11.2026", ""} {
			if _, errs, code := runInProcess(t, "", "daily", "--date", date); code != exitUsage || !strings.Contains(errs, "write year, month and day") {
				t.Errorf("%q: exit %d: %s", date, code, errs)
			}
		}
	})
}

// written returns a day in the format of English screens.
func written(d puzzle.Day) string { return d.Start().Format("January 2, 2006") }
