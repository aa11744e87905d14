package puzzle_test

import (
	"slices"
	"strings"
	"sync"

	"tictactoe/game"
)

// The judge in this file shares only the names of squares and the notation of positions with the packages that it checks. It has its
// own rules and its own search, both as simple as possible.

// A table is a board with its rules, on which the pieces 'X' and 'O' stand.
type table struct {
	width, height, run    int
	falls, misere, vanish bool
	lines                 [][]int
}

// tableOf returns the table of the named board.
func tableOf(board string) *table {
	t := map[string]*table{
		"classic":  {width: 3, height: 3, run: 3},
		"misere":   {width: 3, height: 3, run: 3, misere: true},
		"infinite": {width: 3, height: 3, run: 3, vanish: true},
		"4x4":      {width: 4, height: 4, run: 4},
		"5x5":      {width: 5, height: 5, run: 4},
		"drop":     {width: 5, height: 4, run: 4, falls: true},
		"drop-5x5": {width: 5, height: 5, run: 4, falls: true},
	}[board]
	for y := range t.height {
		for x := range t.width {
			for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				var line []int
				for i := range t.run {
					column, row := x+i*step[0], y+i*step[1]
					if column < t.width && 0 <= row && row < t.height {
						line = append(line, row*t.width+column)
					}
				}
				if len(line) == t.run {
					t.lines = append(t.lines, line)
				}
			}
		}
	}
	return t
}

// A scene is a position: the marks on the board and the side to move. It is comparable.
type scene struct {
	squares [25]byte // 'X', 'O' or 0
	age     [25]byte // where marks vanish, 1 for the oldest of a side, and so on
	turn    byte
}

// sceneOf parses the notation of a position.
func (t *table) sceneOf(p game.Position) scene {
	text := p.String()
	var s scene
	if t.vanish { // the notation is, for example, "X:b1,c1 O:a2 X"
		words := strings.Fields(text)
		for _, word := range words[:2] {
			for i, name := range strings.Split(word[2:], ",") {
				if name != "" {
					at := int(name[1]-'1')*t.width + int(name[0]-'a')
					s.squares[at], s.age[at] = word[0], byte(i+1)
				}
			}
		}
		s.turn = words[2][0]
		return s
	}
	for i, c := range []byte(strings.ReplaceAll(text, "/", "")[:t.width*t.height]) {
		if c != '.' {
			s.squares[i] = c
		}
	}
	s.turn = 'X'
	if strings.Count(text, "X") > strings.Count(text, "O") {
		s.turn = 'O'
	}
	return s
}

func other(mark byte) byte { return 'X' + 'O' - mark }

// aligned reports whether a side has a line.
func (t *table) aligned(s scene, mark byte) bool {
	return slices.ContainsFunc(t.lines, func(line []int) bool {
		return !slices.ContainsFunc(line, func(at int) bool { return s.squares[at] != mark })
	})
}

// moves lists the legal moves.
func (t *table) moves(s scene) []int {
	var open []int
	for at := range t.width * t.height {
		below := at + t.width
		supported := !t.falls || below >= t.width*t.height || s.squares[below] != 0
		if s.squares[at] == 0 && supported {
			open = append(open, at)
		}
	}
	return open
}

// play places a mark of the side to move.
func (t *table) play(s scene, at int) scene {
	if t.vanish {
		count := 0
		for i := range s.squares {
			if s.squares[i] == s.turn {
				count++
			}
		}
		for i := range s.squares {
			switch {
			case count < 3 || s.squares[i] != s.turn:
			case s.age[i] == 1:
				s.squares[i], s.age[i] = 0, 0
			default:
				s.age[i]--
			}
		}
		s.age[at] = byte(min(count, 2) + 1)
	}
	s.squares[at] = s.turn
	s.turn = other(s.turn)
	return s
}

// ended reports whether the game is over, because the other side has completed a line or the board is full, and returns its value
// for the side to move.
func (t *table) ended(s scene) (value int, over bool) {
	switch {
	case t.aligned(s, other(s.turn)) && t.misere:
		return 1, true
	case t.aligned(s, other(s.turn)):
		return -1, true
	case len(t.moves(s)) == 0:
		return 0, true
	default:
		return 0, false
	}
}

// A brute solves positions of a table by brute force. It leaves out only moves that cannot matter: if a side can complete a line, it
// does so; otherwise, if the other side threatens to complete a line, it blocks that line, since all other moves lose.
type brute struct {
	table       *table
	wins, holds map[scene]bool // solved scenes: whether the side to move wins, and whether it at least does not lose
	loops       map[scene]int  // where marks vanish, the value of every scene
}

func bruteOf(board string) *brute {
	b := &brute{table: tableOf(board), wins: map[scene]bool{}, holds: map[scene]bool{}}
	if b.table.vanish {
		b.loops = infinite()
	}
	return b
}

// infinite returns the values of all scenes of the board "infinite". They are computed once.
var infinite = sync.OnceValue(func() map[scene]int { return tableOf("infinite").unroll() })

// value returns the value of a scene for the side to move: 1, 0 or -1.
func (b *brute) value(s scene) int {
	switch {
	case b.loops != nil:
		return b.loops[s]
	case b.reaches(s, 1, b.wins):
		return 1
	case b.reaches(s, 0, b.holds):
		return 0
	default:
		return -1
	}
}

// reaches reports whether the side to move can force at least the given value, which is 1 or 0. It caches results in known.
func (b *brute) reaches(s scene, value int, known map[scene]bool) bool {
	if end, over := b.table.ended(s); over {
		return end >= value
	}
	if reached, ok := known[s]; ok {
		return reached
	}
	rival, theirs := 1, b.wins // the value that the rival must not reach
	if value == 1 {
		rival, theirs = 0, b.holds
	}
	reached := slices.ContainsFunc(b.sensible(s), func(at int) bool { return !b.reaches(b.table.play(s, at), rival, theirs) })
	known[s] = reached
	return reached
}

// sensible lists the moves that a brute tries.
func (b *brute) sensible(s scene) []int {
	moves := b.table.moves(s)
	if b.table.misere {
		return moves
	}
	for _, mark := range []byte{s.turn, other(s.turn)} {
		for _, at := range moves {
			if s.squares[at] = mark; b.table.aligned(s, mark) {
				return []int{at}
			}
			s.squares[at] = 0
		}
	}
	return moves
}

// unroll returns the value of every scene of a table where marks vanish. It repeats passes over all scenes until none changes: a
// scene is won if a move leads to a lost scene, and lost if all moves lead to won scenes. In the remaining scenes the game never ends.
func (t *table) unroll() map[scene]int {
	scenes := []scene{{turn: 'X'}}
	number := map[scene]int{scenes[0]: 0}
	var next [][]int
	for i := 0; i < len(scenes); i++ {
		var after []int
		if _, over := t.ended(scenes[i]); !over {
			for _, at := range t.moves(scenes[i]) {
				s := t.play(scenes[i], at)
				if _, ok := number[s]; !ok {
					number[s] = len(scenes)
					scenes = append(scenes, s)
				}
				after = append(after, number[s])
			}
		}
		next = append(next, after)
	}
	values := make([]int, len(scenes))
	for changed := true; changed; {
		changed = false
		for i, after := range next {
			value, over := t.ended(scenes[i])
			if !over {
				value = -1
				for _, n := range after {
					value = max(value, -values[n])
				}
			}
			changed = changed || value != values[i]
			values[i] = value
		}
	}
	all := map[scene]int{}
	for i, s := range scenes {
		all[s] = values[i]
	}
	return all
}
