package discordsim_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tictactoe/discordsim"
)

// polled creates a poll of the bot in #general, with the answers X and O.
func (w *world) polled(members string) (channel, message string) {
	w.t.Helper()
	channel = w.channelOfBot()
	_, m := w.rest("POST", "/channels/"+channel+"/messages",
		`{"poll":{"question":{"text":"Who?"},"answers":[{"poll_media":{"text":"X"}},{"poll_media":{"text":"O"}}]`+members+`}}`)
	id, _ := m["id"].(string)
	if id == "" {
		w.t.Fatalf("the poll got %v", m)
	}
	return channel, id
}

// counts returns the votes of a poll as the bot sees them, and whether they are final.
func (w *world) counts(channel, message string) (counts string, final bool) {
	w.t.Helper()
	var m struct{ Poll discordsim.Poll }
	_, text, _ := w.raw("GET", "/channels/"+channel+"/messages/"+message, "", "Bot "+token)
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		w.t.Fatal(err)
	}
	list, _ := json.Marshal(m.Poll.Results.Counts)
	return string(list), m.Poll.Results.Finalized
}

func TestPeopleVote(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	w := newWorld(t, discordsim.Config{State: file, NoRateLimits: true})
	channel, id := w.polled("")
	g := w.identifyWith(1 | 1<<24)
	vote := func(as, answers, want string) {
		t.Helper()
		status, text, _ := w.raw("POST", "/sim/vote", `{"as":"`+as+`","message":"`+id+`","answers":`+answers+`}`, "")
		if says := strings.Contains(text, want); !says || (status == http.StatusOK) != (want == "{}") {
			t.Errorf("%s votes %s and gets %d %s", as, answers, status, text)
		}
	}
	heard := func(name string, answer float64) {
		t.Helper()
		d := g.expect(0, name).D
		if d["answer_id"] != answer || d["message_id"] != id || d["channel_id"] != channel || d["guild_id"] == nil || d["user_id"] == nil {
			t.Errorf("%s says %v", name, d)
		}
	}
	vote("alice", "[1]", "{}")
	heard("MESSAGE_POLL_VOTE_ADD", 1)
	vote("alice", "[2]", "{}")
	heard("MESSAGE_POLL_VOTE_REMOVE", 1)
	heard("MESSAGE_POLL_VOTE_ADD", 2)
	vote("bob", "[2]", "{}")
	heard("MESSAGE_POLL_VOTE_ADD", 2)
	vote("bob", "[1,2]", "one answer")
	vote("bob", "[3]", "no answer 3")
	if counts, final := w.counts(channel, id); counts != `[{"id":2,"count":2,"me_voted":false}]` || final {
		t.Errorf("the counts are %s, final: %v", counts, final)
	}
	voters := "/channels/" + channel + "/polls/" + id + "/answers/"
	if _, text, _ := w.raw("GET", voters+"2?limit=1&after="+w.User("alice").ID(), "", "Bot "+token); strings.Count(text, `"username"`) != 1 || !strings.Contains(text, `"bob"`) {
		t.Errorf("the voters after alice are %s", text)
	}
	if status, _ := w.rest("GET", voters+"3", ""); status != http.StatusNotFound {
		t.Errorf("the voters of no answer got %d", status)
	}
	again := newWorld(t, discordsim.Config{State: left(t, file)})
	if counts, _ := again.counts(channel, id); counts != `[{"id":2,"count":2,"me_voted":false}]` {
		t.Errorf("after a restart the counts are %s", counts)
	}
}

func TestPollsOfSeveralAnswers(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true})
	channel, id := w.polled(`,"allow_multiselect":true`)
	for who, answers := range map[string][]int{"alice": {1, 2}, "bob": {1}, "carol": {}} {
		if err := w.User(who).Vote(id, answers...); err != nil {
			t.Error(err)
		}
	}
	if counts, _ := w.counts(channel, id); counts != `[{"id":1,"count":2,"me_voted":false},{"id":2,"count":1,"me_voted":false}]` {
		t.Errorf("the counts are %s", counts)
	}
}

// Source: developers/resources/poll.mdx, "Poll Expiry", "Poll Results" and "End Poll", and message.mdx, "Poll Result Embed Fields".
func TestPollsEnd(t *testing.T) {
	t.Parallel()
	result := func(w *world, g *gateway, id, winner string) {
		t.Helper()
		if m := g.expect(0, "MESSAGE_UPDATE").D; m["id"] != id || m["poll"].(map[string]any)["results"].(map[string]any)["is_finalized"] != true {
			t.Errorf("the update is %v", m)
		}
		m := g.expect(0, "MESSAGE_CREATE")
		if m.D["type"] != 46.0 || m.D["message_reference"].(map[string]any)["message_id"] != id ||
			!strings.Contains(string(m.Raw), `"name":"victor_answer_text","value":"`+winner+`"`) || !strings.Contains(string(m.Raw), `"type":"poll_result"`) {
			t.Errorf("the result is %s", m.Raw)
		}
		if err := w.User("carol").Vote(id, 1); err == nil || !strings.Contains(err.Error(), "ended") {
			t.Errorf("a vote afterwards: %v", err)
		}
	}
	t.Run("when their time has come", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{NoRateLimits: true})
		_, id := w.polled(`,"duration":2`)
		g := w.identifyWith(1 | 1<<9)
		if err := w.User("alice").Vote(id, 2); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := w.Advance(t.Context(), time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		result(w, g, id, "O")
	})
	t.Run("by the person who asked", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{NoRateLimits: true, PrivilegedIntents: true})
		w.channelOfBot()
		g := w.identifyWith(1 | 1<<9 | 1<<15)
		m, err := w.User("alice").Send("general", discordsim.Note{Poll: &discordsim.PollSpec{Question: "Who?", Answers: []string{"X", "O"}}})
		if err != nil {
			t.Fatal(err)
		}
		g.expect(0, "MESSAGE_CREATE")
		end := func(as, want string) {
			t.Helper()
			_, text, _ := w.raw("POST", "/sim/end-poll", `{"as":"`+as+`","message":"`+m.ID+`"}`, "")
			if !strings.Contains(text, want) {
				t.Errorf("%s ends the poll and gets %s", as, text)
			}
		}
		if err := w.User("bob").Vote(m.ID, 2); err != nil {
			t.Fatal(err)
		}
		end("bob", "bob may not end the poll")
		if _, err := w.User("alice").Edit(m.ID, "What?"); err == nil {
			t.Error("a poll was edited")
		}
		end("alice", "{}")
		result(w, g, m.ID, "O")
		end("alice", "no poll that is open")
	})
	t.Run("by themselves", func(t *testing.T) {
		simInBubble(t, discordsim.Config{NoRateLimits: true}, func(b *bubble) {
			b.rest("GET", "/users/@me", "")
			_, _, text := b.rest("POST", "/channels/"+b.general()+"/messages", `{"poll":`+strings.TrimSuffix(poll, "}")+`,"duration":1}}`)
			time.Sleep(time.Hour + time.Second) // in fake time
			messages, err := b.User("alice").Messages("general")
			if err != nil || len(messages) != 3 || !messages[1].Poll.Results.Finalized || messages[2].Type != 46 {
				t.Errorf("after an hour there are %d messages, %v; the poll was %s", len(messages), err, text)
			}
		})
	})
	t.Run("when the bot asks", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{NoRateLimits: true})
		channel, id := w.polled("")
		g := w.identifyWith(1 | 1<<9)
		if err := w.User("alice").Vote(id, 1); err != nil {
			t.Fatal(err)
		}
		expire := func() (int, map[string]any) { return w.rest("POST", "/channels/"+channel+"/polls/"+id+"/expire", "") }
		if status, m := expire(); status != http.StatusOK || m["id"] != id {
			t.Errorf("ending it got %d %v", status, m)
		}
		result(w, g, id, "X")
		if _, final := w.counts(channel, id); !final {
			t.Error("the poll is not final")
		}
		if status, m := expire(); status != http.StatusBadRequest || m["code"] != 520001.0 {
			t.Errorf("ending it again got %d %v", status, m)
		}
		id = func() string {
			_, m := w.rest("POST", "/channels/"+channel+"/messages", `{"content":"x"}`)
			return m["id"].(string)
		}()
		if status, m := expire(); status != http.StatusBadRequest || m["code"] != 520006.0 {
			t.Errorf("ending no poll got %d %v", status, m)
		}
	})
}

func TestPeopleAskPolls(t *testing.T) {
	w, g := listening(t)
	m := w.change("POST", "message", `{"as":"bob","channel":"general","poll":{"question":"Lunch?","answers":["Soup","Rice"],"duration":2,"allow_multiselect":true}}`)
	poll := g.expect(0, "MESSAGE_CREATE").D["poll"].(map[string]any)
	answers := poll["answers"].([]any)
	if poll["question"].(map[string]any)["text"] != "Lunch?" || len(answers) != 2 || answers[1].(map[string]any)["answer_id"] != 2.0 ||
		poll["allow_multiselect"] != true || poll["layout_type"] != 1.0 {
		t.Errorf("the bot hears of %v", poll)
	}
	id := m["id"].(string)
	if err := w.User("carol").Vote(id, 1, 2); err != nil {
		t.Error(err)
	}
	if err := w.Advance(t.Context(), 2*time.Hour); err != nil {
		t.Fatal(err)
	}
	if counts, final := w.counts(m["channel_id"].(string), id); counts != `[{"id":1,"count":1,"me_voted":false},{"id":2,"count":1,"me_voted":false}]` || !final {
		t.Errorf("the counts are %s, final: %v", counts, final)
	}
	if err := w.SetOverwrite("general", "carol", 0, discordsim.SendPolls); err != nil {
		t.Fatal(err)
	}
	for note, want := range map[string]string{
		`"as":"bob","poll":{"question":"Why?","answers":[]}`:                       "1 and 10",
		`"as":"bob","poll":{"question":"","answers":["so"]}`:                       "question",
		`"as":"bob","poll":{"question":"Why?","answers":["so"],"duration":769}`:    "duration",
		`"as":"bob","content":"hi","poll":{"question":"Why?","answers":["so"]}`:    "no text",
		`"as":"carol","poll":{"question":"Why?","answers":["so"]}`:                 "may not ask polls",
		`"as":"bob","poll":{"question":"Why?","answers":["so"],"expires":"never"}`: "unknown field",
	} {
		status, answer := w.call("POST", "message", `{"channel":"general",`+note+`}`)
		if says, _ := answer["error"].(string); status == 200 || !strings.Contains(says, want) {
			t.Errorf("%s got %d %v", note, status, answer)
		}
	}
}
