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

func (w *world) mayInGeneral(p discordsim.Permission) {
	w.t.Helper()
	w.rest("GET", "/users/@me", "")
	if err := w.SetMember("Playground", "tictactoe", discordsim.Membership{Permissions: p}); err != nil {
		w.t.Fatal(err)
	}
}

func TestPins(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	config := discordsim.Config{State: file, NoRateLimits: true, MaxConcurrency: 16}
	w := newWorld(t, config)
	w.mayInGeneral(discordsim.PinMessages)
	channel := w.channelOfBot()
	pins := "/channels/" + channel + "/messages/pins"
	var ids []string
	for i := range 3 {
		_, m := w.rest("POST", "/channels/"+channel+"/messages", fmt.Sprintf(`{"content":"rule %d"}`, i))
		ids = append(ids, m["id"].(string))
	}
	g := w.identifyWith(1 | 1<<9)
	pin := func(method, path string) {
		t.Helper()
		if status, text, _ := w.raw(method, path, "", "Bot "+token); status != http.StatusNoContent || text != "" {
			t.Fatalf("%s %s got %d %s", method, path, status, text)
		}
	}
	pin("PUT", pins+"/"+ids[0])
	if m := g.expect(0, "MESSAGE_UPDATE").D; m["id"] != ids[0] || m["pinned"] != true {
		t.Errorf("the update is %v", m)
	}
	if d := g.expect(0, "CHANNEL_PINS_UPDATE").D; d["channel_id"] != channel || d["guild_id"] == nil || d["last_pin_timestamp"] == nil {
		t.Errorf("the event is %v", d)
	}
	if m := g.expect(0, "MESSAGE_CREATE").D; m["type"] != 6.0 || m["message_reference"].(map[string]any)["message_id"] != ids[0] {
		t.Errorf("the channel says %v", m)
	}
	pin("PUT", pins+"/"+ids[0]) // pinning it again changes nothing
	pin("PUT", "/channels/"+channel+"/pins/"+ids[2])
	g.expect(0, "MESSAGE_UPDATE")
	g.expect(0, "CHANNEL_PINS_UPDATE")
	g.expect(0, "MESSAGE_CREATE")
	if err := w.User("alice").Pin(ids[1], false); err != nil { // alice owns the server
		t.Fatal(err)
	}
	if err := w.User("bob").Pin(ids[1], true); err == nil {
		t.Error("bob, who may not, took a pin off")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = newWorld(t, config)
	type page struct {
		Items []struct {
			At      string `json:"pinned_at"`
			Message struct{ ID string }
		}
		More bool `json:"has_more"`
	}
	list := func(query string) (p page, shown []string) {
		t.Helper()
		_, text, _ := w.raw("GET", pins+query, "", "Bot "+token)
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		for _, item := range p.Items {
			shown = append(shown, item.Message.ID)
		}
		return p, shown
	}
	all, shown := list("")
	if diff := cmp.Diff([]string{ids[1], ids[2], ids[0]}, shown); diff != "" || all.More {
		t.Errorf("after a restart the pins differ:\n%s", diff)
	}
	if first, shown := list("?limit=2"); !first.More || len(shown) != 2 {
		t.Errorf("a page of two is %v, more: %t", shown, first.More)
	}
	if _, shown := list("?before=" + strings.ReplaceAll(all.Items[0].At, "+", "%2B")); cmp.Diff([]string{ids[2], ids[0]}, shown) != "" {
		t.Errorf("before the newest are %v", shown)
	}
	_, text, _ := w.raw("GET", "/channels/"+channel+"/pins", "", "Bot "+token)
	var old []map[string]any
	if json.Unmarshal([]byte(text), &old); len(old) != 3 || old[0]["id"] != ids[1] {
		t.Errorf("the old list is %s", text)
	}
	if _, ch := w.rest("GET", "/channels/"+channel, ""); ch["last_pin_timestamp"] == nil {
		t.Errorf("the channel is %v", ch)
	}
	pin("DELETE", pins+"/"+ids[2])
	pin("DELETE", "/channels/"+channel+"/pins/"+ids[0])
	if _, shown = list(""); cmp.Diff([]string{ids[1]}, shown) != "" {
		t.Errorf("left are %v", shown)
	}
}

func TestManyMessagesAreDeletedAtOnce(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true})
	w.mayInGeneral(discordsim.ManageMessages)
	channel := w.channelOfBot()
	said, err := w.User("alice").Write("general", "hi")
	if err != nil {
		t.Fatal(err)
	}
	other, err := w.User("alice").Write("@tictactoe", "hi")
	if err != nil {
		t.Fatal(err)
	}
	_, m := w.rest("POST", "/channels/"+channel+"/messages", `{"content":"x"}`)
	g := w.identifyWith(1 << 9)
	status, text, _ := w.raw("POST", "/channels/"+channel+"/messages/bulk-delete",
		fmt.Sprintf(`{"messages":[%q,%q,%q]}`, said.ID, other.ID, m["id"]), "Bot "+token)
	if status != http.StatusNoContent || text != "" {
		t.Fatalf("got %d %s", status, text)
	}
	d := g.expect(0, "MESSAGE_DELETE_BULK").D
	if diff := cmp.Diff(map[string]any{"ids": []any{said.ID, m["id"]}, "channel_id": channel, "guild_id": w.guild()}, d); diff != "" {
		t.Errorf("the event differs:\n%s", diff)
	}
	if status, _ := w.rest("GET", "/channels/"+channel+"/messages/"+said.ID, ""); status != 404 {
		t.Errorf("the message is still there: %d", status)
	}
	if left, err := w.User("alice").Messages("@tictactoe"); err != nil || len(left) != 1 {
		t.Errorf("another channel has %v, %v", left, err)
	}
}

func TestPinAndBulkRefusals(t *testing.T) {
	may := func(s *stage, p discordsim.Permission) {
		s.must(s.SetMember("Playground", "tictactoe", discordsim.Membership{Permissions: p}))
	}
	pin := func(s *stage, message string) reply {
		id := message[strings.LastIndex(message, "/")+1:]
		return s.do("PUT", "/channels/"+s.general+"/messages/pins/"+id, "")
	}
	both := func(s *stage, more ...string) string {
		ids := append([]string{s.written("general"), s.written("general")}, more...)
		return `{"messages":["` + strings.Join(ids, `","`) + `"]}`
	}
	bulk := func(s *stage, body string) reply { return s.do("POST", s.messages()+"/bulk-delete", body) }
	tell(t, []twins{
		{"a pin without PIN_MESSAGES", 403, 50013, "", "",
			func(s *stage) reply { may(s, discordsim.ManageMessages); return pin(s, s.written("general")) },
			func(s *stage) reply { may(s, discordsim.PinMessages); return pin(s, s.written("general")) }},
		{"a pin of a message that is not there", 404, 10008, "", "",
			func(s *stage) reply { may(s, discordsim.PinMessages); return pin(s, "123") },
			func(s *stage) reply { may(s, discordsim.PinMessages); return pin(s, s.written("general")) }},
		{"a pin of what the channel says of a pin", 403, 50021, "", "",
			func(s *stage) reply {
				may(s, discordsim.PinMessages)
				pin(s, s.written("general"))
				all, err := s.User("alice").Messages("general")
				s.must(err)
				return pin(s, all[len(all)-1].ID)
			},
			func(s *stage) reply { may(s, discordsim.PinMessages); return pin(s, s.written("general")) }},
		{"a 251st pin", 400, 30003, "", "",
			func(s *stage) reply { return s.pinMany(251) }, func(s *stage) reply { return s.pinMany(250) }},
		{"a page of 51 pins", 400, 50035, "limit", "NUMBER_TYPE_MAX",
			func(s *stage) reply { return s.do("GET", s.messages()+"/pins?limit=51", "") },
			func(s *stage) reply { return s.do("GET", s.messages()+"/pins?limit=50", "") }},
		{"pins before no date", 400, 50035, "before", "DATE_TIME_TYPE_PARSE",
			func(s *stage) reply { return s.do("GET", s.messages()+"/pins?before=123", "") },
			func(s *stage) reply { return s.do("GET", s.messages()+"/pins?before=2026-01-01T00:00:00Z", "") }},
		{"many deleted without MANAGE_MESSAGES", 403, 50013, "", "",
			func(s *stage) reply { return bulk(s, both(s)) },
			func(s *stage) reply { may(s, discordsim.ManageMessages); return bulk(s, both(s)) }},
		{"one deleted as if it were many", 400, 50035, "messages", "BASE_TYPE_BAD_LENGTH",
			func(s *stage) reply {
				may(s, discordsim.ManageMessages)
				return bulk(s, `{"messages":["`+s.written("general")+`"]}`)
			},
			func(s *stage) reply { may(s, discordsim.ManageMessages); return bulk(s, both(s)) }},
		{"a message named twice to be deleted", 400, 50035, "messages", "SET_TYPE_ALREADY_CONTAINS_VALUE",
			func(s *stage) reply {
				may(s, discordsim.ManageMessages)
				id := s.written("general")
				return bulk(s, both(s, id, id))
			},
			func(s *stage) reply { may(s, discordsim.ManageMessages); return bulk(s, both(s, s.written("general"))) }},
		{"many deleted that are older than two weeks", 400, 50034, "", "",
			func(s *stage) reply {
				may(s, discordsim.ManageMessages)
				body := both(s)
				s.advance(14*24*time.Hour + time.Minute)
				return bulk(s, body)
			},
			func(s *stage) reply {
				may(s, discordsim.ManageMessages)
				body := both(s)
				s.advance(14*24*time.Hour - time.Minute)
				return bulk(s, body)
			}},
		{"many direct messages deleted", 403, 50003, "", "",
			func(s *stage) reply {
				m, err := s.User("alice").Write("@tictactoe", "hi")
				s.must(err)
				return s.do("POST", "/channels/"+m.ChannelID+"/messages/bulk-delete", fmt.Sprintf(`{"messages":[%q,"123"]}`, m.ID))
			},
			func(s *stage) reply { may(s, discordsim.ManageMessages); return bulk(s, both(s)) }},
	})
}

// pinMany pins n messages of alice.
func (s *stage) pinMany(n int) (last reply) {
	s.SetRateLimits(false)
	s.must(s.SetMember("Playground", "tictactoe", discordsim.Membership{Permissions: discordsim.PinMessages}))
	for range n {
		last = s.do("PUT", "/channels/"+s.general+"/messages/pins/"+s.written("general"), "")
	}
	return last
}
