package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// cut is a network that loses the connection over which a transaction is committed.
type cut struct {
	armed    atomic.Bool
	received bool // the server gets the COMMIT, the store does not get its answer; otherwise neither
}

func (c *cut) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	return &cutConn{Conn: conn, cut: c}, err
}

type cutConn struct {
	net.Conn
	cut *cut
}

// Write loses the connection with the first COMMIT.
func (c *cutConn) Write(p []byte) (int, error) {
	if !bytes.Contains(bytes.ToUpper(p), []byte("COMMIT")) || !c.cut.armed.CompareAndSwap(true, false) {
		return c.Conn.Write(p)
	}
	defer c.Conn.Close()
	if !c.cut.received {
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Write(p)
	if err == nil {
		_, err = c.Conn.Read(make([]byte, 1)) // it has been committed
	}
	return n, err
}

func TestACommitWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	for _, received := range []bool{true, false} {
		t.Run(fmt.Sprintf("received %v", received), func(t *testing.T) {
			network := &cut{received: received}
			s, err := postgres.OpenOver(t.Context(), pgtest.Migrated(t), network.dial)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			m := begin("m", "alice", "bob")
			save(t, s, match.CreateMatch{Match: m})
			next, err := m.Play("alice", 0, 4, after(1))
			if err != nil {
				t.Fatal(err)
			}
			network.armed.Store(true)
			err = s.Save(t.Context(), match.UpdateMatch{From: m, To: next})
			if received != errors.Is(err, match.ErrConflict) || !received && err != nil {
				t.Errorf("got %v", err)
			}
			if network.armed.Load() {
				t.Fatal("nothing was lost")
			}
			if stored, err := s.Match(t.Context(), "m"); err != nil || stored.Version != next.Version || stored.Record.Len() != 1 {
				t.Errorf("%+v %v", stored, err)
			}
		})
	}
}

// gone is a machine that is gone with the first COMMIT, without a word to the server.
type gone struct {
	armed  atomic.Bool
	silent chan net.Conn // capacity 1: its connection
}

func (g *gone) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	return &goneConn{Conn: conn, gone: g}, err
}

type goneConn struct {
	net.Conn
	gone   *gone
	silent atomic.Bool
}

// Write sends all but that COMMIT.
func (c *goneConn) Write(p []byte) (int, error) {
	if bytes.Contains(bytes.ToUpper(p), []byte("COMMIT")) && c.gone.armed.CompareAndSwap(true, false) {
		c.silent.Store(true)
		c.gone.silent <- c.Conn
	}
	if c.silent.Load() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

// Close of what is gone is not heard of.
func (c *goneConn) Close() error {
	if c.silent.Load() {
		return nil
	}
	return c.Conn.Close()
}

func TestWhatAMachineHeldThatIsGoneIsFreeBeforePeopleAreTurnedAway(t *testing.T) {
	machine := &gone{silent: make(chan net.Conn, 1)}
	address := pgtest.Migrated(t)
	lost, err := postgres.OpenOver(t.Context(), address, machine.dial)
	if err != nil {
		t.Fatal(err)
	}
	defer lost.Close()
	s := open(t, address)
	m := begin("m", "alice", "bob")
	save(t, s, match.CreateMatch{Match: m})
	next, err := m.Play("alice", 0, 4, after(1))
	if err != nil {
		t.Fatal(err)
	}
	machine.armed.Store(true)
	ended := make(chan error)
	go func() { ended <- lost.Save(t.Context(), match.UpdateMatch{From: m, To: next}) }()
	connection := <-machine.silent
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second) // a handler's
	defer cancel()
	if err := s.Save(ctx, match.UpdateMatch{From: m, To: next}); err != nil {
		t.Error(err)
	}
	connection.Close()
	if err := <-ended; !errors.Is(err, match.ErrConflict) {
		t.Errorf("what was gone got %v", err)
	}
}

func TestAServerThatCrashesLosesNothingThatWasSaved(t *testing.T) {
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
				err := s.Save(ctx, match.CreateMatch{Match: begin(id, match.Player("x"+id), match.Player("o"+id))})
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
	if err := server.Restart(); err != nil {
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

func TestWhatIsLockedForLongIsBusyInTime(t *testing.T) {
	address := pgtest.Migrated(t)
	s := open(t, address)
	m := begin("m", "alice", "bob")
	save(t, s, match.CreateMatch{Match: m})
	next, err := m.Play("alice", 0, 4, after(1))
	if err != nil {
		t.Fatal(err)
	}
	held, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	defer all.Wait()
	defer close(release)
	all.Go(func() { holdRow(t, address, held, release) })
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := s.Save(ctx, match.UpdateMatch{From: m, To: next}); !errors.Is(err, match.ErrBusy) {
		t.Errorf("got %v", err)
	}
}

func TestTimeIsGivenBackOnceThoughTheAnswerIsLost(t *testing.T) {
	network := &cut{received: true}
	s, err := postgres.OpenOver(t.Context(), pgtest.Migrated(t), network.dial)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	m := begin("m", "alice", "bob")
	save(t, s, match.CreateMatch{Match: m}, match.Seen{At: noon()})
	network.armed.Store(true)
	n, err := s.GiveBack(t.Context(), match.Part{}, noon(), time.Minute)
	if err != nil || n != 1 || network.armed.Load() {
		t.Errorf("%d deadlines moved (%v)", n, err)
	}
	if stored, err := s.Match(t.Context(), "m"); err != nil || !stored.Deadline.Equal(m.Deadline.Add(time.Minute)) {
		t.Errorf("%v %v", stored.Deadline, err)
	}
}
