package bot_test

import (
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/discordsim"
	"tictactoe/internal/boards/messages"
)

// TestFiles sends a file in each kind of answer to a command or a click.
func TestFiles(t *testing.T) {
	for name, late := range map[string]time.Duration{"at once": 0, "late": 2 * time.Second} {
		for _, test := range []struct {
			kind, from string
			reply      bot.Reply
		}{
			{"a private message", "play", private("here")}, {"a private message", "games", private("here")},
			{"a message", "play", say("here")}, {"a message", "games", say("here")}, {"an update", "play", redraw("here")},
		} {
			reply, from := withFile(test.reply), test.from
			inBubble(t, test.kind+" "+name+" to "+from, func(t *testing.T, f *fake) {
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
				if string(listed) != `[{"description":"a picture of a board","filename":"a \"b\".json","id":0}]` {
					t.Errorf("attachments %s", listed)
				}
			})
		}
	}
	inBubble(t, "a modal cannot have files", func(t *testing.T, f *fake) {
		r := withFile(bot.Reply{Kind: bot.Ask, Modal: &bot.Modal{CustomID: "resign:x", Title: "Sure?"}})
		f.run(func(c *config) { c.Router.Component("play", after(0, r, nil)) })
		f.gateway().click("1", "m1", "play:x")
		passed(time.Second)
		if diff := cmp.Diff([]string{"1 callback 4"}, f.answers()); diff != "" {
			t.Error(diff)
		}
	})
}

// withFile returns a reply with a file.
func withFile(r bot.Reply) bot.Reply {
	r.Files = []rest.File{{Name: `a "b".json`, Type: "application/json", Description: "a picture of a board", Content: []byte(`{"x":1}`)}}
	return r
}

// TestRefusedFiles lets Discord refuse every request with files.
func TestRefusedFiles(t *testing.T) {
	const callback, edit, followUp = "1 callback 4", "PATCH @original ", "POST follow-up "
	tooLarge := `{"code":40005,"message":"Request entity too large"}`
	for _, test := range []struct {
		name   string
		status int
		answer string
		from   string
		late   time.Duration
		reply  bot.Reply
		want   []string // the expected calls after the call with the file
	}{
		{"as the bot may not attach any", 403, `{"code":50013,"message":"Missing Permissions"}`, "games", 0, private("with file"), []string{callback + " (in words)"}},
		{"as they are too large", 413, tooLarge, "play", 0, say("with file"), []string{callback + " in words"}},
		{"as a proxy finds them too large", 413, `<html>`, "play", 0, redraw("with file"), []string{"1 callback 7 in words"}},
		{"for what they are", 400, `{"code":50035,"message":"Invalid Form Body"}`, "play", 0, redraw("with file"), []string{"1 callback 7 in words"}},
		{"in place of the private line", 413, tooLarge, "games", 2 * time.Second, private("with file"), []string{"1 callback 5", edit + "in words"}},
		{"below the private line", 413, tooLarge, "games", 2 * time.Second, say("with file"),
			[]string{"1 callback 5", edit + "⬇️", edit + "⬇️", followUp + "in words"}},
		{"in a late update", 413, tooLarge, "play", 2 * time.Second, redraw("with file"), []string{"1 callback 6", edit + "in words"}},
		{"without words", 413, tooLarge, "games", 0, bot.Reply{Kind: bot.Post}, []string{callback + " (sorry 1)"}},
	} {
		inBubble(t, test.name, func(t *testing.T, f *fake) {
			f.respond = func(c call) (int, string) {
				if strings.Contains(c.Raw, "form-data") {
					return test.status, test.answer
				}
				return 0, ""
			}
			var receipts []messages.Receipt
			reply := withFile(test.reply)
			if reply.Components != nil {
				reply.Wordy = say("in words").Components
			}
			reply.Sent = func(r messages.Receipt) { receipts = append(receipts, r) }
			r := f.run(func(c *config) {
				c.Router.Component("play", after(test.late, reply, nil))
				c.Router.Command("tictactoe games", after(test.late, reply, nil))
			})
			if test.from == "play" {
				f.gateway().click("1", "m1", "play:x")
			} else {
				f.gateway().command("1", "games")
			}
			passed(10 * time.Second)
			var got []string
			for _, c := range f.made(func(c call) bool { return c.answers() && !strings.Contains(c.Raw, "form-data") }) {
				line := c.String()
				if data, said := c.Body["data"].(map[string]any); said && c.kind() != 5 {
					line += " " + text(data)
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s\n%s", diff, r.logs)
			}
			if reply.Wordy != nil && (len(receipts) != 1 || receipts[0].Err != nil) {
				t.Errorf("receipts %+v", receipts)
			}
			if strings.Contains(r.logs.String(), "token-1") {
				t.Errorf("the log has the token: %s", r.logs)
			}
		})
	}
}

func TestLateUpdatesLeaveNoOldFiles(t *testing.T) {
	for name, test := range map[string]struct {
		late time.Duration
		want string
	}{
		"an update by callback does by itself":   {0, `null`},
		"an edit says that there are to be none": {2 * time.Second, `[]`},
	} {
		inBubble(t, name, func(t *testing.T, f *fake) {
			f.run(func(c *config) { c.Router.Component("play", after(test.late, redraw("board"), nil)) })
			f.gateway().click("1", "m1", "play:x")
			passed(10 * time.Second)
			calls := f.made(func(c call) bool { return strings.Contains(c.Raw, "board") })
			if len(calls) != 1 {
				t.Fatal(f.answers())
			}
			body := calls[0].Body
			if data, wrapped := body["data"].(map[string]any); wrapped {
				body = data
			}
			if listed, _ := json.Marshal(body["attachments"]); string(listed) != test.want {
				t.Errorf("attachments %s", listed)
			}
		})
	}
}

// parts returns the two parts of a multipart form, whose boundary is its first line.
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

// pictured returns a reply with components that show the picture with the given name above a button.
func pictured(kind bot.Kind, name string) bot.Reply {
	described := "a picture called " + name
	button := discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.Button{Label: "Next", CustomID: "next:x"}}}
	return bot.Reply{
		Kind: kind,
		Components: []discordgo.MessageComponent{discordgo.MediaGallery{Items: []discordgo.MediaGalleryItem{
			{Media: discordgo.UnfurledMediaItem{URL: "attachment://" + name + ".png"}, Description: &described},
		}}, button},
		Files: []rest.File{{Name: name + ".png", Type: "image/png", Description: described, Content: []byte("PNG " + name)}},
		Wordy: []discordgo.MessageComponent{discordgo.TextDisplay{Content: described}, button},
	}
}

// mayNotAttach removes the bot's permission to attach files.
func (o *onSim) mayNotAttach() {
	o.t.Helper()
	if err := o.sim.SetOverwrite("general", "100000000000000001", 0, discordsim.AttachFiles); err != nil {
		o.t.Fatal(err)
	}
}

// TestPicturesOnDiscord posts a picture, and replaces it with another one.
func TestPicturesOnDiscord(t *testing.T) {
	// shows runs do and checks the newest message. If Discord refused the files, the bot tells the user about it.
	shows := func(o *onSim, do func() (discordsim.Result, error), want ...string) (message string) {
		o.t.Helper()
		if _, err := do(); err != nil {
			o.t.Fatal(err)
		}
		passed(time.Second)
		all, err := o.sim.User("alice").Messages("general")
		if err != nil || len(all) == 0 {
			o.t.Fatal(err, o.logs)
		}
		m := all[len(all)-1]
		shown, _ := json.Marshal(m.Components)
		for _, word := range want {
			what, without := strings.CutPrefix(word, "not ")
			if strings.Contains(string(shown), what) == without {
				o.t.Errorf("want %s in %s", word, shown)
			}
		}
		return m.ID
	}
	post := func(o *onSim, want ...string) (message string) {
		o.t.Helper()
		return shows(o, func() (discordsim.Result, error) { return o.use("picture") }, want...)
	}
	next := func(o *onSim, message string, want ...string) {
		o.t.Helper()
		shows(o, func() (discordsim.Result, error) {
			return o.sim.User("alice").Click(o.t.Context(), message, discordsim.Button{Label: "Next"})
		}, want...)
	}
	const there, absent = "attachment_id", "not attachment_id"
	discord(t, "with the right to attach files", func(t *testing.T, o *onSim) {
		m := post(o, "/first.png", "a picture called first", there, `"content_type":"image/png"`)
		next(o, m, "/second.png", "a picture called second", there, "not first")
	})
	discord(t, "without it", func(t *testing.T, o *onSim) {
		o.mayNotAttach()
		m := post(o, "a picture called first", absent)
		next(o, m, "a picture called second", absent, "not first")
		if n := strings.Count(o.logs.String(), "files refused"); n != 2 {
			t.Errorf("the log says %d times that files were refused", n)
		}
	})
	discord(t, "with the right at first", func(t *testing.T, o *onSim) {
		m := post(o, "/first.png", there)
		o.mayNotAttach()
		next(o, m, "a picture called second", absent, "not first")
	})
}
