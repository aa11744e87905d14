package view

import (
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
)

// PlayedMatch returns the line about a player's match in a list: the result, the opponent, the rule set and the date.
func PlayedMatch(e archive.Played, p match.User, names Names) Text {
	mark := e.Seats.Mark(p)
	opponent := names.Seat(e.Seats.Of(mark.Opponent()))
	return T("find."+resultFor(e.Result, mark), Args{"Opponent": opponent, "Board": RulesName(e.Rules), "Date": Date(e.At)})
}

// resultFor returns the word for the result of a match as the player with the given mark sees it. Keys of texts end with this word.
func resultFor(r match.Result, mark game.Mark) string {
	switch winner := r.Outcome.Winner(); {
	case !r.Over():
		return "open"
	case r.Cause == match.ByVoid:
		return "void"
	case !r.Counts():
		return "off"
	case winner == game.None:
		return "drawn"
	case winner == mark:
		return "won"
	default:
		return "lost"
	}
}

// WithID adds a last note to the review of a match. The note has the id of the match and, if replays is true, the command that replays the
// match.
func WithID(s Screen, m match.Match, replays bool) Screen {
	key := "match.id"
	if !replays {
		key = "match.id.alone"
	}
	s.Notes = append(s.Notes, T(key, Args{"ID": string(m.ID)}))
	return s
}
