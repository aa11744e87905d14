package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/longtest"
)

func TestAnalyse(t *testing.T) {
	t.Run("a position is analysed as JSON", func(t *testing.T) {
		out, _, code := runInProcess(t, "", "analyse", "--json", "X.O/.X./..O")
		want := `{"rules":"3x3x3","position":"X.O/.X./..O","turn":"X","outcome":"in progress","value":0,"plies":5,"best":["c2"],` +
			`"moves":[{"square":"b1","value":-1,"plies":2},{"square":"a2","value":-1,"plies":2},{"square":"c2","value":0,"plies":5},` +
			`{"square":"a3","value":-1,"plies":2},{"square":"b3","value":-1,"plies":2}]}` + "\n"
		if diff := cmp.Diff(want, out); diff != "" || code != exitOK {
			t.Errorf("exit %d (-want +got):\n%s", code, diff)
		}
	})
	t.Run("bad lines are reported and the others are analysed", func(t *testing.T) {
		out, _, code := runInProcess(t, "XXO O X O\nXXX/.../...\nmoves b2 b2\nmoves b2 a1 c3\n", "analyse", "--json")
		if code != exitFailure {
			t.Errorf("exit %d, want %d", code, exitFailure)
		}
		var kinds []string
		for line := range strings.Lines(out) {
			var a struct{ Position, Error string }
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			kinds = append(kinds, a.Position+strings.SplitN(a.Error, ":", 2)[0])
		}
		want := []string{"XXO/.O./X.O", `position "XXX/.../..."`, "move 2", "O../.X./..X"}
		if diff := cmp.Diff(want, kinds); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("a finished position has its outcome and no moves", func(t *testing.T) {
		out, _, _ := runInProcess(t, "", "analyse", "--json", "XXX/OO./...")
		want := `{"rules":"3x3x3","position":"XXX/OO./...","turn":"O","outcome":"X wins","value":-1,"plies":0,"best":[],"moves":[]}` + "\n"
		if diff := cmp.Diff(want, out); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})

	t.Run("a game drawn by repetition is over", func(t *testing.T) {
		// The position arises for the third time. If it had arisen only once, X would lose in 8 plies.
		drawn := "moves b2 c3 c2 a1 a3 b1 b3 a2 b2 c3 c2 a1 a3 b1 b3 a2 b2 c3 c2 a1 a3 b1"
		out, _, code := runInProcess(t, drawn, "analyse", "--rules", "infinite", "--json")
		want := `{"rules":"3x3x3+keep3","position":"X:b2,c2,a3 O:c3,a1,b1 X","turn":"X","outcome":"draw","value":0,"plies":0,"best":[],` +
			`"moves":[]}` + "\n"
		if diff := cmp.Diff(want, out); diff != "" || code != exitOK {
			t.Errorf("exit %d (-want +got):\n%s", code, diff)
		}
		if out, _, _ := runInProcess(t, drawn, "analyse", "--rules", "infinite"); out != "X:b2,c2,a3 O:c3,a1,b1 X  draw\n" {
			t.Errorf("in words: %s", out)
		}
	})
	t.Run("an empty argument is no position", func(t *testing.T) {
		out, _, code := runInProcess(t, "", "analyse", "--json", "")
		if code != exitFailure || !strings.HasPrefix(out, `{"error":`) {
			t.Errorf("exit %d: %s", code, out)
		}
	})

	// These are the empty boards, with their theoretical value for X and the number of plies to the end.
	for _, c := range []struct {
		rules, outcome string
		value          int
		plies          any
		best           string
	}{
		{"3x3x3", "in progress", 0, 9.0, "a1 b1 c1 a2 b2 c2 a3 b3 c3"},
		{"3x3x3+misere", "in progress", 0, 9.0, "b2"},
		{"infinite", "in progress", 1, 13.0, "b1 a2 c2 b3"},
		{"4x4x3", "in progress", 1, 5.0, "b2 c2 b3 c3"},
		{"4x3x3", "in progress", 1, 7.0, ""},
		{"4x4x4", "in progress", 0, 16.0, ""},
	} {
		t.Run(c.rules+" from the empty board", func(t *testing.T) {
			out, errs, code := runInProcess(t, "moves\n", "analyse", "--rules", c.rules, "--json")
			var a struct {
				Value int
				Plies any
				Best  []string
			}
			if err := json.Unmarshal([]byte(out), &a); err != nil || code != exitOK {
				t.Fatalf("exit %d, %v: %s%s", code, err, out, errs)
			}
			if a.Value != c.value || a.Plies != c.plies || c.best != "" && strings.Join(a.Best, " ") != c.best {
				t.Errorf("value %d in %v by %v, want %d in %v by %s", a.Value, a.Plies, a.Best, c.value, c.plies, c.best)
			}
		})
	}
}

// The expected answers come from an independent program; the file says how they were made.
func TestAnalyseAgreesWithAnotherProgram(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	table, err := os.ReadFile("testdata/exact.txt")
	if err != nil {
		t.Fatal(err)
	}
	positions, answers := map[string][]string{}, map[string][]string{} // keyed by rule set
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		rules, answer, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		position, _, _ := strings.Cut(answer, "\t")
		positions[rules] = append(positions[rules], position)
		answers[rules] = append(answers[rules], answer)
	}
	if len(answers) < 30 {
		t.Errorf("only %d rule sets", len(answers))
	}
	for rules, want := range answers {
		out, errs, code := runInProcess(t, strings.Join(positions[rules], "\n"), "analyse", "--rules", rules, "--json")
		if code != exitOK {
			t.Errorf("%s: exit %d: %s", rules, code, errs)
		}
		var got []string
		for line := range strings.Lines(out) {
			var a analysis
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				t.Fatal(err)
			}
			var moves []string
			for _, m := range a.Moves {
				moves = append(moves, fmt.Sprintf("%s:%d:%s", m.Square, m.Value, counted(m.Plies)))
			}
			got = append(got, fmt.Sprintf("%s\t%d\t%s\t%s\t%s", a.Position, a.Value, counted(a.Plies),
				strings.Join(a.Best, " "), strings.Join(moves, " ")))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", rules, diff)
		}
	}
}

// counted formats a number of plies as the table writes it.
func counted(plies *int) string {
	if plies == nil {
		return "-"
	}
	return fmt.Sprint(*plies)
}

func TestSenselessFlagsSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"analyse", "--rules", "9x9x9", "X"}, "--rules", exitUsage},
		{[]string{"show", "moves", "z9"}, "z9", exitFailure},
		{[]string{"show", "moves", "b2", "a1", "z9"}, "move 3: no such square", exitFailure},
		{[]string{"show", "moves", "a1", "a1"}, "move 2: illegal move a1 in X../.../...: the square is taken", exitFailure},
		{[]string{"show", "--nonsense"}, "See: tictactoe show --help", exitUsage},
		{[]string{"db", "nonsense"}, "See: tictactoe db --help", exitUsage},
	} {
		_, errs, code := runInProcess(t, "", c.args...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%q: exit %d, want %d: %s", c.args, code, c.code, errs)
		}
	}
}

func TestHelpAndVersionAreWherePeopleLookFirst(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "Start with: tictactoe playground"},
		{[]string{"help"}, "Start with: tictactoe playground"},
		{[]string{"help", "show"}, "Usage: tictactoe show"},
		{[]string{"--version"}, "tictactoe " + version()},
	} {
		if out, errs, code := runInProcess(t, "", c.args...); code != exitOK || !strings.Contains(out, c.want) {
			t.Errorf("%q: exit %d, %q is not in %s%s", c.args, code, c.want, out, errs)
		}
	}
}
