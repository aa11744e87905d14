package view

import (
	"tictactoe/game"
)

// PictureText says in words what the picture of a board shows: the marks, the line or what comes next, and how it ended. Over tells that no
// more moves follow, be it by resignation. An empty result stands for what the board itself says.
func PictureText(r game.Record, over bool, result Text) Text {
	p := r.Position()
	said := []Text{T("picture.board", sizeOf(p.Rules()))}
	for _, m := range []game.Mark{game.X, game.O} {
		if marks := p.Marks(m); marks != 0 {
			said = append(said, T("picture.marks", Args{"Mark": m.String(), "Squares": SquareNames(p.Rules(), marks)}))
		}
	}
	if len(said) == 1 {
		said = append(said, T("picture.empty", nil))
	}
	if last := r.Len() - 1; last >= 0 {
		by := r.First(last).Position().Turn()
		said = append(said, T("picture.last", Args{"Mark": by.String(), "Square": p.Rules().Name(r.Square(last))}))
	}
	return sentences(append(said, endSaid(r, over, result)...))
}

// AnimationText says in words what the animation of a game shows: its moves, and how it ended.
func AnimationText(r game.Record, result Text) Text {
	p := r.Position()
	var moves []any
	for ply := range r.Len() {
		moves = append(moves, r.First(ply).Position().Turn().String()+" "+p.Rules().Name(r.Square(ply)))
	}
	said := []Text{T("picture.game", sizeOf(p.Rules())), T("picture.moves", Args{"Moves": inARow(moves)})}
	return sentences(append(said, endSaid(r, true, result)...))
}

// endSaid says which line ended a game and how it ended, or what comes next.
func endSaid(r game.Record, over bool, result Text) (said []Text) {
	p, outcome := r.Position(), r.Outcome()
	if line := p.Line(); line != 0 {
		mark := outcome.Winner()
		if p.Rules().Misere() {
			mark = mark.Opponent()
		}
		said = append(said, T("picture.line", Args{"Mark": mark.String(), "Squares": SquareNames(p.Rules(), line)}))
	}
	switch {
	case result.Key != "":
	case outcome == game.Draw:
		result = T("picture.drawn", nil)
	case outcome != game.InProgress:
		result = T("picture.won", Args{"Mark": outcome.Winner().String()})
	case !over:
		for leaving := range p.Vanishing().All() {
			said = append(said, T("picture.leaves", Args{"Mark": p.Turn().String(), "Square": p.Rules().Name(leaving)}))
		}
		return append(said, T("picture.turn", Args{"Mark": p.Turn().String()}))
	default:
		return said
	}
	return append(said, T("picture.result", Args{"Result": result}))
}

func sizeOf(rules game.Rules) Args { return Args{"Columns": rules.Width(), "Rows": rules.Height()} }

// sentences are texts in a row.
func sentences(texts []Text) Text {
	said := texts[0]
	for _, t := range texts[1:] {
		said = T("picture.sentences", Args{"First": said, "Then": t})
	}
	return said
}
