package discordsim_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

// identifyWith begins a session with these intents, and reads the events for its servers.
func (w *world) identifyWith(intents int) *gateway {
	w.t.Helper()
	g := w.dial("")
	g.expect(10, "")
	g.send(fmt.Sprintf(`{"op":2,"d":{"token":%q,"intents":%d,"properties":{}}}`, token, intents))
	g.expect(0, "READY")
	if intents&1 != 0 {
		g.expect(0, "GUILD_CREATE")
	}
	return g
}

func TestReactionsAreSeenByWhoSeesTheMessage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	w := newWorld(t, discordsim.Config{State: file, NoRateLimits: true, MaxConcurrency: 16})
	channel, server := w.channelOfBot(), w.guild()
	_, m := w.rest("POST", "/channels/"+channel+"/messages", `{"content":"vote"}`)
	id := m["id"].(string)
	path := "/channels/" + channel + "/messages/" + id
	own := w.emoji("b2_x", gifBytes(2))
	g := w.identifyWith(1<<10 | 1<<13)

	if err := w.User("alice").React(id, "👍", false); err != nil {
		t.Fatal(err)
	}
	alice := w.User("alice").ID()
	added := g.expect(0, "MESSAGE_REACTION_ADD").D
	if added["member"].(map[string]any)["user"].(map[string]any)["id"] != alice {
		t.Errorf("the member is %v", added["member"])
	}
	delete(added, "member")
	thumb := map[string]any{"id": nil, "name": "👍"}
	if diff := cmp.Diff(map[string]any{
		"user_id": alice, "channel_id": channel, "message_id": id, "guild_id": server, "message_author_id": botID,
		"emoji": thumb, "burst": false, "type": 0.0,
	}, added); diff != "" {
		t.Errorf("the event differs:\n%s", diff)
	}
	react := func(method, rest string) {
		t.Helper()
		status, text, _ := w.raw(method, path+"/reactions"+rest, "", "Bot "+token)
		if status != http.StatusNoContent || text != "" {
			t.Fatalf("%s %s got %d %s", method, rest, status, text)
		}
	}
	react("PUT", "/"+url.PathEscape("👍")+"/@me")
	g.expect(0, "MESSAGE_REACTION_ADD")
	react("PUT", "/"+url.PathEscape("👍")+"/@me") // reacting again changes nothing
	react("PUT", "/b2_x:"+own+"/@me")
	if e := g.expect(0, "MESSAGE_REACTION_ADD").D["emoji"]; cmp.Diff(map[string]any{"id": own, "name": "b2_x", "animated": true}, e) != "" {
		t.Errorf("the bot's own emoji comes as %v", e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = newWorld(t, discordsim.Config{State: file, NoRateLimits: true, MaxConcurrency: 16})
	list := func(of string) any {
		_, text, _ := w.raw("GET", path, "", "Bot "+token)
		if of != "" {
			messages, err := w.User(of).Messages("general")
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range messages {
				if m.ID == id {
					said, _ := json.Marshal(m)
					text = string(said)
				}
			}
		}
		var m map[string]any
		json.Unmarshal([]byte(text), &m)
		return m["reactions"]
	}
	shown := func(emoji any, n int, me bool) any {
		return map[string]any{
			"emoji": emoji, "count": float64(n), "count_details": map[string]any{"burst": 0.0, "normal": float64(n)},
			"me": me, "me_burst": false, "burst_colors": []any{},
		}
	}
	cross := map[string]any{"id": own, "name": "b2_x", "animated": true}
	for viewer, want := range map[string][]any{
		"":      {shown(thumb, 2, true), shown(cross, 1, true)},
		"alice": {shown(thumb, 2, true), shown(cross, 1, false)},
		"bob":   {shown(thumb, 2, false), shown(cross, 1, false)},
	} {
		if diff := cmp.Diff(any(want), list(viewer)); diff != "" {
			t.Errorf("%q sees other reactions after a restart:\n%s", viewer, diff)
		}
	}
	_, text, _ := w.raw("GET", path+"/reactions/"+url.PathEscape("👍")+"?limit=1&after="+alice, "", "Bot "+token)
	var users []struct{ ID string }
	if json.Unmarshal([]byte(text), &users); len(users) != 1 || users[0].ID != botID {
		t.Errorf("behind the thumb are %s", text)
	}

	g = w.identifyWith(1 << 10)
	if err := w.User("bob").React(id, "b2_x:"+own, false); err != nil {
		t.Errorf("joining got %v", err)
	}
	g.expect(0, "MESSAGE_REACTION_ADD")
	react("DELETE", "/"+url.PathEscape("👍")+"/@me")
	if d := g.expect(0, "MESSAGE_REACTION_REMOVE").D; d["user_id"] != botID || d["message_author_id"] != nil {
		t.Errorf("the removal is %v", d)
	}
	if err := w.SetMember("Playground", "tictactoe", discordsim.Membership{Permissions: discordsim.ManageMessages}); err != nil {
		t.Fatal(err)
	}
	react("DELETE", "/"+url.PathEscape("👍")+"/"+alice)
	if d := g.expect(0, "MESSAGE_REACTION_REMOVE").D; d["user_id"] != alice {
		t.Errorf("the removal is %v", d)
	}
	if err := w.User("alice").React(id, "🎉", false); err != nil {
		t.Fatal(err)
	}
	g.expect(0, "MESSAGE_REACTION_ADD")
	react("DELETE", "/b2_x:"+own)
	if d := g.expect(0, "MESSAGE_REACTION_REMOVE_EMOJI").D; cmp.Diff(map[string]any{"channel_id": channel, "message_id": id, "guild_id": server, "emoji": cross, "burst": false, "type": 0.0}, d) != "" {
		t.Errorf("the removal is %v", d)
	}
	react("DELETE", "")
	if d := g.expect(0, "MESSAGE_REACTION_REMOVE_ALL").D; cmp.Diff(map[string]any{"channel_id": channel, "message_id": id, "guild_id": server}, d) != "" {
		t.Errorf("the removal is %v", d)
	}
	if left := list(""); left != nil {
		t.Errorf("left are %v", left)
	}
}

func TestReactionsReachBotsByIntentAndSight(t *testing.T) {
	w := newWorld(t, discordsim.Config{MaxConcurrency: 16, NoRateLimits: true})
	w.rest("GET", "/users/@me", "")
	said, err := w.User("alice").Write("general", "hi")
	if err != nil {
		t.Fatal(err)
	}
	direct, err := w.User("alice").Write("@tictactoe", "hi")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		intents int
		message string
	}{{"a server", 1 << 10, said.ID}, {"direct messages", 1 << 13, direct.ID}} {
		t.Run(c.name, func(t *testing.T) {
			g := w.identifyWith(c.intents)
			other := said.ID
			if c.message == said.ID {
				other = direct.ID
			}
			for _, m := range []string{other, c.message} {
				if err := w.User("alice").React(m, "👍", false); err != nil {
					t.Fatal(err)
				}
			}
			if d := g.expect(0, "MESSAGE_REACTION_ADD").D; d["message_id"] != c.message {
				t.Errorf("heard of %v", d)
			}
			for _, m := range []string{other, c.message} {
				if err := w.User("alice").React(m, "👍", true); err != nil {
					t.Fatal(err)
				}
			}
			g.expect(0, "MESSAGE_REACTION_REMOVE")
		})
	}
}

// reactOn makes the bot react to one of its messages.
func (s *stage) reactOn(emoji string) reply {
	s.t.Helper()
	return s.do("PUT", s.sent(`{"content":"vote"}`)+"/reactions/"+url.PathEscape(emoji)+"/@me", "")
}

// flood makes the bot react to one message with n different emoji.
func (s *stage) flood(n int) (last reply) {
	path := s.sent(`{"content":"vote"}`)
	for i := range n {
		time.Sleep(300 * time.Millisecond)
		last = s.do("PUT", path+"/reactions/"+url.PathEscape(string(rune(0x1F600+i)))+"/@me", "")
	}
	return last
}

func TestReactionRefusals(t *testing.T) {
	thumb := url.PathEscape("👍")
	of := func(s *stage, who, emoji string) string {
		path := s.sent(`{"content":"vote"}`)
		s.must(s.User(who).React(path[len(path)-len("1100000000000000001"):], emoji, false))
		return path + "/reactions/"
	}
	manage := func(s *stage) {
		s.must(s.SetMember("Playground", "tictactoe", discordsim.Membership{Permissions: discordsim.ManageMessages}))
	}
	tell(t, []twins{
		{"a reaction with a word", 400, 10014, "", "",
			func(s *stage) reply { return s.reactOn("thumb") }, func(s *stage) reply { return s.reactOn("👍") }},
		{"a reaction with an emoji that the application has not", 400, 10014, "", "",
			func(s *stage) reply { return s.reactOn("b2_x:123") },
			func(s *stage) reply {
				e := s.uploaded("b2_x")
				return s.reactOn("b2_x:" + e[len(appEmojis)+1:])
			}},
		{"a 21st emoji under a message", 400, 30010, "", "",
			func(s *stage) reply { return s.flood(21) }, func(s *stage) reply { return s.flood(20) }},
		{"a new emoji without ADD_REACTIONS", 403, 50013, "", "",
			func(s *stage) reply { s.deny("tictactoe", discordsim.AddReactions); return s.reactOn("👍") },
			func(s *stage) reply {
				path := of(s, "alice", "👍")
				s.deny("tictactoe", discordsim.AddReactions)
				return s.do("PUT", path+thumb+"/@me", "")
			}},
		{"a reaction without READ_MESSAGE_HISTORY", 403, 50013, "", "",
			func(s *stage) reply { s.deny("tictactoe", discordsim.ReadMessageHistory); return s.reactOn("👍") },
			func(s *stage) reply { return s.reactOn("👍") }},
		{"a reaction of another, without MANAGE_MESSAGES", 403, 50013, "", "",
			func(s *stage) reply {
				return s.do("DELETE", of(s, "alice", "👍")+thumb+"/"+s.User("alice").ID(), "")
			},
			func(s *stage) reply {
				manage(s)
				return s.do("DELETE", of(s, "alice", "👍")+thumb+"/"+s.User("alice").ID(), "")
			}},
		{"all reactions, without MANAGE_MESSAGES", 403, 50013, "", "",
			func(s *stage) reply { p := of(s, "alice", "👍"); return s.do("DELETE", p[:len(p)-1], "") },
			func(s *stage) reply { manage(s); p := of(s, "alice", "👍"); return s.do("DELETE", p[:len(p)-1], "") }},
		{"an emoji that is not there taken away", 404, 10014, "", "",
			func(s *stage) reply { return s.do("DELETE", of(s, "alice", "🎉")+thumb+"/@me", "") },
			func(s *stage) reply {
				path := of(s, "alice", "👍")
				s.do("PUT", path+thumb+"/@me", "")
				time.Sleep(time.Second)
				return s.do("DELETE", path+thumb+"/@me", "")
			}},
		{"a reaction in an archived thread", 400, 50083, "", "",
			func(s *stage) reply {
				thread, m := s.inThread(true)
				return s.do("PUT", "/channels/"+thread+"/messages/"+m+"/reactions/"+thumb+"/@me", "")
			},
			func(s *stage) reply {
				thread, m := s.inThread(false)
				return s.do("PUT", "/channels/"+thread+"/messages/"+m+"/reactions/"+thumb+"/@me", "")
			}},
		{"all reactions of a direct message", 403, 50003, "", "",
			func(s *stage) reply {
				m, err := s.User("alice").Write("@tictactoe", "hi")
				s.must(err)
				return s.do("DELETE", "/channels/"+m.ChannelID+"/messages/"+m.ID+"/reactions", "")
			},
			func(s *stage) reply {
				m, err := s.User("alice").Write("@tictactoe", "hi")
				s.must(err)
				return s.do("PUT", "/channels/"+m.ChannelID+"/messages/"+m.ID+"/reactions/"+thumb+"/@me", "")
			}},
	})
}
