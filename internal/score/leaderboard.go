package score

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Leaderboard names what a leaderboard ranks by. Who is level in all else ranks by who got there first.
type Leaderboard string

// The leaderboards. Each is there for every season, for each board, and for all boards together.
const (
	People    Leaderboard = "people"    // matches between people: wins, then fewer losses
	Computers Leaderboard = "computers" // matches against the computer: wins, then draws, then fewer losses
	Levels    Leaderboard = "levels"    // levels of the computer that were beaten: the strongest first, then the next
	Draws     Leaderboard = "draws"     // the longest run of draws against the level that never loses
	Moves     Leaderboard = "moves"     // wins over the computer: the strongest level beaten, then fewest moves of one's own
)

// Leaderboards are all of them.
func Leaderboards() []Leaderboard { return []Leaderboard{People, Computers, Levels, Draws, Moves} }

// Board is a leaderboard of a venue.
type Board struct {
	Of     Leaderboard
	Rules  game.Rules // the zero value: all boards together
	Season int        // its number, or that which stands for the season that goes on; see package season
}

// Perfect is the level that never loses.
const Perfect = "unbeatable"

// levels are the levels of the computer, the strongest first.
func levels() []string {
	return []string{Perfect, "teacher", "minimax", "hard", "medium", "textbook", "easy", "random"}
}

// Strength orders levels: it is 0 for one that is not known, 1 for the weakest, and more for each that is stronger.
func Strength(level string) int {
	i := slices.Index(levels(), level)
	if i < 0 {
		return 0
	}
	return len(levels()) - i
}

// Standing is where a player is on a leaderboard: places sort as the leaderboard does, and no two are the same.
type Standing struct {
	Of    Leaderboard
	Place string
}

// Standings are those of a player on the leaderboards of one season and board, of which the entries have to be all.
func Standings(p match.User, entries []Entry) (all []Standing) {
	var computers Entry
	against := false
	stand := func(of Leaderboard, sort string, at time.Time) {
		all = append(all, Standing{of, fmt.Sprintf("%s%015d%s", sort, millis(at), p)})
	}
	for _, e := range entries {
		if e.Level == "" {
			stand(People, fmt.Sprintf("%010d%010d", most(e.Wins), e.Losses), e.Reached)
			continue
		}
		against = true
		computers.Tally = computers.Plus(e.Tally)
		computers.Reached = later(computers.Reached, e.Reached)
		if e.Longest > 0 {
			stand(Draws, fmt.Sprintf("%010d", most(e.Longest)), e.LongestAt)
		}
	}
	if against {
		stand(Computers, fmt.Sprintf("%010d%010d%010d", most(computers.Wins), most(computers.Draws), computers.Losses), computers.Reached)
	}
	if beaten := Beaten(entries); len(beaten) > 0 {
		set := strings.Repeat("1", len(levels()))
		var last time.Time
		for _, e := range beaten {
			i := len(levels()) - Strength(e.Level)
			set = set[:i] + "0" + set[i+1:]
			last = later(last, e.Beaten)
		}
		stand(Levels, set, last)
		best := beaten[0]
		stand(Moves, fmt.Sprintf("%02d%010d", len(levels())-Strength(best.Level), best.Fewest), best.FewestAt)
	}
	return all
}

// Beaten are the entries against levels that were beaten without a hint, the strongest first.
func Beaten(entries []Entry) []Entry {
	var beaten []Entry
	for _, e := range entries {
		if e.Fewest > 0 && Strength(e.Level) > 0 {
			beaten = append(beaten, e)
		}
	}
	slices.SortFunc(beaten, func(a, b Entry) int { return cmp.Compare(Strength(b.Level), Strength(a.Level)) })
	return beaten
}

// most has more sort before less.
func most(n int) int { return 9_999_999_999 - n }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// millis is a time as it is stored, 0 for none.
func millis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}
