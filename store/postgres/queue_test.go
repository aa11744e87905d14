package postgres_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// turns counts the round trips of a store: each begins when the store sends something after it has received something.
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

// A click over HTTP makes four round trips: to load the match, to save the change and the claim, for COMMIT, and to load the names
// on the board.
func TestAClickTakesFourTurns(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	s, err := postgres.OpenOver(t.Context(), pgtest.Migrated(t), func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return turns{conn, &n, new(atomic.Bool)}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	click := func(id, square string) {
		t.Helper()
		m, err := s.Match(t.Context(), "m")
		if err != nil {
			t.Fatal(err)
		}
		sq, err := m.Position().Rules().ParseSquare(square)
		if err != nil {
			t.Fatal(err)
		}
		next, err := m.Play(m.Turn().Player, m.Record.Len(), sq, after(1))
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: next}}, Names: []match.Name{{Player: "alice", Name: "Alice"}},
			Extras: []match.Extra{board.Reference{ID: m.ID, Channel: "1", Message: "2"}, claim.Claim{Interaction: id, By: "one", Until: after(1)}}})
		if _, err := s.Names(t.Context(), m.Seats.Players()...); err != nil {
			t.Fatal(err)
		}
	}
	save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("m", "alice", "bob")}}})
	click("1", "a1") // during the first click, pgx prepares the statements
	n.Store(0)
	click("2", "b2")
	if n := n.Load(); n != 4 {
		t.Errorf("a click took %d round trips", n)
	}
	alone := func(id string) {
		t.Helper()
		if err := s.Claim(t.Context(), claim.Claim{Interaction: id, By: "one", Until: after(1)}); err != nil {
			t.Fatal(err)
		}
	}
	alone("3")
	n.Store(0)
	alone("4")
	if n := n.Load(); n != 2 {
		t.Errorf("a claim took %d round trips", n)
	}
}
