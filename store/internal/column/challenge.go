package column

import (
	"cmp"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// ScanChallenge reads a challenge from the columns id, venue, challenger, challenged, rules, first, turn_ms, created, casual, best_of, status,
// deadline, version. For an inconsistent row it returns an [*UnreadableError].
func ScanChallenge(row Row) (c match.Challenge, err error) {
	var rules, first, status string
	err = row.Scan(&c.ID, &c.Venue, &c.From, &c.To, &rules, &first, (*Millis)(&c.TurnTime), (*Time)(&c.Created),
		&c.Casual, &c.BestOf, &status, (*Time)(&c.Deadline), &c.Version)
	if err != nil {
		return match.Challenge{}, err
	}
	err = cmp.Or(firsts().read(first, &c.First), statuses().read(status, &c.Status))
	if err == nil {
		c.Rules, err = game.ParseRules(rules)
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
