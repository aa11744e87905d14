package view

import (
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Tidied returns the board of an ended match as one line, with a button that shows the board privately. s is the whole board. An offer of a
// rematch, and the button to the next game of a series stay on the screen.
func Tidied(s Screen, m match.Match, names Names) Screen {
	small := Screen{Tone: s.Tone, Match: m.ID, Ply: s.Ply, Lines: []Text{tidyLine(s, m, names)}}
	if m.Rematch.State == match.RematchProposed {
		small.Notes, small.Buttons = rematch(m, names)
	}
	for _, b := range s.Buttons {
		_, next := b.Do.(NextGame)
		small.Buttons = append(small.Buttons, when(next, b)...)
	}
	small.Beside = &Button{Do: Walk{m.ID, m.Record.Len(), ToLast}, Label: T("action.tidied", nil)}
	return small
}

// resultSigns stand for the causes of results on a shrunk board.
var resultSigns = map[match.Cause]string{
	match.ByResignation: "🏳️", match.ByTime: "⏰", match.ByNoShow: "💤", match.ByAbort: "🚫", match.ByVoid: "🚫", match.ByFullBoard: "🤝",
	match.ByAgreement: "🤝", match.ByModerator: "🤝",
}

// tidyLine says in few words how a match or, with the last game, its series ended. Signs beside the players or, without a winner, before the
// line stand for the result.
func tidyLine(s Screen, m match.Match, names Names) Text {
	line := func(who, what Text) Text { return joined("row.dot", []Text{who, what}) }
	sign := func(sign string, of any) Text { return T("tidy.sign", Args{"Sign": sign, "Of": of}) }
	if i := slices.IndexFunc(s.Lines, func(t Text) bool { return t.Args["Score"] != nil }); i > 0 && m.NextGame() == "" {
		length := SeriesName(m.BestOf)
		if score, is := s.Lines[i].Args["Score"].(Text); is && s.Lines[0].Key == "series.won" {
			return sign("🏆", line(score, length))
		}
		return line(s.Lines[0], length)
	}
	args, board, cause := seatsArgs(m, names), RulesName(m.Position().Rules()), resultSigns[m.Result.Cause]
	winner, loser := "X", "O"
	switch m.Result.Outcome.Winner() {
	case game.None:
		return sign(cause, line(T("walk.seats", args), board))
	case game.O:
		winner, loser = loser, winner
	}
	args[winner] = sign("🏆", args[winner])
	if cause != "" {
		args[loser] = sign(cause, args[loser])
	}
	return line(T("walk.seats", args), board)
}
