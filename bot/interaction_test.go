package bot_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
)

// receive sends an interaction with the given fields and returns the Interaction that the handler gets.
func receive(t *testing.T, f *fake, fields string) *bot.Interaction {
	t.Helper()
	var got *bot.Interaction
	f.run(func(c *config) {
		c.Router.Unknown = func(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
			got = in
			return private("ok"), nil
		}
	})
	f.gateway().interaction("1", fields)
	synctest.Wait()
	if got == nil {
		t.Fatal("not received")
	}
	return got
}

func TestInteraction(t *testing.T) {
	inBubble(t, "a command tells its path, options, person and languages", func(t *testing.T, f *fake) {
		in := receive(t, f, `"type":2,"data":{"id":"1","name":"tictactoe","type":1,"options":[{"name":"match","type":2,"options":[{"name":"challenge","type":1,"options":[
			{"name":"opponent","type":6,"value":"u2"},{"name":"clock","type":3,"value":"1m"}]}]}],"resolved":{"users":{"u2":{"id":"u2","username":"bob"}}}}`)
		got := map[string]string{
			"path": in.CommandPath(), "custom id": in.CustomID(), "user": in.User().ID, "name": in.DisplayName(),
			"locale": in.Locale(), "server": in.ServerLocale(),
			"opponent": in.Options()["opponent"].Value.(string), "clock": in.Options()["clock"].StringValue(),
		}
		want := map[string]string{
			"path": "tictactoe match challenge", "custom id": "", "user": "u1", "name": "Ally",
			"locale": "de", "server": "", "opponent": "u2", "clock": "1m",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "a member without permissions counts as an administrator", func(t *testing.T, f *fake) {
		in := receive(t, f, `"type":2,"data":{"id":"1","name":"tictactoe","type":1,"resolved":{"members":{"u2":{"permissions":"0"},"u3":{"nick":"Bob"}}}}`)
		members := in.ApplicationCommandData().Resolved.Members
		if members["u2"].Permissions != 0 || members["u3"].Permissions != discordgo.PermissionAdministrator {
			t.Errorf("%+v %+v", members["u2"], members["u3"])
		}
	})

	inBubble(t, "a context-menu command's path is its name", func(t *testing.T, f *fake) {
		in := receive(t, f, `"type":2,"data":{"id":"1","name":"Challenge to Tic-Tac-Toe","type":2,"target_id":"u2"}`)
		if got := in.CommandPath(); got != "Challenge to Tic-Tac-Toe" || len(in.Options()) != 0 {
			t.Errorf("%q", got)
		}
	})

	inBubble(t, "a click tells its custom id and message", func(t *testing.T, f *fake) {
		in := receive(t, f, `"type":3,"data":{"component_type":2,"custom_id":"play:x:3:b2"},`+messageOf("m1", `[{"type":99}]`))
		if in.CustomID() != "play:x:3:b2" || in.CommandPath() != "" || len(in.Options()) != 0 {
			t.Errorf("%q %q", in.CustomID(), in.CommandPath())
		}
		if in.Message.ID != "m1" || in.Message.Flags != discordgo.MessageFlagsIsComponentsV2 {
			t.Errorf("%+v", in.Message)
		}
	})

	inBubble(t, "a labelled input of a modal is read", func(t *testing.T, f *fake) {
		in := receive(t, f, `"type":5,"data":{"custom_id":"resign:x","components":[{"type":10,"id":1},{"type":18,"component":{"type":4,"custom_id":"why","value":"tired"}}]}`)
		if in.Inputs["why"] != "tired" || in.CustomID() != "resign:x" {
			t.Errorf("%+v", in.Inputs)
		}
	})

	for _, test := range []struct {
		name, fields string
		want         bool
	}{
		{"in a server that installed it", `"authorizing_integration_owners":{"0":"g1","1":"u1"}`, true},
		{"where somebody brought it along", `"authorizing_integration_owners":{"1":"u1"}`, false},
		{"in its own direct messages", `"guild_id":null,"member":null,"user":{"id":"u1","username":"a"},"context":1,"authorizing_integration_owners":{"1":"u1"}`, true},
		{"in somebody else's direct messages", `"guild_id":null,"member":null,"user":{"id":"u1","username":"a"},"context":2,"authorizing_integration_owners":{"1":"u1"}`, false},
	} {
		inBubble(t, "membership "+test.name, func(t *testing.T, f *fake) {
			in := receive(t, f, test.fields+`,"type":3,"data":{"custom_id":"x"}`)
			if got := in.BotMember(); got != test.want {
				t.Errorf("member: %t", got)
			}
			if in.User().ID != "u1" {
				t.Errorf("user %+v", in.User())
			}
		})
	}

	t.Run("names fall back", func(t *testing.T) {
		user := &discordgo.User{ID: "1", Username: "alice"}
		in := &bot.Interaction{Interaction: &discordgo.Interaction{User: user, Locale: "fr"}}
		if got := in.DisplayName(); got != "alice" {
			t.Errorf("name %q", got)
		}
		user.GlobalName = "Alice"
		if got := in.DisplayName(); got != "Alice" {
			t.Errorf("name %q", got)
		}
	})

	for name, tt := range map[string]struct{ fields, want string }{
		"a server that is no Community has chosen no language": {`"guild_locale":"en-US","guild":{"id":"g1","locale":"en-US","features":["NEWS"]}`, ""},
		"a Community has, if it is English too":                {`"guild_locale":"en-US","guild":{"id":"g1","locale":"en-US","features":["NEWS","COMMUNITY"]}`, "en-US"},
		"a server of which only another language is known":     {`"guild_locale":"de"`, "de"},
		"a server with unreadable features":                    {`"guild_locale":"fr","guild":{"features":null}`, "fr"},
	} {
		inBubble(t, name, func(t *testing.T, f *fake) {
			in := receive(t, f, `"type":2,"data":{"id":"1","name":"tictactoe","type":1},`+tt.fields)
			if got := in.ServerLocale(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestRouter(t *testing.T) {
	nothing := func(context.Context, *bot.Interaction) (bot.Reply, error) { return bot.Reply{}, nil }

	t.Run("routes are listed sorted", func(t *testing.T) {
		r := bot.NewRouter()
		r.Component("play", nothing)
		r.Command("tictactoe ai", nothing)
		r.UserCommand("Challenge", nothing)
		r.Modal("play", nothing)
		want := []string{"command tictactoe ai", "component play", "modal play", "user Challenge"}
		if diff := cmp.Diff(want, r.Routes()); diff != "" {
			t.Error(diff)
		}
	})

	for name, add := range map[string]func(*bot.Router){
		"a route twice":      func(r *bot.Router) { r.Component("play", nothing); r.Component("play", nothing) },
		"a verb with a rest": func(r *bot.Router) { r.Component("play:x", nothing) },
		"a route to nowhere": func(r *bot.Router) { r.Command("tictactoe", nil) },
		"an empty route":     func(r *bot.Router) { r.Modal("", nothing) },
	} {
		t.Run(name+" panics", func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it did not panic")
				}
			}()
			add(bot.NewRouter())
		})
	}

	inBubble(t, "only the whole verb matches", func(t *testing.T, f *fake) {
		var got []string
		note := func(route string) bot.Handler {
			return func(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
				got = append(got, in.ID+" "+route)
				return private("ok"), nil
			}
		}
		f.run(func(c *config) {
			c.Router.Component("play", note("play"))
			c.Router.Command("tictactoe ai", note("ai"))
			c.Router.UserCommand("Challenge", note("challenge"))
			c.Router.Unknown = note("unknown")
		})
		for i, send := range []func(id string){
			func(id string) { f.gateway().click(id, "m1", "play:a:b") },
			func(id string) { f.gateway().click(id, "m1", "play") },
			func(id string) { f.gateway().click(id, "m1", "player:a") },
			func(id string) { f.gateway().click(id, "m1", ":play") },
			func(id string) { f.gateway().click(id, "m1", "") },
			func(id string) { f.gateway().command(id, "ai") },
			func(id string) { f.gateway().command(id, "a") },
			func(id string) {
				f.gateway().interaction(id, `"type":2,"data":{"name":"Challenge","type":2,"target_id":"u2"}`)
			},
			func(id string) { f.gateway().interaction(id, `"type":2,"data":{"name":"Challenge","type":1}`) },
			func(id string) { f.gateway().interaction(id, `"type":5,"data":{"custom_id":"play"}`) },
		} {
			send(string(rune('a' + i)))
			synctest.Wait()
		}
		want := []string{
			"a play", "b play", "c unknown", "d unknown", "e unknown", "f ai", "g unknown", "h challenge", "i unknown", "j unknown",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
