package profile

import (
	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// Side is the verdict on one side of a match.
type Side struct {
	Critical int // how many moves were critical: another move would have cost a win or a draw
	Errors   int // how many critical moves were errors
	// Recovered reports whether the side came back: it got from a position that was not lost into a lost position, and its last
	// position was not lost.
	Recovered bool
}

// Verdict is the stored summary of the review of an ended match.
type Verdict struct {
	Match  match.ID
	Judged bool    // every move was judged; otherwise Sides is empty
	Sides  [2]Side // X, O
}

// Judge returns the verdict on a match from the review of its record.
func Judge(m match.Match, review ai.Review) Verdict {
	v := Verdict{Match: m.ID, Judged: true}
	for _, r := range review {
		if r.Grade == ai.Unjudged {
			return Verdict{Match: m.ID}
		}
	}
	for i, mark := range []game.Mark{game.X, game.O} {
		a := review.Of(mark)
		v.Sides[i] = Side{a.Critical, a.Errors, wasLost(review, mark) && !endsLost(m.Record, review, mark)}
	}
	return v
}

// wasLost reports whether a side got from a position that was not lost into a position with only losing moves.
func wasLost(review ai.Review, mark game.Mark) bool {
	stood := false
	for _, r := range review {
		switch {
		case r.Mark != mark:
		case r.Best.Value > ai.Loss:
			stood = true
		case stood:
			return true
		}
	}
	return false
}

// endsLost reports whether a side has lost in the last position, or would lose if both sides played their best moves.
func endsLost(record game.Record, review ai.Review, mark game.Mark) bool {
	if outcome := record.Outcome(); outcome != game.InProgress || len(review) == 0 {
		return outcome.Winner() == mark.Opponent()
	}
	last := review[len(review)-1]
	if last.Mark == mark {
		return last.Played.Value == ai.Loss
	}
	return last.Played.Value == ai.Win
}

const (
	// MinReviewed is the least number of reviewed matches for which an accuracy is shown: with fewer matches it says little.
	MinReviewed = 10
	// MinCritical is the least number of critical moves in a perfect match. On the classic board only O can have as many.
	MinCritical = 4
)

// Judged is the sum of the verdicts on a player's matches.
type Judged struct {
	Matches   int `json:"matches"`         // matches in which the player made a critical move
	Critical  int `json:"critical_moves"`  // critical moves of the player
	Errors    int `json:"errors"`          // critical moves that were errors
	Perfect   int `json:"perfect_matches"` // matches not lost, with [MinCritical] critical moves or more and without an error
	Comebacks int `json:"comebacks"`       // matches not lost, in which the player recovered
}

// Plus returns the sum of j and other.
func (j Judged) Plus(other Judged) Judged {
	return Judged{
		j.Matches + other.Matches, j.Critical + other.Critical, j.Errors + other.Errors,
		j.Perfect + other.Perfect, j.Comebacks + other.Comebacks,
	}
}

// Accuracy returns the share of the critical moves that cost nothing, and false if there are too few matches to tell.
func (j Judged) Accuracy() (float64, bool) {
	if j.Matches < MinReviewed {
		return 0, false
	}
	return ai.Accuracy{Critical: j.Critical, Errors: j.Errors}.Share()
}
