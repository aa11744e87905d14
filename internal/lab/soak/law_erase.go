package soak

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tictactoe/internal/match"
)

// eraseForm is the field Did of a player's confirmation that all data be deleted.
const eraseForm = "submit privacy:erase"

// erasure is a player's request to delete all data.
type erasure struct {
	sent, until time.Time // until is the latest time at which it was handled
	told        bool      // the bot told the player that everything was deleted
}

// erasures has the requests of each player, the earliest first.
type erasures map[string][]erasure

// erasures returns the requests to delete data. A request without an answer is handled when its shard is heard again, or never.
func (h History) erasures() erasures {
	all, settled := erasures{}, h.settled()
	for _, e := range h {
		if e.Kind == Sent && e.Did == eraseForm {
			one := erasure{e.At, e.At.Add(takeoverTime), false}
			end := settled[e.Interaction]
			if _, told := end.Said[saidErased]; told {
				one.until, one.told = end.At, true
			}
			all[e.Player] = append(all[e.Player], one)
		}
	}
	return all
}

// after reports whether a player's data may have been deleted after the given time.
func (all erasures) after(player string, at time.Time) bool {
	return slices.ContainsFunc(all[player], func(one erasure) bool { return at.Before(one.until) })
}

// who returns the players who may have had a seat. If the seat names [match.Left], which replaces a deleted player, it returns all players
// whose data was deleted.
func (all erasures) who(seat string) []string {
	if seat != string(match.Left) {
		return []string{seat}
	}
	return slices.Collect(maps.Keys(all))
}

// erasedMatches returns the matches and challenges that may have been deleted with a player's data, because all their other players are
// computers or also had their data deleted.
func (h History) erasedMatches() map[string]bool {
	all, acted := h.erasures(), map[string]bool{}
	for _, e := range h {
		acted[e.Player] = true
	}
	gone := map[string]bool{}
	for _, e := range h {
		// An open challenge shows one player. It is kept when that player leaves, and its match shows both.
		if _, judged := gone[e.Match]; judged || e.Match == "" || e.Seats[1] == "" {
			continue
		}
		x, o := e.Seats[0], e.Seats[1]
		gone[e.Match] = (all.after(x, e.At) || all.after(o, e.At)) && (!acted[x] || len(all[x]) > 0) && (!acted[o] || len(all[o]) > 0)
	}
	return gone
}

// nothingLeft is the law that the database does not name a player who had all data deleted and did nothing afterwards, and that all
// matches and challenges of such a player are over.
func nothingLeft(c Case, found func(string, History)) (judged int) {
	const left = string(match.Left)
	for _, m := range c.Tables.Matches {
		if (m.X == left || m.O == left) && (m.Cause == "" || !m.RematchDeadline.IsZero()) {
			found(fmt.Sprintf("match %s goes on with a player who was deleted", m.ID), c.History.of(m.ID))
		}
	}
	for _, ch := range c.Tables.Challenges {
		if (ch.From == left || ch.To == left) && !ch.Deadline.IsZero() {
			found(fmt.Sprintf("challenge %s is open with a player who was deleted", ch.ID), c.History.of(ch.ID))
		}
	}
	for player, some := range c.History.erasures() {
		last := some[len(some)-1]
		if !last.told || c.History.concernsAfter(player, last.sent) {
			continue
		}
		judged++
		for _, table := range c.Tables.Named[player] {
			found(fmt.Sprintf("%s was deleted, and %s names %s", player, table, player), c.History.where(func(e Event) bool {
				return e.Player == player && !e.At.Before(last.sent)
			}))
		}
	}
	return judged
}

// concernsAfter reports whether any action by or against a player was settled after the given time, except the request that was
// sent at this time.
func (h History) concernsAfter(player string, at time.Time) bool {
	settled := h.settled()
	return slices.ContainsFunc(h, func(e Event) bool {
		concerns := e.Player == player || strings.HasSuffix(e.Did, "@"+player)
		return e.Kind == Sent && concerns && !e.At.Equal(at) && settled[e.Interaction].At.After(at)
	})
}
