package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tictactoe/internal/lab/soak"
	"tictactoe/internal/longtest"
	"tictactoe/store/postgres/pgtest"
)

// TestAShortSoak runs a short soak test of each setup, with all faults of processes, connections and databases that are possible
// there. docs/reliability.md has the results of long soak tests.
func TestAShortSoak(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	program := filepath.Join(t.TempDir(), "tictactoe")
	if err := build(t.Context(), "", program); err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]struct {
		args   []string
		faults string
		needs  func(t *testing.T) []string // returns further flags; skips the test without a Postgres
	}{
		"of one process":   {nil, "kill,stop,twin,drop,duplicate,reorder,garble,busy,clock", nil},
		"of two builds":    {nil, "kill,stop", commitOfNow},
		"over HTTP":        {[]string{"--http"}, "kill,stop,duplicate,reorder,garble,busy,clock", nil},
		"of replicas":      {[]string{"--http", "--replicas", "3"}, "kill,stop,duplicate,reorder,busy,outage", ownPostgres},
		"of shared shards": {[]string{"--shards", "4", "--replicas", "2"}, "stop,drop,duplicate,busy", emptyPostgres},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"soak", "--seed", "3", "--duration", "10s", "--players", "48", "--program", program, "--faults", set.faults, "--json"}, set.args...)
			if set.needs != nil {
				args = append(args, set.needs(t)...)
			}
			out, problems, code := runInProcess(args...)
			var report soak.Report
			if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 {
				t.Fatalf("%v, code %d\n%s\n%s", err, code, out, problems)
			}
			if report.First != nil || report.Seed != 3 || report.Players != 48 || len(report.Skipped) > 0 {
				t.Errorf("got %+v", report)
			}
			// A soak test without these events would test nothing, even on a slow machine.
			if report.Interactions < 20 || report.Shown < 10 || report.Moves < 3 || report.InTime < report.Interactions/4 || len(report.Faults) < 2 {
				t.Errorf("too little happened: %+v", report.Summary)
			}
		})
	}
}

// ownPostgres makes the soak test start a Postgres server.
func ownPostgres(t *testing.T) []string {
	pgtest.Own(t) // skips the test if the server cannot be started
	return []string{"--db", "postgres"}
}

// commitOfNow makes the soak test run a second build, of the current commit.
func commitOfNow(t *testing.T) []string {
	if err := exec.Command("git", "rev-parse", "--verify", "HEAD").Run(); err != nil {
		t.Skip("no Git repository here:", err)
	}
	return []string{"--older", "HEAD"}
}

// emptyPostgres returns the flags for an empty database on the server of the tests.
func emptyPostgres(t *testing.T) []string { return []string{"--db", pgtest.Empty(t)} }

func TestASoakRefusesADatabaseWithData(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	_, problems, code := runInProcess("soak", "--duration", "1s", "--db", pgtest.Migrated(t))
	if code != 1 || !strings.Contains(problems, "a soak test needs an empty one") {
		t.Errorf("%d\n%s", code, problems)
	}
}

func TestSoakRefusesSenselessFlags(t *testing.T) {
	for _, wrong := range [][]string{{"--faults", "lightning"}, {"--players", "1"}, {"--duration", "1ms"},
		{"--replicas", "0"}, {"--replicas", "2", "--http"}, {"--replicas", "2", "--db", "postgres"}, {"--shards", "0"}, {"--shards", "2", "--http"}, {"--db", "bot.db"},
	} {
		_, problems, code := runInProcess(append([]string{"soak"}, wrong...)...)
		if code != 2 || !strings.Contains(problems, wrong[0]) {
			t.Errorf("%v: code %d, %s", wrong, code, problems)
		}
	}
}
