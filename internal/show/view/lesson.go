package view

import (
	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// maxKept is the maximum number of equally good squares that the teacher names. The teacher is the computer of the level "teacher".
const maxKept = 3

// Teaches reports whether the computer in a match explains each move to its opponent.
func Teaches(m match.Match) bool { return m.Seats.Level() == ai.Teacher.String() }

// OfLesson returns what the teacher says about a player's last move and the computer's answer and, at the end of the match, how many of the
// critical moves were right. review is the review of the match's record, or nil if there was no time for one.
func OfLesson(m match.Match, by match.User, review ai.Review, names Names) Screen {
	mark := m.Seats.Mark(by)
	own := m.Record.Len() - 1
	for m.Record.First(own).Position().Turn() != mark {
		own-- // does not go below 0, because the player has moved
	}
	r := ai.Remark{Mark: mark, Square: m.Record.Square(own), Grade: ai.Unjudged}
	if review != nil {
		r = review[own]
	}
	before := m.Record.First(own).Position()
	s := Screen{Lines: []Text{T("lesson.title", Args{"Square": squareName(m, r.Square)}), verdictText(before, r)}}
	if harm, ok := Harm(before, r); ok {
		s.Lines = append(s.Lines, harm)
	}
	if kept := r.Kept.Len(); !m.Result.Over() && r.Critical && !r.Grade.Error() && kept > 0 && kept <= maxKept {
		s.Lines = append(s.Lines, keptText(m, r))
	}
	for ply := own + 1; ply < m.Record.Len(); ply++ {
		square := m.Record.Square(ply)
		before := m.Record.First(ply).Position()
		why, ok := ReasonFor(before, square)
		if review != nil && review[ply].Grade != ai.Unjudged {
			why, ok = Why(review[ply].Advice().Reason(before), before.Rules())
		}
		s.Lines = append(s.Lines, Explained(names.Seat(m.Seats.Of(mark.Opponent())), before.Rules(), square, why, ok))
	}
	if m.Result.Over() {
		s.Lines = append(s.Lines, resultText(m, names))
		s.Lines = append(s.Lines, accuracyText(mark, names.Seat(m.Seats.Of(mark)), review)...)
	}
	return s
}

// keptText names the squares that were as good as the played one. In a lost position it names none, because no move is critical.
func keptText(m match.Match, r ai.Remark) Text {
	key := "lesson.kept.draw"
	if r.Best.Value == ai.Win {
		key = "lesson.kept.win"
	}
	return T(key, Args{"Squares": AllSquares(m.Position().Rules(), r.Kept), "PluralCount": r.Kept.Len()})
}

// Explained says where a player has moved and, if reason is set, why.
func Explained(name any, rules game.Rules, square game.Square, why Text, reason bool) Text {
	return withReason(why, reason, "lesson.played", Args{"Name": name, "Square": rules.Name(square)})
}
