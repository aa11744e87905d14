package view

import (
	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// maxKept bounds the squares that a lesson names as just as good.
const maxKept = 3

// Teaches tells whether the computer in a match explains to its opponent what each move meant.
func Teaches(m match.Match) bool { return m.Seats.Level() == ai.Teacher.String() }

// OfLesson tells a player what the own last move was worth and why the computer has answered as it did, and at the end how many of
// the moves that mattered were right. The review is that of the match's record, or nil where there was no time for one.
func OfLesson(m match.Match, by match.User, review ai.Review, names Names) Screen {
	mark := m.Seats.Mark(by)
	own := m.Record.Len() - 1
	for m.Record.First(own).Position().Turn() != mark {
		own-- // there is one, for the player has moved
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
		s.Lines = append(s.Lines, when(review != nil, accuracyText(mark, names.Seat(m.Seats.Of(mark)), review))...)
	}
	return s
}

// keptText names the squares that were as good as the one that was played.
func keptText(m match.Match, r ai.Remark) Text {
	args := Args{"Squares": SquareNames(m.Position().Rules(), r.Kept), "PluralCount": r.Kept.Len()}
	if r.Best.Value == ai.Win {
		return T("lesson.kept.win", args)
	}
	return T("lesson.kept.draw", args) // in a lost position no move is critical
}

// Explained says where somebody has played, and why if there is a reason.
func Explained(name any, rules game.Rules, square game.Square, why Text, reason bool) Text {
	args := Args{"Name": name, "Square": rules.Name(square)}
	if !reason {
		return T("lesson.played", args)
	}
	args["Why"] = why
	return T("lesson.played.why", args)
}
