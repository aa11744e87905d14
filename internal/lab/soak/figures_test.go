package soak_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/lab/soak"
)

var figures = flag.Bool("figures", false, "run soak tests with several seeds and write the tables of docs/reliability.md; takes minutes")

// TestFigures measures the figures in docs/reliability.md for one process on the gateway.
func TestFigures(t *testing.T) {
	if !*figures {
		t.Skip("it runs for a quarter of an hour: run with -figures")
	}
	program := build(t, "")
	runs := []struct{ seed, faults, duration string }{
		{"6", "all", "2m"}, {"7", "all", "2m"}, {"8", "all", "2m"}, {"9", "all", "2m"},
		{"10", "kill,busy,duplicate", "2m"}, {"11", "clock,kill,busy", "2m"}, {"1", "none", "10s"},
	}
	rows := make([]string, len(runs))
	t.Run("all", func(t *testing.T) {
		for i, of := range runs {
			t.Run("seed "+of.seed, func(t *testing.T) {
				t.Parallel()
				r := run(t, program, "--seed", of.seed, "--faults", of.faults, "--duration", of.duration)
				if len(r.Breaches) > 0 {
					t.Errorf("%v; %s", r.Breaches, r.First.What)
				}
				faults := 0
				for _, n := range r.Faults {
					faults += n
				}
				rows[i] = fmt.Sprintf("| %s, %s of `%s` | %d | %d | %d | %d | %s | %d | %s | %s |",
					of.seed, of.duration, of.faults, faults, r.Interactions, r.InTime, r.TooFast,
					r.Percentile99.Round(100*time.Millisecond), r.Causes["time"], r.Disturbed.Round(time.Second), findings(r))
				t.Log(rows[i])
			})
		}
	})
	writeTable(t, "| seed |", rows)
}

// TestFiguresOfFleets measures the figures in docs/reliability.md for all other setups.
func TestFiguresOfFleets(t *testing.T) {
	if !*figures {
		t.Skip("it runs for a quarter of an hour: run with -figures")
	}
	program := build(t, "")
	replicas := []string{"--replicas", "3", "--http", "--db", "postgres"}
	shards := []string{"--replicas", "2", "--shards", "4", "--db", "postgres"}
	runs := []struct {
		seed string
		args []string
	}{{"12", replicas}, {"14", shards}, {"13", replicas}, {"15", shards}, {"16", []string{"--http"}}}
	rows := make([]string, len(runs))
	t.Run("all", func(t *testing.T) {
		for i, of := range runs {
			t.Run("seed "+of.seed, func(t *testing.T) {
				t.Parallel()
				r := run(t, program, append([]string{"--seed", of.seed, "--duration", "2m"}, of.args...)...)
				if len(r.Breaches) > 0 {
					t.Errorf("%v; %s", r.Breaches, r.First.What)
				}
				faults, unheard := 0, "-"
				for _, n := range r.Faults {
					faults += n
				}
				if r.Unheard > 0 {
					unheard = r.Unserved.Round(100 * time.Millisecond).String()
				}
				rows[i] = fmt.Sprintf("| %s, %s | %d | %d | %d | %d | %s | %d | %s | %s |",
					r.Text, of.seed, faults, r.Interactions, r.InTime, r.TryAgain,
					r.Percentile99.Round(100*time.Millisecond), r.Causes["time"], unheard, findings(r))
				t.Log(rows[i])
			})
		}
	})
	writeTable(t, "| set-up, seed |", rows)
}

// stuck is the finding when a soak test cannot continue, because a sabotaged bot does not come back.
const stuck = "the soak cannot go on"

// run runs a soak test of a program.
func run(t *testing.T, program string, args ...string) soak.Report {
	t.Helper()
	out, err := exec.Command("go", append([]string{"run", "../../../cmd/lab", "soak", "--json", "--program", program}, args...)...).Output()
	var r soak.Report
	if jsonErr := json.Unmarshal(out, &r); jsonErr != nil {
		said := ""
		if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
			said = string(ended.Stderr)
		}
		if *sabotage {
			t.Log(said)
			return soak.Report{Breaches: map[string]int{stuck: 1}}
		}
		t.Fatalf("%v, %v\n%s%s", err, jsonErr, out, said)
	}
	if (err != nil) != (r.First != nil) {
		t.Errorf("%v, with %v", err, r.Breaches)
	}
	for fault, why := range r.Skipped {
		t.Logf("skipped %s: %s", fault, why)
	}
	if r.Kept != "" && *sabotage {
		os.RemoveAll(r.Kept)
	}
	return r
}

// findings lists the broken laws, each with the number of its breaches.
func findings(r soak.Report) string {
	if len(r.Breaches) == 0 {
		return "all hold"
	}
	var parts []string
	for _, law := range slices.Sorted(maps.Keys(r.Breaches)) {
		parts = append(parts, fmt.Sprintf("%s (%d)", law, r.Breaches[law]))
	}
	return strings.Join(parts, ", ")
}

// writeTable writes rows below the table header that starts with the given words, unless the test has failed or rows are missing.
func writeTable(t *testing.T, header string, rows []string) {
	t.Helper()
	if t.Failed() || slices.Contains(rows, "") {
		t.Log(strings.Join(rows, "\n"))
		return
	}
	page := filepath.Join("..", "..", "..", "docs", "reliability.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	first := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, header) }) + 2
	if first < 2 {
		t.Fatalf("%s has no table %q", page, header)
	}
	last := first
	for last < len(lines) && strings.HasPrefix(lines[last], "|") {
		last++
	}
	lines = slices.Replace(lines, first, last, rows...)
	if err := os.WriteFile(page, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
}
