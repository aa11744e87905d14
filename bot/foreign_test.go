package bot_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
)

// What servers leave out that speak Discord's language and are not Discord.

// anonymous is a gateway whose READY does not say which application the bot is.
func anonymous(_ int, g *gateway) {
	g.hello()
	if op := g.read(); op != nil && op["op"] == float64(6) {
		g.event("RESUMED", "{}")
	} else {
		g.event("READY", `{"v":9,"session_id":"s1","user":{"id":"123"},"guilds":[]}`)
	}
	g.beat()
}

// nowhere are the calls whose path has an empty part.
func nowhere(c call) bool { return strings.Contains(c.Path, "//") }

func TestAReadyWithoutApplication(t *testing.T) {
	const unknown = `{"message":"404: Not Found","code":0}`
	inBubble(t, "the application is asked for, and its commands are registered", func(t *testing.T, f *fake) {
		f.script = anonymous
		f.run(func(c *bot.Config) { c.Commands = tree() })
		passed(time.Minute)
		put := f.made(func(c call) bool { return c.Method == http.MethodPut })
		if len(put) != 1 || put[0].Path != "/applications/123/commands" || len(f.made(nowhere)) != 0 {
			t.Errorf("%v, and %v", put, f.made(nowhere))
		}
	})

	inBubble(t, "where it cannot be asked for, the first interaction says", func(t *testing.T, f *fake) {
		f.script = anonymous
		f.respond = func(c call) (int, string) {
			if c.Path == "/applications/@me" {
				return 404, unknown
			}
			return 0, ""
		}
		r := f.run(func(c *bot.Config) {
			c.Commands = tree()
			c.Router.Component("play", after(2*time.Second, redraw("board"), nil))
		})
		passed(time.Minute)
		for _, call := range []func() error{
			func() error { return r.REST().EditByToken(t.Context(), "token-0", "@original", drawing()) },
			func() error { _, err := r.REST().Original(t.Context(), "token-0"); return err },
			func() error { _, err := r.REST().Recent(t.Context(), "c1"); return err },
			func() error { return r.REST().FollowUp(t.Context(), "token-0") },
		} {
			if err := call(); err == nil || !strings.Contains(err.Error(), "the application's id is not known") {
				t.Error(err)
			}
		}
		if put := f.made(func(c call) bool { return c.Method == http.MethodPut }); len(put) != 0 {
			t.Errorf("registered as %v", put)
		}
		f.gateway().click("1", "m1", "play")
		passed(2 * time.Minute)
		if diff := cmp.Diff([]string{"1 callback 6", "PATCH @original board"}, f.answers()); diff != "" {
			t.Error(diff)
		}
		if err := r.REST().EditByToken(t.Context(), "token-1", "@original", drawing()); err != nil {
			t.Error(err)
		}
		if put := f.made(func(c call) bool { return c.Method == http.MethodPut }); len(put) != 1 || len(f.made(nowhere)) != 0 {
			t.Errorf("%v, and %v", put, f.made(nowhere))
		}
	})

	inBubble(t, "an interaction without it is answered late all the same", func(t *testing.T, f *fake) {
		f.script = anonymous
		f.run(func(c *bot.Config) { c.Router.Component("play", after(2*time.Second, redraw("board"), nil)) })
		f.gateway().interaction("1", clickOf("m1", "play")+`,"application_id":""`)
		passed(10 * time.Second)
		if diff := cmp.Diff([]string{"1 callback 6", "PATCH @original board"}, f.answers()); diff != "" || len(f.made(nowhere)) != 0 {
			t.Errorf("%s, and %v", diff, f.made(nowhere))
		}
	})
}

func TestAServerWithoutSessionLimits(t *testing.T) {
	inBubble(t, "has one shard, which is said once", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.Path == "/gateway/bot" {
				return 404, `{"message":"404: Not Found","code":0}`
			}
			return 0, ""
		}
		r := f.run(func(c *bot.Config) { c.Shards = bot.Shards{Recommended: true} })
		for range 3 {
			passed(time.Minute)
			f.gateway().close(4009) // the session is over: the next attempt identifies
		}
		passed(time.Minute)
		if diff := cmp.Diff([]int{2, 2, 2, 2}, f.opens()); diff != "" {
			t.Errorf("%s\n%s", diff, r.logs)
		}
		if n := strings.Count(r.logs.String(), "HTTP 404"); n != 1 || !r.State().Connected || r.State().Of != 1 {
			t.Errorf("%d times, %+v\n%s", n, r.State(), r.logs)
		}
	})
}

func TestAServerThatDoesNotListCommands(t *testing.T) {
	for _, status := range []int{404, 405, 501} {
		inBubble(t, http.StatusText(status)+": they are registered all the same", func(t *testing.T, f *fake) {
			f.respond = func(c call) (int, string) {
				if c.Method == http.MethodGet && strings.HasSuffix(c.Path, "/commands") {
					return status, `<html>no</html>`
				}
				return 0, ""
			}
			r := f.run(func(c *bot.Config) { c.Commands = tree() })
			passed(time.Minute)
			if put := f.made(func(c call) bool { return c.Method == http.MethodPut }); len(put) != 1 || strings.Contains(r.logs.String(), "level=ERROR") {
				t.Errorf("%v\n%s", put, r.logs)
			}
		})
	}
}

// tree is a command tree of one command.
func tree() []*discordgo.ApplicationCommand {
	return []*discordgo.ApplicationCommand{{Name: "tictactoe", Description: "Play"}}
}
