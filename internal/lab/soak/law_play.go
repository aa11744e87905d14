package soak

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// shownIsStored is the law that every shown board is a replay of the stored moves up to its ply, that its result is stored, that
// every shown challenge is stored, and that every move that the bot confirmed to its player is stored.
func shownIsStored(c Case, found func(string, History)) (judged int) {
	games, erased := c.games(), c.History.erasures()
	gone := c.History.erasedMatches()
	challenges := map[string]bool{}
	for _, ch := range c.Tables.Challenges {
		challenges[ch.ID] = true
	}
	did := map[string]string{} // keyed by interaction
	var boards, ends, invited, moves int
	for _, e := range c.History {
		switch {
		case e.Kind == Sent:
			did[e.Interaction] = e.Did
		case e.Kind == Settled:
			match, _, is := typed(did[e.Interaction])
			square, told := e.Said[saidPlayed]
			if is && told {
				moves++
			}
			if is && told && !erased.after(e.Player, e.At) && games[match].Backs == 0 && !games[match].has(e.Player, square) {
				found(fmt.Sprintf("match %s: %s was told of a move on %s that is not stored", match, e.Player, square), c.History.of(match))
			}
		case e.Kind == Invited:
			invited++
			if challenges[e.Match] || gone[e.Match] {
				continue
			}
			found(fmt.Sprintf("challenge %s was shown and is not stored", e.Match), c.History.of(e.Match))
		case e.Kind == Shown || e.Kind == Standing:
			boards++
			if e.Cause != "" {
				ends++
			}
			_, stored := games[e.Match]
			if wrong := untrue(games, e); wrong != "" && (stored || !gone[e.Match]) {
				found(fmt.Sprintf("match %s: %s", e.Match, wrong), c.History.of(e.Match))
			}
		}
	}
	return min(boards, ends, invited, moves)
}

// has reports whether a player has a move on the square with the given name.
func (g replayed) has(player, name string) bool {
	for ply := range g.record.Len() {
		if g.player(ply) == player && g.lands(ply, name) {
			return true
		}
	}
	return false
}

// untrue says why a board is wrong. It returns the empty string if the match was once in the state that the board shows.
func untrue(games map[string]replayed, e Event) string {
	g, known := games[e.Match]
	switch {
	case !known:
		return "it was shown and is not stored as it can be played"
	case e.Backs > g.Backs:
		return fmt.Sprintf("%d take-backs were shown and %d are stored", e.Backs, g.Backs)
	case e.Backs < g.Backs:
		return "" // some of its moves were taken back
	case e.Ply > g.record.Len():
		return fmt.Sprintf("%d moves were shown and %d are stored", e.Ply, g.record.Len())
	}
	if stored := draw(g.record.First(e.Ply).Position()); stored != e.Board {
		return fmt.Sprintf("after %d moves it was shown as %s and is stored as %s", e.Ply, e.Board, stored)
	}
	if e.Cause != "" && !g.ruled && (e.Cause != g.Cause || e.Outcome != g.Outcome) {
		return fmt.Sprintf("its end was shown as %q by %q and is stored as %q by %q", e.Outcome, e.Cause, g.Outcome, g.Cause)
	}
	return ""
}

// onePlyOneMove is the law that each ply has exactly one move, and that the database would refuse a second move at the same ply.
func onePlyOneMove(c Case, found func(string, History)) (judged int) {
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
	if len(c.Tables.Moves) > 0 && c.Tables.SecondMove == "" {
		found("the database takes a second move of a ply that has one", nil)
	}
	return len(c.Tables.Moves)
}

// turn identifies a requested move. The stage is the number in the pressed button; it is empty for a command, which moves at any stage.
type turn struct{ player, match, stage string }

// request is a player's request for a move.
type request struct {
	square string // name of the square
	at     time.Time
	shard  int // shard of the request
}

// requests returns the requests for moves, the earliest first.
func (h History) requests() map[turn][]request {
	asked := map[turn][]request{}
	for _, e := range h {
		if e.Kind != Sent {
			continue
		}
		if f := strings.Split(e.Did, ":"); f[0] == "play" && len(f) == 4 {
			key := turn{e.Player, f[1], f[2]}
			asked[key] = append(asked[key], request{f[3], e.At, e.Shard})
		} else if match, square, is := typed(e.Did); is {
			key := turn{player: e.Player, match: match}
			asked[key] = append(asked[key], request{square, e.At, e.Shard})
		}
	}
	return asked
}

// ownMoves is the law that each stored move of a human was requested by that human: by a button of the same ply, or by a command, which
// makes at most one move.
func ownMoves(c Case, found func(string, History)) (judged int) {
	asked, erased := c.History.requests(), c.History.erasures()
	for _, g := range c.games() {
		for ply := range g.record.Len() {
			player := g.player(ply)
			if player == "" {
				continue
			}
			judged++
			played := func(r request) bool { return g.lands(ply, r.square) }
			own := func(player string) bool {
				for _, stage := range g.stages(ply) {
					if slices.ContainsFunc(asked[turn{player, g.ID, stage}], played) {
						return true
					}
				}
				// With gravity, the move must be the lowest of the requested squares in its column, because the lowest is occupied
				// first.
				command := turn{player: player, match: g.ID}
				slices.SortFunc(asked[command], func(a, b request) int { return strings.Compare(b.square, a.square) })
				i := slices.IndexFunc(asked[command], played)
				if i >= 0 {
					asked[command] = slices.Delete(asked[command], i, i+1)
				}
				return i >= 0
			}
			if slices.ContainsFunc(erased.who(player), own) {
				continue
			}
			rules := g.record.Position().Rules()
			found(fmt.Sprintf("match %s: the move of ply %d on %s was not made by %s", g.ID, ply, rules.Name(g.record.Square(ply)), player),
				c.History.of(g.ID))
		}
	}
	return judged
}

// crowdsVote is the law that a crowd plays a square that no other has more votes than, that nobody has two votes for a move, and that no vote
// is lost, except by an erasure or a bar. A player may have sent several votes for a move, of which some were not delivered, so only the votes of
// players who sent one, and were shown a board with it, are certain.
func crowdsVote(c Case, found func(string, History)) (judged int) {
	type vote struct{ match, ply string }
	sent := map[string]Event{}                       // keyed by interaction
	squares := map[vote]map[string]map[string]bool{} // the squares that each player asked for
	certain := map[vote]map[string]string{}          // the square of each player who was shown a board with votes
	most := map[vote]Event{}                         // the board with the most votes so far
	games, erased := c.games(), c.History.erasures()
	for _, e := range c.History {
		f := strings.Split(e.Did, ":")
		if e.Kind == Sent && f[0] == "play" && len(f) == 4 {
			sent[e.Interaction] = e
			v := vote{f[1], f[2]}
			if squares[v] == nil {
				squares[v], certain[v] = map[string]map[string]bool{}, map[string]string{}
			}
			if squares[v][e.Player] == nil {
				squares[v][e.Player] = map[string]bool{}
			}
			squares[v][e.Player][f[3]] = true
		}
	}
	for _, e := range c.History {
		v := vote{e.Match, strconv.Itoa(e.Ply)}
		if e.Kind != Shown || e.Votes == 0 || squares[v] == nil {
			continue
		}
		if e.Votes > len(squares[v]) {
			found(fmt.Sprintf("match %s: %d votes were shown at ply %s, and %d players voted", v.match, e.Votes, v.ply, len(squares[v])), c.History.of(v.match))
		}
		asked, is := sent[e.Interaction]
		if f := strings.Split(asked.Did, ":"); !is || len(f) != 4 || f[1] != v.match || f[2] != v.ply {
			continue
		}
		certain[v][e.Player] = strings.Split(asked.Did, ":")[3]
		if before := most[v]; e.Votes < before.Votes && asked.At.After(before.At) && len(erased)+len(c.Tables.Bars) == 0 {
			found(fmt.Sprintf("match %s: %d votes were shown at ply %s, and later %d", v.match, before.Votes, v.ply, e.Votes), c.History.of(v.match))
		}
		if e.Votes > most[v].Votes {
			most[v] = e
		}
	}
	for _, g := range games {
		for ply := range g.record.Len() {
			v := vote{g.ID, strconv.Itoa(ply)}
			if !g.crowd(ply) {
				continue
			}
			judged++
			possible, sure := 0, map[string]int{}
			for player, asked := range squares[v] {
				played := slices.ContainsFunc(slices.Collect(maps.Keys(asked)), func(name string) bool { return g.lands(ply, name) })
				if played {
					possible++
				} else if name := certain[v][player]; name != "" && len(asked) == 1 && len(erased[player]) == 0 && !c.barred(player) {
					sure[name]++
				}
			}
			for name, votes := range sure {
				if votes > possible {
					found(fmt.Sprintf("match %s: %s had %d votes at ply %d, and the played square %d at most", g.ID, name, votes, ply, possible), c.History.of(g.ID))
				}
			}
			if possible == 0 {
				found(fmt.Sprintf("match %s: nobody voted for the move of ply %d", g.ID, ply), c.History.of(g.ID))
			}
		}
	}
	return judged
}

// stages returns the numbers that the button of a stored move may have carried: a take-back keeps earlier moves.
func (g replayed) stages(ply int) (all []string) {
	for backs := range g.Backs + 1 {
		all = append(all, strconv.Itoa(ply+backs*stages))
	}
	return all
}

// typed returns the match and the square of a move by command. It reports false if the action is not a move by command.
func typed(did string) (match, square string, is bool) {
	rest, is := strings.CutPrefix(did, typedMove)
	if !is {
		return "", "", false
	}
	return strings.Cut(rest, " ")
}

// lands reports whether a mark on the named square falls, at the given ply, to the square of the stored move.
func (g replayed) lands(ply int, name string) bool {
	before := g.record.First(ply).Position()
	s, err := before.Rules().ParseSquare(name)
	if err == nil && before.At(s) == game.None {
		s = before.Landing(s)
	}
	return err == nil && s == g.record.Square(ply)
}

// outcomes are the names of outcomes in the table of matches.
var outcomes = map[game.Outcome]string{game.XWins: "X", game.OWins: "O", game.Draw: "draw", game.InProgress: ""}

// resultsFollow is the law that the result follows from the moves if they decide the match. Otherwise it must have a cause: the
// loser resigned, a player called the match off, both agreed on a draw, or time ran out for the side to move, which loses unless it
// proposed the match and has not moved. Each take-back was asked for by one player and allowed by the other.
func resultsFollow(c Case, found func(string, History)) (judged int) {
	submitted := map[string]bool{} // keyed by match and player
	for _, e := range c.History {
		if f := strings.Split(e.Did, ":"); e.Kind == Sent && f[0] == "submit resign" && len(f) == 3 {
			submitted[f[1]+" "+e.Player] = true
		}
	}
	games, erased, agreed := c.games(), c.History.erasures(), c.History.agreed()
	for _, m := range c.Tables.Matches {
		g, known := games[m.ID]
		if !known {
			found(fmt.Sprintf("match %s cannot be replayed", m.ID), c.History.of(m.ID))
			continue
		}
		if m.Cause != "" {
			judged++
		}
		gaveUp := func(player string) bool {
			return submitted[m.ID+" "+player] || player == string(match.Left) && len(erased) > 0
		}
		for backs := range m.Backs {
			if !slices.ContainsFunc(agreed[m.ID+" back"], func(stage int) bool { return stage/stages == backs }) {
				found(fmt.Sprintf("match %s: nobody allowed take-back %d", m.ID, backs+1), c.History.of(m.ID))
			}
		}
		if m.Cause == "agreement" && (m.Outcome != "draw" || g.record.Outcome() != game.InProgress ||
			!slices.Contains(agreed[m.ID+" draw"], g.record.Len()+m.Backs*stages)) {
			found(fmt.Sprintf("match %s: nobody agreed on %q after %d moves", m.ID, m.Outcome, g.record.Len()), c.History.of(m.ID))
		}
		if wrong := g.wrongResult(gaveUp); wrong != "" {
			found(fmt.Sprintf("match %s: the result is %q by %q, but %s", m.ID, m.Outcome, m.Cause, wrong), c.History.of(m.ID))
		}
	}
	return judged
}

// agreed returns the stages at which a player asked for a draw or a take-back and another agreed, by match and "draw" or "back".
func (h History) agreed() map[string][]int {
	asked, agreed := map[string][]Event{}, map[string][]int{}
	for _, e := range h {
		f := strings.Split(e.Did, ":")
		if e.Kind != Sent || f[0] != "wish" || len(f) != 4 {
			continue
		}
		stage := f[1] + ":" + f[2]
		if f[3] != "agree" {
			asked[stage] = append(asked[stage], e)
			continue
		}
		before := fmt.Sprint(f[1], ":", number(f[2])-1) // an offered draw outlasts a move of the player who offers it
		for _, a := range slices.Concat(asked[stage], asked[before]) {
			what := a.Did[strings.LastIndex(a.Did, ":")+1:]
			if a.Player != e.Player && (what == "draw" || strings.HasPrefix(a.Did, "wish:"+stage+":")) {
				agreed[f[1]+" "+what] = append(agreed[f[1]+" "+what], number(f[2]))
			}
		}
	}
	return agreed
}

// wrongResult says why the stored result cannot be right, or returns the empty string. gaveUp reports whether a player submitted the
// modal that resigns a match or calls it off.
func (g replayed) wrongResult(gaveUp func(player string) bool) string {
	played := g.record.Outcome()
	open := played == game.InProgress
	switch g.Cause {
	case "line", "full board":
		if outcomes[played] != g.Outcome || (g.Cause == "full board") != (played == game.Draw) {
			return fmt.Sprintf("the moves end as %q", outcomes[played])
		}
	case "no show":
		if !g.withoutProposer() || g.Outcome != "" {
			return fmt.Sprintf("%q proposed it, and %s was to move after %d moves", g.Proposer, g.record.Position().Turn(), g.record.Len())
		}
	case "time":
		if g.withoutProposer() {
			return fmt.Sprintf("%s proposed it and did not show up", g.Proposer)
		}
		if late := g.record.Position().Turn().Opponent().String(); late != g.Outcome || !open {
			return fmt.Sprintf("time could only have made %s win", late)
		}
	case "resignation":
		if loser := map[string]string{"X": g.O, "O": g.X}[g.Outcome]; !open || !gaveUp(loser) {
			return fmt.Sprintf("%q did not resign", loser)
		}
	case "aborted":
		if !open || !g.calledOff(gaveUp) && !g.crowd(0) && !g.crowd(1) {
			return "nobody could have called it off, or did"
		}
	case "voided":
		if !g.ruled || g.Outcome != "" {
			return "no moderator voided it"
		}
	default:
		if !open {
			return fmt.Sprintf("the moves end it as %q", outcomes[played])
		}
	}
	return ""
}

// calledOff reports whether a player gave up when the match could still be called off.
func (g replayed) calledOff(gaveUp func(player string) bool) bool {
	return g.record.Len() <= 1 && (gaveUp(g.X) || gaveUp(g.O))
}

// withoutProposer reports whether the side to move proposed the match and has not moved yet.
func (g replayed) withoutProposer() bool {
	turn := g.record.Position().Turn().String()
	return turn == g.Proposer && g.record.Len() < 2 && g.Backs == 0 && g.record.Outcome() == game.InProgress
}

// scoresFollow is the law that the scores are the sums of the ended matches, and that the leaderboard against the computer has the draws
// and losses of all levels together. The wins on this leaderboard are only over the strongest beaten level, so the law does not compare
// them. A win over the computer that its player could force, by moving first on infinite, counts on that board alone.
func scoresFollow(c Case, found func(string, History)) (judged int) {
	type key struct{ venue, player, level string }
	type tally [3]int
	want, sums := map[key]tally{}, map[key]tally{}
	for _, m := range c.Tables.Matches {
		if m.Cause == "" || m.Cause == "aborted" || m.Cause == "no show" || m.Cause == "voided" {
			continue
		}
		for side, player := range map[string]string{"X": m.X, "O": m.O} {
			if player == "" || player == string(match.Left) {
				continue
			}
			i := 2
			switch m.Outcome {
			case side:
				i = 0
				if m.level() != "" && side == "X" && strings.Contains(m.Rules, "keep") {
					continue
				}
			case "draw":
				i = 1
			}
			for _, into := range []struct {
				in  map[key]tally
				key key
			}{{want, key{m.Venue, player, m.level()}}, {sums, key{m.Venue, player, "*"}}} {
				if into.key.level == "*" && (m.level() == "" || m.Venue == "" || i == 0) { // direct messages have no leaderboard
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
	return min(len(c.Tables.Scores), len(c.Tables.Computer))
}

// databaseSound is the law that the program's own check of the database finds nothing: ratings, ranks and other derived data follow from
// the matches.
func databaseSound(c Case, found func(string, History)) (judged int) {
	for _, finding := range c.Tables.Findings {
		found(finding, nil)
	}
	return len(c.Tables.Matches)
}

// beginsOnce is the law that a match comes from an arena, from one accepted challenge, from one request to play the computer, or from one
// match as its rematch or next game, and that no match has two of these.
func beginsOnce(c Case, found func(string, History)) (judged int) {
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
		case m.Series == m.ID && m.level() == "" && m.Arena == "" && !accepted[m.ID] && (m.BestOf == 0 || from[m.ID] != 1): // the rematch of a series is another series
			found(fmt.Sprintf("match %s began, but its challenge was not accepted", m.ID), c.History.of(m.ID))
		}
	}
	return min(len(accepted), len(from))
}

// boardsTrue is the law that after all faults a message shows each match as stored. It ignores boards that the bot has marked for a
// redraw, because the bot draws them one after the other.
func boardsTrue(c Case, found func(string, History)) (judged int) {
	games, gone := c.games(), c.History.erasedMatches()
	standing, current := map[string]Event{}, map[string]bool{}
	for _, e := range c.History {
		if e.Kind != Standing {
			continue
		}
		standing[e.Match] = e
		if g, known := games[e.Match]; known && e.Ply == g.record.Len() && e.Backs == g.Backs && e.Cause == g.Cause {
			current[e.Match] = true
		}
	}
	for match, e := range standing {
		if _, stored := games[match]; !stored && gone[match] {
			continue // the bot does not redraw the message of a match that was deleted with a player's data
		}
		if !current[match] && !slices.Contains(c.Tables.Behind, match) {
			found(fmt.Sprintf("the message of match %s stays at %s, ply %d, %q", match, e.Board, e.Ply, e.Cause), c.History.of(match))
		}
	}
	return len(standing)
}

// shrinkInTime is the law that the board of a finished match shrinks tidyAfter its end if its server wants that, neither earlier nor much
// later, and that it is no board again. A board without a move shrinks at once. The law does not apply if a clock was set, because the time
// to shrink is a date.
func shrinkInTime(c Case, found func(string, History)) (judged int) {
	tidied, shrunk, standing, gone := map[string]time.Time{}, map[string]time.Time{}, map[string]bool{}, c.History.erasedMatches()
	var end time.Time
	for _, e := range c.History {
		switch {
		case e.Fault == Clock:
			return notApplicable
		case e.Kind == Tidied:
			tidied[e.Text] = e.At
		case e.Kind == Shrunk:
			delete(standing, e.Match) // it was read just before
			if shrunk[e.Match].IsZero() {
				shrunk[e.Match] = e.At
			}
		case e.Kind == Standing:
			standing[e.Match] = true
		case e.Kind == Finished:
			end = e.At
		}
	}
	due := tidyAfter + tidyTime
	if c.Setup.Replicas > 1 {
		due += takeoverTime
	}
	for id, g := range c.games() {
		at, small := shrunk[id]
		wanted, tidy := tidied[g.Venue]
		if small {
			judged++
		}
		switch early := g.Ended.Add(tidyAfter - datingTime - roundingTime); {
		case small && g.Cause == "":
			found(fmt.Sprintf("the board of match %s shrank, and the match goes on", id), c.History.of(id))
		case small && len(g.moves) > 0 && at.Before(early):
			found(fmt.Sprintf("the board of match %s shrank %s after the end", id, at.Sub(g.Ended)), c.History.of(id))
		case slices.Contains(c.Tables.Behind, id) || gone[id] || !standing[id]:
		case small:
			found(fmt.Sprintf("the board of match %s shrank, and is a board again", id), c.History.of(id))
		case tidy && g.Cause != "" && g.Ended.After(wanted) && g.Ended.Add(due).Before(end):
			found(fmt.Sprintf("the board of match %s did not shrink within %s", id, end.Sub(g.Ended)), c.History.of(id))
		}
	}
	return judged
}

// seriesGoOn is the law that each game of a series but the last is over and has one next game with swapped sides, that a series ends when it
// is decided and not before, that the boards show the score that a recount finds, and that one message shows each game.
func seriesGoOn(c Case, found func(string, History)) (judged int) {
	all, standing, stored := map[string][]Match{}, map[string][]Event{}, c.games()
	for _, m := range c.Tables.Matches {
		if m.BestOf > 0 {
			all[m.Series] = append(all[m.Series], m)
		}
	}
	for _, e := range c.History {
		if e.Kind == Standing {
			standing[e.Match] = append(standing[e.Match], e)
		}
	}
	for id, unordered := range all {
		games, moderated := inOrder(id, unordered), false
		if len(games) != len(unordered) {
			found(fmt.Sprintf("series %s has %d games, and %d of them follow from one another", id, len(unordered), len(games)), c.History.of(id))
			continue
		}
		for i, m := range games {
			judged++
			moderated = moderated || stored[m.ID].ruled
			switch s := recount(games[:i+1]); {
			case i > 0 && (m.X != games[i-1].O || m.O != games[i-1].X):
				found(fmt.Sprintf("game %d of series %s does not swap sides", i+1, id), c.History.of(m.ID))
			case i < len(games)-1 && m.Cause == "":
				found(fmt.Sprintf("game %d of series %s goes on beside the next", i+1, id), c.History.of(m.ID))
			case m.X == string(match.Left) || m.O == string(match.Left):
			case !moderated && m.Cause != "" && s.over != (i == len(games)-1):
				found(fmt.Sprintf("series %s has %d games, and game %d (%+v) decides: %t", id, len(games), i+1, s, s.over), c.History.of(m.ID))
			case i > 0 && len(standing[m.ID]) > 1:
				found(fmt.Sprintf("%d messages show game %d of series %s", len(standing[m.ID]), i+1, id), c.History.of(m.ID))
			case !moderated && len(standing[m.ID]) > 0 && standing[m.ID][0].Cause == m.Cause && standing[m.ID][0].Score != s.score(games[0]) &&
				!slices.Contains(c.Tables.Behind, m.ID):
				found(fmt.Sprintf("the board of game %d of series %s says %q instead of %q", i+1, id, standing[m.ID][0].Score, s.score(games[0])), c.History.of(m.ID))
			}
		}
	}
	return judged
}

// inOrder returns the games of a series that follow from the first, one after the other.
func inOrder(first string, games []Match) (ordered []Match) {
	for next := first; next != "" && len(ordered) < len(games); {
		i := slices.IndexFunc(games, func(m Match) bool { return m.ID == next })
		if i < 0 {
			break
		}
		ordered, next = append(ordered, games[i]), games[i].Next
	}
	return ordered
}

// standings is the state of a series as counted from its games.
type standings struct {
	wins  map[string]int // by player
	drawn int
	over  bool
}

// score returns the score as boards show it, with the players in the order of the first game.
func (s standings) score(first Match) string {
	score := fmt.Sprintf("%d–%d", s.wins[first.X], s.wins[first.O])
	if s.drawn > 0 {
		score += fmt.Sprintf(", %d drawn", s.drawn)
	}
	return score
}

// recount counts the games of a series up to the last of games, without the program's own rule.
func recount(games []Match) standings {
	s, late := standings{wins: map[string]int{}}, ""
	for _, m := range games {
		winner, loser := m.X, m.O
		if m.Outcome == "O" {
			winner, loser = loser, winner
		}
		switch {
		case m.Cause == "aborted", m.Cause == "no show":
			s.over = true
		case m.Outcome == "draw":
			s.drawn++
		case m.Outcome != "":
			s.wins[winner]++
		}
		if m.Outcome == "" {
			continue
		}
		s.over = m.Cause == "time" && late == loser
		late = ""
		if m.Cause == "time" {
			late = loser
		}
		played, lead := s.drawn, 0
		for player, n := range s.wins {
			played += n
			if player == m.X {
				lead += n
			} else {
				lead -= n
			}
		}
		left := m.BestOf - played
		if left < 0 || left == 0 && lead == 0 {
			left += 2
		}
		s.over = s.over || max(lead, -lead) > left || left == 0
	}
	return s
}
