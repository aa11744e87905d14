package column

import (
	"tictactoe/game"
	"tictactoe/internal/people/archive"
)

// ScanPlayed reads the columns id, venue, rules, x_player, x_level, o_player, o_level, outcome, cause and ended of an ended match, and
// scans all further columns into more. An inconsistent row returns an [*UnreadableError].
func ScanPlayed(row Row, more ...any) (e archive.Played, err error) {
	var rules, outcome, cause string
	x, o := &e.Seats[0], &e.Seats[1]
	dest := []any{&e.ID, &e.Venue, &rules, &x.Player, &x.Level, &o.Player, &o.Level, &outcome, &cause, (*Time)(&e.At)}
	if err := row.Scan(append(dest, more...)...); err != nil {
		return e, err
	}
	e.Rules, err = game.ParseRules(rules)
	if err == nil {
		err = readResult(outcome, cause, &e.Result)
	}
	if err != nil {
		return e, &UnreadableError{e.ID, err}
	}
	return e, nil
}
