package view

import "tictactoe/game"

// PictureText returns a description of the picture of a board: the marks, the line or the side to move, and the result. If over is true, no
// more moves follow, for example after a resignation. If result is empty, the description names the outcome of the position.
func PictureText(r game.Record, over bool, result Text) Text {
	return joined("picture.sentences", append(cellsSaid(cells(r, over), r.Position().Rules()), endSaid(r, over, result)...))
}

// CellsText describes the picture of a small board: the marks, the last move, and the better squares.
func CellsText(s Screen, rules game.Rules) Text {
	var better game.Bitboard
	for i, c := range s.Cells {
		if c.Better {
			better |= game.SetOf(game.Square(i))
		}
	}
	said := cellsSaid(s.Cells, rules)
	if better != 0 {
		said = append(said, T("picture.better", Args{"Squares": AllSquares(rules, better)}))
	}
	return joined("picture.sentences", said)
}

// cellsSaid describes the squares of a board: the marks and the last move.
func cellsSaid(cells []Cell, rules game.Rules) []Text {
	marks := map[game.Mark]game.Bitboard{}
	var last []Text
	for i, c := range cells {
		marks[c.Mark] |= game.SetOf(game.Square(i))
		last = append(last, when(c.Last, T("picture.last", Args{"Mark": c.Mark.String(), "Square": c.Name}))...)
	}
	said := []Text{T("picture.board", sizeOf(rules))}
	for _, m := range []game.Mark{game.X, game.O} {
		said = append(said, when(marks[m] != 0, T("picture.marks", Args{"Mark": m.String(), "Squares": AllSquares(rules, marks[m])}))...)
	}
	said = append(said, when(len(said) == 1, T("picture.empty", nil))...)
	return append(said, last...)
}

// AnimationText describes the animation of a game: its moves, and the result.
func AnimationText(r game.Record, result Text) Text {
	p := r.Position()
	var moves []string
	for ply := range r.Len() {
		moves = append(moves, r.First(ply).Position().Turn().String()+" "+p.Rules().Name(r.Square(ply)))
	}
	row := inARow(moves, func(move string) string { return move })
	said := []Text{T("picture.game", sizeOf(p.Rules())), T("picture.moves", Args{"Moves": row})}
	return joined("picture.sentences", append(said, endSaid(r, true, result)...))
}

// endSaid returns the end of a description: the line and the result or, if the game is not over, the side to move.
func endSaid(r game.Record, over bool, result Text) (said []Text) {
	p, outcome := r.Position(), r.Outcome()
	if line := p.Line(); line != 0 {
		mark := outcome.Winner()
		if p.Rules().Misere() {
			mark = mark.Opponent()
		}
		said = append(said, T("picture.line", Args{"Mark": mark.String(), "Squares": AllSquares(p.Rules(), line)}))
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
