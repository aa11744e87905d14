package column

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/server/policy"
)

// ScanMatch reads a match from the columns id, series, venue, rules, x_player, x_level, o_player, o_level, turn_ms, created, deadline,
// outcome, cause, voided_outcome, voided_cause, rematch, rematch_by, rematch_deadline, rematch_next, ended, version, proposer, stakes,
// helped, wish, wish_by, wish_ply, backs, best_of, left_by, arena, host, place, its moves as "1:0 0:4", and its votes as "X:2:4:17:player" in one line each, where
// the fields are those of [match.Vote]. Moves and votes come in any order. The query has to return empty texts in place of NULL.
// For an inconsistent row it returns an [*UnreadableError].
func ScanMatch(row Row) (match.Match, error) {
	var r matchRow
	if err := row.Scan(r.dest()...); err != nil {
		return match.Match{}, err
	}
	return r.match()
}

// ScanShownMatch reads the columns of [ScanMatch], followed by the columns of shownRow.
func ScanShownMatch(row Row) (match.Match, error) {
	var r matchRow
	var s shownRow
	if err := row.Scan(append(r.dest(), s.dest()...)...); err != nil {
		return match.Match{}, err
	}
	m, err := r.match()
	m.Shown = s.shown()
	return m, err
}

// shownRow holds the columns that say how a match is shown: the id, name, text_board and hidden of the player of X and of the
// player of O, the disabled features of the venue, and the locale and form of the board. An unknown player has an empty id, and an unknown
// locale is empty.
type shownRow struct {
	ids    [2]match.User
	looks  [2]match.Look
	off    []policy.Feature
	locale string
	small  bool
}

func (r *shownRow) dest() []any {
	x, o := &r.looks[0], &r.looks[1]
	return []any{
		&r.ids[0], &x.Name, &x.TextBoard, &x.Hidden, &r.ids[1], &o.Name, &o.TextBoard, &o.Hidden,
		(*Words[policy.Feature])(&r.off), &r.locale, &r.small,
	}
}

func (r *shownRow) shown() match.Shown {
	looks := make(match.Looks, len(r.looks))
	for i, id := range r.ids {
		if id != "" {
			looks[id] = r.looks[i]
		}
	}
	return match.Shown{Looks: looks, NoHints: slices.Contains(r.off, policy.Hints), Locale: r.locale, Small: r.small}
}

// matchRow holds the columns of a match.
type matchRow struct {
	m                                                       match.Match
	rules, outcome, cause, rematch, proposer, stakes, moves string
	voidedOutcome, voidedCause, wish, wishBy, leftBy, votes string
}

func (r *matchRow) dest() []any {
	m, x, o := &r.m, &r.m.Seats[0], &r.m.Seats[1]
	return []any{
		&m.ID, &m.Series, &m.Venue, &r.rules, &x.Player, (*level)(x), &o.Player, (*level)(o),
		(*Millis)(&m.TurnTime), (*Time)(&m.Created), (*Time)(&m.Deadline), &r.outcome, &r.cause, &r.voidedOutcome, &r.voidedCause,
		&r.rematch, &m.Rematch.By, (*Time)(&m.Rematch.Deadline), &m.Rematch.Next, (*Time)(&m.Ended), &m.Version, &r.proposer, &r.stakes, &m.Helped,
		&r.wish, &r.wishBy, &m.Wish.Ply, &m.Backs, &m.BestOf, &r.leftBy, &m.Arena, &m.Host, &m.Place, &r.moves, &r.votes,
	}
}

func (r *matchRow) match() (m match.Match, err error) {
	m = r.m
	err = cmp.Or(
		rematches().read(r.rematch, &m.Rematch.State),
		readResult(r.outcome, r.cause, &m.Result),
		readResult(r.voidedOutcome, r.voidedCause, &m.Voided),
		proposers().read(r.proposer, &m.Proposer),
		stakes().read(r.stakes, &m.Stakes),
		wishes().read(r.wish, &m.Wish.Kind),
		proposers().read(r.wishBy, &m.Wish.By),
		proposers().read(r.leftBy, &m.LeftBy),
	)
	if err == nil {
		m.Record, err = replay(r.rules, r.moves)
	}
	if err == nil {
		err = agree(m.Result, m.Voided, m.Record.Outcome())
	}
	if err == nil && m.Helped && m.Seats.Level() == "" {
		err = errors.New("a hint in a match between people")
	}
	if err == nil {
		m.Votes, err = readVotes(r.votes, m)
	}
	if err != nil {
		return m, &UnreadableError{m.ID, err}
	}
	return m, nil
}

func readResult(outcome, cause string, into *match.Result) error {
	if err := outcomes().read(outcome, &into.Outcome); err != nil {
		return fmt.Errorf("outcome: %w", err)
	}
	if err := causes().read(cause, &into.Cause); err != nil {
		return fmt.Errorf("cause: %w", err)
	}
	return nil
}

// replay returns the game with the stored rules and moves.
func replay(rules, moves string) (game.Record, error) {
	r, err := game.ParseRules(rules)
	if err != nil {
		return game.Record{}, err
	}
	made := strings.Fields(moves)
	squares, known := make([]game.Square, len(made)), make([]bool, len(made))
	for _, move := range made {
		ply, square, _ := strings.Cut(move, ":")
		i, err := strconv.Atoi(ply)
		if err != nil {
			return game.Record{}, fmt.Errorf("a stored move has the ply %q, which is not a number", ply)
		}
		n, err := strconv.ParseUint(square, 10, 8)
		if err != nil {
			return game.Record{}, fmt.Errorf("ply %d: %w", i, err)
		}
		if 0 <= i && i < len(made) { // otherwise a move is missing
			squares[i], known[i] = game.Square(n), true
		}
	}
	if i := slices.Index(known, false); i >= 0 {
		return game.Record{}, fmt.Errorf("the move of ply %d is missing", i)
	}
	return game.Replay(r, squares...)
}

// readVotes returns the stored votes of a match.
func readVotes(stored string, m match.Match) (votes []match.Vote, err error) {
	for line := range strings.Lines(stored) {
		var v match.Vote
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 5)
		if len(f) < 5 {
			return nil, fmt.Errorf("a stored vote is %q", line)
		}
		square, bad := strconv.ParseUint(f[2], 10, 8)
		err := cmp.Or(bad, proposers().read(f[0], &v.Side), readInt(f[1], &v.Ply), readInt(f[3], &v.Since))
		v.By, v.Square = match.User(f[4]), game.Square(square)
		if err == nil && v.Since > 0 && (v.Ply != m.Record.Len() || v.Side != m.Position().Turn() || !m.Position().Legal().Has(v.Square)) {
			err = errors.New("it is for no square that can be played")
		}
		if err != nil {
			return nil, fmt.Errorf("vote %q: %w", line, err)
		}
		votes = append(votes, v)
	}
	slices.SortFunc(votes, func(a, b match.Vote) int { return cmp.Compare(a.By, b.By) })
	return votes, nil
}

func readInt(text string, into *int) (err error) {
	*into, err = strconv.Atoi(text)
	return err
}

// OfVote returns the columns match, player, side, ply, square and since of a vote.
func OfVote(id match.ID, v match.Vote) []any {
	return []any{id, v.By, proposers().word(v.Side), v.Ply, v.Square, v.Since}
}

// agree returns an error if the result, or the result before the match was voided, does not fit the outcome of the moves.
func agree(result, voided match.Result, played game.Outcome) error {
	if result.Cause == match.ByVoid && !voided.Over() {
		return nil // a moderator may decide any match
	}
	if voided.Over() {
		result = voided
	}
	want := game.InProgress
	if result.Cause == match.ByLine || result.Cause == match.ByFullBoard {
		want = result.Outcome
	}
	if played != want || (result.Cause == match.ByFullBoard) != (played == game.Draw) {
		return fmt.Errorf("the moves lead to %s, the result is %s by %s", played, result.Outcome, result.Cause)
	}
	return nil
}

// ScanPast reads the columns x_player, x_level, o_player, o_level, outcome, cause and a count.
func ScanPast(row Row) (p match.Past, err error) {
	x, o := &p.Seats[0], &p.Seats[1]
	var outcome, cause string
	if err := row.Scan(&x.Player, (*level)(x), &o.Player, (*level)(o), &outcome, &cause, &p.Count); err != nil {
		return p, err
	}
	err = readResult(outcome, cause, &p.Result)
	return p, err
}

// OfMatch returns the columns that [ScanMatch] reads, without the moves.
func OfMatch(m match.Match) []any {
	x, o := m.Seats[0], m.Seats[1]
	kept := []any{
		m.ID, m.Series, m.Venue, m.Position().Rules().String(), x.Player, Level(x), o.Player, Level(o),
		Millis(m.TurnTime), Time(m.Created),
	}
	return append(append(kept, OfMatchChange(m)...), proposers().word(m.Proposer), stakes().word(m.Stakes), m.BestOf, m.Arena, m.Host, m.Place)
}

// OfMatchChange returns the columns that change: deadline, outcome, cause, voided_outcome, voided_cause, rematch,
// rematch_by, rematch_deadline, rematch_next, ended, version, helped, wish, wish_by, wish_ply, backs, left_by.
func OfMatchChange(m match.Match) []any {
	return []any{
		Time(m.Deadline), outcomes().word(m.Result.Outcome), causes().word(m.Result.Cause),
		outcomes().word(m.Voided.Outcome), causes().word(m.Voided.Cause),
		rematches().word(m.Rematch.State), m.Rematch.By, Time(m.Rematch.Deadline), m.Rematch.Next,
		Time(m.Ended), m.Version, m.Helped, wishes().word(m.Wish.Kind), proposers().word(m.Wish.By), m.Wish.Ply, m.Backs,
		proposers().word(m.LeftBy),
	}
}

// Level returns the column x_level or o_level of a seat: the level of the computer or the word for the crowd.
func Level(s match.Seat) string { return s.Level + crowds().word(s.Crowd) }

// level reads the column that [Level] returns.
type level match.Seat

// Scan implements sql.Scanner.
func (l *level) Scan(value any) error {
	text, is := value.(string)
	if !is {
		return fmt.Errorf("the stored level has the type %T", value)
	}
	if crowds().read(text, &l.Crowd) != nil {
		l.Level = text
	}
	return nil
}

// ScanPlayed reads the columns id, venue, rules, x_player, x_level, o_player, o_level, outcome, cause and ended of an ended match, and
// scans all further columns into more. For an inconsistent row it returns an [*UnreadableError].
func ScanPlayed(row Row, more ...any) (e archive.Played, err error) {
	var rules, outcome, cause string
	x, o := &e.Seats[0], &e.Seats[1]
	dest := []any{&e.ID, &e.Venue, &rules, &x.Player, (*level)(x), &o.Player, (*level)(o), &outcome, &cause, (*Time)(&e.At)}
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

// UnreadableError means that a stored match or challenge is inconsistent. Only another program can have written it.
type UnreadableError struct {
	ID  match.ID
	Err error
}

func (e *UnreadableError) Error() string { return fmt.Sprintf("stored under %s: %v", e.ID, e.Err) }

// Unwrap returns the reason.
func (e *UnreadableError) Unwrap() error { return e.Err }

// Is reports whether target is [match.ErrUnreadable].
func (e *UnreadableError) Is(target error) bool { return target == match.ErrUnreadable }
