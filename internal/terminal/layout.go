package terminal

import "tictactoe/game"

// layout says how large the parts of the screen are drawn. It depends only on the size of the terminal and on the rules, so that the board
// does not move during a round.
type layout struct {
	wide, high int  // the size of a square, in characters
	grid       bool // draw lines between the rows
	air        bool // show a title, and blank lines between the parts
}

// layouts lists all layouts, the largest first.
func layouts() []layout {
	return []layout{
		{11, 5, true, true}, {9, 3, true, true}, {7, 1, true, true}, {5, 1, true, false}, {5, 1, false, false}, {4, 1, false, false},
	}
}

// How many lines are reserved for texts above and below the board.
const (
	head = 3
	foot = 3
)

// margin is how many columns of the terminal the numbers of the rows take, left of the board.
const margin = 3

// board returns how many lines and columns of the terminal the board takes, including the letters and numbers beside it.
func (l layout) board(rules game.Rules) (lines, columns int) {
	lines = 1 + rules.Height()*l.high
	if l.grid {
		lines += rules.Height() - 1
	}
	return lines, margin + rules.Width()*(l.wide+1) - 1
}

// gap returns the number of blank lines between the board and the texts.
func (l layout) gap() int {
	if l.air {
		return 1
	}
	return 0
}

// above returns the number of lines above the board, including the title and blank lines.
func (l layout) above() int { return 2*l.gap() + head + l.gap() }

// lines returns the total number of lines of the screen. below is the number of lines for texts below the board. One more line shows the
// keys.
func (l layout) lines(rules game.Rules, below int) int {
	board, _ := l.board(rules)
	return l.above() + board + l.gap() + below + l.gap() + 1
}

// below returns the number of lines reserved for texts below the board. A review and the solution of a puzzle need more, and marks
// are then drawn smaller.
func (s Screen) below() int {
	if s.review != nil || s.shown != nil || s.round.tells() {
		return foot + 6
	}
	return foot
}

// layout returns the largest layout that fits on the terminal, or the smallest if none fits.
func (s Screen) layout() layout {
	rules, all := s.round.game.Rules, layouts()
	for _, l := range all {
		if _, columns := l.board(rules); l.lines(rules, s.below()) <= s.height && columns+margin <= s.width {
			return l
		}
	}
	return all[len(all)-1]
}

// corner returns the upper left corner on the terminal of the board with its letters and numbers.
func (s Screen) corner(l layout) (x, y int) {
	rules := s.round.game.Rules
	_, columns := l.board(rules)
	return max(0, (s.width-columns-margin)/2), max(0, s.height-l.lines(rules, s.below()))/3 + l.above()
}

// squareAt returns the square at a place on the terminal. It returns false for lines between squares and for places outside of the board.
func (s Screen) squareAt(x, y int) (game.Square, bool) {
	l, rules := s.layout(), s.round.game.Rules
	left, top := s.corner(l)
	x, y = x-left-margin, y-top-1
	wide, high := l.wide+1, l.high
	if l.grid {
		high++
	}
	if s.help || x < 0 || y < 0 || x%wide == l.wide || y%high == l.high {
		return 0, false
	}
	column, row := x/wide, y/high
	return game.Square(row*rules.Width() + column), column < rules.Width() && row < rules.Height()
}
