package discordsim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
	"tictactoe/internal/longtest"
)

// transcript reads GET /sim/transcript.
func (w *world) transcript(query string) (lines []discordsim.Line) {
	w.t.Helper()
	status, text, header := w.raw("GET", "/sim/transcript"+query, "", "")
	if status != 200 || header.Get("Content-Type") != "application/x-ndjson" {
		w.t.Fatalf("the transcript: %d %s %v", status, text, header)
	}
	for line := range strings.Lines(text) {
		var l discordsim.Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			w.t.Fatalf("the line %s: %v", line, err)
		}
		lines = append(lines, l)
	}
	return lines
}

// gist returns a short form of a line.
func gist(l discordsim.Line) string {
	about := l.T
	if l.Method != "" {
		about, _, _ = strings.Cut(l.Path, "?")
		about = l.Method + " " + about[:min(len(about), 14)]
	} else if l.Op != nil && l.T == "" {
		about = fmt.Sprint("op ", *l.Op)
	}
	if l.Status != 0 {
		about += fmt.Sprint(" ", l.Status)
	}
	return l.Direction + " " + l.Kind + " " + strings.TrimSpace(about)
}

func gists(lines []discordsim.Line) (all []string) {
	for _, l := range lines {
		all = append(all, gist(l))
	}
	return all
}

func TestTranscript(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	w.register(pingCommand)
	g := w.dial("")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	held := w.drive("command", `{"as":"alice","channel":"general","name":"ping","hold":true}`)
	d := g.expect(0, "INTERACTION_CREATE").D
	id, secret := d["id"].(string), d["token"].(string)
	if status, _ := w.rest("POST", "/interactions/"+id+"/"+secret+"/callback?with_response=true", sayPong); status != 200 {
		t.Fatalf("got %d", status)
	}
	original := "/webhooks/" + botID + "/" + secret + "/messages/@original"
	_, edited := w.rest("PATCH", original, `{"content":"my token is `+token+` and that one `+secret+`"}`)
	message := edited["id"].(string)
	w.rest("GET", "/nonsense/"+secret+"?with="+token, "")
	const odd = "token-of-no-known-shape"
	w.raw("POST", "/nonsense", `{"text":"never say `+odd+`"}`, "Bot "+odd)
	w.rest("POST", "/nonsense", `{"text":"nor `+tokenOf("1234567890123456789")+` of another"}`)
	w.CloseGateway(4000, "enough")
	g.closed()
	g = w.dial("")
	g.expect(10, "")
	g.send(`{"op":2,"d":{"properties":{},"token":"a mistyped \"one\"","intents":0}}`)
	g.closed()
	g = w.dial("")
	g.send(`{"op":2,"d":{"token":"` + token)
	g.closed()

	t.Run("has all that was said, in order", func(t *testing.T) {
		want := []string{
			"bot rest PUT /applications/", "sim rest PUT /applications/ 200", "bot gateway GET /ws/", "sim gateway op 10", "bot gateway op 2",
			"sim gateway READY", "sim gateway GUILD_CREATE", "sim gateway INTERACTION_CREATE",
			"bot rest POST /interactions/", "sim rest POST /interactions/ 200",
			"bot rest PATCH /webhooks/1100", "sim rest PATCH /webhooks/1100 200",
		}
		lines := w.transcript("")
		if diff := cmp.Diff(want, gists(lines[:len(want)])); diff != "" {
			t.Error(diff)
		}
		for i, l := range lines {
			if l.At == "" || i > 0 && l.At < lines[i-1].At || l.Application != botID && l.Application != "" {
				t.Errorf("line %d is %+v", i, l)
			}
		}
		if answer := lines[9]; answer.Took == nil || answer.Interaction != id || answer.Message != message || !strings.Contains(string(answer.Body), `"content":"pong"`) {
			t.Errorf("the answer to the callback is %+v", answer)
		}
		if ready := lines[5]; ready.S == nil || *ready.S != 1 || !strings.Contains(string(ready.Body), `"session_id"`) {
			t.Errorf("READY is %+v", ready)
		}
		all := strings.Join(gists(lines), "\n") + "\n"
		if !strings.Contains(all, "sim gateway 4000\n") || !strings.Contains(all, "sim gateway 4004\n") {
			t.Errorf("the close codes are not in\n%s", all)
		}
	})
	t.Run("has no token", func(t *testing.T) {
		_, text, _ := w.raw("GET", "/sim/transcript", "", "")
		for _, leaked := range []string{token, secret, "mistyped", odd, tokenOf("1234567890123456789")} {
			if i := strings.Index(text, leaked); i >= 0 {
				t.Errorf("leaked: %s", text[max(0, i-200):i+50])
			}
		}
		if n := strings.Count(text, "[token]"); n < 7 {
			t.Errorf("only %d tokens were taken out", n)
		}
	})
	t.Run("can be narrowed", func(t *testing.T) {
		want := []string{
			"sim gateway INTERACTION_CREATE", "bot rest POST /interactions/", "sim rest POST /interactions/ 200",
			"bot rest PATCH /webhooks/1100", "sim rest PATCH /webhooks/1100 200",
		}
		for _, query := range []string{"?interaction=" + held["interaction"].(string), "?message=" + message} {
			if diff := cmp.Diff(want, gists(w.transcript(query))); diff != "" {
				t.Errorf("%s:\n%s", query, diff)
			}
		}
		if diff := cmp.Diff(want[3:], gists(w.transcript("?message="+message+"&last=2"))); diff != "" {
			t.Error(diff)
		}
		if lines := w.transcript("?interaction=1"); len(lines) != 0 {
			t.Errorf("of an unknown interaction there is %v", gists(lines))
		}
		for _, last := range []string{"0", "-1", "x"} {
			if status, _, _ := w.raw("GET", "/sim/transcript?last="+last, "", ""); status != 400 {
				t.Errorf("last=%s got %d", last, status)
			}
		}
	})
}

func TestTranscriptFollowsAClickOfDiscordgo(t *testing.T) {
	t.Parallel()
	inBubble(t, discordsim.Config{}, func(b *bubble) {
		b.bot.AddHandler(func(s *discordgo.Session, e *discordgo.InteractionCreate) {
			i := <-b.got
			kind, data := discordgo.InteractionResponseType(4), &discordgo.InteractionResponseData{
				Content: "board", Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
					discordgo.Button{Label: "b2", CustomID: "b2", Style: discordgo.SecondaryButton},
				}}},
			}
			if i.Type == discordgo.InteractionMessageComponent {
				kind, data = 7, &discordgo.InteractionResponseData{Content: "moved"}
			}
			respond(t, s, i, kind, data)
		})
		ctx := context.Background()
		r, err := b.User("alice").Command(ctx, "general", "ping", nil)
		if err != nil {
			t.Fatal(err)
		}
		click, err := b.User("bob").Click(ctx, r.Message.ID, discordsim.Button{Label: "b2"})
		if err != nil || click.Message.Content != "moved" {
			t.Fatalf("%+v, %v", click, err)
		}
		synctest.Wait() // bob sees the answer before the bot gets the response to its callback
		var text bytes.Buffer
		if err := b.WriteTranscript(&text, discordsim.TranscriptFilter{Message: r.Message.ID}); err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(text.Bytes(), []byte("\n"))
		if lines != 6 || strings.Count(text.String(), click.Interaction) < 3 || strings.Count(text.String(), r.Interaction) < 3 {
			t.Errorf("%d lines:\n%s", lines, &text)
		}
	})
}

func TestTranscriptKeepsTheNewest(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	big := strings.Repeat("x", 1<<20)
	for n := range 40 {
		w.rest("POST", "/nonsense", fmt.Sprintf(`{"n":%d,"big":%q}`, n, big))
	}
	w.rest("GET", "/nonsense/last", "")
	if status, text, _ := w.raw("GET", "/sim/transcript", "", ""); status != 200 || len(text) < 30<<20 || len(text) > 33<<20 || strings.Contains(text, `"n":0,`) {
		t.Errorf("got %d and %d bytes", status, len(text))
	}
	if l := w.transcript("?last=1")[0]; l.Path != "/nonsense/last" || l.Status != 404 {
		t.Errorf("the last line is %+v", l)
	}
}
