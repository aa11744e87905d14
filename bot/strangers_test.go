package bot_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/endpoint"
)

// strangers opens the given number of connections and sends the same bytes on each.
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
		io.WriteString(conn, sent) // fails if the bot has closed the connection
	}
	return all
}

func TestStrangersDoNotKeepDiscordOut(t *testing.T) {
	const crowd = 4200
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: bot.test\r\nContent-Type: application/json\r\nX-Signature-Ed25519: %s\r\nContent-Length: 250001\r\n\r\n",
		endpoint.Path, strings.Repeat("00", 64))
	for name, sent := range map[string]string{
		"connections that send nothing":                           "",
		"connections that have asked for something else and stay": "GET / HTTP/1.1\r\nHost: bot.test\r\n\r\n",
		"headers that never end":                                  head[:len(head)-2],
		"bodies that never come, with a false signature":          head,
	} {
		inBubble(t, name, func(t *testing.T, f *fake) {
			o := f.endpoint(nil)
			for range crowd {
				go func() {
					conn, err := o.dial(t.Context(), "", "")
					if err != nil {
						return // the listener was closed at the end of the test
					}
					defer conn.Close()
					io.WriteString(conn, sent)
					io.Copy(io.Discard, conn)
				}()
			}
			synctest.Wait()
			if got := o.send(o.request(f.created("1", commandOf("x")))); got.short() != "202 4 unknown" || got.after > 2*time.Second {
				t.Errorf("a click of Discord: %+v", got)
			}
		})
	}
	inBubble(t, "bodies that never end, with a false signature, take 16 MiB", func(t *testing.T, f *fake) {
		o := f.endpoint(nil)
		var taken atomic.Int64
		for range 200 {
			conn, err := o.dial(t.Context(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				defer conn.Close()
				io.WriteString(conn, head)
				for range 250 {
					n, err := io.WriteString(conn, strings.Repeat("x", 1000))
					taken.Add(int64(n))
					if err != nil {
						return
					}
				}
				io.Copy(io.Discard, conn)
			}()
		}
		synctest.Wait()
		// On each connection a buffer of 4 KiB is read before the body.
		if n := taken.Load(); n > 16<<20+200*(4<<10) || n < 8<<20 {
			t.Errorf("%d bytes were read", n)
		}
		if got := o.send(o.request(f.created("1", commandOf("x")))); got.short() != "202 4 unknown" || got.after > 2*time.Second {
			t.Errorf("a click of Discord: %+v", got)
		}
	})
	inBubble(t, "a click that is being handled is answered although the connection changes", func(t *testing.T, f *fake) {
		o := f.endpoint(func(c *config) {
			c.Router.Component("play", func(context.Context, *bot.Interaction) (bot.Reply, error) {
				passed(time.Second)
				return redraw("board"), nil
			})
		})
		var all sync.WaitGroup
		all.Go(func() {
			if got := o.send(o.request(f.created("1", clickOf("m", "play")))); got.short() != "202 7 board" {
				t.Errorf("got %+v", got)
			}
		})
		synctest.Wait()
		o.strangers(crowd, "")
		all.Wait()
	})
	inBubble(t, "a connection that Discord has used before is used again", func(t *testing.T, f *fake) {
		o := f.endpoint(nil)
		dialled := 0
		o.client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
			dialled++
			return o.dial(ctx, network, addr)
		}
		for i := range 3 {
			if got := o.send(o.request(f.created(fmt.Sprint(i), commandOf("x")))); got.short() != "202 4 unknown" {
				t.Errorf("request %d: %+v", i, got)
			}
			o.strangers(2000, "")
		}
		if dialled != 1 {
			t.Errorf("the client made %d connections for 3 requests", dialled)
		}
	})
}
