package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tictactoe/discordsim"
	"tictactoe/internal/longtest"
	"tictactoe/migrations"
)

var rounds = flag.Int("rounds", 1, "how many times TestUpgradeAndRollback upgrades and rolls back")

// TestUpgradeAndRollback runs an older build, then this one, and then the older one again, on the copy of the database that this one made
// before it migrated. Each is killed while clicks are open. No move that a player was shown may be lost, except, by the rollback, those
// since the upgrade.
func TestUpgradeAndRollback(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	older := olderProgram(t)
	newer, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for n := range *rounds {
		t.Run(fmt.Sprint("round ", n+1), func(t *testing.T) {
			u := &upgrade{driver: start(t, nil, "sim", "--listen", "127.0.0.1:0", "--no-rate-limits").discord(), db: filepath.Join(t.TempDir(), "bot.db")}
			before := u.play(older)
			u.wantMoves(older, before)
			after := u.play(newer)
			refused := u.serve(older)
			refused.wantExit(exitConfig)
			refused.wantSaid("newer version")
			u.wantMoves(newer, slices.Concat(before, after))

			copies, _ := filepath.Glob(u.db + ".before-*.bak") // one, or the command line is refused
			startBuild(t, older, nil, append([]string{"db", "restore", "--db", u.db}, copies...)...).wantExit(exitOK)
			u.wantMoves(older, before)
			again := u.play(older)
			u.wantMoves(older, slices.Concat(before, again))
			t.Logf("moves shown: %d before the upgrade, %d after it, %d after the rollback", len(before), len(after), len(again))
		})
	}
}

// olderProgram builds the program from the last commit without the newest migration of SQLite, and returns its path. It skips the test
// if the Git history does not go back that far.
func olderProgram(t *testing.T) string {
	t.Helper()
	run := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = filepath.Join("..", "..")
		out, err := cmd.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	files, err := fs.Glob(migrations.SQLite(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	number, _, _ := strings.Cut(slices.Max(files), "_")
	commit := "HEAD" // without the migration, if that is not committed yet
	if added, err := run("git", "log", "--diff-filter=A", "--format=%H", "--", "migrations/sqlite/"+number+"_*"); err != nil || added != "" {
		commit = added[strings.LastIndex(added, "\n")+1:] + "^"
	}
	if out, err := run("git", "rev-parse", "--verify", commit); err != nil {
		t.Skipf("the Git history has no commit from before migration %s: %v: %s", number, err, out)
	}
	dir := t.TempDir()
	sources, path := filepath.Join(dir, "sources.tar"), filepath.Join(dir, "tictactoe-older")
	for _, step := range [][]string{
		{"git", "archive", "--output=" + sources, commit},
		{"tar", "-xf", sources, "-C", dir},
		{"go", "build", "-C", dir, "-ldflags=-s -w", "-o", path, "./cmd/tictactoe"},
	} {
		if out, err := run(step[0], step[1:]...); err != nil {
			t.Fatalf("%q: %v\n%s", step, err, out)
		}
	}
	return path
}

// upgrade is a local Discord, a bot's database, and people who play on whichever build runs.
type upgrade struct {
	*driver
	db     string
	people [6]person
	names  int
}

// person plays one match after another against the computer.
type person struct {
	name        string
	board       *discordsim.Message // as last shown
	interaction string              // the last one
	clicked     string              // its custom_id; empty for the command that begins a match
}

func (u *upgrade) serve(build string) *process {
	u.t.Helper()
	return startBuild(u.t, build, []string{"DISCORD_TOKEN=" + secretToken, "TICTACTOE_USER_RATE=0"}, "serve", "--db", u.db, "--discord-url", u.url)
}

// play has everybody play on a build, and kills it after some moves, while interactions are open. It returns the custom_ids of the
// clicks whose moves were shown.
func (u *upgrade) play(build string) (shown []string) {
	u.t.Helper()
	waitUntil(u.t, "no bot is connected", func() bool { return !u.connected() })
	bot := u.serve(build)
	u.awaitBot()
	for i := range u.people {
		u.act(&u.people[i])
	}
	for turn, enough := 0, 20+rand.N(40); len(shown) < enough; turn++ {
		p := &u.people[turn%len(u.people)]
		if shown = u.see(p, shown); p.interaction != "" || turn > 10*enough {
			u.t.Fatalf("in turn %d, after %d moves, %s gets no answer or no further", turn, len(shown), p.name)
		}
		u.act(p)
	}
	bot.kill()
	for i := range u.people {
		shown = u.see(&u.people[i], shown)
	}
	return shown
}

// act sends a person's next click, or the command for a new match, and does not wait for the answer.
func (u *upgrade) act(p *person) {
	u.t.Helper()
	if p.board != nil {
		for _, b := range buttonsOf(p.board) {
			if onSquare(b) == "." && !b.Disabled && strings.HasPrefix(b.CustomID, "play:") {
				p.clicked = b.CustomID
				p.interaction = u.hold("click", map[string]any{"as": p.name, "message": p.board.ID, "custom_id": b.CustomID})
				return
			}
		}
	}
	u.names++
	*p = person{name: fmt.Sprint("player", u.names)} // a new one, since the bot limits the messages for each
	var created struct{}
	u.ask("POST", "users", map[string]any{"username": p.name, "global_name": p.name}, &created)
	p.interaction = u.hold("command", map[string]any{"as": p.name, "channel": "general", "name": "tictactoe ai", "options": map[string]any{"level": "easy", "first": "me"}})
}

// see waits for the end of a person's interaction, which it clears if it was answered, and adds the move that the answer shows.
func (u *upgrade) see(p *person, shown []string) []string {
	u.t.Helper()
	r := u.settled(p.interaction)
	if r.Status != "answered" {
		return shown
	}
	p.interaction, p.board = "", r.Message
	square, ok := squareOf(r.Message, p.clicked[strings.LastIndex(p.clicked, ":")+1:])
	if !ok || r.Ephemeral || onSquare(square) == "." {
		return shown
	}
	return append(shown, p.clicked)
}

// wantMoves checks that a build finds the database sound, and the moves of these clicks in it.
func (u *upgrade) wantMoves(build string, shown []string) {
	u.t.Helper()
	check := startBuild(u.t, build, nil, "db", "check", "--db", u.db)
	check.wantExit(exitOK)
	check.wantSaid("is sound")
	games, err := exec.Command(build, "db", "export", "--db", u.db).Output()
	if err != nil {
		u.t.Fatal(err)
	}
	saved := map[string]bool{}
	for line := range strings.Lines(string(games)) {
		var game struct {
			ID    string
			Moves []string
		}
		if err := json.Unmarshal([]byte(line), &game); err != nil {
			u.t.Fatal(err)
		}
		for ply, square := range game.Moves {
			saved[fmt.Sprintf("play:%s:%d:%s", game.ID, ply, square)] = true
		}
	}
	for _, clicked := range shown {
		if !saved[clicked] {
			u.t.Errorf("the move %s was shown and is not saved", clicked)
		}
	}
}
