package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
)

// The keys of rows begin with the kind of the value.
const (
	matchKey   = "match:"
	attemptKey = "attempt:"
	lessonKey  = "lesson:"
)

// store keeps matches, attempts at puzzles and solved lessons in rows. The embedded stores are nil: they stand for methods that only
// schedulers and servers use.
type store struct {
	match.Store
	posts
	rows Rows
}

// posts has the methods of a store of puzzles that only servers use.
type posts interface{ daily.Store }

// get returns the row of a key. The error is [match.ErrNotFound] if there is none.
func (s store) get(ctx context.Context, key string) (Row, error) {
	rows, err := s.rows.All(ctx, key)
	if err == nil && rows[key] == nil {
		err = match.ErrNotFound
	}
	return rows[key], err
}

// Match returns a stored match.
func (s store) Match(ctx context.Context, id match.ID) (match.Match, error) {
	row, err := s.get(ctx, matchKey+string(id))
	if err != nil {
		return match.Match{}, err
	}
	return readMatch(id, row)
}

// Find returns a stored match; there are no challenges.
func (s store) Find(ctx context.Context, id match.ID) (match.Found, error) {
	m, err := s.Match(ctx, id)
	return match.Found{Match: &m}, err
}

// Save writes the matches of a save. It has no other values to write, and no conditions to judge: nobody else plays here.
func (s store) Save(ctx context.Context, save match.Save) error {
	var changes []Change
	for _, c := range save.Matches {
		changes = append(changes, Change{matchKey + string(c.To.ID), int64(c.From.Version), rowOf(c.To)})
	}
	err := s.rows.Put(ctx, changes...)
	if errors.Is(err, match.ErrConflict) && len(save.Matches) > 0 && save.Matches[0].Creates() {
		return match.ErrExists
	}
	return err
}

// matches returns all matches that can be read, the oldest first.
func (s store) matches(ctx context.Context) ([]match.Match, error) {
	rows, err := s.rows.All(ctx, matchKey)
	var order []string // times of equal length, each with a key
	for key, row := range rows {
		order = append(order, row["created"]+key)
	}
	slices.Sort(order)
	var all []match.Match
	for _, created := range order {
		_, id, _ := strings.Cut(created, matchKey)
		if m, err := readMatch(match.ID(id), rows[matchKey+id]); err == nil {
			all = append(all, m)
		}
	}
	return all, err
}

// Latest returns the latest matches, the latest first.
func (s store) Latest(ctx context.Context, _ match.User, limit int) (latest []archive.Played, err error) {
	all, err := s.matches(ctx)
	for _, m := range slices.Backward(all[max(0, len(all)-limit):]) {
		latest = append(latest, archive.Played{Rules: m.Position().Rules(), Seats: m.Seats, Result: m.Result})
	}
	return latest, err
}

// rowOf returns the row of a match.
func rowOf(m match.Match) Row {
	row := Row{
		"version": strconv.Itoa(m.Version), "series": string(m.Series), "rules": m.Position().Rules().Title(),
		"x": seatText(m.Seats[0]), "o": seatText(m.Seats[1]), "moves": letters(m.Record.Squares()), "created": timeText(m.Created),
	}
	optional := map[string]string{
		"ended": timeText(m.Ended), "deadline": timeText(m.Deadline), "clock": strconv.Itoa(int(m.TurnTime / time.Second)),
		"outcome": strconv.Itoa(int(m.Result.Outcome)), "cause": strconv.Itoa(int(m.Result.Cause)), "backs": strconv.Itoa(m.Backs),
		"rematch": strconv.Itoa(int(m.Rematch.State)), "next": string(m.Rematch.Next), "by": string(m.Rematch.By),
		"offered": timeText(m.Rematch.Deadline),
	}
	if m.Helped {
		optional["helped"] = "1"
	}
	maps.DeleteFunc(optional, func(_, text string) bool { return text == "" || text == "0" })
	maps.Copy(row, optional)
	return row
}

// readMatch returns the match of a row. The error says what is wrong with it.
func readMatch(id match.ID, row Row) (match.Match, error) {
	rules, err := game.ParseRules(row["rules"])
	if err != nil {
		return match.Match{}, fmt.Errorf("match %s: %w", id, err)
	}
	record, err := game.Replay(rules, squares(row["moves"])...)
	if err != nil {
		return match.Match{}, fmt.Errorf("match %s: %w", id, err)
	}
	m := match.Match{
		ID: id, Series: match.ID(row["series"]), Seats: match.Seats{seatOf(row["x"]), seatOf(row["o"])}, Record: record,
		TurnTime: time.Duration(row.number("clock")) * time.Second, Deadline: timeOf(row["deadline"]),
		Result:  match.Result{Outcome: game.Outcome(row.number("outcome")), Cause: match.Cause(row.number("cause"))},
		Rematch: match.Rematch{State: match.RematchState(row.number("rematch")), Next: match.ID(row["next"]), By: match.User(row["by"]), Deadline: timeOf(row["offered"])},
		Backs:   int(row.number("backs")), Helped: row["helped"] != "", Created: timeOf(row["created"]), Ended: timeOf(row["ended"]),
		Version: int(row.number("version")),
	}
	if m.Version < 1 || m.Seats[0] == m.Seats[1] || m.Result.Over() == m.Ended.IsZero() || !m.Result.Over() && record.Outcome() != game.InProgress {
		return match.Match{}, fmt.Errorf("match %s: its fields contradict each other", id)
	}
	return m, nil
}

// seatText writes a seat: the user or, after an @, the level of the computer.
func seatText(s match.Seat) string {
	if s.IsComputer() {
		return "@" + s.Level
	}
	return string(s.Player)
}

func seatOf(text string) match.Seat {
	if level, is := strings.CutPrefix(text, "@"); is {
		return match.Computer(level)
	}
	return match.Human(match.User(text))
}

// letters writes squares as letters; a is the first square of the board.
func letters(squares []game.Square) string {
	text := make([]byte, len(squares))
	for i, s := range squares {
		text[i] = 'a' + byte(s)
	}
	return string(text)
}

func squares(letters string) (squares []game.Square) {
	for i := range len(letters) {
		squares = append(squares, game.Square(letters[i]-'a'))
	}
	return squares
}

// timeText writes a time in milliseconds; the zero time is empty.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixMilli(), 10)
}

func timeOf(text string) time.Time {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(n)
}

// keyOf returns the key of the attempt at the puzzle of a day: days are numbers, as they are in package puzzle.
func keyOf(day puzzle.Day) string { return attemptKey + strconv.Itoa(int(day)) }

func dayOf(text string) (puzzle.Day, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	return puzzle.Day(n), err
}

// BeginAttempt stores a new attempt unless there is one.
func (s store) BeginAttempt(ctx context.Context, a daily.Attempt, _ ...match.Name) (daily.Attempt, error) {
	err := s.rows.Put(ctx, Change{keyOf(a.Day), 0, attemptRow(a, 1)})
	if errors.Is(err, match.ErrConflict) {
		return s.Attempt(ctx, a.User, a.Day)
	}
	return a, err
}

// Attempt returns the attempt at the puzzle of a day.
func (s store) Attempt(ctx context.Context, p match.User, day puzzle.Day) (daily.Attempt, error) {
	row, err := s.get(ctx, keyOf(day))
	if err != nil {
		return daily.Attempt{}, err
	}
	return readAttempt(p, day, row)
}

// SaveAttempt replaces an attempt. Each press is one version.
func (s store) SaveAttempt(ctx context.Context, old, changed daily.Attempt) error {
	version := int64(len(old.Presses)) + 1
	return s.rows.Put(ctx, Change{keyOf(changed.Day), version, attemptRow(changed, len(changed.Presses)+1)})
}

// SolvedDays returns the days whose attempts count for the streak: the ones that began on their day.
func (s store) SolvedDays(ctx context.Context, p match.User) (days []puzzle.Day, err error) {
	rows, err := s.rows.All(ctx, attemptKey)
	for key, row := range rows {
		day, bad := dayOf(strings.TrimPrefix(key, attemptKey))
		if a, unreadable := readAttempt(p, day, row); bad == nil && unreadable == nil && a.Counts() && puzzle.DayOf(a.Started) == day {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return days, err
}

func attemptRow(a daily.Attempt, version int) Row {
	row := Row{"version": strconv.Itoa(version), "started": timeText(a.Started), "presses": a.Presses.String()}
	if !a.Solved.IsZero() {
		row["solved"] = timeText(a.Solved)
	}
	return row
}

func readAttempt(p match.User, day puzzle.Day, row Row) (daily.Attempt, error) {
	presses, err := daily.ParsePresses(row["presses"])
	if err == nil && row.number("version") != int64(len(presses))+1 {
		err = errors.New("its version does not go with its presses")
	}
	if err != nil {
		return daily.Attempt{}, fmt.Errorf("attempt at the puzzle of %s: %w", day, err)
	}
	return daily.Attempt{User: p, Day: day, Started: timeOf(row["started"]), Presses: presses, Solved: timeOf(row["solved"])}, nil
}

// lessons returns the names of the solved lessons.
func (s store) lessons(ctx context.Context) (map[string]bool, error) {
	rows, err := s.rows.All(ctx, lessonKey)
	solved := map[string]bool{}
	for key := range rows {
		solved[strings.TrimPrefix(key, lessonKey)] = true
	}
	return solved, err
}

func (s store) solveLesson(ctx context.Context, name string) error {
	err := s.rows.Put(ctx, Change{lessonKey + name, 0, Row{"version": "1"}})
	if errors.Is(err, match.ErrConflict) {
		return nil
	}
	return err
}

// errNoRow is returned for a row that is none of the page's.
var errNoRow = errors.New("no such kind of row")

// check reports what is wrong with a row that comes from a file.
func check(key string, row Row) (err error) {
	kind, name, _ := strings.Cut(key, ":")
	switch kind + ":" {
	case matchKey:
		_, err = readMatch(match.ID(name), row)
	case attemptKey:
		var day puzzle.Day
		if day, err = dayOf(name); err == nil {
			_, err = readAttempt(me, day, row)
		}
	case lessonKey:
		if row["version"] != "1" {
			err = errNoRow
		}
	default:
		err = errNoRow
	}
	return err
}
