package discordsim_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

const (
	strangerID = "1100000000000000002" // the id of another bot's application
	intentHook = 1 << 5
)

// webhooks returns the names and tokens of the webhooks that a path lists for a bot.
func (w *world) webhooks(path, as string) (listed [][2]string) {
	w.t.Helper()
	status, text, _ := w.raw("GET", path, "", "Bot "+tokenOf(as))
	var list []struct{ Name, Token string }
	if err := json.Unmarshal([]byte(text), &list); err != nil || status != http.StatusOK {
		w.t.Fatalf("GET %s got %d %s", path, status, text)
	}
	for _, hook := range list {
		listed = append(listed, [2]string{hook.Name, hook.Token})
	}
	return listed
}

func TestABotMakesAWebhook(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	config := discordsim.Config{State: file, NoRateLimits: true, MaxConcurrency: 16}
	w := newWorld(t, config)
	w.mayInGeneral(discordsim.ManageWebhooks)
	channel, server := w.channelOfBot(), w.guild()
	g := w.identifyWith(intentHook)
	status, hook := w.rest("POST", "/channels/"+channel+"/webhooks", fmt.Sprintf(`{"name":"Town crier","avatar":%q}`, dataURI(pngBytes())))
	secret, _ := hook["token"].(string)
	id, _ := hook["id"].(string)
	if status != http.StatusOK || hook["type"] != 1.0 || hook["name"] != "Town crier" || hook["channel_id"] != channel || hook["guild_id"] != server ||
		hook["application_id"] != botID || hook["user"].(map[string]any)["id"] != botID || len(secret) != 68 {
		t.Fatalf("the webhook is %d %v", status, hook)
	}
	if d := g.expect(0, "WEBHOOKS_UPDATE").D; cmp.Diff(map[string]any{"guild_id": server, "channel_id": channel}, d) != "" {
		t.Errorf("the event is %v", d)
	}
	if picture := w.fetch(fmt.Sprintf("%s/api/cdn/avatars/%s/%s.png", w.url, id, hook["avatar"])); picture != string(pngBytes()) {
		t.Error("its picture is not the one that was uploaded")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = newWorld(t, config)
	for _, path := range []string{"/channels/" + channel + "/webhooks", "/guilds/" + server + "/webhooks"} {
		if diff := cmp.Diff([][2]string{{"Town crier", secret}}, w.webhooks(path, botID)); diff != "" {
			t.Errorf("%s differs:\n%s", path, diff)
		}
	}
	w.raw("GET", "/users/@me", "", "Bot "+tokenOf(strangerID))
	if err := w.SetMember("Playground", strangerID, discordsim.Membership{Permissions: discordsim.ManageWebhooks}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][2]string{{"Town crier", ""}}, w.webhooks("/channels/"+channel+"/webhooks", strangerID)); diff != "" {
		t.Errorf("another bot, which must not see the token, sees:\n%s", diff)
	}
	_, text, _ := w.raw("GET", "/webhooks/"+id+"/"+secret, "", "")
	var open map[string]any
	if json.Unmarshal([]byte(text), &open); open["user"] != nil || open["token"] != secret || !strings.HasSuffix(open["url"].(string), "/api/webhooks/"+id+"/"+secret) {
		t.Errorf("by its token it is %v", open)
	}
	if status, m := w.rest("PATCH", "/webhooks/"+id+"/"+secret, `{"name":"Herald","avatar":null}`); status != 200 || m["name"] != "Herald" || m["avatar"] != nil {
		t.Errorf("changing it by its token got %d %v", status, m)
	}
	lounge, err := w.AddChannel(discordsim.Room{Name: "lounge"})
	if err != nil {
		t.Fatal(err)
	}
	if status, m := w.rest("PATCH", "/webhooks/"+id, fmt.Sprintf(`{"channel_id":%q}`, lounge)); status != 200 || m["channel_id"] != lounge || m["name"] != "Herald" {
		t.Errorf("moving it got %d %v", status, m)
	}
	if err := w.DeleteChannel("lounge"); err != nil {
		t.Fatal(err)
	}
	if status, m := w.rest("GET", "/webhooks/"+id, ""); status != 404 || m["code"] != 10015.0 {
		t.Errorf("after its channel was deleted it is %d %v", status, m)
	}
}

// hook creates a webhook in #general and returns its path with the token.
func (w *world) hook(name string) string {
	w.t.Helper()
	status, made := w.rest("POST", "/channels/"+w.channelOfBot()+"/webhooks", fmt.Sprintf(`{"name":%q}`, name))
	if status != http.StatusOK {
		w.t.Fatalf("making a webhook got %d %v", status, made)
	}
	return fmt.Sprintf("/webhooks/%s/%s", made["id"], made["token"])
}

func TestAWebhookWrites(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true, MaxConcurrency: 16})
	w.mayInGeneral(discordsim.ManageWebhooks)
	hook := w.hook("Town crier")
	g := w.identifyWith(1 << 9)
	post := func(query, body string) (int, map[string]any) {
		t.Helper()
		status, text, _ := w.raw("POST", hook+query, body, "")
		var m map[string]any
		json.Unmarshal([]byte(text), &m)
		return status, m
	}
	if status, m := post("", `{"content":"hear"}`); status != http.StatusNoContent || m != nil {
		t.Errorf("without waiting it got %d %v", status, m)
	}
	g.expect(0, "MESSAGE_CREATE")
	status, m := post("?wait=true", `{"content":"hear all","username":"Alice's parrot","avatar_url":"https://example.com/parrot.png","flags":64}`)
	author, _ := m["author"].(map[string]any)
	if status != http.StatusOK || m["webhook_id"] != author["id"] || author["username"] != "Alice's parrot" || author["bot"] != true || author["avatar"] == nil ||
		m["application_id"] != botID || m["flags"] != 0.0 {
		t.Fatalf("it wrote %d %v", status, m)
	}
	d := g.expect(0, "MESSAGE_CREATE").D
	if d["id"] != m["id"] || d["webhook_id"] != m["webhook_id"] || d["member"] != nil {
		t.Errorf("the event is %v", d)
	}
	path := fmt.Sprintf("%s/messages/%s", hook, m["id"])
	for _, step := range []struct {
		method, body string
		want         int
		content      any
	}{
		{"GET", "", 200, "hear all"}, {"PATCH", `{"content":"hear no more"}`, 200, "hear no more"},
		{"DELETE", "", 204, nil}, {"GET", "", 404, nil},
	} {
		status, text, _ := w.raw(step.method, path, step.body, "")
		var m map[string]any
		json.Unmarshal([]byte(text), &m)
		if status != step.want || m["content"] != step.content {
			t.Errorf("%s got %d %s, want %d with %v", step.method, status, text, step.want, step.content)
		}
	}
	shown, err := w.User("alice").Messages("general")
	if err != nil || len(shown) != 1 || shown[0].Author.Username != "Town crier" {
		t.Errorf("alice sees %v, %v", shown, err)
	}
	thread, err := w.AddChannel(discordsim.Room{Name: "talk", Type: 11, Parent: "general"})
	if err != nil {
		t.Fatal(err)
	}
	if status, m := post("?wait=true&thread_id="+thread, `{"content":"x"}`); status != 200 || m["channel_id"] != thread {
		t.Errorf("in a thread it wrote %d %v", status, m)
	}
}

func TestTheButtonsOfAWebhookAreItsBots(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{NoRateLimits: true, MaxConcurrency: 16})
	w.mayInGeneral(discordsim.ManageWebhooks)
	own := w.emoji("b2_x", pngBytes())
	_, text, _ := w.raw("POST", w.hook("Town crier")+"?wait=true", fmt.Sprintf(
		`{"components":[{"type":1,"components":[{"type":2,"style":1,"custom_id":"a","emoji":{"id":%q,"name":"b2_x"}}]}]}`, own), "")
	var m struct{ ID string }
	if err := json.Unmarshal([]byte(text), &m); err != nil || m.ID == "" {
		t.Fatalf("with a button it wrote %s, %v", text, err)
	}
	w.openBot(func(bot *discordgo.Session, i *discordgo.Interaction) {
		bot.InteractionRespond(i, &discordgo.InteractionResponse{Type: 4, Data: &discordgo.InteractionResponseData{Content: "heard"}})
	})
	result, err := w.User("alice").Click(t.Context(), m.ID, discordsim.Button{CustomID: "a"})
	if err != nil || result.Status != discordsim.Answered || result.Message.Content != "heard" {
		t.Errorf("a click got %+v, %v", result, err)
	}
}

func TestTheTokenOfAWebhookIsNotInTheTranscript(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true, MaxConcurrency: 16})
	w.mayInGeneral(discordsim.ManageWebhooks)
	hook := w.hook("Town crier")
	secret := hook[strings.LastIndex(hook, "/")+1:]
	w.raw("POST", hook, fmt.Sprintf(`{"content":"my token is %s"}`, secret), "")
	status, text, _ := w.raw("GET", "/sim/transcript", "", "")
	if status != 200 || !strings.Contains(text, `/webhooks/`) || !strings.Contains(text, "Town crier") {
		t.Fatalf("the transcript is %d %s", status, text)
	}
	if strings.Contains(text, secret) {
		t.Errorf("the transcript tells the token:\n%s", text)
	}
}

// hooked creates a webhook of the bot in #general, and returns its path without the token and with it.
func (s *stage) hooked() (path, open string) {
	s.t.Helper()
	s.managing(discordsim.ManageWebhooks)
	var hook struct{ ID, Token string }
	s.must(json.Unmarshal([]byte(s.do("POST", "/channels/"+s.general+"/webhooks", `{"name":"Town crier"}`).text), &hook))
	return "/webhooks/" + hook.ID, "/webhooks/" + hook.ID + "/" + hook.Token
}

// managing gives the bot these permissions, and no others beyond those of @everyone.
func (s *stage) managing(p discordsim.Permission) {
	s.t.Helper()
	s.must(s.SetMember("Playground", "tictactoe", discordsim.Membership{Permissions: p}))
}

// hookMany creates n webhooks in #general.
func (s *stage) hookMany(n int) (last reply) {
	s.managing(discordsim.ManageWebhooks)
	for range n {
		last = s.do("POST", "/channels/"+s.general+"/webhooks", `{"name":"Town crier"}`)
		time.Sleep(time.Second)
	}
	return last
}

func TestWebhookRefusals(t *testing.T) {
	create := func(body string) func(*stage) reply {
		return func(s *stage) reply {
			s.managing(discordsim.ManageWebhooks)
			return s.do("POST", "/channels/"+s.general+"/webhooks", body)
		}
	}
	execute := func(query, body string) func(*stage) reply {
		return func(s *stage) reply { _, open := s.hooked(); return s.do("POST", open+query, body) }
	}
	inThread := func(query string) func(*stage) reply {
		return func(s *stage) reply {
			_, open := s.hooked()
			return s.do("POST", open+query+s.thread(), `{"content":"x"}`)
		}
	}
	of := func(s *stage, by string) reply { // edits a webhook's message by the same webhook or, if by is set, by another
		_, open := s.hooked()
		var m struct{ ID string }
		s.must(json.Unmarshal([]byte(s.do("POST", open+"?wait=true", `{"content":"x"}`).text), &m))
		if by != "" {
			_, open = s.hooked()
		}
		return s.do("PATCH", open+"/messages/"+m.ID, `{"content":"y"}`)
	}
	good, says := create(`{"name":"Town crier"}`), execute("", `{"content":"x"}`)
	tell(t, []twins{
		{"a webhook without MANAGE_WEBHOOKS", 403, 50013, "", "",
			func(s *stage) reply {
				return s.do("POST", "/channels/"+s.general+"/webhooks", `{"name":"Town crier"}`)
			}, good},
		{"a webhook without a name", 400, 50035, "name", "BASE_TYPE_REQUIRED", create(`{}`), good},
		{"a webhook named after Discord", 400, 50035, "name", "USERNAME_INVALID_CONTAINS", create(`{"name":"My Discord crier"}`), good},
		{"a webhook named after Clyde", 400, 50035, "name", "USERNAME_INVALID_CONTAINS", create(`{"name":"Clyde"}`), good},
		{"a webhook with a long name", 400, 50035, "name", "BASE_TYPE_BAD_LENGTH",
			create(`{"name":"` + strings.Repeat("n", 81) + `"}`), create(`{"name":"` + strings.Repeat("n", 80) + `"}`)},
		{"a webhook whose picture is none", 400, 50046, "", "",
			create(`{"name":"x","avatar":"data:image/png;base64,QUJD"}`), create(fmt.Sprintf(`{"name":"x","avatar":%q}`, dataURI(pngBytes())))},
		{"a 16th webhook of a channel", 400, 30007, "", "",
			func(s *stage) reply { return s.hookMany(16) }, func(s *stage) reply { return s.hookMany(15) }},
		{"a webhook of a thread", 400, 50024, "", "",
			func(s *stage) reply {
				s.managing(discordsim.ManageWebhooks)
				return s.do("POST", "/channels/"+s.thread()+"/webhooks", `{"name":"x"}`)
			}, good},
		{"a webhook of direct messages", 403, 50003, "", "",
			func(s *stage) reply {
				m, err := s.User("alice").Write("@tictactoe", "hi")
				s.must(err)
				return s.do("POST", "/channels/"+m.ChannelID+"/webhooks", `{"name":"x"}`)
			}, good},
		{"the webhooks of a channel without MANAGE_WEBHOOKS", 403, 50013, "", "",
			func(s *stage) reply { return s.do("GET", "/channels/"+s.general+"/webhooks", "") },
			func(s *stage) reply { s.hooked(); return s.do("GET", "/channels/"+s.general+"/webhooks", "") }},
		{"the webhooks of a server without MANAGE_WEBHOOKS", 403, 50013, "", "",
			func(s *stage) reply { return s.do("GET", "/guilds/"+s.server()+"/webhooks", "") },
			func(s *stage) reply { s.hooked(); return s.do("GET", "/guilds/"+s.server()+"/webhooks", "") }},
		{"a webhook that is not there", 404, 10015, "", "",
			func(s *stage) reply { return s.do("GET", "/webhooks/123", "") },
			func(s *stage) reply { path, _ := s.hooked(); return s.do("GET", path, "") }},
		{"a webhook of another bot", 403, 50013, "", "",
			func(s *stage) reply {
				path, _ := s.hooked()
				return s.as("Bot "+tokenOf(strangerID), "GET", path)
			},
			func(s *stage) reply {
				path, _ := s.hooked()
				s.managing(0) // for its own webhook, the bot needs no permission
				return s.do("GET", path, "")
			}},
		{"a webhook by a false token", 401, 50027, "", "",
			func(s *stage) reply { path, _ := s.hooked(); return s.do("POST", path+"/abc", `{"content":"x"}`) }, says},
		{"a message of a webhook with nothing in it", 400, 50006, "", "", execute("", `{}`), says},
		{"a message under the name of Discord", 400, 50035, "username", "USERNAME_INVALID_CONTAINS",
			execute("", `{"content":"x","username":"discord"}`), execute("", `{"content":"x","username":"parrot"}`)},
		{"a message under the name of everyone", 400, 50035, "username", "USERNAME_INVALID",
			execute("", `{"content":"x","username":"everyone"}`), execute("", `{"content":"x","username":"everyone here"}`)},
		{"a message with a picture of no address", 400, 50035, "avatar_url", "URL_TYPE_INVALID_SCHEME",
			execute("", `{"content":"x","avatar_url":"file:///etc/passwd"}`), execute("", `{"content":"x","avatar_url":"https://example.com/a.png"}`)},
		{"a thread made by a webhook in what is no forum", 400, 220003, "", "", execute("", `{"content":"x","thread_name":"talk"}`), says},
		{"a message of a webhook in a thread that is not there", 404, 10003, "", "", execute("?thread_id=123", `{"content":"x"}`), inThread("?thread_id=")},
		{"a message of a webhook in a thread with no id", 400, 50035, "thread_id", "NUMBER_TYPE_COERCE", execute("?thread_id=abc", `{"content":"x"}`), inThread("?thread_id=")},
		{"a message of another webhook", 404, 10008, "", "",
			func(s *stage) reply { return of(s, "another") }, func(s *stage) reply { return of(s, "") }},
		{"a webhook moved to where the bot may not manage them", 403, 50013, "", "",
			func(s *stage) reply { return s.move(discordsim.ManageWebhooks) },
			func(s *stage) reply { return s.move(0) }},
		{"a webhook of an interaction shown, which is not simulated", 501, 501, "", "",
			func(s *stage) reply { return s.do("GET", s.token(s.used("general")), "") },
			func(s *stage) reply { _, open := s.hooked(); return s.do("GET", open, "") }},
	})
}

// move moves a webhook to a channel that denies the bot something.
func (s *stage) move(denied discordsim.Permission) reply {
	s.t.Helper()
	path, _ := s.hooked()
	lounge, err := s.AddChannel(discordsim.Room{Name: "lounge"})
	s.must(err)
	s.must(s.SetOverwrite("lounge", "tictactoe", 0, denied))
	return s.do("PATCH", path, fmt.Sprintf(`{"channel_id":%q}`, lounge))
}
