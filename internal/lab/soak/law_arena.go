package soak

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// freeTime is how long two entrants of an arena may be free at the same time while the bot is there.
const freeTime = 10 * time.Second

// onePairEach is the law that a match of an arena is between two of its entrants and begins while the arena runs, and that nobody plays two
// games of an arena at once.
func onePairEach(c Case, found func(string, History)) (judged int) {
	arenas := c.arenas()
	games := map[[2]string][]Match{} // by arena and player
	for _, m := range c.Tables.Matches {
		if m.Arena == "" {
			continue
		}
		judged++
		a, known := arenas[m.Arena]
		if !known || m.level() != "" {
			found(fmt.Sprintf("match %s is of the arena %s, which is not one of people", m.ID, m.Arena), c.History.of(m.ID))
			continue
		}
		for _, p := range []string{m.X, m.O} {
			if p == string(match.Left) {
				continue
			}
			if !slices.ContainsFunc(a.Entrants, func(e Entrant) bool { return e.Player == p }) {
				found(fmt.Sprintf("match %s is of the arena %s, which %s has not entered", m.ID, m.Arena, p), c.History.of(m.ID))
			}
			games[[2]string{m.Arena, p}] = append(games[[2]string{m.Arena, p}], m)
		}
	}
	for of, all := range games {
		for i, m := range all {
			for _, other := range all[:i] {
				running := m.Ended.IsZero() && other.Ended.IsZero()
				if running || c.dated() && m.Created.Before(until(other)) && other.Created.Before(until(m)) {
					found(fmt.Sprintf("%s plays the matches %s and %s of the arena %s at once", of[1], m.ID, other.ID, of[0]),
						append(c.History.of(m.ID), c.History.of(other.ID)...))
				}
			}
		}
	}
	return judged
}

// pairedSoon is the law that two entrants are not free for longer than freeTime while the bot is there.
func pairedSoon(c Case, found func(string, History)) (judged int) {
	i := slices.IndexFunc(c.History, func(e Event) bool { return e.Kind == Finished })
	if i < 0 || !c.dated() {
		return notApplicable
	}
	faults := c.History.spans()
	for _, a := range c.arenas() {
		end := c.History[i].At
		if !a.Ends.IsZero() && a.Ends.Before(end) {
			end = a.Ends
		}
		var waits []wait
		for _, e := range a.Entrants {
			if e.State == "ready" {
				waits = append(waits, c.waits(a, e, end)...)
			}
		}
		judged += len(waits)
		for n, w := range waits {
			for _, other := range waits[:n] {
				from, to := later(w.from, other.from), w.to
				if other.to.Before(to) {
					to = other.to
				}
				if w.player == other.player || to.Sub(from) <= freeTime {
					continue
				}
				if free := to.Sub(from) - disturbed(faults, from, to); free > freeTime {
					found(fmt.Sprintf("arena %s: %s and %s were free for %s", a.ID, w.player, other.player, free), nil)
				}
			}
		}
	}
	return judged
}

// wait is a time in which an entrant was free.
type wait struct {
	player   string
	from, to time.Time
}

// waits returns when an entrant was free, from the moment when the entrant last joined.
func (c Case) waits(a Arena, e Entrant, end time.Time) (all []wait) {
	from := later(a.Begins, e.Since)
	for _, m := range c.pairings(a.ID) {
		if m.X != e.Player && m.O != e.Player {
			continue
		}
		if m.Created.After(from) {
			all = append(all, wait{e.Player, from, m.Created})
		}
		switch {
		case m.Ended.IsZero():
			return all
		case c.missed(m, e.Player) && !m.Ended.Before(e.Since):
			return all // the entrant was paused
		}
		from = later(from, m.Ended)
	}
	if end.After(from) {
		all = append(all, wait{e.Player, from, end})
	}
	return all
}

// missed reports whether a player lost a match because the player's first move did not come.
func (c Case) missed(m Match, player string) bool {
	mark, least := "X", 1
	if m.O == player {
		mark, least = "O", 2
	}
	squares, _ := c.squares(m.ID)
	return m.Cause == "time" && m.Outcome != mark && len(squares) < least
}

// disturbed returns how much of a time the bot may not have been able to pair anybody: the times of all faults, and for each the time until
// the bot tries again.
func disturbed(faults []span, from, to time.Time) (all time.Duration) {
	for _, f := range faults {
		if f.overlaps(from.Add(-settleTime), to) {
			all += f.to.Sub(f.from) + settleTime
		}
	}
	return all
}

// standingsFollow is the law that the final standings that an arena's message shows follow from the matches of the arena. It counts the
// points from the stored rows and moves alone.
func standingsFollow(c Case, found func(string, History)) (judged int) {
	for _, e := range c.History {
		if e.Kind != Ranked {
			continue
		}
		a, known := c.arenas()[e.Match]
		if !known {
			found(fmt.Sprintf("the standings of arena %s are shown and it is not stored", e.Match), History{e})
			continue
		}
		if e.Message != a.Message {
			continue // a message that was posted while the bot was killed, and posted again
		}
		points := c.points(a)
		for _, row := range standing.FindAllStringSubmatch(e.Text, -1) {
			if !slices.ContainsFunc(a.Entrants, func(e Entrant) bool { return e.Player == row[1] }) {
				continue // "Someone" or "A hidden player", which can be any entrant
			}
			judged++
			if want, shown := points[row[1]], number(row[2]); want != shown {
				found(fmt.Sprintf("arena %s: %s has %d points, and %d are shown", a.ID, row[1], want, shown), History{e})
			}
		}
	}
	return judged
}

// standing matches a row of the standings.
var standing = regexp.MustCompile(`(\w+)\W* · (\d+) points?`)

// points counts the points of an arena anew, by player.
func (c Case) points(a Arena) map[string]int {
	sum, wins, drawn := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, m := range c.pairings(a.ID) {
		if m.Ended.IsZero() || m.Ended.After(a.Ends) || m.Cause == "voided" {
			continue
		}
		squares, _ := c.squares(m.ID)
		board := 0
		if rules, err := game.ParseRules(m.Rules); err == nil {
			board = rules.Squares()
		}
		for mark, p := range map[string]string{"X": m.X, "O": m.O} {
			gain := 0
			if m.Outcome == mark {
				gain = 2
			}
			if m.Outcome == "draw" && !drawn[p] && (len(squares) >= 10 || len(squares) == board) {
				gain = 1
			}
			if wins[p] >= 2 {
				gain += gain
			}
			sum[p] += gain
			drawn[p] = m.Outcome == "draw"
			wins[p]++
			if m.Outcome != mark {
				wins[p] = 0
			}
		}
	}
	return sum
}

// pairings returns the matches of an arena in the order in which they began.
func (c Case) pairings(arena string) (all []Match) {
	for _, m := range c.Tables.Matches {
		if m.Arena == arena {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b Match) int {
		if at := a.Created.Compare(b.Created); at != 0 {
			return at
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all
}

func (c Case) arenas() map[string]Arena {
	all := map[string]Arena{}
	for _, a := range c.Tables.Arenas {
		all[a.ID] = a
	}
	return all
}

// dated reports whether all dates come from one clock that nobody has set, so that they can be compared.
func (c Case) dated() bool { return c.Setup.common() || len(c.History.settings()) <= 1 }

// until returns when a match ended; a match that goes on ends in the far future.
func until(m Match) time.Time {
	if m.Ended.IsZero() {
		return m.Created.Add(100 * 365 * 24 * time.Hour)
	}
	return m.Ended
}
