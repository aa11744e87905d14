package view

import (
	"strings"

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
	s := Screen{Lines: []Text{T("lesson.title", Args{"Square": squareName(m, r.Square)}), verdictText(m, r)}}
	if kept := r.Kept.Len(); !m.Result.Over() && r.Critical && !r.Grade.Error() && kept > 0 && kept <= maxKept {
		s.Lines = append(s.Lines, keptText(m, r))
	}
	for ply := own + 1; ply < m.Record.Len(); ply++ {
		square := m.Record.Square(ply)
		why, ok := Reason(m.Record.First(ply).Position(), square)
		if !ok && review != nil && review[ply].Critical {
			why, ok = Worth(review[ply].Best.Value), true
		}
		s.Lines = append(s.Lines, Explained(names.Seat(m.Seats.Of(mark.Opponent())), m.Position().Rules(), square, why, ok))
	}
	if m.Result.Over() {
		s.Lines = append(s.Lines, resultText(m, names))
		if review != nil {
			s.Lines = append(s.Lines, accuracyText(mark, names.Seat(m.Seats.Of(mark)), review))
		}
	}
	return s
}

// keptText names the squares that were as good as the one that was played.
func keptText(m match.Match, r ai.Remark) Text {
	args := Args{"Squares": squareNames(m.Position().Rules(), r.Kept), "PluralCount": r.Kept.Len()}
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

// Worth says what the best move does in a position that is not lost.
func Worth(v ai.Value) Text {
	if v == ai.Win {
		return T("lesson.reason.forced", nil)
	}
	return T("lesson.reason.holds", nil)
}

// Reason says why to play a square, and which threats that makes. It reports false if there is no reason at first sight.
func Reason(p game.Position, square game.Square) (Text, bool) {
	args := Args{}
	if next, err := p.Play(square); err == nil {
		args["Squares"] = Spaced(p.Rules(), next.Threats(p.Turn()))
	}
	switch ai.ReasonFor(p, square) {
	case ai.Wins:
		return T("lesson.reason.wins", nil), true
	case ai.Blocks:
		return T("lesson.reason.blocks", nil), true
	case ai.Forks:
		return T("lesson.reason.forks", args), true
	case ai.Threatens:
		return T("lesson.reason.threatens", args), true
	default:
		return Text{}, false
	}
}

// Spaced are the names of squares with spaces between them.
func Spaced(rules game.Rules, set game.Bitboard) string {
	var names []string
	for s := range set.All() {
		names = append(names, rules.Name(s))
	}
	return strings.Join(names, " ")
}
