package ai_test

import (
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
)

// A judge evaluates positions in the slow and obvious way: a board is a string of cells, a line is found by walking over
// columns and rows, a value by looking at every move. It shares no code with the packages that it judges.
type judge struct {
	lines    [][]int
	verdicts map[string]ai.Eval // by cells and side to move
}

func newJudge(rules game.Rules) *judge {
	j := &judge{verdicts: map[string]ai.Eval{}}
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
	return j
}

// of is the evaluation of a position for the side to move.
func (j *judge) of(p game.Position) ai.Eval {
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
		return ai.Eval{Value: ai.Loss}
	}
	if !strings.Contains(cells, ".") {
		return ai.Eval{Value: ai.Draw}
	}
	fastestWin, draw, slowestLoss := -1, -1, -1
	for i := range cells {
		if cells[i] != '.' {
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
