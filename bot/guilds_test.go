package bot_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
)

func TestGuilds(t *testing.T) {
	// hears starts a bot and returns the news that its Hooks.Guilds records, after the given number of failed calls.
	hears := func(f *fake, failing int) *[]bot.Guilds {
		var heard []bot.Guilds
		f.run(func(c *config) {
			c.Guilds = func(_ context.Context, news bot.Guilds) error {
				if failing--; failing >= 0 {
					return fmt.Errorf("disk full")
				}
				if news.Shard != (gateway.Shard{Of: 1}) {
					t.Errorf("news of shard %v", news.Shard)
				}
				news.Shard = gateway.Shard{}
				heard = append(heard, news)
				return nil
			}
		})
		return &heard
	}
	with := func(guilds string) func(int, *socket) {
		return func(_ int, g *socket) {
			g.hello()
			if op := g.read(); op != nil && op["op"] == float64(6) {
				g.event("RESUMED", "{}")
			} else {
				g.event("READY", `{"v":9,"session_id":"s1","user":{"id":"123"},"application":{"id":"`+application+`","flags":0},"guilds":`+guilds+`}`)
			}
			g.beat()
		}
	}
	inBubble(t, "READY lists all of them", func(t *testing.T, f *fake) {
		f.script = with(`[{"id":"2","unavailable":true},{"id":"1","unavailable":true}]`)
		heard := hears(f, 0)
		if d := cmp.Diff([]bot.Guilds{{All: true, Present: []string{"1", "2"}}}, *heard); d != "" {
			t.Error(d)
		}
	})
	inBubble(t, "later events report changes, except outages", func(t *testing.T, f *fake) {
		f.script = with(`[]`)
		heard := hears(f, 0)
		f.gateway().event("GUILD_CREATE", `{"id":"1"}`)
		synctest.Wait()
		f.gateway().event("GUILD_DELETE", `{"id":"1","unavailable":true}`)
		synctest.Wait()
		f.gateway().event("GUILD_DELETE", `{"id":"1"}`)
		synctest.Wait()
		if d := cmp.Diff([]bot.Guilds{{All: true}, {Present: []string{"1"}}, {Gone: []string{"1"}}}, *heard); d != "" {
			t.Error(d)
		}
	})
	inBubble(t, "a departure that could not be told before a new session is told with it", func(t *testing.T, f *fake) {
		f.script = func(n int, g *socket) {
			listed := `[]`
			if n == 0 {
				listed = `[{"id":"1"}]`
			}
			with(listed)(n, g)
		}
		heard := hears(f, 4)
		f.gateway().event("GUILD_DELETE", `{"id":"1"}`)
		f.gateway().frame(`{"op":9,"d":false}`)
		passed(time.Minute)
		if d := cmp.Diff([]bot.Guilds{{All: true, Present: []string{"1"}}, {All: true, Gone: []string{"1"}}}, *heard); d != "" {
			t.Error(d)
		}
	})
	inBubble(t, "servers in which something changed are reported, if readable", func(t *testing.T, f *fake) {
		f.script = with(`[]`)
		heard := hears(f, 0)
		for _, e := range [][2]string{
			{"CHANNEL_UPDATE", `{"id":"9","guild_id":"2"}`},
			{"THREAD_UPDATE", `{"id":"9","guild_id":"3"}`},
			{"GUILD_ROLE_UPDATE", `{"guild_id":"4","role":{"id":"7"}}`},
			{"GUILD_MEMBER_UPDATE", `{"guild_id":"5"}`},
			{"CHANNEL_UPDATE", `{"id":"9"}`},
			{"TYPING_START", `{"guild_id":"6"}`},
		} {
			f.gateway().event(e[0], e[1])
			synctest.Wait()
		}
		want := []bot.Guilds{{All: true}, {Changed: []string{"2"}}, {Changed: []string{"3"}}, {Changed: []string{"4"}}, {Changed: []string{"5"}}}
		if d := cmp.Diff(want, *heard); d != "" {
			t.Error(d)
		}
	})
	inBubble(t, "news whose save failed is passed on again, before the latest later news", func(t *testing.T, f *fake) {
		f.script = with(`[{"id":"1"}]`)
		heard := hears(f, 2)
		f.gateway().event("CHANNEL_UPDATE", `{"guild_id":"1"}`)
		f.gateway().event("GUILD_DELETE", `{"id":"1"}`)
		f.gateway().event("GUILD_CREATE", `{"id":"1"}`)
		passed(time.Minute)
		want := []bot.Guilds{{All: true, Present: []string{"1"}}, {Present: []string{"1"}, Changed: []string{"1"}}}
		if d := cmp.Diff(want, *heard); d != "" {
			t.Error(d)
		}
	})
}
