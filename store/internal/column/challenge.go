package column

import (
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// ScanChallenge reads a challenge from the columns id, venue, challenger, challenged, rules, first, turn_ms, status, created,
// deadline, version. What makes no sense is an [*UnreadableError].
func ScanChallenge(row Row) (match.Challenge, error) {
	var r challengeRow
	if err := row.Scan(r.dest()...); err != nil {
		return match.Challenge{}, err
	}
	return r.challenge()
}

// challengeRow are the columns of a challenge.
type challengeRow struct {
	c                    match.Challenge
	rules, first, status string
	turn                 int64
	created, deadline    Time
}

func (r *challengeRow) dest() []any {
	c := &r.c
	return []any{&c.ID, &c.Venue, &c.From, &c.To, &r.rules, &r.first, &r.turn, &r.status, &r.created, &r.deadline, &c.Version}
}

func (r *challengeRow) challenge() (match.Challenge, error) {
	c := r.c
	c.TurnTime = time.Duration(r.turn) * time.Millisecond
	c.Created, c.Deadline = r.created.Time(), r.deadline.Time()

	n, err := firsts().value(r.first)
	c.First = match.First(n)
	if err == nil {
		n, err = statuses().value(r.status)
		c.Status = match.ChallengeStatus(n)
	}
	if err == nil {
		c.Rules, err = game.ParseRules(r.rules)
	}
	if err != nil {
		return c, &UnreadableError{c.ID, err}
	}
	return c, nil
}

// OfChallenge are the columns that [ScanChallenge] reads.
func OfChallenge(c match.Challenge) []any {
	return []any{
		c.ID, c.Venue, c.From, c.To, c.Rules.String(), firsts().word(int(c.First)), c.TurnTime.Milliseconds(),
		statuses().word(int(c.Status)), Time(c.Created), Time(c.Deadline), c.Version,
	}
}

// OfChallengeChange are the columns that change: status, deadline, version.
func OfChallengeChange(c match.Challenge) []any {
	return []any{statuses().word(int(c.Status)), Time(c.Deadline), c.Version}
}
