package soak

import (
	"fmt"
	"slices"
	"time"

	"tictactoe/internal/match"
)

// nobodyEarly is the law that a player who lost on time, or did not show up, had the whole time of the turn, plus all the time in which
// the bot was away, whatever the clock showed.
func nobodyEarly(c Case, found func(string, History)) (judged int) {
	away := make([][]span, max(c.Setup.Shards, 1))
	for i := range away {
		away[i] = c.away(i)
	}
	settings := c.History.settings()
	for _, g := range c.games() {
		if g.Cause != "time" && g.Cause != "no show" {
			continue
		}
		judged++
		began := g.Created
		if n := len(g.moves); n > 0 {
			began = g.moves[n-1].At // the last move, even if an earlier one has a later date because a clock was set back
		}
		began, _, known := when(settings, began)
		_, ended, also := when(settings, g.Ended)
		if !known || !also {
			found(fmt.Sprintf("match %s is dated when no clock showed that", g.ID), c.History.of(g.ID))
			continue
		}
		due := g.TurnTime
		if g.Arena != "" && len(g.moves) < 2 {
			due = match.FirstMoveTime
		}
		end := began
		for _, one := range away[c.Setup.shardOf(g.Venue)] { // spans may overlap, and time is counted once
			from, to := later(one.from, end), one.to
			if from.After(began) && to.After(from) && to.Before(ended) {
				due += to.Sub(from) - noticeTime
				end = to
			}
		}
		if had := ended.Sub(began); had < due-time.Duration(len(settings))*roundingTime {
			found(fmt.Sprintf("match %s was lost on time after %s of %s", g.ID, had, due), c.History.of(g.ID))
		}
	}
	return judged
}

// away returns the periods in which the players of a shard were unheard because a process had ended or was paused.
func (c Case) away(shard int) []span {
	spans := slices.DeleteFunc(c.History.spans(), func(s span) bool { return s.fault == Pause && !c.isAway(s) })
	switch {
	case c.Setup.sharing():
		return slices.DeleteFunc(spans, func(s span) bool { return s.fault != Unheard || s.shard != shard })
	case c.Setup.HTTP:
		return c.allAway(slices.DeleteFunc(spans, func(s span) bool { return s.fault == Leaving }))
	}
	all := slices.Clone(spans)
	return slices.DeleteFunc(spans, func(s span) bool {
		return s.fault != Kill && s.fault != Stop && s.fault != Pause || s.besideTwin(all)
	})
}

// besideTwin reports whether a second process, which may have been the active one, ran at any moment of the span.
func (s span) besideTwin(spans []span) bool {
	return slices.ContainsFunc(spans, func(twin span) bool { return twin.fault == Twin && twin.from.Before(s.to) && twin.to.After(s.from) })
}

// allAway returns the periods in which all replicas were away. Each begins when the last replica has gone.
func (c Case) allAway(spans []span) (all []span) {
	for _, s := range spans {
		if s.replica == 0 {
			continue
		}
		to := s.to
		for n := range c.Setup.Replicas {
			i := slices.IndexFunc(spans, func(o span) bool { return o.replica == n+1 && !o.from.After(s.from) && o.to.After(s.from) })
			if i < 0 {
				to = s.from
				break
			}
			if spans[i].to.Before(to) {
				to = spans[i].to
			}
		}
		if to.After(s.from) {
			all = append(all, span{fault: s.fault, from: s.from, to: to})
		}
	}
	return all
}

// isAway reports whether the bot must notice a pause. If other replicas go on, a process cannot know that one of them is paused.
func (c Case) isAway(pause span) bool {
	return c.Setup.Replicas <= 1 && pause.to.Sub(pause.from) >= pauseLeast
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// noneLeft is the law that at the end of the run all deadlines that passed more than judgeTime ago were enforced: the deadlines of turns,
// challenges and offers of a rematch. The clock is right again at the end, so no player may have more time left than a turn lasts, except
// for signTime.
func noneLeft(c Case, found func(string, History)) (judged int) {
	i := slices.IndexFunc(c.History, func(e Event) bool { return e.Kind == Finished })
	if i < 0 {
		return 0
	}
	bound := c.History[i].At.Add(-judgeTime)
	spans := c.History.spans()
	check := func(id string, due time.Time, what string) {
		// Other replicas leave a deadline to the process that took it before it was killed.
		held := c.Setup.common() && slices.ContainsFunc(spans, func(s span) bool {
			return s.fault == Kill && !s.from.Before(due) && bound.Before(s.from.Add(holdTime))
		})
		if !due.IsZero() && due.Before(bound) && !held {
			found(fmt.Sprintf("%s: %s was due %s before the end and is open", id, what, c.History[i].At.Sub(due)), c.History.of(id))
		}
	}
	for _, m := range c.Tables.Matches {
		check(m.ID, m.Deadline, "the turn")
		check(m.ID, m.RematchDeadline, "the rematch")
		most := m.TurnTime + signTime
		if m.BestOf > 0 && m.Series != m.ID {
			most += match.NextPause // in the first turn
		}
		if left := m.Deadline.Sub(c.History[i].At); !m.Deadline.IsZero() && left > most && !m.crowd(0) && !m.crowd(1) {
			found(fmt.Sprintf("%s: %s of %s are left of a turn", m.ID, left, m.TurnTime), c.History.of(m.ID))
		}
	}
	for _, ch := range c.Tables.Challenges {
		check(ch.ID, ch.Deadline, "the challenge")
	}
	return min(len(c.Tables.Matches), len(c.Tables.Challenges))
}

// datesTrue is the law for a shared database that moves are dated by the database's clock, which no fault sets. A date must not be
// earlier than the click or command, and not later than its latest possible arrival, even from a shard that was unheard meanwhile.
// The faults set the machines' clocks by larger amounts, so the law detects a move that is dated by such a clock.
func datesTrue(c Case, found func(string, History)) (judged int) {
	if !c.Setup.common() {
		return notApplicable
	}
	asked, spans := c.History.requests(), c.History.spans()
	// onItsWay returns the longest time that a request may have been under way if the bot has dated its move with the time date.
	onItsWay := func(r request, date time.Time) time.Duration {
		unheard := time.Duration(0)
		for _, s := range spans {
			if s.fault == Unheard && s.shard == r.shard && s.overlaps(r.at, date) {
				end := s.to
				if date.Before(end) {
					end = date
				}
				unheard += end.Sub(later(s.from, r.at))
			}
		}
		return max(unheard, takeoverTime) + settleTime
	}
	for _, g := range c.games() {
		for _, m := range g.moves {
			player := g.player(m.Ply)
			var times []request
			for _, stage := range g.stages(m.Ply) {
				times = append(times, asked[turn{player, g.ID, stage}]...)
			}
			for _, r := range asked[turn{player: player, match: g.ID}] {
				if g.lands(m.Ply, r.square) {
					times = append(times, r)
				}
			}
			if len(times) == 0 {
				continue // a computer's move, or a breach of another law
			}
			judged++
			late := func(r request) time.Duration { return m.At.Sub(r.at) }
			if !slices.ContainsFunc(times, func(r request) bool { return late(r) >= -datingTime && late(r) <= onItsWay(r, m.At) }) {
				found(fmt.Sprintf("match %s: the move of ply %d is dated %s after it was asked for", g.ID, m.Ply, late(times[0])), c.History.of(g.ID))
			}
		}
	}
	return judged
}

// takenOver is the law that a shard that several processes share is unheard for a minute at most, not counting faults that keep a
// bot from connecting, and that the absence has a cause: within a minute before, a process ended, started or lost its connections.
// The start of an absence is only known to lie between two checks, which may be far apart on a busy machine.
func takenOver(c Case, found func(string, History)) (judged int) {
	spans := c.History.spans()
	for _, s := range spans {
		if s.fault != Unheard {
			continue
		}
		judged++
		bound, why := takeoverTime, false
		for _, other := range spans {
			switch other.fault {
			case Slow, Failing, Limited, Busy, Outage:
				if other.overlaps(s.from, s.to) {
					bound += other.to.Sub(other.from)
				}
			}
			why = why || other.fault != Unheard && other.fault != Clock && other.fault != Stillborn && other.overlaps(s.from.Add(-takeoverTime), s.noticed.Add(noticeTime))
		}
		if lasted := s.to.Sub(s.from); lasted > bound {
			found(fmt.Sprintf("shard %d was unheard for %s", s.shard, lasted), c.History.where(func(e Event) bool {
				return e.Fault != "" && !e.At.Before(s.from.Add(-takeoverTime)) && !e.At.After(s.to)
			}))
		}
		if !why {
			found(fmt.Sprintf("shard %d was left for nothing", s.shard), c.History.where(func(e Event) bool {
				return e.Fault == Unheard && e.Shard == s.shard && !e.At.Before(s.from) && !e.At.After(s.to)
			}))
		}
	}
	killed := func(s span) bool { return s.fault == Kill }
	if judged == 0 && !(c.Setup.sharing() && slices.ContainsFunc(spans, killed)) {
		return notApplicable
	}
	return judged
}
