package terminal

import (
	"strings"

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
	args := view.Args{"Name": g.name(mover), "Square": g.Rules.Name(square)}
	if level := g.side(mover).Level; level == ai.Textbook || level == ai.Teacher {
		if why, ok := reason(before, square); ok {
			args["Why"] = why
			return view.T("terminal.moved.why", args)
		}
	}
	return view.T("terminal.moved", args)
}

// hint proposes a square. If there is no reason at first sight, it names what the position is worth, if that is known at once.
func hint(g *Game, p game.Position, square game.Square) view.Text {
	why, ok := reason(p, square)
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
	switch v {
	case ai.Win:
		return view.T("terminal.reason.forced", nil)
	case ai.Loss:
		return view.T("terminal.reason.resists", nil)
	default:
		return view.T("terminal.reason.holds", nil)
	}
}

// reason says why to play a square, and which threats that makes. It reports false if there is no reason at first sight.
func reason(p game.Position, square game.Square) (view.Text, bool) {
	args := view.Args{}
	if next, err := p.Play(square); err == nil {
		args["Squares"] = squares(p.Rules(), next.Threats(p.Turn()))
	}
	switch ai.ReasonFor(p, square) {
	case ai.Wins:
		return view.T("terminal.reason.wins", nil), true
	case ai.Blocks:
		return view.T("terminal.reason.blocks", nil), true
	case ai.Forks:
		return view.T("terminal.reason.forks", args), true
	case ai.Threatens:
		return view.T("terminal.reason.threatens", args), true
	default:
		return view.Text{}, false
	}
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

// squares returns the names of a set of squares.
func squares(rules game.Rules, set game.Bitboard) string {
	var names []string
	for s := range set.All() {
		names = append(names, rules.Name(s))
	}
	return strings.Join(names, " ")
}
