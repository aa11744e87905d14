package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"tictactoe/internal/longtest"
	"tictactoe/store/sqlite"
)

func TestDatabaseCommandsWhileTheBotRuns(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	h := newHalves(t)
	h.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	board := h.latest()
	h.press("bob", board, "Accept")
	h.press("alice", board, "b2")
	backup := filepath.Join(t.TempDir(), "x.bak")

	check := start(t, nil, "db", "check", "--db", h.db)
	check.wantExit(exitOK)
	check.wantSaid("is sound: 1 game with 1 move")
	copied := start(t, nil, "db", "backup", "--db", h.db, backup)
	copied.wantExit(exitOK)
	copied.wantSaid("x.bak", "checked")
	export := start(t, nil, "db", "export", "--db", h.db)
	export.wantExit(exitOK)
	export.wantSaid(`"moves":["b2"]`, `"outcome":null`)
	refused := start(t, nil, "db", "restore", "--db", h.db, backup)
	refused.wantExit(exitInUse)
	refused.wantSaid("another tictactoe is running on it", "stop it first")

	h.press("bob", board, "a1")
	other := h.begunWith("carol")
	bob := string(h.load(board).Seats[1].Player)
	barred := start(t, nil, "bar", "--db", h.db, "user", bob)
	barred.wantExit(exitOK)
	barred.wantSaid("Barred: user " + bob + " for good. Matches, challenges and arenas that have ended or changed: 1.")
	if r := h.command("bob", "tictactoe ai", nil); !strings.Contains(textOf(r.Message), "You can't play here.") {
		t.Errorf("a barred user is told: %s", textOf(r.Message))
	}
	if r := h.press("alice", board, "c1"); !strings.Contains(textOf(r.Message), "Voided by a moderator") {
		t.Errorf("after the bar, the board says: %s", textOf(r.Message))
	}
	h.press("alice", other, "b2")
	lifted := start(t, nil, "bar", "--db", h.db, "user", bob, "--lift")
	lifted.wantExit(exitOK)
	lifted.wantSaid("Lifted.")
	h.command("bob", "tictactoe ai", nil)
	h.bot.stop()
	restored := start(t, nil, "db", "restore", "--db", h.db, backup)
	restored.wantExit(exitOK)
	restored.wantSaid("is restored", ".replaced-")
	h.begin()
	h.eventually("the board is what the backup says", func() bool { return h.board(board) == ".../.X./..." })
	h.press("bob", board, "c3")
	h.wantBoard(board, ".../.X./..O")
}

func TestTwoBotsOnOneDatabase(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	h := newHalves(t)
	second := func() *process {
		return start(t, []string{"DISCORD_TOKEN=" + secretToken}, "serve", "--db", h.db, "--discord-url", h.url)
	}

	t.Run("a second bot is refused, and the first keeps running", func(t *testing.T) {
		begun := time.Now()
		p := second()
		p.wantExit(exitInUse)
		p.wantSaid("another tictactoe is running on it (process ", "--db", "waiting for it to stop")
		if waited := time.Since(begun); waited < lockPatience {
			t.Errorf("the second bot waited only %v for the first to stop", waited)
		}
		h.command("alice", "tictactoe games", nil)
	})
	t.Run("a second bot takes over from a stopping bot", func(t *testing.T) {
		p := second()
		waitUntil(t, "it waits", func() bool { return strings.Contains(p.said.String(), "waiting for it to stop") })
		h.bot.signal(syscall.SIGTERM)
		h.bot.wantExit(exitOK)
		waitUntil(t, "the second is there", func() bool { return strings.Contains(p.said.String(), "gateway connected") })
		h.command("alice", "tictactoe games", nil)
		p.kill()
	})
	t.Run("a killed bot does not keep the database locked", func(t *testing.T) {
		if _, err := os.Stat(h.db + ".lock"); err != nil {
			t.Fatal("a killed bot leaves its lock file, which the test needs")
		}
		h.begin()
		h.command("alice", "tictactoe games", nil)
	})
}

func TestDatabaseCommands(t *testing.T) {
	t.Parallel()
	t.Run("check names the defect and the remedy, and ends with 1", func(t *testing.T) {
		db := ownDatabase(t, t.TempDir())
		if out, _, code := runInProcess(t, "", "db", "--db", db, "check"); code != exitOK || !strings.Contains(out, "sound: 0 games") {
			t.Errorf("%d %s", code, out)
		}
		change(t, db, "INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached) VALUES ('', 'eve', 0, '', '', 9, 0, 0, 1)")
		out, _, code := runInProcess(t, "", "db", "check", "--db", db)
		if code != exitFailure || !strings.Contains(out, "scores venue= player=eve season=0 rules= level=: the matches do not lead to it") || !strings.Contains(out, "tictactoe db rebuild") {
			t.Errorf("%d %s", code, out)
		}
		out, _, code = runInProcess(t, "", "db", "check", "--db", db, "--json")
		var report sqlite.Report
		if err := json.Unmarshal([]byte(out), &report); err != nil || code != exitFailure || len(report.Findings) != 1 {
			t.Errorf("%d %s %v", code, out, err)
		}
		if out, _, code := runInProcess(t, "", "db", "rebuild", "--db", db); code != exitOK || !strings.Contains(out, "wrong and are right now: 1") {
			t.Errorf("%d %s", code, out)
		}
		if out, _, code := runInProcess(t, "", "db", "check", "--db", db); code != exitOK {
			t.Errorf("%d %s", code, out)
		}
	})
	t.Run("a board with a wrong version is corrected and counted", func(t *testing.T) {
		db := ownDatabase(t, t.TempDir())
		change(t, db, `INSERT INTO challenges (id, venue, challenger, challenged, rules, first, turn_ms, created, casual, status, version)
				VALUES ('c', '', 'alice', 'left', '3x3x3', 'random', 60000, 1, 0, 'declined', 2);
			INSERT INTO boards (id, guild, channel, message, token, member, latest) VALUES ('c', '', '1', '2', '', 1, 1)`)
		for _, step := range []struct {
			args []string
			code int
			says string
		}{
			{[]string{"check"}, exitFailure, "tictactoe db rebuild --db "},
			{[]string{"rebuild"}, exitOK, "All scores and ratings were right.\nBoards that did not know what they have to show, and are redrawn when the bot starts: 1\n"},
			{[]string{"rebuild", "--json"}, exitOK, `{"corrected":0,"boards":0}`},
			{[]string{"check"}, exitOK, "is sound"},
		} {
			out, problems, code := runInProcess(t, "", append([]string{"db", "--db", db}, step.args...)...)
			if code != step.code || !strings.Contains(out, step.says) {
				t.Errorf("%v: %d\n%s%s", step.args, code, out, problems)
			}
		}
	})
	t.Run("a wrong review is found and corrected if requested", func(t *testing.T) {
		db := ownDatabase(t, t.TempDir())
		change(t, db, `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version,
				reviewed, plies, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered)
			VALUES ('m', 'm', '', '3x3x3', 'alice', 'bob', 60000, 'X', 'line', 1, 2, 7, 1, 5, 2, 1, 1, 1, 0, 0);
			INSERT INTO moves VALUES ('m', 0, 0, 1), ('m', 1, 3, 1), ('m', 2, 1, 1), ('m', 3, 4, 1), ('m', 4, 2, 1)`)
		for _, step := range []struct {
			args []string
			code int
			says string
		}{
			{[]string{"rebuild"}, exitOK, "Scores and ratings that were wrong"}, // the match was stored without its scores
			{[]string{"check"}, exitOK, "is sound"},
			{[]string{"check", "--thorough"}, exitFailure, "match m: its review says: X erred in 1 of 2 critical moves and came back, O erred in 0 of 1 critical moves; its moves say: X erred in 0 of 2 critical moves, O erred in 1 of 1 critical moves"},
			{[]string{"check", "--thorough"}, exitFailure, "tictactoe db rebuild --thorough"},
			{[]string{"rebuild", "--thorough"}, exitOK, "Scores, ratings and reviews that were wrong and are right now: 1"},
			{[]string{"check", "--thorough"}, exitOK, "is sound"},
			{[]string{"rebuild", "--thorough"}, exitOK, "All scores, ratings and reviews were right"},
		} {
			out, problems, code := runInProcess(t, "", append([]string{"db", "--db", db}, step.args...)...)
			if code != step.code || !strings.Contains(out, step.says) {
				t.Errorf("%v: %d\n%s%s", step.args, code, out, problems)
			}
		}
	})
	t.Run("many findings are cut short for people", func(t *testing.T) {
		db := ownDatabase(t, t.TempDir())
		change(t, db, `INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached)
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT '', 'p' || i, 0, '', '', 1, 0, 0, 1 FROM n`)
		out, _, _ := runInProcess(t, "", "db", "check", "--db", db)
		if strings.Count(out, "scores venue=") != maxTold || !strings.Contains(out, "and 20 more") {
			t.Error(out)
		}
	})
	t.Run("backup and restore report their results as JSON", func(t *testing.T) {
		dir := t.TempDir()
		db, backup := ownDatabase(t, dir), filepath.Join(dir, "x.bak")
		var made struct {
			File  string
			Bytes int64
		}
		out, problems, code := runInProcess(t, "", "db", "backup", "--db", db, "--json", backup)
		if err := json.Unmarshal([]byte(out), &made); err != nil || code != exitOK || made.File != backup || made.Bytes == 0 {
			t.Errorf("%d %s %s %v", code, out, problems, err)
		}
		var restored struct{ Database, Old string }
		out, problems, code = runInProcess(t, "", "db", "restore", "--db", db, "--json", backup)
		if err := json.Unmarshal([]byte(out), &restored); err != nil || code != exitOK || restored.Database != db || restored.Old == "" {
			t.Errorf("%d %s %s %v", code, out, problems, err)
		}
	})
	t.Run("no command creates a missing database", func(t *testing.T) {
		dir := t.TempDir()
		db := filepath.Join(dir, "x.db")
		for _, args := range [][]string{{"check"}, {"backup", filepath.Join(dir, "x.bak")}, {"export"}, {"rebuild"}, {"restore", filepath.Join(dir, "x.bak")}} {
			out, problems, code := runInProcess(t, "", append([]string{"db", "--db", db}, args...)...)
			if code != exitUsage || !strings.Contains(problems, "no such file") {
				t.Errorf("%s: %d %s %s", args, code, out, problems)
			}
		}
		if left := contents(t, dir); len(left) != 1 {
			t.Errorf("%v", left)
		}
	})
	t.Run("a copy needs a new target", func(t *testing.T) {
		dir := t.TempDir()
		db, to := ownDatabase(t, dir), filepath.Join(dir, "copy.db")
		change(t, db, "INSERT INTO venues VALUES ('home', 1)")
		if _, problems, code := runInProcess(t, "", "db", "copy", db, db); code != exitFailure || !strings.Contains(problems, "the same database") {
			t.Errorf("%d %s", code, problems)
		}
		if out, problems, code := runInProcess(t, "", "db", "copy", db, to); code != exitOK || !strings.Contains(out, "1 row in all, compared one by one") {
			t.Errorf("%d %s %s", code, out, problems)
		}
		if out, problems, code := runInProcess(t, "", "db", "check", "--db", to); code != exitOK {
			t.Errorf("%d %s %s", code, out, problems)
		}
		if _, problems, code := runInProcess(t, "", "db", "copy", to, db); code != exitFailure || !strings.Contains(problems, db+": it exists already") {
			t.Errorf("%d %s", code, problems)
		}
	})
	t.Run("an export leaves out inconsistent games", func(t *testing.T) {
		dir := t.TempDir()
		db := ownDatabase(t, dir)
		change(t, db, `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, deadline, created, version)
			VALUES ('bad', 'bad', '', '9x9x9', 'alice', 'bob', 1, 1, 1, 1), ('good', 'good', '', '3x3x3', 'alice', 'bob', 1, 1, 1, 1)`)
		out, problems, code := runInProcess(t, "", "db", "export", "--db", db)
		if code != exitFailure || !strings.Contains(problems, "stored under bad") || !strings.HasPrefix(out, `{"id":"good"`) {
			t.Errorf("%d %s%s", code, out, problems)
		}
	})
	t.Run("text from a damaged file cannot control the terminal", func(t *testing.T) {
		dir := t.TempDir()
		db := ownDatabase(t, dir)
		change(t, db, `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, deadline, created, version)
			VALUES (char(27) || '[2J' || CAST(x'ff' AS TEXT), 's', '', char(27) || ']0;' || printf('%.5000c', 'x'), 'alice', 'bob', 1, 1, 1, 1)`)
		for _, command := range []string{"check", "export"} {
			out, problems, code := runInProcess(t, "", "db", command, "--db", db)
			if said := out + problems; code != exitFailure || strings.ContainsAny(said, "\x1b") || !utf8.ValidString(said) || !strings.Contains(said, `\x1b[2J\xff`) {
				t.Errorf("%s: %d %q", command, code, said)
			}
			if command == "check" && len(out) > 1500 {
				t.Errorf("%d bytes of it were printed", len(out))
			}
		}
	})
}
