package match

import (
	"time"

	"tictactoe/game"
)

// WishKind says what a player asked the other for, or that the other declined it.
type WishKind uint8

// The kinds of wishes.
const (
	NoWish WishKind = iota
	WishDraw
	WishBack // to take back the player's last move, and what followed it
	WishDeclined
)

// Wish is the latest wish of a match between people. It is open until the other player answers or the next move is made; only an offered
// draw outlasts a move of the player who offers it. That follows from the ply, so a move changes no wish.
type Wish struct {
	Kind WishKind
	By   game.Mark // who asked
	Ply  int       // the number of moves when the player asked or, if it is declined, when that happened
}

// OpenWish returns the wish that waits for an answer, or the zero value.
func (m Match) OpenWish() Wish {
	moved := m.Record.Len() - m.Wish.Ply
	offererMoved := moved == 1 && m.Wish.Kind == WishDraw && m.Wish.By != m.Position().Turn()
	if m.Result.Over() || m.Wish.Kind == WishDeclined || moved > 0 && !offererMoved {
		return Wish{}
	}
	return m.Wish
}

// Stage numbers the boards of a match, for buttons that are made for one position: it is the number of moves, and each take-back adds
// more than a match can have. So a number never stands for two positions, and a late click is never played on another position.
func (m Match) Stage() int { return m.Record.Len() + m.Backs*(game.MaxPlies+1) }

// MayWish reports whether the match has room for a wish of the kind: it goes on between two people who have both moved, nobody has
// asked since the latest move, and to take a move back, the match must not count for ratings. In an arena there are no wishes, so that nobody
// can arrange a draw.
func (m Match) MayWish(kind WishKind) bool {
	asked := m.OpenWish() != Wish{} || m.Wish.Kind == WishDeclined && m.Wish.Ply == m.Record.Len()
	fits := kind == WishDraw || kind == WishBack && !m.Stakes.Counts()
	return fits && !asked && m.Arena == "" && !m.Result.Over() && !m.Aborts() && m.Seats.People() && !m.Seats.Left()
}

// AskWish returns the match after a player has asked the other for a draw or to take back a move, on a board of the given stage.
// A player can ask once after each own move. Refusals: Stranger, Finished, TimeUp, Stale, AskedAlready.
func (m Match) AskWish(by User, stage int, kind WishKind, at time.Time) (Match, error) {
	reason := m.notOpen(by, at)
	mark := m.Seats.Mark(by)
	switch {
	case reason != "":
	case stage != m.Stage() || !m.MayWish(kind):
		reason = Stale
	case m.Wish.By == mark && ownMoves(mark, m.Wish.Ply) == ownMoves(mark, m.Record.Len()):
		reason = AskedAlready
	}
	if reason != "" {
		return m, m.refuse(reason)
	}
	m.Wish = Wish{kind, mark, m.Record.Len()}
	m.Version++
	return m, nil
}

// AnswerWish returns the match after the asked player has agreed to the open wish or declined it, on a board of the given stage: a
// stage has at most one wish. A draw ends the match. A take-back removes the last move of the player who asked and what followed it;
// that player is to move, and the turn begins anew. Refusals: Stranger, Finished, TimeUp, Stale, OwnWish.
func (m Match) AnswerWish(by User, stage int, agrees bool, at time.Time) (Match, error) {
	wish, reason := m.OpenWish(), m.notOpen(by, at)
	switch {
	case reason != "":
	case stage != m.Stage() || wish.Kind == NoWish:
		reason = Stale
	case wish.By == m.Seats.Mark(by):
		reason = OwnWish
	}
	if reason != "" {
		return m, m.refuse(reason)
	}
	switch {
	case !agrees:
		m.Wish.Kind, m.Wish.Ply = WishDeclined, m.Record.Len()
	case wish.Kind == WishDraw:
		m = m.end(Result{game.Draw, ByAgreement}, at)
	default:
		m.Record = m.Record.First(m.beforeLastMove(wish.By))
		m.Wish, m.Backs = Wish{}, m.Backs+1
		m = m.startTurn(at)
	}
	m.Version++
	return m, nil
}

// beforeLastMove returns the number of moves before the last move of a side that has moved.
func (m Match) beforeLastMove(mark game.Mark) int {
	if mark == m.Position().Turn() {
		return m.Record.Len() - 2
	}
	return m.Record.Len() - 1
}

// ownMoves returns how many of the first n moves of a match are those of a side.
func ownMoves(mark game.Mark, n int) int {
	if mark == game.X {
		return (n + 1) / 2
	}
	return n / 2
}
