package discordsim_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tictactoe/discordsim"
)

// firstPacket connects to the gateway by hand and returns the first write of the simulator.
func (b *bubble) firstPacket() string {
	b.t.Helper()
	conn, err := b.dial(context.Background(), "tcp", "sim.test")
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { conn.Close() })
	go fmt.Fprint(conn, "GET /ws/?v=10 HTTP/1.1\r\nHost: sim.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	packet := make([]byte, 4096)
	n, err := conn.Read(packet) // a read from a pipe returns exactly one write
	if err != nil {
		b.t.Fatal(err)
	}
	return string(packet[:n])
}

func TestHelloFaults(t *testing.T) {
	t.Parallel()
	t.Run("HELLO is in one packet with the answer to the upgrade", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			upgraded := fmt.Sprintf("HTTP/1.1 %d", http.StatusSwitchingProtocols)
			if got := b.firstPacket(); !strings.HasPrefix(got, upgraded) || strings.Contains(got, "heartbeat_interval") {
				t.Errorf("without the fault the first packet is %q", got)
			}
			b.fault(discordsim.Faults{Hello: discordsim.HelloWithUpgrade})
			if got := b.firstPacket(); !strings.HasPrefix(got, upgraded) || !strings.HasSuffix(got, `{"op":10,"d":{"heartbeat_interval":41250},"s":null,"t":null}`) {
				t.Errorf("the first packet is %q", got)
			}
			b.gateway("/ws").identify("") // the connection continues like any other
		})
	})
	t.Run("HELLO comes late, and the wait for heartbeats begins with it", func(t *testing.T) {
		simInBubble(t, discordsim.Config{Heartbeat: 30 * time.Second}, func(b *bubble) {
			b.fault(discordsim.Faults{HelloDelayMS: 40_000})
			began := time.Now()
			g := b.gateway("/ws")
			g.expect(10, "")
			if late := time.Since(began); late != 40*time.Second {
				t.Errorf("HELLO came after %v", late)
			}
			if code := g.closed(); code != 4000 || time.Since(began) != (40+45)*time.Second {
				t.Errorf("closed with %d after %v", code, time.Since(began))
			}
		})
	})
	t.Run("what comes before IDENTIFY is for all bots only", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		for _, faults := range []string{`{"hello":"with_upgrade"}`, `{"hello_delay_ms":5}`, `{"hello":"reconnect"}`} {
			body := func(app string) string { return fmt.Sprintf(`{"application":%q,"faults":%s}`, app, faults) }
			if status, said, _ := w.raw("PUT", "/sim/faults", body(botID), ""); status != 400 || !strings.Contains(said, "set them for all") {
				t.Errorf("%s for one bot: %d %s", faults, status, said)
			}
			if status, said, _ := w.raw("PUT", "/sim/faults", body(""), ""); status != 200 {
				t.Errorf("%s for all: %d %s", faults, status, said)
			}
		}
	})
}
