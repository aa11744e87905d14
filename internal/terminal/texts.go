package terminal

import (
	"context"
	"math"
	"strings"
	"time"
	"unicode"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// opening returns texts that say which side begins, how each computer plays, and which side wins by force, if one does.
func opening(g *Game, starter game.Mark, byLot bool) []view.Text {
	args := view.Args{"Name": g.name(starter)}
	notes := []view.Text{view.T("terminal.begins", args)}
	if byLot {
		notes = []view.Text{view.T("terminal.begins.lot", args)}
	}
	for _, s := range []Side{g.X, g.O} {
		if s.Engine != nil {
			notes = append(notes, view.T("choice.level."+match.LevelName(s.Level.String()), nil))
		}
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

// moved names the move of a computer. At levels that teach, it also says why the move is good.
func moved(g *Game, before game.Position, square game.Square) view.Text {
	mover := before.Turn()
	why, ok := view.ReasonFor(before, square)
	level := g.side(mover).Level
	return view.Explained(g.name(mover), g.Rules, square, why, ok && (level == ai.Textbook || level == ai.Teacher))
}

// hint proposes a square and says why it is good. If the solver cannot judge the position at once, it gives only an obvious reason or none.
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

// parting returns a comment on the result for the human, if exactly one human has played.
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

// noSquare says that the typed text is not a square, and how squares are written.
func noSquare(rules game.Rules, typed string) view.Text {
	return view.T("terminal.square", view.Args{
		"Typed": view.Name(typed), "First": rules.Name(0), "Last": rules.Name(game.Square(rules.Squares() - 1)), "Count": rules.Squares(),
	})
}

// grades returns the key of the text about each grade. A move that was as good as any other has no text.
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
			args["Better"] = view.AnySquare(rules, r.Better)
			key = "terminal.remark.better"
		}
		texts = append(texts, view.T(key, args))
	}
	return texts
}

// accuracies returns for each side a text that says how many of its critical moves were right.
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

// plainStyle is the style of texts on a terminal: without markup, with letters for marks, and with names free of control characters.
type plainStyle struct{}

func (plainStyle) Name(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name)
}

func (s plainStyle) Mention(p match.User) string                        { return s.Name(string(p)) }
func (plainStyle) Moment(t time.Time) string                            { return t.Format(time.TimeOnly) }
func (plainStyle) Hour(t time.Time) string                              { return t.Format(time.DateTime) }
func (s plainStyle) Title(title string) string                          { return s.Name(title) }
func (plainStyle) Date(t time.Time, long func(time.Time) string) string { return long(t) }
func (plainStyle) Mark(m game.Mark) string                              { return m.String() }
func (plainStyle) Link(text string, _ match.ID) string                  { return text }
func (s plainStyle) Place(id string) string                             { return s.Name(id) }
func (s plainStyle) Role(id string) string                              { return s.Name(id) }
func (plainStyle) Command(_, named string) string                       { return "/" + named }

// Say returns the words of a text for the terminal.
func (g *Game) Say(t view.Text) string { return g.Words.Say(t, plainStyle{}) }
