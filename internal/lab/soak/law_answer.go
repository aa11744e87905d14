package soak

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tictactoe/bot"
)

// everyoneAnswered is the law that every interaction is answered in time, unless an external fault overlaps with the time for the answer.
// The text about Limits.UserRate counts as an answer only for a player who was too fast.
func everyoneAnswered(c Case, found func(string, History)) (judged int) {
	spans := c.History.spans()
	settled := c.History.settled()
	had := map[string]History{} // for each interaction, the events that route it to replicas
	for _, e := range c.History {
		if e.Kind == Routed || e.Kind == Unreached {
			had[e.Interaction] = append(had[e.Interaction], e)
		}
	}
	var nobody []span // periods in which the proxy could reach no replica
	if c.Setup.HTTP {
		nobody = c.away(0)
	}
	used := map[string]rateUse{}
	for _, e := range c.History {
		if e.Kind != Sent {
			continue
		}
		judged++
		end := settled[e.Interaction]
		_, turnedAway := end.Said[saidTooFast]
		arrives, sure := c.arrival(spans, e)
		if end.Status == "answered" && arrives.After(end.At) {
			arrives = end.At // the interaction had reached the bot before the shard was unheard
		}
		p, left := used[e.Player].next(later(arrives, used[e.Player].at), !turnedAway)
		used[e.Player] = p
		if turnedAway && left >= underWay && sure {
			found(fmt.Sprintf("interaction %s of %s (%s) was turned away with %.0f to spare", e.Interaction, e.Player, e.Did, left),
				c.History.about(e.Interaction))
		}
		if end.Status == "answered" {
			continue
		}
		if strings.HasPrefix(e.Did, "mentions:") && strings.HasPrefix(end.Error, "10008:") {
			continue // the message of a mention is deleted when its player has moved, even if another player presses its button at that moment
		}
		until := e.At.Add(answerTime)
		if end.Status == "deferred" {
			until = until.Add(settleTime)
		}
		excused := slices.ContainsFunc(spans, func(s span) bool {
			return c.excuses(s) && (s.fault != Unheard || s.shard == e.Shard) && s.overlaps(e.At, until)
		})
		if !excused && !c.undelivered(spans, nobody, e, had[e.Interaction], until) {
			found(fmt.Sprintf("interaction %s of %s (%s) ended as %q", e.Interaction, e.Player, e.Did, end.Status),
				c.History.about(e.Interaction))
		}
	}
	return judged
}

// arrival returns when an interaction reached the bot. If the shard was unheard then, the time is when the shard is heard again. It reports
// false if the time is unknown, because one of several processes was paused and it is unknown which of them served the shard.
func (c Case) arrival(spans []span, sent Event) (at time.Time, sure bool) {
	at, sure = sent.At, true
	for _, s := range spans {
		switch waited := s.overlaps(sent.At, sent.At); {
		case waited && (s.fault == Unheard && s.shard == sent.Shard || s.fault == Pause && c.Setup.Replicas <= 1 && !s.besideTwin(spans)):
			at = s.to
		case s.fault == Pause && s.overlaps(sent.At.Add(-atOnce/perSecond*time.Second), sent.At):
			sure = false
		}
	}
	return at, sure
}

// excuses reports whether a fault excuses missing answers. If replicas share the shards, lost connections are no excuse: each shard is
// heard again at a different time, and until then the fault Unheard excuses.
func (c Case) excuses(s span) bool {
	if c.Setup.sharing() && (s.fault == Drop || s.fault == Reconnect || s.fault == Invalid) {
		return false
	}
	return s.fault.excuses() && s.replica == 0
}

// undelivered reports whether an interaction over HTTP reached no replica, or reached a replica too late for an answer before the given
// time. The argument routes holds the events in which the proxy passed the interaction to a replica or failed to, and unreachable the periods in which
// the proxy could reach no replica.
func (c Case) undelivered(spans, unreachable []span, sent Event, routes History, until time.Time) bool {
	return slices.ContainsFunc(routes, func(got Event) bool {
		late := got.Kind == Routed && got.At.Sub(sent.At) > deliverTime
		return late || c.lost(spans, got, until) || slices.ContainsFunc(unreachable, func(s span) bool { return s.overlaps(sent.At, got.At) })
	})
}

// lost reports whether the routing of an interaction over HTTP explains its missing answer: its replica ended before the answer, or there
// was no replica.
func (c Case) lost(spans []span, got Event, until time.Time) bool {
	for n := range c.Setup.Replicas {
		if got.Replica > 0 && got.Replica != n+1 {
			continue
		}
		gone := slices.ContainsFunc(spans, func(s span) bool {
			return s.replica == n+1 && (got.Kind == Routed && s.fault != Leaving && s.overlaps(got.At, until) || got.Kind == Unreached && s.overlaps(got.At.Add(-tryTime), got.At))
		})
		if !gone {
			return false
		}
	}
	return true
}

// answeredOnce is the law that an interaction gets one first response, even if it was delivered to two replicas.
func answeredOnce(c Case, found func(string, History)) (judged int) {
	times := map[string]int{}
	for _, e := range c.History {
		if e.Kind == Acknowledged {
			if times[e.Interaction]++; times[e.Interaction] == 2 {
				found(fmt.Sprintf("interaction %s was answered again", e.Interaction), c.History.about(e.Interaction))
			}
		}
	}
	return len(times)
}

// The limits per user that the soak test sets for serve: atOnce interactions at once, and perSecond a second in the long run. A user with
// an allowance of underWay or more must not be rate limited. With a smaller allowance the law judges nothing, because up to underWay
// interactions may arrive in a different order than they were sent in.
const (
	perSecond = 5
	atOnce    = perSecond * bot.BurstSeconds
	underWay  = 4
)

// rateUse is a lower bound of a player's use of these limits. A restarted bot has forgotten earlier use.
type rateUse struct {
	at   time.Time
	used float64
}

// next returns the use after one more interaction at the given time, and the allowance before that interaction.
func (p rateUse) next(at time.Time, counts bool) (after rateUse, left float64) {
	if !p.at.IsZero() {
		p.used = max(0, p.used-perSecond*at.Sub(p.at).Seconds())
	}
	p.at = at
	left = atOnce - p.used
	if counts {
		p.used = min(p.used+1, atOnce)
	}
	return p, left
}

// nothingUnexpected is the law that players see an apology only if the interaction was garbled, or the disk was full before its answer.
func nothingUnexpected(c Case, found func(string, History)) (judged int) {
	spans := c.History.spans()
	garbled := map[string]bool{}
	for _, e := range c.History {
		if e.Kind == Began && e.Fault == Garble && e.Interaction != "" {
			garbled[e.Interaction] = true
		}
	}
	sent := map[string]time.Time{}
	for _, e := range c.History {
		_, apology := e.Said[saidApology]
		if e.Kind == Settled && e.Text != "" {
			judged++
		}
		switch {
		case e.Kind == Sent:
			sent[e.Interaction] = e.At
		case e.Kind == Settled && apology && !garbled[e.Interaction]:
			full := slices.ContainsFunc(spans, func(s span) bool {
				return s.fault == Full && !s.from.After(e.At) && !s.to.Before(sent[e.Interaction])
			})
			if !full {
				found(fmt.Sprintf("%s read: %s", e.Player, e.Text), c.History.about(e.Interaction))
			}
		}
	}
	return judged
}

// endsWhenTold is the law that a bot does not end by itself, and ends without an error when it is told to end.
func endsWhenTold(c Case, found func(string, History)) (judged int) {
	for _, e := range c.History {
		if e.Kind == Died {
			found("the bot "+e.Text, History{e})
		}
		if e.Kind == Died || e.Kind == Finished {
			judged++
		}
	}
	return judged
}
