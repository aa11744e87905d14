package puzzle

import (
	"context"
	"fmt"
	"math/rand/v2"

	"tictactoe/ai"
	"tictactoe/game"
)

// Of returns the puzzle of a day. It takes up to some tenths of a second of processor time, so callers should cache the puzzle. The
// error is the context's error.
func Of(ctx context.Context, d Day) (Puzzle, error) {
	e := editionOf(d)
	board := e.week[d.Weekday()].board(d)
	j, err := judgeOf(board)
	if err != nil {
		return Puzzle{}, fmt.Errorf("puzzle of %s: %w", d, err)
	}
	l, err := j.lineOf(ctx, e, d)
	if err != nil {
		return Puzzle{}, fmt.Errorf("puzzle of %s: %w", d, err)
	}
	p := Puzzle{
		Day: d, Board: board, Start: l.start(), Goal: Hold, Decisions: len(l.steps),
		Difficulty: float64(l.difficulty()) / float64(certain), decisions: j.decisions(l),
	}
	if j.solver.Eval(p.Start).Value == ai.Win {
		p.Goal = Win
	}
	return p, nil
}

// judgeOf returns the judge of a board.
func judgeOf(board string) (judge, error) {
	rules, err := game.ParseRules(board)
	if err != nil {
		return judge{}, err
	}
	solver, err := ai.NewSolver(rules)
	return judge{solver, triers()}, err
}

// lineOf returns the line of the puzzle of a day.
func (j judge) lineOf(ctx context.Context, e edition, d Day) (line, error) {
	source := rand.NewPCG(e.seed, uint64(int64(d)))
	if !listed(j.solver.Rules()) {
		return j.sample(ctx, e.week[d.Weekday()], d.week(), source)
	}
	// A repeated puzzle is shown turned or mirrored.
	images := j.solver.Rules().Symmetries()
	turned := images[draw(source, len(images))]
	return j.pool(e, d.Weekday()).at(d.week()).image(turned), nil
}
