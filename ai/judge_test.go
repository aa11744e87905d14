package ai_test

import (
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
)

// A judge evaluates positions by a slow and simple method: a board is a string of cells, a line is found by walking over
// columns and rows, and a value by trying every move. It shares no code with the packages that it checks.
type judge struct {
	width           int
	gravity, misere bool
	lines           [][]int
	verdicts        map[string]ai.Eval // keyed by the cells and the side to move
	endless         *endlessJudge      // where marks vanish
}

func newJudge(rules game.Rules) *judge {
	j := &judge{
		width: rules.Width(), gravity: rules.Gravity(), misere: rules.Misere(), verdicts: map[string]ai.Eval{},
	}
	for row := range rules.Height() {
		for column := range rules.Width() {
			for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				var line []int
				x, y := column, row
				for x >= 0 && x < rules.Width() && y < rules.Height() && len(line) < rules.Run() {
					line = append(line, y*rules.Width()+x)
					x, y = x+step[0], y+step[1]
				}
				if len(line) == rules.Run() {
					j.lines = append(j.lines, line)
				}
			}
		}
	}
	if rules.Vanish() {
		j.endless = newEndlessJudge(j.lines, rules.Squares(), rules.Keep())
	}
	return j
}

// of returns the evaluation of a position for the side to move.
func (j *judge) of(p game.Position) ai.Eval {
	if j.endless != nil {
		return j.endless.of(p)
	}
	return j.verdict(strings.ReplaceAll(p.String(), "/", ""), p.Turn().String())
}

func (j *judge) verdict(cells, turn string) ai.Eval {
	if known, ok := j.verdicts[cells+turn]; ok {
		return known
	}
	rival := "O"
	if turn == "O" {
		rival = "X"
	}
	verdict := j.look(cells, turn, rival)
	j.verdicts[cells+turn] = verdict
	return verdict
}

func (j *judge) look(cells, turn, rival string) ai.Eval {
	if j.hasLine(cells, rival) {
		if j.misere {
			return ai.Eval{Value: ai.Win}
		}
		return ai.Eval{Value: ai.Loss}
	}
	if !strings.Contains(cells, ".") {
		return ai.Eval{Value: ai.Draw}
	}
	fastestWin, draw, slowestLoss := -1, -1, -1
	for i := range cells {
		if cells[i] != '.' || j.gravity && i+j.width < len(cells) && cells[i+j.width] == '.' {
			continue
		}
		after := j.verdict(cells[:i]+turn+cells[i+1:], rival)
		plies := after.Plies + 1
		switch after.Value {
		case ai.Loss:
			if fastestWin < 0 || plies < fastestWin {
				fastestWin = plies
			}
		case ai.Draw:
			draw = plies
		case ai.Win:
			slowestLoss = max(slowestLoss, plies)
		}
	}
	switch {
	case fastestWin >= 0:
		return ai.Eval{Value: ai.Win, Plies: fastestWin}
	case draw >= 0:
		return ai.Eval{Value: ai.Draw, Plies: draw}
	default:
		return ai.Eval{Value: ai.Loss, Plies: slowestLoss}
	}
}

func (j *judge) hasLine(cells, mark string) bool {
	for _, line := range j.lines {
		complete := true
		for _, i := range line {
			complete = complete && cells[i:i+1] == mark
		}
		if complete {
			return true
		}
	}
	return false
}

// An endlessJudge evaluates positions in which marks vanish. It writes a side as the squares of its marks, the oldest first, and a
// position as the side to move followed by the other side. It finds the positions that are won or lost in one ply, then in two, and
// so on until it finds no more.
type endlessJudge struct {
	lines    [][]int
	squares  int
	keep     int
	after    map[string][]string
	verdicts map[string]ai.Eval
}

func newEndlessJudge(lines [][]int, squares, keep int) *endlessJudge {
	j := &endlessJudge{lines, squares, keep, map[string][]string{}, map[string]ai.Eval{}}
	j.collect("|")
	for plies := 1; ; plies++ {
		found := map[string]ai.Eval{}
		for state, moves := range j.after {
			if _, known := j.verdicts[state]; known {
				continue
			}
			wins := 0
			for _, next := range moves {
				switch verdict, known := j.verdicts[next]; {
				case known && verdict.Value == ai.Loss:
					found[state] = ai.Eval{Value: ai.Win, Plies: plies}
				case known:
					wins++
				}
			}
			if wins == len(moves) {
				found[state] = ai.Eval{Value: ai.Loss, Plies: plies}
			}
		}
		if len(found) == 0 {
			return j
		}
		for state, verdict := range found {
			j.verdicts[state] = verdict
		}
	}
}

// collect finds all reachable states. A finished state is lost for the side to move.
func (j *endlessJudge) collect(state string) {
	if _, ok := j.after[state]; ok {
		return
	}
	if _, ok := j.verdicts[state]; ok {
		return
	}
	me, rival, _ := strings.Cut(state, "|")
	if j.hasLine(rival) {
		j.verdicts[state] = ai.Eval{Value: ai.Loss}
		return
	}
	moves := []string{}
	j.after[state] = moves
	for i := range j.squares {
		digit := string(rune('0' + i))
		if strings.Contains(state, digit) {
			continue
		}
		mine := me + digit
		if len(mine) > j.keep {
			mine = mine[1:]
		}
		moves = append(moves, rival+"|"+mine)
	}
	j.after[state] = moves
	for _, next := range moves {
		j.collect(next)
	}
}

func (j *endlessJudge) hasLine(squares string) bool {
	for _, line := range j.lines {
		complete := true
		for _, i := range line {
			complete = complete && strings.Contains(squares, string(rune('0'+i)))
		}
		if complete {
			return true
		}
	}
	return false
}

// of returns the evaluation of a position. It parses the position's notation, as in "X:a1,b2 O:c3 X".
func (j *endlessJudge) of(p game.Position) ai.Eval {
	fields := strings.Fields(p.String())
	sides := map[string]string{}
	for _, field := range fields[:2] {
		mark, names, _ := strings.Cut(field, ":")
		for name := range strings.SplitSeq(names, ",") {
			if name != "" {
				sides[mark] += string(rune('0' + int(name[0]-'a') + p.Rules().Width()*int(name[1]-'1')))
			}
		}
	}
	me, rival := sides["X"], sides["O"]
	if fields[2] == "O" {
		me, rival = rival, me
	}
	if verdict, ok := j.verdicts[me+"|"+rival]; ok {
		return verdict
	}
	return ai.Eval{Value: ai.Draw, Plies: ai.Unknown}
}
