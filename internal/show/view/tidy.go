package view

import (
	"tictactoe/internal/match"
)

// Tidied returns the board of an ended match as one line, with a button that shows the board privately. s is the whole board. An offer of a
// rematch, the end of a series, and the button to the next game of a series stay on the screen.
func Tidied(s Screen, m match.Match, names Names) Screen {
	small := Screen{Tone: s.Tone, Match: m.ID, Ply: s.Ply, Lines: []Text{T("tidy.line", Args{
		"Seats": T("walk.seats", seatsArgs(m, names)), "Board": RulesName(m.Position().Rules()), "Result": resultText(m, names),
	})}}
	small.Lines = append(small.Lines, when(m.BestOf > 0 && m.NextGame() == "", s.Lines[1])...) // see InSeries
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
