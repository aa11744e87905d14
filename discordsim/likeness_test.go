package discordsim_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

// likenesses are details of real payloads that a simulator easily omits, because the bot that it was built for does
// not read them.
var likenesses = []struct {
	name string
	got  func(*world, *gateway) any // the part that the bot receives
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
					want := maps.Clone(row.left)
					if by.name == "by an update" {
						want["attachments"] = 0 // source: payloads that bots received, in Discord's api-docs#6277 and serenity#3068
					}
					got := map[string]int{"content": len(m.Content), "embeds": len(m.Embeds), "components": len(m.Components), "attachments": len(m.Attachments)}
					if diff := cmp.Diff(want, got); diff != "" {
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

// written creates a message of the bot and returns it.
func (w *world) written(body string) map[string]any {
	w.t.Helper()
	status, m := w.rest("POST", "/channels/"+w.channel("general")+"/messages", body)
	if status != http.StatusOK {
		w.t.Fatalf("writing %s got %d %v", body, status, m)
	}
	return m
}

func TestAReplyCarriesWhatItRefersTo(t *testing.T) {
	content := func(m any) any {
		if original, is := m.(map[string]any)["referenced_message"].(map[string]any); is {
			return original["content"]
		}
		original, has := m.(map[string]any)["referenced_message"]
		return []any{original, has}
	}
	const toIt = `{"content":"second","message_reference":{"message_id":%q}}`
	w, g := listening(t)
	first := w.written(`{"content":"first"}`)["id"].(string)
	g.expect(0, "MESSAGE_CREATE")
	reply := w.written(fmt.Sprintf(toIt, first))
	at := "/channels/" + w.channel("general") + "/messages/" + reply["id"].(string)
	get := func() any { _, m := w.rest("GET", at, ""); return m }
	if got := []any{content(reply), content(g.expect(0, "MESSAGE_CREATE").D), content(get())}; cmp.Diff([]any{"first", "first", "first"}, got) != "" {
		t.Errorf("the answer, the event and a look at it have %v", got)
	}
	t.Run("a reply to a reply has one of them", func(t *testing.T) {
		third := w.written(fmt.Sprintf(toIt, reply["id"]))
		g.expect(0, "MESSAGE_CREATE")
		if _, nested := third["referenced_message"].(map[string]any)["referenced_message"]; nested || content(third) != "second" {
			t.Errorf("got %v", third["referenced_message"])
		}
	})
	t.Run("as it is now", func(t *testing.T) {
		w.rest("PATCH", "/channels/"+w.channel("general")+"/messages/"+first, `{"content":"changed"}`)
		g.expect(0, "MESSAGE_UPDATE")
		if got := content(get()); got != "changed" {
			t.Errorf("got %v", got)
		}
	})
	t.Run("null when it is deleted", func(t *testing.T) {
		w.rest("DELETE", "/channels/"+w.channel("general")+"/messages/"+first, "")
		g.expect(0, "MESSAGE_DELETE")
		if got := content(get()); cmp.Diff([]any{nil, true}, got) != "" {
			t.Errorf("got %v", got)
		}
	})
	t.Run("no message that refers to none has any", func(t *testing.T) {
		if got := content(w.written(`{"content":"x"}`)); cmp.Diff([]any{nil, false}, got) != "" {
			t.Errorf("got %v", got)
		}
		g.expect(0, "MESSAGE_CREATE")
	})
	t.Run("without its content to a bot that must not read it", func(t *testing.T) {
		m, err := w.User("alice").Write("general", "hello")
		if err != nil {
			t.Fatal(err)
		}
		g.expect(0, "MESSAGE_CREATE")
		bare := w.dial("")
		bare.expect(10, "")
		bare.send(`{"op":2,"d":{"token":"` + tokenOf("42") + `","intents":513,"properties":{}}}`)
		bare.expect(0, "READY")
		bare.expect(0, "GUILD_CREATE")
		g.expect(0, "GUILD_MEMBER_ADD")
		w.written(fmt.Sprintf(toIt, m.ID))
		if got := content(g.expect(0, "MESSAGE_CREATE").D); got != "hello" {
			t.Errorf("with the intent it reads %q", got)
		}
		if got := content(bare.expect(0, "MESSAGE_CREATE").D); got != "" {
			t.Errorf("without the intent it reads %q", got)
		}
	})
}

func TestAnEphemeralMessageIsToldToNobodyElseByAReply(t *testing.T) {
	onStage(t, func(s *stage) reply {
		i := s.used("general")
		s.answer(i, `{"type":4,"data":{"content":"secret","flags":64}}`)
		open, private := s.do("POST", s.token(i), `{"content":"open"}`), s.do("POST", s.token(i), `{"content":"private","flags":64}`)
		if strings.Contains(open.text, "secret") || !strings.Contains(private.text, "secret") {
			t.Errorf("the follow-ups are %s and %s", open.text, private.text)
		}
		return open
	})
}

func TestAForwardKeepsTheMessageAsItWas(t *testing.T) {
	w, _ := listening(t)
	general := w.channel("general")
	_, first := w.upload("POST", "/channels/"+general+"/messages", `{"content":"first","embeds":[{"title":"t"}]}`, map[string]string{"a.txt": "a"})
	lounge := w.change("POST", "channels", `{"name":"lounge"}`)["id"].(string)
	forward := func(message, from string) map[string]any {
		t.Helper()
		status, m := w.rest("POST", "/channels/"+lounge+"/messages", fmt.Sprintf(`{"message_reference":{"type":1,"message_id":%q,"channel_id":%q}}`, message, from))
		if status != http.StatusOK {
			t.Fatalf("forwarding got %d %v", status, m)
		}
		return m
	}
	forwarded := forward(first["id"].(string), general)
	reference := map[string]any{"type": 1.0, "message_id": first["id"], "channel_id": general, "guild_id": w.guild()}
	if diff := cmp.Diff(reference, forwarded["message_reference"]); diff != "" || forwarded["type"] != 0.0 || forwarded["flags"] != float64(1<<14) || forwarded["content"] != "" {
		t.Errorf("the forward is %v\n%s", forwarded, diff)
	}
	w.rest("PATCH", "/channels/"+general+"/messages/"+first["id"].(string), `{"content":"changed"}`)
	w.rest("DELETE", "/channels/"+general+"/messages/"+first["id"].(string), "")
	_, again := w.rest("GET", "/channels/"+lounge+"/messages/"+forwarded["id"].(string), "")
	again2 := forward(again["id"].(string), lounge)
	for _, m := range []map[string]any{again, again2} {
		snapshots := m["message_snapshots"].([]any)
		message := snapshots[0].(map[string]any)["message"].(map[string]any)
		if len(snapshots) != 1 || message["content"] != "first" || len(message["embeds"].([]any)) != 1 || message["author"] != nil || message["timestamp"] != first["timestamp"] {
			t.Errorf("the forward shows %v", snapshots)
		}
		at := message["attachments"].([]any)[0].(map[string]any)["url"].(string)
		res, err := http.Get(at)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := io.ReadAll(res.Body); string(text) != "a" {
			t.Errorf("its file is %d %s", res.StatusCode, text)
		}
		res.Body.Close()
	}
}

func TestEnforcedNoncesMakeOneMessage(t *testing.T) {
	for _, row := range []struct {
		name, first, second string
		advance             string
		same                bool
	}{
		{"the same nonce", `"nonce":"a","enforce_nonce":true`, `"nonce":"a","enforce_nonce":true`, "", true},
		{"a number and its text", `"nonce":7`, `"nonce":"7","enforce_nonce":true`, "", true},
		{"another nonce", `"nonce":"a","enforce_nonce":true`, `"nonce":"b","enforce_nonce":true`, "", false},
		{"a nonce that is not enforced", `"nonce":"a","enforce_nonce":true`, `"nonce":"a"`, "", false},
		{"a nonce that is told not to be enforced", `"nonce":"a"`, `"nonce":"a","enforce_nonce":false`, "", false},
		{"no nonce", `"enforce_nonce":true`, `"enforce_nonce":true`, "", false},
		{"the same nonce ten minutes later", `"nonce":"a","enforce_nonce":true`, `"nonce":"a","enforce_nonce":true`, "10m", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Config{})
			w.rest("GET", "/users/@me", "")
			first := w.written(`{"content":"x",` + row.first + `}`)
			if row.advance != "" {
				w.drive("clock", `{"advance":"`+row.advance+`"}`)
			}
			second := w.written(`{"content":"y",` + row.second + `}`)
			if same := first["id"] == second["id"]; same != row.same || (second["content"] == "x") != row.same {
				t.Errorf("the second message is %v after %v", second, first)
			}
		})
	}
}

func TestOnlyFilesOfTheTypesAskedForCanBeChosen(t *testing.T) {
	s := newSurface(t)
	s.register(`[{"name":"send","description":"x","options":[{"type":11,"name":"file","description":"x","file_types":["image",".PDF"]}]},
		{"name":"ping","description":"x"}]`)
	_, list, _ := s.raw("GET", "/applications/"+botID+"/commands", "", "Bot "+token)
	if !strings.Contains(list, `"file_types":["image",".PDF"]`) {
		t.Errorf("the command is listed as %s", list)
	}
	for _, row := range []struct {
		file string
		fits bool
	}{{"a.png", true}, {"A.JPEG", true}, {"b.pdf", true}, {"song.mp3", false}, {"png", false}, {"a.png.txt", false}} {
		t.Run(row.file, func(t *testing.T) {
			file := fmt.Sprintf(`{"filename":%q,"data":"aGk="}`, row.file)
			d := s.heard("command", `{"as":"alice","channel":"general","name":"ping","hold":true}`)
			s.answer(d, `{"type":9,"data":{"custom_id":"m","title":"t","components":[
				{"type":18,"label":"File","component":{"type":19,"custom_id":"f","file_types":["image",".PDF"]}}]}}`)
			for call, body := range map[string]string{
				"command": `{"as":"alice","channel":"general","name":"send","hold":true,"options":{"file":` + file + `}}`,
				"modal":   fmt.Sprintf(`{"as":"alice","interaction":%q,"hold":true,"fields":{"f":%s}}`, d["id"], file),
			} {
				status, text, _ := s.raw("POST", "/sim/"+call, body, "")
				if (status == http.StatusOK) != row.fits || !row.fits && !strings.Contains(text, "none of image, .PDF") {
					t.Errorf("the %s got %d %s", call, status, text)
				}
				if row.fits {
					s.gate.expect(0, "INTERACTION_CREATE")
				}
			}
		})
	}
}

func TestPollsComeByEveryRouteThatMayCarryThem(t *testing.T) {
	body := `{"poll":` + poll + `}`
	for _, row := range []struct {
		name string
		make func(*stage) reply
	}{
		{"a message", func(s *stage) reply { return s.do("POST", s.messages(), body) }},
		{"an answer", func(s *stage) reply { return s.answer(s.used("general"), `{"type":4,"data":`+body+`}`) }},
		{"a follow-up", func(s *stage) reply { i, _ := s.board("general"); return s.do("POST", s.token(i), body) }},
		{"the edit of a deferred answer", func(s *stage) reply {
			i := s.used("general")
			s.answer(i, `{"type":5}`)
			return s.do("PATCH", s.token(i)+"/messages/@original", body)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			onStage(t, func(s *stage) reply {
				r := row.make(s)
				if r.status >= 300 {
					t.Fatalf("it got %d %s", r.status, r.text)
				}
				list, err := s.User("alice").Messages("general")
				s.must(err)
				m := list[len(list)-1]
				if m.Poll == nil || len(m.Poll.Answers) != 2 || m.Poll.Answers[1].ID != 2 || m.Poll.Layout != 1 || m.Poll.Expiry.Sub(m.Timestamp.Time).Round(time.Minute) != 24*time.Hour {
					t.Errorf("the poll is %+v", m.Poll)
				}
				return r
			})
		})
	}
}
