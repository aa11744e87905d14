package ai

import (
	"context"
	"slices"

	"tictactoe/game"
)

// Grade is the quality of a move.
type Grade uint8

// The grades of a move.
const (
	Ungraded   Grade = iota // all legal moves were equally good
	OnlyMove                // no other move kept the value
	BestMove                // the move kept the value, and no move wins faster or loses slower
	SlowerWin               // an inaccuracy: the game is still won, but later
	FasterLoss              // an inaccuracy: the game was lost anyway, but is lost sooner
	MissedWin               // a mistake: the move turned a win into a draw
	LosingMove              // a mistake: the move turned a draw into a loss
	Blunder                 // the move turned a win into a loss
	Unjudged                // there was no time to judge the move
)

// Error reports whether the move cost value: a mistake or a blunder.
func (g Grade) Error() bool { return g == MissedWin || g == LosingMove || g == Blunder }

// String returns the name of the grade, such as "only move" or "missed win", or the empty string for Ungraded.
func (g Grade) String() string {
	return nameOf(g, "", "only move", "best", "slower win", "faster loss", "missed win", "losing move", "blunder", "not judged")
}

// nameOf returns the name of a number, or the first name if it has none.
func nameOf[T ~uint8](n T, names ...string) string {
	if int(n) >= len(names) {
		return names[0]
	}
	return names[n]
}

// Remark is the judgement of one move of a game. If the move is [Unjudged], only Mark and Square are set.
type Remark struct {
	Mark   game.Mark // the side that moved
	Square game.Square
	Grade  Grade
	Best   Eval // the evaluation of the position for the side that moved
	Played Eval // the evaluation of the move for the same side
	// Better is the set of best squares if the move was an inaccuracy, a mistake or a blunder. Otherwise it is empty.
	Better game.Bitboard
	// Kept is the set of other squares that kept the value of the position.
	Kept game.Bitboard
	// Critical reports whether some legal move would have cost value.
	Critical bool
}

// Review is the judgement of a game, move by move.
type Review []Remark

// Review goes through a game, which may still be running. It panics if the game is of other rules.
func (s *Solver) Review(record game.Record) Review {
	return s.ReviewWithin(context.Background(), record)
}

// ReviewWithin is like [Solver.Review], but ends with the context. It begins with the last move, because the last position takes
// the least work and its result helps with the earlier ones; the moves that it does not reach are [Unjudged]. A second call gets
// further, since the solver caches the results of the first. It panics if the game is of other rules.
func (s *Solver) ReviewWithin(ctx context.Context, record game.Record) Review {
	review := make(Review, record.Len())
	for ply, square := range slices.Backward(record.Squares()) {
		review[ply] = s.remark(ctx, record.First(ply).Position(), square)
	}
	return review
}

// remark returns the remark on a legal move in p.
func (s *Solver) remark(ctx context.Context, p game.Position, square game.Square) Remark {
	r := Remark{Mark: p.Turn(), Square: square, Grade: Unjudged}
	advice, moves, ok := s.advise(ctx, p)
	if !ok {
		return r
	}
	same := true
	for _, m := range moves {
		if m.Square == square {
			r.Played = m.Eval
		}
		same = same && m.Eval == moves[0].Eval
	}
	r.Best, r.Critical, r.Kept = advice.Eval, advice.Holding != p.Legal(), advice.Holding&^game.SetOf(square)
	switch {
	case same:
		r.Grade = Ungraded
	case advice.Squares.Has(square) && r.Kept == 0:
		r.Grade = OnlyMove
	case advice.Squares.Has(square):
		r.Grade = BestMove
	default:
		r.Grade, r.Better = lapse(r.Best.Value, r.Played.Value), advice.Squares
	}
	return r
}

// MovesWithin is like [Solver.Moves], but stops when the context ends, and returns only the moves that are evaluated by then. A second
// call gets further, since the solver caches the results of the first. It panics if p is of other rules.
func (s *Solver) MovesWithin(ctx context.Context, p game.Position) (moves []MoveEval) {
	for to, next := range p.Moves() {
		if eval, ok := s.evalWithin(ctx, next); ok {
			moves = append(moves, MoveEval{to, eval.beforeMove()})
		}
	}
	return moves
}

// advise returns the advice for p and the evaluations of all legal moves. It reports false if the context ends before they are known.
func (s *Solver) advise(ctx context.Context, p game.Position) (a Advice, moves []MoveEval, ok bool) {
	if a.Eval, ok = s.evalWithin(ctx, p); !ok {
		return Advice{}, nil, false
	}
	for to, next := range p.Moves() {
		eval, ok := s.evalWithin(ctx, next)
		if !ok {
			return Advice{}, nil, false
		}
		move := MoveEval{to, eval.beforeMove()}
		moves = append(moves, move)
		if move.Eval == a.Eval {
			a.Squares |= game.SetOf(to)
		}
		if move.Eval.Value == a.Eval.Value {
			a.Holding |= game.SetOf(to)
		}
	}
	return a, moves, true
}

// lapse grades a move that was not the best, by the value of the position before and after it.
func lapse(before, after Value) Grade {
	switch {
	case before == Win && after == Win:
		return SlowerWin
	case before == Loss:
		return FasterLoss
	case before == Win && after == Draw:
		return MissedWin
	case before == Draw:
		return LosingMove
	default:
		return Blunder
	}
}

// Accuracy counts the decisions in which an error was possible, and the errors that were made in them.
type Accuracy struct{ Critical, Errors int }

// Of returns the accuracy of one side.
func (review Review) Of(m game.Mark) Accuracy {
	var a Accuracy
	for _, r := range review {
		if r.Mark != m || !r.Critical {
			continue
		}
		a.Critical++
		if r.Grade.Error() {
			a.Errors++
		}
	}
	return a
}

// Share returns the share of critical decisions that were made without an error, and false if none was critical.
func (a Accuracy) Share() (float64, bool) {
	if a.Critical == 0 {
		return 0, false
	}
	return 1 - float64(a.Errors)/float64(a.Critical), true
}
