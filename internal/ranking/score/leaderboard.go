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

// Leaderboard is the criterion of a leaderboard. Equal players share a rank; the player who reached the score first is listed first.
type Leaderboard string

// The leaderboards. Each exists for every season, for each rule set and for all rule sets together.
const (
	People    Leaderboard = "people"    // matches between people: wins, then fewer losses
	Computers Leaderboard = "computers" // matches against the computer: the strongest beaten level, then wins over it, draws, fewer losses
	Levels    Leaderboard = "levels"    // beaten levels of the computer: by the strongest, then by the next
	Draws     Leaderboard = "draws"     // the longest run of draws against the level that never loses
	Moves     Leaderboard = "moves"     // wins over the computer: the strongest beaten level, then the fewest moves of the player
)

// Board is a leaderboard of a venue.
type Board struct {
	Of     Leaderboard
	Rules  game.Rules // the zero value: all rule sets together
	Season int        // the number of the season, or Latest of package season for the current one
}

// Perfect is the level that never loses.
const Perfect = "unbeatable"

// levels returns the levels of the computer, the strongest first.
func levels() []string {
	return []string{Perfect, "teacher", "minimax", "hard", "medium", "textbook", "easy", "random"}
}

// Strength orders levels: it returns 0 for an unknown level, 1 for the weakest, and more for each stronger one.
func Strength(level string) int {
	i := slices.Index(levels(), level)
	if i < 0 {
		return 0
	}
	return len(levels()) - i
}

// TimeDigits is the number of digits of the time in a place, in Unix milliseconds.
const TimeDigits = 15

// Standing is a player's row on a leaderboard. Place is its sort key: places sort as the leaderboard does, and no two are
// equal. The places of players with equal results differ only in the time, which has [TimeDigits] digits, and the player, who comes last.
type Standing struct {
	Of    Leaderboard
	Place string
}

// Standings returns the standings of a player on the leaderboards of one season and rule set. entries must be all entries of the
// player for that season and rule set.
func Standings(p match.User, entries []Entry) (all []Standing) {
	var computers Entry
	against := false
	stand := func(of Leaderboard, sort string, at time.Time) {
		all = append(all, Standing{of, fmt.Sprintf("%s%0*d%s", sort, TimeDigits, millis(at), p)})
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
	beaten := Beaten(entries)
	if against {
		best, wins := len(levels()), computers.Wins // a player who has beaten no level has won only with hints
		if len(beaten) > 0 {
			best, wins = len(levels())-Strength(beaten[0].Level), beaten[0].Wins
		}
		stand(Computers, fmt.Sprintf("%02d%010d%010d%010d", best, most(wins), most(computers.Draws), computers.Losses), computers.Reached)
	}
	if len(beaten) > 0 {
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

// Beaten returns the entries against levels that the player has beaten without a hint, the strongest first.
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

// most returns a sort key that decreases with n, so that larger numbers sort first.
func most(n int) int { return 9_999_999_999 - n }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// millis returns a time in Unix milliseconds, as it is stored, or 0 for the zero time.
func millis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// RowsOnAPage is the number of rows on a page of a leaderboard.
const RowsOnAPage = 10

// Row is one line of a leaderboard.
type Row struct {
	Rank   int // 1 more than the number of players with better results
	Player match.User
	Name   string
	Hidden bool // the player is hidden; the name is empty
	Tally
	Levels []LevelTally // one tally for each level of the computer, the weakest first; empty on the leaderboard of people
}

// LevelTally sums up a player's matches against one level of the computer.
type LevelTally struct {
	Level string
	Tally
	Fewest  int // the fewest moves of the player in a win; 0 without a win
	Longest int // the longest run of draws; see [Feats]
}

// Where selects a page of a leaderboard: the page of a player, or a page by its number.
type Where struct {
	Player match.User // the player whose page to show; the first page if the player has no row; if empty, Page is used
	Page   int        // from 1; a number beyond the last page means the last page
}

// PageOf returns the number of the page with the row at a position. Both are counted from 1.
func PageOf(position int) int { return (position-1)/RowsOnAPage + 1 }

// Page is one page of a leaderboard.
type Page struct {
	Rows  []Row
	Own   *Row // the row of the requesting player, even if it is on another page; nil if there is none
	Page  int  // from 1, at most Pages
	Pages int  // at least 1
	Stale bool // some scores are being recounted
	Out   bool // the leaderboards of the server leave out the requesting player
}
