package postgres_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// cut is a network that loses the connection on which a transaction is committed.
type cut struct {
	armed    atomic.Bool
	received bool   // the server gets the COMMIT, but the store does not get the response; otherwise the server does not get it either
	lost     func() // called before the store notices the fault
}

func (c *cut) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	return &cutConn{Conn: conn, cut: c}, err
}

type cutConn struct {
	net.Conn
	cut    *cut
	losing atomic.Bool // whether the next read loses its data
}

// Write loses the connection instead of sending the first COMMIT, or sends the COMMIT and makes Read lose the response.
func (c *cutConn) Write(p []byte) (int, error) {
	if !commits(p) || !c.cut.armed.CompareAndSwap(true, false) {
		return c.Conn.Write(p)
	}
	if c.cut.received {
		c.losing.Store(true)
		return c.Conn.Write(p)
	}
	c.lose()
	return 0, net.ErrClosed
}

// commits reports whether the sent bytes run COMMIT, as text or as a statement that pgx has prepared. In the message that binds a
// prepared statement, the empty name of the portal precedes the name of the statement.
func commits(sent []byte) bool {
	digest := sha256.Sum256([]byte("COMMIT"))
	prepared := "\x00stmtcache_" + hex.EncodeToString(digest[:24]) + "\x00"
	return bytes.HasPrefix(sent, []byte("Q")) && bytes.Contains(sent, []byte("COMMIT\x00")) || bytes.Contains(sent, []byte(prepared))
}

// Read loses the response. Write cannot lose it, because pgx reads during a long write.
func (c *cutConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == nil && c.losing.Swap(false) { // the server has committed
		c.lose()
		return 0, net.ErrClosed
	}
	return n, err
}

func (c *cutConn) lose() {
	c.Conn.Close()
	if c.cut.lost != nil {
		c.cut.lost()
	}
}

// lossy opens a store whose next COMMIT is lost once the network is armed.
func lossy(t *testing.T, address string, network *cut) *postgres.Store {
	t.Helper()
	s, err := postgres.OpenOver(t.Context(), address, network.dial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestASaveWithALostCommitAnswerIsMadeOnceAndSucceeds(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	m := begin("m", "alice", "bob")
	moved, another := played(t, m, "alice", 4), begin("n", "alice", "bob")
	invited := challenge(t, "c", "alice", "carol")
	accepted, begun, err := invited.Accept("carol", true, noon().Add(1500*time.Microsecond))
	if err != nil {
		t.Fatal(err)
	}
	room := match.Quota{By: "carol", Other: "alice", Limits: match.Limits{Open: 2, Pair: 1}, At: noon(), Pending: true}
	answered := room
	answered.Pending = false
	names := []match.Name{{Player: "alice", Name: "Alice"}}
	for name, tt := range map[string]struct{ before, save match.Save }{
		"a move": {
			match.Save{Matches: []match.MatchChange{{To: m}}},
			match.Save{Matches: []match.MatchChange{{From: m, To: moved}}, Names: names},
		},
		"a new match": {match.Save{}, match.Save{Matches: []match.MatchChange{{To: begun}}, Names: names}},
		"a new match, for which there is room once": {match.Save{}, match.Save{Quota: answered, Matches: []match.MatchChange{{To: begun}}}},
		"a challenge, which leaves no room":         {match.Save{}, match.Save{Quota: room, Challenge: match.ChallengeChange{To: invited}}},
		"an accepted challenge": {
			match.Save{Challenge: match.ChallengeChange{To: invited}},
			match.Save{
				Consent: match.Consent{By: "carol", Other: "alice", At: noon()}, Quota: answered,
				Challenge: match.ChallengeChange{From: invited, To: accepted, At: noon()}, Matches: []match.MatchChange{{To: begun}},
			},
		},
		"moves of two matches": {
			match.Save{Matches: []match.MatchChange{{To: m}, {To: another}}},
			match.Save{Matches: []match.MatchChange{{From: m, To: moved}, {From: another, To: played(t, another, "alice", 0)}}},
		},
	} {
		for _, received := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, received %v", name, received), func(t *testing.T) {
				network := &cut{received: received}
				address := pgtest.Migrated(t)
				s := lossy(t, address, network)
				save(t, s, tt.before)
				network.armed.Store(true)
				if err := s.Save(t.Context(), tt.save); err != nil {
					t.Errorf("got %v", err)
				}
				if network.armed.Load() {
					t.Fatal("no response was lost")
				}
				for _, c := range tt.save.Matches {
					if stored, err := s.Match(t.Context(), c.To.ID); err != nil || stored.Version < c.To.Version || stored.Record.Len() < c.To.Record.Len() {
						t.Errorf("%+v %v", stored, err)
					}
				}
				lawful(t, address)
			})
		}
	}
}

// played returns the match after one more move.
func played(t *testing.T, m match.Match, by match.User, square game.Square) match.Match {
	t.Helper()
	ply := m.Record.Len()
	next, err := m.Play(by, ply, square, after(ply+1))
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func TestAChangeBetweenALostCommitAndItsRepetitionStays(t *testing.T) {
	t.Parallel()
	m := begin("m", "alice", "bob")
	moved := played(t, m, "alice", 4)
	for name, tt := range map[string]struct {
		received bool
		between  match.MatchChange
	}{
		"another move in place of one that was not made": {false, match.MatchChange{From: m, To: played(t, m, "alice", 8)}},
		"the answer to one that was made":                {true, match.MatchChange{From: moved, To: played(t, moved, "bob", 0)}},
	} {
		t.Run(name, func(t *testing.T) {
			address := pgtest.Migrated(t)
			network := &cut{received: tt.received}
			s, other := lossy(t, address, network), open(t, address)
			save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
			network.lost = func() { save(t, other, match.Save{Matches: []match.MatchChange{tt.between}}) }
			network.armed.Store(true)
			if err := s.Save(t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: moved}}}); !errors.Is(err, match.ErrConflict) {
				t.Errorf("got %v", err)
			}
			if stored, err := s.Match(t.Context(), "m"); err != nil || !stored.Record.Equal(tt.between.To.Record) {
				t.Errorf("%+v %v", stored, err)
			}
			lawful(t, address)
		})
	}
}

func TestAnErasureWithALostCommitAnswerReturnsTheEndedMatches(t *testing.T) {
	t.Parallel()
	for _, received := range []bool{true, false} {
		t.Run(fmt.Sprintf("received %v", received), func(t *testing.T) {
			network := &cut{received: received}
			address := pgtest.Migrated(t)
			s := lossy(t, address, network)
			save(t, s, match.Save{Challenge: match.ChallengeChange{To: challenge(t, "c", "carol", "alice")}, Matches: []match.MatchChange{{To: begin("m", "alice", "bob")}}})
			network.armed.Store(true)
			ended, err := s.Erase(t.Context(), "alice", after(1), "")
			if err != nil || !slices.Equal(ended, []match.ID{"c", "m"}) || network.armed.Load() {
				t.Errorf("%v %v", ended, err)
			}
			lawful(t, address)
		})
	}
}

// gone is a machine that disappears when it sends the first COMMIT of a save. The server does not notice that the machine is gone.
type gone struct {
	armed  atomic.Bool
	silent chan net.Conn // capacity 1: the connection of the machine
	back   chan struct{} // closed when the machine is there again
}

func (g *gone) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	return &goneConn{Conn: conn, gone: g}, err
}

type goneConn struct {
	net.Conn
	gone   *gone
	saves  atomic.Bool // this connection has changed a match
	silent atomic.Bool
}

// Write sends everything except the COMMIT of a save.
func (c *goneConn) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("UPDATE matches")) {
		c.saves.Store(true)
	}
	if c.saves.Load() && bytes.Contains(bytes.ToUpper(p), []byte("COMMIT")) && c.gone.armed.CompareAndSwap(true, false) {
		c.silent.Store(true)
		c.gone.silent <- c.Conn
	}
	if c.silent.Load() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// Read receives nothing while the machine is gone, not even that the server has ended the connection.
func (c *goneConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.silent.Load() {
		<-c.gone.back
	}
	return n, err
}

// The server does not receive the Close of a lost connection.
func (c *goneConn) Close() error {
	if c.silent.Load() {
		return nil
	}
	return c.Conn.Close()
}

func TestLocksOfAVanishedMachineAreReleasedInTime(t *testing.T) {
	t.Parallel()
	machine := &gone{silent: make(chan net.Conn, 1), back: make(chan struct{})}
	address := pgtest.Migrated(t)
	lost, err := postgres.OpenOver(t.Context(), address, machine.dial)
	if err != nil {
		t.Fatal(err)
	}
	defer lost.Close()
	s := open(t, address)
	m := begin("m", "alice", "bob")
	save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
	next := played(t, m, "alice", 4)
	machine.armed.Store(true)
	ended := make(chan error)
	go func() { ended <- lost.Save(t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: next}}}) }()
	connection := <-machine.silent
	// The server releases the locks after two seconds, well within the eight of a handler. A busy machine may take longer.
	ctx, cancel := context.WithTimeout(t.Context(), 25*time.Second)
	defer cancel()
	other := played(t, m, "alice", 8)
	if err := s.Save(ctx, match.Save{Matches: []match.MatchChange{{From: m, To: other}}}); err != nil {
		t.Error(err)
	}
	connection.Close()
	close(machine.back)
	if err := <-ended; !errors.Is(err, match.ErrConflict) {
		t.Errorf("the save of the lost machine returned %v", err)
	}
}

func TestAServerThatCrashesLosesNothingThatWasSaved(t *testing.T) {
	t.Parallel()
	server := pgtest.Own(t)
	s := open(t, server.Address("postgres"))
	var mu sync.Mutex
	var saved []match.ID
	stop := make(chan struct{})
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				id := match.ID(fmt.Sprint("m", worker, "-", i))
				ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
				err := s.Save(ctx, match.Save{Matches: []match.MatchChange{{To: begin(id, match.User("x"+id), match.User("o"+id))}}})
				cancel()
				switch {
				case err == nil:
					mu.Lock()
					saved = append(saved, id)
					mu.Unlock()
				case !errors.Is(err, match.ErrBusy):
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(saved)
	}
	until := func(n int) {
		for count() < n && t.Context().Err() == nil {
			<-time.After(time.Millisecond)
		}
	}
	until(20)
	if err := server.End(true); err != nil {
		t.Error(err)
	}
	if err := server.Begin(); err != nil {
		t.Error(err)
	}
	until(count() + 20)
	close(stop)
	all.Wait()
	for _, id := range saved {
		if _, err := s.Match(t.Context(), id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestALongLockIsReportedAsBusyInTime(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	s := open(t, address)
	m := begin("m", "alice", "bob")
	save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
	next := played(t, m, "alice", 4)
	held, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	defer all.Wait()
	defer close(release)
	all.Go(func() { holdRow(t, address, held, release) })
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := s.Save(ctx, match.Save{Matches: []match.MatchChange{{From: m, To: next}}}); !errors.Is(err, match.ErrBusy) {
		t.Errorf("got %v", err)
	}
}

func TestMissedTimeIsCreditedOnceDespiteALostCommitAnswer(t *testing.T) {
	t.Parallel()
	network := &cut{received: true}
	s := lossy(t, pgtest.Migrated(t), network)
	m := begin("m", "alice", "bob")
	save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}, Seen: match.Seen{At: noon()}})
	network.armed.Store(true)
	n, err := s.Credit(t.Context(), match.Partition{}, clock.Span{From: noon(), To: noon().Add(time.Minute)})
	if err != nil || n != 1 || network.armed.Load() {
		t.Errorf("%d deadlines moved (%v)", n, err)
	}
	if stored, err := s.Match(t.Context(), "m"); err != nil || !stored.Deadline.Equal(m.Deadline.Add(time.Minute)) {
		t.Errorf("%v %v", stored.Deadline, err)
	}
}

// If the first run of a transaction has written a row, the second run must not mistake that row for the row of another bot.
func TestARepeatedTransactionRecognisesItsOwnRows(t *testing.T) {
	t.Parallel()
	m := begin("m", "alice", "bob")
	line := board.Aside{ID: "m", User: "alice", Token: "token", Message: "@original", Expires: after(900)}
	older := line
	older.Token = "older"
	autumn := season.Season{Venue: m.Venue, Number: 1, Name: "Autumn", Began: after(10), By: "carol"}
	entry := func(id match.ID, kind policy.Kind, undoes match.ID) policy.AuditEntry {
		return policy.AuditEntry{ID: id, Venue: m.Venue, By: "carol", At: after(20), Kind: kind, Undoes: undoes}
	}
	for name, write := range map[string]func(context.Context, *postgres.Store) error{
		"a private line": func(ctx context.Context, s *postgres.Store) error {
			before, err := s.ReplaceAside(ctx, line)
			if before != older {
				t.Errorf("the previous line is %+v", before)
			}
			return err
		},
		"a mention": func(ctx context.Context, s *postgres.Store) error {
			return s.SaveMention(ctx, "m", board.Mention{}, board.Mention{Ply: 1, Message: "ping"})
		},
		"a season that is undone": func(ctx context.Context, s *postgres.Store) error {
			return s.UndoSeason(ctx, autumn, entry("undo", policy.Undo, "begin"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			network := &cut{received: true}
			address := pgtest.Migrated(t)
			s := lossy(t, address, network)
			save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}, Extras: []match.Extra{board.Reference{
				ID: "m", Guild: "g", Channel: "c", Token: "token", Expires: after(900), Member: true,
			}}})
			if _, err := s.ReplaceAside(t.Context(), older); err != nil {
				t.Fatal(err)
			}
			if err := s.BeginSeason(t.Context(), autumn, entry("begin", policy.BeginSeason, "")); err != nil {
				t.Fatal(err)
			}
			network.armed.Store(true)
			if err := write(t.Context(), s); err != nil || network.armed.Load() {
				t.Errorf("got %v", err)
			}
			lawful(t, address)
		})
	}
}
