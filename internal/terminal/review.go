package terminal

import (
	"math"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/show/view"
)

// grades returns the keys of the texts that say how good a move was. A move that was as good as any other has none.
func grades() map[ai.Grade]string {
	return map[ai.Grade]string{
		ai.OnlyMove:   "terminal.grade.only",
		ai.BestMove:   "terminal.grade.best",
		ai.SlowerWin:  "terminal.grade.slower",
		ai.FasterLoss: "terminal.grade.faster",
		ai.MissedWin:  "terminal.grade.missed",
		ai.LosingMove: "terminal.grade.losing",
		ai.Blunder:    "terminal.grade.blunder",
	}
}

// remarks returns a text about each move of a round.
func remarks(rules game.Rules, review ai.Review) []view.Text {
	var texts []view.Text
	for i, r := range review {
		args := view.Args{"Number": i + 1, "Mark": view.Mark(r.Mark), "Square": rules.Name(r.Square)}
		key := "terminal.remark"
		if grade, ok := grades()[r.Grade]; ok {
			args["Grade"] = view.T(grade, nil)
			key = "terminal.remark.graded"
		}
		if r.Better != 0 {
			args["Better"] = view.SquareNames(rules, r.Better)
			key = "terminal.remark.better"
		}
		texts = append(texts, view.T(key, args))
	}
	return texts
}

// accuracies returns a text about each side that says how many of its critical decisions were right.
func accuracies(review ai.Review) []view.Text {
	var texts []view.Text
	for _, m := range []game.Mark{game.X, game.O} {
		a := review.Of(m)
		args := view.Args{"Mark": view.Mark(m), "Right": a.Critical - a.Errors, "Critical": a.Critical}
		if share, ok := a.Share(); ok {
			args["Percent"] = int(math.Round(100 * share))
			texts = append(texts, view.T("terminal.accuracy", args))
		} else {
			texts = append(texts, view.T("terminal.accuracy.none", args))
		}
	}
	return texts
}

// past returns the screen of a round as it stood after that many moves, on which nothing can be played.
func (r round) past(ply int) view.Screen {
	switch last := ply == r.match.Record.Len(); {
	case last && r.attempt != nil:
		return r.puzzleScreen()
	case last:
		return r.board(r.match)
	}
	s := r.board(r.game.at(r.match.Record.First(ply)))
	for i := range s.Cells {
		s.Cells[i].Over = true
	}
	return s
}
