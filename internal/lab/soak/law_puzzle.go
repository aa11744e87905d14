package soak

import (
	"fmt"
	"strings"

	"tictactoe/internal/puzzles/daily"
)

// onePostADay is the law that a server gets the puzzle of a day at most once.
func onePostADay(c Case, found func(string, History)) (judged int) {
	type post struct{ server, day string }
	of := map[post]History{}
	for _, e := range c.History {
		if e.Kind == Posted {
			p := post{e.Text, e.Did}
			of[p] = append(of[p], e)
		}
	}
	for p, posts := range of {
		if len(posts) > 1 {
			found(fmt.Sprintf("server %s has the puzzle of %s %d times", p.server, p.day, len(posts)), posts)
		}
	}
	return len(of)
}

// boundedTries is the law that every square that was reported as wrong to a player has cost a try, and that no player has used more than
// [daily.Tries] at the puzzle of a day.
func boundedTries(c Case, found func(string, History)) (judged int) {
	type attempt struct{ player, day string }
	erased := c.History.erasures()
	told, squares := map[attempt]History{}, map[attempt]map[string]bool{}
	for _, e := range c.History {
		day, shown := e.Said[saidPuzzle]
		square, missed := e.Said[saidWrong]
		if e.Kind != Settled || !shown || !missed || erased.after(e.Player, e.At) {
			continue
		}
		at := attempt{e.Player, day}
		if squares[at] == nil {
			squares[at] = map[string]bool{}
		}
		squares[at][square] = true
		told[at] = append(told[at], e)
	}
	stored := map[attempt]int{}
	for _, a := range c.Tables.Attempts {
		at := attempt{a.Player, a.Day}
		stored[at] = strings.Count(a.Presses, "!")
		if n := stored[at]; n > daily.Tries {
			found(fmt.Sprintf("%s has %d tries at the puzzle of %s", a.Player, n, a.Day), told[at])
		}
	}
	for at, wrong := range squares {
		if len(wrong) > stored[at] {
			found(fmt.Sprintf("%s was told of %d squares that they are wrong in the puzzle of %s, and %d tries are stored", at.player, len(wrong), at.day, stored[at]), told[at])
		}
	}
	return len(squares)
}
