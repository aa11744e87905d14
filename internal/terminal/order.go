package terminal

import (
	"strconv"
	"strings"

	"tictactoe/game"
	"tictactoe/internal/show/view"
)

// order is the word by which a human asks for something other than a move, such as a hint.
type order string

const (
	orderHint   order = "hint"
	orderUndo   order = "undo"
	orderReview order = "review"
	orderNext   order = "next"
	orderHelp   order = "help"
	orderQuit   order = "quit"
)

// key returns the key that gives the order.
func (o order) key() string {
	if o == orderHelp {
		return "?"
	}
	return string(o[:1])
}

// label returns a word that describes the order.
func (o order) label() view.Text       { return view.T("terminal.label."+string(o), nil) }
func (o order) explanation() view.Text { return view.T("terminal.help."+string(o), nil) }

// explanation returns a sentence that says what the order does in this round.
func (r round) explanation(o order) view.Text {
	if r.lesson != nil && o == orderNext {
		return view.T("action.course.next", nil)
	}
	return o.explanation()
}

// orders returns the orders that can be given in the present state of the round.
func (r round) orders() []order {
	switch {
	case r.lesson != nil && r.lesson.last():
		return []order{orderHelp, orderQuit}
	case r.lesson != nil:
		return []order{orderNext, orderHelp, orderQuit}
	case r.attempt != nil && r.over():
		return []order{orderReview, orderHelp, orderQuit}
	case r.attempt != nil:
		return []order{orderHelp, orderQuit}
	case r.over():
		return []order{orderNext, orderReview, orderHelp, orderQuit}
	case r.humanToMove():
		return []order{orderHint, orderUndo, orderHelp, orderQuit}
	default:
		return []order{orderHelp, orderQuit}
	}
}

// readOrder returns the order that a text names, or the empty order if the text names none that can be given now. A text names an order by
// its key, by its word in the language of the game, as prompts offer it, or in English.
func (r round) readOrder(text string) order {
	for _, o := range r.orders() {
		if text == o.key() || text == string(o) || strings.EqualFold(text, r.game.Say(o.label())) {
			return o
		}
	}
	return ""
}

// help returns the list of valid inputs: the names of squares, and all orders. The list begins with the given texts.
func (r round) help(first ...view.Text) []view.Text {
	rules, all := r.game.Rules, []order{orderHint, orderUndo, orderReview, orderNext, orderHelp, orderQuit}
	switch {
	case r.lesson != nil:
		all = []order{orderNext, orderHelp, orderQuit}
	case r.attempt != nil:
		all = []order{orderReview, orderHelp, orderQuit}
	}
	last := rules.Name(game.Square(rules.Squares() - 1))
	lines := append(first, view.T("terminal.help.square", view.Args{
		"Name": last, "Turned": last[1:] + last[:1], "Number": rules.Squares(),
	}))
	for _, o := range all {
		lines = append(lines, view.T("terminal.help", view.Args{"Key": o.key(), "Word": o.label(), "What": r.explanation(o)}))
	}
	return lines
}

// ParseMove parses a square as people type it: column and row, in either order and case, or the number on the board, counted from 1. It
// returns false if there is no such square.
func ParseMove(rules game.Rules, text string) (game.Square, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if n, err := strconv.Atoi(text); err == nil {
		return game.Square(n - 1), 1 <= n && n <= rules.Squares()
	}
	if len(text) == 2 && '1' <= text[0] && text[0] <= '9' {
		text = text[1:] + text[:1]
	}
	s, err := rules.ParseSquare(text)
	return s, err == nil
}

// typing returns the hint that says what to type after the first key of a square's name or number.
func typing(rules game.Rules, typed string) view.Text {
	key := "terminal.typed.letter"
	if _, ok := ParseMove(rules, typed); ok {
		key = "terminal.typed.number"
	}
	return view.T(key, view.Args{"Typed": typed})
}
