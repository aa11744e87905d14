package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tictactoe/internal/lab/soak"
	"tictactoe/internal/longtest"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
)

// Short soaks of each set-up with everything that goes wrong there with processes, connections and the database. The long
// ones are in docs/reliability.md.
func TestAShortSoak(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	for name, set := range map[string]struct {
		args   []string
		faults string
		needs  func(t *testing.T) []string // what else it is started with; it is skipped without a Postgres
	}{
		"of one process":   {nil, "kill,stop,twin,drop,duplicate,reorder,garble,busy,clock", nil},
		"over HTTP":        {[]string{"--http"}, "kill,stop,duplicate,reorder,garble,busy,clock", nil},
		"of replicas":      {[]string{"--http", "--replicas", "3"}, "kill,stop,duplicate,reorder,busy,outage", ownPostgres},
		"of shared shards": {[]string{"--shards", "4", "--replicas", "2"}, "stop,drop,duplicate,busy", emptyPostgres},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"soak", "--seed", "3", "--duration", "10s", "--players", "12", "--faults", set.faults, "--json"}, set.args...)
			if set.needs != nil {
				args = append(args, set.needs(t)...)
			}
			path, err := program()
			if err != nil {
				t.Fatal(err)
			}
			var stderr bytes.Buffer
			cmd := exec.CommandContext(t.Context(), path, args...)
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			var report soak.Report
			if jsonErr := json.Unmarshal(out, &report); err != nil || jsonErr != nil {
				t.Fatalf("%v, %v\n%s\n%s", err, jsonErr, out, stderr.String())
			}
			if report.First != nil || report.Seed != 3 || report.Players != 12 || len(report.Skipped) > 0 {
				t.Errorf("got %+v", report)
			}
			// Without these it would be no soak, however little of the machine there is for it.
			if report.Interactions < 20 || report.Shown < 10 || report.Moves < 3 || report.InTime < report.Interactions/4 || len(report.Faults) < 2 {
				t.Errorf("too little happened: %+v", report.Summary)
			}
		})
	}
}

// ownPostgres has the soak start a server.
func ownPostgres(t *testing.T) []string {
	pgtest.Own(t) // else it is skipped
	return []string{"--db", "postgres"}
}

// emptyPostgres is a database that somebody else looks after.
func emptyPostgres(t *testing.T) []string { return []string{"--db", pgtest.Empty(t)} }

func TestASoakRefusesADatabaseThatIsUsed(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), path, "soak", "--duration", "1s", "--db", pgtest.Migrated(t)).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "a soak needs one that is empty") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestASoakThatMakesNoSense(t *testing.T) {
	for _, wrong := range [][]string{{"--faults", "lightning"}, {"--players", "1"}, {"--duration", "1ms"},
		{"--replicas", "0"}, {"--replicas", "2", "--http"}, {"--replicas", "2", "--db", "postgres"}, {"--shards", "0"}, {"--shards", "2", "--http"}, {"--db", "bot.db"},
	} {
		_, problems, code := told(t, "", append([]string{"soak"}, wrong...)...)
		if code != exitUsage || !strings.Contains(problems, wrong[0]) {
			t.Errorf("%v: code %d, %s", wrong, code, problems)
		}
	}
}

// Who tells a bot to stop while it waits for its database gets what was asked for.
func TestAStopWhileTheDatabaseIsAwaited(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tictactoe.db")
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	var stderr bytes.Buffer
	env := func(name string) string { return map[string]string{"DISCORD_TOKEN": playgroundToken}[name] }
	code := run(stopped, []string{"serve", "--db", path, "--discord-url", "http://127.0.0.1:1"}, surroundings{env: env, stdout: &stderr, stderr: &stderr})
	if code != exitOK || !strings.Contains(stderr.String(), "told to stop before it had begun") {
		t.Errorf("code %d, %s", code, stderr.String())
	}
}
