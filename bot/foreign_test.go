package bot_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
)

// Servers other than Discord that speak its protocol may omit data that Discord always sends. In these tests such data is missing.

// anonymous is a gateway whose READY does not name the bot's application.
func anonymous(_ int, g *socket) {
	g.hello()
	if op := g.read(); op != nil && op["op"] == float64(6) {
		g.event("RESUMED", "{}")
	} else {
		g.event("READY", `{"v":9,"session_id":"s1","user":{"id":"123"},"guilds":[]}`)
	}
	g.beat()
}

// nowhere reports whether the path of a call has an empty segment.
func nowhere(c call) bool { return strings.Contains(c.Path, "//") }

func TestAReadyWithoutApplication(t *testing.T) {
	const unknown = `{"message":"404: Not Found","code":0}`
	inBubble(t, "the application is asked for, and its commands are registered", func(t *testing.T, f *fake) {
		f.script = anonymous
		f.run(func(c *config) { c.Commands = tree })
		passed(time.Minute)
		put := f.made(func(c call) bool { return c.Method == http.MethodPut })
		if len(put) != 1 || put[0].Path != "/applications/123/commands" || len(f.made(nowhere)) != 0 {
			t.Errorf("%v, and %v", put, f.made(nowhere))
		}
	})

	inBubble(t, "if Discord does not name the application, the first interaction does", func(t *testing.T, f *fake) {
		f.script = anonymous
		f.respond = func(c call) (int, string) {
			if c.Path == "/applications/@me" {
				return 404, unknown
			}
			return 0, ""
		}
		r := f.run(func(c *config) {
			c.Commands = tree
			c.Router.Component("play", after(2*time.Second, redraw("board"), nil))
		})
		passed(time.Minute)
		for _, call := range []func() error{
			func() error { return r.rest.EditByToken(t.Context(), "token-0", "@original", drawing()) },
			func() error { _, err := r.rest.Original(t.Context(), "token-0"); return err },
			func() error { _, err := r.rest.Latest(t.Context(), "c1"); return err },
			func() error { _, err := r.rest.FollowUp(t.Context(), "token-0", rest.Message{}, nil); return err },
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
		if err := r.rest.EditByToken(t.Context(), "token-1", "@original", drawing()); err != nil {
			t.Error(err)
		}
		if put := f.made(func(c call) bool { return c.Method == http.MethodPut }); len(put) != 1 || len(f.made(nowhere)) != 0 {
			t.Errorf("%v, and %v", put, f.made(nowhere))
		}
	})

	inBubble(t, "an interaction without it is answered late all the same", func(t *testing.T, f *fake) {
		f.script = anonymous
		f.run(func(c *config) { c.Router.Component("play", after(2*time.Second, redraw("board"), nil)) })
		f.gateway().interaction("1", clickOf("m1", "play")+`,"application_id":""`)
		passed(10 * time.Second)
		if diff := cmp.Diff([]string{"1 callback 6", "PATCH @original board"}, f.answers()); diff != "" || len(f.made(nowhere)) != 0 {
			t.Errorf("%s, and %v", diff, f.made(nowhere))
		}
	})
}

func TestTheGatewaySaysWhichServersTheBotIsIn(t *testing.T) {
	ready := func(guilds string) func(int, *socket) {
		return func(_ int, g *socket) {
			g.hello()
			g.read()
			g.event("READY", `{"v":9,"session_id":"s1","application":{"id":"123"},"guilds":`+guilds+`}`)
			g.beat()
		}
	}
	for name, test := range map[string]struct {
		guilds string
		events [][2]string
		owners string
		want   bool
	}{
		"a server of READY":                      {`[{"id":"g1","unavailable":true}]`, nil, `{}`, true},
		"a server that was joined":               {`[]`, [][2]string{{"GUILD_CREATE", `{"id":"g1"}`}}, `{}`, true},
		"another server":                         {`[{"id":"g2"}]`, nil, `{}`, false},
		"a server that was left":                 {`[{"id":"g1"}]`, [][2]string{{"GUILD_DELETE", `{"id":"g1"}`}}, `{}`, false},
		"a server that Discord has trouble with": {`[{"id":"g1"}]`, [][2]string{{"GUILD_DELETE", `{"id":"g1","unavailable":true}`}}, `{}`, true},
		"a server that was joined again":         {`[]`, [][2]string{{"GUILD_CREATE", `{"id":"g1"}`}, {"GUILD_DELETE", `{"id":"g1"}`}, {"GUILD_CREATE", `{"id":"g1"}`}}, `{}`, true},
		"owners that are null":                   {`[{"id":"g1"}]`, nil, `null`, true},
		"owners that are a list":                 {`[{"id":"g1"}]`, nil, `[]`, true},
		"owners of another form":                 {`[{"id":"g1"}]`, nil, `{"guild":{"id":7}}`, true},
		"owners alone":                           {`[]`, nil, `{"0":"g1"}`, true},
		"neither":                                {`[]`, nil, `[]`, false},
	} {
		inBubble(t, name, func(t *testing.T, f *fake) {
			f.script = ready(test.guilds)
			var got *bot.Interaction
			f.run(func(c *config) {
				c.Router.Unknown = func(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
					got = in
					return private("ok"), nil
				}
			})
			for _, event := range test.events {
				f.gateway().event(event[0], event[1])
			}
			f.gateway().interaction("1", `"type":3,"data":{"custom_id":"x"},"authorizing_integration_owners":`+test.owners)
			synctest.Wait()
			if got == nil || got.BotMember() != test.want {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestMissingPermissions(t *testing.T) {
	for name, test := range map[string]struct {
		fields string
		known  bool
		want   int64
	}{
		"said":               {`"member":{"user":{"id":"u1"},"permissions":"1125899906842624"}`, true, 1 << 50},
		"said to be none":    {`"member":{"user":{"id":"u1"},"permissions":"0"}`, true, 0},
		"said as a number":   {`"member":{"user":{"id":"u1"},"permissions":8}`, true, 8},
		"absent":             {`"member":{"user":{"id":"u1"}}`, false, 0},
		"null":               {`"member":{"user":{"id":"u1"},"permissions":null},"app_permissions":null`, false, 0},
		"something else":     {`"member":{"user":{"id":"u1"},"permissions":["SEND"]},"app_permissions":["SEND"]`, false, 0},
		"of nobody's server": {`"guild_id":null,"member":null,"user":{"id":"u1"}`, true, 0},
	} {
		inBubble(t, name, func(t *testing.T, f *fake) {
			in := receive(t, f, test.fields+`,"type":3,"data":{"custom_id":"x"}`)
			var got int64
			if in.Interaction.Member != nil {
				got = in.Interaction.Member.Permissions
			}
			if in.User().ID != "u1" || in.PermissionsUnknown == test.known || got != test.want {
				t.Errorf("%+v of %+v", in, in.Interaction.Member)
			}
		})
	}
}

func TestPermissionsOfTheBot(t *testing.T) {
	for name, test := range map[string]struct {
		fields  string
		noFiles bool
	}{
		"files may be attached":                      {`"app_permissions":"32768"`, false},
		"everything may be done":                     {`"app_permissions":"8"`, false},
		"files may not be attached":                  {`"app_permissions":"2048"`, true},
		"nothing may be done":                        {`"app_permissions":"0"`, true},
		"permissions as a number":                    {`"app_permissions":2048`, true},
		"no word of them, so files may be tried":     {`"app_permissions":null`, false},
		"something else, so files may be tried":      {`"app_permissions":["ATTACH"]`, false},
		"something else, read by encoding/json":      {`"Type":3,"app_permissions":{"a":1}`, false},
		"files may not be, as encoding/json read it": {`"Type":3,"app_permissions":"2048"`, true},
	} {
		inBubble(t, name, func(t *testing.T, f *fake) {
			if in := receive(t, f, test.fields+`,"type":3,"data":{"custom_id":"x"}`); in.NoFiles != test.noFiles {
				t.Errorf("%v", in.NoFiles)
			}
		})
	}
}

func TestWhereTheBotMayWrite(t *testing.T) {
	for name, test := range map[string]struct {
		fields  string
		noPosts bool
	}{
		"in a channel":                         {`"app_permissions":"3072"`, false},
		"anywhere":                             {`"app_permissions":"8"`, false},
		"in a thread":                          {`"app_permissions":"274877907968","channel":{"type":11,"parent_id":"c2"}`, false},
		"perhaps, since nothing is said":       {`"app_permissions":null`, false},
		"not in a channel that it only sees":   {`"app_permissions":"1024"`, true},
		"not in a channel that it cannot see":  {`"app_permissions":"2048"`, true},
		"not in a thread, if only in channels": {`"app_permissions":"3072","channel":{"type":11,"parent_id":"c2"}`, true},
		"not in a channel, if only in threads": {`"app_permissions":"274877907968","channel":{"type":0,"parent_id":"c2"}`, true},
	} {
		inBubble(t, name, func(t *testing.T, f *fake) {
			if in := receive(t, f, test.fields+`,"type":3,"data":{"custom_id":"x"}`); in.NoPosts != test.noPosts {
				t.Errorf("%v", in.NoPosts)
			}
		})
	}
}

func TestAServerWithoutSessionLimits(t *testing.T) {
	inBubble(t, "has one shard, which is logged once", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.Path == "/gateway/bot" {
				return 404, `{"message":"404: Not Found","code":0}`
			}
			return 0, ""
		}
		r := f.run(func(c *config) { c.Gateway.Shards = gateway.Shards{Recommended: true} })
		for range 3 {
			passed(time.Minute)
			f.gateway().close(4009) // this close code ends the session, so the next attempt identifies
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

func TestAServerWithoutAListOfCommands(t *testing.T) {
	for _, status := range []int{404, 405, 501} {
		inBubble(t, http.StatusText(status)+": they are registered all the same", func(t *testing.T, f *fake) {
			f.respond = func(c call) (int, string) {
				if c.Method == http.MethodGet && strings.HasSuffix(c.Path, "/commands") {
					return status, `<html>no</html>`
				}
				return 0, ""
			}
			r := f.run(func(c *config) { c.Commands = tree })
			passed(time.Minute)
			if put := f.made(func(c call) bool { return c.Method == http.MethodPut }); len(put) != 1 || strings.Contains(r.logs.String(), "level=ERROR") {
				t.Errorf("%v\n%s", put, r.logs)
			}
		})
	}
}

// tree returns a command tree with one command.
func tree() []*discordgo.ApplicationCommand {
	return []*discordgo.ApplicationCommand{{Name: "tictactoe", Description: "Play"}}
}

func TestSite(t *testing.T) {
	for base, want := range map[string]string{
		"": "https://discord.com", "http://127.0.0.1:8080": "http://127.0.0.1:8080", "https://chat.example/": "https://chat.example", "?": "https://discord.com",
	} {
		if got := rest.Site(base); got != want {
			t.Errorf("%q: %s", base, got)
		}
	}
}

func TestErrorsNameTheServer(t *testing.T) {
	inBubble(t, "not Discord, whose addresses are rewritten", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) {
			c.Dial = func(_ context.Context, _, addr string) (net.Conn, error) {
				return nil, errors.New("connect to " + addr + ": refused")
			}
		})
		passed(time.Minute)
		if err := r.rest.EditMessage(t.Context(), "c1", "m1", drawing()); err == nil || strings.Contains(err.Error(), "discord.com") {
			t.Error(err)
		}
		if log := r.logs.String(); strings.Contains(log, "discord.com") || !strings.Contains(log, `err="session limits: connect to discord.test:80: refused"`) {
			t.Error(log)
		}
	})
}
