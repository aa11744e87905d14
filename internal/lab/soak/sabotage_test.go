package soak_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var sabotage = flag.Bool("sabotage", false, "remove one safeguard after another, check that a soak test notices, and write the table of docs/reliability.md; takes minutes")

// sabotages lists the safeguards that patches remove, each with the laws of which a soak test must then find at least one broken.
var sabotages = []struct {
	what, patch, faults string
	laws                []string
	setup               []string // further flags; the default is one process on the gateway
}{
	{"compare-and-swap of the match's version", "compare-and-swap", "none", []string{"a match begins once"}, nil},
	{"the same", "compare-and-swap", "all", []string{"a match begins once", "scores follow from the results"}, nil},
	{"primary key of the moves, and the conflict clause that needs it", "primary-key", "none", []string{"every ply has one move"}, nil},
	{"save before show: the save follows by itself", "save-before-show", "none", []string{"what was shown is stored"}, nil},
	{"the same", "save-before-show", "all", []string{"what was shown is stored"}, nil},
	{"the order of the tally: the square with the fewest votes is played", "least-voted", "none", []string{"a crowd plays what it votes for"}, nil},
	{"swapping the sides in a series", "series-sides", "none", []string{"a series goes on by one game after the other"}, nil},
	{"saving the next game of a series with the end of one", "series-apart", "kill", []string{"a match begins once", "a series goes on by one game after the other"}, nil},
	{"compare-and-swap of the presses on a puzzle", "presses", "none", []string{"a puzzle has three tries"}, nil},
	{"the day of a post that is claimed, and its nonce", "post-claim", "none", []string{"a server gets one post a day"}, nil},
	{"the nonce of a post", "post-nonce", "kill,slow", []string{"a server gets one post a day"}, []string{"--duration", "5m"}}, // needs a kill during a post
	{"working a ladder out again when a match is voided", "unrate", "none", []string{"the database is sound"}, nil},
	{"telling a board that its match has a later version", "tell-board", "none", []string{"the database is sound", "boards become true"}, nil},
	{"waiting before a finished board shrinks", "tidy", "none", []string{"finished boards shrink in time"}, nil},
	{"leaving out the entrants of an arena who play", "arena-playing", "none", []string{"nobody is paired twice at once in an arena"}, nil},
	{"looking for free entrants of an arena every second", "arena-pause", "none", []string{"free entrants of an arena are paired soon"}, nil},
	{"leaving out the games that end after their arena", "arena-late", "none", []string{"the standings of arenas follow from the matches"}, nil},
	{"deleting the private lines of an erased player", "erase", "none", []string{"erased players leave no trace"}, nil},
	{"asking for bars", "bars", "none", []string{"no match of a barred player begins"}, nil},
	{"recover of panics in handlers", "recover", "garble", []string{"the bot ends when it is told to"}, nil},
	{"the same", "recover", "all", []string{"the bot ends when it is told to"}, []string{"--duration", "5m"}},                // this kind of fault is rare
	{"giving back the time away", "give-back", "kill", []string{"nobody loses on time early"}, []string{"--duration", "3m"}}, // few players lose on time in one minute
	{"following a clock that was set", "follow-clock", "clock", []string{"nobody loses on time early", "no clock is left running"}, nil},
	{"the one clock of a database, 3 replicas over HTTP", "one-clock", "clock", []string{"nobody loses on time early", "dates are true where replicas share a clock"},
		[]string{"--http", "--replicas", "3", "--db", "postgres"}},
	{"the locks of one bot on a database", "lock", "twin", []string{"the bot ends when it is told to"}, nil},
	{"noticing that the process did not run", "pause", "pause", []string{"nobody loses on time early"}, []string{"--duration", "3m"}}, // few players lose on time in one minute
	{"readiness of who is given a shard, 4 shards", "readiness", "stillborn", []string{"shards are taken over"},
		[]string{"--shards", "4", "--replicas", "2", "--db", "postgres"}},
	{"room for who comes when the endpoint is full, 1 process over HTTP", "connlimit", "strangers", []string{"everyone is answered"}, []string{"--http"}},
	{"the end of a dead replica's leases after half a minute, 4 shards", "takeover", "kill", []string{"shards are taken over"},
		[]string{"--shards", "4", "--replicas", "2", "--db", "postgres"}},
}

// TestSabotageIsNoticed removes one safeguard after another, because a checker that has never found anything may be blind. A patch
// of the sources removes the safeguard; the program itself has no switch for it.
func TestSabotageIsNoticed(t *testing.T) {
	if !*sabotage {
		t.Skip("it builds and tests several programs: run with -sabotage")
	}
	rows := make([]string, len(sabotages))
	t.Run("all", func(t *testing.T) {
		for i, s := range sabotages {
			t.Run(s.patch+" with faults "+s.faults, func(t *testing.T) {
				t.Parallel()
				// The run lasts longer than a minute, so that turns of a minute can be lost on time.
				report := run(t, build(t, s.patch), append([]string{"--seed", "5", "--duration", "70s", "--faults", s.faults}, s.setup...)...)
				rows[i] = fmt.Sprintf("| %s | %s | %s |", s.what, s.faults, findings(report))
				if !slices.ContainsFunc(append(s.laws, stuck), func(law string) bool { return report.Breaches[law] > 0 }) {
					t.Errorf("none of the laws %q was found broken: %v", s.laws, report.Breaches)
				}
			})
		}
	})
	writeTable(t, "| taken out |", rows)
}

// TestEachSabotageIsPossible applies every patch to the sources. It belongs to the ordinary tests, so that a patch that no longer fits the
// sources is noticed early.
func TestEachSabotageIsPossible(t *testing.T) {
	for _, s := range sabotages {
		if _, err := sabotaged(s.patch); err != nil {
			t.Error(err)
		}
	}
	used := map[string]bool{}
	for _, s := range sabotages {
		used[s.patch+".patch"] = true
	}
	files, err := os.ReadDir(filepath.Join("testdata", "sabotage"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !used[f.Name()] {
			t.Errorf("no entry of sabotages uses %s", f.Name())
		}
	}
}

// build builds the program, with the named patch applied to the sources; an empty name means no patch.
func build(t *testing.T, patch string) string {
	t.Helper()
	files := map[string]string{}
	if patch != "" {
		var err error
		if files, err = sabotaged(patch); err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for path, content := range files {
		full, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		overlay.Replace[full] = write(fmt.Sprintf("%d-%s", len(overlay.Replace), filepath.Base(path)), content)
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "tictactoe")
	if out, err := exec.Command("go", "build", "-overlay", write("overlay.json", string(text)), "-o", program, "../../../cmd/tictactoe").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// sabotaged returns the sources that a patch changes, by their relative paths. The context of each hunk must occur exactly once.
func sabotaged(patch string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join("testdata", "sabotage", patch+".patch"))
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, part := range strings.Split(string(text), "\n--- a/")[1:] {
		name, hunks, _ := strings.Cut(part, "\n")
		path := filepath.Join("..", "..", "..", filepath.FromSlash(name))
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[path] = string(content)
		for _, hunk := range strings.Split(hunks, "\n@@ ")[1:] {
			var before, after strings.Builder
			for _, line := range strings.SplitAfter(hunk, "\n")[1:] {
				if line == "" || strings.HasPrefix(line, "diff ") {
					break
				}
				if line[0] != '+' {
					before.WriteString(line[1:])
				}
				if line[0] != '-' {
					after.WriteString(line[1:])
				}
			}
			if n := strings.Count(files[path], before.String()); n != 1 {
				return nil, fmt.Errorf("%s.patch: the context of a hunk occurs in %s %d times", patch, name, n)
			}
			files[path] = strings.Replace(files[path], before.String(), after.String(), 1)
		}
	}
	return files, nil
}
