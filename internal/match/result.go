package match

import "tictactoe/game"

// Cause is the way in which a match ended.
type Cause uint8

// The causes. The zero value means that the match goes on.
const (
	ByLine Cause = iota + 1
	ByFullBoard
	ByResignation
	ByTime
	ByAbort
	ByModerator // a moderator called it a draw
	ByVoid      // a moderator voided it, before or after its end
	ByNoShow    // the proposer made no move after the opponent had accepted
	ByAgreement // the players agreed on a draw
)

// String returns the name of the cause.
func (c Cause) String() string {
	return NameOf(c, "none", "line", "full board", "resignation", "time", "aborted", "moderator", "voided", "no show", "agreement")
}

// NameOf returns the name of a number, or the first name if it has none.
func NameOf[T ~uint8](n T, names ...string) string {
	if int(n) >= len(names) {
		return names[0]
	}
	return names[n]
}

// Result is the outcome of a match and its cause. The zero value means that the match is in progress. A match that does
// not count has no winner and is no draw; its outcome is [game.InProgress].
type Result struct {
	Outcome game.Outcome
	Cause   Cause
}

// Over reports whether the match has ended.
func (r Result) Over() bool { return r.Cause != 0 }

// Counts reports whether the match counts for scores: it has ended, was neither aborted nor voided, and both players showed
// up.
func (r Result) Counts() bool {
	return r.Over() && r.Cause != ByAbort && r.Cause != ByVoid && r.Cause != ByNoShow
}
