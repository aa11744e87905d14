package column

import (
	"cmp"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// ScanChallenge reads a challenge from the columns id, venue, challenger, challenged, rules, first, turn_ms, created, casual, best_of, status,
// deadline, version. For an inconsistent row it returns an [*UnreadableError].
func ScanChallenge(row Row) (match.Challenge, error) {
	var r challengeRow
	if err := row.Scan(r.dest()...); err != nil {
		return match.Challenge{}, err
	}
	return r.challenge()
}

// challengeRow holds the columns of a challenge.
type challengeRow struct {
	c                    match.Challenge
	rules, first, status string
}

func (r *challengeRow) dest() []any {
	c := &r.c
	return []any{
		&c.ID, &c.Venue, &c.From, &c.To, &r.rules, &r.first, (*Millis)(&c.TurnTime), (*Time)(&c.Created),
		&c.Casual, &c.BestOf, &r.status, (*Time)(&c.Deadline), &c.Version,
	}
}

func (r *challengeRow) challenge() (c match.Challenge, err error) {
	c = r.c
	err = cmp.Or(firsts().read(r.first, &c.First), statuses().read(r.status, &c.Status))
	if err == nil {
		c.Rules, err = game.ParseRules(r.rules)
	}
	if err != nil {
		return c, &UnreadableError{c.ID, err}
	}
	return c, nil
}

// OfChallenge returns the columns that [ScanChallenge] reads.
func OfChallenge(c match.Challenge) []any {
	kept := []any{c.ID, c.Venue, c.From, c.To, c.Rules.String(), firsts().word(c.First), Millis(c.TurnTime), Time(c.Created), c.Casual, c.BestOf}
	return append(kept, OfChallengeChange(c)[1:]...)
}

// OfChallengeChange returns the columns that change: challenged, status, deadline, version.
func OfChallengeChange(c match.Challenge) []any {
	return []any{c.To, statuses().word(c.Status), Time(c.Deadline), c.Version}
}
