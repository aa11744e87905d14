package soak

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

const (
	// strangersSilent is the number of strangers that connect to a replica and send nothing; it is more than the number of
	// connections that the replica accepts at once. strangersEndless is the number of strangers that each send strangersSend bytes
	// of an endless body, with a wrong signature; together they send more than the replica keeps in memory.
	strangersSilent  = 4200
	strangersEndless = 120
	strangersSend    = 200 << 10
	// strangersAgain is the interval after which the strangers disconnect and connect again. A replica waits that long for a
	// request.
	strangersAgain = 5 * time.Second
)

// strangers lets many clients other than Discord connect to the endpoint of a replica, again and again, until told to stop. It does
// nothing while other strangers are connected, because a machine has only 28,000 ports to connect from.
func (s *soak) strangers(f Planned, until <-chan struct{}) error {
	if !s.crowding.TryLock() {
		return nil
	}
	defer s.crowding.Unlock()
	n := f.Strength % len(s.fleet.replicas)
	defer s.record.began(Event{Fault: f.Fault, Text: fmt.Sprintf("at replica %d", n+1)})()
	again := time.NewTicker(strangersAgain)
	defer again.Stop()
	for {
		leave := s.crowd(s.fleet.replicas[n].address.Load())
		select {
		case <-again.C:
			leave()
		case <-until:
			leave()
			return nil
		}
	}
}

// crowd connects all strangers to an address, until one cannot connect, for example because the replica has ended. It returns a function
// that closes their connections.
func (s *soak) crowd(address *string) (leave func()) {
	if address == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var mu sync.Mutex
	var all []net.Conn
	var work sync.WaitGroup
	work.Go(func() {
		dialer := net.Dialer{Timeout: dialTime}
		for i := 0; i < strangersSilent+strangersEndless && ctx.Err() == nil; i++ {
			conn, err := dialer.DialContext(ctx, "tcp", *address)
			if err != nil {
				return
			}
			_ = conn.(*net.TCPConn).SetLinger(0) // frees the port at once when the connection is closed
			mu.Lock()
			all = append(all, conn)
			mu.Unlock()
			if i < strangersEndless {
				work.Go(func() {
					_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: any\r\nContent-Type: application/json\r\n"+
						"X-Signature-Timestamp: %d\r\nX-Signature-Ed25519: %s\r\nContent-Length: %d\r\n\r\n%s",
						endpointPath, time.Now().Unix(), strings.Repeat("5a", 64), strangersSend+1, strings.Repeat(" ", strangersSend))
				})
			}
		}
	})
	return func() {
		cancel()
		mu.Lock()
		for _, conn := range all {
			conn.Close()
		}
		mu.Unlock()
		work.Wait()
		for _, conn := range all { // connections that were being opened are included by now
			conn.Close()
		}
	}
}
