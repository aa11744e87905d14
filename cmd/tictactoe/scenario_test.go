package main

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"tictactoe/discordsim/check"
	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite/sqlitetest"
)

// TestScenarios plays scenarios, which are the scripts in testdata/script: users act on the whole bot, with the real wiring and an
// unmodified discordgo, against the local Discord. Each line is an action of a user, or an expectation. A script runs in a synctest
// bubble, in which time passes only while all goroutines wait. testdata/script/README.md explains the words. The scripts are played
// alternately over the gateway and over HTTP. With the switch of the long tests, scripts that are otherwise played over the gateway are
// played over HTTP, and vice versa.
func TestScenarios(t *testing.T) {
	play(t, stage{database: preparedFile, spec: openAPI(t), every: 1, other: os.Getenv(longtest.Switch) != ""})
}

var every = flag.Int("every", 3, "on Postgres play each script (1), or each second (2), third (3) ...")

// TestScenariosOnPostgres plays some of the scripts with a Postgres database. Postgres is outside of the bubble, whose time stands still
// while the bot waits for its answers.
func TestScenariosOnPostgres(t *testing.T) {
	longtest.Only(t)
	pgtest.Migrated(t) // skips the test without a Postgres
	play(t, stage{database: preparedServer, every: *every, other: true})
}

// stage holds the settings with which scripts are played.
type stage struct {
	database func(t *testing.T, script string) string
	every    int    // play each script, or each second, third ...
	other    bool   // the first script is played over HTTP instead of the gateway
	spec     string // the path of Discord's description of its API; if empty, requests are not checked against it
	checker  *check.Checker
}

// play plays all scripts, each on a separate database.
func play(t *testing.T, s stage) {
	var err error
	if s.checker, err = check.New(s.spec); err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("testdata/script/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for i := 0; i < len(scripts); i += s.every {
		script := scripts[i]
		name := strings.TrimSuffix(filepath.Base(script), ".txt")
		name = strings.ReplaceAll(name, "-", " ")
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		noHTTP := strings.HasPrefix(string(text), gatewayAlone)
		overHTTP := (i%2 == 1) != s.other
		switch {
		case noHTTP:
			overHTTP = false
		case overHTTP:
			name += ", over HTTP"
		}
		t.Run(name, func(t *testing.T) { t.Parallel(); s.perform(t, script, string(text), overHTTP) })
	}
}

// preparedFile returns the path of an empty database that needs no migration.
func preparedFile(t *testing.T, _ string) string {
	t.Helper()
	path := filepath.Join(sqlitetest.Folder(t), "bot.db")
	if err := sqlitetest.Prepare(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// preparedServer returns the address of an empty Postgres database that needs no migration. It skips scripts that need a file. The
// pool has two connections: they are enough for one bot, and opening one takes longer than the queries of a script.
func preparedServer(t *testing.T, script string) string {
	t.Helper()
	if strings.Contains(script, "\nhold database") || strings.Contains(script, "\nlose database") {
		return preparedFile(t, script)
	}
	return withOption(t, pgtest.Migrated(t), "pool_max_conns", "2")
}

// perform plays the text of a script, with interactions over the gateway or over HTTP.
func (s stage) perform(t *testing.T, script, text string, overHTTP bool) {
	db := s.database(t, text)
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, s, db, overHTTP)
		defer w.close()
		for i, line := range strings.Split(text, "\n") {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			if err := w.do(line); err != nil {
				t.Fatalf("%s:%d: %s\n\n%v\n\n%s", script, i+1, line, err, w.story())
			}
		}
		w.checkBodies()
		w.checkLog()
	})
}

// TestTwoTakeAnOpenChallenge has two people press Play at the same instant, 50 times. One of them plays, and the other is told that
// somebody is already playing.
func TestTwoTakeAnOpenChallenge(t *testing.T) {
	checker, err := check.New(openAPI(t))
	if err != nil {
		t.Fatal(err)
	}
	db := preparedFile(t, "")
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, stage{checker: checker}, db, false)
		defer w.close()
		do := func(lines ...string) {
			t.Helper()
			for _, line := range lines {
				if err := w.do(line); err != nil {
					t.Fatalf("%s\n\n%v\n\n%s", line, err, w.story())
				}
			}
		}
		for round := range 50 {
			do("alice /tictactoe challenge first:me", "bob and carol click Play", "board .../.../...")
			var late []string
			for _, name := range []string{"bob", "carol"} {
				if w.do(name+` privately reads "already playing this one"`) == nil {
					late = append(late, name)
					do(name + " privately dismisses")
				}
			}
			if len(late) != 1 {
				t.Fatalf("round %d: too late were %v\n\n%s", round, late, w.story())
			}
			do("alice clicks Resign", "alice submits", "wait 12s") // without the wait, the limit on public messages would refuse her
		}
	})
}

// TestFlood has one person fill a channel in each way that once worked, and counts the public messages. All ways share one limit, a refused
// post does not count, and the limit survives a restart.
func TestFlood(t *testing.T) {
	checker, err := check.New(openAPI(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, overHTTP := range []bool{false, true} {
		t.Run(fmt.Sprint("over HTTP: ", overHTTP), func(t *testing.T) {
			t.Parallel()
			db := preparedFile(t, "")
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, stage{checker: checker}, db, overHTTP)
				defer w.close()
				w.flood()
			})
		})
	}
}

func (w *world) flood() {
	w.t.Helper()
	// act does the lines one after the other, and reports whether the last answer is public.
	act := func(lines ...string) bool {
		w.t.Helper()
		for _, line := range lines {
			for _, each := range []string{"wait 250ms", line} { // without the wait, the rate limit of one person would refuse some lines
				if err := w.do(each); err != nil {
					w.t.Fatalf("%s: %v\n\n%s", line, err, w.story())
				}
			}
		}
		return !w.last.Ephemeral
	}
	act("bob /tictactoe ai first:me", "bob clicks b2", "bob clicks Resign", "bob submits", "call it board")
	for i := range 40 {
		act(fmt.Sprint("person p", i))
	}
	for _, flood := range []struct {
		times int
		do    func(i int)
	}{
		{40, func(i int) {
			if act(fmt.Sprint("alice /tictactoe challenge opponent:p", i)) {
				act("alice clicks Withdraw")
			}
		}},
		{15, func(int) {
			if act("alice /tictactoe ai first:me") {
				act("alice clicks Resign", "alice submits")
			}
		}},
		{30, func(int) { act("look $board", "alice clicks Share", "look answer", "alice clicks Post-here") }},
		{40, func(int) { act("alice /tictactoe leaderboard") }},
		{40, func(int) { act("alice /tictactoe profile") }},
	} {
		act("advance 1m")
		before := w.posts()
		for i := range flood.times {
			flood.do(i)
			if i == flood.times-2 {
				act("restart")
			}
		}
		if n := w.posts() - before; n != match.MaxPosts {
			w.t.Errorf("%d public messages, want %d\n\n%s", n, match.MaxPosts, w.story())
		}
	}
	act("wait 50s") // the last flood took ten seconds, so its first post is now a minute old
	if !act("alice /tictactoe profile") {
		w.t.Errorf("she still waits\n\n%s", w.story())
	}
	w.checkLog()
}

// posts returns the number of public messages in the channel.
func (w *world) posts() (n int) {
	w.t.Helper()
	messages, err := w.sim.User("alice").Messages(w.channel)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range messages {
		if m.Flags&64 == 0 {
			n++
		}
	}
	return n
}

// withOption returns the address of a database with one more option.
func withOption(t *testing.T, address, name, value string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	options := u.Query()
	options.Set(name, value)
	u.RawQuery = options.Encode()
	return u.String()
}

// gatewayAlone is the first line of scripts that are played only over the gateway, because they make no sense over HTTP.
const gatewayAlone = "# Of the gateway alone."

// openAPI returns the path of Discord's description of its API; empty if this machine does not have it.
func openAPI(t *testing.T) string {
	path := os.Getenv("DISCORD_OPENAPI")
	if path == "" {
		path = filepath.Join("..", "..", "..", "shared", "discord-openapi.json")
	}
	if _, err := os.Stat(path); err != nil {
		if strings.Contains(os.Getenv("TICTACTOE_REQUIRE"), "openapi") {
			t.Fatalf("Discord's OpenAPI description is required: %v", err)
		}
		t.Log("Discord's OpenAPI description is not on this machine: bodies are checked by hand-written rules only")
		return ""
	}
	return path
}
