package main

import (
	"strings"
	"testing"
)

// wantShown checks the output for a match of a database whose matches have no moves.
func wantShown(t *testing.T, path string) {
	t.Helper()
	out, problems, code := runInProcess(t, "", "show", "m1", "--db", path)
	if code != exitOK || !strings.Contains(out, "井上 太郎 X vs O Alice") || !strings.Contains(out, "井上 太郎 ran out of time. O Alice wins") || !strings.Contains(out, "match m1") {
		t.Errorf("exit %d:\n%s%s", code, out, problems)
	}
	if out, problems, code := runInProcess(t, "", "show", "m99", "--db", path); code != exitUsage || !strings.Contains(problems, "there is no match m99") {
		t.Errorf("an unknown match: exit %d:\n%s%s", code, out, problems)
	}
}

func TestShow(t *testing.T) {
	t.Run("all positions of a game that is over, with what each move was worth", func(t *testing.T) {
		out, problems, code := runInProcess(t, "", "show", "moves", "a1", "b2", "c3", "c1", "a3", "a2", "b3")
		if code != exitOK || strings.Count(out, "Move ") != 7 || !strings.Contains(out, "Losing move") || !strings.Contains(out, "wins with 3 in a row") {
			t.Errorf("exit %d:\n%s%s", code, out, problems)
		}
	})
	t.Run("a game that goes on is not judged, so that nobody is told how to play it", func(t *testing.T) {
		out, problems, code := runInProcess(t, "", "show", "moves", "a1", "b1")
		if code != exitOK || strings.Contains(out, "best play") || !strings.Contains(out, "to move") {
			t.Errorf("exit %d:\n%s%s", code, out, problems)
		}
	})
	t.Run("one position of other rules", func(t *testing.T) {
		out, problems, code := runInProcess(t, "", "show", "--rules", "drop", "--move", "2", "moves", "a4", "b4", "c4")
		if code != exitOK || strings.Count(out, "Move ") != 1 || !strings.Contains(out, "Move 2 of 3") {
			t.Errorf("exit %d:\n%s%s", code, out, problems)
		}
	})
	for _, tt := range []struct {
		name, said string
		args       []string
	}{
		{"nothing to show", "what", nil},
		{"a move that is not there", "there are 2 moves", []string{"--move", "3", "moves", "a1", "b1"}},
		{"a negative move", "0 is the empty board", []string{"--move=-1", "moves", "a1"}},
		{"two matches", "one match at a time", []string{"m1", "m2"}},
		{"rules for a match that has its own", "--rules is for moves", []string{"--rules", "drop", "m1"}},
		{"a square that is taken", "b2", []string{"moves", "b2", "b2"}},
		{"a square that there is not", "squares are a1 to c3", []string{"moves", "d4"}},
		{"a database that is not there", "x.db", []string{"m1", "--db", "nowhere/x.db"}},
	} {
		t.Run(tt.name+" is refused", func(t *testing.T) {
			out, problems, code := runInProcess(t, "", append([]string{"show"}, tt.args...)...)
			if code == exitOK || !strings.Contains(problems, tt.said) {
				t.Errorf("exit %d:\n%s%s", code, out, problems)
			}
		})
	}
}
