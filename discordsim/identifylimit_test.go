package discordsim_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/discordsim"
)

// identifyAs sends an IDENTIFY and returns the event that follows.
func identifyAs(g *gateway, token, shard string) event {
	g.t.Helper()
	g.expect(10, "")
	g.send(fmt.Sprintf(`{"op":2,"d":{"properties":{},"token":%q,"intents":0%s}}`, token, shard))
	e, err := g.read()
	if err != nil {
		g.t.Fatal(err)
	}
	return e
}

func TestIdentifyIsLimited(t *testing.T) {
	t.Parallel()
	t.Run("to one in five seconds, by op 9", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			identifyAs(b.gateway("/ws"), token, "")
			time.Sleep(4900 * time.Millisecond)
			g := b.gateway("/ws")
			if e := identifyAs(g, token, ""); e.Op != 9 || string(e.Raw) != "false" {
				t.Errorf("the second IDENTIFY got op %d %s", e.Op, e.Raw)
			}
			if e := identifyAs(b.gateway("/ws"), tokenOf("42"), ""); e.T != "READY" {
				t.Errorf("another bot got op %d", e.Op)
			}
			time.Sleep(100 * time.Millisecond)
			g.send(fmt.Sprintf(`{"op":2,"d":{"properties":{},"token":%q,"intents":0}}`, token))
			g.expect(0, "READY")
		})
	})
	t.Run("for each rate limit key on its own", func(t *testing.T) {
		simInBubble(t, discordsim.Config{MaxConcurrency: 2}, func(b *bubble) {
			for shard, want := range []int{0, 0, 9, 9} { // the rate limit keys of the shards are 0, 1, 0, 1
				if e := identifyAs(b.gateway("/ws"), token, fmt.Sprintf(`,"shard":[%d,4]`, shard)); e.Op != want {
					t.Errorf("shard %d got op %d, want %d", shard, e.Op, want)
				}
			}
			time.Sleep(5 * time.Second)
			if e := identifyAs(b.gateway("/ws"), token, `,"shard":[2,4]`); e.Op != 0 {
				t.Errorf("then shard 2 got op %d", e.Op)
			}
		})
	})
	t.Run("but resuming is not", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			ready := b.gateway("/ws").identify("")
			for range 3 {
				g := b.gateway("/ws")
				g.resume(ready, 2)
				g.expect(0, "RESUMED")
				ready.S++
			}
		})
	})
	t.Run("to a thousand in a day, beyond which the token is reset", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			begun := b.Clock().Now()
			left := func() (limit struct {
				Total, Remaining int
				ResetAfter       int64 `json:"reset_after"`
				MaxConcurrency   int   `json:"max_concurrency"`
			}) {
				_, _, text := b.rest("GET", "/gateway/bot", "")
				var body struct {
					Limit json.RawMessage `json:"session_start_limit"`
				}
				json.Unmarshal([]byte(text), &body)
				json.Unmarshal(body.Limit, &limit)
				return limit
			}
			if l := left(); l.Total != 1000 || l.Remaining != 1000 || l.ResetAfter != 0 || l.MaxConcurrency != 1 {
				t.Errorf("at first the limit is %+v", l)
			}
			var g *gateway
			var ready event
			for n := range 1000 {
				g = b.gateway("/ws")
				if ready = identifyAs(g, token, ""); ready.T != "READY" {
					t.Fatalf("IDENTIFY %d got op %d", n+1, ready.Op)
				}
				if n < 999 {
					g.ws.Close()
				}
				time.Sleep(5 * time.Second)
			}
			want := (24*time.Hour - b.Clock().Now().Sub(begun)).Milliseconds()
			if l := left(); l.Remaining != 0 || l.ResetAfter != want {
				t.Errorf("at last the limit is %+v, want a reset after %d", l, want)
			}
			last, over := b.gateway("/ws"), b.gateway("/ws")
			last.expect(10, "")
			over.expect(10, "")
			last.send(fmt.Sprintf(`{"op":2,"d":{"properties":{},"token":%q,"intents":0}}`, token))
			if code := last.closed(); code != 4004 {
				t.Errorf("the IDENTIFY beyond the limit got %d", code)
			}
			if code := g.closed(); code != 4004 {
				t.Errorf("the last session got %d", code)
			}
			over.send(fmt.Sprintf(`{"op":2,"d":{"properties":{},"token":%q,"intents":0}}`, token))
			if code := over.closed(); code != 4004 {
				t.Errorf("then the token gets %d", code)
			}
			if status, _, _ := b.rest("GET", "/users/@me", ""); status != 401 {
				t.Errorf("and over REST %d", status)
			}
			again := b.gateway("/ws")
			again.expect(10, "")
			again.send(fmt.Sprintf(`{"op":6,"d":{"token":%q,"session_id":%q,"seq":1}}`, token+"2", ready.D["session_id"]))
			again.expect(9, "")
			again.ws.Close()
			synctest.Wait()
			if n := b.Bot(botID).DropGateway(); n != 0 {
				t.Errorf("%d connections of the bot live on", n)
			}
			if err := b.Advance(context.Background(), 24*time.Hour); err != nil {
				t.Fatal(err)
			}
			if e := identifyAs(b.gateway("/ws"), token+"2", ""); e.T != "READY" {
				t.Errorf("the next day a new token gets op %d", e.Op)
			}
		})
	})
}

func TestHeartbeatsAreExpected(t *testing.T) {
	t.Parallel()
	config := discordsim.Config{Heartbeat: 10 * time.Second}
	t.Run("one and a half intervals without any end the connection, and not the session", func(t *testing.T) {
		simInBubble(t, config, func(b *bubble) {
			g := b.gateway("/ws")
			ready := g.identify("")
			g.expect(0, "GUILD_CREATE")
			time.Sleep(14 * time.Second)
			g.send(`{"op":1,"d":2}`)
			g.expect(11, "")
			began := time.Now()
			time.Sleep(12 * time.Second)
			if code := g.closed(); code != 4000 || time.Since(began) != 15*time.Second {
				t.Errorf("closed with %d after %v", code, time.Since(began))
			}
			again := b.gateway("/ws")
			again.resume(ready, 2)
			again.expect(0, "RESUMED")
		})
	})
	t.Run("one is due at once when the gateway asks", func(t *testing.T) {
		simInBubble(t, config, func(b *bubble) {
			for _, answers := range []bool{true, false} {
				g := b.gateway("/ws")
				g.expect(10, "")
				b.Bot("").AskForHeartbeat()
				g.expect(1, "")
				if answers {
					g.send(`{"op":1,"d":null}`)
					g.expect(11, "")
				}
				time.Sleep(10*time.Second - time.Millisecond)
				synctest.Wait()
				if n := b.Bot("").Reconnect(); n != 1 {
					t.Errorf("%d connections after 10 s, want 1", n)
				}
				g.expect(7, "")
				if answers {
					g.ws.Close()
					synctest.Wait()
				} else if code := g.closed(); code != 4000 {
					t.Errorf("who gave none was closed with %d", code)
				}
			}
		})
	})
}
