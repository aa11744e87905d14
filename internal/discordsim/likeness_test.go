package discordsim_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/discordsim"
)

// likenesses are what real payloads have and a simulator easily leaves out,
// because its own bot does not read it.
var likenesses = []struct {
	name string
	got  func(*world, *gateway) any // what the bot is sent
	want any
}{
	{"a subcommand without options has an empty list of them",
		func(w *world, g *gateway) any {
			w.register(richCommand)
			w.drive("command", `{"as":"alice","channel":"general","name":"game admin reset","hold":true}`)
			return g.expect(0, "INTERACTION_CREATE").D["data"].(map[string]any)["options"]
		},
		[]any{map[string]any{"name": "admin", "type": 2.0, "options": []any{
			map[string]any{"name": "reset", "type": 1.0, "options": []any{}}}}}},
	{"a command without options has no list of them",
		func(w *world, g *gateway) any {
			w.register(pingCommand)
			w.drive("command", `{"as":"alice","channel":"general","name":"ping","hold":true}`)
			_, has := g.expect(0, "INTERACTION_CREATE").D["data"].(map[string]any)["options"]
			return has
		}, false},
	{"a channel without overwrites has an empty list of them, and a slow mode of none",
		func(w *world, g *gateway) any {
			_, ch := w.rest("GET", "/channels/"+w.channel("general"), "")
			return []any{ch["permission_overwrites"], ch["rate_limit_per_user"]}
		}, []any{[]any{}, 0.0}},
	{"a channel that is made has them in its event",
		func(w *world, g *gateway) any {
			w.change("POST", "channels", `{"name":"lounge"}`)
			ch := g.expect(0, "CHANNEL_CREATE").D
			return []any{ch["permission_overwrites"], ch["rate_limit_per_user"]}
		}, []any{[]any{}, 0.0}},
	{"a thread has a slow mode, and no overwrites of its own",
		func(w *world, g *gateway) any {
			w.change("POST", "channels", `{"name":"talk","type":11,"parent":"general"}`)
			ch := g.expect(0, "THREAD_CREATE").D
			_, has := ch["permission_overwrites"]
			return []any{has, ch["rate_limit_per_user"]}
		}, []any{false, 0.0}},
	{"direct messages have neither",
		func(w *world, g *gateway) any {
			_, ch := w.rest("POST", "/users/@me/channels", `{"recipient_id":"`+w.User("bob").ID()+`"}`)
			_, overwrites := ch["permission_overwrites"]
			_, slow := ch["rate_limit_per_user"]
			return []any{overwrites, slow}
		}, []any{false, false}},
	{"a server has its stages, scheduled events and sounds",
		func(w *world, g *gateway) any {
			if _, err := w.AddServer(discordsim.Server{Name: "Elsewhere"}); err != nil {
				w.t.Fatal(err)
			}
			guild := g.expect(0, "GUILD_CREATE").D
			channel := guild["channels"].([]any)[0].(map[string]any)
			return []any{guild["stage_instances"], guild["guild_scheduled_events"], guild["soundboard_sounds"],
				channel["permission_overwrites"], channel["rate_limit_per_user"]}
		}, []any{[]any{}, []any{}, []any{}, []any{}, 0.0}},
}

func TestPayloadsHaveWhatDiscordSends(t *testing.T) {
	for _, row := range likenesses {
		t.Run(row.name, func(t *testing.T) {
			w, g := listening(t)
			if diff := cmp.Diff(row.want, row.got(w, g)); diff != "" {
				t.Errorf("it differs:\n%s", diff)
			}
		})
	}
}
