// Package match is the application core: challenge, accept, play, resign, rematch, lose on time.
//
// A [Match] and a [Challenge] are values with pure transitions: each returns the next value or a refusal, and touches no clock, no store
// and no chat. The [Referee] loads a value, applies a transition, lets the engine answer if a computer is to move, and saves the outcome in
// one transaction under compare-and-swap. Deadlines are rows, and only the [Scheduler] acts on the deadlines that have passed. It credits
// the time in which the bot could not receive the players' actions.
//
// The core declares here what it needs: [Store] and [Engine].
package match

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/ranking/rating"
)

// ID names a challenge and the match it leads to, or a match that began without a challenge. The front end derives it from the request that
// creates the challenge or match, so that the second delivery of a request finds the challenge or match that the first delivery created.
type ID string

// DerivedID returns the id of a match that no player's request creates. The same words always give the same id. Its highest bit is set, so
// it differs from every id that a front end derives from a request.
func DerivedID(words ...string) ID {
	h := fnv.New64a()
	h.Write([]byte(strings.Join(words, "\x00")))
	return ID(strconv.FormatUint(h.Sum64()|1<<63, 32))
}

// User is the id of a person. The core never looks into it.
type User string

// Venue is where a match counts: a server, for example. It is empty for direct messages.
type Venue string

// abortBelow is the number of marks below which leaving a match aborts it instead of losing it: the match has hardly
// begun.
const abortBelow = 2

// ComputerTurnTime is the turn time against a computer: long enough for an unhurried player, and finite, so that an
// abandoned match does not stay open for ever. Against a person the challenger chooses the turn time.
const ComputerTurnTime = 24 * time.Hour

// FirstMoveTime is how long each side has for its first move in an arena, so that somebody who is away holds up the opponent only briefly.
const FirstMoveTime = 30 * time.Second

// Match is one game between two seats. It is a value: every transition returns a new one with a higher version.
type Match struct {
	ID       ID
	Series   ID // the id of the first match of the rematches or of a best-of series; the match's own id if it is the first
	Arena    ID // the arena that paired the players; empty outside of arenas
	Venue    Venue
	Seats    Seats
	Proposer game.Mark     // the mark of the player who proposed the match and waited for an answer; None against a computer, and if unknown
	Stakes   rating.Stakes // how much the match counts for the ratings
	Record   game.Record
	TurnTime time.Duration // the time for each move; zero without a clock. For a crowd, it begins with the first vote
	Deadline time.Time     // the deadline of the side to move; zero without a clock and once the match is over
	Result   Result
	Voided   Result // the result before the match was voided; zero if it was not voided, or was voided while in progress
	Rematch  Rematch
	Wish     Wish
	Backs    int       // how many take-backs were agreed to
	Helped   bool      // the player had a hint, against a computer
	BestOf   int       // the number of games of the best-of series that the match belongs to; zero outside of one
	LeftBy   game.Mark // the side that aborted the match; None if it was not aborted, or outside of a best-of series
	Host     User      // the person who began the match of a crowd; empty in other matches
	Place    string    // the channel of the crowd; empty in other matches
	Votes    []Vote    // the crowd's, sorted by person
	Created  time.Time
	Ended    time.Time // zero while the match goes on
	Version  int       // grows by one with each change

	// Shown says how to show the match, if the store loaded that, too. It is not part of the match: no decision depends on
	// it, and it is not saved.
	Shown
}

// Shown says how a match is shown.
type Shown struct {
	Looks   Looks  // the looks of the players; nil if they were not loaded
	NoHints bool   // hints are switched off in the venue of the match
	Locale  string // the language of the board, as Discord names it; empty if it is not known
	Small   bool   // the board has shrunk to one line
}

// Start returns a new match of two seats with X to move. Its first version is given, because a match that follows a
// challenge must have a greater version than the challenge.
func Start(id, series ID, venue Venue, rules game.Rules, seats Seats, turnTime time.Duration, version int, now time.Time) Match {
	m := Match{
		ID: id, Series: series, Venue: venue, Seats: seats,
		Record:   game.NewRecord(game.Start(rules)),
		TurnTime: turnTime, Created: now, Version: version,
	}
	return m.startTurn(now)
}

// In returns the match as it begins as a pairing of an arena.
func (m Match) In(arena ID, now time.Time) Match {
	m.Arena = arena
	return m.startTurn(now)
}

// Allowed returns the time for the move that is due, for a crowd as long as it has no vote.
func (m Match) Allowed() time.Duration {
	switch {
	case m.Seats.HasCrowd():
		return FirstVoteTime
	case m.Arena != "" && m.Record.Len() < abortBelow:
		return FirstMoveTime
	case m.BestOf > 0 && m.Series != m.ID && m.Record.Len() == 0:
		return m.TurnTime + NextPause
	}
	return m.TurnTime
}

// Position returns the position after the latest move.
func (m Match) Position() game.Position { return m.Record.Position() }

// Turn returns the seat to move.
func (m Match) Turn() Seat { return m.Seats.Of(m.Position().Turn()) }

// Aborts reports whether leaving now aborts the match rather than loses it.
func (m Match) Aborts() bool { return m.aborts(m.Record.Len()) }

// aborts reports whether leaving at a ply aborts the match. No match of an arena can be aborted, because that would cost nothing.
func (m Match) aborts(ply int) bool { return m.Arena == "" && ply < abortBelow }

// Absent returns the mark of the proposer until that player has made a first move: the proposer may not know that the
// match has begun. After that, and if the match has no proposer, it returns None.
func (m Match) Absent() game.Mark {
	if m.Proposer == game.None || m.Record.Len() > int(m.Proposer-game.X) || m.Backs > 0 {
		return game.None
	}
	return m.Proposer
}

// Awaited returns the player whose mark [Match.Absent] returns, or the empty user.
func (m Match) Awaited() User {
	if m.Absent() == game.None {
		return ""
	}
	return m.Seats.Of(m.Absent()).Player
}

// Play returns the match after a player has pressed a square, on a board of the given [Match.Stage]. With gravity an empty square
// stands for its column, and the mark lands at the bottom of it. Refusals: Stranger, Finished, TimeUp, Stale, NotYourTurn,
// SquareTaken, NoSuchSquare.
func (m Match) Play(by User, stage int, square game.Square, at time.Time) (Match, error) {
	if reason := m.notToMove(by, stage, at); reason != "" {
		return m, m.refuse(reason)
	}
	if p := m.Position(); p.Marks(game.None).Has(square) {
		square = p.Landing(square)
	}
	next, err := m.place(square, at)
	if illegal, is := errors.AsType[*game.IllegalMoveError](err); is {
		if illegal.Reason == game.Taken {
			return m, m.refuse(SquareTaken)
		}
		return m, m.refuse(NoSuchSquare)
	}
	return next, err
}

// Answer returns the match after the seated computer has moved. Its errors are not refusals, since no player is to blame: it
// was not the computer's turn, or the engine chose a square that cannot be played ([*game.IllegalMoveError]).
func (m Match) Answer(square game.Square, at time.Time) (Match, error) {
	if m.Result.Over() || !m.Turn().IsComputer() {
		return m, fmt.Errorf("match %s: it is not the computer's turn", m.ID)
	}
	next, err := m.place(square, at)
	if err != nil {
		return m, fmt.Errorf("match %s: computer %s: %w", m.ID, m.Turn().Level, err)
	}
	return next, nil
}

// place puts the mark of the side to move on a square. The error is a [*game.IllegalMoveError].
func (m Match) place(square game.Square, at time.Time) (Match, error) {
	record, err := m.Record.Play(square)
	if err != nil {
		return m, err
	}
	m.Record = record
	m.Votes = m.votesAfterMove()
	m = m.startTurn(at)
	switch outcome := record.Outcome(); outcome {
	case game.InProgress:
	case game.Draw:
		m = m.end(Result{outcome, ByFullBoard}, at)
	default:
		m = m.end(Result{outcome, ByLine}, at)
	}
	m.Version++
	return m, nil
}

// Resign returns the match after a player has resigned, on either player's turn. While at most one mark is on the board
// the match is aborted instead. ply is the ply of the board on which the player clicked, so that a click on "abort"
// does not become a resignation because a move came in between. Refusals: Stranger, Finished, TimeUp, Stale.
func (m Match) Resign(by User, ply int, at time.Time) (Match, error) {
	if reason := m.notOpen(by, at); reason != "" {
		return m, m.refuse(reason)
	}
	if m.aborts(ply) && !m.Aborts() {
		return m, m.refuse(Stale)
	}
	result := Result{game.WinFor(m.Seats.Mark(by).Opponent()), ByResignation}
	if m.Aborts() {
		result = Result{game.InProgress, ByAbort}
		if m.BestOf > 0 {
			m.LeftBy = m.Seats.Mark(by)
		}
	}
	m = m.end(result, at)
	m.Version++
	return m, nil
}

// Ease returns the match with a computer of another level in its seat. The player must ask before the player's first
// move, on a board of the current version. Refusals: Stranger, Finished, TimeUp, Stale.
func (m Match) Ease(by User, version int, level string, at time.Time) (Match, error) {
	if reason := m.notOpen(by, at); reason != "" {
		return m, m.refuse(reason)
	}
	if version != m.Version || !m.Easable() {
		return m, m.refuse(Stale)
	}
	m.Seats[m.Seats.Mark(by).Opponent()-game.X] = Computer(level)
	m.Version++
	return m, nil
}

// Help returns the match after the player to move has asked for a hint, on a board of the given stage. A second hint changes
// nothing. Refusals: Stranger, Finished, TimeUp, Stale, NotYourTurn, NoHints.
func (m Match) Help(by User, stage int, at time.Time) (Match, error) {
	reason := m.notToMove(by, stage, at)
	if m.Seats.Level() == "" && reason != Stranger {
		reason = NoHints
	}
	if reason != "" {
		return m, m.refuse(reason)
	}
	if !m.Helped {
		m.Helped = true
		m.Version++
	}
	return m, nil
}

// Easable reports whether a player faces a computer and has not moved yet.
func (m Match) Easable() bool {
	return m.Seats.Level() != "" && !m.Seats.HasCrowd() && !m.Result.Over() && m.Aborts()
}

// CallDraw returns the match after a moderator has ended it as a draw, which counts. The refusal is Finished.
func (m Match) CallDraw(at time.Time) (Match, error) {
	if m.Result.Over() {
		return m, m.refuse(Finished)
	}
	m = m.end(Result{game.Draw, ByModerator}, at)
	m.Version++
	return m, nil
}

// Void returns the match after a moderator has voided it: it does not count, and if it was in progress, it ends. If it
// had ended, its moves, its rematch and its end time stay, and the result is kept as Voided. The refusal is Finished if
// the match is voided already.
func (m Match) Void(at time.Time) (Match, error) {
	switch {
	case m.Result.Cause == ByVoid:
		return m, m.refuse(Finished)
	case m.Result.Over():
		m.Voided, m.Result = m.Result, Result{game.InProgress, ByVoid}
	default:
		m = m.end(Result{game.InProgress, ByVoid}, at)
	}
	m.Version++
	return m, nil
}

// Restore returns the match after a moderator has restored it: it has its old result again. Refusals: Undone if it is not
// voided; CutShort if it was voided while it went on, because its clock cannot be continued.
func (m Match) Restore() (Match, error) {
	switch {
	case m.Result.Cause != ByVoid:
		return m, m.refuse(Undone)
	case !m.Voided.Over():
		return m, m.refuse(CutShort)
	}
	m.Result, m.Voided = m.Voided, Result{}
	m.Version++
	return m, nil
}

// Expire returns the match after its deadline: the side to move has lost on time, even before its first move; or a crowd has
// moved as it voted, and if nobody has voted, the match has no result; or the match has no result because its proposer did not
// show up; or the offer of a rematch has expired. It returns the match unchanged and false if no deadline has passed.
func (m Match) Expire(now time.Time) (Match, bool) {
	switch {
	case m.timeUp(now) && m.Voters() > 0:
		m = m.playVoted(now)
	case m.timeUp(now) && m.Seats.HasCrowd():
		m = m.end(Result{game.InProgress, ByAbort}, now)
	case m.timeUp(now) && m.Position().Turn() == m.Absent():
		m = m.end(Result{game.InProgress, ByNoShow}, now)
	case m.timeUp(now):
		m = m.end(Result{game.WinFor(m.Position().Turn().Opponent()), ByTime}, now)
	case m.Rematch.State == RematchProposed && !now.Before(m.Rematch.Deadline):
		m.Rematch = Rematch{State: RematchExpired, By: m.Rematch.By}
	default:
		return m, false
	}
	m.Version++
	return m, true
}

// Leave returns the match after a player has left for good: the match is resigned, or ended by its deadline if that has
// passed, or an open offer of a rematch is declined. The seats stay as they are. A crowd goes on without the person's vote.
// If nothing changes, it returns the match unchanged and false.
func (m Match) Leave(by User, at time.Time) (Match, bool) {
	if m.Seats.HasCrowd() {
		return m.withoutVoter(by, at)
	}
	if expired, due := m.Expire(at); due {
		return expired, true
	}
	if next, err := m.Resign(by, m.Record.Len(), at); err == nil {
		return next, true
	}
	next, err := m.DeclineRematch(by)
	return next, err == nil
}

// startTurn returns the match with a turn that begins at the given time. It does nothing once the match is over.
func (m Match) startTurn(at time.Time) Match {
	if m.TurnTime > 0 && !m.Result.Over() {
		m.Deadline = at.Add(m.Allowed())
	}
	return m
}

// MovedAt returns when the last move was made, if nobody has voted since. A match does not store this time, but it follows from
// others: the move ended the match, or it began the turn of the other side.
func (m Match) MovedAt() time.Time {
	if m.Result.Over() {
		return m.Ended
	}
	return m.Deadline.Add(-m.Allowed())
}

func (m Match) timeUp(at time.Time) bool {
	return !m.Result.Over() && !m.Deadline.IsZero() && !at.Before(m.Deadline)
}

func (m Match) end(result Result, at time.Time) Match {
	m.Result, m.Ended, m.Deadline, m.Votes = result, at, time.Time{}, nil
	return m
}

// notOpen returns why a player can do nothing in the match at the given time: Stranger, Finished or TimeUp. It returns
// the empty Reason if the player can act.
func (m Match) notOpen(by User, at time.Time) Reason {
	if m.Seats.Mark(by) == game.None {
		return Stranger
	}
	return m.closed(at)
}

// closed returns why nobody can do anything in the match at the given time: Finished or TimeUp, or the empty Reason.
func (m Match) closed(at time.Time) Reason {
	switch {
	case m.Result.Over():
		return Finished
	case m.timeUp(at):
		return TimeUp
	}
	return ""
}

// notToMove returns why a player who clicked on the board of the given stage cannot move: a reason of notOpen, Stale or
// NotYourTurn. It returns the empty Reason if the player can move.
func (m Match) notToMove(by User, stage int, at time.Time) Reason {
	reason := m.notOpen(by, at)
	switch {
	case reason != "":
		return reason
	case stage != m.Stage():
		return Stale
	case m.Seats.Mark(by) != m.Position().Turn():
		return NotYourTurn
	}
	return ""
}

func (m Match) refuse(reason Reason) *Refusal { return &Refusal{Reason: reason, Match: &m} }
