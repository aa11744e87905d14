package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"tictactoe/discordsim/check"
	"tictactoe/internal/longtest"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite/sqlitetest"
)

// Scenarios are scripts in testdata/script: people act on the whole bot, through the real wiring and an unmodified
// discordgo, against the local Discord; each line says who does what, or what must be seen. All of it runs in a bubble in
// which time passes only when everybody waits. The words are explained in
// testdata/script/README.md.
//
// Each is played one way, the first by the gateway and the next over HTTP.
func TestScenarios(t *testing.T) {
	play(t, stage{database: preparedFile, spec: openAPI(t)})
}

// TestScenariosOnPostgres plays them on the other database, which is outside of the bubble: time waits for its answers. What TestScenarios
// plays by the gateway it plays over HTTP, and the other way round.
func TestScenariosOnPostgres(t *testing.T) {
	longtest.Only(t)
	pgtest.Migrated(t) // else all are skipped
	play(t, stage{database: preparedServer, other: true})
}

// stage is what scripts are played with.
type stage struct {
	database func(t *testing.T, script string) string
	other    bool   // the first is played over HTTP, and the next by the gateway
	spec     string // Discord's description of its API; empty if what is sent is not compared with it
	checker  *check.Checker
}

// play plays all scripts, each on a database of its own.
func play(t *testing.T, s stage) {
	var err error
	if s.checker, err = check.New(s.spec); err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("testdata/script/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for i, script := range scripts {
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

// preparedFile is the path of an empty database that needs no migration.
func preparedFile(t *testing.T, _ string) string {
	t.Helper()
	path := filepath.Join(sqlitetest.Folder(t), "bot.db")
	if err := sqlitetest.Prepare(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// preparedServer is the address of such a database at a Postgres, unless the script does what cannot be done to that. Two connections are
// enough for one bot, and each takes the server longer than what is asked over it.
func preparedServer(t *testing.T, script string) string {
	t.Helper()
	if strings.Contains(script, "\nhold database") || strings.Contains(script, "\nlose database") {
		return preparedFile(t, script)
	}
	return withOption(t, pgtest.Migrated(t), "pool_max_conns", "2")
}

// perform plays the text of a script, with interactions that come by the gateway or over HTTP.
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

// withOption is the address with one more option.
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

// gatewayAlone is how a script begins that has no meaning over HTTP.
const gatewayAlone = "# Of the gateway alone."

// openAPI is the path of Discord's own description of its API, empty where it is not on this machine.
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
