//go:build unix

package puzzle_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/longtest"
	"tictactoe/internal/puzzles/puzzle"
)

var (
	update = flag.Bool("update", false, "extend the golden file by the next days")
	years  = flag.Bool("years", false, "generate the puzzles of five years for every weekday, which takes minutes")
)

// published is the number of days in the golden file, beginning with the day first. The puzzles of these days must never change.
const published = 400

// puzzleLine formats a puzzle as one line: day, board, start, goal, the solution with the computer's answers, the difficulty, and a
// hash of all answers of the computer to wrong moves.
func puzzleLine(t *testing.T, p puzzle.Puzzle) string {
	t.Helper()
	name := p.Start.Rules().Name
	var solution []string
	mistakes := fnv.New32a()
	var presses []game.Square
	for _, move := range p.Solution() {
		for square := range move.Before.Legal().All() {
			s, err := p.Play(append(presses[:len(presses):len(presses)], square)...)
			if err != nil {
				t.Fatal(err)
			}
			if m := s.Mistake; m != nil {
				fmt.Fprintln(mistakes, name(m.Pressed), m.Reached, name(m.Answer))
			}
		}
		presses = append(presses, move.Right)
		solution = append(solution, name(move.Right))
		if move.Answer != game.NoSquare {
			solution = append(solution, name(move.Answer))
		}
	}
	return fmt.Sprintf("%s %s %q %s %s %.6f %08x\n", p.Day, p.Board, p.Start, p.Goal, strings.Join(solution, " "), p.Difficulty, mistakes.Sum32())
}

// days formats the puzzles of n days from first on.
func days(t *testing.T, n int) string {
	t.Helper()
	var all strings.Builder
	for d := day(t, first); d < day(t, first)+puzzle.Day(n); d++ {
		p := generated(t, d)
		all.WriteString(puzzleLine(t, p))
	}
	return all.String()
}

func golden() string { return filepath.Join("testdata", "days.txt") }

// TestPuzzlesThatAreShownNeverChange compares the first days with the golden file. A change of the generator needs a new edition.
func TestPuzzlesThatAreShownNeverChange(t *testing.T) {
	t.Parallel()
	if *update {
		if err := os.WriteFile(golden(), []byte(days(t, published)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden())
	if err != nil {
		t.Fatal(err)
	}
	few := strings.SplitAfterN(string(want), "\n", 29)
	if diff := cmp.Diff(strings.Join(few[:28], ""), days(t, 28)); diff != "" {
		t.Errorf("puzzles that may have been shown are different now (-golden +now):\n%s", diff)
	}
}

// TestAllPuzzlesThatAreShownNeverChange compares all days with the golden file.
func TestAllPuzzlesThatAreShownNeverChange(t *testing.T) {
	longtest.Only(t)
	want, err := os.ReadFile(golden())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.SplitAfter(string(want), "\n"), strings.SplitAfter(days(t, published), "\n")); diff != "" {
		t.Errorf("puzzles that may have been shown are different now (-golden +now):\n%s", diff)
	}
}

// TestTheSameInEveryProcess generates two weeks of puzzles in processes with one and with eight processors.
func TestTheSameInEveryProcess(t *testing.T) {
	t.Parallel()
	if os.Getenv("PUZZLE_CHILD") != "" {
		fmt.Print("<<", days(t, 14), ">>")
		return
	}
	want := days(t, 14)
	for _, procs := range []string{"1", "8"} {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestTheSameInEveryProcess$")
		cmd.Env = append(os.Environ(), "PUZZLE_CHILD=1", "GOMAXPROCS="+procs)
		out, err := cmd.CombinedOutput()
		_, got, _ := strings.Cut(string(out), "<<")
		got, _, _ = strings.Cut(got, ">>")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("with %s processors: %v (-here +there):\n%s", procs, err, diff)
		}
	}
}

func TestAWaitingCallerCanGiveUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := puzzle.Of(ctx, day(t, "2026-11-28")); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestFiveYears generates the puzzles of 1,826 days: all of Mondays and Thursdays, which come again in this time and take little, and of
// other weekdays the published ones, unless the flag asks for all. It fails for a day without a puzzle, for a decision with two right
// moves, and for a puzzle that is repeated earlier than necessary. It logs how often the puzzle of a day did not meet the weekday's
// requirements.
func TestFiveYears(t *testing.T) {
	longtest.Only(t)
	shown := map[game.Position]puzzle.Day{} // by canonical position, the last day on which it was shown
	missed := map[time.Weekday]map[string]int{}
	longest := map[time.Weekday]time.Duration{}
	rests := map[time.Weekday]int{} // by weekday, the least number of weeks between two showings of a puzzle
	solvers := map[string]*ai.Solver{}
	for d := day(t, first); d < day(t, first)+1826; d++ {
		weekday := d.Weekday()
		if weekday != time.Monday && weekday != time.Thursday && d >= day(t, first)+published && !*years {
			continue
		}
		before := processor(t)
		p := generated(t, d)
		longest[weekday] = max(longest[weekday], processor(t)-before)
		if missed[weekday] == nil {
			missed[weekday] = map[string]int{}
		}
		if solvers[p.Board] == nil {
			solvers[p.Board] = solverOf(t, p.Start.Rules())
		}
		demand := puzzle.DemandOf(d)
		percent := p.Difficulty * 100
		if percent < float64(demand.Easiest) || percent >= float64(demand.Hardest) {
			missed[weekday]["difficulty"]++
		}
		thought, only := decisionsOf(solvers[p.Board], p)
		if thought < demand.Thought || p.Decisions < demand.Decisions {
			missed[weekday]["decisions"]++
		}
		if !only {
			t.Errorf("%s has a decision with two right moves", d)
		}
		start := p.Start.Canonical()
		if last, again := shown[start]; again {
			missed[weekday]["shown before"]++
			if rests[weekday] == 0 {
				rests[weekday] = rest(t, d)
			}
			if weeks := int(d-last) / 7; weeks < rests[weekday] {
				t.Errorf("%s is shown again after %d weeks; its board allows %d", d, weeks, rests[weekday])
			}
		}
		shown[start] = d
	}
	for i := range 7 {
		weekday := (time.Monday + time.Weekday(i)) % 7
		t.Logf("%-9s missed the demand: difficulty %d, decisions %d; shown before %d; the longest took %v of processor time", weekday,
			missed[weekday]["difficulty"], missed[weekday]["decisions"], missed[weekday]["shown before"], longest[weekday].Round(time.Millisecond))
	}
}

// processor returns the processor time that the program has used.
func processor(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// rest returns the number of weeks after which a puzzle of the day's weekday may be repeated.
func rest(t *testing.T, d puzzle.Day) int {
	t.Helper()
	if pool := puzzle.PoolOf(t, d); pool != nil {
		return len(pool)
	}
	return puzzle.Turns
}
