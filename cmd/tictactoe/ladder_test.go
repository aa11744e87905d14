package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
)

// matchday stores the games of the servers 5 and 6 in the given database.
func matchday(t *testing.T, db database) {
	t.Helper()
	save := func(s match.Save) {
		t.Helper()
		if err := db.Save(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for id, name := range map[match.User]string{"1001": "Alice", "1002": "井上 太郎", "1003": "Bob", "1004": "Bob", "1005": "Ca\x1brol"} {
		save(match.Save{Names: []match.Name{{Player: id, Name: name}}})
	}
	noon, n := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), 0
	beats := func(at match.Venue, o, x match.Seat, stakes rating.Stakes) {
		t.Helper()
		n++
		id := match.ID(fmt.Sprint("m", n))
		m := match.Start(id, id, at, game.Classic(), match.Seats{x, o}, time.Hour, 1, noon.Add(time.Duration(n)*time.Hour))
		m.Stakes = stakes
		over, _ := m.Expire(m.Deadline)
		save(match.Save{Matches: []match.MatchChange{{To: m}}})
		save(match.Save{Matches: []match.MatchChange{{From: m, To: over}}})
	}
	alice, taro, bob := match.Human("1001"), match.Human("1002"), match.Human("1003")
	beats("5", alice, taro, rating.Full)
	beats("5", taro, bob, rating.Full)
	beats("5", match.Human("1004"), match.Human("1005"), rating.Full)
	beats("5", match.Computer("easy"), alice, rating.NoStakes)
	beats("6", bob, alice, rating.Full)
}

func TestLadders(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	wantLaddersOf(t, path, s)
}

func TestLaddersOfAPostgres(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	address := pgtest.Migrated(t)
	s, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	wantLaddersOf(t, address, s)
}

// wantLaddersOf checks the output for an empty database, and then for a database with the games of matchday.
func wantLaddersOf(t *testing.T, path string, db database) {
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	out, problems, code := runInProcess(t, "", "ladder", "--db", path)
	if code != exitUsage || !strings.Contains(problems, "nobody stands on a ladder of any server yet") {
		t.Errorf("for an empty database: %d\n%s%s", code, out, problems)
	}
	matchday(t, db)
	wantLadders(t, path)
	wantShown(t, path)
	wantSeasons(t, db, path)
}

// wantSeasons begins a season after the games, and checks the output for the season and for the time before it.
func wantSeasons(t *testing.T, db database, path string) {
	next := season.Season{Venue: "5", Number: 1, Name: "Winter", Began: time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC), By: "1001"}
	entry := policy.AuditEntry{ID: "winter", Venue: "5", By: "1001", At: next.Began, Kind: policy.BeginSeason}
	if _, problems, code := runInProcess(t, "", "ladder", "--server", "5", "--season", "1", "--db", path); code != exitUsage || !strings.Contains(problems, "server 5 has had no season 1") {
		t.Errorf("without seasons: %d, %s", code, problems)
	}
	if err := db.BeginSeason(t.Context(), next, entry); err != nil {
		t.Fatal(err)
	}
	out, problems, code := runInProcess(t, "", "profile", "--server", "5", "--player", "Alice", "--db", path)
	if want := "classic: 1581?, likely between 945 and 2217 · rated: 0 won, 0 drawn, 0 lost (Winter)\n"; code != exitOK || !strings.Contains(out, want) {
		t.Errorf("a profile in a new season: %d\n%s%s\nnot\n%s", code, out, problems, want)
	}
	for _, test := range []struct {
		season string
		code   int
		want   string
	}{
		{"0", exitOK, "until November 23, 2026\nNot ranked, with provisional places in brackets:\n(1.) Alice · 1662? ±581"},
		{"winter", exitOK, "Nobody has finished a rated match"},
		{"Spring", exitUsage, `server 5 has had no season Spring: say which with --season`},
	} {
		out, problems, code := runInProcess(t, "", "ladder", "--server", "5", "--season", test.season, "--db", path)
		if code != test.code || !strings.Contains(out+problems, test.want) {
			t.Errorf("season %s: %d\n%s%s\nnot\n%s", test.season, code, out, problems, test.want)
		}
	}
}

func wantLadders(t *testing.T, db string) {
	for _, test := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"a ladder", []string{"ladder", "--server", "5"}, exitOK, `
📈 Leaderboard by rating: classic
Not ranked yet, with provisional places in brackets:
(1.) Alice · 1662? ±581 · 1–0–0
(1.) Bob · 1662? ±581 · 1–0–0
(3.) 井上 太郎 · 1503? ±513 · 1–0–1
(4.) Carol · 1338? ±581 · 0–0–1
(5.) Bob · 1268? ±574 · 0–0–1

Rating ± margin of error · won–drawn–lost. To be ranked, play 3 different opponents and get the margin down to ±220. Sorted by rating − margin.
`},
		{"its first players", []string{"ladder", "--server", "5", "--top", "1"}, exitOK, "Not ranked yet, with provisional places in brackets:\n(1.) Alice · 1662? ±581 · 1–0–0\n\nRating"},
		{"a board that nobody is rated on", []string{"ladder", "--server", "5", "--board", "drop"}, exitOK, "drop\nNobody has finished a rated match on this board here yet."},
		{"a board without ladders", []string{"ladder", "--server", "5", "--board", "4x4x3"}, exitUsage, "--board: there are no ladders of 4x4x3; there are of classic"},
		{"of several servers one has to be named", []string{"ladder"}, exitUsage, "there are ladders of 2 servers: say which with --server: 5, 6"},
		{"a board has to be one", []string{"ladder", "--board", "9x9x99"}, exitUsage, "--board"},
		{"a profile", []string{"profile", "--server", "5", "--player", "Alice"}, exitOK, `
👤 Alice
📈 classic: 1662?, likely between 1082 and 2243 · rated: 1 won, 0 drawn, 0 lost
As X against people: 0 won, 0 drawn, 0 lost
As O against people: 1 won, 0 drawn, 0 lost
Win streak: 1 · best: 1
🎯 Accuracy: after 10 more matches with critical moves
🤖 Computer levels: ▫️ fair, ▫️ random, 🔸 easy, ▫️ textbook, ▫️ medium, ▫️ hard, ▫️ minimax, ▫️ teacher, ▫️ unbeatable
Next up · easy: misses what people often miss

✅ beaten · ➖ drawn · 🔸 played · ▫️ not played yet
Latest matches:
Lost to the computer (easy) · classic
Beat 井上 太郎 · classic
To be ranked, Alice needs 2 more opponents and a few more rated matches (classic).
A move is critical when a wrong one would cost a win or a draw.
`},
		{"of several players of a name one has to be meant", []string{"profile", "--server", "5", "--player", "Bob"}, exitUsage,
			`2 players are called "Bob": say which with --player and the id: 1003, 1004`},
		{"the named player", []string{"profile", "--server", "5", "--player", "1003"}, exitOK, "1268?, likely between 694 and 1842"},
		{"nobody", []string{"profile", "--server", "5", "--player", "Zoe"}, exitUsage, `nobody called "Zoe", and nobody with that id, has finished a game at server 5`},
		{"a player has to be named", []string{"profile", "--server", "5"}, exitUsage, "--player"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, problems, code := runInProcess(t, "", append(test.args, "--db", db)...)
			if want, whole := strings.CutPrefix(test.want, "\n"); code != test.code || whole && out != want || !strings.Contains(out+problems, want) {
				t.Errorf("%d\n%s%s\nnot\n%s", code, out, problems, want)
			}
		})
	}
	t.Run("as JSON", func(t *testing.T) {
		var l struct {
			Server  string
			Stale   bool
			Players []ratedPlayer
		}
		out, _, code := runInProcess(t, "", "ladder", "--server", "5", "--json", "--db", db)
		if err := json.Unmarshal([]byte(out), &l); err != nil || code != exitOK || l.Server != "5" || len(l.Players) != 5 || l.Players[0].ID != "1001" || !l.Players[0].Provisional {
			t.Errorf("%v, %d: %s", err, code, out)
		}
	})
}
