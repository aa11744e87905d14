package bot_test

import (
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
)

// TestFiles sends one in each way in which a private answer to a command or a click can go.
func TestFiles(t *testing.T) {
	reply := private("here")
	reply.Files = []bot.File{{Name: `a "b".json`, Type: "application/json", Content: []byte(`{"x":1}`)}}
	for name, late := range map[string]time.Duration{"at once": 0, "late": 2 * time.Second} {
		for _, from := range []string{"play", "games"} {
			inBubble(t, name+" to "+from, func(t *testing.T, f *fake) {
				f.run(func(c *config) {
					c.Router.Component("play", after(late, reply, nil))
					c.Router.Command("tictactoe games", after(late, reply, nil))
				})
				if from == "play" {
					f.gateway().click("1", "m1", "play:x")
				} else {
					f.gateway().command("1", "games")
				}
				passed(10 * time.Second)
				forms := f.made(func(c call) bool { return strings.Contains(c.Raw, "form-data") })
				if len(forms) != 1 {
					t.Fatalf("%d forms were sent: %v", len(forms), f.answers())
				}
				payload, file := parts(t, forms[0].Raw)
				if file != `{"x":1}` {
					t.Errorf("the file holds %q", file)
				}
				if data, wrapped := payload["data"].(map[string]any); wrapped {
					payload = data
				}
				listed, _ := json.Marshal(payload["attachments"])
				if string(listed) != `[{"filename":"a \"b\".json","id":0}]` {
					t.Errorf("attachments %s", listed)
				}
			})
		}
	}
	inBubble(t, "an update cannot have any", func(t *testing.T, f *fake) {
		r := reply
		r.Kind = bot.Update
		f.run(func(c *config) { c.Router.Component("play", after(0, r, nil)) })
		f.gateway().click("1", "m1", "play:x")
		passed(time.Second)
		if calls := f.made(call.callback); len(calls) != 1 || strings.Contains(calls[0].Raw, "form-data") {
			t.Errorf("%v", f.answers())
		}
	})
}

// parts are the two of a form, whose type is told by its first line.
func parts(t *testing.T, raw string) (payload map[string]any, file string) {
	t.Helper()
	first, _, _ := strings.Cut(raw, "\r\n")
	form := multipart.NewReader(strings.NewReader(raw), strings.TrimPrefix(first, "--"))
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			return payload, file
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		_, about, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
		if err != nil {
			t.Fatal(err)
		}
		switch about["name"] {
		case "payload_json":
			if err := json.Unmarshal(content, &payload); err != nil {
				t.Fatal(err)
			}
		case "files[0]":
			if about["filename"] != `a "b".json` || part.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%v", part.Header)
			}
			file = string(content)
		}
	}
}
