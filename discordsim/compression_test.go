package discordsim_test

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/klauspost/compress/zstd"

	"tictactoe/discordsim"
)

func TestGatewayCompressesStreams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		open func(io.Reader) (io.Reader, error)
		ends []byte
	}{
		{"zlib-stream", func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }, []byte{0, 0, 0xff, 0xff}},
		{"zstd-stream", func(r io.Reader) (io.Reader, error) {
			return zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, discordsim.Config{})
			w.register(pingCommand)
			g := w.dial("?v=10&encoding=json&compress=" + c.name)
			// One decoder reads the whole connection; each read returns the data that has arrived.
			wire := &messages{g: g, ends: c.ends}
			plain, err := c.open(wire)
			if err != nil {
				t.Fatal(err)
			}
			payloads := json.NewDecoder(plain)
			expect := func(op int, kind string) {
				t.Helper()
				var e event
				if err := payloads.Decode(&e); err != nil || e.Op != op || e.T != kind {
					t.Fatalf("got op %d %s, %v; want op %d %s", e.Op, e.T, err, op, kind)
				}
			}
			expect(10, "")
			// If a client asks for both kinds of compression, only the compression of the stream applies.
			g.send(`{"op":2,"d":{"properties":{},"token":"` + token + `","intents":1,"compress":true}}`)
			expect(0, "READY")
			expect(0, "GUILD_CREATE")
			for range 3 {
				w.drive("command", `{"as":"alice","channel":"general","name":"ping","hold":true}`)
				expect(0, "INTERACTION_CREATE")
			}
			g.send(`{"op":1,"d":null}`)
			expect(11, "")
			if wire.n != 7 {
				t.Errorf("7 payloads came in %d messages", wire.n)
			}
		})
	}
}

// messages reads the bytes of consecutive binary messages.
type messages struct {
	g    *gateway
	ends []byte // the bytes at the end of each message
	left []byte
	n    int
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.left) == 0 {
		kind, packed, err := m.g.ws.ReadMessage()
		if err != nil {
			return 0, err
		}
		if kind != websocket.BinaryMessage || !bytes.HasSuffix(packed, m.ends) {
			m.g.t.Errorf("got a message of kind %d that ends in % x", kind, packed[max(0, len(packed)-4):])
		}
		m.left = packed
		m.n++
	}
	n := copy(p, m.left)
	m.left = m.left[n:]
	return n, nil
}

func TestResumingWorksOnBothAddresses(t *testing.T) {
	t.Parallel()
	simInBubble(t, discordsim.Config{}, func(b *bubble) {
		ready := b.gateway("/ws").identify("")
		address, found := strings.CutPrefix(ready.D["resume_gateway_url"].(string), "ws://sim.test")
		if !found || address == "/ws" || address == "/ws/" {
			t.Errorf("the address to resume at is %v", ready.D["resume_gateway_url"])
		}
		for seq, path := range []string{"/ws", address, address + "/?v=10&encoding=json"} {
			g := b.gateway(path)
			g.resume(ready, int64(seq+2))
			if e := g.expect(0, "RESUMED"); e.S != int64(seq+3) {
				t.Errorf("%s: RESUMED has number %d", path, e.S)
			}
		}
	})
}
