package discordsim_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"tictactoe/discordsim"
)

func TestPeopleSendFilesAndReplies(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true, PrivilegedIntents: true})
	channel := w.channelOfBot()
	g := w.identifyWith(1 | 1<<9 | 1<<15)
	_, m := w.rest("POST", "/channels/"+channel+"/messages", `{"content":"your move"}`)
	question := m["id"].(string)
	g.expect(0, "MESSAGE_CREATE")
	send := func(call, body string, want int, says string) {
		t.Helper()
		if status, text, _ := w.raw("POST", "/sim/"+call, body, ""); status != want || !strings.Contains(text, says) {
			t.Errorf("%s %s got %d %s", call, body, status, text)
		}
	}
	send("message", `{"as":"alice","channel":"general","reply_to":"`+question+`","files":[{"filename":"SPOILER_a b.txt","data":"aGk="}]}`, 200, question)
	d := g.expect(0, "MESSAGE_CREATE").D
	file := d["attachments"].([]any)[0].(map[string]any)
	if d["type"] != 19.0 || d["message_reference"].(map[string]any)["message_id"] != question || d["referenced_message"] == nil ||
		d["mentions"].([]any)[0].(map[string]any)["id"] != botID || file["filename"] != "SPOILER_a_b.txt" || file["flags"] != 8.0 {
		t.Errorf("the bot is told %v", d)
	}
	res, err := http.Get(file["url"].(string))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); string(text) != "hi" {
		t.Errorf("the file is %q, %v", text, err)
	}
	id := d["id"].(string)
	send("edit", `{"as":"alice","message":"`+id+`","content":"b2"}`, 200, `"content":"b2"`)
	if d := g.expect(0, "MESSAGE_UPDATE").D; d["id"] != id || d["content"] != "b2" || d["edited_timestamp"] == nil {
		t.Errorf("the bot is told %v", d)
	}
	send("edit", `{"as":"bob","message":"`+id+`","content":"mine"}`, 400, "cannot edit")
	send("edit", `{"as":"alice","message":"`+id+`","content":"`+strings.Repeat("x", 2001)+`"}`, 400, "characters")
	send("delete", `{"as":"bob","message":"`+id+`"}`, 400, "bob may not delete")
	send("delete", `{"as":"bob","message":"`+question+`"}`, 400, "bob may not delete")
	send("delete", `{"as":"alice","message":"`+id+`"}`, 200, "{}")
	if d := g.expect(0, "MESSAGE_DELETE").D; d["id"] != id {
		t.Errorf("the bot is told %v", d)
	}
	send("message", `{"as":"alice","channel":"general","content":"x","reply_to":"1"}`, 404, "1")
	send("message", `{"as":"alice","channel":"general","files":[{"data":"aGk="}]}`, 400, "name")
	for _, denied := range []struct {
		what discordsim.Permission
		body string
	}{
		{discordsim.AttachFiles, `{"as":"bob","channel":"general","files":[{"filename":"a.txt","data":"aGk="}]}`},
		{discordsim.ReadMessageHistory, `{"as":"bob","channel":"general","content":"x","reply_to":"` + question + `"}`},
	} {
		if err := w.SetOverwrite("general", "", 0, denied.what); err != nil {
			t.Fatal(err)
		}
		send("message", denied.body, 400, "may not")
	}
}

// Source: developers/resources/channel.mdx, rate_limit_per_user: "bots, as well as users with the permission
// manage_messages or manage_channel, are unaffected".
func TestSlowModeAndLocks(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true})
	channel := w.channelOfBot()
	w.change("PATCH", "channels/general", `{"rate_limit_per_user":60}`)
	if _, ch := w.rest("GET", "/channels/"+channel, ""); ch["rate_limit_per_user"] != 60.0 {
		t.Errorf("the channel is %v", ch)
	}
	write := func(who, want string) {
		t.Helper()
		_, err := w.User(who).Write("general", "x")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s writes: %v", who, err)
		}
	}
	write("bob", "")
	write("bob", "slow mode")
	write("carol", "")
	write("alice", "") // she owns the server
	write("alice", "")
	for range 2 {
		if status, _ := w.rest("POST", "/channels/"+channel+"/messages", `{"content":"x"}`); status != http.StatusOK {
			t.Errorf("the bot got %d", status)
		}
	}
	if err := w.Advance(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	write("bob", "")
	thread := w.change("POST", "channels", `{"name":"talk","type":11,"parent":"general"}`)["id"].(string)
	w.change("PATCH", "channels/"+thread, `{"locked":true}`)
	if _, err := w.User("bob").Write(thread, "x"); err == nil {
		t.Error("bob writes in a locked thread")
	}
	if status, m := w.rest("POST", "/channels/"+thread+"/messages", `{"content":"x"}`); m["code"] != 160005.0 {
		t.Errorf("in a locked thread the bot got %d %v", status, m)
	}
	w.change("PATCH", "channels/"+thread, `{"locked":false}`)
	if _, err := w.User("bob").Write(thread, "x"); err != nil {
		t.Error(err)
	}
}

// Source: developers/interactions/application-commands.mdx, "Age-Restricted Commands".
func TestAgeRestrictedCommands(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true})
	w.register(`[{"name":"bet","description":"For adults","nsfw":true}]`)
	use := func() error {
		w.t.Helper()
		_, text, _ := w.raw("POST", "/sim/command", `{"as":"bob","channel":"general","name":"bet","hold":true}`, "")
		if strings.Contains(text, `"error":"`) {
			return errors.New(text)
		}
		return nil
	}
	if err := use(); err == nil || !strings.Contains(err.Error(), "age-restricted") {
		t.Errorf("in a channel for all: %v", err)
	}
	w.change("PATCH", "channels/general", `{"nsfw":true}`)
	if _, ch := w.rest("GET", "/channels/"+w.channelOfBot(), ""); ch["nsfw"] != true {
		t.Errorf("the channel is %v", ch)
	}
	if err := use(); err != nil {
		t.Errorf("in an age-restricted channel: %v", err)
	}
}

// Source: developers/interactions/receiving-and-responding.mdx, "Interaction Callback Activity Instance Resource", and
// resources/application.mdx, "Get Application Activity Instance".
func TestActivitiesAreLaunched(t *testing.T) {
	discord := described(t)
	s := newSurface(t)
	s.register(pingCommand)
	launch := func(as string) string {
		t.Helper()
		d := s.heard("command", `{"as":"`+as+`","channel":"general","name":"ping","hold":true}`)
		path := "/interactions/" + d["id"].(string) + "/" + d["token"].(string) + "/callback?with_response=true"
		status, text, _ := s.raw("POST", path, `{"type":12}`, "")
		if err := discord.Answer("InteractionCallbackResponse", []byte(text)); status != http.StatusOK || err != nil {
			t.Fatalf("the callback got %d %s, %v", status, text, err)
		}
		r, err := s.Await(t.Context(), d["id"].(string))
		if err != nil || r.Status != discordsim.Answered || r.Activity == "" || !strings.Contains(text, `"activity_instance":{"id":"`+r.Activity+`"}`) {
			t.Fatalf("%s gets %+v, %v; the bot %s", as, r, err, text)
		}
		return r.Activity
	}
	first := launch("alice")
	if second := launch("bob"); second != first {
		t.Errorf("bob is in %s and alice in %s", second, first)
	}
	path := "/applications/" + botID + "/activity-instances/"
	status, text, _ := s.raw("GET", path+first, "", "Bot "+token)
	if err := discord.Answer("EmbeddedActivityInstance", []byte(text)); status != http.StatusOK || err != nil {
		t.Errorf("the instance is %d %s, %v", status, text, err)
	}
	for _, who := range []string{"alice", "bob"} {
		if !strings.Contains(text, s.User(who).ID()) {
			t.Errorf("%s is not in %s", who, text)
		}
	}
	if status, _ := s.rest("GET", path+"i-1-gc-1-1", ""); status != http.StatusNotFound {
		t.Errorf("no instance got %d", status)
	}
}
