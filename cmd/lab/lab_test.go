package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/store/postgres/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// runInProcess runs the program in this process and returns its output and exit code.
func runInProcess(args ...string) (stdout, stderr string, code int) {
	var out, problems bytes.Buffer
	code = run(args, streams{&out, &problems})
	return out.String(), problems.String(), code
}

func TestLevelsGivesTheSameResultForTheSameSeed(t *testing.T) {
	args := []string{"levels", "--x", "unbeatable", "--o", "random", "--games", "300", "--seed", "5", "--json"}
	first, _, code := runInProcess(args...)
	second, _, _ := runInProcess(args...)
	if first != second || code != 0 {
		t.Errorf("exit %d:\n%s\n%s", code, first, second)
	}
	var result struct {
		Games int
		XWins int `json:"x_wins"`
		Draws int
		OWins int `json:"o_wins"`
	}
	if err := json.Unmarshal([]byte(first), &result); err != nil {
		t.Fatal(err)
	}
	if result.Games != 300 || result.XWins+result.Draws+result.OWins != 300 || result.OWins != 0 || result.XWins < 270 {
		t.Errorf("the result is very unlikely: %+v", result)
	}
}

// Levels that use no solved values can also play with rules that are too large to solve.
func TestLevelsWithUnsolvedRules(t *testing.T) {
	for _, rules := range []string{"4x4x3+keep4", "5x4x4+misere"} {
		out, errs, code := runInProcess("levels", "--x", "textbook", "--o", "random", "--games", "40", "--rules", rules, "--json")
		var result struct {
			Games int
			XWins int `json:"x_wins"`
		}
		if err := json.Unmarshal([]byte(out), &result); err != nil || code != 0 || result.Games != 40 || result.XWins == 0 {
			t.Errorf("%s: exit %d, %v: %s%s", rules, code, err, out, errs)
		}
		_, errs, code = runInProcess("levels", "--x", "hard", "--o", "random", "--rules", rules)
		if want := "level hard: no exact solver for these rules: " + rules; code != 1 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, want %q: %s", rules, code, want, errs)
		}
	}
}

func TestPerftCountsTheGamesOfEachLength(t *testing.T) {
	out, _, _ := runInProcess("perft", "--json")
	var result struct{ Counts []perftCount }
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	var nodes []uint64
	for _, c := range result.Counts {
		nodes = append(nodes, c.Nodes)
	}
	want := []uint64{1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872}
	if diff := cmp.Diff(want, nodes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestProveSaysHowMuchWasPlayed(t *testing.T) {
	out, _, code := runInProcess("prove")
	var rows []string
	for line := range strings.Lines(out) {
		if cells := strings.Fields(strings.ReplaceAll(line, "|", " ")); len(cells) > 3 && cells[1] == "classic" {
			rows = append(rows, strings.Join(cells[:len(cells)-1], " ")) // without the seconds
		}
	}
	want := []string{"unbeatable classic X 2678 1887 3156 333 0 0 0", "unbeatable classic O 1482 1049 1745 419 0 0 0"}
	if diff := cmp.Diff(want, rows); diff != "" || code != 0 || !strings.Contains(out, "Nothing is given away.") {
		t.Errorf("exit %d (-want +got):\n%s", code, diff)
	}
	out, errs, code := runInProcess("prove", "--level", "textbook")
	if code != 1 || !strings.Contains(errs, "textbook as X on classic") || strings.Contains(out, "Nothing is given away.") {
		t.Errorf("the textbook level makes an error, but the exit code is %d: %s%s", code, out, errs)
	}
	// The test replays the printed moves, the last of which is the error.
	_, moves, _ := strings.Cut(errs, "the moves: ")
	record := game.NewRecord(game.Start(game.Classic()))
	for _, name := range strings.Fields(moves) {
		square, err := game.Classic().ParseSquare(name)
		if err == nil {
			record, err = record.Play(square)
		}
		if err != nil {
			t.Fatalf("%s: %v", moves, err)
		}
	}
	solver, err := ai.NewSolver(game.Classic())
	if err != nil {
		t.Fatal(err)
	}
	if review := solver.Review(record); len(review) == 0 || !review[len(review)-1].Grade.Error() {
		t.Errorf("%s: the last move is no error", moves)
	}
}

func TestSenselessFlags(t *testing.T) {
	for _, c := range [][]string{{"perft", "--depth=-1"}, {"levels", "--games", "0"}, {"levels", "--x", "nobody"}, {"levels", "--nonsense"}} {
		flag, _, _ := strings.Cut(c[1], "=")
		if _, errs, code := runInProcess(c...); code != 2 || !strings.Contains(errs, flag) {
			t.Errorf("%q: exit %d: %s", c, code, errs)
		}
	}
}

// TestStrengthComparesPeopleWithTheModel has people play as the model predicts, and people who lose every game.
func TestStrengthComparesPeopleWithTheModel(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var asPredicted, losers []played
	for i := range 3000 {
		g := played{fmt.Sprint(i), game.Classic(), "", ai.Result{Level: ai.Easy, First: i%2 == 0}}
		losers = append(losers, g)
		chances, _ := ai.Predict(g.rules, nil, g.Level, g.First)
		switch share := random.Float64(); {
		case share < chances[0]:
			g.Score = 1
		case share < chances[0]+chances[1]:
			g.Score = 0.5
		}
		asPredicted = append(asPredicted, g)
	}
	for i, what := range []string{"won", "drawn", "lost"} {
		if words := compare(asPredicted)["classic easy"].words(what, i); strings.Contains(words, "!") {
			t.Errorf("people as predicted are marked: %s", words)
		}
		if words := compare(losers)["classic easy"].words(what, i); !strings.Contains(words, "!") {
			t.Errorf("people who always lose are not marked: %s", words)
		}
	}
}

func TestStrengthCountsGamesOfPeopleAgainstTheComputer(t *testing.T) {
	for _, c := range []struct {
		line string
		want ai.Result
		not  bool // whether the game does not count
	}{
		{line: `{"rules": "3x3x3", "outcome": "X", "x": {"player": "7"}, "o": {"level": "easy"}}`, want: ai.Result{Level: ai.Easy, First: true, Score: 1}},
		{line: `{"rules": "3x3x3", "outcome": "X", "o": {"player": "7"}, "x": {"level": "fair:3"}}`, want: ai.Result{Level: ai.Fair(3)}},
		{line: `{"rules": "3x3x3", "outcome": "draw", "o": {"player": "7"}, "x": {"level": "hard"}}`, want: ai.Result{Level: ai.Hard, Score: 0.5}},
		{line: `{"rules": "3x3x3", "outcome": "X", "x": {"player": "7"}, "o": {"level": "easy"}, "helped": true}`, not: true},
		{line: `{"rules": "3x3x3", "outcome": "draw", "cause": "moderator", "x": {"player": "7"}, "o": {"level": "easy"}}`, not: true},
		{line: `{"rules": "3x3x3", "outcome": "X", "x": {"player": "left"}, "o": {"level": "easy"}}`, not: true},
		{line: `{"rules": "3x3x3", "outcome": "X", "x": {"player": "7"}, "o": {"level": "a level of before"}}`, not: true},
	} {
		var e exportedGame
		if err := json.Unmarshal([]byte(c.line), &e); err != nil {
			t.Fatal(err)
		}
		if g, counts := e.played(); counts == c.not || counts && (g.Result != c.want || g.person != "7") {
			t.Errorf("%s: %+v, counts %t", c.line, g, counts)
		}
	}
}

func TestTextsDrawsTheScreensInALanguage(t *testing.T) {
	out, errs, code := runInProcess("texts", "de")
	for _, words := range []string{"── settings-first ──", "Deine Sprache: ", "gegen «Bob"} {
		if !strings.Contains(out, words) {
			t.Errorf("exit %d: no %q: %s", code, words, errs)
		}
	}
	if _, errs, _ := runInProcess("texts", "tlh"); !strings.Contains(errs, "pt-BR") {
		t.Errorf("a language that Discord has not: %s", errs)
	}
}
