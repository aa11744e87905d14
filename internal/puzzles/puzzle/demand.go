package puzzle

import (
	"math"
	"time"
)

// Demand is the set of requirements that a weekday has for its puzzle.
type Demand struct {
	Boards []string // the names of rule sets, which take turns from week to week
	// Decisions is the least number of moves that the solver has to find. Thought is the least number of them that are not obvious:
	// a move is obvious if either side could win at once, or if every other move loses at once.
	Decisions, Thought int
	Easiest, Hardest   int // the difficulty in percent: at least Easiest, and less than Hardest
}

// takes reports whether a line has the required number of decisions.
func (d Demand) takes(l line) bool { return len(l.steps) >= d.Decisions && l.thought >= d.Thought }

// fits reports whether a line has the required difficulty.
func (d Demand) fits(l line) bool {
	const percent = certain / 100
	difficulty := l.difficulty()
	return chance(d.Easiest)*percent <= difficulty && difficulty < chance(d.Hardest)*percent
}

// board returns the name of the board of a day.
func (d Demand) board(day Day) string { return d.Boards[floorMod(day.week(), len(d.Boards))] }

// An edition is a version of the generator's parameters. Once it is published, it never changes.
type edition struct {
	since Day // the first day whose puzzle is of this edition
	seed  uint64
	week  [7]Demand // indexed by time.Weekday
}

// editions lists all editions, the oldest first. A change of the puzzles needs a new edition that begins later than any day whose
// puzzle may have been shown; the code of the earlier editions stays. The first edition has no first day, so that every day has a
// puzzle.
func editions() []edition {
	first := edition{
		since: math.MinInt32,
		seed:  0x20261123,
		week: [7]Demand{
			time.Monday:    {[]string{"classic"}, 2, 0, 10, 70},
			time.Tuesday:   {[]string{"drop"}, 2, 1, 35, 75},
			time.Wednesday: {[]string{"4x4"}, 2, 1, 60, 80},
			time.Thursday:  {[]string{"misere"}, 2, 1, 50, 95},
			time.Friday:    {[]string{"infinite"}, 2, 2, 60, 85},
			time.Saturday:  {[]string{"5x5"}, 3, 1, 70, 85},
			time.Sunday:    {[]string{"5x5", "drop-5x5"}, 3, 2, 85, 100},
		},
	}
	// Most Monday puzzles of the first edition require only blocking the other side's threats, so the second edition requires more.
	second := first
	second.since = DayOf(time.Date(2026, time.November, 24, 0, 0, 0, 0, time.UTC))
	second.week[time.Monday] = Demand{[]string{"classic"}, 1, 1, 50, 70}
	return []edition{first, second}
}

// editionOf returns the edition of a day.
func editionOf(d Day) edition {
	all := editions()
	for i := len(all) - 1; i > 0; i-- {
		if all[i].since <= d {
			return all[i]
		}
	}
	return all[0]
}

// BoardOf returns the name of the rule set of a day's puzzle. Unlike [Of] it takes no time.
func BoardOf(d Day) string { return editionOf(d).week[d.Weekday()].board(d) }
