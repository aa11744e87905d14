package view

import (
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Played returns the private answer to a move by command, which describes the position in words. If lost is true, the message of the board
// cannot be redrawn.
func Played(m match.Match, by match.User, names Names, lost bool) Screen {
	s := Screen{}
	if tally := m.Tally(); len(tally) > 0 { // the command was a vote that has not led to a move yet
		i := slices.IndexFunc(m.Votes, func(v match.Vote) bool { return v.By == by })
		s.Lines = []Text{
			T("crowd.voted", Args{"Square": m.Position().Rules().Name(m.Votes[i].Square), "Link": Link{T("games.link", nil), m.ID}}),
			T("crowd.turn.voting", Args{"Name": names.Seat(m.Turn()), "Mark": Mark(m.Position().Turn()), "Deadline": Moment(m.Deadline)}),
			votesText(m, tally),
		}
		return s
	}
	if played, ok := lastMoveText(m, names, by); ok {
		s.Lines = append(s.Lines, played)
	}
	link := Link{T("games.link", nil), m.ID}
	s.Notes = marksNotes(m, names)
	if m.Result.Over() {
		s.Tone = tone(m.Result)
		s.Lines = append(s.Lines, T("move.over", Args{"Result": resultText(m, names), "Link": link}))
		s.Notes = append(s.Notes, when(lost, T("move.lost.over", nil))...)
		return s
	}
	key := "move.theirs"
	if m.Turn().Player == by {
		key = "move.yours"
	}
	args := Args{"Name": names.Seat(m.Turn()), "Deadline": Moment(m.Deadline), "Link": link}
	if m.Seats.HasCrowd() {
		key, args["Mark"] = "crowd.turn", Mark(m.Position().Turn())
	}
	s.Lines = append(s.Lines, T(key, args))
	s.Notes = append(s.Notes, T("move.free", Args{"Squares": SquareNames(m.Position().Rules(), m.Position().Legal())}))
	s.Notes = append(s.Notes, vanishingNote(m.Position())...)
	if lost {
		s.Notes = append(s.Notes, T("move.lost", nil))
		s.Buttons = []Button{ShowHere(m.ID)}
	}
	return s
}

// ShowHere returns the button that moves the board of a match to the channel in which it is pressed.
func ShowHere(id match.ID) Button { return Button{Do: Show{id}, Label: T("action.show", nil)} }

// marksNotes returns notes that name the squares with marks of each side.
func marksNotes(m match.Match, names Names) (notes []Text) {
	p := m.Position()
	for _, mark := range []game.Mark{game.X, game.O} {
		if set := p.Marks(mark); set.Len() > 0 {
			squares := SquareNames(p.Rules(), set)
			notes = append(notes, T("move.marks", Args{"Mark": Mark(mark), "Name": names.Seat(m.Seats.Of(mark)), "Squares": squares}))
		}
	}
	return notes
}

// FreeSquares returns the names of the squares that can be played, as in "a2, a3, or b1".
func FreeSquares(m match.Match) Text { return AnySquare(m.Position().Rules(), m.Position().Legal()) }

// SquareNames returns the names of squares as in "a2, a3, b1".
func SquareNames(rules game.Rules, set game.Bitboard) Text {
	return inARow(slices.Collect(set.All()), rules.Name)
}

// AllSquares returns the names of squares as in "a2, a3, and b1".
func AllSquares(rules game.Rules, set game.Bitboard) Text {
	return listed("row.and", slices.Collect(set.All()), rules.Name)
}

// AnySquare returns the names of squares as in "a2, a3, or b1".
func AnySquare(rules game.Rules, set game.Bitboard) Text {
	return listed("row.or", slices.Collect(set.All()), rules.Name)
}

// AnyText lists texts as in "next, review, or quit".
func AnyText(texts ...Text) Text {
	return listed("row.or", texts, func(t Text) Text { return t })
}

// SquareName returns the name of a square with, if there is one, the word for its place on the board.
func SquareName(rules game.Rules, square game.Square) Text {
	name := rules.Name(square)
	if where := whereabouts(rules, square); where != "" {
		return T("move.square.where", Args{"Square": name, "Where": T(where, nil)})
	}
	return T("move.square", Args{"Square": name})
}

// whereabouts returns the key of the word for the place of a square, such as the centre, or nothing if there is no word. With gravity there
// is none, because players choose only a column.
func whereabouts(rules game.Rules, square game.Square) string {
	third := func(at, length int) int { // 0 at the beginning, 1 in the middle, 2 at the end, and -1 elsewhere
		switch {
		case at == 0:
			return 0
		case at == length-1:
			return 2
		case 2*at == length-1:
			return 1
		default:
			return -1
		}
	}
	width, height := rules.Width(), rules.Height()
	column, row := third(int(square)%width, width), third(int(square)/width, height)
	edge := (column == 1) != (row == 1)
	if rules.Gravity() || column < 0 || row < 0 || edge && (width != 3 || height != 3) {
		return ""
	}
	return [3][3]string{
		{"where.top.left", "where.top", "where.top.right"},
		{"where.left", "where.middle", "where.right"},
		{"where.bottom.left", "where.bottom", "where.bottom.right"},
	}[row][column]
}

// OpenMatch returns a line about an open match for one of its players: the opponent, the board, the number of the next move, and whether
// the match is shown here. number is the number of the match in the player's list, or 0 if the list has only this match.
func OpenMatch(number int, m match.Match, player match.User, names Names, here bool) Text {
	mark := m.Seats.Mark(player)
	if mark == game.None { // a crowd is to move
		mark = m.Position().Turn()
	}
	t := T("move.match", Args{
		"Opponent": names.Seat(m.Seats.Of(mark.Opponent())), "Board": RulesName(m.Position().Rules()), "N": m.Record.Len() + 1,
	})
	if here {
		t = T("move.match.here", Args{"Match": t})
	}
	if m.Turn().Player != player && !m.Seats.HasCrowd() {
		t = T("move.match.waiting", Args{"Match": t})
	}
	if number > 0 {
		t = T("games.numbered", Args{"N": number, "Match": t})
	}
	return t
}
