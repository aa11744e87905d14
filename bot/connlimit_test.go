package bot_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot"
)

// strangers opens so many connections and sends the same bytes on each.
func (o *overHTTP) strangers(n int, sent string) []net.Conn {
	o.f.t.Helper()
	all := make([]net.Conn, n)
	for i := range all {
		conn, err := o.dial(o.f.t.Context(), "", "")
		if err != nil {
			o.f.t.Fatalf("connection %d: %v", i, err)
		}
		all[i] = conn
		o.f.t.Cleanup(func() { conn.Close() })
		io.WriteString(conn, sent) // fails where the bot has hung up meanwhile
	}
	return all
}

// open counts the connections that the bot has not closed.
func open(conns []net.Conn) int {
	n := 0
	for _, conn := range conns {
		conn.SetReadDeadline(time.Now().Add(time.Millisecond))
		if _, err := io.Copy(io.Discard, conn); err != nil { // the deadline: the other side is still there
			n++
		}
	}
	return n
}

func TestStrangersDoNotKeepDiscordOut(t *testing.T) {
	const crowd = 4200
	forged := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: bot.test\r\nContent-Type: application/json\r\nX-Signature-Ed25519: %s\r\nContent-Length: 256000\r\n\r\n",
		bot.EndpointPath, strings.Repeat("00", 64))
	for _, tt := range []struct {
		name  string
		count int
		sent  string
		most  int // that may stay open
	}{
		{"connections that send nothing", crowd, "", 4096},
		{"connections that have asked for something else and stay", crowd, "GET / HTTP/1.1\r\nHost: bot.test\r\n\r\n", 4096},
		{"requests that never end, with a false signature", crowd, forged, 4096},
		{"large bodies that never end, with a false signature", 200, forged + strings.Repeat("x", 250<<10), 16 << 20 / (250 << 10)},
	} {
		inBubble(t, tt.name, func(t *testing.T, f *fake) {
			o := f.endpoint(newClaims(), nil)
			conns := o.strangers(tt.count, tt.sent)
			synctest.Wait()
			if got := o.send(o.request(f.created("1", commandOf("x")))); got.short() != "200 4 unknown" || got.after > 0 {
				t.Errorf("a click of Discord: %+v", got)
			}
			if n := open(conns); n > tt.most || n < tt.most/2 {
				t.Errorf("%d connections of strangers are open, want at most %d and not far fewer", n, tt.most)
			}
		})
	}
	inBubble(t, "a click that is being handled is answered whoever comes meanwhile", func(t *testing.T, f *fake) {
		o := f.endpoint(newClaims(), func(c *config) {
			c.Router.Component("play", func(context.Context, *bot.Interaction) (bot.Reply, error) {
				passed(time.Second)
				return redraw("board"), nil
			})
		})
		var all sync.WaitGroup
		all.Go(func() {
			if got := o.send(o.request(f.created("1", clickOf("m", "play")))); got.short() != "200 7 board" {
				t.Errorf("got %+v", got)
			}
		})
		synctest.Wait()
		o.strangers(crowd, "")
		all.Wait()
	})
	inBubble(t, "and a stranger who asks again and again is the first to go", func(t *testing.T, f *fake) {
		o := f.endpoint(newClaims(), nil)
		const asked = "GET / HTTP/1.1\r\nHost: bot.test\r\n\r\n"
		strangers := o.strangers(4000, "")
		for _, conn := range strangers {
			go io.Copy(io.Discard, conn)
			io.WriteString(conn, asked)
		}
		synctest.Wait()
		dialled := 0
		o.client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
			dialled++
			return o.dial(ctx, network, addr)
		}
		o.send(o.request(f.created("1", commandOf("x"))))
		for _, conn := range strangers {
			io.WriteString(conn, asked)
		}
		synctest.Wait()
		o.strangers(200, "")
		if o.send(o.request(f.created("2", commandOf("x")))); dialled != 1 {
			t.Errorf("%d connections were made for 2 requests", dialled)
		}
	})
	inBubble(t, "a connection on which Discord has asked before is used again", func(t *testing.T, f *fake) {
		o := f.endpoint(newClaims(), nil)
		dialled := 0
		o.client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
			dialled++
			return o.dial(ctx, network, addr)
		}
		for i := range 3 {
			if got := o.send(o.request(f.created(fmt.Sprint(i), commandOf("x")))); got.short() != "200 4 unknown" {
				t.Errorf("request %d: %+v", i, got)
			}
			o.strangers(2000, "")
		}
		if dialled != 1 {
			t.Errorf("%d connections were made for 3 requests", dialled)
		}
	})
}
