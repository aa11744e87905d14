package view

import (
	"cmp"
	"slices"
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

const (
	// maxBetter bounds the squares that are named as better than the one that was played.
	maxBetter = 5
	// fewCritical is the smallest number of critical moves for which a percentage makes sense.
	fewCritical = 2
	// maxJumps is how many moves have a button in a review at most.
	maxJumps = 3
	// barLength is the number of signs in a bar. It shows halves and thirds, and a phone has room for it beside a name.
	barLength = 6
)

// Reviewable reports whether a match can be reviewed. It must have ended with a result that counts, and have at least one move.
func Reviewable(m match.Match) bool { return m.Result.Counts() && m.Record.Len() > 0 }

// OfReview returns the review of a [Reviewable] match: the accuracy of both sides, one sentence on how it was decided, and the board after
// the move that decided it. review is the review of the match's record. A viewer who played can try again from their own worst move.
func OfReview(m match.Match, review ai.Review, names Names, viewer match.User) Screen {
	s := Screen{Lines: []Text{T("review.title", seatsArgs(m, names)), resultText(m, names)}}
	for _, mark := range []game.Mark{game.X, game.O} {
		s.Lines = append(s.Lines, accuracyText(mark, names.Seat(m.Seats.Of(mark)), review)...)
	}
	s.Buttons = []Button{{Do: Review{m.ID, 1}, Label: T("action.review.step", nil), Weight: Main}}
	decided := DecidingMove(m, review)
	if decided > 0 {
		r := review[decided-1]
		s.Lines = append(s.Lines, decidedText(m, r, decided, names))
		s.Buttons = append(s.Buttons, Button{Do: WentWrong{m.ID}, Label: T("action.wrong", nil), Mark: r.Mark})
		s.Notes = []Text{T("review.legend", nil)}
		s.showAfter(m, review, decided)
	} else {
		s.Lines = append(s.Lines, verdict(m, review, names)...)
		s.showAfter(m, nil, len(review))
	}
	unjudged := 0
	for _, r := range review {
		if r.Grade == ai.Unjudged {
			unjudged++
		}
	}
	s.Notes = append(s.Notes, when(unjudged > 0, T("review.unjudged", Args{"PluralCount": unjudged}))...)
	// Other buttons lead to the first and to the deciding move.
	jumps := gravest(review, maxJumps, func(ply int) bool { return ply > 0 && ply != decided-1 && lapsed(review[ply].Grade) })
	for _, ply := range jumps {
		r := review[ply]
		s.Buttons = append(s.Buttons, Button{
			Do:    Review{m.ID, ply + 1},
			Label: T("action.review.move", Args{"N": ply + 1, "Square": squareName(m, r.Square)}),
			Mark:  r.Mark,
		})
	}
	own := gravest(review, 1, func(ply int) bool { _, can := practiceFrom(m, review[ply], ply, viewer); return can })
	for _, ply := range own {
		again, _ := practiceFrom(m, review[ply], ply, viewer)
		s.Buttons = append(s.Buttons, Button{Do: again, Label: T("action.practice.move", Args{"N": ply + 1}), Weight: Good})
	}
	return s
}

// accuracyText returns the accuracy of a side as a bar. It returns nil if there were too few critical moves to tell, or none of them was
// right, which would only discourage.
func accuracyText(mark game.Mark, name any, review ai.Review) []Text {
	a := review.Of(mark)
	share, ok := a.Share()
	if !ok || a.Critical < fewCritical || share == 0 {
		return nil
	}
	full := max(1, int(share*barLength+0.01)) // full only if all were right
	bar := strings.Repeat("▰", full) + strings.Repeat("▱", barLength-full)
	return []Text{T("review.accuracy", Args{"Mark": Mark(mark), "Name": name, "Bar": bar, "Percent": percentText(share)})}
}

// DecidingMove returns the move, counted from 1, that decided a [Reviewable] match: the move that lost it or, in a draw, the last move that
// missed a win. It returns 0 if no move did, or if the match was resigned or lost on time without a lost position.
func DecidingMove(m match.Match, review ai.Review) int {
	if decided := losingMove(m, review); decided > 0 {
		if threwAway(review[decided-1].Grade) && !givenUp(m, review) {
			return decided
		}
		return 0
	}
	if m.Result.Outcome.Winner() != game.None {
		return 0
	}
	for ply, r := range slices.Backward(review) {
		if r.Grade == ai.MissedWin {
			return ply + 1
		}
	}
	return 0
}

// losingMove returns the move, counted from 1, that lost a match: the loser's last error that left a lost position, else the
// loser's worst move. It returns 0 if nobody lost, or the loser made no mistake.
func losingMove(m match.Match, review ai.Review) int {
	winner := m.Result.Outcome.Winner()
	if winner == game.None {
		return 0
	}
	for ply, r := range slices.Backward(review) {
		if r.Mark != winner && r.Grade.Error() && r.Played.Value == ai.Loss {
			return ply + 1
		}
	}
	worst := gravest(review, 1, func(ply int) bool { return review[ply].Mark != winner && lapsed(review[ply].Grade) })
	if len(worst) == 0 {
		return 0
	}
	return worst[0] + 1
}

// decidedText says in a sentence which move decided a match, and names the better squares.
func decidedText(m match.Match, r ai.Remark, move int, names Names) Text {
	return betterText(m.Record.First(move-1).Position(), r, T("review.decided", Args{
		"N": move, "Mark": Mark(r.Mark), "Name": names.Seat(m.Seats.Of(r.Mark)), "Square": squareName(m, r.Square),
	}))
}

// givenUp reports whether a match was resigned or lost on time without a lost position.
func givenUp(m match.Match, review ai.Review) bool {
	last, winner := review[len(review)-1], m.Result.Outcome.Winner()
	lost := last.Played.Value == ai.Win && last.Mark == winner || last.Played.Value == ai.Loss && last.Mark != winner
	return winner != game.None && m.Result.Cause != match.ByLine && !lost
}

// verdict says in a sentence how a match ended if no single move decided it. It returns nil if that is unknown.
func verdict(m match.Match, review ai.Review, names Names) []Text {
	first, last := review[0], review[len(review)-1]
	thrown := slices.ContainsFunc(review, func(r ai.Remark) bool { return threwAway(r.Grade) })
	over := m.Position().Legal() == 0 || m.Result.Cause == match.ByLine || m.Result.Cause == match.ByFullBoard
	switch {
	case len(review) == 1:
		return []Text{T("review.early", nil)}
	case first.Grade != ai.Unjudged && first.Best.Value == ai.Win && first.Mark == m.Result.Outcome.Winner() && !thrown:
		return []Text{T("review.forced.start", Args{"Mark": Mark(first.Mark)})}
	case !over && last.Grade != ai.Unjudged:
		return []Text{endedText(m, last, names)}
	case slices.ContainsFunc(review, func(r ai.Remark) bool { return r.Grade == ai.Unjudged }):
		return nil
	case slices.ContainsFunc(review, func(r ai.Remark) bool { return lapsed(r.Grade) }):
		return nil
	case !slices.ContainsFunc(review, func(r ai.Remark) bool { return r.Critical }):
		return []Text{T("review.early", nil)}
	}
	return []Text{T("review.flawless", nil)}
}

// endedText says who could have won by force at the end of a match that was not played out.
func endedText(m match.Match, last ai.Remark, names Names) Text {
	winner := last.Mark
	switch last.Played.Value {
	case ai.Draw:
		return T("review.forced.none", nil)
	case ai.Loss:
		winner = winner.Opponent()
	}
	return T("review.forced.end", Args{"Mark": Mark(winner), "Name": names.Seat(m.Seats.Of(winner))})
}

// gravity says how instructive a move with a grade is. A review has no line about a move whose grade has the gravity 0.
var gravity = map[ai.Grade]int{
	ai.Blunder: 4, ai.MissedWin: 3, ai.LosingMove: 3, ai.SlowerWin: 2, ai.FasterLoss: 2, ai.OnlyMove: 1,
}

// lapsed reports whether the grade means that there was a better move.
func lapsed(g ai.Grade) bool { return gravity[g] > 1 }

// threwAway reports whether the grade means that the move gave a win or a draw away.
func threwAway(g ai.Grade) bool { return gravity[g] > 2 }

// gravest returns the plies of the selected moves, in the order of the game. It returns at most as many as the argument room, and leaves
// out the least bad moves.
func gravest(review ai.Review, room int, of func(ply int) bool) (plies []int) {
	for ply := range review {
		if of(ply) {
			plies = append(plies, ply)
		}
	}
	slices.SortStableFunc(plies, func(a, b int) int { return gravity[review[b].Grade] - gravity[review[a].Grade] })
	plies = plies[:min(len(plies), room)]
	slices.Sort(plies)
	return plies
}

func squareName(m match.Match, s game.Square) string { return m.Position().Rules().Name(s) }

// verdictText words the grade of a move in p, its effect, the better squares, and why they are better.
func verdictText(p game.Position, r ai.Remark) Text {
	t := gradeText(r)
	if r.Better == 0 {
		return t
	}
	return betterText(p, r, t)
}

// grades has the key of the text about each grade. The grade OnlyMove has two keys, for a move that keeps a win and for one that keeps a
// draw; gradeText chooses between them.
var grades = map[ai.Grade]string{
	ai.Blunder: "grade.blunder", ai.MissedWin: "grade.missed", ai.LosingMove: "grade.losing", ai.SlowerWin: "grade.slower",
	ai.FasterLoss: "grade.faster", ai.OnlyMove: "grade.only.draw", ai.BestMove: "grade.best", ai.Unjudged: "grade.unjudged",
}

func gradeText(r ai.Remark) Text {
	key := cmp.Or(grades[r.Grade], "grade.none")
	if r.Grade == ai.OnlyMove && r.Best.Value == ai.Win {
		key = "grade.only.win"
	}
	// Plies are the moves of both sides, but people count only their own.
	return T(key, Args{"PluralCount": max(1, (r.Best.Plies-r.Played.Plies)/2, (r.Played.Plies-r.Best.Plies)/2)})
}
