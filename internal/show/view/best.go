package view

import (
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
)

// OfBest returns the list of a server's remarkable matches in the last days. If replays is true, matches can be replayed, and the screen
// has a menu that leads to their replays.
func OfBest(b archive.Best, days int, names Names, replays bool) Screen {
	s := Screen{Lines: []Text{T("best.title", nil)}}
	if days > 7 {
		s.Lines[0] = T("best.title.month", nil)
	}
	if b.Empty() {
		s.Lines = append(s.Lines, T("best.none", nil))
		return s
	}
	var listed []match.ID
	var options []Option
	for _, kind := range []struct {
		key   string
		feats []archive.Feat
		worth string
	}{
		{"best.shortest", b.Shortest, "best.moves"}, {"best.longest", b.Longest, "best.moves"},
		{"best.accurate", b.Accurate, "best.critical"}, {"best.upsets", b.Upsets, "best.ahead"},
	} {
		s.Lines = append(s.Lines, when(len(kind.feats) > 0, T(kind.key, nil))...)
		for _, f := range kind.feats {
			board, worth := RulesName(f.Rules), Args{"PluralCount": f.Moves, "Right": f.Critical - f.Errors, "Of": f.Critical}
			if kind.worth == "best.ahead" {
				worth["PluralCount"] = f.Ahead
			}
			if !slices.Contains(listed, f.ID) {
				listed = append(listed, f.ID)
				label := T("best.option", Args{"N": len(listed), "Match": featText(f, names), "Board": board})
				options = append(options, Option{Value: string(f.ID), Label: label})
			}
			s.Lines = append(s.Lines, T("best.line", Args{
				"N": 1 + slices.Index(listed, f.ID), "Match": Link{featText(f, names), f.ID},
				"Worth": T(kind.worth, worth), "Board": board, "Date": Date(f.At),
			}))
		}
	}
	s.Notes = []Text{T("best.note", nil)}
	if replays {
		s.Selects = []Select{{Do: PickReplay{}, Hint: T("best.pick", nil), Options: options, Min: 1, Max: 1}}
	}
	return s
}

// featText returns the line about a remarkable match, which says who has won against whom.
func featText(f archive.Feat, names Names) Text {
	winner := f.Result.Outcome.Winner()
	if winner == game.None {
		return T("best.drawn", Args{"X": names.Seat(f.Seats[0]), "O": names.Seat(f.Seats[1])})
	}
	return T("best.won", Args{"Winner": names.Seat(f.Seats.Of(winner)), "Loser": names.Seat(f.Seats.Of(winner.Opponent()))})
}
