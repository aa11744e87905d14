package soak

import (
	"fmt"
	"regexp"
	"strings"
)

// tries is how many wrong presses the bot allows for a puzzle, as daily.Tries says there: the soak shares nothing with what it judges.
const tries = 3

var (
	// puzzleOf is how the bot says which day's puzzle it shows, and missed how it says that a square was wrong.
	puzzleOf = regexp.MustCompile(`🧩 Daily puzzle of (\d{4}-\d{2}-\d{2})`)
	missed   = regexp.MustCompile(`🟥 ([a-e][1-5]) isn't it`)
)

// onePostADay is the law that a server gets the puzzle of a day at most once.
func onePostADay(c Case, found func(string, History)) {
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
}

// boundedTries is the law that every square that a player was told is wrong has cost a try, and that nobody has used more than [tries] at the
// puzzle of a day.
func boundedTries(c Case, found func(string, History)) {
	type attempt struct{ player, day string }
	erased := c.History.erasures()
	told, squares := map[attempt]History{}, map[attempt]map[string]bool{}
	for _, e := range c.History {
		day, square := puzzleOf.FindStringSubmatch(e.Text), missed.FindStringSubmatch(e.Text)
		if e.Kind != Settled || day == nil || square == nil || erased.after(e.Player, e.At) {
			continue
		}
		at := attempt{e.Player, day[1]}
		if squares[at] == nil {
			squares[at] = map[string]bool{}
		}
		squares[at][square[1]] = true
		told[at] = append(told[at], e)
	}
	stored := map[attempt]int{}
	for _, a := range c.Tables.Attempts {
		at := attempt{a.Player, a.Day}
		stored[at] = strings.Count(a.Presses, "!")
		if n := stored[at]; n > tries {
			found(fmt.Sprintf("%s has %d tries at the puzzle of %s", a.Player, n, a.Day), told[at])
		}
	}
	for at, wrong := range squares {
		if len(wrong) > stored[at] {
			found(fmt.Sprintf("%s was told of %d squares that they are wrong in the puzzle of %s, and %d tries are stored", at.player, len(wrong), at.day, stored[at]), told[at])
		}
	}
}
