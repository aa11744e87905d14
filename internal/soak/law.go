package soak

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/game"
)

// Bounds of the laws.
const (
	// answerTime is how long Discord waits for the first word of a bot, settleTime how long the simulator waits for what
	// follows a deferral.
	answerTime = 3 * time.Second
	settleTime = 10 * time.Second
	// deliverTime is how long it may take until a replica has an interaction: Reorder keeps it for a second. What this machine
	// took longer for leaves too little of answerTime.
	deliverTime = 1200 * time.Millisecond
	// judgeTime is how long a deadline that has passed may stay unjudged while the bot is there.
	judgeTime = 5 * time.Second
	// takeoverTime is how long a shard may be unheard after the process that had it was killed.
	takeoverTime = time.Minute
	// pauseLeast is how long a pause has to last for a process to know that it did not run, with some time for the signals.
	pauseLeast = 1250 * time.Millisecond
	// noticeTime is how long it may take to see that a bot is there again.
	noticeTime = 50 * time.Millisecond
	// spareTime is what a turn may be given beside the whole of its time, because it began after the last sign of life before a
	// kill that its writer waited for.
	spareTime = 30 * time.Second
	// datingTime is how far a date may be from the truth where the clock is the database's, before it was asked often.
	datingTime = time.Second
	// roundingTime covers that times are stored in milliseconds, and cut to them whenever deadlines follow the clock.
	roundingTime = 2 * time.Millisecond
)

// Breach is one thing that must not have happened.
type Breach struct {
	Law     string  `json:"law"`
	What    string  `json:"what"`
	History History `json:"history"` // what concerns it, and no more
}

// Case is what is judged.
type Case struct {
	Setup   Setup
	History History
	Tables  Tables
}

// Law is one thing that always holds.
type Law struct {
	Name  string
	check func(c Case, found func(what string, of History))
}

// Laws are all of them.
func Laws() []Law {
	return []Law{
		{"what was shown is stored", shownIsStored},
		{"every ply has one move", onePlyOneMove},
		{"nobody moves for another", ownMoves},
		{"results follow from the moves", resultsFollow},
		{"scores follow from the results", scoresFollow},
		{"a match begins once", beginsOnce},
		{"nobody loses on time early", nobodyEarly},
		{"no clock is left running", noneLeft},
		{"dates are true where replicas share a clock", datesTrue},
		{"everyone is answered", everyoneAnswered},
		{"nobody is answered twice", answeredOnce},
		{"shards are taken over", takenOver},
		{"nothing unexpected happens", nothingUnexpected},
		{"the bot ends when it is told to", endsWhenTold},
		{"boards become true", boardsTrue},
	}
}

// Judge finds all breaches of all laws, the one with the shortest history first.
func Judge(c Case) []Breach {
	var all []Breach
	for _, law := range Laws() {
		law.check(c, func(what string, of History) { all = append(all, Breach{law.Name, what, of}) })
	}
	slices.SortStableFunc(all, func(a, b Breach) int { return len(a.History) - len(b.History) })
	return all
}

// squares are the moves of a match, by ply; false if there is not exactly one for each.
func (c Case) squares(match string) ([]game.Square, bool) {
	byPly := map[int]game.Square{}
	n := 0
	for _, m := range c.Tables.Moves {
		if m.Match == match {
			byPly[m.Ply] = game.Square(m.Square)
			n++
		}
	}
	squares := make([]game.Square, 0, n)
	for ply := range n {
		s, known := byPly[ply]
		if !known {
			return nil, false
		}
		squares = append(squares, s)
	}
	return squares, true
}

// record replays the moves of a match.
func (c Case) record(m Match) (game.Record, error) {
	rules, err := game.ParseRules(m.Rules)
	if err != nil {
		return game.Record{}, err
	}
	squares, whole := c.squares(m.ID)
	if !whole {
		return game.Record{}, fmt.Errorf("a ply has no move, or several")
	}
	return game.Replay(rules, squares...)
}

// games are the matches with their replays; what cannot be replayed is absent.
func (c Case) games() map[string]replayed {
	all := map[string]replayed{}
	byMatch := map[string][]Move{}
	for _, m := range c.Tables.Moves {
		byMatch[m.Match] = append(byMatch[m.Match], m)
	}
	for _, m := range c.Tables.Matches {
		one := Case{Tables: Tables{Moves: byMatch[m.ID]}}
		if record, err := one.record(m); err == nil {
			all[m.ID] = replayed{m, record, byMatch[m.ID]}
		}
	}
	return all
}

type replayed struct {
	Match
	record game.Record
	moves  []Move
}

// draw is a position as the history has it.
func draw(p game.Position) string {
	var b strings.Builder
	for s := range p.Rules().Squares() {
		if s > 0 && s%p.Rules().Width() == 0 {
			b.WriteByte('/')
		}
		if mark := p.At(game.Square(s)); mark == game.None {
			b.WriteByte('.')
		} else {
			b.WriteString(mark.String())
		}
	}
	return b.String()
}

// A board that anybody saw is the replay of the stored moves up to its ply, and the end that it tells of is stored. A
// challenge that anybody saw is stored.
func shownIsStored(c Case, found func(string, History)) {
	games := c.games()
	challenges := map[string]bool{}
	for _, ch := range c.Tables.Challenges {
		challenges[ch.ID] = true
	}
	for _, e := range c.History {
		switch {
		case e.Kind == Invited && !challenges[e.Match]:
			found(fmt.Sprintf("challenge %s was shown and is not stored", e.Match), c.History.of(e.Match))
		case e.Kind == Shown || e.Kind == Standing:
			if wrong := untrue(games, e); wrong != "" {
				found(fmt.Sprintf("match %s: %s", e.Match, wrong), c.History.of(e.Match))
			}
		}
	}
}

// untrue says what is wrong about a board, and nothing if it once was the state of the match.
func untrue(games map[string]replayed, e Event) string {
	g, known := games[e.Match]
	switch {
	case !known:
		return "it was shown and is not stored as it can be played"
	case e.Ply > g.record.Len():
		return fmt.Sprintf("%d moves were shown and %d are stored", e.Ply, g.record.Len())
	}
	if stored := draw(g.record.First(e.Ply).Position()); stored != e.Board {
		return fmt.Sprintf("after %d moves it was shown as %s and is stored as %s", e.Ply, e.Board, stored)
	}
	if e.Cause != "" && (e.Cause != g.Cause || e.Outcome != g.Outcome) {
		return fmt.Sprintf("its end was shown as %q by %q and is stored as %q by %q", e.Outcome, e.Cause, g.Outcome, g.Cause)
	}
	return ""
}

// Each ply from the first on has exactly one move, and the database itself would refuse another.
func onePlyOneMove(c Case, found func(string, History)) {
	type ply struct {
		match string
		n     int
	}
	count, length := map[ply]int{}, map[string]int{}
	for _, m := range c.Tables.Moves {
		count[ply{m.Match, m.Ply}]++
		length[m.Match] = max(length[m.Match], m.Ply+1)
	}
	for match, n := range length {
		for i := range n {
			if moves := count[ply{match, i}]; moves != 1 {
				found(fmt.Sprintf("match %s has %d moves of ply %d", match, moves, i), c.History.of(match))
			}
		}
	}
	if len(c.Tables.Moves) > 0 && c.Tables.Wall == "" {
		found("the database takes a second move of a ply that has one", nil)
	}
}

// Each stored move of a person is one that this very person asked for, at that ply.
func ownMoves(c Case, found func(string, History)) {
	type press struct{ player, match, ply string }
	pressed := map[press][]string{} // the squares
	for _, e := range c.History {
		if e.Kind != Sent {
			continue
		}
		if f := strings.Split(e.Did, ":"); f[0] == "play" && len(f) == 4 {
			key := press{e.Player, f[1], f[2]}
			pressed[key] = append(pressed[key], f[3])
		}
	}
	for _, g := range c.games() {
		rules := g.record.Position().Rules()
		for ply, square := range g.record.Squares() {
			player := g.player(ply)
			if player == "" {
				continue
			}
			before := g.record.First(ply).Position()
			lands := func(name string) bool {
				s, err := rules.ParseSquare(name)
				if err == nil && before.At(s) == game.None {
					s = before.Landing(s)
				}
				return err == nil && s == square
			}
			if !slices.ContainsFunc(pressed[press{player, g.ID, strconv.Itoa(ply)}], lands) {
				found(fmt.Sprintf("match %s: the move of ply %d on %s was not made by %s", g.ID, ply, rules.Name(square), player),
					c.History.of(g.ID))
			}
		}
	}
}

// outcomes are the words of the table of matches.
var outcomes = map[game.Outcome]string{game.XWins: "X", game.OWins: "O", game.Draw: "draw", game.InProgress: ""}

// What the moves decide is the result, and what they leave open was ended by somebody who may: the loser resigned, a player
// called it off, or time ran out for the side to move.
func resultsFollow(c Case, found func(string, History)) {
	submitted := map[string]bool{} // match and player
	for _, e := range c.History {
		if f := strings.Split(e.Did, ":"); e.Kind == Sent && f[0] == "submit resign" && len(f) == 3 {
			submitted[f[1]+" "+e.Player] = true
		}
	}
	games := c.games()
	for _, m := range c.Tables.Matches {
		g, known := games[m.ID]
		if !known {
			found(fmt.Sprintf("match %s cannot be replayed", m.ID), c.History.of(m.ID))
			continue
		}
		played := g.record.Outcome()
		loser := map[string]string{"X": m.O, "O": m.X}[m.Outcome]
		wrong := ""
		switch m.Cause {
		case "line", "full board":
			if outcomes[played] != m.Outcome || (m.Cause == "full board") != (played == game.Draw) {
				wrong = fmt.Sprintf("the moves end as %q", outcomes[played])
			}
		case "time":
			if late := g.record.Position().Turn().Opponent().String(); late != m.Outcome || played != game.InProgress {
				wrong = fmt.Sprintf("time could only have made %s win", late)
			}
		case "resignation":
			if played != game.InProgress || !submitted[m.ID+" "+loser] {
				wrong = fmt.Sprintf("%q did not resign", loser)
			}
		case "aborted":
			if played != game.InProgress || g.record.Len() > 1 || !submitted[m.ID+" "+m.X] && !submitted[m.ID+" "+m.O] {
				wrong = "nobody could have called it off, or did"
			}
		default:
			if played != game.InProgress {
				wrong = fmt.Sprintf("the moves end it as %q", outcomes[played])
			}
		}
		if wrong != "" {
			found(fmt.Sprintf("match %s: the result is %q by %q, but %s", m.ID, m.Outcome, m.Cause, wrong), c.History.of(m.ID))
		}
	}
}

// The scores are what the ended matches add up to, and the sums against the computer what the scores do.
func scoresFollow(c Case, found func(string, History)) {
	type key struct{ venue, player, level string }
	type tally [3]int
	want, sums := map[key]tally{}, map[key]tally{}
	for _, m := range c.Tables.Matches {
		if m.Cause == "" || m.Cause == "aborted" {
			continue
		}
		for side, player := range map[string]string{"X": m.X, "O": m.O} {
			if player == "" {
				continue
			}
			i := 2
			switch m.Outcome {
			case side:
				i = 0
			case "draw":
				i = 1
			}
			for _, into := range []struct {
				in  map[key]tally
				key key
			}{{want, key{m.Venue, player, m.level()}}, {sums, key{m.Venue, player, "*"}}} {
				if into.key.level == "*" && (m.level() == "" || m.Venue == "") { // direct messages have no leaderboard
					continue
				}
				t := into.in[into.key]
				t[i]++
				into.in[into.key] = t
			}
		}
	}
	compare := func(want map[key]tally, stored []Score, level string) {
		for _, s := range stored {
			k := key{s.Venue, s.Player, s.Level + level}
			if have := (tally{s.Wins, s.Draws, s.Losses}); want[k] != have {
				found(fmt.Sprintf("the score of %s (computer: %q) is %v and should be %v", s.Player, k.level, have, want[k]), nil)
			}
			delete(want, k)
		}
		for k, t := range want {
			found(fmt.Sprintf("the score of %s (computer: %q) is missing and should be %v", k.player, k.level, t), nil)
		}
	}
	compare(want, c.Tables.Scores, "")
	compare(sums, c.Tables.Computer, "*")
}

// A match comes from one accepted challenge, from one request to play the computer, or from one match as its rematch, and
// no match has two rematches.
func beginsOnce(c Case, found func(string, History)) {
	accepted, from := map[string]bool{}, map[string]int{}
	for _, ch := range c.Tables.Challenges {
		accepted[ch.ID] = ch.Status == "accepted"
	}
	exists := map[string]bool{}
	for _, m := range c.Tables.Matches {
		exists[m.ID] = true
		if m.Next != "" {
			from[m.Next]++
		}
	}
	for _, m := range c.Tables.Matches {
		switch {
		case m.Next != "" && !exists[m.Next]:
			found(fmt.Sprintf("the rematch %s of match %s does not exist", m.Next, m.ID), c.History.of(m.ID))
		case m.Series != m.ID && from[m.ID] != 1:
			found(fmt.Sprintf("match %s is the rematch of %d matches", m.ID, from[m.ID]),
				append(c.History.of(m.Series), c.History.of(m.ID)...))
		case m.Series == m.ID && m.level() == "" && !accepted[m.ID]:
			found(fmt.Sprintf("match %s began, but its challenge was not accepted", m.ID), c.History.of(m.ID))
		}
	}
}

// Who lost on time had the whole time of the turn, and all the time beside it in which there was no bot, whatever the clock
// showed.
func nobodyEarly(c Case, found func(string, History)) {
	away := make([][]span, max(c.Setup.Shards, 1))
	for i := range away {
		away[i] = c.away(i)
	}
	settings := c.History.settings()
	for _, g := range c.games() {
		if g.Cause != "time" {
			continue
		}
		began := g.Created
		if n := len(g.moves); n > 0 {
			began = g.moves[n-1].At // whatever its date, it came last
		}
		began, _, known := when(settings, began)
		_, ended, also := when(settings, g.Ended)
		if !known || !also {
			found(fmt.Sprintf("match %s is dated when no clock showed that", g.ID), c.History.of(g.ID))
			continue
		}
		due := g.TurnTime
		end := began
		for _, one := range away[c.Setup.shardOf(g.Venue)] { // spans may overlap: what was counted is not counted again
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
}

// away is when nobody heard the players of a shard because a process had ended or was paused. Where others hear the same, nobody
// can know that one is paused.
func (c Case) away(shard int) (all []span) {
	spans := c.History.spans()
	switch {
	case c.Setup.sharing():
		for _, s := range spans {
			if s.fault == Unheard && s.shard == shard {
				all = append(all, s)
			}
		}
	case c.Setup.HTTP:
		// From the moment that the last of them has gone.
		spans = slices.DeleteFunc(spans, func(s span) bool { return s.fault == Leaving || s.fault == Pause && !c.isAway(s) })
		for _, s := range spans {
			if s.replica == 0 {
				continue
			}
			from, to := s.from, s.to
			for n := range c.Setup.Replicas {
				i := slices.IndexFunc(spans, func(o span) bool { return o.replica == n+1 && !o.from.After(s.from) && o.to.After(s.from) })
				if i < 0 {
					to = from
					break
				}
				if spans[i].to.Before(to) {
					to = spans[i].to
				}
			}
			if to.After(from) {
				all = append(all, span{fault: s.fault, from: from, to: to})
			}
		}
	default:
		all = slices.DeleteFunc(slices.Clone(spans), func(s span) bool {
			return s.fault != Kill && s.fault != Stop && s.fault != Pause || s.fault == Pause && !c.isAway(s) || slices.ContainsFunc(spans, func(other span) bool {
				return other.fault == Twin && other.from.Before(s.to) && other.to.After(s.from) // there was a bot
			})
		})
	}
	return all
}

// isAway tells whether a pause is one that a bot has to know of.
func (c Case) isAway(pause span) bool {
	return c.Setup.Replicas <= 1 && pause.to.Sub(pause.from) >= pauseLeast
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// What was due a while before the end is judged: turns, challenges and offers of a rematch. By then the clock is right again,
// and nobody has more left than a turn lasts.
func noneLeft(c Case, found func(string, History)) {
	i := slices.IndexFunc(c.History, func(e Event) bool { return e.Kind == Finished })
	if i < 0 {
		return
	}
	bound := c.History[i].At.Add(-judgeTime)
	check := func(id string, due time.Time, what string) {
		if !due.IsZero() && due.Before(bound) {
			found(fmt.Sprintf("%s: %s was due %s before the end and is open", id, what, c.History[i].At.Sub(due)), c.History.of(id))
		}
	}
	for _, m := range c.Tables.Matches {
		check(m.ID, m.Deadline, "the turn")
		check(m.ID, m.RematchDeadline, "the rematch")
		if left := m.Deadline.Sub(c.History[i].At); !m.Deadline.IsZero() && left > m.TurnTime+spareTime {
			found(fmt.Sprintf("%s: %s of %s are left of a turn", m.ID, left, m.TurnTime), c.History.of(m.ID))
		}
	}
	for _, ch := range c.Tables.Challenges {
		check(ch.ID, ch.Deadline, "the challenge")
	}
}

// On a database that replicas can share a move is dated by its clock, which nobody sets: no earlier than it was asked for, and no
// later than a shard that was unheard meanwhile can have brought it. Where the dates of the machines are wrong, they are so by more.
func datesTrue(c Case, found func(string, History)) {
	if !c.Setup.common() {
		return
	}
	type press struct{ player, match, ply string }
	asked := map[press][]time.Time{} // the earliest first
	for _, e := range c.History {
		f := strings.Split(e.Did, ":")
		if e.Kind == Sent && f[0] == "play" && len(f) == 4 {
			key := press{e.Player, f[1], f[2]}
			asked[key] = append(asked[key], e.At)
		}
	}
	for _, g := range c.games() {
		for _, m := range g.moves {
			times := asked[press{g.player(m.Ply), g.ID, strconv.Itoa(m.Ply)}]
			if len(times) == 0 {
				continue // of a computer, or of nobody, which is not for this law
			}
			if m.At.Before(times[0].Add(-datingTime)) || m.At.After(times[len(times)-1].Add(takeoverTime+settleTime)) {
				found(fmt.Sprintf("match %s: the move of ply %d is dated %s after it was asked for", g.ID, m.Ply, m.At.Sub(times[0])), c.History.of(g.ID))
			}
		}
	}
}

// Every interaction is answered in time, unless a fault that is not the bot's own overlaps with the time it had. That somebody
// is too fast is an answer to those only who are.
func everyoneAnswered(c Case, found func(string, History)) {
	spans := c.History.spans()
	settled := map[string]Event{}
	for _, e := range c.History {
		if e.Kind == Settled {
			settled[e.Interaction] = e
		}
	}
	had := map[string]History{} // who had it, by interaction
	for _, e := range c.History {
		if e.Kind == Routed || e.Kind == Unreached {
			had[e.Interaction] = append(had[e.Interaction], e)
		}
	}
	var nobody []span // when no replica was there, so that the proxy had nobody to give a request to
	if c.Setup.HTTP {
		nobody = c.away(0)
	}
	paces := map[string]pace{}
	for _, e := range c.History {
		if e.Kind != Sent {
			continue
		}
		end, known := settled[e.Interaction]
		turnedAway := strings.Contains(end.Text, hasty)
		arrives := e.At
		unknown := false          // when it reached which process
		for _, s := range spans { // what a shard missed comes when it is heard again
			switch waited := s.overlaps(e.At, e.At); {
			case waited && (s.fault == Unheard && s.shard == e.Shard || s.fault == Pause && c.Setup.Replicas <= 1):
				arrives = s.to
			case s.fault == Pause && s.overlaps(e.At.Add(-atOnce/perSecond*time.Second), e.At):
				unknown = true
			}
		}
		p, left := paces[e.Player].next(later(arrives, paces[e.Player].at), !turnedAway)
		paces[e.Player] = p
		if turnedAway && left >= underWay && !unknown {
			found(fmt.Sprintf("interaction %s of %s (%s) was turned away with %.0f to spare", e.Interaction, e.Player, e.Did, left),
				c.History.about(e.Interaction))
		}
		if known && end.Status == "answered" {
			continue
		}
		until := e.At.Add(answerTime)
		if end.Status == "deferred" {
			until = until.Add(settleTime)
		}
		excused := slices.ContainsFunc(spans, func(s span) bool {
			return c.excuses(s) && (s.fault != Unheard || s.shard == e.Shard) && s.overlaps(e.At, until)
		}) || slices.ContainsFunc(had[e.Interaction], func(got Event) bool {
			return c.lost(spans, got, until) || got.Kind == Routed && got.At.Sub(e.At) > deliverTime || slices.ContainsFunc(nobody, func(s span) bool { return s.overlaps(e.At, got.At) })
		})
		if !excused {
			found(fmt.Sprintf("interaction %s of %s (%s) ended as %q", e.Interaction, e.Player, e.Did, end.Status),
				c.History.about(e.Interaction))
		}
	}
}

// excuses tells whether what lasted is why interactions may stay without an answer. On shards that replicas share the loss of
// connections is not: each shard is heard again at a time of its own, and what it missed until then it was unheard for.
func (c Case) excuses(s span) bool {
	if c.Setup.sharing() && (s.fault == Drop || s.fault == Reconnect || s.fault == Invalid) {
		return false
	}
	return s.fault.excuses() && s.replica == 0
}

// lost tells whether what became of an interaction over HTTP explains that it was not answered: the replica that got it was not
// there or went meanwhile, or none was there.
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

// An interaction gets one first word, even if it was delivered to two replicas.
func answeredOnce(c Case, found func(string, History)) {
	times := map[string]int{}
	for _, e := range c.History {
		if e.Kind == Acknowledged {
			if times[e.Interaction]++; times[e.Interaction] == 2 {
				found(fmt.Sprintf("interaction %s was answered again", e.Interaction), c.History.about(e.Interaction))
			}
		}
	}
}

// Where several processes share the shards, each is heard again a minute after it was not, and whatever keeps a bot from
// it has ended; and none is left for nothing: within that time before, a process ended, began or lost its connections.
func takenOver(c Case, found func(string, History)) {
	spans := c.History.spans()
	for _, s := range spans {
		if s.fault != Unheard {
			continue
		}
		bound, why := takeoverTime, false
		for _, other := range spans {
			switch other.fault {
			case Slow, Failing, Limited, Busy, Outage:
				if other.overlaps(s.from, s.to) {
					bound += other.to.Sub(other.from)
				}
			}
			why = why || other.fault != Unheard && other.fault != Clock && other.fault != Stillborn && other.overlaps(s.from.Add(-takeoverTime), s.from.Add(noticeTime))
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
}

// hasty is how the bot begins to say that somebody is too fast.
const hasty = "That was faster than the bot keeps up with"

// What serve grants everybody: so many interactions at once, and so many a second in the long run. One of more than underWay that
// are left is not refused: as many may come in another order than they were sent in.
const (
	atOnce    = 20
	perSecond = 5
	underWay  = 4
)

// pace is how much of that a player has used, at least. A bot that begins anew has forgotten it.
type pace struct {
	at   time.Time
	used float64
}

// next is the pace after one more at a time, and what was left before it.
func (p pace) next(at time.Time, counts bool) (after pace, left float64) {
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

// apology is how the bot begins to say that something failed which it does not know.
const apology = "Something went wrong on our side"

// Nobody reads an apology, except for an interaction that made no sense, or while the disk was full or the database
// written over.
func nothingUnexpected(c Case, found func(string, History)) {
	spans := c.History.spans()
	garbled := map[string]bool{}
	for _, e := range c.History {
		if e.Kind == Began && e.Fault == Garble && e.Interaction != "" {
			garbled[e.Interaction] = true
		}
	}
	sent := map[string]time.Time{}
	for _, e := range c.History {
		switch {
		case e.Kind == Sent:
			sent[e.Interaction] = e.At
		case e.Kind == Settled && strings.Contains(e.Text, apology) && !garbled[e.Interaction]:
			full := slices.ContainsFunc(spans, func(s span) bool {
				return (s.fault == Full || s.fault == Overwrite) && !s.from.After(e.At) && !s.to.Before(sent[e.Interaction])
			})
			if !full {
				found(fmt.Sprintf("%s read: %s", e.Player, e.Text), c.History.about(e.Interaction))
			}
		}
	}
}

// A bot does not end by itself, and ends well when it is asked to.
func endsWhenTold(c Case, found func(string, History)) {
	for _, e := range c.History {
		if e.Kind == Died {
			found("the bot "+e.Text, History{e})
		}
	}
}

// After all faults have ended, some message shows each match as it is stored, unless the bot knows that it has yet to draw
// it: many boards are drawn one after the other.
func boardsTrue(c Case, found func(string, History)) {
	games := c.games()
	standing, current := map[string]Event{}, map[string]bool{}
	for _, e := range c.History {
		if e.Kind != Standing {
			continue
		}
		standing[e.Match] = e
		if g, known := games[e.Match]; known && e.Ply == g.record.Len() && e.Cause == g.Cause {
			current[e.Match] = true
		}
	}
	for match, e := range standing {
		if !current[match] && !slices.Contains(c.Tables.Behind, match) {
			found(fmt.Sprintf("the message of match %s stays at %s, ply %d, %q", match, e.Board, e.Ply, e.Cause), c.History.of(match))
		}
	}
}
