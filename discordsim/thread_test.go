package discordsim_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

func TestBotsMakeThreads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	config := discordsim.Config{State: file, NoRateLimits: true, MaxConcurrency: 16}
	w := newWorld(t, config)
	channel := w.channelOfBot()
	_, m := w.rest("POST", "/channels/"+channel+"/messages", `{"content":"the board"}`)
	id := m["id"].(string)
	g := w.identifyWith(1 | 1<<9)
	status, thread := w.rest("POST", "/channels/"+channel+"/messages/"+id+"/threads", `{"name":"talk","auto_archive_duration":60,"rate_limit_per_user":5}`)
	meta, _ := thread["thread_metadata"].(map[string]any)
	if status != http.StatusCreated || thread["id"] != id || thread["type"] != 11.0 || thread["name"] != "talk" || thread["parent_id"] != channel ||
		thread["owner_id"] != botID || meta["auto_archive_duration"] != 60.0 || meta["locked"] != false || thread["rate_limit_per_user"] != 5.0 {
		t.Fatalf("the thread is %d %v", status, thread)
	}
	if d := g.expect(0, "THREAD_CREATE").D; d["id"] != id || d["newly_created"] != true {
		t.Errorf("the event is %v", d)
	}
	if d := g.expect(0, "MESSAGE_UPDATE").D; d["flags"] != 32.0 || d["thread"].(map[string]any)["id"] != id {
		t.Errorf("the message is %v", d)
	}
	if d := g.expect(0, "MESSAGE_CREATE").D; d["type"] != 21.0 || d["channel_id"] != id || d["message_reference"].(map[string]any)["message_id"] != id {
		t.Errorf("the thread begins with %v", d)
	}
	if status, m := w.rest("POST", "/channels/"+id+"/messages", `{"content":"hi"}`); status != 200 {
		t.Errorf("writing there got %d %v", status, m)
	}
	g.expect(0, "MESSAGE_CREATE")
	status, free := w.rest("POST", "/channels/"+channel+"/threads", `{"name":"free","type":11}`)
	if status != http.StatusCreated || free["id"] == id {
		t.Fatalf("a thread without a message is %d %v", status, free)
	}
	g.expect(0, "THREAD_CREATE")
	if d := g.expect(0, "MESSAGE_CREATE").D; d["type"] != 18.0 || d["content"] != "free" || d["channel_id"] != channel ||
		cmp.Diff(map[string]any{"type": 0.0, "channel_id": free["id"], "guild_id": w.guild()}, d["message_reference"]) != "" {
		t.Errorf("the channel says %v", d)
	}

	alice := w.User("alice").ID()
	if _, err := w.User("alice").Write(id, "me too"); err != nil {
		t.Fatal(err)
	}
	members := func() (ids []string) {
		_, text, _ := w.raw("GET", "/channels/"+id+"/thread-members", "", "Bot "+token)
		var list []struct {
			UserID string `json:"user_id"`
		}
		json.Unmarshal([]byte(text), &list)
		for _, m := range list {
			ids = append(ids, m.UserID)
		}
		return ids
	}
	if diff := cmp.Diff([]string{botID, alice}, members()); diff != "" {
		t.Errorf("who wrote there is not a member:\n%s", diff)
	}
	g.expect(0, "MESSAGE_CREATE")
	if status, _ := w.rest("DELETE", "/channels/"+id+"/thread-members/@me", ""); status != http.StatusNoContent {
		t.Errorf("leaving got %d", status)
	}
	if d := g.expect(0, "THREAD_MEMBERS_UPDATE").D; cmp.Diff([]any{botID}, d["removed_member_ids"]) != "" || d["member_count"] != 1.0 {
		t.Errorf("the event is %v", d)
	}
	if status, _ := w.rest("PUT", "/channels/"+id+"/thread-members/"+w.User("bob").ID(), ""); status != http.StatusNoContent {
		t.Errorf("bringing bob in got %d", status)
	}
	if status, m := w.rest("GET", "/channels/"+id+"/thread-members/"+alice+"?with_member=true", ""); status != 200 || m["member"] == nil {
		t.Errorf("alice is %d %v", status, m)
	}
	status, thread = w.rest("PATCH", "/channels/"+id, `{"name":"talked","archived":true}`)
	if meta := thread["thread_metadata"].(map[string]any); status != 200 || thread["name"] != "talked" || meta["archived"] != true {
		t.Errorf("archiving got %d %v", status, thread)
	}
	if d := g.expect(0, "THREAD_UPDATE").D; d["name"] != "talked" {
		t.Errorf("the event is %v", d)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = newWorld(t, config)
	if diff := cmp.Diff([]string{alice, w.User("bob").ID()}, members()); diff != "" {
		t.Errorf("after a restart the members differ:\n%s", diff)
	}
	names := func(path string) (names []string) {
		_, list := w.rest("GET", path, "")
		for _, thread := range list["threads"].([]any) {
			names = append(names, thread.(map[string]any)["name"].(string))
		}
		return names
	}
	if diff := cmp.Diff([]string{"free"}, names("/guilds/"+w.guild()+"/threads/active")); diff != "" {
		t.Errorf("the active ones differ:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"talked"}, names("/channels/"+channel+"/threads/archived/public")); diff != "" {
		t.Errorf("the archived ones differ:\n%s", diff)
	}
	w.mayInGeneral(discordsim.ManageThreads)
	if status, _ := w.rest("DELETE", "/channels/"+id, ""); status != 200 {
		t.Errorf("deleting got %d", status)
	}
	if status, m := w.rest("GET", "/channels/"+channel+"/messages/"+id, ""); status != 200 || m["thread"] != nil {
		t.Errorf("its message is %d %v", status, m)
	}
}

// threaded is a thread of the bot's own, as a path.
func (s *stage) threaded() string {
	s.t.Helper()
	r := s.do("POST", s.sent(`{"content":"x"}`)+"/threads", `{"name":"talk"}`)
	var thread struct{ ID string }
	s.must(json.Unmarshal([]byte(r.text), &thread))
	return "/channels/" + thread.ID
}

func TestThreadRefusals(t *testing.T) {
	on := func(s *stage, body string) reply { return s.do("POST", s.sent(`{"content":"x"}`)+"/threads", body) }
	named := func(body string) func(*stage) reply { return func(s *stage) reply { return on(s, body) } }
	good := named(`{"name":"talk"}`)
	manage := func(s *stage) {
		s.must(s.SetMember("Playground", "tictactoe", discordsim.Membership{Permissions: discordsim.ManageThreads}))
	}
	locked := func(s *stage) string {
		manage(s)
		path := s.threaded()
		s.do("PATCH", path, `{"locked":true}`)
		return path
	}
	tell(t, []twins{
		{"a thread without a name", 400, 50035, "name", "BASE_TYPE_REQUIRED", named(`{}`), good},
		{"a thread that is archived after an odd time", 400, 50035, "auto_archive_duration", "BASE_TYPE_CHOICES",
			named(`{"name":"talk","auto_archive_duration":61}`), named(`{"name":"talk","auto_archive_duration":1440}`)},
		{"a second thread at a message", 400, 160004, "", "",
			func(s *stage) reply {
				m := s.sent(`{"content":"x"}`)
				s.do("POST", m+"/threads", `{"name":"talk"}`)
				return s.do("POST", m+"/threads", `{"name":"talk"}`)
			}, good},
		{"a thread without CREATE_PUBLIC_THREADS", 403, 50013, "", "",
			func(s *stage) reply { s.deny("tictactoe", discordsim.CreatePublicThreads); return good(s) }, good},
		{"a thread in a thread", 400, 50024, "", "",
			func(s *stage) reply { return s.do("POST", s.threaded()+"/threads", `{"name":"talk","type":11}`) },
			func(s *stage) reply {
				return s.do("POST", "/channels/"+s.general+"/threads", `{"name":"talk","type":11}`)
			}},
		{"a private thread, which is not simulated", 501, 501, "", "",
			func(s *stage) reply { return s.do("POST", "/channels/"+s.general+"/threads", `{"name":"talk"}`) },
			func(s *stage) reply {
				return s.do("POST", "/channels/"+s.general+"/threads", `{"name":"talk","type":11}`)
			}},
		{"a thread locked without MANAGE_THREADS", 403, 50013, "", "",
			func(s *stage) reply { return s.do("PATCH", s.threaded(), `{"locked":true}`) },
			func(s *stage) reply { manage(s); return s.do("PATCH", s.threaded(), `{"locked":true}`) }},
		{"a thread of another renamed", 403, 50013, "", "",
			func(s *stage) reply { return s.do("PATCH", "/channels/"+s.thread(), `{"name":"x"}`) },
			func(s *stage) reply { return s.do("PATCH", s.threaded(), `{"name":"x"}`) }},
		{"an archived thread renamed", 400, 50083, "", "",
			func(s *stage) reply {
				path := s.threaded()
				s.do("PATCH", path, `{"archived":true}`)
				return s.do("PATCH", path, `{"name":"x"}`)
			},
			func(s *stage) reply {
				path := s.threaded()
				s.do("PATCH", path, `{"archived":true}`)
				return s.do("PATCH", path, `{"name":"x","archived":false}`)
			}},
		{"a message in a locked thread", 400, 160005, "", "",
			func(s *stage) reply {
				path := locked(s)
				s.must(s.SetMember("Playground", "tictactoe", discordsim.Membership{}))
				return s.do("POST", path+"/messages", `{"content":"x"}`)
			},
			func(s *stage) reply { return s.do("POST", locked(s)+"/messages", `{"content":"x"}`) }},
		{"a thread deleted without MANAGE_THREADS", 403, 50013, "", "",
			func(s *stage) reply { return s.do("DELETE", s.threaded(), "") },
			func(s *stage) reply { manage(s); return s.do("DELETE", s.threaded(), "") }},
		{"a member of a thread who is none", 404, 10007, "", "",
			func(s *stage) reply { return s.do("GET", s.threaded()+"/thread-members/"+s.User("bob").ID(), "") },
			func(s *stage) reply { return s.do("GET", s.threaded()+"/thread-members/"+botID, "") }},
		{"the members of what is no thread", 400, 50024, "", "",
			func(s *stage) reply { return s.do("GET", "/channels/"+s.general+"/thread-members", "") },
			func(s *stage) reply { return s.do("GET", s.threaded()+"/thread-members", "") }},
	})
}

func TestPeopleDoNotWriteInLockedThreads(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true})
	w.mayInGeneral(discordsim.ManageThreads)
	_, thread := w.rest("POST", "/channels/"+w.channelOfBot()+"/threads", `{"name":"talk","type":11}`)
	w.rest("PATCH", fmt.Sprintf("/channels/%s", thread["id"]), `{"locked":true}`)
	if _, err := w.User("bob").Write("talk", "hi"); err == nil {
		t.Error("bob wrote in a locked thread")
	}
	if _, err := w.User("alice").Write("talk", "hi"); err != nil { // who owns the server
		t.Errorf("the owner got %v", err)
	}
}
