package view

import (
	"tictactoe/internal/match"
)

// Tidied returns the board of an ended match as one line, with a button that shows the board privately. s is the whole board. The line says
// how the match or, with the last game, its series ended. An offer of a rematch, and the button to the next game of a series stay on the
// screen.
func Tidied(s Screen, m match.Match, names Names) Screen {
	small := Screen{Tone: s.Tone, Match: m.ID, Ply: s.Ply, Lines: []Text{T("tidy.line", Args{
		"Seats": T("walk.seats", seatsArgs(m, names)), "Board": RulesName(m.Position().Rules()), "Result": s.Lines[0],
	})}}
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
