package browser

import (
	"context"
	"fmt"
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/show/view"
)

// An analysis is a game from any position, written as <board>:<position>:<moves>:<shown>. The position is empty for the empty board, the
// moves are letters, and shown is the number of moves after which the position is shown, or empty for all. Positions are written as
// [game.Position.String] does, with a dash in place of a colon.
type analysis struct {
	rules  game.Rules
	record game.Record
	shown  int
}

// parseAnalysis reads an analysis. The error is of [game.ParsePosition] or [game.ReplayFrom].
func parseAnalysis(f fields) (analysis, error) {
	rules, known := game.OnOffer(f.text(0))
	if !known {
		rules = game.Classic()
	}
	start := game.Start(rules)
	if text := strings.ReplaceAll(f.text(1), "-", ":"); text != "" {
		var err error
		if start, err = game.ParsePosition(rules, text); err != nil {
			return analysis{rules: rules}, err
		}
	}
	record, err := game.ReplayFrom(start, squares(f.text(2))...)
	a := analysis{rules, record, record.Len()}
	if f.text(3) != "" {
		a.shown = min(max(0, f.number(3)), record.Len())
	}
	return a, err
}

// word returns the analysis as a word, with another list of moves.
func (a analysis) word(moves string, shown ...any) string {
	start := ""
	if a.record.Start() != game.Start(a.rules) {
		start = strings.ReplaceAll(a.record.Start().String(), ":", "-")
	}
	return word("analyse", append([]any{a.rules.Title(), start, moves}, shown...)...)
}

// Linked returns the word for an address after the #, or false if it is none of the page's.
func Linked(address string) (string, bool) {
	record, is := view.ParseGameAddress(address)
	if !is {
		return "", false
	}
	return analysis{record.Position().Rules(), record, record.Len()}.word(letters(record.Squares())), true
}

// analyse shows what each square of a position is worth, or lets the person set up a position. While setting up, the position is only the
// letters of its squares, since most boards on the way to it are impossible.
func (p *Page) analyse(ctx context.Context, verb string, f fields) (Drawn, error) {
	if verb == "setup" {
		return p.setUp(f), nil
	}
	a, err := parseAnalysis(f)
	if err != nil {
		return p.setUp(fields{[]string{a.rules.Title(), f.text(1), "wrong"}}), nil
	}
	r := a.record.First(a.shown)
	at, all := r.Position(), letters(a.record.Squares())
	s := view.Screen{Columns: a.rules.Width(), Lines: []view.Text{view.T("web.analyse", nil)}}
	d := draw(p.Words, s, "analyse")
	d.Lines = []string{p.Words.Say(view.RulesName(a.rules), style{})}
	d.Cells, d.Line = p.cellsOf(r)
	d.Grid = p.Words.Say(view.T("picture.board", view.Args{"Columns": a.rules.Width(), "Rows": a.rules.Height()}), plain{})
	if r.Outcome() == game.InProgress {
		solver, err := p.solver(a.rules)
		if err != nil {
			return Drawn{}, err
		}
		p.value(ctx, &d, a, solver, at, all)
	} else if winner := r.Outcome().Winner(); winner != game.None {
		d.Lines = append(d.Lines, p.Words.Say(view.T("share.line", view.Args{"Mark": view.Mark(winner), "PluralCount": r.Len()}), style{}))
	} else {
		d.Lines = append(d.Lines, p.Words.Say(view.T("share.draw", view.Args{"PluralCount": r.Len()}), style{}))
	}
	step := func(key string, to int) Button {
		return Button{Label: p.say("action.walk." + key), Do: a.word(all, to), Off: to < 0 || to > a.record.Len() || to == a.shown}
	}
	d.Buttons = append([]Button{step("first", 0), step("back", a.shown-1), step("next", a.shown+1), step("last", a.record.Len())}, d.Buttons...)
	d.Buttons = append(d.Buttons, Button{Label: p.say("web.setup"), Do: word("setup", a.rules.Title(), board(at))},
		Button{Label: p.say("web.link"), Copy: "#" + view.GameAddress(a.record)})
	d.Menus = []Menu{p.boards(a.rules, func(name string) string { return word("analyse", name) })}
	d.Link = view.GameAddress(a.record)
	return d, nil
}

// boards returns the menu of boards.
func (p *Page) boards(now game.Rules, do func(name string) string) Menu {
	menu := Menu{Label: p.say("web.board")}
	for _, name := range game.OfferedNames() {
		menu.Options = append(menu.Options, Option{Label: p.Words.Say(view.T("board."+name, nil), plain{}), Value: do(name), Chosen: name == now.Title()})
	}
	return menu
}

// cellsOf returns the squares of a position, which cannot be pressed yet, and the ends of the line that ended the game.
func (p *Page) cellsOf(r game.Record) ([]Cell, []int) {
	shown := draw(p.Words, view.Screen{Columns: r.Position().Rules().Width(), Small: true, Cells: view.CellsOf(r)}, "analyse")
	return shown.Cells, shown.Line
}

// value writes on each square of a drawn analysis what it is worth, with one line that says what the position is worth.
func (p *Page) value(ctx context.Context, d *Drawn, a analysis, solver *ai.Solver, at game.Position, all string) {
	legal := at.Legal()
	known := map[game.Square]ai.Eval{}
	for _, m := range solver.MovesWithin(within(ctx, analyseTime), at) {
		known[m.Square] = m.Eval
	}
	best, any := ai.Eval{}, false
	for s := range legal.All() {
		cell := &d.Cells[s]
		cell.Do = a.word(letters(a.record.First(a.shown).Squares()) + letters([]game.Square{s}))
		e, is := known[s]
		said := view.T("web.value.unknown", nil)
		if is {
			cell.Value, said = valueText(e)
			if !any || e.Value > best.Value {
				best, any = e, true
			}
		} else {
			cell.Value = "…"
		}
		cell.Say += ", " + p.Words.Say(said, plain{})
	}
	fall(d.Cells, at)
	turn := p.Words.Say(view.T("picture.turn", view.Args{"Mark": view.Mark(at.Turn())}), style{})
	d.Lines = append(d.Lines, turn)
	if len(known) == legal.Len() && any {
		prospect := view.T("review.worth.draw", nil)
		if best.Value != ai.Draw {
			winner := at.Turn()
			if best.Value == ai.Loss {
				winner = winner.Opponent()
			}
			prospect = view.T("review.worth.win", view.Args{"Mark": view.Mark(winner), "Name": ""})
		}
		d.Lines = append(d.Lines, strings.Join(strings.Fields(p.Words.Say(prospect, style{})), " "))
	} else {
		d.Lines = append(d.Lines, p.say("terminal.thinking"))
		d.Again = a.word(all, a.shown)
	}
	d.Notes = []string{p.Words.Say(view.T("web.value.legend", view.Args{"Mark": view.Mark(at.Turn()), "Win": "+3", "Draw": "=", "Loss": "−4"}), style{})}
}

// valueText returns the sign on a square and the words for its value. The number counts the moves of the side that wins.
func valueText(e ai.Eval) (string, view.Text) {
	moves := (e.Plies + 1) / 2
	if e.Value == ai.Loss {
		moves = e.Plies / 2
	}
	switch {
	case e.Value == ai.Draw:
		return "=", view.T("web.value.draw", nil)
	case e.Plies == ai.Unknown && e.Value == ai.Win:
		return "+", view.T("web.value.won", nil)
	case e.Plies == ai.Unknown:
		return "−", view.T("web.value.lost", nil)
	case e.Value == ai.Win:
		return fmt.Sprintf("+%d", moves), view.T("web.value.win", view.Args{"PluralCount": moves})
	default:
		return fmt.Sprintf("−%d", moves), view.T("web.value.loss", view.Args{"PluralCount": moves})
	}
}

// board returns the marks of a position as letters, row by row.
func board(p game.Position) string {
	text := make([]byte, p.Rules().Squares())
	for i := range text {
		text[i] = '.'
		if m := p.At(game.Square(i)); m != game.None {
			text[i] = m.String()[0]
		}
	}
	return string(text)
}

// setUp shows a board on which a press changes a square, with a remark if the position is impossible.
func (p *Page) setUp(f fields) Drawn {
	rules, known := game.OnOffer(f.text(0))
	if !known || rules.Keep() > 0 { // where marks vanish, a position is more than its marks
		rules = game.Classic()
	}
	marks := []byte(f.text(1))
	if len(marks) != rules.Squares() {
		marks = []byte(strings.Repeat(".", rules.Squares()))
	}
	d := Drawn{
		Tab: "analyse", Columns: rules.Width(), Lines: []string{p.Words.Say(view.RulesName(rules), style{})}, Notes: []string{p.say("web.setup.how")},
		Grid: p.Words.Say(view.T("picture.board", view.Args{"Columns": rules.Width(), "Rows": rules.Height()}), plain{}),
	}
	next := map[byte]byte{'.': 'X', 'X': 'O', 'O': '.'}
	for i, mark := range marks {
		changed := append([]byte(nil), marks...)
		changed[i] = next[mark]
		c := Cell{Name: rules.Name(game.Square(i)), Do: word("setup", rules.Title(), string(changed))}
		c.Say = c.Name
		if mark != '.' {
			c.Mark = string(mark)
			c.Say += " " + c.Mark
		}
		d.Cells = append(d.Cells, c)
	}
	rows := ""
	for i := 0; i < len(marks); i += rules.Width() {
		rows += "/" + string(marks[i:i+rules.Width()])
	}
	if _, err := game.ParsePosition(rules, rows[1:]); err != nil {
		d.Tone, d.Lines = "warning", append(d.Lines, p.say("web.setup.cannot"))
	}
	d.Buttons = []Button{{Label: p.say("web.setup.done"), Do: word("analyse", rules.Title(), rows[1:]), Weight: "main", Off: d.Tone != ""}}
	d.Menus = []Menu{p.boards(rules, func(name string) string { return word("setup", name) })}
	return d
}

// Values returns the exact values of all moves in a position, as [ai.Eval] writes them, for tests of the analysis.
func (p *Page) Values(board, position string) (string, error) {
	rules, err := game.ParseRules(board)
	if err != nil {
		return "", err
	}
	at, err := game.ParsePosition(rules, position)
	if err != nil {
		return "", err
	}
	solver, err := p.solver(rules)
	if err != nil {
		return "", err
	}
	text := ""
	for _, m := range solver.MovesWithin(context.Background(), at) {
		text += fmt.Sprintf("%s %v, ", rules.Name(m.Square), m.Eval)
	}
	return text, nil
}
