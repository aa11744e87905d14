package daily_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
)

func TestStreaks(t *testing.T) {
	for name, test := range map[string]struct {
		days []puzzle.Day
		want daily.Streak
	}{
		"no solved puzzle, no streak":                {nil, daily.Streak{}},
		"today's puzzle is the first day":            {[]puzzle.Day{10}, daily.Streak{Current: 1, Best: 1}},
		"a streak up to yesterday is current today":  {[]puzzle.Day{8, 9}, daily.Streak{Current: 2, Best: 2}},
		"a streak ends after a day without a puzzle": {[]puzzle.Day{7, 8}, daily.Streak{Best: 2}},
		"a gap starts a new streak":                  {[]puzzle.Day{1, 2, 3, 5, 9, 10}, daily.Streak{Current: 2, Best: 3}},
		"the current streak can be the best":         {[]puzzle.Day{1, 2, 5, 8, 9, 10}, daily.Streak{Current: 3, Best: 3}},
		"days before 1970 count":                     {[]puzzle.Day{-2, -1, 0, 1}, daily.Streak{Best: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, daily.StreakOf(test.days, 10)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPressesAreReadAsTheyAreWritten(t *testing.T) {
	for _, text := range []string{"", "a", "y!", "a!bc!", "aa!a"} {
		ps, err := daily.ParsePresses(text)
		if err != nil || ps.String() != text {
			t.Errorf("%q is read as %v, %v", text, ps, err)
		}
	}
	for _, text := range []string{"!", "a!!", "z", "A", "a b", "ä"} {
		if ps, err := daily.ParsePresses(text); err == nil {
			t.Errorf("%q is read as %v", text, ps)
		}
	}
}

func TestTries(t *testing.T) {
	for text, want := range map[string]struct {
		left int
		over bool
	}{
		"": {3, false}, "abc": {3, false}, "a!b": {2, false}, "a!bc!": {1, false}, "a!b!c!": {0, true},
	} {
		ps, err := daily.ParsePresses(text)
		if err != nil {
			t.Fatal(err)
		}
		a := daily.Attempt{Presses: ps}
		if a.Left() != want.left || a.Over() != want.over {
			t.Errorf("after %q %d tries are left, over: %v", text, a.Left(), a.Over())
		}
	}
}

func TestMissedSquaresBelongToTheCurrentDecision(t *testing.T) {
	for text, want := range map[string]game.Bitboard{"": 0, "a!": 1, "a!c!": 0b101, "a!b": 0, "a!bc!": 0b100} {
		ps, err := daily.ParsePresses(text)
		if err != nil || ps.Missed() != want {
			t.Errorf("after %q %b are missed, %v", text, ps.Missed(), err)
		}
	}
}

func TestAPuzzleIsGeneratedOnce(t *testing.T) {
	var mu sync.Mutex
	made := map[puzzle.Day]int{}
	p := &daily.Puzzles{Make: func(_ context.Context, day puzzle.Day) (puzzle.Puzzle, error) {
		mu.Lock()
		defer mu.Unlock()
		if made[day]++; day == 13 && made[day] == 1 {
			return puzzle.Puzzle{}, errors.New("no time")
		}
		return puzzle.Puzzle{Day: day}, nil
	}}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if got, err := p.Of(t.Context(), 12); err != nil || got.Day != 12 {
				t.Error(got, err)
			}
		})
	}
	all.Wait()
	if _, err := p.Of(t.Context(), 13); err == nil {
		t.Error("the error of a failed generation is not returned")
	}
	if _, err := p.Of(t.Context(), 13); err != nil {
		t.Error("a puzzle is not generated again after a failure:", err)
	}
	if diff := cmp.Diff(map[puzzle.Day]int{12: 1, 13: 2}, made); diff != "" {
		t.Error(diff)
	}
}
