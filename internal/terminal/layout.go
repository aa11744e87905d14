package terminal

import "tictactoe/game"

// layout is how large things are drawn. Only size and rules of the board decide on it, so that nothing jumps about.
type layout struct {
	wide, high int  // of a square
	grid       bool // lines between the rows
	air        bool // a title, and blank lines between the parts
}

// layouts are those there are, the largest first.
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

// margin is what the numbers of the rows take, left of the board.
const margin = 3

// board is how many lines and columns the board takes, with its letters and its numbers.
func (l layout) board(rules game.Rules) (lines, columns int) {
	lines = 1 + rules.Height()*l.high
	if l.grid {
		lines += rules.Height() - 1
	}
	return lines, margin + rules.Width()*(l.wide+1) - 1
}

// gap is how many blank lines part the board from the texts.
func (l layout) gap() int {
	if l.air {
		return 1
	}
	return 0
}

// above is how many lines there are above the board: with air, the title and a blank line, too.
func (l layout) above() int { return 2*l.gap() + head + l.gap() }

// lines is how many lines there are in all, with so many texts below the board, and one of keys.
func (l layout) lines(rules game.Rules, below int) int {
	board, _ := l.board(rules)
	return l.above() + board + l.gap() + below + l.gap() + 1
}

// below is how many lines are kept free for texts below the board. A review takes the room of the large marks.
func (s Screen) below() int {
	if s.review != nil {
		return foot + 6
	}
	return foot
}

// layout is the largest that fits.
func (s Screen) layout() layout {
	rules, all := s.round.game.Rules, layouts()
	for _, l := range all {
		if _, columns := l.board(rules); l.lines(rules, s.below()) <= s.height && columns+margin <= s.width {
			return l
		}
	}
	return all[len(all)-1]
}

// corner is where the board begins, its letters and numbers included.
func (s Screen) corner(l layout) (x, y int) {
	rules := s.round.game.Rules
	_, columns := l.board(rules)
	return max(0, (s.width-columns-margin)/2), max(0, s.height-l.lines(rules, s.below()))/3 + l.above()
}

// squareAt is the square at a place of the terminal, and false for a line of the grid or what is beside it.
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
