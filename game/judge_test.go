package game_test

import (
	"slices"
	"strings"
	"testing"

	"tictactoe/game"
)

// A judge is a slow and simple implementation of the rules: a side is a list of its squares, the oldest first, and lines are
// found by walking over columns and rows. It shares no code with the package.
type judge struct {
	width, height, keep int
	gravity, misere     bool
	lines               [][]game.Square
}

func judgeOf(rules game.Rules) judge {
	j := judge{
		width: rules.Width(), height: rules.Height(), keep: rules.Keep(), gravity: rules.Gravity(), misere: rules.Misere(),
	}
	for row := range j.height {
		for column := range j.width {
			for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				var line []game.Square
				x, y := column, row
				for x >= 0 && x < j.width && y < j.height && len(line) < rules.Run() {
					line = append(line, game.Square(y*j.width+x))
					x, y = x+step[0], y+step[1]
				}
				if len(line) == rules.Run() {
					j.lines = append(j.lines, line)
				}
			}
		}
	}
	return j
}

// A state is a position for a judge.
type state struct{ mover, other side }

type side struct {
	mark    game.Mark
	squares []game.Square
}

// stateOf converts a position: it parses the notation if marks vanish, and otherwise reads square by square.
func stateOf(p game.Position) state {
	var lists [3][]game.Square // the squares of each mark, indexed by mark
	if p.Rules().Vanish() {
		parts := strings.Split(p.String(), " ")
		for i, mark := range []game.Mark{game.X, game.O} {
			for name := range strings.SplitSeq(parts[i][2:], ",") {
				if name != "" {
					lists[mark] = append(lists[mark], game.Square(int(name[1]-'1')*p.Rules().Width()+int(name[0]-'a')))
				}
			}
		}
	} else {
		for s := range game.Square(p.Rules().Squares()) {
			lists[p.At(s)] = append(lists[p.At(s)], s)
		}
	}
	x, o := side{game.X, lists[game.X]}, side{game.O, lists[game.O]}
	if p.Turn() == game.O {
		return state{o, x}
	}
	return state{x, o}
}

func (s side) has(square game.Square) bool { return slices.Contains(s.squares, square) }

// won lists the squares of all lines of a side.
func (j judge) won(s side) []game.Square {
	var won []game.Square
	for _, line := range j.lines {
		if !slices.ContainsFunc(line, func(square game.Square) bool { return !s.has(square) }) {
			won = append(won, line...)
		}
	}
	return won
}

func (j judge) outcome(s state) game.Outcome {
	wins := [3]game.Outcome{game.X: game.XWins, game.O: game.OWins}
	line := len(j.won(s.other)) > 0
	switch {
	case line && j.misere:
		return wins[s.mover.mark]
	case line:
		return wins[s.other.mark]
	case len(s.mover.squares)+len(s.other.squares) == j.width*j.height:
		return game.Draw
	default:
		return game.InProgress
	}
}

func (j judge) legal(s state) []game.Square {
	var legal []game.Square
	if j.outcome(s) != game.InProgress {
		return nil
	}
	taken := func(square game.Square) bool { return s.mover.has(square) || s.other.has(square) }
	for square := range game.Square(j.width * j.height) {
		below := square + game.Square(j.width)
		onGround := int(below) >= j.width*j.height
		if !taken(square) && (!j.gravity || onGround || taken(below)) {
			legal = append(legal, square)
		}
	}
	return legal
}

// place returns a side with one more mark, and without its oldest mark if it had too many.
func (j judge) place(s side, square game.Square) side {
	squares := append(slices.Clone(s.squares), square)
	if j.keep > 0 && len(squares) > j.keep {
		squares = squares[1:]
	}
	return side{s.mark, squares}
}

func (j judge) play(s state, square game.Square) state {
	return state{mover: s.other, other: j.place(s.mover, square)}
}

// print returns the notation of a state; vanish selects the notation for marks that vanish.
func (j judge) print(s state, vanish bool) string {
	sides := []side{s.mover, s.other}
	if s.mover.mark == game.O {
		sides = []side{s.other, s.mover}
	}
	var text strings.Builder
	if vanish {
		for i, mark := range []string{"X:", "O:"} {
			text.WriteString(mark)
			for age, square := range sides[i].squares {
				if age > 0 {
					text.WriteByte(',')
				}
				text.WriteByte('a' + byte(int(square)%j.width))
				text.WriteByte('1' + byte(int(square)/j.width))
			}
			text.WriteByte(' ')
		}
		text.WriteByte("XO"[s.mover.mark-game.X])
		return text.String()
	}
	for square := range game.Square(j.width * j.height) {
		if square > 0 && int(square)%j.width == 0 {
			text.WriteByte('/')
		}
		switch {
		case sides[0].has(square):
			text.WriteByte('X')
		case sides[1].has(square):
			text.WriteByte('O')
		default:
			text.WriteByte('.')
		}
	}
	if s.mover.mark == game.O && len(s.mover.squares) == len(s.other.squares) {
		text.WriteString(" O")
	}
	return text.String()
}

// perft counts the ways to play depth moves.
func (j judge) perft(s state, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var n uint64
	for _, square := range j.legal(s) {
		n += j.perft(j.play(s, square), depth-1)
	}
	return n
}

// check compares all properties of a position, and the positions after each move, with the judge.
func (j judge) check(t *testing.T, p game.Position) {
	t.Helper()
	s, vanish := stateOf(p), p.Rules().Vanish()
	fail := func(what string, got, want any) {
		t.Helper()
		t.Fatalf("%s %s, %s to move: %s %v, want %v", p.Rules(), p, p.Turn(), what, got, want)
	}
	if want := j.print(s, vanish); p.String() != want {
		fail("text", p.String(), want)
	}
	if want := j.outcome(s); p.Outcome() != want {
		fail("outcome", p.Outcome(), want)
	}
	if want := game.SetOf(j.won(s.other)...); p.Line() != want {
		fail("line", p.Line(), want)
	}
	legal := j.legal(s)
	if want := game.SetOf(legal...); p.Legal() != want {
		fail("legal squares", p.Legal(), want)
	}
	for _, of := range []side{s.mover, s.other} {
		if want := game.SetOf(of.squares...); p.Marks(of.mark) != want {
			fail("marks of "+of.mark.String(), p.Marks(of.mark), want)
		}
		if j.keep > 0 && !vanish && of.mark != s.mover.mark {
			continue // on a board this small no mark vanishes, but the judge would remove the oldest mark of this side
		}
		var threats []game.Square
		for _, square := range legal {
			if len(j.won(j.place(of, square))) > 0 {
				threats = append(threats, square)
			}
		}
		if want := game.SetOf(threats...); p.Threats(of.mark) != want {
			fail("threats of "+of.mark.String(), p.Threats(of.mark), want)
		}
	}
	var vanishing game.Bitboard
	if len(legal) > 0 && j.keep > 0 && len(s.mover.squares) == j.keep {
		vanishing = game.SetOf(s.mover.squares[0])
	}
	if p.Vanishing() != vanishing {
		fail("vanishing", p.Vanishing(), vanishing)
	}
	var moves [25]game.Position
	var visited []game.Square
	for square, next := range p.Moves() {
		moves[square] = next
		visited = append(visited, square)
	}
	if !slices.Equal(visited, legal) {
		fail("moves", visited, legal)
	}
	for square := range game.Square(p.Rules().Squares() + 2) {
		next, err := p.Play(square)
		if slices.Contains(legal, square) != (err == nil) {
			fail("error of "+p.Rules().Name(square), err, legal)
		}
		if err != nil {
			continue
		}
		after := j.play(s, square)
		if want := j.print(after, vanish); next.String() != want || next.Turn() != after.mover.mark || moves[square] != next {
			fail("after "+p.Rules().Name(square), next, want)
		}
		for above := range game.Square(p.Rules().Squares()) {
			sameColumn := int(above)%j.width == int(square)%j.width
			if j.gravity && sameColumn && p.Landing(above) != square || !j.gravity && p.Landing(above) != above {
				fail("landing of "+p.Rules().Name(above), p.Landing(above), square)
			}
		}
	}
}

// everyBoard lists all plain rule sets with at most the given number of squares.
func everyBoard(squares int) []game.Rules {
	var all []game.Rules
	for width := 1; width <= game.MaxSide; width++ {
		for height := 1; height <= game.MaxSide; height++ {
			for run := 1; run <= max(width, height) && width*height <= squares; run++ {
				all = append(all, must(game.NewRules(width, height, run)))
			}
		}
	}
	return all
}

// everyRules lists all rule sets with at most the given number of squares, except those with vanishing marks.
func everyRules(squares int) []game.Rules {
	var all []game.Rules
	for _, board := range everyBoard(squares) {
		for _, variants := range [][]game.Variant{
			nil, {game.Gravity()}, {game.Misere()}, {game.Gravity(), game.Misere()},
		} {
			all = append(all, must(game.NewRules(board.Width(), board.Height(), board.Run(), variants...)))
		}
	}
	return all
}

// everyKeep lists all rule sets with at most the given number of squares and with sides that keep only their newest marks.
func everyKeep(squares int) []game.Rules {
	var all []game.Rules
	for _, board := range everyBoard(squares) {
		for n := board.Run(); n < board.Squares(); n++ {
			all = append(all, must(game.NewRules(board.Width(), board.Height(), board.Run(), game.Keep(n))))
		}
	}
	return all
}

// reachable lists the positions of all games, by the least number of moves that lead to them.
func reachable(start game.Position) [][]game.Position {
	var plies [][]game.Position
	seen := map[game.Position]bool{start: true}
	for layer := []game.Position{start}; len(layer) > 0; {
		plies = append(plies, layer)
		var next []game.Position
		for _, p := range layer {
			for _, q := range p.Moves() {
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

// must returns the value, and panics on an error. It is for values that the tests themselves chose.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
