package game_test

import (
	"slices"

	"tictactoe/game"
)

// A judge knows the rules too, in the slow and obvious way: cells in a slice, lines found by walking over columns and
// rows. It shares nothing with the package.
type judge struct{ width, height, run int }

func judgeOf(rules game.Rules) judge {
	return judge{rules.Width(), rules.Height(), rules.Run()}
}

// lines lists every line of the board, each as its squares.
func (j judge) lines() [][]game.Square {
	var all [][]game.Square
	for row := range j.height {
		for column := range j.width {
			for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				var line []game.Square
				x, y := column, row
				for x >= 0 && x < j.width && y < j.height && len(line) < j.run {
					line = append(line, game.Square(y*j.width+x))
					x, y = x+step[0], y+step[1]
				}
				if len(line) == j.run {
					all = append(all, line)
				}
			}
		}
	}
	return all
}

// won is the set of squares in lines that hold only that mark.
func (j judge) won(cells []game.Mark, mark game.Mark) game.Bitboard {
	var won game.Bitboard
	for _, line := range j.lines() {
		if !slices.ContainsFunc(line, func(s game.Square) bool { return cells[s] != mark }) {
			won |= game.SetOf(line...)
		}
	}
	return won
}

func cellsOf(p game.Position) []game.Mark {
	cells := make([]game.Mark, p.Rules().Squares())
	for i := range cells {
		cells[i] = p.At(game.Square(i))
	}
	return cells
}

// everyRules lists all rule sets with at most that many squares.
func everyRules(squares int) []game.Rules {
	var all []game.Rules
	for width := 1; width <= game.MaxSide; width++ {
		for height := 1; height <= game.MaxSide; height++ {
			for run := 1; run <= max(width, height) && width*height <= squares; run++ {
				rules, err := game.NewRules(width, height, run)
				if err != nil {
					panic(err)
				}
				all = append(all, rules)
			}
		}
	}
	return all
}

// reachable lists every position of every game, by ply.
func reachable(start game.Position) [][]game.Position {
	var plies [][]game.Position
	for layer := []game.Position{start}; len(layer) > 0; {
		plies = append(plies, layer)
		seen := map[game.Position]bool{}
		var next []game.Position
		for _, p := range layer {
			for s := range p.Legal().All() {
				q, err := p.Play(s)
				if err != nil {
					panic(err)
				}
				if !seen[q] {
					seen[q] = true
					next = append(next, q)
				}
			}
		}
		layer = next
	}
	return plies
}

// must is for values that the test itself wrote.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
