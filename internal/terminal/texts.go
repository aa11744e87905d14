package terminal

import (
	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// opening says who begins, and whether that decides the round between perfect players.
func opening(g *Game, starter game.Mark, byLot bool) []view.Text {
	args := view.Args{"Name": g.name(starter)}
	notes := []view.Text{view.T("terminal.begins", args)}
	if byLot {
		notes = []view.Text{view.T("terminal.begins.lot", args)}
	}
	if winner := g.forced(starter); winner != game.None {
		args := view.Args{"Winner": g.name(winner), "Loser": g.name(winner.Opponent())}
		if g.side(winner.Opponent()).Engine != nil {
			return append(notes, view.T("terminal.forced.beatable", args))
		}
		return append(notes, view.T("terminal.forced", args))
	}
	return notes
}

// moved says what a computer has played. The levels from which people learn say why, too.
func moved(g *Game, before game.Position, square game.Square) view.Text {
	mover := before.Turn()
	why, ok := view.Reason(before, square)
	level := g.side(mover).Level
	return view.Explained(g.name(mover), g.Rules, square, why, ok && (level == ai.Textbook || level == ai.Teacher))
}

// hint proposes a square. If there is no reason at first sight, it names what the position is worth, if that is known at once.
func hint(g *Game, p game.Position, square game.Square) view.Text {
	why, ok := view.Reason(p, square)
	if !ok && g.Rules.Squares() <= tabled {
		why, ok = worth(g.Solver.Eval(p).Value), true
	}
	if !ok {
		return view.T("terminal.hint", view.Args{"Square": g.Rules.Name(square)})
	}
	return view.T("terminal.hint.why", view.Args{"Square": g.Rules.Name(square), "Why": why})
}

// worth says what the best move does in a position of that value.
func worth(v ai.Value) view.Text {
	if v == ai.Loss {
		return view.T("terminal.reason.resists", nil)
	}
	return view.Worth(v)
}

// parting says what the result means to the human, if just one has played.
func parting(g *Game, r match.Result) []view.Text {
	switch winner := r.Outcome.Winner(); {
	case g.humans() != 1:
		return nil
	case winner == game.None:
		return []view.Text{view.T("terminal.parting.drawn", nil)}
	case g.side(winner).Engine == nil:
		return []view.Text{view.T("terminal.parting.won", nil)}
	default:
		return []view.Text{view.T("terminal.parting.lost", nil)}
	}
}

// noSquare says what can be typed instead.
func noSquare(rules game.Rules, typed string) view.Text {
	return view.T("terminal.square", view.Args{
		"Typed": view.Name(typed), "First": rules.Name(0), "Last": rules.Name(game.Square(rules.Squares() - 1)), "Count": rules.Squares(),
	})
}
