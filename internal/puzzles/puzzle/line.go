package puzzle

import (
	"tictactoe/ai"
	"tictactoe/game"
)

// longest is the largest number of decisions of a puzzle.
const longest = 6

// A line is the sequence of moves from a position with the solver to move, as long as exactly one move keeps the value of the position. The
// computer gives its best answer: it loses as slowly as possible, or keeps the draw. Of several best answers it gives the one after which
// the rest of the line is the most difficult.
type line struct {
	steps   []step
	thought int      // the number of decisions that are not obvious
	solved  []chance // for each model, the chance that it finds all moves
}

// A step is one decision of the solver in a line: the position, the right move and the computer's answer to it.
type step struct {
	before game.Position
	right  game.Square
	answer game.Square // game.NoSquare at the end
}

// judge knows the values of the positions of a rule set.
type judge struct {
	solver *ai.Solver
	models []model
}

// only returns the only move that keeps the value of a position. It reports false if several moves keep it, if there is only one
// legal move, or if the position is lost.
func (j judge) only(p game.Position) (game.Square, bool) {
	if p.Legal().Len() < 2 || j.solver.Eval(p).Value == ai.Loss {
		return game.NoSquare, false
	}
	holding := j.solver.Holding(p)
	for s := range holding.All() {
		return s, holding.Len() == 1
	}
	return game.NoSquare, false
}

// line returns the line of a puzzle that begins in p. It reports false if p is not the start of a puzzle: several moves keep the value of
// p, the side to move loses, or it can win at once. Where marks vanish, every position occurs with either side to move, so only positions
// with X to move are accepted.
func (j judge) line(p game.Position) (line, bool) {
	wins := !p.Rules().Misere() && p.Threats(p.Turn()) != 0
	if wins || p.Rules().Vanish() && p.Turn() == game.O {
		return line{}, false
	}
	l, ok := j.follow(p, longest)
	return l, ok && len(l.steps) > 0
}

// follow returns the line from a position, which has no steps if several moves keep the value of the position. It reports false if
// every line has more than the given number of steps.
func (j judge) follow(p game.Position, steps int) (line, bool) {
	right, ok := j.only(p)
	if !ok {
		return j.end(), true
	}
	after, err := p.Play(right)
	if err != nil || steps == 0 {
		return line{}, false
	}
	rest, answer, ok := j.answer(after, steps-1)
	return rest.after(step{p, right, answer}, j.models), ok
}

// answer returns the best answer of the computer in a position, and the line that follows. The answer is NoSquare if no decision
// follows. It reports false if every line has more than the given number of steps.
func (j judge) answer(p game.Position, steps int) (line, game.Square, bool) {
	hardest, answer, found := j.end(), game.NoSquare, p.Legal() == 0
	for s := range j.solver.Best(p).All() {
		next, err := p.Play(s)
		if err != nil {
			continue
		}
		rest, ok := j.follow(next, steps)
		if ok && (!found || rest.difficulty() > hardest.difficulty()) {
			hardest, answer, found = rest, s, true
		}
	}
	if len(hardest.steps) == 0 {
		answer = game.NoSquare
	}
	return hardest, answer, found
}

// end returns the line without steps, which every model solves for certain.
func (j judge) end() line {
	solved := make([]chance, len(j.models))
	for i := range solved {
		solved[i] = certain
	}
	return line{solved: solved}
}

// start returns the position in which the line begins.
func (l line) start() game.Position { return l.steps[0].before }

// after returns the line that begins with a step and goes on with l.
func (l line) after(s step, models []model) line {
	before := line{steps: append([]step{s}, l.steps...), thought: l.thought, solved: make([]chance, len(models))}
	if !obvious(s.before) {
		before.thought++
	}
	for i, m := range models {
		before.solved[i] = l.solved[i].of(m.finds(s.before, s.right))
	}
	return before
}

// difficulty returns the chance that a model fails, as the mean over all models.
func (l line) difficulty() chance {
	var fails chance
	for _, c := range l.solved {
		fails += certain - c
	}
	return fails / chance(len(l.solved))
}

// image returns the line with every mark moved by the symmetry y.
func (l line) image(y game.Symmetry) line {
	steps := make([]step, len(l.steps))
	for i, s := range l.steps {
		rules := s.before.Rules()
		steps[i] = step{s.before.Image(y), rules.Image(s.right, y), game.NoSquare}
		if s.answer != game.NoSquare {
			steps[i].answer = rules.Image(s.answer, y)
		}
	}
	l.steps = steps
	return l
}

// decisions returns the steps with the judgement of all wrong moves.
func (j judge) decisions(l line) []decision {
	all := make([]decision, len(l.steps))
	for i, s := range l.steps {
		all[i] = decision{eval: j.solver.Eval(s.before), right: s.right, answer: s.answer}
		for _, move := range j.solver.Moves(s.before) {
			if move.Square == s.right {
				continue
			}
			if next, err := s.before.Play(move.Square); err == nil {
				all[i].misses = append(all[i].misses, miss{move.Square, move.Eval, j.punishing(next)})
			}
		}
	}
	return all
}

// punishing returns the best answer of the computer after a wrong move: it wins as fast as possible, or keeps the draw. Of several
// answers it gives the one that people understand best: an answer that blocks a line, or else the answer that makes the most threats.
func (j judge) punishing(p game.Position) game.Square {
	answer, most := game.NoSquare, -1
	for s := range j.solver.Best(p).All() {
		clear := 0
		if next, err := p.Play(s); err == nil {
			clear = next.Threats(p.Turn()).Len()
		}
		if p.Threats(p.Turn().Opponent()).Has(s) {
			clear += p.Rules().Squares()
		}
		if clear > most {
			answer, most = s, clear
		}
	}
	return answer
}
