package browser

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/show/view"
)

// analyse shows what each square of a position is worth, or lets the person set up a position. An analysis is written as
// analyse:<address>, with the address of its game after the #, or as step:<n>:<address>, which shows the position after n moves.
func (p *Page) analyse(ctx context.Context, verb string, f fields) (Drawn, error) {
	if verb == "setup" {
		return p.setUp(parseSetup(f)), nil
	}
	steps := math.MaxInt
	if verb == "step" {
		steps, f.all = f.number(0), f.all[1:]
	}
	record, is := view.ParseGameAddress(strings.Join(f.all, ":"))
	if !is {
		return p.open(ctx)
	}
	shown, address := min(max(0, steps), record.Len()), view.GameAddress(record)
	r, rules := record.First(shown), record.Position().Rules()
	d := draw(p.Words, view.Screen{Columns: rules.Width(), Lines: []view.Text{view.RulesName(rules)}}, "analyse")
	d.Cells, d.Line = p.cellsOf(r)
	d.Grid = p.Words.Say(view.T("picture.board", view.Args{"Columns": rules.Width(), "Rows": rules.Height()}), plain{})
	if r.Outcome() == game.InProgress {
		solver, err := p.engines.Solver(rules)
		if err != nil {
			return Drawn{}, err
		}
		if !p.value(ctx, &d, r, solver) {
			d.Again = word("step", shown, address)
		}
	} else if winner := r.Outcome().Winner(); winner != game.None {
		d.Lines = append(d.Lines, p.Words.Say(view.T("share.line", view.Args{"Mark": view.Mark(winner), "PluralCount": r.Len()}), style{}))
	} else {
		d.Lines = append(d.Lines, p.Words.Say(view.T("share.draw", view.Args{"PluralCount": r.Len()}), style{}))
	}
	step := func(key string, to int) Button {
		return Button{Label: p.say("action.walk." + key), Do: word("step", to, address), Off: to < 0 || to > record.Len() || to == shown}
	}
	d.Buttons = []Button{
		step("first", 0), step("back", shown-1), step("next", shown+1), step("last", record.Len()),
		{Label: p.say("web.setup"), Do: setupOf(r.Position()).word()}, {Label: p.say("web.link"), Copy: "#" + address},
	}
	d.Menus = p.boards("web.board", "analyse", rules.Title())
	d.Link = address
	return d, nil
}

// boards returns the menu of boards, each of which carries out a verb. label is the key of the menu's text.
func (p *Page) boards(label, verb, chosen string) []Menu {
	menu := Menu{Label: p.say(label)}
	for _, name := range game.OfferedNames() {
		menu.Options = append(menu.Options, Option{Label: p.Words.Say(view.T("board."+name, nil), plain{}), Value: word(verb, name), Chosen: name == chosen})
	}
	return []Menu{menu}
}

// cellsOf returns the squares of a position, which cannot be pressed yet, and the ends of the line that ended the game.
func (p *Page) cellsOf(r game.Record) ([]Cell, []int) {
	shown := draw(p.Words, view.Screen{Columns: r.Position().Rules().Width(), Small: true, Cells: view.CellsOf(r)}, "analyse")
	return shown.Cells, shown.Line
}

// value writes on each square of a drawn game what it is worth, with one line that says what the position is worth. It returns false if
// there was too little time for some squares.
func (p *Page) value(ctx context.Context, d *Drawn, r game.Record, solver *ai.Solver) (complete bool) {
	at, best := r.Position(), ai.Loss
	known := map[game.Square]ai.Eval{}
	for _, m := range solver.MovesWithin(within(ctx, analyseTime), at) {
		known[m.Square], best = m.Eval, max(best, m.Eval.Value)
	}
	for s := range at.Legal().All() {
		cell := &d.Cells[s]
		if next, err := r.Play(s); err == nil {
			cell.Do = word("analyse", view.GameAddress(next))
		}
		said := view.T("web.value.unknown", nil)
		cell.Value = "…"
		if e, is := known[s]; is {
			cell.Value, said = valueText(e)
		}
		cell.Say += ", " + p.Words.Say(said, plain{})
	}
	fall(d.Cells, at)
	d.Lines = append(d.Lines, p.Words.Say(view.T("picture.turn", view.Args{"Mark": view.Mark(at.Turn())}), style{}))
	if complete = len(known) == at.Legal().Len(); complete {
		prospect := view.T("review.worth.draw", nil)
		if best != ai.Draw {
			winner := at.Turn()
			if best == ai.Loss {
				winner = winner.Opponent()
			}
			prospect = view.T("review.worth.win", view.Args{"Mark": view.Mark(winner), "Name": ""})
		}
		d.Lines = append(d.Lines, strings.Join(strings.Fields(p.Words.Say(prospect, style{})), " "))
	} else {
		d.Lines = append(d.Lines, p.say("terminal.thinking"))
	}
	d.Notes = []string{p.Words.Say(view.T("web.value.legend", view.Args{"Mark": view.Mark(at.Turn()), "Win": "+3", "Draw": "=", "Loss": "−4"}), style{})}
	return complete
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
	case e.Value == ai.Win:
		return fmt.Sprintf("+%d", moves), view.T("web.value.win", view.Args{"PluralCount": moves})
	default:
		return fmt.Sprintf("−%d", moves), view.T("web.value.loss", view.Args{"PluralCount": moves})
	}
}

// A setup is a board that a person sets up: its marks in the order in which they were placed, which counts where marks vanish. Most boards on
// the way to a position are impossible.
type setup struct {
	rules game.Rules
	marks []placed
}

type placed struct {
	mark   game.Mark
	square game.Square
}

// parseSetup reads a setup as [setup.word] writes it. Marks in any other form are left out.
func parseSetup(f fields) setup {
	rules, known := game.OnOffer(f.text(0))
	if !known {
		rules = game.Classic()
	}
	b := setup{rules: rules}
	for text := f.text(1); len(text) >= 2; text = text[2:] {
		if s := game.Square(text[1] - 'a'); int(s) < rules.Squares() {
			b = b.with(map[byte]game.Mark{'X': game.X, 'O': game.O}[text[0]], s)
		}
	}
	return b
}

// setupOf returns a position as a setup. The newest mark is of the side that has moved last.
func setupOf(p game.Position) setup {
	b := setup{rules: p.Rules()}
	for _, mark := range []game.Mark{p.Turn(), p.Turn().Opponent()} {
		for s := range p.Marks(mark).All() {
			b = b.with(mark, s)
		}
		if !p.Rules().Vanish() {
			continue
		}
		names := strings.Fields(p.String())[mark-game.X][len("X:"):] // in order
		for name := range strings.SplitSeq(names, ",") {
			if s, err := p.Rules().ParseSquare(name); err == nil {
				b = b.with(mark, s)
			}
		}
	}
	return b
}

// word returns the setup as a word, each mark with the letter of its square.
func (b setup) word() string {
	text := ""
	for _, m := range b.marks {
		text += m.mark.String() + letters([]game.Square{m.square})
	}
	return word("setup", b.rules.Title(), text)
}

// with returns the setup with a mark on a square, or none.
func (b setup) with(mark game.Mark, s game.Square) setup {
	b.marks = slices.DeleteFunc(slices.Clone(b.marks), func(m placed) bool { return m.square == s })
	if mark != game.None {
		b.marks = append(b.marks, placed{mark, s})
	}
	return b
}

// of returns the squares of a side, the oldest mark first.
func (b setup) of(mark game.Mark) (squares []game.Square) {
	for _, m := range b.marks {
		if m.mark == mark {
			squares = append(squares, m.square)
		}
	}
	return squares
}

// full reports whether the next mark of a side lets its oldest one vanish.
func (b setup) full(mark game.Mark) bool {
	return b.rules.Vanish() && len(b.of(mark)) == b.rules.Keep()
}

// pressed returns the setup after a press on a square: X, then O, then empty. A side that is full gets no more marks.
func (b setup) pressed(s game.Square) setup {
	was := b.at(s)
	b = b.with(game.None, s)
	switch {
	case was == game.None && !b.full(game.X):
		return b.with(game.X, s)
	case was != game.O && !b.full(game.O):
		return b.with(game.O, s)
	}
	return b
}

func (b setup) at(s game.Square) game.Mark {
	for _, m := range b.marks {
		if m.square == s {
			return m.mark
		}
	}
	return game.None
}

// turn returns the side to move. Where both sides are full it is the one that has not placed the newest mark.
func (b setup) turn() game.Mark {
	x, o := len(b.of(game.X)), len(b.of(game.O))
	if x > o || x == o && b.full(game.X) && b.marks[len(b.marks)-1].mark == game.X {
		return game.O
	}
	return game.X
}

// position writes the setup as [game.ParsePosition] reads it.
func (b setup) position() string {
	if b.rules.Vanish() {
		names := func(mark game.Mark) string {
			var all []string
			for _, s := range b.of(mark) {
				all = append(all, b.rules.Name(s))
			}
			return strings.Join(all, ",")
		}
		return "X:" + names(game.X) + " O:" + names(game.O) + " " + b.turn().String()
	}
	text := ""
	for i := range b.rules.Squares() {
		if i > 0 && i%b.rules.Width() == 0 {
			text += "/"
		}
		text += b.at(game.Square(i)).String()
	}
	return text
}

// setUp shows a board on which a press changes a square, with a remark if the position is impossible.
func (p *Page) setUp(b setup) Drawn {
	screen := view.Screen{Columns: b.rules.Width(), Small: true, Lines: []view.Text{view.RulesName(b.rules), view.T("web.setup.how", nil)}}
	for i := range b.rules.Squares() {
		c := view.Cell{Name: b.rules.Name(game.Square(i)), Mark: b.at(game.Square(i))}
		if own := b.of(c.Mark); c.Mark != game.None && b.rules.Vanish() { // three marks have an oldest and a newest one
			c.Vanishing, c.Last = b.full(c.Mark) && own[0] == game.Square(i), own[len(own)-1] == game.Square(i)
		}
		screen.Cells = append(screen.Cells, c)
	}
	d := draw(p.Words, screen, "analyse")
	for i := range d.Cells {
		d.Cells[i].Do = b.pressed(game.Square(i)).word()
	}
	done := Button{Label: p.say("web.setup.done"), Weight: "main"}
	if at, err := game.ParsePosition(b.rules, b.position()); err == nil {
		done.Do = word("analyse", view.GameAddress(game.NewRecord(at)))
	} else {
		done.Off, d.Tone, d.Lines[1] = true, "warning", p.say("web.setup.cannot")
	}
	d.Buttons = []Button{done}
	if turn := b.turn(); b.rules.Vanish() {
		d.Notes = []string{p.Words.Say(view.T("picture.turn", view.Args{"Mark": view.Mark(turn)}), style{}), p.say("choice.board." + b.rules.Title())}
		if own := b.of(turn); b.full(turn) && b.full(turn.Opponent()) {
			d.Buttons = append(d.Buttons, Button{
				Label: p.Words.Say(view.T("picture.turn", view.Args{"Mark": view.Mark(turn.Opponent())}), style{}), Do: b.with(turn, own[len(own)-1]).word(),
			})
		}
	}
	d.Menus = p.boards("web.board", "setup", b.rules.Title())
	return d
}
