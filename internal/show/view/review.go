package view

import (
	"cmp"
	"slices"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

const (
	// maxNoted is how many moves a review lists at most, so that in any language it fits into the 4000 characters of a message.
	maxNoted = 12
	// maxBetter is how many squares a review names at most as better than the played one.
	maxBetter = 5
	// fewCritical is the smallest number of critical moves for which a percentage makes sense.
	fewCritical = 2
	// maxJumps is how many moves have a button in a review at most.
	maxJumps = 3
)

// Reviewable reports whether a match can be reviewed. It must have ended with a result that counts, and have at least one move.
func Reviewable(m match.Match) bool { return m.Result.Counts() && m.Record.Len() > 0 }

// OfReview returns the review of a [Reviewable] match: the accuracy of both sides, the moves that mattered, and the board after the worst
// move. review is the review of the match's record. If the viewer is a player, a button lets the viewer try again from the viewer's own
// worst move.
func OfReview(m match.Match, review ai.Review, names Names, viewer match.User) Screen {
	s := Screen{
		Lines: []Text{
			T("review.title", seatsArgs(m, names)), resultText(m, names),
			accuracyText(game.X, names.Seat(m.Seats[0]), review), accuracyText(game.O, names.Seat(m.Seats[1]), review),
		},
	}
	s.Lines = append(s.Lines, forcedTexts(m, review, names)...)
	noted, more := gravest(review, maxNoted, func(ply int) bool { return gravity[review[ply].Grade] > 0 })
	s.Lines = append(s.Lines, verdict(m, review)...)
	for _, ply := range noted {
		s.Lines = append(s.Lines, remarkText(m, review, ply))
	}
	s.Lines = append(s.Lines, when(more > 0, T("review.more", Args{"PluralCount": more}))...)
	fine, unjudged := 0, 0
	for _, r := range review {
		switch {
		case r.Grade == ai.Unjudged:
			unjudged++
		case gravity[r.Grade] == 0:
			fine++
		}
	}
	s.Lines = append(s.Lines, when(fine > 0 && fine < len(review), T("review.fine", Args{"PluralCount": fine}))...)
	s.Lines = append(s.Lines, when(unjudged > 0, T("review.unjudged", Args{"PluralCount": unjudged}))...)
	note, shown := T("review.board.final", nil), len(review)
	if worst, _ := gravest(review, 1, func(ply int) bool { return lapsed(review[ply].Grade) }); len(worst) > 0 {
		note, shown = T("review.board.worst", Args{"N": worst[0] + 1}), worst[0]+1
	}
	s.showAfter(m, review, shown)
	s.Notes = []Text{note, T("review.critical", nil)}

	s.Buttons = []Button{{Do: Review{m.ID, 1}, Label: T("action.review.step", nil), Weight: Main}}
	// The first move has a button in any case.
	jumps, _ := gravest(review, maxJumps, func(ply int) bool { return ply > 0 && lapsed(review[ply].Grade) })
	for _, ply := range jumps {
		r := review[ply]
		s.Buttons = append(s.Buttons, Button{
			Do:    Review{m.ID, ply + 1},
			Label: T("action.review.move", Args{"N": ply + 1, "Square": squareName(m, r.Square)}),
			Mark:  r.Mark,
		})
	}
	own, _ := gravest(review, 1, func(ply int) bool { _, can := practiceFrom(m, review[ply], ply, viewer); return can })
	for _, ply := range own {
		again, _ := practiceFrom(m, review[ply], ply, viewer)
		s.Buttons = append(s.Buttons, Button{Do: again, Label: T("action.practice.move", Args{"N": ply + 1}), Weight: Good})
	}
	return s
}

func accuracyText(mark game.Mark, name any, review ai.Review) Text {
	a := review.Of(mark)
	args := Args{"Mark": Mark(mark), "Name": name, "Right": a.Critical - a.Errors, "Of": a.Critical}
	share, ok := a.Share()
	if !ok {
		return T("review.accuracy.none", args)
	}
	if a.Critical < fewCritical {
		return T("review.accuracy.few", args)
	}
	args["Percent"] = percentText(share)
	return T("review.accuracy", args)
}

// forcedTexts says who could have won by force: at the beginning, on boards where the first side can, and at the end of a match that was
// not ended by a line.
func forcedTexts(m match.Match, review ai.Review, names Names) []Text {
	var texts []Text
	first, last := review[0], review[len(review)-1]
	if first.Grade != ai.Unjudged && first.Best.Value == ai.Win {
		texts = append(texts, T("review.forced.start", Args{"Mark": Mark(first.Mark)}))
	}
	if m.Result.Cause == match.ByLine || m.Position().Legal() == 0 || last.Grade == ai.Unjudged {
		return texts
	}
	winner := last.Mark
	switch last.Played.Value {
	case ai.Draw:
		if m.Result.Cause == match.ByFullBoard {
			return texts // a draw by the ply limit that was right
		}
		return append(texts, T("review.forced.none", nil))
	case ai.Loss:
		winner = winner.Opponent()
	}
	return append(texts, T("review.forced.end", Args{"Mark": Mark(winner), "Name": names.Seat(m.Seats.Of(winner))}))
}

// verdict praises a match in which every move was as good as any. It returns nil if a move was not, or is unjudged. If the match was
// resigned or lost on time in a position that was not lost, it says that no move lost it.
func verdict(m match.Match, review ai.Review) []Text {
	last, winner := review[len(review)-1], m.Result.Outcome.Winner()
	lost := last.Played.Value == ai.Win && last.Mark == winner || last.Played.Value == ai.Loss && last.Mark != winner
	switch {
	case slices.ContainsFunc(review, func(r ai.Remark) bool { return lapsed(r.Grade) || r.Grade == ai.Unjudged }):
		return nil
	case !slices.ContainsFunc(review, func(r ai.Remark) bool { return r.Critical }):
		return []Text{T("review.early", nil)}
	case winner != game.None && m.Result.Cause != match.ByLine && !lost:
		return []Text{T("review.unlost", nil)}
	default:
		return []Text{T("review.flawless", nil)}
	}
}

// gravity says how instructive a move with a grade is. A review has no line about a move with 0.
var gravity = map[ai.Grade]int{
	ai.Blunder: 4, ai.MissedWin: 3, ai.LosingMove: 3, ai.SlowerWin: 2, ai.FasterLoss: 2, ai.OnlyMove: 1,
}

// lapsed reports whether the grade means that there was a better move.
func lapsed(g ai.Grade) bool { return gravity[g] > 1 }

// threwAway reports whether the grade means that the move gave a win or a draw away.
func threwAway(g ai.Grade) bool { return gravity[g] > 2 }

// gravest returns the plies of the moves for which of returns true, in the order of the game, but at most room of them. If there are more,
// it leaves out the least bad ones and returns how many these are.
func gravest(review ai.Review, room int, of func(ply int) bool) (plies []int, more int) {
	for ply := range review {
		if of(ply) {
			plies = append(plies, ply)
		}
	}
	slices.SortStableFunc(plies, func(a, b int) int { return gravity[review[b].Grade] - gravity[review[a].Grade] })
	more = max(0, len(plies)-room)
	plies = plies[:len(plies)-more]
	slices.Sort(plies)
	return plies, more
}

func squareName(m match.Match, s game.Square) string { return m.Position().Rules().Name(s) }

// remarkText returns a line about the move at a ply.
func remarkText(m match.Match, review ai.Review, ply int) Text {
	r := review[ply]
	return T("review.move", Args{
		"N": ply + 1, "Mark": Mark(r.Mark), "Square": squareName(m, r.Square), "Verdict": verdictText(m.Record.First(ply).Position(), r),
	})
}

// verdictText returns what a review says about a move in position p: the grade, the effect, the better squares, and why they are better.
func verdictText(p game.Position, r ai.Remark) Text {
	t := gradeText(r)
	if r.Better == 0 {
		return t
	}
	return betterText(p, r, t)
}

// grades has the key of the text about each grade. For an only move there are two.
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
