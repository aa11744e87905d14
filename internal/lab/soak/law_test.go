package soak_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"tictactoe/internal/lab/soak"
)

// at returns the time that is the given duration after the beginning.
func at(d time.Duration) time.Time {
	return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC).Add(d)
}

const second = time.Second

// action returns the events of an interaction that was answered at once.
func action(after time.Duration, id, player, did string) soak.History {
	return soak.History{
		{At: at(after), Kind: soak.Sent, Interaction: id, Player: player, Did: did},
		{At: at(after), Kind: soak.Acknowledged, Interaction: id},
		{At: at(after), Kind: soak.Settled, Interaction: id, Player: player, Status: "answered"},
	}
}

// typed returns the events of a move by command, with the square named in the bot's answer.
func typed(after time.Duration, id, move, square string) soak.History {
	h := action(after, id, "ann", "tictactoe move "+move)
	h[2].Said = map[string]string{"move.played": square}
	return h
}

// guessed returns the events of a press on a puzzle that the bot called wrong.
func guessed(after time.Duration, id, presses, square string) soak.History {
	h := action(after, id, "ann", "daily:2026-11-23:"+presses+":"+square)
	h[2].Said = map[string]string{"puzzle.title": "2026-11-23", "puzzle.wrong": square}
	return h
}

// erased returns the events of a player who has all data deleted.
func erased(after time.Duration, id, player string) soak.History {
	h := action(after, id, player, "submit privacy:erase")
	h[2].Text, h[2].Said = "deleted", map[string]string{"privacy.erased": ""}
	return h
}

// posted returns the event of a daily puzzle that is shown in a server.
func posted(after time.Duration, day, server string) soak.Event {
	return soak.Event{At: at(after), Kind: soak.Posted, Did: day, Text: server}
}

func shown(after time.Duration, kind soak.Kind, match string, ply int, board string) soak.Event {
	return soak.Event{At: at(after), Kind: kind, Match: match, Ply: ply, Board: board}
}

// good returns a case in which all laws hold. Ann challenges Bob and wins, and they begin a rematch. In another match, during which the bot
// was away for a while, Bob loses on time. Ann wins against the computer, and presses a wrong square of a puzzle twice; two servers got the
// puzzle. Cal begins a match with Ann and then has all data deleted. In an arena Dan and Fay miss their first moves against Eve, Fay after its end.
func good() soak.Case {
	won := shown(9*second, soak.Shown, "m", 5, "XXX/OO./...")
	won.Cause, won.Outcome = "line", "X"
	stands := won
	stands.At, stands.Kind, stands.Score = at(200*second), soak.Standing, "1–0"
	goesOn := shown(200*second, soak.Standing, "n", 0, ".../.../...")
	goesOn.Score = "1–0"
	timed := soak.Event{At: at(200 * second), Kind: soak.Standing, Match: "t", Ply: 1, Board: "X../.../...", Cause: "time", Outcome: "X"}
	var h soak.History
	for _, part := range []soak.History{
		action(0, "m", "ann", "tictactoe challenge @bob"),
		{{At: at(0), Kind: soak.Invited, Match: "m"}},
		action(second, "1", "bob", "accept:m"), {shown(second, soak.Shown, "m", 0, ".../.../...")},
		action(2*second, "2", "ann", "play:m:0:a1"), {shown(2*second, soak.Shown, "m", 1, "X../.../...")},
		action(3*second, "3", "bob", "play:m:1:a2"), {shown(3*second, soak.Shown, "m", 2, "X../O../...")},
		action(4*second, "4", "ann", "play:m:2:b1"),
		action(5*second, "5", "bob", "play:m:3:b2"),
		action(6*second, "6", "ann", "play:m:4:c1"), {won},
		action(10*second, "7", "ann", "rematch:m:9"), action(11*second, "8", "bob", "rematch:m:10"),
		action(12*second, "t", "ann", "tictactoe challenge @bob"), action(13*second, "9", "bob", "accept:t"),
		action(14*second, "10", "ann", "play:t:0:a1"),
		{
			{At: at(20 * second), Kind: soak.Began, Fault: soak.Kill, Number: 1},
			{At: at(30 * second), Kind: soak.Over, Fault: soak.Kill, Number: 1},
		},
		action(31*second, "c", "ann", "tictactoe ai"),
		typed(32*second, "11", "c b2", "b2"), action(33*second, "12", "ann", "resign:c:2"), action(34*second, "13", "ann", "submit resign:c:2"),
		guessed(35*second, "14", "0", "a1"), guessed(36*second, "15", "1", "b1"), guessed(37*second, "16", "1", "b1"),
		action(37*second, "l", "cal", "tictactoe challenge @ann"), action(37*second, "17", "ann", "accept:l"),
		action(38*second, "18", "cal", "play:l:0:a1"),
		{{At: at(38 * second), Kind: soak.Shown, Match: "e", Board: ".../.../...", Seats: [2]string{"cal", "the computer (easy)"}}},
		erased(39*second, "19", "cal"),
		{posted(180*second, "2026-11-23", "s1"), posted(180*second, "2026-11-24", "s1"), posted(180*second, "2026-11-23", "s2")},
		{stands, timed, goesOn, {At: at(200 * second), Kind: soak.Ranked, Match: "z", Text: "🥇 eve · 2 points\n2 dan · 0 points"},
			{At: at(200 * second), Kind: soak.Finished}},
	} {
		h = append(h, part...)
	}
	for i, vote := range []struct{ player, square string }{{"ann", "a1"}, {"bob", "b2"}, {"dan", "b2"}} { // on the board of a crowd
		after, id := time.Duration(40+i)*second, fmt.Sprint("k", i+1)
		e := shown(after, soak.Shown, "k", 0, ".../.../...")
		e.Player, e.Interaction, e.Votes = vote.player, id, i+1
		h = append(append(h, action(after, id, vote.player, "play:k:0:"+vote.square)...), e)
	}
	h = append(h, shown(200*second, soak.Standing, "k", 2, "O../.X./..."), soak.Event{At: at(90 * second), Kind: soak.Tidied, Text: "v"},
		soak.Event{At: at(136 * second), Kind: soak.Shrunk, Match: "z1"}, soak.Event{At: at(167 * second), Kind: soak.Shrunk, Match: "z2"})
	const rules = "3x3x3"
	minute := time.Minute
	return soak.Case{History: h, Tables: soak.Tables{
		Challenges: []soak.Challenge{
			{ID: "m", From: "ann", To: "bob", Status: "accepted"}, {ID: "t", From: "ann", To: "bob", Status: "accepted"},
			{ID: "l", From: "left", To: "ann", Status: "accepted"},
		},
		Matches: []soak.Match{
			{ID: "m", Series: "m", Venue: "v", Rules: rules, X: "ann", O: "bob", TurnTime: minute, Created: at(second), Ended: at(6 * second), Cause: "line", Outcome: "X", Next: "n", BestOf: 3},
			{ID: "n", Series: "m", Venue: "v", Rules: rules, X: "bob", O: "ann", TurnTime: time.Hour, Created: at(11 * second), Deadline: at(time.Hour), BestOf: 3},
			{ID: "t", Series: "t", Venue: "v", Rules: rules, X: "ann", O: "bob", TurnTime: minute, Created: at(13 * second), Ended: at(85 * second), Cause: "time", Outcome: "X"},
			{ID: "c", Series: "c", Venue: "v", Rules: rules, X: "ann", OLevel: "easy", TurnTime: 24 * time.Hour, Created: at(31 * second), Ended: at(34 * second), Cause: "resignation", Outcome: "O"},
			{ID: "l", Series: "l", Venue: "v", Rules: rules, X: "left", O: "ann", TurnTime: minute, Created: at(37 * second), Ended: at(39 * second), Cause: "aborted"},
			{ID: "k", Series: "k", Venue: "v", Rules: rules, XLevel: "crowd", OLevel: "easy", TurnTime: 20 * second, Created: at(39 * second), Deadline: at(24 * time.Hour)},
			{ID: "z1", Series: "z1", Arena: "z", Venue: "v", Rules: rules, X: "dan", O: "eve", TurnTime: minute, Created: at(100 * second), Ended: at(130 * second), Cause: "time", Outcome: "O"},
			{ID: "z2", Series: "z2", Arena: "z", Venue: "v", Rules: rules, X: "fay", O: "eve", TurnTime: minute, Created: at(131 * second), Ended: at(161 * second), Cause: "time", Outcome: "O"},
		},
		Moves: []soak.Move{
			{"m", 0, 0, at(2 * second)}, {"m", 1, 3, at(3 * second)}, {"m", 2, 1, at(4 * second)}, {"m", 3, 4, at(5 * second)}, {"m", 4, 2, at(6 * second)},
			{"t", 0, 0, at(14 * second)},
			{"c", 0, 4, at(32 * second)}, {"c", 1, 0, at(32 * second)},
			{"l", 0, 0, at(38 * second)},
			{"k", 0, 4, at(60 * second)}, {"k", 1, 0, at(60 * second)},
		},
		Scores: []soak.Score{
			{Venue: "v", Player: "ann", Wins: 2}, {Venue: "v", Player: "bob", Losses: 2},
			{Venue: "v", Player: "ann", Level: "easy", Losses: 1},
			{Venue: "v", Player: "dan", Losses: 1}, {Venue: "v", Player: "eve", Wins: 2}, {Venue: "v", Player: "fay", Losses: 1},
		},
		Computer: []soak.Score{{Venue: "v", Player: "ann", Losses: 1}},
		// Ann goes on with the series, and requests that.
		Bars:     []soak.Bar{{Venue: "v", Player: "ann", From: at(-second), To: at(22 * second)}},
		Attempts: []soak.Attempt{{Player: "ann", Day: "2026-11-23", Presses: "a!b!"}},
		Arenas: []soak.Arena{{ID: "z", Begins: at(100 * second), Ends: at(160 * second), Entrants: []soak.Entrant{
			{Player: "dan", State: "ready", Since: at(95 * second)}, {Player: "eve", State: "ready", Since: at(95 * second)}, {Player: "fay", State: "ready", Since: at(95 * second)},
		}}},
		SecondMove: "UNIQUE constraint failed",
	}}
}

func TestAGoodRunHasNoBreaches(t *testing.T) {
	for _, b := range soak.Judge(good()) {
		t.Errorf("%s: %s", b.Law, b.What)
	}
	if found := soak.Judge(soak.Case{}); len(found) > 0 {
		t.Errorf("found in an empty case: %v", found)
	}
}

// TestTakeBacksAndAgreedDrawsAreLawful lets the players of the rematch take a move back, and agree on a draw two moves later.
func TestTakeBacksAndAgreedDrawsAreLawful(t *testing.T) {
	c := good()
	stands := soak.Event{Kind: soak.Standing, Match: "n", Ply: 2, Backs: 1, Board: "X.O/.../...", Cause: "agreement", Outcome: "draw"}
	back := shown(50*second, soak.Shown, "n", 1, "X../.../...")
	back.Backs, stands.At = 1, at(200*second)
	c.History = slices.DeleteFunc(c.History, func(e soak.Event) bool { return e.Match == "n" })
	for _, part := range []soak.History{
		action(41*second, "w1", "bob", "play:n:0:a1"),
		action(42*second, "w2", "ann", "play:n:1:b1"), {shown(42*second, soak.Shown, "n", 2, "XO./.../...")},
		action(43*second, "w3", "ann", "wish:n:2:back"), action(44*second, "w4", "bob", "wish:n:2:agree"), {back},
		action(51*second, "w5", "ann", "play:n:62:c1"),
		action(52*second, "w6", "ann", "wish:n:63:draw"), action(53*second, "w7", "bob", "wish:n:63:agree"), {stands},
	} {
		events(&c, part...)
	}
	c.Tables.Matches[0].BestOf, c.Tables.Matches[1].BestOf = 0, 0 // a series would go on
	c.Tables.Bars = nil
	n := &c.Tables.Matches[1]
	n.Cause, n.Outcome, n.Backs, n.Ended, n.Deadline = "agreement", "draw", 1, at(53*second), time.Time{}
	c.Tables.Moves = append(c.Tables.Moves, soak.Move{"n", 0, 0, at(41 * second)}, soak.Move{"n", 1, 2, at(51 * second)})
	c.Tables.Scores[0].Draws, c.Tables.Scores[1].Draws = 1, 1
	for _, b := range soak.Judge(c) {
		t.Errorf("%s: %s", b.Law, b.What)
	}
}

// votesOf returns the event in which a player saw the own vote.
func votesOf(c *soak.Case, interaction string) *soak.Event {
	return &c.History[slices.IndexFunc(c.History, func(e soak.Event) bool { return e.Kind == soak.Shown && e.Interaction == interaction })]
}

// lost returns the event of an interaction that was never answered.
func lost(after time.Duration, status string) soak.History {
	return soak.History{
		{At: at(after), Kind: soak.Sent, Interaction: "x", Player: "ann", Did: "tictactoe help"},
		{At: at(after + 3*second), Kind: soak.Settled, Interaction: "x", Player: "ann", Status: status},
	}
}

func apologised(after time.Duration) soak.History {
	h := lost(after, "answered")
	h[1].Said = map[string]string{"error.unexpected": ""}
	return h
}

func turnedAway(after time.Duration) soak.History {
	h := lost(after, "answered")
	h[1].Said = map[string]string{"error.ratelimited": ""}
	return h
}

// atOnce returns the events of an interaction, changed so that it was answered within a millisecond.
func atOnce(h soak.History) soak.History {
	h[1].At = h[0].At.Add(time.Millisecond)
	return h
}

// hurry returns the events of thirty interactions in a second.
func hurry(after time.Duration) (h soak.History) {
	for i := range 30 {
		h = append(h, action(after+time.Duration(i)*second/30, fmt.Sprint("h", i), "ann", "tictactoe help")...)
	}
	return h
}

// events inserts events before the end of the history.
func events(c *soak.Case, more ...soak.Event) {
	c.History = append(more, c.History...)
	slices.SortStableFunc(c.History, func(a, b soak.Event) int { return a.At.Compare(b.At) })
}

// setClock records that the bot's clock was set for a while.
func setClock(c *soak.Case, from, to, ahead time.Duration) {
	events(c, soak.Event{At: at(from), Kind: soak.Began, Fault: soak.Clock, Number: 3, Ahead: ahead},
		soak.Event{At: at(to), Kind: soak.Over, Fault: soak.Clock, Number: 3})
}

// lasted returns the events of the beginning and the end of a fault.
func lasted(from, to time.Duration, number int, what soak.Event) soak.History {
	began, over := what, what
	began.At, began.Kind, began.Number = at(from), soak.Began, number
	over.At, over.Kind, over.Number = at(to), soak.Over, number
	return soak.History{began, over}
}

// Setups with several replicas, and events in them.
var (
	overHTTP = soak.Setup{Replicas: 2, Shards: 1, HTTP: true}
	sharing  = soak.Setup{Replicas: 2, Shards: 4}

	onPostgres = soak.Setup{Replicas: 1, Shards: 1, DB: "postgres"}
)

// routed returns the event in which a replica got the lost interaction.
func routed(after time.Duration, replica int) soak.Event {
	return soak.Event{At: at(after), Kind: soak.Routed, Interaction: "x", Replica: replica}
}

func unreached(after time.Duration) soak.Event {
	return soak.Event{At: at(after), Kind: soak.Unreached, Interaction: "x"}
}

func killed(from, to time.Duration, replica int) soak.History {
	return lasted(from, to, 10+replica, soak.Event{Fault: soak.Kill, Replica: replica})
}

func unheard(from, to time.Duration, shard int) soak.History {
	return lasted(from, to, 20+shard, soak.Event{Fault: soak.Unheard, Shard: shard})
}

// dateLate dates the move of a match later than its request by the given duration, and ends the match after that.
func dateLate(c *soak.Case, by time.Duration) {
	c.Setup = soak.Setup{Replicas: 2, Shards: 1, DB: "postgres"}
	c.Tables.Moves[5].At = at(14*second + by)
	c.Tables.Matches[2].Ended = at(14*second + by + time.Minute)
}

// broken lists cases with one violation each.
var broken = []struct {
	name, law string
	harm      func(*soak.Case)
}{
	{"a move that was shown is not stored", "what was shown is stored", func(c *soak.Case) {
		events(c, shown(12*second, soak.Shown, "n", 1, ".../.X./..."))
	}},
	{"a move was shown on another square", "what was shown is stored", func(c *soak.Case) {
		events(c, shown(2*second, soak.Shown, "m", 1, ".X./.../..."))
	}},
	{"a match that was shown is not stored", "what was shown is stored", func(c *soak.Case) {
		events(c, shown(2*second, soak.Shown, "lost", 0, ".../.../..."))
	}},
	{"another end was shown", "what was shown is stored", func(c *soak.Case) { c.Tables.Matches[2].Cause = "resignation" }},
	{"a challenge that was shown is not stored", "what was shown is stored", func(c *soak.Case) {
		events(c, soak.Event{At: at(0), Kind: soak.Invited, Match: "lost"})
	}},
	{"a player was told of a move that is not stored", "what was shown is stored", func(c *soak.Case) {
		events(c, typed(33*second, "x", "c c3", "c3")...)
	}},
	{"a ply has two moves", "every ply has one move", func(c *soak.Case) {
		c.Tables.Moves = append(c.Tables.Moves, soak.Move{Match: "m", Ply: 1, Square: 8, At: at(3 * second)})
	}},
	{"a ply has none", "every ply has one move", func(c *soak.Case) { c.Tables.Moves = slices.Delete(c.Tables.Moves, 1, 2) }},
	{"the database would take a second move", "every ply has one move", func(c *soak.Case) { c.Tables.SecondMove = "" }},
	{"a move was made by nobody", "nobody moves for another", func(c *soak.Case) {
		c.History = slices.DeleteFunc(c.History, func(e soak.Event) bool { return e.Did == "play:m:3:b2" })
	}},
	{"a move was made by the other player", "nobody moves for another", func(c *soak.Case) {
		for i := range c.History {
			if c.History[i].Did == "play:m:3:b2" {
				c.History[i].Player = "ann"
			}
		}
	}},
	{"one command made two moves", "nobody moves for another", func(c *soak.Case) {
		c.Tables.Matches = append(c.Tables.Matches, soak.Match{ID: "d", Series: "d", Venue: "v", Rules: "drop", X: "ann", OLevel: "easy", TurnTime: time.Hour, Created: at(40 * second), Deadline: at(time.Hour)})
		c.Tables.Moves = append(c.Tables.Moves, soak.Move{"d", 0, 15, at(41 * second)}, soak.Move{"d", 1, 16, at(41 * second)}, soak.Move{"d", 2, 10, at(42 * second)}, soak.Move{"d", 3, 17, at(42 * second)})
		events(c, typed(41*second, "d1", "d a1", "a4")...)
	}},
	{"a won match goes on", "results follow from the moves", func(c *soak.Case) { c.Tables.Matches[0].Cause, c.Tables.Matches[0].Outcome = "", "" }},
	{"the wrong side won by a line", "results follow from the moves", func(c *soak.Case) { c.Tables.Matches[0].Outcome = "O" }},
	{"the side that was not to move lost on time", "results follow from the moves", func(c *soak.Case) { c.Tables.Matches[2].Outcome = "O" }},
	{"somebody resigned who did not", "results follow from the moves", func(c *soak.Case) {
		c.History = slices.DeleteFunc(c.History, func(e soak.Event) bool { return e.Did == "submit resign:c:2" })
	}},
	{"a square with fewer votes was played", "a crowd plays what it votes for", func(c *soak.Case) {
		moves := c.Tables.Moves[len(c.Tables.Moves)-2:]
		moves[0].Square, moves[1].Square = 0, 4
	}},
	{"a square without votes was played", "a crowd plays what it votes for", func(c *soak.Case) { c.Tables.Moves[len(c.Tables.Moves)-2].Square = 8 }},
	{"more votes than voters", "a crowd plays what it votes for", func(c *soak.Case) { votesOf(c, "k3").Votes = 4 }},
	{"a vote was lost", "a crowd plays what it votes for", func(c *soak.Case) {
		c.History = slices.DeleteFunc(c.History, func(e soak.Event) bool { return e.Did == "submit privacy:erase" })
		c.Tables.Bars = nil
		votesOf(c, "k3").Votes = 1
	}},
	{"nobody agreed on a draw", "results follow from the moves", func(c *soak.Case) {
		c.Tables.Matches[2].Cause, c.Tables.Matches[2].Outcome = "agreement", "draw"
	}},
	{"a player agreed with nobody else", "results follow from the moves", func(c *soak.Case) {
		events(c, append(action(15*second, "w1", "ann", "wish:t:1:draw"), action(16*second, "w2", "ann", "wish:t:1:agree")...)...)
		c.Tables.Matches[2].Cause, c.Tables.Matches[2].Outcome = "agreement", "draw"
	}},
	{"nobody allowed a take-back", "results follow from the moves", func(c *soak.Case) { c.Tables.Matches[1].Backs = 1 }},
	{"a take-back was shown and is not stored", "what was shown is stored", func(c *soak.Case) {
		back := shown(12*second, soak.Shown, "n", 0, ".../.../...")
		back.Backs = 1
		events(c, back)
	}},
	{"a match was called off after two moves", "results follow from the moves", func(c *soak.Case) {
		c.Tables.Matches[3].Cause, c.Tables.Matches[3].Outcome = "aborted", ""
	}},
	{"a match is void although its proposer was not to move", "results follow from the moves", func(c *soak.Case) {
		c.Tables.Matches[2].Cause, c.Tables.Matches[2].Outcome, c.Tables.Matches[2].Proposer = "no show", "", "X"
	}},
	{"a proposer who did not show up has lost", "results follow from the moves", func(c *soak.Case) { c.Tables.Matches[2].Proposer = "O" }},
	{"a no-show counts", "scores follow from the results", func(c *soak.Case) {
		c.Tables.Matches[2].Cause, c.Tables.Matches[2].Outcome, c.Tables.Matches[2].Proposer = "no show", "", "O"
	}},
	{"a win counts twice", "scores follow from the results", func(c *soak.Case) { c.Tables.Scores[0].Wins = 3 }},
	{"a loss does not count", "scores follow from the results", func(c *soak.Case) { c.Tables.Scores = c.Tables.Scores[:1] }},
	{"the sum over the levels is off", "scores follow from the results", func(c *soak.Case) { c.Tables.Computer[0].Losses = 2 }},
	{"a server has the puzzle of a day twice", "a server gets one post a day", func(c *soak.Case) {
		events(c, posted(180*second, "2026-11-23", "s1"))
	}},
	{"a puzzle has four tries", "a puzzle has three tries", func(c *soak.Case) { c.Tables.Attempts[0].Presses = "a!b!c!d!" }},
	{"a try is forgotten", "a puzzle has three tries", func(c *soak.Case) { c.Tables.Attempts[0].Presses = "a!" }},
	{"all of them are", "a puzzle has three tries", func(c *soak.Case) { c.Tables.Attempts = nil }},
	{"a game of a series has no next one", "a series goes on by one game after the other", func(c *soak.Case) { c.Tables.Matches[0].Next = "" }},
	{"the next game does not swap sides", "a series goes on by one game after the other", func(c *soak.Case) {
		n := &c.Tables.Matches[1]
		n.X, n.O = n.O, n.X
	}},
	{"two games of a series go on", "a series goes on by one game after the other", func(c *soak.Case) {
		c.Tables.Matches[0].Cause, c.Tables.Matches[0].Outcome = "", ""
	}},
	{"a series goes on after its decision", "a series goes on by one game after the other", func(c *soak.Case) {
		c.Tables.Matches[0].BestOf, c.Tables.Matches[1].BestOf = 1, 1
	}},
	{"a series ends before its decision", "a series goes on by one game after the other", func(c *soak.Case) {
		c.Tables.Matches[1].Cause, c.Tables.Matches[1].Outcome = "resignation", "X"
	}},
	{"a board says a wrong score", "a series goes on by one game after the other", func(c *soak.Case) {
		for i, e := range c.History {
			if e.Match == "n" && e.Kind == soak.Standing {
				c.History[i].Score = "0–1"
			}
		}
	}},
	{"two messages show a game", "a series goes on by one game after the other", func(c *soak.Case) {
		again := shown(201*second, soak.Standing, "n", 0, ".../.../...")
		again.Score = "1–0"
		events(c, again)
	}},
	{"a match has two rematches", "a match begins once", func(c *soak.Case) {
		second := c.Tables.Matches[1]
		second.ID = "n2"
		c.Tables.Matches = append(c.Tables.Matches, second)
	}},
	{"a rematch does not exist", "a match begins once", func(c *soak.Case) { c.Tables.Matches[0].Next = "nowhere" }},
	{"a declined challenge began", "a match begins once", func(c *soak.Case) { c.Tables.Challenges[0].Status = "declined" }},
	{"somebody lost on time early", "nobody loses on time early", func(c *soak.Case) { c.Tables.Matches[2].Ended = at(73 * second) }},
	{"the time away was not given back", "nobody loses on time early", func(c *soak.Case) { c.Tables.Matches[2].Ended = at(83 * second) }},
	{"somebody lost on time because the clock was set forward", "nobody loses on time early", func(c *soak.Case) {
		setClock(c, 40*second, 100*second, time.Hour)
		c.Tables.Matches[2].Ended = at(time.Hour + 60*second)
	}},
	{"a loss on time is dated when no clock showed that", "nobody loses on time early", func(c *soak.Case) {
		setClock(c, 40*second, 100*second, time.Hour)
		c.Tables.Matches[2].Ended = at(2 * time.Hour)
	}},
	{"a move is dated by a machine's clock", "dates are true where replicas share a clock", func(c *soak.Case) {
		c.Setup = onPostgres
		c.Tables.Moves[5].At = at(14*second - time.Minute)
	}},
	{"a move is dated later than it can have arrived", "dates are true where replicas share a clock", func(c *soak.Case) {
		dateLate(c, 72*second)
	}},
	{"a move is dated in the future", "dates are true where replicas share a clock", func(c *soak.Case) {
		c.Setup = onPostgres
		c.Tables.Moves[5].At = at(14*second + time.Hour)
	}},
	{"a turn was given the time by which the clock was set", "no clock is left running", func(c *soak.Case) {
		c.Tables.Matches[1].Deadline = at(2 * time.Hour)
	}},
	{"a turn that was over is open", "no clock is left running", func(c *soak.Case) { c.Tables.Matches[1].Deadline = at(190 * second) }},
	{"a challenge that was over is open", "no clock is left running", func(c *soak.Case) {
		c.Tables.Challenges = append(c.Tables.Challenges, soak.Challenge{ID: "o", Status: "pending", Deadline: at(100 * second)})
	}},
	{"nobody answered", "everyone is answered", func(c *soak.Case) { events(c, lost(40*second, "timeout")...) }},
	{"nobody answered long before a kill", "everyone is answered", func(c *soak.Case) { events(c, lost(15*second, "timeout")...) }},
	{"nothing came after the deferral", "everyone is answered", func(c *soak.Case) { events(c, lost(40*second, "deferred")...) }},
	{"a busy database is no excuse", "everyone is answered", func(c *soak.Case) {
		events(c, append(lost(40*second, "timeout"),
			soak.Event{At: at(39 * second), Kind: soak.Began, Fault: soak.Busy, Number: 2}, soak.Event{At: at(49 * second), Kind: soak.Over, Fault: soak.Busy, Number: 2})...)
	}},
	{"somebody was turned away who was not fast", "everyone is answered", func(c *soak.Case) { events(c, turnedAway(40*second)...) }},
	{"another replica than that which had it was killed", "everyone is answered", func(c *soak.Case) {
		c.Setup = overHTTP
		events(c, slices.Concat(lost(40*second, "failed"), soak.History{routed(40*second, 2)}, killed(39*second, 45*second, 1))...)
	}},
	{"an interaction at a replica that was leaving", "everyone is answered", func(c *soak.Case) {
		c.Setup = overHTTP
		events(c, slices.Concat(lost(40*second, "failed"), soak.History{routed(40*second, 2)}, lasted(39*second, 44*second, 20, soak.Event{Fault: soak.Leaving, Replica: 2}))...)
	}},
	{"an interaction that a replica had for long was not answered", "everyone is answered", func(c *soak.Case) {
		c.Setup = overHTTP
		events(c, append(lost(40*second, "timeout"), routed(41*second, 1))...)
	}},
	{"nobody could be reached although one was there", "everyone is answered", func(c *soak.Case) {
		c.Setup = overHTTP
		events(c, slices.Concat(lost(40*second, "failed"), soak.History{unreached(42 * second)}, killed(39*second, 45*second, 1))...)
	}},
	{"another shard than that where it was done was unheard", "everyone is answered", func(c *soak.Case) {
		c.Setup = sharing
		events(c, slices.Concat(lost(40*second, "timeout"), killed(39*second, 40*second, 1), unheard(39*second, 45*second, 3))...)
	}},
	{"connections were lost, but this shard was heard", "everyone is answered", func(c *soak.Case) {
		c.Setup = sharing
		events(c, slices.Concat(lost(40*second, "timeout"), lasted(38*second, 50*second, 2, soak.Event{Fault: soak.Drop}), unheard(38*second, 45*second, 3))...)
	}},
	{"the time in which no replica was there was not given back", "nobody loses on time early", func(c *soak.Case) {
		c.Setup = overHTTP
		c.Tables.Matches[2].Ended = at(83 * second)
		events(c, append(killed(38*second, 50*second, 1), killed(40*second, 55*second, 2)...)...)
	}},
	{"the time in which its shard was unheard was not given back", "nobody loses on time early", func(c *soak.Case) {
		c.Setup = sharing
		c.Tables.Matches[2].Ended = at(83 * second)
		events(c, append(killed(38*second, 50*second, 1), unheard(40*second, 50*second, 0)...)...)
	}},
	{"the time in which the bot was paused was not given back", "nobody loses on time early", func(c *soak.Case) {
		events(c, lasted(40*second, 50*second, 2, soak.Event{Fault: soak.Pause})...)
	}},
	{"the pause of the only replica behind an endpoint was not given back", "nobody loses on time early", func(c *soak.Case) {
		c.Setup = soak.Setup{Replicas: 1, Shards: 1, HTTP: true}
		c.Tables.Matches[2].Ended = at(76 * second)
		events(c, lasted(40*second, 50*second, 2, soak.Event{Fault: soak.Pause, Replica: 1})...)
	}},
	{"strangers kept an interaction from the bot", "everyone is answered", func(c *soak.Case) {
		c.Setup = overHTTP
		events(c, slices.Concat(lost(40*second, "timeout"), soak.History{routed(40*second, 1)}, lasted(39*second, 45*second, 2, soak.Event{Fault: soak.Strangers}))...)
	}},
	{"a shard was left for a process that died with none", "shards are taken over", func(c *soak.Case) {
		c.Setup = sharing
		events(c, append(lasted(149*second, 150*second, 2, soak.Event{Fault: soak.Stillborn}), unheard(150*second, 151*second, 2)...)...)
	}},
	{"two replicas answered", "nobody is answered twice", func(c *soak.Case) {
		events(c, soak.Event{At: at(3 * second), Kind: soak.Acknowledged, Interaction: "2", Replica: 2})
	}},
	{"a shard was not taken over", "shards are taken over", func(c *soak.Case) {
		c.Setup = sharing
		events(c, append(killed(40*second, 41*second, 1), unheard(40*second, 101*second, 2)...)...)
	}},
	{"a shard was left for nothing", "shards are taken over", func(c *soak.Case) {
		c.Setup = sharing
		events(c, unheard(150*second, 151*second, 2)...)
	}},
	{"a shard was left before its connection was dropped", "shards are taken over", func(c *soak.Case) {
		c.Setup = sharing
		events(c, append(unheard(150*second, 151*second, 2), lasted(150900*time.Millisecond, 151*second, 2, soak.Event{Fault: soak.Drop})...)...)
	}},
	{"somebody read an apology", "nothing unexpected happens", func(c *soak.Case) { events(c, apologised(40*second)...) }},
	{"the bot ended by itself", "the bot ends when it is told to", func(c *soak.Case) {
		events(c, soak.Event{At: at(40 * second), Kind: soak.Died, Text: "ended by itself with code 2"})
	}},
	{"a rating does not follow from the matches", "the database is sound", func(c *soak.Case) {
		c.Tables.Findings = []string{"rating of player a: it is missing"}
	}},
	{"a table names somebody who was deleted", "erased players leave no trace", func(c *soak.Case) {
		c.Tables.Named = map[string][]string{"cal": {"asides"}}
	}},
	{"a match goes on with somebody who was deleted", "erased players leave no trace", func(c *soak.Case) { c.Tables.Matches[4].Cause = "" }},
	{"a challenge waits for somebody who was deleted", "erased players leave no trace", func(c *soak.Case) {
		c.Tables.Challenges = append(c.Tables.Challenges, soak.Challenge{ID: "o", From: "ann", To: "left", Status: "pending", Deadline: at(time.Hour)})
	}},
	{"a match was deleted with a player who had been deleted before", "what was shown is stored", func(c *soak.Case) {
		events(c, soak.Event{At: at(40 * second), Kind: soak.Shown, Match: "e2", Board: ".../.../...", Seats: [2]string{"cal", "the computer (easy)"}})
	}},
	{"a match was deleted with only one of its players", "what was shown is stored", func(c *soak.Case) {
		events(c, soak.Event{At: at(38 * second), Kind: soak.Shown, Match: "e2", Board: ".../.../...", Seats: [2]string{"cal", "ann"}})
	}},
	{"nobody who was deleted made a move", "nobody moves for another", func(c *soak.Case) {
		c.History = slices.DeleteFunc(c.History, func(e soak.Event) bool { return e.Did == "play:l:0:a1" })
	}},
	{"a match of a barred player begins", "no match of a barred player begins", func(c *soak.Case) { c.Tables.Matches[1].BestOf = 0 }},
	{"a match begins long after a bar that nobody lifted", "no match of a barred player begins", func(c *soak.Case) {
		c.Tables.Bars = append(c.Tables.Bars, soak.Bar{Venue: "v", Player: "fay", From: at(2 * second)})
	}},
	{"somebody was in two games of an arena at once", "nobody is paired twice at once in an arena", func(c *soak.Case) {
		c.Tables.Matches[7].Created = at(129 * second)
	}},
	{"a game of an arena was of somebody who has not entered", "nobody is paired twice at once in an arena", func(c *soak.Case) {
		c.Tables.Arenas[0].Entrants = c.Tables.Arenas[0].Entrants[1:]
	}},
	{"two were free for long", "free entrants of an arena are paired soon", func(c *soak.Case) {
		c.Tables.Matches[7].Created = at(141 * second)
	}},
	{"a game after the end of an arena counted", "the standings of arenas follow from the matches", func(c *soak.Case) {
		c.Tables.Arenas[0].Ends = at(161 * second)
	}},
	{"a board shrinks early", "finished boards shrink in time", func(c *soak.Case) {
		events(c, soak.Event{At: at(88 * second), Kind: soak.Shrunk, Match: "t"})
	}},
	{"a board shrinks during its match", "finished boards shrink in time", func(c *soak.Case) {
		events(c, soak.Event{At: at(100 * second), Kind: soak.Shrunk, Match: "n"})
	}},
	{"a board that has shrunk is a board again", "finished boards shrink in time", func(c *soak.Case) {
		events(c, soak.Event{At: at(100 * second), Kind: soak.Shrunk, Match: "t"})
	}},
	{"a board does not shrink", "finished boards shrink in time", func(c *soak.Case) {
		for i := range c.History {
			if c.History[i].Kind == soak.Tidied {
				c.History[i].At = at(50 * second)
			}
		}
	}},
	{"a board stays behind", "boards become true", func(c *soak.Case) {
		for i := range c.History {
			if c.History[i].Kind == soak.Standing && c.History[i].Match == "m" {
				c.History[i] = shown(200*second, soak.Standing, "m", 2, "X../O../...")
			}
		}
	}},
}

func TestEachLawIsBroken(t *testing.T) {
	for _, b := range broken {
		t.Run(b.name, func(t *testing.T) {
			c := good()
			b.harm(&c)
			found := soak.Judge(c)
			if !slices.ContainsFunc(found, func(f soak.Breach) bool { return f.Law == b.law }) {
				t.Errorf("%q is not among %v", b.law, found)
			}
			if !slices.IsSortedFunc(found, func(a, b soak.Breach) int { return len(a.History) - len(b.History) }) {
				t.Error("the breach with the shortest history is not the first")
			}
		})
	}
	for _, law := range soak.Laws() {
		if !slices.ContainsFunc(broken, func(b struct {
			name, law string
			harm      func(*soak.Case)
		}) bool {
			return b.law == law.Name
		}) {
			t.Errorf("no case breaks %q", law.Name)
		}
	}
}

func TestExcusedCases(t *testing.T) {
	for _, excused := range []struct {
		name string
		more soak.History
	}{
		{"an interaction while the bot was away", lost(25*second, "timeout")},
		{"an interaction just before a kill", lost(18*second, "timeout")},
		{"an interaction while the bot was paused", append(lost(86*second, "timeout"), lasted(86*second, 90*second, 2, soak.Event{Fault: soak.Pause})...)},
		{"a player who was too fast for a twin while the other process was paused", slices.Concat(hurry(40*second), turnedAway(41*second+second/2),
			lasted(41*second, 50*second, 2, soak.Event{Fault: soak.Pause}), lasted(38*second, 60*second, 3, soak.Event{Fault: soak.Twin}))},
		{"the time of a pause that is too short to be known", lasted(40*second, 41*second, 2, soak.Event{Fault: soak.Pause})},
		{"a deferral some time before a kill", lost(8*second, "deferred")},
		{"being turned away in a hurry", append(hurry(39*second), turnedAway(40*second)...)},
		{"the same, with its shard unheard right afterwards", slices.Concat(hurry(39*second), atOnce(turnedAway(40*second)),
			lasted(40*second, 50*second, 2, soak.Event{Fault: soak.Unheard}))},
		{"an apology for an interaction that made no sense", append(apologised(40*second),
			soak.Event{At: at(40 * second), Kind: soak.Began, Fault: soak.Garble, Interaction: "x"})},
		{"an apology while the disk was full", append(apologised(40*second),
			soak.Event{At: at(39 * second), Kind: soak.Began, Fault: soak.Full, Number: 2},
			soak.Event{At: at(41 * second), Kind: soak.Over, Fault: soak.Full, Number: 2})},
	} {
		t.Run(excused.name, func(t *testing.T) {
			c := good()
			events(&c, excused.more...)
			if found := soak.Judge(c); len(found) > 0 {
				t.Errorf("found %v", found)
			}
		})
	}
	for _, fleet := range []struct {
		name  string
		setup soak.Setup
		more  soak.History
	}{
		{"an interaction at a replica that was killed", overHTTP,
			slices.Concat(lost(40*second, "failed"), soak.History{routed(40*second, 1)}, killed(41*second, 45*second, 1))},
		{"an interaction that came twice, to a replica that was killed and to another", overHTTP,
			slices.Concat(lost(40*second, "failed"), soak.History{routed(40*second, 2), routed(40*second, 1)}, killed(41*second, 45*second, 1))},
		{"an interaction without a replica while none was running", overHTTP,
			slices.Concat(lost(40*second, "failed"), soak.History{unreached(42 * second)}, killed(39*second, 45*second, 1), killed(38*second, 45*second, 2))},
		{"an interaction without a replica while the only one was leaving", overHTTP,
			slices.Concat(lost(40*second, "failed"), soak.History{unreached(42 * second)}, killed(38*second, 45*second, 1),
				lasted(39*second, 44*second, 20, soak.Event{Fault: soak.Leaving, Replica: 2}))},
		{"an interaction that came too late to be answered", overHTTP, append(lost(40*second, "timeout"), routed(41300*time.Millisecond, 1))},
		{"an interaction that waited while no replica was running", overHTTP,
			slices.Concat(lost(40*second, "timeout"), soak.History{routed(41500*time.Millisecond, 1)}, killed(39*second, 41400*time.Millisecond, 1), killed(38*second, 45*second, 2))},
		{"the time in which one replica was there", overHTTP, append(killed(38*second, 50*second, 1), killed(51*second, 55*second, 2)...)},
		{"an interaction at a replica that was paused", overHTTP,
			slices.Concat(lost(40*second, "timeout"), soak.History{routed(40*second, 1)}, lasted(39*second, 50*second, 20, soak.Event{Fault: soak.Pause, Replica: 1}))},
		{"the time in which one replica was paused and another was gone", overHTTP,
			append(lasted(39*second, 50*second, 20, soak.Event{Fault: soak.Pause, Replica: 1}), killed(40*second, 45*second, 2)...)},
		{"an action in any shard while a replica was paused", sharing,
			append(lost(40*second, "timeout"), lasted(39*second, 50*second, 20, soak.Event{Fault: soak.Pause})...)},
		{"being turned away when all that had waited came at once", sharing,
			append(turnedAway(52*second), lasted(39*second, 50*second, 20, soak.Event{Fault: soak.Pause})...)},
		{"an action in a shard that was unheard", sharing,
			slices.Concat(lost(40*second, "timeout"), killed(39*second, 40*second, 1), unheard(39*second, 45*second, 0))},
		{"a shard that comes back late after a busy database", sharing, slices.Concat(killed(40*second, 41*second, 1),
			unheard(40*second, 105*second, 2), lasted(50*second, 60*second, 2, soak.Event{Fault: soak.Busy}))},
		{"a shard whose connection was dropped between two looks that were far apart", sharing, append(
			lasted(150*second, 151*second, 20, soak.Event{Fault: soak.Unheard, Shard: 2, Took: second}),
			lasted(150900*time.Millisecond, 151*second, 2, soak.Event{Fault: soak.Drop})...)},
	} {
		t.Run(fleet.name, func(t *testing.T) {
			c := good()
			c.Setup = fleet.setup
			events(&c, fleet.more...)
			if found := soak.Judge(c); len(found) > 0 {
				t.Errorf("found %v", found)
			}
		})
	}
	t.Run("the name of an erased player who came back", func(t *testing.T) {
		c := good()
		events(&c, slices.Concat(erased(41*second, "x", "bob"), action(42*second, "y", "bob", "tictactoe help"))...)
		c.Tables.Named = map[string][]string{"bob": {"players"}}
		if found := soak.Judge(c); len(found) > 0 {
			t.Errorf("found %v", found)
		}
	})
	t.Run("a board that the bot has marked as behind", func(t *testing.T) {
		c := good()
		events(&c, shown(200*second, soak.Standing, "t", 0, ".../.../..."))
		c.History = slices.DeleteFunc(c.History, func(e soak.Event) bool {
			return e.Kind == soak.Standing && e.Match == "t" && e.Ply == 1
		})
		c.Tables.Behind = []string{"t"}
		if found := soak.Judge(c); len(found) > 0 {
			t.Errorf("found %v", found)
		}
	})
	for name, ahead := range map[string]time.Duration{"forward": time.Hour, "back": -time.Hour} {
		t.Run("a loss on time after the clock was set "+name, func(t *testing.T) {
			c := good()
			setClock(&c, 40*second, 100*second, ahead)
			c.Tables.Matches[2].Ended = at(85*second + ahead)
			if found := soak.Judge(c); len(found) > 0 {
				t.Errorf("found %v", found)
			}
		})
	}
	t.Run("setting the machines' clocks with Postgres, where they do not count", func(t *testing.T) {
		c := good()
		c.Setup = onPostgres
		events(&c, lasted(40*second, 100*second, 3, soak.Event{Fault: soak.Clock})...)
		if found := soak.Judge(c); len(found) > 0 {
			t.Errorf("found %v", found)
		}
	})
	t.Run("a move that arrived late because its shard was unheard twice", func(t *testing.T) {
		c := good()
		dateLate(&c, 72*second)
		events(&c, slices.Concat(killed(14*second, 15*second, 1), unheard(14*second, 50*second, 0),
			killed(52*second, 53*second, 2), lasted(52*second, 86*second, 30, soak.Event{Fault: soak.Unheard}))...)
		if found := soak.Judge(c); len(found) > 0 {
			t.Errorf("found %v", found)
		}
	})
	t.Run("the absence of a process beside a twin that was present", func(t *testing.T) {
		c := good()
		c.Tables.Matches[2].Ended = at(75 * second)
		events(&c, soak.Event{At: at(15 * second), Kind: soak.Began, Fault: soak.Twin, Number: 2},
			soak.Event{At: at(31 * second), Kind: soak.Over, Fault: soak.Twin, Number: 2})
		if found := soak.Judge(c); len(found) > 0 {
			t.Errorf("found %v", found)
		}
	})
}

// A law that recognises no events must count as broken.
func TestABlindLaw(t *testing.T) {
	c := good()
	want := []string{"dates are true where replicas share a clock", "shards are taken over"}
	if got := soak.Unjudged(c); !slices.Equal(got, want) {
		t.Errorf("%q have nothing to judge, not %q", got, want)
	}
	c.Played = time.Hour
	if found := soak.Judge(c); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	for i := range c.History {
		c.History[i].Said = nil
	}
	var blind []string
	for _, b := range soak.Judge(c) {
		if b.What == "it had nothing to judge" {
			blind = append(blind, b.Law)
		}
	}
	want = []string{"what was shown is stored", "erased players leave no trace", "a puzzle has three tries"}
	if !slices.Equal(blind, want) {
		t.Errorf("%q are blind, not %q", blind, want)
	}
}

// A breach reports only the events of its match or interaction.
func TestAHistoryIsShort(t *testing.T) {
	c := good()
	events(&c, lost(40*second, "timeout")...)
	found := soak.Judge(c)
	if len(found) != 1 || len(found[0].History) != 2 {
		t.Fatalf("found %v", found)
	}
	c = good()
	c.Tables.Matches[2].Outcome = "O"
	for _, b := range soak.Judge(c) {
		for _, e := range b.History {
			if e.Match != "t" && !slices.Contains([]string{"accept:t", "play:t:0:a1"}, e.Did) && e.Interaction != "t" {
				t.Errorf("%s: %s", b.Law, e)
			}
		}
	}
}

// Overlapping faults count once, and faults that excuse nothing do not count.
func TestDisturbed(t *testing.T) {
	var h soak.History
	for i, s := range []struct {
		fault    soak.Fault
		from, to time.Duration
	}{
		{soak.Slow, 10 * second, 20 * second}, {soak.Kill, 12 * second, 15 * second}, {soak.Drop, 18 * second, 22 * second},
		{soak.Busy, 21 * second, 50 * second}, {soak.Lose, 60 * second, 61 * second},
	} {
		h = append(h, soak.Event{At: at(s.from), Kind: soak.Began, Fault: s.fault, Number: i + 1}, soak.Event{At: at(s.to), Kind: soak.Over, Fault: s.fault, Number: i + 1})
	}
	slices.SortStableFunc(h, func(a, b soak.Event) int { return a.At.Compare(b.At) })
	if got := h.Disturbed(); got != 13*second {
		t.Errorf("got %s", got)
	}
}

func TestPlan(t *testing.T) {
	same := slices.Equal(soak.Plan(7, time.Minute, soak.Faults()), soak.Plan(7, time.Minute, soak.Faults()))
	if !same {
		t.Error("the same seed gives another plan")
	}
	if slices.Equal(soak.Plan(7, time.Minute, soak.Faults()), soak.Plan(8, time.Minute, soak.Faults())) {
		t.Error("another seed gives the same plan")
	}
	if plan := soak.Plan(7, time.Minute, nil); len(plan) > 0 {
		t.Errorf("without faults: %v", plan)
	}
	kinds := map[soak.Fault]bool{}
	for _, p := range soak.Plan(7, 30*time.Minute, soak.Faults()) {
		kinds[p.Fault] = true
		if p.From < time.Second || p.From >= 30*time.Minute || p.Strength < 0 || p.Strength > 99 {
			t.Errorf("%+v", p)
		}
	}
	if len(kinds) != len(soak.Faults()) {
		t.Errorf("in half an hour only %v come", kinds)
	}
}

func TestParseFaults(t *testing.T) {
	for text, want := range map[string][]soak.Fault{
		"all": soak.Faults(), "none": nil, "kill": {soak.Kill}, "kill, busy": {soak.Kill, soak.Busy},
	} {
		if got, err := soak.ParseFaults(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "kill,", "lightning"} {
		if got, err := soak.ParseFaults(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
