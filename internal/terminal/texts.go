package terminal

import (
	"context"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
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
	why, ok := view.ReasonFor(before, square)
	level := g.side(mover).Level
	return view.Explained(g.name(mover), g.Rules, square, why, ok && (level == ai.Textbook || level == ai.Teacher))
}

// hint proposes a square. Where the position can be judged at once, it says why that is right; elsewhere it does so if there is a
// reason at first sight.
func hint(g *Game, p game.Position, square game.Square) view.Text {
	why, ok := view.ReasonFor(p, square)
	if g.Rules.Squares() <= tabled {
		if advice, judged := g.Solver.AdviseWithin(context.Background(), p); judged {
			advice.Squares = game.SetOf(square)
			why, ok = view.Why(advice.Reason(p), g.Rules)
		}
	}
	if !ok {
		return view.T("terminal.hint", view.Args{"Square": g.Rules.Name(square)})
	}
	return view.T("terminal.hint.why", view.Args{"Square": g.Rules.Name(square), "Why": why})
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
