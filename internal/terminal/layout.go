package terminal

import "tictactoe/game"

// layout is the size of the drawn parts. It depends only on the size of the terminal and on the rules, so that the
// board does not move during a round.
type layout struct {
	wide, high int  // the size of a square
	grid       bool // lines between the rows
	air        bool // a title, and blank lines between the parts
}

// layouts lists all layouts, the largest first.
func layouts() []layout {
	return []layout{
		{11, 5, true, true}, {9, 3, true, true}, {7, 1, true, true}, {5, 1, true, false}, {5, 1, false, false}, {4, 1, false, false},
	}
}

// The lines that are kept free for texts above and below the board.
const (
	head = 3
	foot = 3
)

// margin is how many columns the numbers of the rows take, left of the board.
const margin = 3

// board returns how many lines and columns of the terminal the board takes, with its letters and numbers.
func (l layout) board(rules game.Rules) (lines, columns int) {
	lines = 1 + rules.Height()*l.high
	if l.grid {
		lines += rules.Height() - 1
	}
	return lines, margin + rules.Width()*(l.wide+1) - 1
}

// gap returns how many blank lines are between the board and the texts.
func (l layout) gap() int {
	if l.air {
		return 1
	}
	return 0
}

// above returns how many lines are above the board. With air, they include the title and a blank line.
func (l layout) above() int { return 2*l.gap() + head + l.gap() }

// lines returns the total number of lines, with the given number of lines for texts below the board, and one for keys.
func (l layout) lines(rules game.Rules, below int) int {
	board, _ := l.board(rules)
	return l.above() + board + l.gap() + below + l.gap() + 1
}

// below returns how many lines are reserved for texts below the board. A review and the solution of a puzzle get more,
// so that the marks are drawn smaller.
func (s Screen) below() int {
	if s.review != nil || s.shown != nil || s.round.tells() {
		return foot + 6
	}
	return foot
}

// layout returns the largest layout that fits, or the smallest if none does.
func (s Screen) layout() layout {
	rules, all := s.round.game.Rules, layouts()
	for _, l := range all {
		if _, columns := l.board(rules); l.lines(rules, s.below()) <= s.height && columns+margin <= s.width {
			return l
		}
	}
	return all[len(all)-1]
}

// corner returns the place on the terminal where the board begins, its letters and numbers included.
func (s Screen) corner(l layout) (x, y int) {
	rules := s.round.game.Rules
	_, columns := l.board(rules)
	return max(0, (s.width-columns-margin)/2), max(0, s.height-l.lines(rules, s.below()))/3 + l.above()
}

// squareAt returns the square at a place on the terminal. It reports false for a line between squares and for places beside the board.
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
