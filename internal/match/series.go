package match

import (
	"slices"
	"time"

	"tictactoe/game"
)

const (
	// PlayOffGames is how many games on infinite follow a series that is level.
	PlayOffGames = 2
	// NextPause is how much longer the first turn of the next game of a series lasts, because the players must first find its board.
	NextPause = 30 * time.Second
)

// SeriesLengths returns the numbers of games that a series can be the best of.
func SeriesLengths() []int { return []int{3, 5, 7} }

// SeriesEnd says how a series of games ended. The zero value means that it goes on.
type SeriesEnd uint8

// The ends of a series.
const (
	SeriesWon       SeriesEnd = iota + 1
	SeriesForfeited           // the loser left, or lost on time twice in a row
	SeriesOnTime              // level after the play-off, and the winner used less time
	SeriesLevel               // level after the play-off
	SeriesOff                 // nobody has won, because games were voided, or nobody played
)

// Series is the state of a best-of series of games between two people. It follows from the games; nothing of it is stored.
type Series struct {
	BestOf  int
	Rules   game.Rules // the rules of the games before the play-off
	Seats   Seats      // the seats of the first game
	Wins    [2]int     // by Seats
	Drawn   int
	Number  int  // the number of the latest game, where games that do not count have no number of their own
	PlayOff bool // the latest game belongs to the play-off
	End     SeriesEnd
	Winner  game.Mark        // the mark of the winner in the first game; None if nobody has won
	Used    [2]time.Duration // the time for moves, by Seats; only set by OnTime
}

// NextGame returns the game that follows this one in its series. It is empty if there is none: outside of a series, while the game goes on,
// and after the last game, even if a rematch has begun another series.
func (m Match) NextGame() ID {
	if m.BestOf == 0 || m.Rematch.By != "" {
		return ""
	}
	return m.Rematch.Next
}

// SeriesOf returns the state of a series as of a game of it. The other argument has the ended games of the chain, in any order; later games
// do not matter. A player wins who leads by more games than are left. A voided game is played again with swapped sides, unless the one
// before was voided, too. If the series is level, two games on infinite follow. After them [Series.OnTime] decides.
func SeriesOf(m Match, ended []Match) Series {
	games := upTo(m, ended)
	s := Series{BestOf: m.BestOf, Rules: games[0].Position().Rules(), Seats: games[0].Seats}
	for _, g := range games {
		s.Number = s.Played() + 1
		s.PlayOff = s.Number > s.BestOf
		switch winner := s.first(g, g.Result.Outcome.Winner()); {
		case !g.Result.Counts():
		case winner == game.None:
			s.Drawn++
		default:
			s.Wins[winner-game.X]++
		}
	}
	if m.Result.Over() {
		before := Match{}
		if n := len(games); n > 1 {
			before = games[n-2]
		}
		s.End, s.Winner = s.decision(before, m)
	}
	return s
}

// decision returns how the series ended with its latest game, which is over, or zero if another game follows. The argument before is the
// game before that.
func (s Series) decision(before, last Match) (SeriesEnd, game.Mark) {
	late := s.late(last)
	lead, limit := s.Wins[0]-s.Wins[1], s.BestOf
	if s.PlayOff || s.Played() == s.BestOf && lead == 0 {
		limit += PlayOffGames
	}
	left := limit - s.Played()
	switch {
	case last.LeftBy != game.None && s.Played() > 0:
		return SeriesForfeited, s.first(last, last.LeftBy).Opponent()
	case last.LeftBy != game.None, last.Result.Cause == ByNoShow, last.Result.Cause == ByVoid && before.Result.Cause == ByVoid:
		return SeriesOff, game.None
	case late != game.None && late == s.late(before):
		return SeriesForfeited, late.Opponent()
	case lead > left:
		return SeriesWon, game.X
	case -lead > left:
		return SeriesWon, game.O
	case left <= 0:
		return SeriesLevel, game.None
	case last.Seats.Left():
		return SeriesForfeited, s.Seats.Mark(Left).Opponent()
	}
	return 0, game.None
}

// late returns the mark in the first game of the player who lost a game on time, or None.
func (s Series) late(g Match) game.Mark {
	if g.Result.Cause != ByTime {
		return game.None
	}
	return s.first(g, g.Position().Turn())
}

// Played returns the number of games that count.
func (s Series) Played() int { return s.Wins[0] + s.Wins[1] + s.Drawn }

// first returns the mark in the first game of the player who has the given mark in a game.
func (s Series) first(g Match, mark game.Mark) game.Mark {
	if mark != game.None && g.Seats != s.Seats {
		return mark.Opponent()
	}
	return mark
}

// upTo returns the games of a series up to the game m, in the order in which they were played.
func upTo(m Match, ended []Match) []Match {
	games := []Match{m}
	for range ended {
		i := slices.IndexFunc(ended, func(g Match) bool { return g.NextGame() == games[0].ID })
		if i < 0 {
			break
		}
		games = slices.Insert(games, 0, ended[i])
	}
	return games
}

// OnTime decides a level series: the player who used less time for moves wins. The argument has the times of the moves of each game. No turn
// lasts longer than the turn time, so time in which the bot was away costs nobody more.
func (s Series) OnTime(m Match, ended []Match, moved map[ID][]time.Time) Series {
	if s.End != SeriesLevel {
		return s
	}
	for _, g := range upTo(m, ended) {
		if !g.Result.Counts() {
			continue
		}
		began := g.Created
		for ply, at := range append(moved[g.ID], g.Ended) {
			by := s.first(g, g.Record.First(min(ply, g.Record.Len())).Position().Turn())
			s.Used[by-game.X] += min(at.Sub(began), g.TurnTime)
			began = at
		}
	}
	switch {
	case s.Used[0] < s.Used[1]:
		s.End, s.Winner = SeriesOnTime, game.X
	case s.Used[1] < s.Used[0]:
		s.End, s.Winner = SeriesOnTime, game.O
	}
	return s
}

// nextGame returns the game that follows m, which has just ended, with the first turn not begun.
func (s Series) nextGame(m Match, at time.Time) Match {
	rules := s.Rules
	if s.Played() >= s.BestOf {
		rules, _ = game.OnOffer("infinite")
	}
	next := Start(DerivedID("next", string(m.ID)), m.Series, m.Venue, rules, m.Seats.Swapped(), m.TurnTime, 1, at)
	next.BestOf, next.Stakes = m.BestOf, m.Stakes
	return next.startTurn(at) // again, because the first turn of a later game is longer
}
