package discordsim_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
	"tictactoe/internal/longtest"
)

// surfaceCommands are one command for every kind of use.
const surfaceCommands = `[{"name":"ping","description":"x","integration_types":[0,1],"contexts":[0,1,2],"options":[
		{"type":3,"name":"word","description":"x","autocomplete":true},{"type":11,"name":"file","description":"x"}]},
	{"type":2,"name":"Greet","integration_types":[0,1],"contexts":[0,1,2]},
	{"type":3,"name":"Quote","integration_types":[0,1],"contexts":[0,1,2]}]`

// surface is a simulator with a bare bot on its gateway and ivy, who has every
// application installed for herself.
type surface struct {
	*world
	gate *gateway
	ivy  string
}

func newSurface(t *testing.T) *surface {
	t.Helper()
	w := newWorld(t, discordsim.Config{})
	if _, err := w.AddServer(discordsim.Server{Name: "Elsewhere", Locale: "de", Channels: []string{"lobby"}, BotsAbsent: true}); err != nil {
		t.Fatal(err)
	}
	ivy, err := w.AddUser(discordsim.Person{Username: "ivy", Installs: true, Locale: "fr"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddGroup(discordsim.GroupSpec{Name: "trip", People: []string{"bob", "ivy", "carol"}}); err != nil {
		t.Fatal(err)
	}
	w.register(surfaceCommands)
	g := w.dial("")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	return &surface{w, g, ivy.ID()}
}

// heard returns the interaction that a call creates.
func (s *surface) heard(call, body string) map[string]any {
	s.t.Helper()
	if call == "autocomplete" { // this call waits for the bot's answer
		go http.Post(s.url+"/sim/"+call, "application/json", strings.NewReader(body))
	} else {
		s.drive(call, body)
	}
	return s.gate.expect(0, "INTERACTION_CREATE").D
}

func (s *surface) answer(d map[string]any, body string) {
	s.t.Helper()
	status, text, _ := s.raw("POST", fmt.Sprintf("/interactions/%s/%s/callback", d["id"], d["token"]), body, "")
	if status != http.StatusNoContent || text != "" {
		s.t.Fatalf("answering got %d %s", status, text)
	}
}

func TestEveryKindOfInteractionOnEverySurface(t *testing.T) {
	type place struct {
		name, channel string
		context       float64
		byGuild       string // the value of authorizing_integration_owners["0"]; "guild" for the server's id
		byUser        bool
		guildLocale   string
	}
	for _, at := range []place{
		{"a server with the bot", "general", 0, "guild", true, "en-US"},
		{"a server without the bot", "lobby", 0, "", true, "de"},
		{"direct messages with the bot", "@tictactoe", 1, "0", true, ""},
		{"a private channel of two people", "@bob", 2, "", true, ""},
		{"a group of people", "trip", 2, "", true, ""},
	} {
		t.Run(at.name, func(t *testing.T) {
			s := newSurface(t)
			check := func(name string, kind float64, d map[string]any) map[string]any {
				t.Helper()
				id, err := strconv.ParseUint(d["id"].(string), 10, 64)
				if age := time.Since(time.UnixMilli(int64(id>>22) + 1420070400000)); err != nil || age < -time.Second || age > time.Minute {
					t.Errorf("%s has the id %v of %v ago", name, d["id"], age)
				}
				if text, _ := base64.RawURLEncoding.DecodeString(d["token"].(string)); !strings.HasPrefix(string(text), "interaction:"+d["id"].(string)+":") {
					t.Errorf("%s has the token %v", name, d["token"])
				}
				owners := d["authorizing_integration_owners"].(map[string]any)
				want := map[string]any{}
				if at.byGuild != "" {
					want["0"] = strings.Replace(at.byGuild, "guild", fmt.Sprint(d["guild_id"]), 1)
				}
				if at.byUser {
					want["1"] = s.ivy
				}
				if diff := cmp.Diff(want, owners); diff != "" {
					t.Errorf("%s is authorised otherwise:\n%s", name, diff)
				}
				channel := d["channel"].(map[string]any)
				if d["type"] != kind || d["version"] != 1.0 || d["application_id"] != botID || d["context"] != at.context || d["locale"] != "fr" ||
					d["channel_id"] != channel["id"] || channel["permissions"] == nil || channel["type"] == nil ||
					d["attachment_size_limit"] != float64(10<<20) || len(d["entitlements"].([]any)) != 0 {
					t.Errorf("%s is %v", name, d)
				}
				if may, err := strconv.ParseUint(d["app_permissions"].(string), 10, 64); err != nil || may&(1<<11) == 0 {
					t.Errorf("%s: app_permissions is %v", name, d["app_permissions"])
				}
				if at.guildLocale == "" {
					if d["user"].(map[string]any)["id"] != s.ivy || d["member"] != nil || d["guild"] != nil || d["guild_id"] != nil || d["guild_locale"] != nil {
						t.Errorf("%s outside a server is %v", name, d)
					}
					return d["data"].(map[string]any)
				}
				member, guild := d["member"].(map[string]any), d["guild"].(map[string]any)
				if d["user"] != nil || member["user"].(map[string]any)["id"] != s.ivy || member["permissions"] == "" || member["roles"] == nil ||
					member["joined_at"] == "" || member["deaf"] != false || member["flags"] != 0.0 ||
					d["guild_locale"] != at.guildLocale || guild["id"] != d["guild_id"] || guild["locale"] != at.guildLocale || guild["features"] == nil {
					t.Errorf("%s in a server is %v", name, d)
				}
				return d["data"].(map[string]any)
			}
			as := func(format string, args ...any) string {
				return fmt.Sprintf(`{"as":"ivy",`+format+`}`, args...)
			}

			d := s.heard("command", as(`"channel":%q,"name":"ping","hold":true,"options":{"word":"x"}`, at.channel))
			data := check("a slash command", 2, d)
			if data["name"] != "ping" || data["type"] != 1.0 || data["id"] == "" {
				t.Errorf("the command is %v", data)
			}
			s.answer(d, `{"type":4,"data":{"content":"board","components":[
				{"type":1,"components":[{"type":2,"style":1,"label":"go","custom_id":"go"}]},
				{"type":1,"components":[{"type":3,"custom_id":"text","max_values":2,"options":[{"label":"A","value":"a"},{"label":"B","value":"b"}]}]},
				{"type":1,"components":[{"type":5,"custom_id":"user"}]},{"type":1,"components":[{"type":7,"custom_id":"any"}]},
				{"type":1,"components":[{"type":8,"custom_id":"channel","channel_types":[0]}]}]}}`)
			messages, err := s.User("ivy").Messages(at.channel)
			if err != nil || len(messages) != 1 {
				t.Fatalf("ivy sees %v, %v", messages, err)
			}
			board := messages[0]
			if board.Type != 20 || board.InteractionMetadata.User.ID != s.ivy || board.InteractionMetadata.ID != d["id"] {
				t.Errorf("the board is %+v", board)
			}

			data = check("an autocompletion", 4, s.heard("autocomplete", as(`"channel":%q,"name":"ping","options":{"word":"he"},"focused":"word"`, at.channel)))
			if diff := cmp.Diff([]any{map[string]any{"name": "word", "type": 3.0, "value": "he", "focused": true}}, data["options"]); diff != "" {
				t.Errorf("what is typed differs:\n%s", diff)
			}

			data = check("a user command", 2, s.heard("command", as(`"channel":%q,"name":"Greet","target":"bob","hold":true`, at.channel)))
			bob := s.User("bob").ID()
			if data["type"] != 2.0 || data["target_id"] != bob || data["resolved"].(map[string]any)["users"].(map[string]any)[bob] == nil {
				t.Errorf("the user command is %v", data)
			}
			data = check("a message command", 2, s.heard("command", as(`"channel":%q,"name":"Quote","target":%q,"hold":true`, at.channel, board.ID)))
			quoted, _ := data["resolved"].(map[string]any)["messages"].(map[string]any)[board.ID].(map[string]any)
			if data["type"] != 3.0 || data["target_id"] != board.ID || quoted["content"] != "board" {
				t.Errorf("the message command is %v", data)
			}

			d = s.heard("click", as(`"message":%q,"custom_id":"go","hold":true`, board.ID))
			data = check("a click", 3, d)
			if data["component_type"] != 2.0 || data["custom_id"] != "go" || data["id"] == nil || d["message"].(map[string]any)["id"] != board.ID {
				t.Errorf("the click is %v", d)
			}
			opener := d["id"].(string)
			s.answer(d, `{"type":9,"data":{"custom_id":"form","title":"Why","components":[
				{"type":10,"content":"Say why"},{"type":18,"label":"Why","component":{"type":4,"custom_id":"why","style":1}}]}}`)
			d = s.heard("modal", as(`"interaction":%q,"fields":{"why":"so"},"hold":true`, opener))
			data = check("a modal", 5, d)
			if data["custom_id"] != "form" || d["message"].(map[string]any)["id"] != board.ID {
				t.Errorf("the modal is %v", d)
			}
			s.answer(d, `{"type":7,"data":{"content":"moved"}}`)

			data = check("a select of texts", 3, s.heard("select", as(`"message":%q,"custom_id":"text","values":["b","a"],"hold":true`, board.ID)))
			if diff := cmp.Diff([]any{"b", "a"}, data["values"]); diff != "" || data["component_type"] != 3.0 {
				t.Errorf("the select is %v", data)
			}
			data = check("a select of users", 3, s.heard("select", as(`"message":%q,"custom_id":"user","values":["bob"],"hold":true`, board.ID)))
			if data["component_type"] != 5.0 || data["resolved"].(map[string]any)["users"].(map[string]any)[bob] == nil {
				t.Errorf("the select is %v", data)
			}
			if at.guildLocale == "" {
				return
			}
			member := data["resolved"].(map[string]any)["members"].(map[string]any)[bob].(map[string]any)
			if member["permissions"] == nil || member["user"] != nil || member["deaf"] != nil || member["mute"] != nil {
				t.Errorf("the resolved member is %v", member)
			}
			data = check("a select of anybody", 3, s.heard("select", as(`"message":%q,"custom_id":"any","values":["@everyone"],"hold":true`, board.ID)))
			if data["component_type"] != 7.0 || len(data["resolved"].(map[string]any)["roles"].(map[string]any)) != 1 {
				t.Errorf("the select is %v", data)
			}
			data = check("a select of channels", 3, s.heard("select", as(`"message":%q,"custom_id":"channel","values":[%q],"hold":true`, board.ID, at.channel)))
			if data["component_type"] != 8.0 || data["resolved"].(map[string]any)["channels"].(map[string]any)[board.ChannelID].(map[string]any)["permissions"] == nil {
				t.Errorf("the select is %v", data)
			}
		})
	}
}

func TestAutocompleteFromOutside(t *testing.T) {
	s := newSurface(t)
	answered := make(chan string, 1)
	ask := func(body string) {
		_, text, _ := s.raw("POST", "/sim/autocomplete", body, "")
		answered <- text
	}
	const typing = `{"as":"alice","channel":"general","name":"ping","options":{"word":"a"},"focused":"word"}`
	t.Run("suggestions come back", func(t *testing.T) {
		go ask(typing)
		d := s.gate.expect(0, "INTERACTION_CREATE").D
		s.answer(d, `{"type":8,"data":{"choices":[{"name":"Alpha","value":"v-alpha"}]}}`)
		want := fmt.Sprintf(`{"interaction":%q,"status":"answered","choices":[{"name":"Alpha","value":"v-alpha"}],"error":null}`, d["id"])
		if diff := cmp.Diff(want, <-answered); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a refusal too", func(t *testing.T) {
		go ask(typing)
		d := s.gate.expect(0, "INTERACTION_CREATE").D
		s.raw("POST", fmt.Sprintf("/interactions/%s/%s/callback", d["id"], d["token"]), `{"type":8}`, "")
		if got := <-answered; !strings.Contains(got, `"status":"failed","choices":[],"error":{"message":"Invalid Form Body","code":50035`) {
			t.Errorf("got %s", got)
		}
	})
	for name, body := range map[string]string{
		"an option that is not there":     `{"as":"alice","channel":"general","name":"ping","options":{},"focused":"words"}`,
		"one that suggests nothing":       `{"as":"alice","channel":"general","name":"ping","options":{},"focused":"file"}`,
		"another option that is no there": `{"as":"alice","channel":"general","name":"ping","options":{"words":1},"focused":"word"}`,
	} {
		t.Run(name, func(t *testing.T) {
			if status, text, _ := s.raw("POST", "/sim/autocomplete", body, ""); status != 400 {
				t.Errorf("got %d %s", status, text)
			}
		})
	}
}

func TestAModalWithEveryKindOfInput(t *testing.T) {
	s := newSurface(t)
	const form = `{"type":9,"data":{"custom_id":"form","title":"All","components":[
		{"type":18,"label":"Text","component":{"type":4,"custom_id":"text","style":2,"value":"as it was","min_length":2,"max_length":9}},
		{"type":18,"label":"Which","component":{"type":3,"custom_id":"pick","max_values":2,"options":[{"label":"A","value":"a"},{"label":"B","value":"b","default":true}]}},
		{"type":18,"label":"Who","component":{"type":5,"custom_id":"who","required":false}},
		{"type":18,"label":"One","component":{"type":21,"custom_id":"one","options":[{"label":"A","value":"a"},{"label":"B","value":"b"}]}},
		{"type":18,"label":"Sure","component":{"type":23,"custom_id":"sure","default":true}}]}}`
	const more = `{"type":9,"data":{"custom_id":"more","title":"More","components":[
		{"type":18,"label":"Some","component":{"type":22,"custom_id":"some","min_values":1,"options":[{"label":"A","value":"a"},{"label":"B","value":"b"}]}},
		{"type":18,"label":"File","component":{"type":19,"custom_id":"file","max_values":2}}]}}`
	open := func(body string) (opener string) {
		d := s.heard("command", `{"as":"alice","channel":"general","name":"ping","hold":true}`)
		s.answer(d, body)
		return d["id"].(string)
	}
	sent := func(opener, fields string) (values map[string]any, d map[string]any) {
		t.Helper()
		d = s.heard("modal", fmt.Sprintf(`{"as":"alice","interaction":%q,"fields":%s,"hold":true}`, opener, fields))["data"].(map[string]any)
		values = map[string]any{}
		for _, label := range d["components"].([]any) {
			inner := label.(map[string]any)["component"].(map[string]any)
			if inner["values"] != nil {
				values[inner["custom_id"].(string)] = inner["values"]
			} else {
				values[inner["custom_id"].(string)] = inner["value"]
			}
		}
		return values, d
	}
	t.Run("what is not named keeps its preset value", func(t *testing.T) {
		values, _ := sent(open(form), `{"one":"b"}`)
		want := map[string]any{"text": "as it was", "pick": []any{"b"}, "who": []any{}, "one": "b", "sure": true}
		if diff := cmp.Diff(want, values); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("all can be filled in", func(t *testing.T) {
		values, d := sent(open(form), `{"text":"new","pick":["a","b"],"who":"bob","one":"a","sure":false}`)
		bob := s.User("bob").ID()
		want := map[string]any{"text": "new", "pick": []any{"a", "b"}, "who": []any{bob}, "one": "a", "sure": false}
		if diff := cmp.Diff(want, values); diff != "" {
			t.Error(diff)
		}
		if d["resolved"].(map[string]any)["users"].(map[string]any)[bob] == nil {
			t.Errorf("resolved is %v", d["resolved"])
		}
	})
	t.Run("files and checkboxes", func(t *testing.T) {
		values, d := sent(open(more), `{"some":["a","b"],"file":{"filename":"a b.txt","data":"aGk="}}`)
		ids := values["file"].([]any)
		if diff := cmp.Diff([]any{"a", "b"}, values["some"]); diff != "" || len(ids) != 1 {
			t.Fatalf("got %v", values)
		}
		file := d["resolved"].(map[string]any)["attachments"].(map[string]any)[ids[0].(string)].(map[string]any)
		if file["filename"] != "a_b.txt" || file["size"] != 2.0 || s.fetch(file["url"].(string)) != "hi" {
			t.Errorf("the file is %v", file)
		}
	})
	opener := open(form)
	for name, fields := range map[string]string{
		"an input that is not there":   `{"why":"so"}`,
		"a text that is too short":     `{"one":"a","text":"x"}`,
		"nothing where one is needed":  `{}`,
		"two where one is needed":      `{"one":["a","b"]}`,
		"a value that is not offered":  `{"one":"c"}`,
		"a person who is not there":    `{"one":"a","who":"zoe"}`,
		"a value twice":                `{"one":"a","pick":["a","a"]}`,
		"words for a checkbox":         `{"one":"a","sure":"yes"}`,
		"a list for a text":            `{"one":"a","text":["x","y"]}`,
		"a number among the values":    `{"one":"a","pick":[1]}`,
		"no file where there is none":  `{"one":"a","file":"x"}`,
		"a choice that is not allowed": `{"one":"a","pick":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			body := fmt.Sprintf(`{"as":"alice","interaction":%q,"fields":%s}`, opener, fields)
			if status, text, _ := s.raw("POST", "/sim/modal", body, ""); status != 400 {
				t.Errorf("got %d %s", status, text)
			}
		})
	}
}

func TestAModalClosesWithItsChannel(t *testing.T) {
	for name, happens := range map[string]func(*surface) error{
		"the person leaves the server": func(s *surface) error { return s.RemoveMember("", "bob") },
		"the channel is deleted":       func(s *surface) error { return s.DeleteChannel("general") },
		"the channel is hidden":        func(s *surface) error { return s.SetOverwrite("general", "bob", 0, discordsim.ViewChannel) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSurface(t)
			d := s.heard("command", `{"as":"bob","channel":"general","name":"ping","hold":true}`)
			s.answer(d, `{"type":9,"data":{"custom_id":"form","title":"t","components":[{"type":10,"content":"hi"}]}}`)
			if err := happens(s); err != nil {
				t.Fatal(err)
			}
			if status, text, _ := s.raw("POST", "/sim/modal", fmt.Sprintf(`{"as":"bob","interaction":%q,"fields":{}}`, d["id"]), ""); status != 404 {
				t.Errorf("got %d %s", status, text)
			}
		})
	}
}

// fetch returns the content at a link of the simulator.
func (w *world) fetch(url string) string {
	w.t.Helper()
	res, err := http.Get(url)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		w.t.Fatalf("%s got %d %s, %v", url, res.StatusCode, text, err)
	}
	return string(text)
}

// upload sends files by name with a JSON body.
func (w *world) upload(method, path, body string, files map[string]string) (int, map[string]any) {
	w.t.Helper()
	var text bytes.Buffer
	form := multipart.NewWriter(&text)
	form.WriteField("payload_json", body)
	for n, name := range slices.Sorted(maps.Keys(files)) {
		part, err := form.CreateFormFile(fmt.Sprintf("files[%d]", n), name)
		if err != nil {
			w.t.Fatal(err)
		}
		io.WriteString(part, files[name])
	}
	form.Close()
	req, err := http.NewRequest(method, w.url+"/api/v10"+path, &text)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+token)
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	var answer map[string]any
	json.NewDecoder(res.Body).Decode(&answer)
	return res.StatusCode, answer
}

func TestFilesAreKeptAndServed(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	messages := "/channels/" + w.channelOfBot() + "/messages"
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	names := func(m map[string]any) (list []string) {
		for _, a := range m["attachments"].([]any) {
			list = append(list, a.(map[string]any)["filename"].(string))
		}
		return list
	}
	status, made := w.upload("POST", messages, `{"attachments":[{"id":0,"description":"A board"},{"id":1,"filename":"_new name?.txt"}]}`,
		map[string]string{"a.png": picture.String(), "b.txt": "text"})
	if status != http.StatusOK || !slices.Equal(names(made), []string{"a.png", "new_name.txt"}) {
		t.Fatalf("got %d %v", status, made)
	}
	first := made["attachments"].([]any)[0].(map[string]any)
	if first["width"] != 3.0 || first["height"] != 2.0 || first["content_type"] != "image/png" || first["description"] != "A board" ||
		first["size"] != float64(picture.Len()) || w.fetch(first["url"].(string)) != picture.String() {
		t.Errorf("the picture is %v", first)
	}
	second := made["attachments"].([]any)[1].(map[string]any)
	res, err := http.Get(second["url"].(string))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if !strings.HasPrefix(res.Header.Get("Content-Disposition"), "attachment") || res.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("a text comes as %v", res.Header)
	}
	edit := messages + "/" + made["id"].(string)

	t.Run("an edit that says nothing of files keeps them and adds to them", func(t *testing.T) {
		_, edited := w.upload("PATCH", edit, `{"content":"x"}`, map[string]string{"c.txt": "c"})
		if got := names(edited); !slices.Equal(got, []string{"a.png", "new_name.txt", "c.txt"}) {
			t.Errorf("there are %v", got)
		}
	})
	t.Run("one that lists some keeps those", func(t *testing.T) {
		_, edited := w.rest("PATCH", edit, fmt.Sprintf(`{"attachments":[{"id":%q}]}`, second["id"]))
		if got := names(edited); !slices.Equal(got, []string{"new_name.txt"}) {
			t.Errorf("there are %v", got)
		}
	})
	t.Run("what an embed shows is no attachment of the message", func(t *testing.T) {
		_, edited := w.upload("PATCH", edit, `{"embeds":[{"image":{"url":"attachment://d.png"}}]}`, map[string]string{"d.png": picture.String()})
		shown := edited["embeds"].([]any)[0].(map[string]any)["image"].(map[string]any)["url"].(string)
		if got := names(edited); !slices.Equal(got, []string{"new_name.txt"}) || w.fetch(shown) != picture.String() {
			t.Errorf("there are %v", edited)
		}
	})
	t.Run("a component shows what came along", func(t *testing.T) {
		_, rich := w.upload("POST", messages, `{"flags":32768,"components":[{"type":17,"components":[{"type":13,"file":{"url":"attachment://e.txt"}}]}]}`,
			map[string]string{"e.txt": "e"})
		file := rich["components"].([]any)[0].(map[string]any)["components"].([]any)[0].(map[string]any)["file"].(map[string]any)
		if w.fetch(file["url"].(string)) != "e" || file["attachment_id"] == nil || len(rich["attachments"].([]any)) != 0 {
			t.Errorf("got %v", rich)
		}
	})
	t.Run("files go with their message", func(t *testing.T) {
		w.rest("DELETE", edit, "")
		res, err := http.Get(first["url"].(string))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusNotFound {
			t.Errorf("got %d", res.StatusCode)
		}
	})
	t.Run("a file without a word is a reply, too", func(t *testing.T) {
		s := newSurface(t)
		d := s.heard("command", `{"as":"alice","channel":"general","name":"ping","hold":true,"options":{"file":{"filename":"in.txt","data":"aW4="}}}`)
		data := d["data"].(map[string]any)
		id := data["options"].([]any)[0].(map[string]any)["value"].(string)
		given := data["resolved"].(map[string]any)["attachments"].(map[string]any)[id].(map[string]any)
		if s.fetch(given["url"].(string)) != "in" {
			t.Errorf("the option is %v", given)
		}
		status, answered := s.upload("POST", fmt.Sprintf("/interactions/%s/%s/callback?with_response=1", d["id"], d["token"]),
			`{"type":4,"data":{"flags":64}}`, map[string]string{"out.txt": "out"})
		message, _ := answered["resource"].(map[string]any)["message"].(map[string]any)
		if status != http.StatusOK || !slices.Equal(names(message), []string{"out.txt"}) ||
			message["attachments"].([]any)[0].(map[string]any)["ephemeral"] != true {
			t.Errorf("got %d %v", status, answered)
		}
	})
	t.Run("an avatar for everybody", func(t *testing.T) {
		if _, err := png.Decode(strings.NewReader(w.fetch(w.url + "/api/cdn/embed/avatars/5.png"))); err != nil {
			t.Error(err)
		}
		if status, _, _ := w.raw("GET", "/../cdn/embed/avatars/6.png", "", ""); status != http.StatusNotFound {
			t.Errorf("a sixth got %d", status)
		}
	})
}

func TestTheOldestFilesGoWhenThereAreTooMany(t *testing.T) {
	longtest.Only(t)
	w := newWorld(t, discordsim.Config{})
	messages := "/channels/" + w.channelOfBot() + "/messages"
	big := strings.Repeat("x", 10<<20)
	var urls []string
	for range 4 { // 80 MiB, of which 64 are kept
		_, made := w.upload("POST", messages, `{}`, map[string]string{"a.txt": big, "b.txt": big})
		for _, a := range made["attachments"].([]any) {
			urls = append(urls, a.(map[string]any)["url"].(string))
		}
	}
	for n, url := range urls {
		res, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if gone := res.StatusCode == http.StatusNotFound; gone != (n < 2) {
			t.Errorf("file %d of 8 got %d", n, res.StatusCode)
		}
	}
}
