package daily

import "tictactoe/internal/puzzles/puzzle"

// Streak counts the days in a row on which a user has solved the puzzle.
type Streak struct {
	Current int // days in a row up to today, or up to yesterday while today's puzzle is not solved
	Best    int // the most days in a row
}

// StreakOf returns the streak of a user who has solved the puzzles of the given days, which are in ascending order.
func StreakOf(days []puzzle.Day, today puzzle.Day) (s Streak) {
	run := 0
	for i, day := range days {
		if i > 0 && days[i-1]+1 == day {
			run++
		} else {
			run = 1
		}
		s.Best = max(s.Best, run)
	}
	if n := len(days); n > 0 && days[n-1] >= today-1 {
		s.Current = run
	}
	return s
}
