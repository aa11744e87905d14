package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/store/sqlite"
)

// TestNothingNamesAPlayerWhoWasErased searches every column of every table, so that no new column is forgotten, and then the bytes
// of the file.
func TestNothingNamesAPlayerWhoWasErased(t *testing.T) {
	const (
		id   = "700000000000000123"
		name = "Zebedee the Unmistakable"
	)
	path := newPath(t)
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s, id, name, 0)
	db := raw(t, path)
	before := mentions(t, db, id)
	for _, column := range []string{
		"players.id", "blocks.player", "blocks.blocked", "back_offs.player", "back_offs.challenger", "scores.player",
		"standings.player", "standings.place", "challenges.challenger", "challenges.challenged", "matches.x_player", "matches.o_player", "matches.rematch_by",
		"deeds.player", "rated.player", "rated.opponent", "seasons.player",
		"puzzle_attempts.player", "puzzle_listed.player", "arenas.host", "entrants.player", "role_grants.player", "bars.player", "unranked.player", "member_checks.player", "deeds.whom",
	} {
		if before[column] == 0 {
			t.Errorf("column %s does not name the player before the erasure, so the test proves nothing about it", column)
		}
	}
	if mentions(t, db, name)["players.name"] == 0 {
		t.Error("no column has the name before the erasure")
	}
	for range 2 {
		if _, err := s.Erase(t.Context(), id, noon().Add(time.Hour), ""); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{id, name} {
			if after := mentions(t, db, text); len(after) > 0 {
				t.Errorf("%q is still in %v", text, after)
			}
		}
	}
	if corrected, err := s.RebuildScores(t.Context(), nil); err != nil || corrected != 0 {
		t.Errorf("%d scores do not agree with the matches: %v", corrected, err)
	}
	db.Close()
	shut(t, s)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{id, name} {
		if bytes.Contains(content, []byte(text)) {
			t.Errorf("%q can still be read in the file", text)
		}
	}
}

// The test searches the file and its log while the store is open, and the file after the store is closed.
func TestErasedPlayersAreNotInTheBytesOfTheFiles(t *testing.T) {
	path := newPath(t)
	s := opened(t, path)
	ids := make([]match.User, 40)
	for i := range ids {
		ids[i] = match.User(fmt.Sprint(700000000000000000 + i*7919*65536))
		fill(t, s, ids[i], "Zebedee "+string(ids[i]), i)
	}
	left := func(state string) {
		t.Helper()
		for _, ending := range []string{"", "-wal"} {
			content, err := os.ReadFile(path + ending)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			for i, id := range ids {
				if n := bytes.Count(content, []byte(id)); n > 0 {
					t.Errorf("%s: player %d can be read %d times in the file %q", state, i, n, ending)
				}
			}
		}
	}
	for _, id := range ids {
		if _, err := s.Erase(t.Context(), id, noon().Add(time.Hour), ""); err != nil {
			t.Fatal(err)
		}
	}
	left("the store is open")
	shut(t, s)
	left("the store is closed")
}

func TestErasedPlayersAreScrubbedAfterALongRead(t *testing.T) {
	const id = "700000000000000123"
	path := newPath(t)
	s := opened(t, path)
	fill(t, s, id, "Zebedee", 0)
	reader, err := raw(t, path).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reader.QueryRowContext(t.Context(), "SELECT count(*) FROM players").Scan(&n); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Erase(t.Context(), id, noon(), ""); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(path + "-wal"); err != nil || !bytes.Contains(content, []byte(id)) {
		t.Errorf("the log was emptied while it was read, or it never contained the player: %v", err)
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	shut(t, s)
	if content, err := os.ReadFile(path); err != nil || bytes.Contains(content, []byte(id)) {
		t.Errorf("the file still contains the player, %v", err)
	}
}

// fill writes a player into every column that can hold a player. The players of a database have different numbers: 0, 1 and so on.
func fill(t *testing.T, s *sqlite.Store, id match.User, name string, number int) {
	t.Helper()
	const bob, carol = match.User("bob"), match.User("carol")
	unique := fmt.Sprint("-", number)
	save(t, s, match.Save{Names: []match.Name{{Player: id, Name: name}}})
	for _, err := range []error{
		s.SetClosed(t.Context(), id, true),
		s.SetBlocked(t.Context(), id, []match.User{bob}), s.SetBlocked(t.Context(), carol+match.User(unique), []match.User{id}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	save(t, s, match.Save{Extras: []match.Extra{policy.AuditEntry{ID: match.ID("d" + unique), Venue: "home", By: id, At: noon(), Kind: policy.ResetScores}}})
	err := s.BeginSeason(t.Context(), season.Season{Venue: "home", Number: number + 1, Name: "Winter", Began: noon().Add(time.Duration(number) * time.Second), By: id},
		policy.AuditEntry{ID: match.ID("s" + unique), Venue: "home", By: id, At: noon(), Kind: policy.BeginSeason})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.BeginAttempt(t.Context(), daily.Attempt{User: id, Day: 20780, Started: noon()})
	// A role that the bot has given is taken back first; then it deletes the grant.
	own := rankrole.Grant{Venue: "home", Role: "6001", Player: id, State: rankrole.Theirs, At: noon()}
	err = errors.Join(err, s.SaveGrant(t.Context(), rankrole.Grant{Venue: "home", Role: "6001", Player: id}, own))
	err = errors.Join(err, s.SetRanked(t.Context(), "home", id, false, policy.AuditEntry{}))
	_, bar := s.SetBar(t.Context(), policy.Bar{Venue: "elsewhere", Player: id}, policy.GoOn, noon(),
		policy.AuditEntry{ID: match.ID("b" + unique), Venue: "elsewhere", By: carol, At: noon(), Kind: policy.BarUser, Whom: id})
	if err = errors.Join(err, bar, s.SetListed(t.Context(), "home", id, true)); err != nil {
		t.Fatal(err)
	}
	a, err := arena.New(match.ID("a"+unique), "home", "channel"+unique, id, arena.Terms{
		Rules: arena.Boards()[0].Rules, TurnTime: time.Minute, Lasts: time.Hour, Begins: noon().Add(time.Hour),
	}, noon())
	if err == nil {
		a, err = a.Join(id, noon())
	}
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, match.Save{Extras: []match.Extra{arena.Change{To: a}}})
	terms := match.Terms{Rules: game.Classic(), TurnTime: time.Minute}
	for i, pair := range [][2]match.User{{id, bob}, {bob, id}, {id, carol}} {
		c, err := match.NewChallenge(match.ID(fmt.Sprint("c", i, unique)), "home", pair[0], pair[1], terms, noon())
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, match.Save{Challenge: match.ChallengeChange{To: c}})
		if i == 2 {
			continue // this challenge stays pending
		}
		declined, err := c.Decline(pair[1], noon())
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, match.Save{Challenge: match.ChallengeChange{From: c, To: declined, At: noon()}})
	}
	for i, seats := range []match.Seats{
		{match.Human(id), match.Human(bob)}, {match.Human(bob), match.Human(id)}, {match.Human(bob), match.Human(id)},
		{match.Human(id), match.Computer("easy")}, {match.Computer("easy"), match.Human(id)},
	} {
		m := match.Start(match.ID(fmt.Sprint("m", i, unique)), "s", "home", game.Classic(), seats, time.Minute, 1, noon())
		if seats.Level() == "" {
			m.Stakes = rating.Full
		}
		going := m
		going.ID += "-going"
		save(t, s, match.Save{Matches: []match.MatchChange{{To: m}, {To: going}}, Extras: []match.Extra{board.Reference{ID: m.ID, Channel: "1", Message: "2", Token: "t"}}})
		over := m
		over.Result, over.Ended, over.Deadline, over.Version = match.Result{Outcome: game.XWins, Cause: match.ByTime}, noon(), time.Time{}, 2
		save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: over}}})
		if seats.Level() != "" {
			continue
		}
		proposed, _, err := over.AskRematch(id, over.Version, match.ID("n"+unique), noon())
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, match.Save{Matches: []match.MatchChange{{From: over, To: proposed}}})
	}
	before, err := s.Policy(t.Context(), "home")
	after := before
	after.LeaversOff, after.Version = true, before.Version+1
	err = errors.Join(err, s.SetPolicy(t.Context(), before, after, policy.AuditEntry{ID: match.ID("p" + unique), Venue: "home", By: id, At: noon(), Kind: policy.SetLeavers}))
	_, checked := s.SaveCheck(t.Context(), "home", id, true, nil, noon())
	if err = errors.Join(err, checked); err != nil {
		t.Fatal(err)
	}
}

// mentions counts, for each column of each table, the rows that contain the text.
func mentions(t *testing.T, db *sql.DB, text string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, table := range column(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table'`) {
		for _, name := range column(t, db, `SELECT name FROM pragma_table_info('`+table+`')`) {
			var n int
			query := fmt.Sprintf(`SELECT count(*) FROM %q WHERE instr(CAST(%q AS TEXT), ?1) > 0`, table, name)
			if err := db.QueryRowContext(context.Background(), query, text).Scan(&n); err != nil {
				t.Fatal(err)
			}
			if n > 0 {
				found[strings.Join([]string{table, name}, ".")] = n
			}
		}
	}
	return found
}

func column(t *testing.T, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			t.Fatal(err)
		}
		all = append(all, value)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
