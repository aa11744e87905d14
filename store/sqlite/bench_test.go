//go:build unix

package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"syscall"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/replica/claim"
	"tictactoe/store/storetest"
)

// BenchmarkSaveMove compares saving a move with running only its statements on a prepared connection.
func BenchmarkSaveMove(b *testing.B) {
	b.Run("store", func(b *testing.B) {
		s := open(b, newPath(b))
		var m match.Match
		for n := 0; b.Loop(); n++ {
			if n%5 == 0 { // at most five moves a match, before a player can complete a line
				b.StopTimer()
				m = begin(match.ID(fmt.Sprint(n)))
				save(b, s, match.Save{Matches: []match.MatchChange{{To: m}}})
				b.StartTimer()
			}
			next := move(b, m)
			save(b, s, match.Save{Matches: []match.MatchChange{{From: m, To: next}}})
			m = next
		}
	})
	b.Run("floor", func(b *testing.B) {
		path := newPath(b)
		save(b, open(b, path), match.Save{Matches: []match.MatchChange{{To: begin("m")}}})
		db := raw(b, path)
		run(b, db, "PRAGMA synchronous = FULL")
		run(b, db, "PRAGMA foreign_keys = 1")
		conn, err := db.Conn(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		prepare := func(statement string) *sql.Stmt {
			prepared, err := conn.PrepareContext(context.Background(), statement)
			if err != nil {
				b.Fatal(err)
			}
			return prepared
		}
		start, commit := prepare("BEGIN IMMEDIATE"), prepare("COMMIT")
		update := prepare("UPDATE matches SET deadline = ?2, version = ?3 + 1 WHERE id = ?1 AND version = ?3")
		insert := prepare("INSERT INTO moves (match, ply, square, at) VALUES (?1, ?2, ?3, ?4)")
		exec := func(s *sql.Stmt, args ...any) {
			if _, err := s.ExecContext(context.Background(), args...); err != nil {
				b.Fatal(err)
			}
		}
		for n := 0; b.Loop(); n++ {
			exec(start)
			exec(update, "m", n, n+1)
			exec(insert, "m", n, n%9, n)
			exec(commit)
		}
	})
}

// BenchmarkMatch measures how much of the cost of a click is reading the match.
func BenchmarkMatch(b *testing.B) {
	s := open(b, newPath(b))
	m := begin("m")
	for range 5 {
		m = move(b, m)
	}
	save(b, s, match.Save{Matches: []match.MatchChange{{To: m}}})
	for b.Loop() {
		load(b, s, "m")
	}
}

// BenchmarkProfile measures profiles on a server with 11 players, one of whom has 10,000 rated matches of one rule set. Another
// player has played 1,000 of them.
func BenchmarkProfile(b *testing.B) {
	const n = 10_000
	path := newPath(b)
	s := open(b, path)
	db := raw(b, path)
	run(b, db, `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version, stakes)
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
		SELECT 'm' || i, 'm' || i, 'home', '3x3x3', CASE i % 2 WHEN 0 THEN 'p' ELSE 'q' || (i % 10) END, CASE i % 2 WHEN 0 THEN 'q' || (i % 10) ELSE 'p' END, 60000,
			CASE i * i % 7 % 3 WHEN 0 THEN 'X' WHEN 1 THEN 'O' ELSE 'draw' END, CASE i * i % 7 % 3 WHEN 2 THEN 'moderator' ELSE 'time' END, 1000 * i, 1000 * i + 500, 5, 'full'
		FROM n`, n)
	run(b, db, `INSERT INTO rated (venue, rules, player, at, match, opponent, score, weight, met, other_value, other_deviation, value, deviation, volatility, wins, draws, losses, opponents)
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
		SELECT 'home', '3x3x3', 'p', 1000 * i + 500, 'm' || i, 'q' || (i % 10), 1, 1, i < 10, 1500, 50, 1500 + i * 37 % 100, 50, 0.06, i + 1, 0, 0, 10 FROM n`, n)
	run(b, db, `INSERT INTO moves (match, ply, square, at) WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
		SELECT id, i, i, 0 FROM matches, n`)
	run(b, db, `UPDATE matches SET reviewed = 1, x_critical = 3, x_errors = 1, x_recovered = 0, o_critical = 4, o_errors = 0, o_recovered = 1`)
	in := profile.Scope{Venue: "home", Rules: game.Classic()}
	for _, question := range []struct {
		name string
		ask  func() (int, error)
	}{
		{"record", func() (int, error) { r, err := s.Record(b.Context(), in, "p"); return len(r.People), err }},
		{"record of all places", func() (int, error) { r, err := s.Record(b.Context(), profile.Scope{}, "p"); return len(r.People), err }},
		{"record elsewhere", func() (int, error) { // a venue in which the player has no matches
			r, err := s.Record(b.Context(), profile.Scope{Venue: "elsewhere"}, "p")
			return n + len(r.People), err
		}},
		{"duel", func() (int, error) { d, err := s.Duel(b.Context(), in, "p", "q1"); return 10 * d.Tally().Total(), err }},
		{"course", func() (int, error) {
			c, err := s.Course(b.Context(), "home", game.Classic(), "p", ladder.CourseLength)
			return len(c) * n / ladder.CourseLength, err
		}},
	} {
		b.Run(question.name, func(b *testing.B) {
			for b.Loop() {
				if got, err := question.ask(); err != nil || got != n {
					b.Fatalf("%d of %d (%v)", got, n, err)
				}
			}
		})
	}
}

// BenchmarkArchive measures searches for matches on a server with 100,000 matches, and for a player with 100,000 matches.
func BenchmarkArchive(b *testing.B) {
	path := newPath(b)
	shut(b, opened(b, path))
	db := raw(b, path)
	run(b, db, "PRAGMA synchronous = OFF")
	for _, rows := range storetest.ArchiveRows {
		run(b, db, rows)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	storetest.Archive(b, open(b, path))
}

// BenchmarkBehind measures the search for boards to redraw among many boards that are up to date.
func BenchmarkBehind(b *testing.B) {
	path := newPath(b)
	s := open(b, path)
	run(b, raw(b, path), `INSERT INTO boards (id, guild, channel, message, token, member, shown, latest)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
		SELECT 'm' || i, '', 'c', 'm', 't', 1, 5, 5 + (i % 20000 = 0) FROM n`)
	for b.Loop() {
		ids, err := s.Behind(context.Background(), match.Partition{}, "", 100)
		if err != nil || len(ids) != 5 {
			b.Fatalf("%d ids, %v", len(ids), err)
		}
	}
}

// BenchmarkOpen measures a start with 100,000 finished games of ten moves each.
func BenchmarkOpen(b *testing.B) {
	path := newPath(b)
	shut(b, opened(b, path))
	db := raw(b, path)
	run(b, db, `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version)
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
		SELECT printf('%013d', i), printf('%013d', i), 'v' || (i % 50), '4x4x4', 'p' || (i % 5000), 'q' || (i * 7 % 5000), 3600000,
			'X', 'resignation', i, i + 1, 12 FROM n`)
	run(b, db, `WITH RECURSIVE p (ply) AS (SELECT 0 UNION ALL SELECT ply + 1 FROM p WHERE ply < 9)
		INSERT INTO moves SELECT id, ply, ply, created FROM matches, p`)
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := opened(b, path)
		b.StopTimer()
		shut(b, s)
		b.StartTimer()
	}
}

// BenchmarkRanked measures a page of a leaderboard, a page of a ladder and the end of a match on a server of 100,000 players.
func BenchmarkRanked(b *testing.B) {
	path := newPath(b)
	shut(b, opened(b, path))
	db := raw(b, path)
	run(b, db, "PRAGMA synchronous = OFF")
	for _, rows := range storetest.RankedRows {
		run(b, db, rows)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	storetest.Ranked(b, open(b, path), used)
}

// BenchmarkResets measures how long clicks in other servers wait while the leaderboards of 100,000 players are reset, and while the
// reset is undone.
func BenchmarkResets(b *testing.B) {
	path := newPath(b)
	shut(b, opened(b, path))
	db := raw(b, path)
	run(b, db, "PRAGMA synchronous = OFF")
	for _, rows := range append(storetest.RankedRows, storetest.PlayedRows) {
		run(b, db, rows)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	storetest.Resets(b, open(b, path))
}

// used returns the processor time of this process.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRebuild measures how long it takes to recount a ladder of a million matches, when no row is wrong and when every row is
// wrong.
func BenchmarkRebuild(b *testing.B) {
	path := newPath(b)
	shut(b, opened(b, path))
	db := raw(b, path)
	run(b, db, "PRAGMA synchronous = OFF")
	storetest.Rebuild(b, func(statement string) { run(b, db, statement) },
		func(b *testing.B) func() (int, error) {
			s := open(b, path)
			return func() (int, error) { return s.RebuildScores(context.Background(), nil) }
		}, func() time.Duration { return processorTime(b) })
}

// processorTime returns the processor time that this process has used.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func BenchmarkClick(b *testing.B) { storetest.Click(b, open(b, newPath(b))) }

// BenchmarkClaim measures a claim of an interaction, which is committed without a sync.
func BenchmarkClaim(b *testing.B) {
	s := open(b, newPath(b))
	for n := 0; b.Loop(); n++ {
		if err := s.Claim(b.Context(), claim.Claim{Interaction: fmt.Sprint(n), Until: noon()}); err != nil {
			b.Fatal(err)
		}
	}
}
