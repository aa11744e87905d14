package view

import (
	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// OfPosition shows a match after its first `move` moves, with buttons to other positions; `move` is brought between 0, the empty board,
// and the latest. With a review of the match's record it says what that move was worth, and a viewer who threw something away with it
// can try again. The review is ignored unless the match is [Reviewable]: during a match it would play for somebody.
func OfPosition(m match.Match, review ai.Review, move int, names Names, viewer match.User) Screen {
	if !Reviewable(m) {
		review = nil
	}
	move = max(0, min(move, m.Record.Len()))
	s := Screen{Buttons: walkButtons(m, move)}
	s.showAfter(m, review, move)
	if review != nil {
		s.Buttons = append(s.Buttons, Button{Do: Review{Match: m.ID}, Label: T("action.review.all", nil)})
	}
	switch {
	case move == 0:
		s.Lines = []Text{T("walk.start", seatsArgs(m, names))}
	case review == nil:
		s.Lines = []Text{moveMadeText(m, move, names)}
	default:
		r, before := review[move-1], m.Record.First(move-1).Position()
		s.Lines = []Text{moveMadeText(m, move, names), verdictText(before, r)}
		if harm, ok := Harm(before, r); ok {
			s.Lines = append(s.Lines, harm)
		}
		if r.Better != 0 {
			s.Notes = []Text{T("review.legend", nil)}
		}
		if again, ok := practiceFrom(m, r, move-1, viewer); ok {
			s.Buttons = append(s.Buttons, Button{Do: again, Label: T("action.practice", nil), Weight: Good})
		}
	}
	if review != nil {
		s.Buttons = append(s.Buttons, Button{Do: Share{m.ID, ShareAnimation}, Label: T("action.share", nil)})
	}
	s.Lines = append(s.Lines, prospectText(m, review, move, names)...)
	s.Notes = append(s.Notes, titleNote(m, names))
	return s
}

// walkButtons lead from one position of a match to others. Two of them may lead to the same.
func walkButtons(m match.Match, move int) []Button {
	last := m.Record.Len()
	button := func(to int, way Way, weight Weight, here bool) Button {
		return Button{Do: Walk{m.ID, to, way}, Label: T("action.walk."+string(way), nil), Weight: weight, Disabled: here}
	}
	return []Button{
		button(0, ToFirst, Plain, move == 0), button(max(0, move-1), ToPrevious, Plain, move == 0),
		button(min(last, move+1), ToNext, Main, move == last), button(last, ToLast, Plain, move == last),
	}
}

// moveMadeText says who made that move, counted from 1.
func moveMadeText(m match.Match, move int, names Names) Text {
	mark := m.Record.First(move - 1).Position().Turn()
	return T("walk.move", Args{
		"N": move, "Of": m.Record.Len(), "Mark": Mark(mark), "Name": names.Seat(m.Seats.Of(mark)),
		"Square": squareName(m, m.Record.Square(move-1)),
	})
}

// prospectText says how things stand after that move: who wins by best play as far as a review knows it, and after the last move how
// the match has ended, or whose turn it is.
func prospectText(m match.Match, review ai.Review, move int, names Names) []Text {
	switch {
	case move == m.Record.Len() && m.Result.Over():
		return []Text{resultText(m, names)}
	case move == m.Record.Len():
		turn := m.Position().Turn()
		return []Text{T("match.turn.untimed", Args{"Name": names.Seat(m.Turn()), "Mark": Mark(turn)})}
	case review == nil:
		return nil
	case move == 0:
		return worthText(m, review[0], review[0].Best.Value, names)
	default:
		return worthText(m, review[move-1], review[move-1].Played.Value, names)
	}
}

// worthText says what comes of best play by both where the value is that for the side of the remark.
func worthText(m match.Match, r ai.Remark, v ai.Value, names Names) []Text {
	if r.Grade == ai.Unjudged {
		return nil
	}
	winner := r.Mark
	switch v {
	case ai.Draw:
		return []Text{T("review.worth.draw", nil)}
	case ai.Loss:
		winner = winner.Opponent()
	}
	return []Text{T("review.worth.win", Args{"Mark": Mark(winner), "Name": names.Seat(m.Seats.Of(winner))})}
}

// titleNote says which match it is, and leads to the message that shows it.
func titleNote(m match.Match, names Names) Text {
	at := m.Ended
	if !m.Result.Over() {
		at = m.Created
	}
	return T("walk.match", Args{
		"Link": Link{T("walk.seats", seatsArgs(m, names)), m.ID}, "Board": RulesName(m.Position().Rules()), "Date": Date(at), "ID": string(m.ID),
	})
}

// seatsArgs are the arguments of a text that names both sides.
func seatsArgs(m match.Match, names Names) Args {
	return Args{"X": names.Seat(m.Seats[0]), "O": names.Seat(m.Seats[1]), "MarkX": Mark(game.X), "MarkO": Mark(game.O)}
}

// showAfter draws the board after that many moves, only to be looked at. If a review is there, stars mark the squares that would have
// been better than the last of them.
func (s *Screen) showAfter(m match.Match, review ai.Review, move int) {
	s.Cells, s.Columns, s.Small = cells(m.Record.First(move), true), m.Position().Rules().Width(), true
	if review == nil || move == 0 {
		return
	}
	for i := range s.Cells {
		s.Cells[i].Better = review[move-1].Better.Has(game.Square(i))
	}
}
