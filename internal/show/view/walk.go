package view

import (
	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// OfPosition returns the position of a match after the given number of moves, with buttons to other positions. After the last move of a
// match whose board has shrunk, it also has the buttons for a rematch, if the viewer is a player. A number below 0 means the
// empty board, and a number that is too large means the last position. With a review of the match's record, the screen also judges the last
// of these moves; if the viewer gave a win or a draw away with that move, a button lets the viewer try again. The review is ignored if the
// match is not [Reviewable], because it would help the players of a match in progress.
func OfPosition(m match.Match, review ai.Review, move int, names Names, viewer match.User) Screen {
	if !Reviewable(m) {
		review = nil
	}
	move = max(0, min(move, m.Record.Len()))
	s := Screen{Buttons: walkButtons(m, move)}
	s.showAfter(m, review, move)
	s.Buttons = append(s.Buttons, when(review != nil, Button{Do: Review{Match: m.ID}, Label: T("action.review.all", nil)})...)
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
	s.Buttons = append(s.Buttons, when(review != nil, shareButton(m))...)
	if m.Small && move == m.Record.Len() && (m.Seats.HasCrowd() || m.Seats.Mark(viewer) != game.None) { // the public message has no room for this
		offer, buttons := rematch(m, names)
		s.Notes, s.Buttons = append(s.Notes, offer...), append(s.Buttons, buttons...)
	}
	s.Lines = append(s.Lines, prospectText(m, review, move, names)...)
	s.Notes = append(s.Notes, inSeries(m.BestOf, titleNote(m, names)))
	return s
}

// walkButtons returns the buttons that lead from one position of a match to others. Two of them may lead to the same position.
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

// moveMadeText says who made the move with the given number, counted from 1.
func moveMadeText(m match.Match, move int, names Names) Text {
	mark := m.Record.First(move - 1).Position().Turn()
	return T("walk.move", Args{
		"N": move, "Of": m.Record.Len(), "Mark": Mark(mark), "Name": names.Seat(m.Seats.Of(mark)),
		"Square": squareName(m, m.Record.Square(move-1)),
	})
}

// prospectText says who wins by best play after a move, if the review knows that. After the last move it says how the match ended, or whose
// turn it is.
func prospectText(m match.Match, review ai.Review, move int, names Names) []Text {
	switch {
	case move == m.Record.Len() && m.Result.Over():
		return []Text{resultText(m, names)}
	case move == m.Record.Len():
		return []Text{T("match.turn.untimed", Args{"Name": names.Seat(m.Turn()), "Mark": Mark(m.Position().Turn())})}
	case review == nil:
		return nil
	}
	r := review[max(0, move-1)]
	value, winner := r.Played.Value, r.Mark
	if move == 0 {
		value = r.Best.Value
	}
	switch {
	case r.Grade == ai.Unjudged:
		return nil
	case value == ai.Draw:
		return []Text{T("review.worth.draw", nil)}
	case value == ai.Loss:
		winner = winner.Opponent()
	}
	return []Text{T("review.worth.win", Args{"Mark": Mark(winner), "Name": names.Seat(m.Seats.Of(winner))})}
}

// titleNote returns a note that names a match, with a link to the message that shows it.
func titleNote(m match.Match, names Names) Text {
	at := m.Ended
	if !m.Result.Over() {
		at = m.Created
	}
	return T("walk.match", Args{
		"Link": Link{T("walk.seats", seatsArgs(m, names)), m.ID}, "Board": RulesName(m.Position().Rules()), "Date": Date(at), "ID": string(m.ID),
	})
}

// seatsArgs returns the arguments of a text that names both sides.
func seatsArgs(m match.Match, names Names) Args {
	return Args{"X": names.Seat(m.Seats[0]), "O": names.Seat(m.Seats[1]), "MarkX": Mark(game.X), "MarkO": Mark(game.O)}
}

// showAfter adds the board after a number of moves to the screen, without buttons. With a review, stars mark the squares that would have
// been better than the last of these moves.
func (s *Screen) showAfter(m match.Match, review ai.Review, move int) {
	s.Cells, s.Columns, s.Small = cells(m.Record.First(move), true), m.Position().Rules().Width(), true
	if review == nil || move == 0 {
		return
	}
	for i := range s.Cells {
		s.Cells[i].Better = review[move-1].Better.Has(game.Square(i))
	}
}
