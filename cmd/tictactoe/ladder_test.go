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
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
)

// matchday is what has been played at the servers 5 and 6, in that database.
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

// wantLaddersOf looks at an empty database, and then at what has been played in it.
func wantLaddersOf(t *testing.T, path string, db database) {
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	out, problems, code := told(t, "", "ladder", "--db", path)
	if code != exitUsage || !strings.Contains(problems, "nobody stands on a ladder of any server yet") {
		t.Errorf("of nothing: %d\n%s%s", code, out, problems)
	}
	matchday(t, db)
	wantLadders(t, path)
	wantShown(t, path)
	wantBest(t, db, path)
	wantSeasons(t, db, path)
}

// wantBest looks at what is worth seeing before and after somebody has lost in five moves to one who was rated lower.
func wantBest(t *testing.T, db database, path string) {
	out, problems, code := told(t, "", "best", "--server", "7", "--db", path)
	if code != exitOK || out != "No game of the last 7 days at server 7 is worth seeing yet.\n" {
		t.Errorf("of nothing: %d\n%s%s", code, out, problems)
	}
	m := match.Start("short", "short", "7", game.Classic(), match.Seats{match.Human("1001"), match.Human("1002")}, time.Hour, 1, time.Now().UTC().Truncate(time.Millisecond))
	for i, name := range []string{"a1", "a2", "b1", "b2", "c1"} {
		square, err := m.Position().Rules().ParseSquare(name)
		if err != nil {
			t.Fatal(err)
		}
		if m, err = m.Play(m.Turn().Player, i, square, m.Created); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Save(t.Context(), match.Save{Matches: []match.MatchChange{{To: m}}}); err != nil {
		t.Fatal(err)
	}
	verdict := profile.Verdict{Match: m.ID, Judged: true, Sides: [2]profile.Side{{Critical: 3}, {Critical: 2, Errors: 1}}}
	if err := db.KeepVerdicts(t.Context(), []profile.Verdict{verdict}); err != nil {
		t.Fatal(err)
	}
	out, problems, code = told(t, "", "best", "--server", "7", "--since", "month", "--db", path)
	ended := m.Ended.Format(time.RFC3339)
	want := `          X      O          winner  worth         board    ended                 id
shortest  Alice  井上 太郎  X       5 moves       classic  ` + ended + `  short
longest   Alice  井上 太郎  X       5 moves       classic  ` + ended + `  short
accurate  Alice  井上 太郎  X       4 of 5 right  classic  ` + ended + `  short
`
	if code != exitOK || out != want {
		t.Errorf("%d\n%s%s\nnot\n%s", code, out, problems, want)
	}
	out, problems, code = told(t, "", "best", "--server", "7", "--json", "--db", path)
	var b bestGames
	if err := json.Unmarshal([]byte(out), &b); err != nil || code != exitOK || b.Days != 7 || len(b.Upsets) != 0 || b.Accurate[0].Errors != 1 || b.Shortest[0].O.Name != "井上 太郎" {
		t.Errorf("%v, %d: %s%s", err, code, out, problems)
	}
	if _, problems, code := told(t, "", "best", "--since", "ever", "--db", path); code != exitUsage || !strings.Contains(problems, "--since") {
		t.Errorf("%d: %s", code, problems)
	}
}

// wantSeasons begins a season after what has been played, and looks at it and at the time before.
func wantSeasons(t *testing.T, db database, path string) {
	next := season.Season{Venue: "5", Number: 1, Name: "Winter", Began: time.Date(2026, 11, 23, 18, 0, 0, 0, time.UTC), By: "1001"}
	entry := policy.AuditEntry{ID: "winter", Venue: "5", By: "1001", At: next.Began, Kind: policy.BeginSeason}
	if _, problems, code := told(t, "", "ladder", "--server", "5", "--season", "1", "--db", path); code != exitUsage || !strings.Contains(problems, "there are no seasons at server 5") {
		t.Errorf("without seasons: %d, %s", code, problems)
	}
	if err := db.BeginSeason(t.Context(), next, entry); err != nil {
		t.Fatal(err)
	}
	out, problems, code := told(t, "", "profile", "--server", "5", "--player", "Alice", "--db", path)
	if want := "classic     -   1581?  318  0  0  0          0\n"; code != exitOK || !strings.Contains(out, want) {
		t.Errorf("a profile in a new season: %d\n%s%s\nnot\n%s", code, out, problems, want)
	}
	for _, test := range []struct {
		season string
		code   int
		want   string
	}{
		{"0", exitOK, "Alice       1662?  290"},
		{"winter", exitOK, "Nobody is rated on classic at server 5 in season 1."},
		{"Spring", exitUsage, `there is no season Spring: say which with --season: 1 (Winter), 0`},
	} {
		out, problems, code := told(t, "", "ladder", "--server", "5", "--season", test.season, "--db", path)
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
rank  player     rating   RD  W  D  L  opponents
   -  Alice       1662?  290  1  0  0          1
   -  Bob         1662?  290  1  0  0          1
   -  井上 太郎   1503?  256  1  0  1          2
   -  Ca\x1brol   1338?  290  0  0  1          1
   -  Bob         1268?  287  0  0  1          1
`},
		{"its first players", []string{"ladder", "--server", "5", "--top", "1"}, exitOK, `
rank  player  rating   RD  W  D  L  opponents
   -  Alice    1662?  290  1  0  0          1
`},
		{"a board that nobody is rated on", []string{"ladder", "--server", "5", "--board", "drop"}, exitOK, `
Nobody is rated on drop at server 5 yet.
`},
		{"of several servers one has to be named", []string{"ladder"}, exitUsage, "there are ladders of 2 servers: say which with --server: 5, 6"},
		{"a board has to be one", []string{"ladder", "--board", "9x9x99"}, exitUsage, "--board"},
		{"a profile", []string{"profile", "--server", "5", "--player", "Alice"}, exitOK, `
Alice (1001) at server 5

board    rank  rating   RD  W  D  L  opponents
classic     -   1662?  290  1  0  0          1

against  W  D  L
people   1  0  0
easy     0  0  1

as X against people: 0 won, 0 drawn, 0 lost; as O: 1 won, 0 drawn, 0 lost
winning streak: 1 now, 1 at best
accuracy: after 10 more reviewed games with critical moves

ended                 board    opponent   result             rating
2026-11-23T17:00:00Z  classic  easy       lost by time            -
2026-11-23T14:00:00Z  classic  井上 太郎  won by time   1662 (+162)
`},
		{"of several players of a name one has to be meant", []string{"profile", "--server", "5", "--player", "Bob"}, exitUsage,
			`2 players are called "Bob": say which with --player and the id: 1003, 1004`},
		{"that one", []string{"profile", "--server", "5", "--player", "1003"}, exitOK, "Bob (1003) at server 5"},
		{"nobody", []string{"profile", "--server", "5", "--player", "Zoe"}, exitUsage, `nobody called "Zoe", and nobody with that id, has finished a game at server 5`},
		{"a player has to be named", []string{"profile", "--server", "5"}, exitUsage, "--player"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, problems, code := told(t, "", append(test.args, "--db", db)...)
			if want, whole := strings.CutPrefix(test.want, "\n"); code != test.code || whole && out != want || !strings.Contains(out+problems, want) {
				t.Errorf("%d\n%s%s\nnot\n%s", code, out, problems, want)
			}
		})
	}
	t.Run("a profile says how somebody has played", func(t *testing.T) {
		drop, err := game.ParseRules("drop")
		if err != nil {
			t.Fatal(err)
		}
		ten, results := profile.Judged{Matches: 10, Critical: 30, Errors: 1, Perfect: 2, Comebacks: 1}, profile.Results{}
		for range profile.HeldFor {
			results = append(results, profile.Result{Mark: game.O, Outcome: score.Draw})
		}
		lines := playedBy(profile.Record{
			Judged: map[string]profile.Judged{"": ten}, Computers: map[string]profile.Results{"unbeatable": results, "hard": {{Mark: game.X, Outcome: score.Win}}},
			Openings: []profile.Opening{
				{Rules: drop, Zone: profile.Zone{Kind: profile.OfColumn, Column: 1}, Tally: score.Tally{Wins: 2}},
				{Rules: drop, Zone: profile.Zone{Kind: profile.OfColumn, Column: 2}, Tally: score.Tally{Losses: 1}},
			},
		}).lines()
		if got, want := strings.Join(lines, "\n"), `accuracy: 96.7 % in 10 reviewed games (29 of 30 critical moves right)
first move as X on drop, columns b and d: 2 won, 0 drawn, 0 lost
first move as X on drop, column c: 0 won, 0 drawn, 1 lost
levels beaten: hard
badges: beat hard, held unbeatable, perfect match, comeback`; got != want {
			t.Errorf("%s\nnot\n%s", got, want)
		}
	})
	t.Run("as JSON", func(t *testing.T) {
		var l struct {
			Server  string
			Stale   bool
			Players []ratedPlayer
		}
		out, _, code := told(t, "", "ladder", "--server", "5", "--json", "--db", db)
		if err := json.Unmarshal([]byte(out), &l); err != nil || code != exitOK || l.Server != "5" || len(l.Players) != 5 || l.Players[0].ID != "1001" || !l.Players[0].Provisional {
			t.Errorf("%v, %d: %s", err, code, out)
		}
		var p playerReport
		out, _, code = told(t, "", "profile", "--server", "5", "--player", "1002", "--json", "--db", db)
		if err := json.Unmarshal([]byte(out), &p); err != nil || code != exitOK || p.Name != "井上 太郎" || len(p.Games) != 2 || p.Games[0].Called != "Bob" || p.Games[1].Gain != -162 {
			t.Errorf("%v, %d: %s", err, code, out)
		}
	})
}
