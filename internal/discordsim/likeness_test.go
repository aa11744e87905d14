package discordsim_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
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

func TestNullTakesOutOfAMessageWhatAnEditDoesNotLeave(t *testing.T) {
	const made = `"content":"x","embeds":[{"title":"t"}],"components":[{"type":1,"components":[{"type":2,"style":1,"label":"b2","custom_id":"b2"}]}]`
	for _, by := range []struct {
		name string
		edit func(s *stage, i *discordgo.Interaction, message, body string) reply
	}{
		{"by its channel", func(s *stage, _ *discordgo.Interaction, message, body string) reply {
			return s.do("PATCH", s.messages()+"/"+message, body)
		}},
		{"by a token", func(s *stage, i *discordgo.Interaction, _, body string) reply {
			return s.do("PATCH", s.token(i)+"/messages/@original", body)
		}},
		{"by an update", func(s *stage, _ *discordgo.Interaction, message, body string) reply {
			return s.answer(s.clicked(message), `{"type":7,"data":`+body+`}`)
		}},
	} {
		for _, row := range []struct {
			body string
			left map[string]int // the lengths of the content and the lists
		}{
			{`{}`, map[string]int{"content": 1, "embeds": 1, "components": 1, "attachments": 1}},
			{`{"content":null}`, map[string]int{"content": 0, "embeds": 1, "components": 1, "attachments": 1}},
			{`{"embeds":null}`, map[string]int{"content": 1, "embeds": 0, "components": 1, "attachments": 1}},
			{`{"components":null}`, map[string]int{"content": 1, "embeds": 1, "components": 0, "attachments": 1}},
			{`{"attachments":null}`, map[string]int{"content": 1, "embeds": 1, "components": 1, "attachments": 0}},
			{`{"content":null,"embeds":null,"attachments":null}`, map[string]int{"content": 0, "embeds": 0, "components": 1, "attachments": 0}},
			{`{"flags":null,"allowed_mentions":null}`, map[string]int{"content": 1, "embeds": 1, "components": 1, "attachments": 1}},
		} {
			t.Run(by.name+" "+row.body, func(t *testing.T) {
				onStage(t, func(s *stage) reply {
					i := s.used("general")
					r := s.form("POST", "/interactions/"+i.ID+"/"+i.Token+"/callback", `{"type":4,"data":{`+made+`}}`, []byte("a"))
					list, err := s.User("alice").Messages("general")
					s.must(err)
					message := list[len(list)-1]
					if r := by.edit(s, i, message.ID, row.body); r.status >= 300 {
						t.Fatalf("the edit got %d %s", r.status, r.text)
					}
					list, err = s.User("alice").Messages("general")
					s.must(err)
					m := list[len(list)-1]
					got := map[string]int{"content": len(m.Content), "embeds": len(m.Embeds), "components": len(m.Components), "attachments": len(m.Attachments)}
					if diff := cmp.Diff(row.left, got); diff != "" {
						t.Errorf("what is left differs:\n%s", diff)
					}
					return r
				})
			})
		}
	}
}

func TestFormsOfEveryShapeAreRead(t *testing.T) {
	part := func(header, text string) string {
		return "--edge\r\nContent-Disposition: form-data; " + header + "\r\n\r\n" + text + "\r\n"
	}
	const multi, encoded = "multipart/form-data; boundary=edge", "application/x-www-form-urlencoded"
	type made struct {
		Content string
		TTS     bool
		Flags   int
		Nonce   string
		Files   []string
	}
	for _, row := range []struct {
		name, kind, body string
		want             made
	}{
		{"a file of any name", multi, part(`name="attachment"; filename="a.txt"`, "a") + "--edge--\r\n", made{Files: []string{"a.txt"}}},
		{"files of old and new names", multi, part(`name="file"; filename="a.txt"`, "a") + part(`name="files[1]"; filename="b.txt"`, "b") +
			part(`name="file2"; filename="c.txt"`, "c") + "--edge--\r\n", made{Files: []string{"a.txt", "b.txt", "c.txt"}}},
		{"a numbered file without a name", multi, part(`name="files[0]"`, "a") + "--edge--\r\n", made{Files: []string{"unknown"}}},
		{"fields without payload_json", multi, part(`name="content"`, "hi") + part(`name="tts"`, "false") + part(`name="flags"`, "4096") +
			part(`name="nonce"`, "7") + "--edge--\r\n", made{Content: "hi", Flags: 4096, Nonce: "7"}},
		{"fields beside payload_json are not looked at", multi, part(`name="content"`, "one") + part(`name="payload_json"`, `{"content":"two"}`) +
			"--edge--\r\n", made{Content: "two"}},
		{"a field and a file", multi, part(`name="content"`, "hi") + part(`name="x"; filename="a.txt"`, "a") + "--edge--\r\n",
			made{Content: "hi", Files: []string{"a.txt"}}},
		{"a body as browsers encode forms", encoded, "content=hi+there%21&tts=true&flags=4", made{Content: "hi there!", TTS: true, Flags: 4}},
		{"payload_json in such a body", encoded, "payload_json=%7B%22content%22%3A%22hi%22%7D", made{Content: "hi"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Config{})
			req, err := http.NewRequest("POST", w.url+"/api/v10/channels/"+w.channelOfBot()+"/messages", strings.NewReader(row.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bot "+token)
			req.Header.Set("Content-Type", row.kind)
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			var got struct {
				made
				Attachments []struct{ Filename string }
			}
			text, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != http.StatusOK {
				t.Fatalf("got %d %s, %v", res.StatusCode, text, err)
			}
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			for _, a := range got.Attachments {
				got.Files = append(got.Files, a.Filename)
			}
			if diff := cmp.Diff(row.want, got.made); diff != "" {
				t.Errorf("the message differs:\n%s", diff)
			}
		})
	}
}
