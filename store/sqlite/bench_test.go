package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"tictactoe/internal/match"
	"tictactoe/internal/score"
)

// How far is saving a move from the same statements on a prepared connection, with nothing around them?
func BenchmarkSaveMove(b *testing.B) {
	b.Run("store", func(b *testing.B) {
		s := open(b, newPath(b))
		var m match.Match
		for n := 0; b.Loop(); n++ {
			if n%5 == 0 { // before anybody can have a line
				b.StopTimer()
				m = begin(match.ID(fmt.Sprint(n)))
				save(b, s, match.CreateMatch{Match: m})
				b.StartTimer()
			}
			next := move(b, m)
			save(b, s, match.UpdateMatch{From: m, To: next})
			m = next
		}
	})
	b.Run("floor", func(b *testing.B) {
		path := newPath(b)
		save(b, open(b, path), match.CreateMatch{Match: begin("m")})
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

// What does a click pay for reading the match?
func BenchmarkMatch(b *testing.B) {
	s := open(b, newPath(b))
	m := begin("m")
	for range 5 {
		m = move(b, m)
	}
	save(b, s, match.CreateMatch{Match: m})
	for b.Loop() {
		load(b, s, "m")
	}
}

// Does a leaderboard stay quick on a server of 100,000 players?
func BenchmarkLeaderboard(b *testing.B) {
	path := newPath(b)
	s := open(b, path)
	run(b, raw(b, path), `INSERT INTO scores
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000),
			levels (level) AS (VALUES (''), ('easy'), ('unbeatable'))
		SELECT 'home', 'p' || i, level, i * 7919 % 1000, i % 10, i * 104729 % 1000 + 1, i FROM n, levels`)
	for _, test := range []struct {
		name  string
		board score.Board
		page  int
		own   match.Player
	}{
		{"people, first page", score.People, 1, ""},
		{"people, first page and own row in the middle", score.People, 1, "p500"},
		{"people, last page", score.People, 10_000, ""},
		{"computers, first page", score.Computers, 1, ""},
		{"computers, first page and own row", score.Computers, 1, "p500"},
	} {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				p, err := s.Leaderboard(context.Background(), "home", test.board, test.page, test.own)
				if err != nil || len(p.Rows) != score.PageSize {
					b.Fatalf("%d rows, %v", len(p.Rows), err)
				}
			}
		})
	}
}

// Does looking for boards to redraw stay quick when there are many that need none?
func BenchmarkBehind(b *testing.B) {
	path := newPath(b)
	s := open(b, path)
	run(b, raw(b, path), `INSERT INTO boards (id, guild, channel, message, token, member, shown, latest)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
		SELECT 'm' || i, '', 'c', 'm', 't', 1, 5, 5 + (i % 20000 = 0) FROM n`)
	for b.Loop() {
		ids, err := s.Behind(context.Background(), match.Part{}, "", 100)
		if err != nil || len(ids) != 5 {
			b.Fatalf("%d ids, %v", len(ids), err)
		}
	}
}

// Does a start stay quick with 100,000 finished games of ten moves each?
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
