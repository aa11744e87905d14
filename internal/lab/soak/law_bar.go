package soak

import (
	"fmt"
	"strings"
	"time"

	"tictactoe/internal/match"
)

// barTime is how long requests that were sent before a bar began or ended may be handled after that.
const barTime = 10 * time.Second

// neverBegins is the law that no match of a barred player begins, except the next game of a series. It judges what barred players try.
func neverBegins(c Case, found func(string, History)) (judged int) {
	if !c.dated() {
		return notApplicable
	}
	for _, b := range c.Tables.Bars {
		for _, m := range c.Tables.Matches {
			if m.Venue == b.Venue && (m.X == b.Player || m.O == b.Player) && b.holds(m.Created) && (m.BestOf == 0 || m.Series == m.ID) {
				found(fmt.Sprintf("match %s began at %s, and %s was barred at %s", m.ID, m.Created.UTC().Format(time.TimeOnly), b.Player,
					b.From.UTC().Format(time.TimeOnly)), c.History.of(m.ID))
			}
		}
		for _, e := range c.History {
			verb, _, _ := strings.Cut(e.Did, ":")
			begins := verb == "accept" || verb == "rematch" || verb == "tictactoe ai" || strings.HasPrefix(verb, "tictactoe challenge")
			if e.Kind == Sent && e.Player == b.Player && begins && b.holds(e.At) {
				judged++
			}
		}
	}
	return judged
}

// holds reports whether a bar forbids all matches that begin at the given time, however late a request was handled.
func (b Bar) holds(at time.Time) bool {
	return at.After(b.From.Add(barTime)) && (b.To.IsZero() || at.Before(b.To.Add(-barTime)))
}

// barred reports whether a player was ever barred.
func (c Case) barred(player string) bool {
	for _, b := range c.Tables.Bars {
		if b.Player == player {
			return true
		}
	}
	return false
}

// bars returns the bars that the entries of the audit log set and lift, which are in the order of the log. An entry does not name a player
// who had all data deleted.
func bars(log []ruling) (all []Bar) {
	open := map[[2]string]int{} // by venue and player, the number of the bar plus one
	for _, r := range log {
		of := [2]string{r.venue, r.whom}
		switch {
		case r.whom == string(match.Left):
		case r.kind == "bar" && open[of] == 0:
			all = append(all, Bar{Venue: r.venue, Player: r.whom, From: r.at})
			open[of] = len(all)
		case r.kind == "unbar" && open[of] > 0:
			all[open[of]-1].To = r.at
			delete(open, of)
		}
	}
	return all
}

// ruling is an entry of the audit log about a player.
type ruling struct {
	venue, whom, kind string
	at                time.Time
}
