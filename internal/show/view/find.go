package view

import (
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
)

// PlayedMatch is a match of a player in a list: what came of it, against whom, on which board and when.
func PlayedMatch(e archive.Played, p match.User, names Names) Text {
	mark := e.Seats.Mark(p)
	key := "find.open"
	switch winner := e.Result.Outcome.Winner(); {
	case !e.Result.Over():
	case e.Result.Cause == match.ByVoid:
		key = "find.void"
	case !e.Result.Counts():
		key = "find.off"
	case winner == game.None:
		key = "find.drawn"
	case winner == mark:
		key = "find.won"
	default:
		key = "find.lost"
	}
	return T(key, Args{"Opponent": names.Seat(e.Seats.Of(mark.Opponent())), "Board": RulesName(e.Rules), "Date": Date(e.At)})
}

// WithID adds to the board of a match that is over by which id it is found again, and where matches can be replayed, how. That is the
// last of its notes.
func WithID(s Screen, m match.Match, replays bool) Screen {
	key := "match.id"
	if !replays {
		key = "match.id.alone"
	}
	s.Notes = append(s.Notes, T(key, Args{"ID": string(m.ID)}))
	return s
}
