package match

import "tictactoe/game"

// Cause is how a match ended.
type Cause uint8

// The causes. The zero value means that the match goes on.
const (
	ByLine Cause = iota + 1
	ByFullBoard
	ByResignation
	ByTime
	ByAbort
	ByModerator // a draw that somebody in charge called
	ByVoid      // taken back by somebody in charge, before or after its end
)

// String names the cause.
func (c Cause) String() string {
	names := [...]string{"none", "line", "full board", "resignation", "time", "aborted", "moderator", "voided"}
	if int(c) >= len(names) {
		return names[0]
	}
	return names[c]
}

// Result is how a match ended: outcome and cause. The zero value means that it goes on. An aborted or
// voided match has no winner and is no draw; its outcome is [game.InProgress].
type Result struct {
	Outcome game.Outcome
	Cause   Cause
}

// Over tells whether the match has ended.
func (r Result) Over() bool { return r.Cause != 0 }

// Counts tells whether the match counts for scores: it has ended and was neither aborted nor voided.
func (r Result) Counts() bool { return r.Over() && r.Cause != ByAbort && r.Cause != ByVoid }
