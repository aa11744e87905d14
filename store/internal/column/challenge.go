package column

import (
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// ScanChallenge reads a challenge from the columns id, venue, challenger, challenged, rules, first, turn_ms, status, created,
// deadline, version. What makes no sense is an [*UnreadableError].
func ScanChallenge(row Row) (match.Challenge, error) {
	var (
		c                    match.Challenge
		rules, first, status string
		turn                 int64
		created, deadline    Time
	)
	err := row.Scan(&c.ID, &c.Venue, &c.From, &c.To, &rules, &first, &turn, &status, &created, &deadline, &c.Version)
	if err != nil {
		return c, err
	}
	c.TurnTime = time.Duration(turn) * time.Millisecond
	c.Created, c.Deadline = created.Time(), deadline.Time()

	n, err := firsts().value(first)
	c.First = match.First(n)
	if err == nil {
		n, err = statuses().value(status)
		c.Status = match.ChallengeStatus(n)
	}
	if err == nil {
		c.Rules, err = game.ParseRules(rules)
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
