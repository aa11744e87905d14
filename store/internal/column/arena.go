package column

import (
	"cmp"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
)

// The stored words of arenas.
func arenaStatuses() words[arena.Status] {
	return words[arena.Status]{"", "announced", "running", "over", "called off"}
}
func whys() words[arena.Why]     { return words[arena.Why]{"", "host", "moderator", "too few", "missed"} }
func states() words[arena.State] { return words[arena.State]{"", "ready", "paused", "left", "removed"} }

// ScanArena reads an arena, without its entrants and pairings, from the columns id, venue, channel, thread, message, host, name, rules,
// turn_ms, lasts_ms, rated, created, begins, ends, status, why, version. The query has to return an empty text in place of NULL. For an
// inconsistent row it returns an [*UnreadableError].
func ScanArena(row Row) (a arena.Arena, err error) {
	var rules, status, why string
	err = row.Scan(&a.ID, &a.Venue, &a.Channel, &a.Thread, &a.Message, &a.Host, &a.Name, &rules, (*Millis)(&a.TurnTime), (*Millis)(&a.Lasts),
		&a.Rated, (*Time)(&a.Created), (*Time)(&a.Begins), (*Time)(&a.Ends), &status, &why, &a.Version)
	if err != nil {
		return a, err
	}
	a.Rules, err = game.ParseRules(rules)
	if err = cmp.Or(err, arenaStatuses().read(status, &a.Status), whys().read(why, &a.Why)); err != nil {
		return a, &UnreadableError{a.ID, err}
	}
	return a, nil
}

// OfArena returns the columns that [ScanArena] reads.
func OfArena(a arena.Arena) []any {
	return []any{
		a.ID, a.Venue, a.Channel, a.Thread, a.Message, a.Host, a.Name, a.Rules.String(), Millis(a.TurnTime), Millis(a.Lasts), a.Rated,
		Time(a.Created), Time(a.Begins), Time(a.Ends), arenaStatuses().word(a.Status), whys().word(a.Why), a.Version,
	}
}

// OfArenaChange returns the columns that change: thread, message, begins, ends, status, why, version.
func OfArenaChange(a arena.Arena) []any {
	return []any{a.Thread, a.Message, Time(a.Begins), Time(a.Ends), arenaStatuses().word(a.Status), whys().word(a.Why), a.Version}
}

// ScanEntrant reads the columns player, joined, since, state, after the given ones.
func ScanEntrant(row Row, before ...any) (e arena.Entrant, err error) {
	var state string
	err = row.Scan(append(before, &e.Player, (*Time)(&e.Joined), (*Time)(&e.Since), &state)...)
	if err != nil {
		return e, err
	}
	return e, states().read(state, &e.State)
}

// OfEntrant returns the columns arena, player, joined, since, state.
func OfEntrant(id match.ID, e arena.Entrant) []any {
	return []any{id, e.Player, Time(e.Joined), Time(e.Since), states().word(e.State)}
}

// ScanPairing reads the columns id, x_player, o_player, outcome, cause, created, ended of a match between people, and the number of its
// moves. For an inconsistent row it returns an [*UnreadableError].
func ScanPairing(row Row) (g arena.Pairing, err error) {
	var outcome, cause string
	err = row.Scan(&g.Match, &g.Seats[0].Player, &g.Seats[1].Player, &outcome, &cause, (*Time)(&g.Created), (*Time)(&g.Ended), &g.Plies)
	if err != nil {
		return g, err
	}
	if err := readResult(outcome, cause, &g.Result); err != nil {
		return g, &UnreadableError{g.Match, err}
	}
	return g, nil
}
