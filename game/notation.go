package game

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one reason why a text is no position that can arise in a game.
type Problem uint8

// The problems of a written position.
const (
	WrongSize      Problem = iota + 1 // not as many rows or columns as the rules have
	WrongCharacter                    // something other than X, O and the signs of an empty square
	WrongCount                        // the sides cannot have moved in turn
	WrongStarter                      // the counts say that the other side began
	TwoWinners                        // both sides have a line
	PlayAfterWin                      // moves were made after the game was won
)

// String words the problem.
func (p Problem) String() string {
	switch p {
	case WrongSize:
		return "wrong size"
	case WrongCharacter:
		return "unknown character"
	case WrongCount:
		return "wrong count of marks"
	case WrongStarter:
		return "the other side must have started"
	case TwoWinners:
		return "two winners"
	case PlayAfterWin:
		return "play went on after a win"
	default:
		return "no problem"
	}
}

// PositionError lists everything that is wrong with a written position.
type PositionError struct {
	Text     string
	Problems []Problem // at least one, each once, in the order of the constants
	details  []string  // one for each problem
}

func (e *PositionError) Error() string {
	return fmt.Sprintf("position %q: %s", e.Text, strings.Join(e.details, "; "))
}

func (e *PositionError) add(p Problem, format string, args ...any) {
	e.Problems = append(e.Problems, p)
	e.details = append(e.details, p.String()+": "+fmt.Sprintf(format, args...))
}

func (e *PositionError) has(p Problem) bool { return slices.Contains(e.Problems, p) }

// String writes the board row by row from the top, as in "X.O/.X./..O".
func (p Position) String() string {
	var b strings.Builder
	for s := range Square(p.rules.Squares()) {
		if s > 0 && int(s)%p.rules.Width() == 0 {
			b.WriteByte('/')
		}
		b.WriteString(p.At(s).String())
	}
	return b.String()
}

// ParsePosition reads a board as [Position.String] writes it, of a game that X began; small letters count as well. The
// error is a [*PositionError] that names every reason why no game leads there.
func ParsePosition(rules Rules, text string) (Position, error) {
	return ParsePositionWith(rules, X, text)
}

// ParsePositionWith is [ParsePosition] for a game that the given side began; None counts as X.
func ParsePositionWith(rules Rules, starter Mark, text string) (Position, error) {
	p := StartWith(rules, starter)
	e := &PositionError{Text: text}

	rows := strings.Split(text, "/")
	if len(rows) != rules.Height() {
		e.add(WrongSize, "%d rows, the board has %d", len(rows), rules.Height())
	}
	var unknown []string
	var count [2]int // of X and of O, on the board or beside it
	for y, row := range rows {
		cells := []rune(row)
		if len(cells) != rules.Width() && !e.has(WrongSize) {
			e.add(WrongSize, "row %d has %d squares, the board has %d columns", y+1, len(cells), rules.Width())
		}
		for x, cell := range cells {
			var side int
			switch cell {
			case 'X', 'x':
				side = 0
			case 'O', 'o':
				side = 1
			case '.':
				continue
			default:
				unknown = append(unknown, fmt.Sprintf("%q in row %d", cell, y+1))
				continue
			}
			count[side]++
			if x < rules.Width() && y < rules.Height() {
				p.marks[side] |= 1 << (y*rules.Width() + x)
			}
		}
	}
	if len(unknown) > 0 {
		e.add(WrongCharacter, "%s; write X, O and . for an empty square", strings.Join(unknown, ", "))
	}
	p.checkCount(count, e)
	// Marks on a board of another size stand in no row that means anything here.
	if !e.has(WrongSize) {
		p.checkLines(e)
	}
	if len(e.Problems) > 0 {
		return Position{}, e
	}
	return p, nil
}

// checkCount adds what is wrong with the numbers of marks of X and of O.
func (p Position) checkCount(count [2]int, e *PositionError) {
	first, second := p.starter, p.starter.Opponent()
	switch ahead := count[first-X] - count[second-X]; ahead {
	case 0, 1:
	case -1:
		e.add(WrongStarter, "%s has one mark more, so %s did not begin", second, first)
	default:
		e.add(WrongCount, "X has %d and O has %d, but they take turns", count[0], count[1])
	}
}

// checkLines adds what is wrong with the lines on the board. Together with the right count it is exact: marks that were
// placed in turn, with no line before the last of them, can have been placed in any order.
func (p Position) checkLines(e *PositionError) {
	var winner Mark
	switch x, o := p.rules.lines(p.marks[0]), p.rules.lines(p.marks[1]); {
	case x != 0 && o != 0:
		e.add(TwoWinners, "X and O both have %d in a row", p.rules.Run())
		return
	case x != 0:
		winner = X
	case o != 0:
		winner = O
	default:
		return
	}
	loser := winner.Opponent()
	// The winner moved last. So the side that began is ahead if it has won, and not ahead if it has lost.
	ahead := p.Marks(p.starter).Len() > p.Marks(p.starter.Opponent()).Len()
	switch {
	case ahead != (winner == p.starter):
		e.add(PlayAfterWin, "%s had won and %s moved again", winner, loser)
	case !p.closedAtOnce(winner):
		e.add(PlayAfterWin, "%s has lines that no single move can have closed", winner)
	}
}

// closedAtOnce tells whether one mark of the winner closed all its lines, so that there was none before the last move.
func (p Position) closedAtOnce(winner Mark) bool {
	marks := p.Marks(winner)
	for s := range p.rules.lines(marks).All() {
		if p.rules.lines(marks&^(1<<s)) == 0 {
			return true
		}
	}
	return false
}
