package postgres_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// turns counts how often something is sent after something was received: each time somebody has waited for the way to the
// server and back.
type turns struct {
	net.Conn
	n        *atomic.Int64
	received *atomic.Bool
}

func (c turns) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.received.Store(true)
	}
	return n, err
}

func (c turns) Write(p []byte) (int, error) {
	if c.received.Swap(false) {
		c.n.Add(1)
	}
	return c.Conn.Write(p)
}

func TestAClickIsClaimedInOneTurnAndSavedInOne(t *testing.T) {
	var n atomic.Int64
	s, err := postgres.OpenOver(t.Context(), pgtest.Migrated(t), func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return turns{conn, &n, new(atomic.Bool)}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	click := func(m match.Match, square string) match.Match {
		t.Helper()
		sq, err := m.Position().Rules().ParseSquare(square)
		if err != nil {
			t.Fatal(err)
		}
		next, err := m.Play(m.Turn().Player, m.Record.Len(), sq, after(1))
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: next}}, Names: []match.Name{{Player: "alice", Name: "Alice"}}, Seen: match.Seen{At: after(1)}, Extras: []match.Extra{board.Reference{ID: m.ID, Channel: "1", Message: "2"}}})
		return next
	}
	m := begin("m", "alice", "bob")
	save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
	m = click(m, "a1") // with the first the server learns the statements
	n.Store(0)
	click(m, "b2")
	if n := n.Load(); n != 1 {
		t.Errorf("saved in %d turns", n)
	}
	claim := func(id string) {
		t.Helper()
		if first, err := s.Claim(t.Context(), id, after(1)); !first || err != nil {
			t.Fatal(first, err)
		}
	}
	claim("1")
	n.Store(0)
	claim("2")
	if n := n.Load(); n != 1 {
		t.Errorf("claimed in %d turns", n)
	}
}
