package view

import (
	"errors"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// maxPractised is the maximum number of moves of a practice game, because a custom_id must hold them. Only a game with vanishing marks can
// get that long, and then it is a draw.
const maxPractised = 32

// Aim is the result that the player should reach in a practice game. Its values are in custom_ids and must not change.
type Aim string

// The aims.
const (
	AimWin  Aim = "win"
	AimDraw Aim = "draw"
)

// Moves are the played squares in order, with a letter for each; a is the first square of the board.
type Moves string

// After returns the practice game with one more move.
func (a Practice) After(s game.Square) Practice {
	a.Moves += Moves(rune('a' + s))
	return a
}

// restart returns the practice game without its moves.
func (a Practice) restart() Practice { return Practice{Match: a.Match, From: a.From, Aim: a.Aim} }

// Replay returns the game so far: the moves of the match up to the position, and the moves of the practice game. It drops moves
// after the end of the game, because squares of the final line can still be pressed. The error is a [*game.IllegalMoveError] if a
// move is illegal, and another error if there is nothing to practise.
func (a Practice) Replay(m match.Match) (Practice, game.Record, error) {
	if !Reviewable(m) || a.From >= m.Record.Len() {
		return a, game.Record{}, errors.New("there is no such practice game")
	}
	moves, r := a.Moves, m.Record.First(a.From)
	for a = a.restart(); len(moves) > len(a.Moves) && !a.Over(r); {
		s := game.Square(moves[len(a.Moves)] - 'a')
		if p := r.Position(); p.Marks(game.None).Has(s) {
			s = p.Landing(s)
		}
		next, err := r.Play(s)
		if err != nil {
			return a, r, err
		}
		a, r = a.After(s), next
	}
	return a, r, nil
}

// Over reports whether the practice game with this record is over.
func (a Practice) Over(r game.Record) bool {
	return r.Outcome() != game.InProgress || len(a.Moves) >= maxPractised
}

// OfPractice returns the board of a practice game and, at the end, the result. Only the player sees it, and it is not stored.
func OfPractice(m match.Match, a Practice, r game.Record) Screen {
	own, over := m.Record.First(a.From).Position().Turn(), a.Over(r)
	s := Screen{
		Tone:     practiceTone(a, r, own),
		Lines:    []Text{T("practice.title", Args{"N": a.From + 1, "Mark": Mark(own)}), practiceText(a, r, own)},
		Cells:    cells(r, over),
		Columns:  r.Position().Rules().Width(),
		Match:    m.ID,
		Ply:      r.Len(),
		Practice: &a,
		Notes:    rulesNote(r.Position().Rules()),
	}
	s.Notes = append(s.Notes, when(!over, vanishingNote(r.Position())...)...)
	s.Notes = append(s.Notes, T("practice.note", nil))
	s.Buttons = append(s.Buttons, when(a.Moves != "", Button{Do: a.restart(), Label: T("action.practice.again", nil), Weight: Main})...)
	s.Buttons = append(s.Buttons, Button{Do: Review{m.ID, a.From + 1}, Label: T("action.practice.back", nil)})
	return s
}

func practiceTone(a Practice, r game.Record, own game.Mark) Tone {
	switch {
	case !a.Over(r):
		return Neutral
	case r.Outcome().Winner() == own:
		return Won
	case r.Outcome().Winner() == game.None:
		return Drawn
	default:
		return Closed
	}
}

// practiceText says what the player should do, or how the practice game ended.
func practiceText(a Practice, r game.Record, own game.Mark) Text {
	switch winner := r.Outcome().Winner(); {
	case winner == own:
		return T("practice.won", nil)
	case winner != game.None:
		return T("practice.lost."+string(a.Aim), nil)
	case a.Over(r):
		return T("practice.drawn."+string(a.Aim), nil)
	case a.Moves == "":
		return T("practice.aim."+string(a.Aim), nil)
	default:
		return T("practice.turn", Args{"Square": r.Position().Rules().Name(r.Square(r.Len() - 1))})
	}
}

// practiceFrom returns the practice game that begins before the move at the given ply. It returns false unless the viewer made the move and
// gave a win or a draw away with it.
func practiceFrom(m match.Match, r ai.Remark, ply int, viewer match.User) (Practice, bool) {
	aim := AimDraw
	if r.Best.Value == ai.Win {
		aim = AimWin
	}
	own := r.Mark == m.Seats.Mark(viewer)
	return Practice{Match: m.ID, From: ply, Aim: aim}, own && threwAway(r.Grade)
}
