package discordsim_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// threaded creates a thread of the bot and returns its path.
func (s *stage) threaded() string {
	s.t.Helper()
	r := s.do("POST", s.sent(`{"content":"x"}`)+"/threads", `{"name":"talk"}`)
	var thread struct{ ID string }
	s.must(json.Unmarshal([]byte(r.text), &thread))
	return "/channels/" + thread.ID
}

// secret creates a private thread of members of the server and returns the thread's id. The first member owns the
// thread.
func (s *stage) secret(invitable bool, members ...string) string {
	s.t.Helper()
	id, err := s.AddChannel(discordsim.Room{Name: "secret", Type: 12, Parent: "general", People: members, Invitable: &invitable})
	s.must(err)
	return id
}

func TestPrivateThreads(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true, PrivilegedIntents: true})
	channel := w.channelOfBot()
	g := w.identifyWith(1 | 1<<9 | 1<<15)
	alice, bob, carol := w.User("alice"), w.User("bob"), w.User("carol")
	sees := func(who *discordsim.User, thread string) bool {
		t.Helper()
		_, err := who.Messages(thread)
		return err == nil
	}

	status, thread := w.rest("POST", "/channels/"+channel+"/threads", `{"name":"plot"}`)
	meta, _ := thread["thread_metadata"].(map[string]any)
	if status != http.StatusCreated || thread["type"] != 12.0 || meta["invitable"] != true {
		t.Fatalf("the thread is %d %v", status, thread)
	}
	id := thread["id"].(string)
	if d := g.expect(0, "THREAD_CREATE").D; d["id"] != id || d["newly_created"] != true {
		t.Errorf("the event is %v", d)
	}
	if !sees(alice, id) || sees(bob, id) {
		t.Errorf("alice, who moderates, sees it: %v; bob, who is no member: %v", sees(alice, id), sees(bob, id))
	}
	if status, m := w.rest("PUT", "/channels/"+id+"/thread-members/"+bob.ID(), ""); status != http.StatusNoContent || !sees(bob, id) {
		t.Errorf("adding bob got %d %v", status, m)
	}
	if m, err := bob.Write(id, "come, <@"+carol.ID()+">"); err != nil || !sees(carol, id) {
		t.Errorf("a mention gave %v %v, and carol does not see the thread", m, err)
	}
	if d := g.expect(0, "MESSAGE_CREATE").D; d["channel_id"] != id { // and the channel was told nothing
		t.Errorf("the event is %v", d)
	}
	if status, m := w.rest("PATCH", "/channels/"+id, `{"invitable":false}`); status != 200 || m["thread_metadata"].(map[string]any)["invitable"] != false {
		t.Errorf("the change got %d %v", status, m)
	}
	g.expect(0, "THREAD_UPDATE")
	if status, _ := w.rest("DELETE", "/channels/"+id+"/thread-members/"+carol.ID(), ""); status != http.StatusNoContent || sees(carol, id) {
		t.Errorf("removing carol got %d", status)
	}
	if _, err := bob.Write(id, "again, <@"+carol.ID()+">"); err != nil || sees(carol, id) {
		t.Errorf("a mention by bob, who is no moderator: %v", err)
	}
	g.expect(0, "MESSAGE_CREATE")
	w.rest("PATCH", "/channels/"+id, `{"archived":true}`)
	g.expect(0, "THREAD_UPDATE")
	listed := func(path string) int {
		t.Helper()
		_, list := w.rest("GET", "/channels/"+channel+path, "")
		return len(list["threads"].([]any))
	}
	if private, public := listed("/users/@me/threads/archived/private"), listed("/threads/archived/public"); private != 1 || public != 0 {
		t.Errorf("%d private and %d public threads are listed", private, public)
	}
	w.rest("PATCH", "/channels/"+id, `{"archived":false}`)
	g.expect(0, "THREAD_UPDATE")
	if status, _ := w.rest("DELETE", "/channels/"+id+"/thread-members/@me", ""); status != http.StatusNoContent {
		t.Errorf("leaving got %d", status)
	}
	if d := g.expect(0, "THREAD_MEMBERS_UPDATE").D; d["removed_member_ids"] == nil {
		t.Errorf("the event is %v", d)
	}
	if status, m := w.rest("GET", "/channels/"+id, ""); status != http.StatusForbidden || m["code"] != 50001.0 {
		t.Errorf("a thread that was left got %d %v", status, m)
	}

	made := w.change("POST", "channels", `{"name":"secret","type":12,"parent":"general","people":["bob","carol"]}`)
	id = made["id"].(string)
	if sees(alice, id) != true || !sees(bob, id) || made["owner_id"] != bob.ID() {
		t.Errorf("bob's thread is %v", made)
	}
	if _, err := bob.Write(id, "help, <@"+botID+">"); err != nil {
		t.Fatal(err)
	}
	if d := g.expect(0, "THREAD_CREATE").D; d["id"] != id || d["newly_created"] != nil || d["member"] == nil {
		t.Errorf("the bot is told %v", d)
	}
	g.expect(0, "THREAD_MEMBERS_UPDATE")
	if d := g.expect(0, "MESSAGE_CREATE").D; !strings.Contains(d["content"].(string), "help") {
		t.Errorf("the bot hears %v", d)
	}
	w.change("PATCH", "channels/"+id, `{"people":["bob"],"invitable":false}`)
	if d := g.expect(0, "THREAD_UPDATE").D; d["id"] != id {
		t.Errorf("the bot is told %v", d)
	}
	g.expect(0, "THREAD_MEMBERS_UPDATE")
	if sees(carol, id) || !sees(bob, id) {
		t.Error("the people were not changed")
	}
	for body, want := range map[string]string{
		`{"name":"x","type":12,"parent":"general"}`:                        "has people",
		`{"name":"x","type":12,"parent":"general","people":["nobody"]}`:    "no member",
		`{"name":"x","type":12,"parent":"general","people":["bob","bob"]}`: "named twice",
		`{"name":"x","type":11,"parent":"general","people":["bob"]}`:       "only a private thread",
		`{"name":"x","type":11,"parent":"general","invitable":true}`:       "only a private thread",
	} {
		if status, text, _ := w.raw("POST", "/sim/channels", body, ""); status != 400 && status != 404 || !strings.Contains(text, want) {
			t.Errorf("%s got %d %s", body, status, text)
		}
	}
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
		{"a private thread without CREATE_PRIVATE_THREADS", 403, 50013, "", "",
			func(s *stage) reply {
				s.deny("tictactoe", discordsim.CreatePrivateThreads)
				return s.do("POST", "/channels/"+s.general+"/threads", `{"name":"talk"}`)
			},
			func(s *stage) reply {
				s.deny("tictactoe", discordsim.CreatePublicThreads)
				return s.do("POST", "/channels/"+s.general+"/threads", `{"name":"talk"}`)
			}},
		{"a private thread in an announcement channel", 400, 50024, "", "",
			func(s *stage) reply {
				id, err := s.AddChannel(discordsim.Room{Name: "news", Type: 5})
				s.must(err)
				return s.do("POST", "/channels/"+id+"/threads", `{"name":"talk","type":12}`)
			},
			func(s *stage) reply {
				return s.do("POST", "/channels/"+s.general+"/threads", `{"name":"talk","type":12}`)
			}},
		{"a thread that is invitable by a word", 400, 50035, "invitable", "BOOLEAN_TYPE_CONVERT",
			func(s *stage) reply {
				return s.do("POST", "/channels/"+s.general+"/threads", `{"name":"talk","invitable":"maybe"}`)
			},
			func(s *stage) reply {
				return s.do("POST", "/channels/"+s.general+"/threads", `{"name":"talk","invitable":false}`)
			}},
		{"a message in a private thread of others", 403, 50001, "", "",
			func(s *stage) reply {
				return s.do("POST", "/channels/"+s.secret(true, "alice", "bob")+"/messages", `{"content":"x"}`)
			},
			func(s *stage) reply {
				return s.do("POST", "/channels/"+s.secret(true, "alice", "tictactoe")+"/messages", `{"content":"x"}`)
			}},
		{"joining a private thread of others", 403, 50001, "", "",
			func(s *stage) reply {
				return s.do("PUT", "/channels/"+s.secret(true, "alice", "bob")+"/thread-members/@me", "")
			},
			func(s *stage) reply {
				manage(s)
				return s.do("PUT", "/channels/"+s.secret(true, "alice", "bob")+"/thread-members/@me", "")
			}},
		{"somebody added where only moderators add others", 403, 50013, "", "",
			func(s *stage) reply {
				return s.do("PUT", "/channels/"+s.secret(false, "bob", "tictactoe")+"/thread-members/"+s.User("carol").ID(), "")
			},
			func(s *stage) reply {
				return s.do("PUT", "/channels/"+s.secret(true, "bob", "tictactoe")+"/thread-members/"+s.User("carol").ID(), "")
			}},
		{"somebody removed from the private thread of another", 403, 50013, "", "",
			func(s *stage) reply {
				return s.do("DELETE", "/channels/"+s.secret(true, "bob", "tictactoe")+"/thread-members/"+s.User("bob").ID(), "")
			},
			func(s *stage) reply {
				return s.do("DELETE", "/channels/"+s.secret(true, "tictactoe", "bob")+"/thread-members/"+s.User("bob").ID(), "")
			}},
		{"the archived private threads without MANAGE_THREADS", 403, 50013, "", "",
			func(s *stage) reply { return s.do("GET", "/channels/"+s.general+"/threads/archived/private", "") },
			func(s *stage) reply {
				manage(s)
				return s.do("GET", "/channels/"+s.general+"/threads/archived/private", "")
			}},
		{"the joined private threads before a word", 400, 50035, "before", "NUMBER_TYPE_COERCE",
			func(s *stage) reply {
				return s.do("GET", "/channels/"+s.general+"/users/@me/threads/archived/private?before=x", "")
			},
			func(s *stage) reply {
				return s.do("GET", "/channels/"+s.general+"/users/@me/threads/archived/private?before=1", "")
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
	if _, err := w.User("alice").Write("talk", "hi"); err != nil { // alice owns the server
		t.Errorf("the owner got %v", err)
	}
}

// forum creates a forum with the tags bug and, for moderators, done, and returns the ids of the forum and the tags.
func (w *world) forum(more string) (id string, tags map[string]string) {
	w.t.Helper()
	w.rest("GET", "/users/@me", "")
	made := w.change("POST", "channels", `{"name":"help","type":15,"tags":[{"name":"bug","emoji":"🐛"},{"name":"done","moderated":true}]`+more+`}`)
	tags = map[string]string{}
	for _, tag := range made["available_tags"].([]any) {
		tags[tag.(map[string]any)["name"].(string)] = tag.(map[string]any)["id"].(string)
	}
	return made["id"].(string), tags
}

func TestForums(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	config := discordsim.Config{State: file, NoRateLimits: true, MaxConcurrency: 16, PrivilegedIntents: true}
	w := newWorld(t, config)
	forum, tags := w.forum(`,"default_reaction":"👍"`)
	if status, ch := w.rest("GET", "/channels/"+forum, ""); status != 200 || ch["type"] != 15.0 || ch["flags"] != 0.0 || ch["last_message_id"] != nil ||
		cmp.Diff(map[string]any{"emoji_id": nil, "emoji_name": "👍"}, ch["default_reaction_emoji"]) != "" ||
		cmp.Diff(map[string]any{"id": tags["bug"], "name": "bug", "moderated": false, "emoji_id": nil, "emoji_name": "🐛"}, ch["available_tags"].([]any)[0]) != "" {
		t.Fatalf("the forum is %d %v", status, ch)
	}
	g := w.identifyWith(1 | 1<<9)
	status, post := w.rest("POST", "/channels/"+forum+"/threads", `{"name":"It broke","applied_tags":["`+tags["bug"]+`"],"message":{"content":"see"}}`)
	id, _ := post["id"].(string)
	first, _ := post["message"].(map[string]any)
	if status != http.StatusCreated || post["type"] != 11.0 || post["parent_id"] != forum || post["owner_id"] != botID || post["message_count"] != 0.0 ||
		cmp.Diff([]any{tags["bug"]}, post["applied_tags"]) != "" || first["id"] != id || first["channel_id"] != id || first["content"] != "see" || first["thread"] != nil {
		t.Fatalf("the post is %d %v", status, post)
	}
	if d := g.expect(0, "THREAD_CREATE").D; d["id"] != id || d["newly_created"] != true || d["message_count"] != 0.0 {
		t.Errorf("the event is %v", d)
	}
	if d := g.expect(0, "MESSAGE_CREATE").D; d["id"] != id || d["type"] != 0.0 {
		t.Errorf("the first message is %v", d)
	}
	m := w.change("POST", "message", `{"as":"bob","channel":"help","title":"And mine","tags":["bug"],"content":"too"}`)
	if d := g.expect(0, "THREAD_CREATE").D; d["id"] != m["id"] || d["owner_id"] != w.User("bob").ID() || d["name"] != "And mine" {
		t.Errorf("bob's post is %v", d)
	}
	if d := g.expect(0, "MESSAGE_CREATE").D; d["id"] != m["channel_id"] || d["author"].(map[string]any)["username"] != "bob" {
		t.Errorf("bob's message is %v", d)
	}
	w.rest("POST", "/channels/"+m["id"].(string)+"/messages", `{"content":"same here"}`)
	g.expect(0, "THREAD_MEMBERS_UPDATE")
	g.expect(0, "MESSAGE_CREATE")
	w.mayInGeneral(discordsim.ManageThreads | discordsim.ManageChannels)
	if status, ch := w.rest("PATCH", "/channels/"+id, `{"flags":2,"applied_tags":["`+tags["done"]+`"]}`); status != 200 || ch["flags"] != 2.0 || cmp.Diff([]any{tags["done"]}, ch["applied_tags"]) != "" {
		t.Errorf("the pinned post is %d %v", status, ch)
	}
	status, changed := w.rest("PATCH", "/channels/"+forum, `{"flags":16,"default_reaction_emoji":null,"available_tags":[{"name":"bug"},{"id":"`+tags["done"]+`","name":"fixed"},{"name":"new"}]}`)
	list, _ := changed["available_tags"].([]any)
	if status != 200 || changed["flags"] != 16.0 || changed["default_reaction_emoji"] != nil || changed["last_message_id"] != m["id"] || len(list) != 3 ||
		list[0].(map[string]any)["id"] != tags["bug"] || list[1].(map[string]any)["name"] != "fixed" || list[2].(map[string]any)["id"] == "" {
		t.Errorf("the changed forum is %d %v", status, changed)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = newWorld(t, config)
	if _, ch := w.rest("GET", "/channels/"+m["id"].(string), ""); ch["message_count"] != 1.0 || cmp.Diff([]any{tags["bug"]}, ch["applied_tags"]) != "" {
		t.Errorf("after a restart bob's post is %v", ch)
	}
	if _, ch := w.rest("GET", "/channels/"+forum, ""); ch["flags"] != 16.0 || len(ch["available_tags"].([]any)) != 3 {
		t.Errorf("after a restart the forum is %v", ch)
	}
	if _, active := w.rest("GET", "/guilds/"+w.guild()+"/threads/active", ""); len(active["threads"].([]any)) != 2 {
		t.Errorf("the active posts are %v", active)
	}
	w.change("PATCH", "channels/And%20mine", `{"applied_tags":["new"],"pinned":true}`)
	w.change("PATCH", "channels/help", `{"tags":[{"name":"new"}],"require_tag":false,"default_reaction":"🎉"}`)
	if _, ch := w.rest("GET", "/channels/"+forum, ""); ch["flags"] != 0.0 || cmp.Diff(list[2].(map[string]any)["id"], ch["available_tags"].([]any)[0].(map[string]any)["id"]) != "" {
		t.Errorf("the forum is then %v", ch)
	}
}

func TestPeopleInForums(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true})
	w.forum(`,"require_tag":true`)
	w.register(pingCommand)
	for call, want := range map[string]string{
		`message {"as":"bob","channel":"help","content":"x"}`:                             "title",
		`message {"as":"bob","channel":"help","content":"x","title":"T"}`:                 "tag is required",
		`message {"as":"bob","channel":"help","content":"x","title":"T","tags":["done"]}`: "Missing Permissions",
		`message {"as":"bob","channel":"help","content":"x","title":"T","tags":["odd"]}`:  "no tag",
		`message {"as":"bob","channel":"help","content":"x","title":" ","tags":["bug"]}`:  "1 to 100",
		`message {"as":"bob","channel":"general","content":"x","title":"T"}`:              "title",
		`command {"as":"bob","channel":"help","name":"ping"}`:                             "no messages",
		`channels {"name":"c","type":0,"tags":[]}`:                                        "only a forum",
		`channels {"name":"c","type":11,"parent":"help"}`:                                 "makes a post",
		`channels {"name":"c","type":15,"tags":[{"name":"a"},{"name":"a"}]}`:              "twice",
		`channels {"name":"c","type":15,"tags":[{"name":"a","emoji":"smile"}]}`:           "Unicode",
		`channels {"name":"c","type":15,"tags":[{"name":"twenty-one characters"}]}`:       "1 to 20",
	} {
		path, body, _ := strings.Cut(call, " ")
		status, answer := w.call("POST", path, body)
		if says, _ := answer["error"].(string); status == 200 || !strings.Contains(says, want) {
			t.Errorf("%s got %d %v, want %s", call, status, answer, want)
		}
	}
	w.change("PATCH", "channels/help", `{"rate_limit_per_user":60}`)
	w.change("POST", "message", `{"as":"bob","channel":"help","content":"x","title":"T","tags":["bug"]}`)
	if status, answer := w.call("POST", "message", `{"as":"bob","channel":"help","content":"x","title":"T2","tags":["bug"]}`); status == 200 {
		t.Errorf("a second post in slow mode got %v", answer)
	}
	if err := w.Advance(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	w.change("POST", "message", `{"as":"bob","channel":"help","content":"x","title":"T2","tags":["bug"]}`)
	if _, err := w.User("carol").Write("T2", "hi"); err != nil {
		t.Error(err)
	}
}

func TestForumRefusals(t *testing.T) {
	type room struct{ path, bug, done string }
	in := func(s *stage, needsTag bool) room {
		id, err := s.AddChannel(discordsim.Room{Name: "help", Type: 15, ForumSpec: discordsim.ForumSpec{
			Tags: []discordsim.TagSpec{{Name: "bug"}, {Name: "done", Moderated: true}}, RequireTag: needsTag,
		}})
		s.must(err)
		var forum struct {
			Tags []struct{ ID string } `json:"available_tags"`
		}
		s.must(json.Unmarshal([]byte(s.do("GET", "/channels/"+id, "").text), &forum))
		return room{"/channels/" + id, forum.Tags[0].ID, forum.Tags[1].ID}
	}
	post := func(needsTag bool, members string) func(*stage) reply {
		return func(s *stage) reply {
			r := in(s, needsTag)
			members := strings.NewReplacer("BUG", r.bug, "DONE", r.done).Replace(members)
			return s.do("POST", r.path+"/threads", `{"name":"talk","message":{"content":"x"}`+members+`}`)
		}
	}
	bare := func(body string) func(*stage) reply {
		return func(s *stage) reply { return s.do("POST", in(s, false).path+"/threads", body) }
	}
	good := post(false, "")
	edit := func(may discordsim.Permission, body string) func(*stage) reply {
		return func(s *stage) reply {
			r := in(s, false)
			s.managing(may)
			return s.do("PATCH", r.path, strings.ReplaceAll(body, "BUG", r.bug))
		}
	}
	pin := func(may discordsim.Permission, times int) func(*stage) reply {
		return func(s *stage) (last reply) {
			r := in(s, false)
			s.managing(may)
			for range times {
				var made struct{ ID string }
				s.must(json.Unmarshal([]byte(s.do("POST", r.path+"/threads", `{"name":"talk","message":{"content":"x"}}`).text), &made))
				last = s.do("PATCH", "/channels/"+made.ID, `{"flags":2}`)
			}
			return last
		}
	}
	hook := func(query, body string) func(*stage) reply {
		return func(s *stage) reply {
			r := in(s, false)
			s.managing(discordsim.ManageWebhooks)
			var made, begun struct{ ID, Token string }
			s.must(json.Unmarshal([]byte(s.do("POST", r.path+"/webhooks", `{"name":"hook"}`).text), &made))
			s.must(json.Unmarshal([]byte(s.do("POST", r.path+"/threads", `{"name":"talk","message":{"content":"x"}}`).text), &begun))
			return s.do("POST", "/webhooks/"+made.ID+"/"+made.Token+"?wait=true"+strings.ReplaceAll(query, "POST", begun.ID), strings.ReplaceAll(body, "BUG", r.bug))
		}
	}
	const manage = discordsim.ManageChannels
	tell(t, []twins{
		{"a message in a forum itself", 400, 50008, "", "",
			func(s *stage) reply { return s.do("POST", in(s, false).path+"/messages", `{"content":"x"}`) }, good},
		{"a post without a message", 400, 50035, "message", "BASE_TYPE_REQUIRED", bare(`{"name":"talk"}`), good},
		{"a post without a name", 400, 50035, "name", "BASE_TYPE_REQUIRED", bare(`{"message":{"content":"x"}}`), good},
		{"a post with nothing in its message", 400, 50006, "", "", bare(`{"name":"talk","message":{}}`), good},
		{"a post with a long text", 400, 50035, "message.content", "BASE_TYPE_MAX_LENGTH",
			bare(`{"name":"talk","message":{"content":"` + strings.Repeat("x", 2001) + `"}}`), good},
		{"a post without SEND_MESSAGES", 403, 50013, "", "",
			func(s *stage) reply {
				r := in(s, false)
				s.must(s.SetOverwrite("help", "tictactoe", 0, discordsim.SendMessages))
				return s.do("POST", r.path+"/threads", `{"name":"talk","message":{"content":"x"}}`)
			},
			func(s *stage) reply {
				r := in(s, false)
				s.must(s.SetOverwrite("help", "tictactoe", 0, discordsim.CreatePublicThreads)) // this permission has no effect in a forum
				return s.do("POST", r.path+"/threads", `{"name":"talk","message":{"content":"x"}}`)
			}},
		{"a post without the tag that it needs", 400, 40067, "", "", post(true, ""), post(true, `,"applied_tags":["BUG"]`)},
		{"a post where only moderators have tags", 400, 40066, "", "",
			func(s *stage) reply {
				r := in(s, true)
				s.must(s.ChangeChannel("help", discordsim.RoomChange{ForumChange: discordsim.ForumChange{Tags: &[]discordsim.TagSpec{{Name: "done", Moderated: true}}}}))
				return s.do("POST", r.path+"/threads", `{"name":"talk","message":{"content":"x"}}`)
			}, good},
		{"a post with a tag of moderators", 403, 50013, "", "", post(false, `,"applied_tags":["DONE"]`),
			func(s *stage) reply {
				s.managing(discordsim.ManageThreads)
				return post(false, `,"applied_tags":["DONE"]`)(s)
			}},
		{"a post with a tag that is not there", 404, 10087, "", "", post(false, `,"applied_tags":["123"]`), post(false, `,"applied_tags":["BUG"]`)},
		{"a post with six tags", 400, 50035, "applied_tags", "BASE_TYPE_MAX_LENGTH", post(false, `,"applied_tags":["1","2","3","4","5","6"]`), post(false, `,"applied_tags":["BUG","BUG"]`)},
		{"a thread at a post's first message", 400, 50024, "", "",
			func(s *stage) reply {
				var made struct{ ID string }
				s.must(json.Unmarshal([]byte(good(s).text), &made))
				return s.do("POST", "/channels/"+made.ID+"/messages/"+made.ID+"/threads", `{"name":"talk"}`)
			}, good},
		{"a post pinned without MANAGE_THREADS", 403, 50013, "", "", pin(0, 1), pin(discordsim.ManageThreads, 1)},
		{"a second pinned post", 400, 30047, "", "", pin(discordsim.ManageThreads, 2), pin(discordsim.ManageThreads, 1)},
		{"a forum changed without MANAGE_CHANNELS", 403, 50013, "", "", edit(0, `{"name":"x"}`), edit(manage, `{"name":"x"}`)},
		{"a forum with two tags of one name", 400, 40061, "", "", edit(manage, `{"available_tags":[{"name":"a"},{"name":"a"}]}`), edit(manage, `{"available_tags":[{"name":"a"},{"name":"b"}]}`)},
		{"a forum with an unknown tag changed", 404, 10087, "", "", edit(manage, `{"available_tags":[{"id":"123","name":"a"}]}`), edit(manage, `{"available_tags":[{"id":"BUG","name":"a"}]}`)},
		{"a forum with an emoji of a server", 404, 10014, "", "", edit(manage, `{"default_reaction_emoji":{"emoji_id":"123"}}`), edit(manage, `{"default_reaction_emoji":{"emoji_name":"🎉"}}`)},
		{"a forum made a text channel, which is not simulated", 501, 501, "", "", edit(manage, `{"type":0}`), edit(manage, `{"rate_limit_per_user":1}`)},
		{"a forum in a category that is none", 400, 50035, "parent_id", "CHANNEL_PARENT_INVALID", edit(manage, `{"parent_id":"123"}`), edit(manage, `{"parent_id":null,"position":3,"topic":"Ask"}`)},
		{"an overwrite of a permission that the bot lacks", 403, 50013, "", "", edit(manage|discordsim.ManageRoles, `{"permission_overwrites":[{"id":"123","type":1,"allow":"8","deny":0}]}`), edit(manage|discordsim.ManageRoles, `{"permission_overwrites":[{"id":"123","type":1,"allow":"2048","deny":0}]}`)},
		{"an overwrite without MANAGE_ROLES", 403, 50013, "", "", edit(manage, `{"permission_overwrites":[{"id":"123","type":1,"allow":"2048"}]}`), edit(manage, `{"permission_overwrites":[]}`)},
		{"a topic of two thousand characters, outside forums", 400, 50035, "topic", "BASE_TYPE_MAX_LENGTH",
			func(s *stage) reply {
				s.managing(manage)
				return s.do("POST", "/guilds/"+s.server()+"/channels", `{"name":"x","topic":"`+strings.Repeat("x", 2000)+`"}`)
			}, edit(manage, `{"topic":"`+strings.Repeat("x", 2000)+`"}`)},
		{"a webhook's message in a forum itself", 400, 220001, "", "", hook("", `{"content":"x"}`), hook("", `{"content":"x","thread_name":"talk","applied_tags":["BUG"]}`)},
		{"a webhook's post in a post", 400, 220002, "", "", hook("&thread_id=POST", `{"content":"x","thread_name":"talk"}`), hook("&thread_id=POST", `{"content":"x"}`)},
	})
}

// TestChannelsOfBots tests the channels that a bot creates, changes and deletes, such as the channels of a ticket
// system.
func TestChannelsOfBots(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	w.rest("GET", "/users/@me", "")
	may := discordsim.ManageChannels | discordsim.ManageRoles | discordsim.ManageThreads
	if err := w.SetMember("", "tictactoe", discordsim.Membership{Permissions: may}); err != nil {
		t.Fatal(err)
	}
	create := func(body string) map[string]any {
		t.Helper()
		status, ch := w.rest("POST", "/guilds/"+w.guild()+"/channels", body)
		if status != http.StatusCreated {
			t.Fatalf("POST %s got %d %v", body, status, ch)
		}
		return ch
	}
	desk := create(`{"name":"Desk","type":4}`)["id"].(string)
	ticket := create(`{"name":"ticket-1","parent_id":"` + desk + `","topic":"Alice needs help","permission_overwrites":[{"id":"` + w.guild() + `","type":0,"deny":"1024"},{"id":"` +
		w.User("alice").ID() + `","type":1,"allow":1024}]}`)
	path := "/channels/" + ticket["id"].(string)
	if ticket["parent_id"] != desk || ticket["topic"] != "Alice needs help" || ticket["type"] != 0.0 {
		t.Errorf("the ticket is %v", ticket)
	}
	if _, err := w.User("alice").Write("ticket-1", "hello"); err != nil {
		t.Error("alice, who may see the ticket, cannot write:", err)
	}
	if _, err := w.User("bob").Write("ticket-1", "hello"); err == nil {
		t.Error("bob sees the ticket")
	}
	if status, text := w.rest("PUT", path+"/permissions/"+botID, `{"type":1,"allow":"1024"}`); status != http.StatusForbidden {
		t.Errorf("a bot that does not see the ticket changes it: %d %v", status, text)
	}
	if err := w.SetOverwrite("ticket-1", "tictactoe", discordsim.ViewChannel|may, 0); err != nil {
		t.Fatal(err)
	}
	if status, text := w.rest("PUT", path+"/permissions/"+w.User("bob").ID(), `{"type":1,"allow":"1024","deny":0}`); status != http.StatusNoContent {
		t.Errorf("an overwrite for bob gets %d %v", status, text)
	}
	if _, err := w.User("bob").Write("ticket-1", "hello"); err != nil {
		t.Error("bob, who may see the ticket now, cannot write:", err)
	}
	for range 2 {
		if status, body := w.rest("DELETE", path+"/permissions/"+w.User("bob").ID(), ""); status != http.StatusNoContent && body["code"] != 10009.0 {
			t.Errorf("bob's overwrite is taken away: %d %v", status, body)
		}
	}
	if status, ch := w.rest("PATCH", path, `{"topic":null,"parent_id":null,"rate_limit_per_user":5,"position":0}`); status != 200 || ch["topic"] != nil || ch["parent_id"] != nil || ch["rate_limit_per_user"] != 5.0 {
		t.Errorf("the changed ticket is %d %v", status, ch)
	}
	if status, _ := w.rest("DELETE", path, ""); status != 200 {
		t.Errorf("deleting the ticket gets %d", status)
	}
	if status, body := w.rest("GET", path, ""); status != 404 || body["code"] != 10003.0 {
		t.Errorf("the deleted ticket is %d %v", status, body)
	}

	media := create(`{"name":"art","type":16,"default_auto_archive_duration":60,"default_thread_rate_limit_per_user":7,"default_sort_order":1,"default_tag_setting":"match_some","available_tags":[{"name":"ink"}]}`)
	at := "/channels/" + media["id"].(string)
	if _, layout := media["default_forum_layout"]; media["type"] != 16.0 || media["default_sort_order"] != 1.0 || media["default_tag_setting"] != "match_some" || layout {
		t.Errorf("the media channel is %v", media)
	}
	if _, changed := w.rest("PATCH", at, `{"flags":32784}`); changed["flags"] != 32784.0 || changed["default_auto_archive_duration"] != 60.0 {
		t.Errorf("the changed media channel is %v", changed)
	}
	if _, err := w.User("alice").Send("art", discordsim.Note{Content: "look", Title: "A board", Tags: []string{"ink"}}); err != nil {
		t.Error(err)
	}
	tag := media["available_tags"].([]any)[0].(map[string]any)["id"].(string)
	status, post := w.rest("POST", at+"/threads", `{"name":"Another","applied_tags":["`+tag+`"],"message":{"content":"see"}}`)
	if archive := post["thread_metadata"]; status != http.StatusCreated || post["rate_limit_per_user"] != 7.0 || archive.(map[string]any)["auto_archive_duration"] != 60.0 {
		t.Errorf("the bot's post is %d %v", status, post)
	}
	if status, body := w.rest("POST", at+"/messages", `{"content":"x"}`); status != 400 || body["code"] != 50008.0 {
		t.Errorf("a message in the media channel itself gets %d %v", status, body)
	}
	if status, _ := w.rest("POST", "/guilds/"+w.guild()+"/channels", `{"name":"hub","type":14}`); status != http.StatusNotImplemented {
		t.Errorf("a directory gets %d", status)
	}
}
