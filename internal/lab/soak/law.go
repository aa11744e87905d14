package soak

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tictactoe/game"
)

// Bounds of the laws.
const (
	// answerTime is how long Discord waits for the first response of a bot, settleTime how long the simulator waits for the message that
	// follows a deferral.
	answerTime = 3 * time.Second
	settleTime = 10 * time.Second
	// deliverTime is how long the delivery of an interaction to a replica may take; the fault Reorder alone takes a second of it. After a
	// longer delivery, too little of answerTime is left for the answer.
	deliverTime = 1200 * time.Millisecond
	// judgeTime is how long after its deadline a match may stay unjudged while the bot is running.
	judgeTime = 5 * time.Second
	// holdTime is how long a deadline stays with a process that took it and was killed.
	holdTime = 30 * time.Second
	// takeoverTime is how long a shard may be unheard after its process was killed.
	takeoverTime = time.Minute
	// pauseLeast is the shortest pause that a process must notice, plus some time for the signals.
	pauseLeast = 1250 * time.Millisecond
	// noticeTime is how long the soak test may take to notice that a bot is back.
	noticeTime = 50 * time.Millisecond
	// signTime is how much longer than the turn time a turn may last after a bot was killed: all time since the bot last recorded that
	// it was running is credited, even if the turn began later.
	signTime = 30 * time.Second
	// datingTime is the error of a date by the database's clock while the bot has read that clock only a few times.
	datingTime = time.Second
	// tidyAfter is the time after which finished boards shrink, and tidyTime how much longer that may take.
	tidyAfter = 5 * time.Second
	tidyTime  = 10 * time.Second
	// roundingTime allows for dates that are stored in milliseconds, and are rounded down whenever a clock change moves deadlines.
	roundingTime = 2 * time.Millisecond
)

// Breach is one violation of a law.
type Breach struct {
	Law     string  `json:"law"`
	What    string  `json:"what"`
	History History `json:"history"` // the relevant events
}

// Case is a finished run to judge.
type Case struct {
	Setup   Setup
	Played  time.Duration // how long enough players have played for every law to have something to judge; zero if there were too few players
	History History
	Tables  Tables
}

// Law is a statement that must hold for every case. Its check calls the function found for every breach, with the relevant events, and
// returns how many things it has judged; if it judges several kinds of things, it returns the smallest of their counts. It returns
// notApplicable if the law does not apply to the setup or the faults. A law that judges nothing counts as broken, because it may be blind.
type Law struct {
	Name  string
	after time.Duration // how long players must play until there is something to judge
	check func(c Case, found func(what string, of History)) (judged int)
}

const (
	notApplicable = -1
	soon          = 45 * time.Second // by then, players have performed every kind of action
	lostTime      = 2 * time.Minute  // by then, turns of a minute have been lost on time, even if the bot was absent for a while
)

// Laws returns all laws.
func Laws() []Law {
	return []Law{
		{"what was shown is stored", soon, shownIsStored},
		{"every ply has one move", soon, onePlyOneMove},
		{"nobody moves for another", soon, ownMoves},
		{"a crowd plays what it votes for", lostTime, crowdsVote},
		{"results follow from the moves", soon, resultsFollow},
		{"scores follow from the results", soon, scoresFollow},
		{"the database is sound", soon, databaseSound},
		{"a match begins once", soon, beginsOnce},
		{"a series goes on by one game after the other", soon, seriesGoOn},
		{"erased players leave no trace", soon, nothingLeft},
		{"no match of a barred player begins", lostTime, neverBegins},
		{"a server gets one post a day", soon, onePostADay},
		{"a puzzle has three tries", soon, boundedTries},
		{"nobody is paired twice at once in an arena", soon, onePairEach},
		{"free entrants of an arena are paired soon", soon, pairedSoon},
		{"the standings of arenas follow from the matches", soon, standingsFollow},
		{"nobody loses on time early", lostTime, nobodyEarly},
		{"no clock is left running", soon, noneLeft},
		{"dates are true where replicas share a clock", soon, datesTrue},
		{"everyone is answered", soon, everyoneAnswered},
		{"nobody is answered twice", soon, answeredOnce},
		{"shards are taken over", soon, takenOver},
		{"nothing unexpected happens", soon, nothingUnexpected},
		{"the bot ends when it is told to", soon, endsWhenTold},
		{"boards become true", soon, boardsTrue},
		{"finished boards shrink in time", lostTime, shrinkInTime},
	}
}

// Judge returns the breaches of all laws. The breach with the shortest history is the first.
func Judge(c Case) []Breach {
	var all []Breach
	for _, law := range Laws() {
		judged := law.check(c, func(what string, of History) { all = append(all, Breach{law.Name, what, of}) })
		if judged == 0 && c.Played >= law.after {
			all = append(all, Breach{Law: law.Name, What: "it had nothing to judge"})
		}
	}
	slices.SortStableFunc(all, func(a, b Breach) int { return len(a.History) - len(b.History) })
	return all
}

// Unjudged returns the names of the laws that had nothing to judge.
func Unjudged(c Case) (names []string) {
	for _, law := range Laws() {
		if law.check(c, func(string, History) {}) <= 0 {
			names = append(names, law.Name)
		}
	}
	return names
}

// squares returns the moves of a match by ply. It reports false unless each ply has exactly one move.
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
		return game.Record{}, fmt.Errorf("a ply has no move or several moves")
	}
	return game.Replay(rules, squares...)
}

// games returns the matches with their replays, by id. It omits matches that cannot be replayed.
func (c Case) games() map[string]replayed {
	all := map[string]replayed{}
	byMatch := map[string][]Move{}
	for _, m := range c.Tables.Moves {
		byMatch[m.Match] = append(byMatch[m.Match], m)
	}
	ruled := map[string]bool{}
	for _, e := range c.History {
		if match, is := strings.CutPrefix(e.Did, "rule:void:"); is && e.Kind == Sent {
			ruled[match] = true
		}
	}
	for _, m := range c.Tables.Matches {
		one := Case{Tables: Tables{Moves: byMatch[m.ID]}}
		if record, err := one.record(m); err == nil {
			all[m.ID] = replayed{m, record, byMatch[m.ID], ruled[m.ID]}
		}
	}
	return all
}

type replayed struct {
	Match
	record game.Record
	moves  []Move
	ruled  bool // a moderator has voided the match, and may have undone that
}

// draw returns a position as the history writes it.
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
