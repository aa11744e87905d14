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

const intentMembers = 1 << 1

func TestABotMakesAndGivesRoles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	config := discordsim.Config{State: file, NoRateLimits: true, MaxConcurrency: 16, PrivilegedIntents: true}
	w := newWorld(t, config)
	w.mayInGeneral(discordsim.ManageRoles | discordsim.ManageMessages)
	roles, bob := "/guilds/"+w.guild()+"/roles", w.User("bob").ID()
	g := w.identifyWith(1 | intentMembers)
	status, made := w.rest("POST", roles, fmt.Sprintf(`{"name":"Referee","permissions":"%d","color":255,"mentionable":true}`, discordsim.ManageMessages))
	id, _ := made["id"].(string)
	if status != http.StatusOK || made["name"] != "Referee" || made["position"] != 1.0 || made["color"] != 255.0 || made["mentionable"] != true ||
		made["permissions"] != fmt.Sprint(uint64(discordsim.ManageMessages)) {
		t.Fatalf("the role is %d %v", status, made)
	}
	if d := g.expect(0, "GUILD_ROLE_CREATE").D; d["role"].(map[string]any)["id"] != id {
		t.Errorf("the event is %v", d)
	}
	if d := g.expect(0, "GUILD_ROLE_UPDATE").D; d["role"].(map[string]any)["position"] != 2.0 {
		t.Errorf("the bot's own role is not pushed up: %v", d)
	}
	may := func() bool {
		t.Helper()
		_, err := w.User("bob").Messages("general")
		ch := w.listed("bob", "channels", "name", "general")
		var p discordsim.Permission
		if e := p.UnmarshalText([]byte(ch["permissions"].(string))); e != nil || err != nil {
			t.Fatal(e, err)
		}
		return p.Has(discordsim.ManageMessages)
	}
	member := "/guilds/" + w.guild() + "/members/" + bob
	if status, _ := w.rest("PUT", member+"/roles/"+id, ""); status != http.StatusNoContent || !may() {
		t.Errorf("given the role (%d) bob may manage messages: %t", status, may())
	}
	if d := g.expect(0, "GUILD_MEMBER_UPDATE").D; cmp.Diff([]any{id}, d["roles"]) != "" {
		t.Errorf("the event is %v", d)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = newWorld(t, config)
	if !may() {
		t.Error("after a restart bob may no longer manage messages")
	}
	g = w.identifyWith(1 | intentMembers)
	if status, r := w.rest("PATCH", roles+"/"+id, `{"name":"Umpire","permissions":"0"}`); status != 200 || r["name"] != "Umpire" || may() {
		t.Errorf("changing it got %d %v; bob may manage messages: %t", status, r, may())
	}
	g.expect(0, "GUILD_ROLE_UPDATE")
	if status, m := w.rest("PATCH", member, `{"roles":[]}`); status != 200 || len(m["roles"].([]any)) != 0 {
		t.Errorf("taking all roles got %d %v", status, m)
	}
	g.expect(0, "GUILD_MEMBER_UPDATE")
	if status, r := w.rest("GET", roles+"/"+id, ""); status != 200 || r["name"] != "Umpire" {
		t.Errorf("the role is %d %v", status, r)
	}
	if status, _ := w.rest("DELETE", roles+"/"+id, ""); status != http.StatusNoContent {
		t.Errorf("deleting it got %d", status)
	}
	if d := g.expect(0, "GUILD_ROLE_DELETE").D; d["role_id"] != id {
		t.Errorf("the event is %v", d)
	}
}

func TestABotListsAndRenamesMembers(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true, MaxConcurrency: 16, PrivilegedIntents: true})
	w.mayInGeneral(discordsim.ManageNicknames)
	members := "/guilds/" + w.guild() + "/members"
	names := func(query string) (names []string) {
		t.Helper()
		status, text, _ := w.raw("GET", members+query, "", "Bot "+token)
		var list []struct{ User struct{ Username string } }
		if err := json.Unmarshal([]byte(text), &list); err != nil || status != 200 {
			t.Fatalf("%s got %d %s", query, status, text)
		}
		for _, m := range list {
			names = append(names, m.User.Username)
		}
		return names
	}
	g := w.identifyWith(intentMembers)
	bob := w.User("bob").ID()
	if status, m := w.rest("PATCH", members+"/"+bob, `{"nick":"Alibi"}`); status != 200 || m["nick"] != "Alibi" {
		t.Errorf("renaming bob got %d %v", status, m)
	}
	if d := g.expect(0, "GUILD_MEMBER_UPDATE").D; d["nick"] != "Alibi" {
		t.Errorf("the event is %v", d)
	}
	if status, m := w.rest("PATCH", members+"/@me", `{"nick":"Umpire"}`); status != 200 || m["nick"] != "Umpire" {
		t.Errorf("renaming itself got %d %v", status, m)
	}
	if status, m := w.rest("PATCH", members+"/@me", `{"nick":null}`); status != 200 || m["nick"] != nil {
		t.Errorf("taking its nick off got %d %v", status, m)
	}
	for query, want := range map[string][]string{
		"": {"alice"}, "?limit=2": {"alice", "bob"}, "?limit=9&after=" + bob: {"carol", "tictactoe"},
		"/search?query=AL&limit=9": {"alice", "bob"}, "/search?query=al": {"alice"}, "/search?query=zoe": nil,
	} {
		if diff := cmp.Diff(want, names(query)); diff != "" {
			t.Errorf("%q differs:\n%s", query, diff)
		}
	}
}

// role creates a role and returns its id.
func (s *stage) role(body string) (id string) {
	s.t.Helper()
	r := s.do("POST", "/guilds/"+s.server()+"/roles", body)
	var made struct{ ID string }
	if s.must(json.Unmarshal([]byte(r.text), &made)); r.status != http.StatusOK {
		s.t.Fatalf("making a role got %d %s", r.status, r.text)
	}
	return made.ID
}

// ofRank gives carol a role of her own, below the bot's role or above it, and returns the role's id.
// Each such role is above the older ones.
func (s *stage) ofRank(below bool, p discordsim.Permission) (id string) {
	s.t.Helper()
	if !below {
		s.managing(p)
	}
	s.must(s.SetMember("Playground", "carol", discordsim.Membership{Permissions: discordsim.ManageMessages}))
	s.managing(p)
	var m struct{ Roles []string }
	s.must(json.Unmarshal([]byte(s.do("GET", "/guilds/"+s.server()+"/members/"+s.User("carol").ID(), "").text), &m))
	return m.Roles[0]
}

func TestRoleAndMemberRefusals(t *testing.T) {
	const roles, nicks, moderate = discordsim.ManageRoles, discordsim.ManageNicknames, discordsim.ModerateMembers
	create := func(may discordsim.Permission, body string) func(*stage) reply {
		return func(s *stage) reply {
			s.managing(may)
			return s.do("POST", "/guilds/"+s.server()+"/roles", body)
		}
	}
	on := func(s *stage, method, id, body string) reply {
		return s.do(method, "/guilds/"+s.server()+"/roles/"+id, body)
	}
	give := func(s *stage, who, id string) reply {
		return s.do("PUT", "/guilds/"+s.server()+"/members/"+who+"/roles/"+id, "")
	}
	member := func(s *stage, who, body string) reply {
		return s.do("PATCH", "/guilds/"+s.server()+"/members/"+who, body)
	}
	ownRole := func(s *stage) string {
		s.managing(roles)
		var m struct{ Roles []string }
		s.must(json.Unmarshal([]byte(s.do("GET", "/guilds/"+s.server()+"/members/"+botID, "").text), &m))
		return m.Roles[0]
	}
	rank := func(below bool) func(*stage) reply {
		return func(s *stage) reply { return on(s, "PATCH", s.ofRank(below, roles), `{"name":"x"}`) }
	}
	givenTo := func(s *stage) reply { s.managing(roles); return give(s, s.User("bob").ID(), s.role(`{}`)) }
	good := create(roles, `{"name":"Referee"}`)
	tell(t, []twins{
		{"a role without MANAGE_ROLES", 403, 50013, "", "", create(0, `{"name":"Referee"}`), good},
		{"a role with a long name", 400, 50035, "name", "BASE_TYPE_BAD_LENGTH",
			create(roles, `{"name":"`+strings.Repeat("n", 101)+`"}`), create(roles, `{"name":"`+strings.Repeat("n", 100)+`"}`)},
		{"a role with a colour beyond white", 400, 50035, "color", "NUMBER_TYPE_MAX", create(roles, `{"color":16777216}`), create(roles, `{"color":16777215}`)},
		{"a role with a picture, which needs boosts", 403, 50101, "", "", create(roles, `{"unicode_emoji":"👍"}`), good},
		{"a role that may do what the bot may not", 403, 50013, "", "",
			create(roles, `{"permissions":"8"}`), create(roles|discordsim.Administrator, `{"permissions":"8"}`)},
		{"a role above the bot's changed", 403, 50013, "", "", rank(false), rank(true)},
		{"the bot's own role changed", 403, 50013, "", "",
			func(s *stage) reply { return on(s, "PATCH", ownRole(s), `{"name":"x"}`) }, rank(true)},
		{"a role that is not there", 404, 10011, "", "",
			func(s *stage) reply { s.managing(roles); return on(s, "PATCH", "123", `{"name":"x"}`) }, rank(true)},
		{"@everyone deleted", 400, 50028, "", "",
			func(s *stage) reply { s.managing(roles); return on(s, "DELETE", s.server(), "") },
			func(s *stage) reply { s.managing(roles); return on(s, "DELETE", s.role(`{}`), "") }},
		{"a 251st role", 400, 30005, "", "",
			func(s *stage) reply { return s.roleMany(249) }, func(s *stage) reply { return s.roleMany(248) }},
		{"a role above the bot's given", 403, 50013, "", "",
			func(s *stage) reply { return give(s, s.User("bob").ID(), s.ofRank(false, roles)) },
			func(s *stage) reply { return give(s, s.User("bob").ID(), s.ofRank(true, roles)) }},
		{"a role given to who is no member", 404, 10007, "", "",
			func(s *stage) reply { s.managing(roles); return give(s, "123", s.role(`{}`)) }, givenTo},
		{"a role given by a list without MANAGE_ROLES", 403, 50013, "", "",
			func(s *stage) reply { s.managing(nicks); return member(s, s.User("bob").ID(), `{"roles":[]}`) },
			func(s *stage) reply { s.managing(roles); return member(s, s.User("bob").ID(), `{"roles":[]}`) }},
		{"a role given twice by a list", 400, 50035, "roles", "SET_TYPE_ALREADY_CONTAINS_VALUE",
			func(s *stage) reply { return s.given(2) }, func(s *stage) reply { return s.given(1) }},
		{"a nick without MANAGE_NICKNAMES", 403, 50013, "", "",
			func(s *stage) reply { s.managing(roles); return member(s, s.User("bob").ID(), `{"nick":"x"}`) },
			func(s *stage) reply { s.managing(nicks); return member(s, s.User("bob").ID(), `{"nick":"x"}`) }},
		{"a nick of the owner", 403, 50013, "", "",
			func(s *stage) reply { s.managing(nicks); return member(s, s.User("alice").ID(), `{"nick":"x"}`) },
			func(s *stage) reply { s.managing(nicks); return member(s, s.User("bob").ID(), `{"nick":"x"}`) }},
		{"a nick of who stands above the bot", 403, 50013, "", "",
			func(s *stage) reply { s.ofRank(false, nicks); return member(s, s.User("carol").ID(), `{"nick":"x"}`) },
			func(s *stage) reply { s.ofRank(true, nicks); return member(s, s.User("carol").ID(), `{"nick":"x"}`) }},
		{"the bot's own nick without CHANGE_NICKNAME", 403, 50013, "", "",
			func(s *stage) reply { return member(s, "@me", `{"nick":"x"}`) },
			func(s *stage) reply { s.managing(discordsim.ChangeNickname); return member(s, "@me", `{"nick":"x"}`) }},
		{"a long nick", 400, 50035, "nick", "BASE_TYPE_MAX_LENGTH",
			func(s *stage) reply {
				s.managing(nicks)
				return member(s, s.User("bob").ID(), `{"nick":"`+strings.Repeat("n", 33)+`"}`)
			},
			func(s *stage) reply {
				s.managing(nicks)
				return member(s, s.User("bob").ID(), `{"nick":"`+strings.Repeat("n", 32)+`"}`)
			}},
		{"a kick without KICK_MEMBERS", 403, 50013, "", "",
			func(s *stage) reply { s.managing(nicks); return s.kick("bob") },
			func(s *stage) reply { s.managing(discordsim.KickMembers); return s.kick("bob") }},
		{"a kick of the owner", 403, 50013, "", "",
			func(s *stage) reply { s.managing(discordsim.KickMembers); return s.kick("alice") },
			func(s *stage) reply { s.managing(discordsim.KickMembers); return s.kick("carol") }},
		{"a kick of who stands above the bot", 403, 50013, "", "",
			func(s *stage) reply { s.ofRank(false, discordsim.KickMembers); return s.kick("carol") },
			func(s *stage) reply { s.ofRank(true, discordsim.KickMembers); return s.kick("carol") }},
		{"a kick of who is not there", 404, 10007, "", "",
			func(s *stage) reply {
				s.managing(discordsim.KickMembers)
				s.kick("bob")
				return s.kick("bob")
			},
			func(s *stage) reply { s.managing(discordsim.KickMembers); return s.kick("bob") }},
		{"a role moved above the bot", 403, 50013, "", "",
			func(s *stage) reply { s.managing(discordsim.ManageRoles); return s.place(s.role(`{}`), "9") },
			func(s *stage) reply { s.managing(discordsim.ManageRoles); return s.place(s.role(`{}`), "1") }},
		{"a role moved without MANAGE_ROLES", 403, 50013, "", "",
			func(s *stage) reply {
				s.managing(discordsim.ManageRoles)
				id := s.role(`{}`)
				s.managing(nicks)
				return s.place(id, "1")
			},
			func(s *stage) reply { s.managing(discordsim.ManageRoles); return s.place(s.role(`{}`), "null") }},
		{"@everyone moved", 400, 50028, "", "",
			func(s *stage) reply { s.managing(discordsim.ManageRoles); return s.place(s.server(), "1") },
			func(s *stage) reply { s.managing(discordsim.ManageRoles); return s.place(s.role(`{}`), "1") }},
		{"a role moved to a place in words", 400, 50035, "0.position", "NUMBER_TYPE_COERCE",
			func(s *stage) reply { s.managing(discordsim.ManageRoles); return s.place(s.role(`{}`), `"up"`) },
			func(s *stage) reply { s.managing(discordsim.ManageRoles); return s.place(s.role(`{}`), "1") }},
		{"a member muted, which is not simulated", 501, 501, "", "",
			func(s *stage) reply { s.managing(nicks); return member(s, s.User("bob").ID(), `{"mute":true}`) },
			func(s *stage) reply { s.managing(nicks); return member(s, s.User("bob").ID(), `{"mute":null}`) }},
		{"a timeout without MODERATE_MEMBERS", 403, 50013, "", "",
			func(s *stage) reply { return s.timeOut(nicks, "bob", time.Hour) },
			func(s *stage) reply { return s.timeOut(moderate, "bob", time.Hour) }},
		{"a timeout of more than 28 days", 400, 50035, "communication_disabled_until", "INVALID_COMMUNICATION_DISABLED_TIMESTAMP",
			func(s *stage) reply { return s.timeOut(moderate, "bob", 28*24*time.Hour+time.Minute) },
			func(s *stage) reply { return s.timeOut(moderate, "bob", 28*24*time.Hour) }},
		{"a timeout until no date", 400, 50035, "communication_disabled_until", "DATE_TIME_TYPE_PARSE",
			func(s *stage) reply {
				s.managing(moderate)
				return member(s, s.User("bob").ID(), `{"communication_disabled_until":"soon"}`)
			},
			func(s *stage) reply {
				s.managing(moderate)
				return member(s, s.User("bob").ID(), `{"communication_disabled_until":null}`)
			}},
		{"a timeout of the owner", 403, 50013, "", "",
			func(s *stage) reply { return s.timeOut(moderate, "alice", time.Hour) },
			func(s *stage) reply { return s.timeOut(moderate, "carol", time.Hour) }},
		{"a timeout of an administrator", 403, 50013, "", "",
			func(s *stage) reply {
				s.must(s.SetMember("Playground", "bob", discordsim.Membership{Permissions: discordsim.Administrator}))
				return s.timeOut(moderate, "bob", time.Hour)
			},
			func(s *stage) reply {
				s.must(s.SetMember("Playground", "bob", discordsim.Membership{Permissions: discordsim.ManageMessages}))
				return s.timeOut(moderate, "bob", time.Hour)
			}},
		{"a message of a bot that is timed out", 403, 50001, "", "",
			func(s *stage) reply {
				s.must(s.TimeOut("Playground", "tictactoe", time.Hour))
				return s.do("POST", s.messages(), `{"content":"x"}`)
			},
			func(s *stage) reply {
				s.must(s.TimeOut("Playground", "tictactoe", time.Hour))
				s.advance(time.Hour)
				return s.do("POST", s.messages(), `{"content":"x"}`)
			}},
		{"a role made by a bot that is timed out", 403, 50001, "", "",
			func(s *stage) reply {
				s.must(s.TimeOut("Playground", "tictactoe", time.Hour))
				return create(roles, `{"name":"Referee"}`)(s)
			}, good},
		{"a ban without BAN_MEMBERS", 403, 50013, "", "",
			func(s *stage) reply { return s.ban(discordsim.KickMembers, "bob", "") },
			func(s *stage) reply { return s.ban(discordsim.BanMembers, "bob", "") }},
		{"a ban of the owner", 403, 50013, "", "",
			func(s *stage) reply { return s.ban(discordsim.BanMembers, "alice", "") },
			func(s *stage) reply { return s.ban(discordsim.BanMembers, "carol", `{}`) }},
		{"a ban of who stands above the bot", 403, 50013, "", "",
			func(s *stage) reply { s.ofRank(false, discordsim.BanMembers); return s.banned("carol") },
			func(s *stage) reply { s.ofRank(true, discordsim.BanMembers); return s.banned("carol") }},
		{"a ban of nobody", 404, 10013, "", "",
			func(s *stage) reply { s.managing(discordsim.BanMembers); return s.do("PUT", s.bans()+"/123", "") },
			func(s *stage) reply { return s.ban(discordsim.BanMembers, "bob", "") }},
		{"a ban that deletes eight days", 400, 50035, "delete_message_seconds", "NUMBER_TYPE_MAX",
			func(s *stage) reply { return s.ban(discordsim.BanMembers, "bob", `{"delete_message_seconds":604801}`) },
			func(s *stage) reply { return s.ban(discordsim.BanMembers, "bob", `{"delete_message_seconds":604800}`) }},
		{"a ban that is not there, lifted", 404, 10026, "", "",
			func(s *stage) reply {
				s.managing(discordsim.BanMembers)
				return s.do("DELETE", s.bans()+"/"+s.User("bob").ID(), "")
			},
			func(s *stage) reply {
				s.ban(discordsim.BanMembers, "bob", "")
				return s.do("DELETE", s.bans()+"/"+s.User("bob").ID(), "")
			}},
		{"a ban that is not there, shown", 404, 10026, "", "",
			func(s *stage) reply {
				s.managing(discordsim.BanMembers)
				return s.do("GET", s.bans()+"/"+s.User("bob").ID(), "")
			},
			func(s *stage) reply {
				s.ban(discordsim.BanMembers, "bob", "")
				return s.do("GET", s.bans()+"/"+s.User("bob").ID(), "")
			}},
		{"the bans without a permission", 403, 50013, "", "",
			func(s *stage) reply { s.managing(nicks); return s.do("GET", s.bans(), "") },
			func(s *stage) reply { s.managing(discordsim.ViewAuditLog); return s.do("GET", s.bans(), "") }},
		{"several bans without MANAGE_GUILD", 403, 50013, "", "",
			func(s *stage) reply { return s.bulkBan(discordsim.BanMembers, "bob") },
			func(s *stage) reply { return s.bulkBan(discordsim.BanMembers|discordsim.ManageGuild, "bob", "alice") }},
		{"several bans of whom nobody can be banned", 400, 500000, "", "",
			func(s *stage) reply { return s.bulkBan(discordsim.BanMembers|discordsim.ManageGuild, "alice") },
			func(s *stage) reply { return s.bulkBan(discordsim.BanMembers|discordsim.ManageGuild, "bob", "alice") }},
		{"one user banned twice at once", 400, 50035, "user_ids", "SET_TYPE_ALREADY_CONTAINS_VALUE",
			func(s *stage) reply { return s.bulkBan(discordsim.BanMembers|discordsim.ManageGuild, "bob", "bob") },
			func(s *stage) reply { return s.bulkBan(discordsim.BanMembers|discordsim.ManageGuild, "bob", "carol") }},
		{"all members without the privileged intent", 403, 50001, "", "",
			func(s *stage) reply { return s.do("GET", "/guilds/"+s.server()+"/members", "") },
			func(s *stage) reply { return s.do("GET", "/guilds/"+s.server()+"/members/search?query=a", "") }},
		{"a search for nothing", 400, 50035, "query", "BASE_TYPE_REQUIRED",
			func(s *stage) reply { return s.do("GET", "/guilds/"+s.server()+"/members/search", "") },
			func(s *stage) reply { return s.do("GET", "/guilds/"+s.server()+"/members/search?query=a", "") }},
		{"a page of 1001 members", 400, 50035, "limit", "NUMBER_TYPE_MAX",
			func(s *stage) reply {
				return s.do("GET", "/guilds/"+s.server()+"/members/search?query=a&limit=1001", "")
			},
			func(s *stage) reply {
				return s.do("GET", "/guilds/"+s.server()+"/members/search?query=a&limit=1000", "")
			}},
	})
}

// roleMany creates n roles in addition to the bot's own role and @everyone.
func (s *stage) roleMany(n int) (last reply) {
	s.SetRateLimits(false)
	s.managing(discordsim.ManageRoles)
	for range n {
		last = s.do("POST", "/guilds/"+s.server()+"/roles", `{}`)
	}
	return last
}

// kick makes the bot remove a person from the server.
func (s *stage) kick(who string) reply {
	return s.do("DELETE", "/guilds/"+s.server()+"/members/"+s.User(who).ID(), "")
}

// timeOut gives the bot the permissions may, and makes it time a person out.
func (s *stage) timeOut(may discordsim.Permission, who string, d time.Duration) reply {
	s.managing(may)
	until := s.Clock().Now().Add(d).Format(time.RFC3339)
	return s.do("PATCH", "/guilds/"+s.server()+"/members/"+s.User(who).ID(), `{"communication_disabled_until":"`+until+`"}`)
}

// bans returns the path of the server's bans.
func (s *stage) bans() string { return "/guilds/" + s.server() + "/bans" }

// ban gives the bot the permissions may, and makes it ban a person.
func (s *stage) ban(may discordsim.Permission, who, body string) reply {
	s.managing(may)
	return s.do("PUT", s.bans()+"/"+s.User(who).ID(), body)
}

// banned makes the bot ban a person.
func (s *stage) banned(who string) reply { return s.do("PUT", s.bans()+"/"+s.User(who).ID(), "") }

// bulkBan gives the bot the permissions may, and makes it ban several people in one request.
func (s *stage) bulkBan(may discordsim.Permission, who ...string) reply {
	s.managing(may)
	ids := []string{}
	for _, name := range who {
		ids = append(ids, `"`+s.User(name).ID()+`"`)
	}
	return s.do("POST", "/guilds/"+s.server()+"/bulk-ban", `{"user_ids":[`+strings.Join(ids, ",")+`]}`)
}

// place makes the bot give a role a position.
func (s *stage) place(role, position string) reply {
	return s.do("PATCH", "/guilds/"+s.server()+"/roles", `[{"id":"`+role+`","position":`+position+`}]`)
}

func TestABotOrdersRoles(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true})
	w.mayInGeneral(discordsim.ManageRoles)
	roles := "/guilds/" + w.guild() + "/roles"
	ids := map[string]string{}
	for _, name := range []string{"gold", "silver", "bronze"} { // each role below the one before
		_, r := w.rest("POST", roles, `{"name":"`+name+`"}`)
		ids[name] = r["id"].(string)
	}
	order := func() string {
		t.Helper()
		_, text, _ := w.raw("GET", roles, "", "Bot "+token)
		var list []discordsim.Role
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			t.Fatal(err)
		}
		names := make([]string, len(list))
		for _, r := range list {
			names[r.Position] = r.Name
		}
		return strings.Join(names, " ")
	}
	if got := order(); got != "@everyone bronze silver gold tictactoe" {
		t.Errorf("at first: %s", got)
	}
	g := w.identifyWith(1)
	body := fmt.Sprintf(`[{"id":%q,"position":3},{"id":%q,"position":1}]`, ids["bronze"], ids["gold"])
	if status, text, _ := w.raw("PATCH", roles, body, "Bot "+token); status != http.StatusOK || !strings.HasPrefix(text, "[") {
		t.Errorf("the order got %d %s", status, text)
	}
	if got := order(); got != "@everyone gold silver bronze tictactoe" {
		t.Errorf("then: %s", got)
	}
	for range 2 {
		if d := g.expect(0, "GUILD_ROLE_UPDATE").D["role"].(map[string]any); d["id"] != ids["gold"] && d["id"] != ids["bronze"] {
			t.Errorf("the event tells of %v", d)
		}
	}
}

// given makes the bot give bob a role by a list that names the role repeatedly.
func (s *stage) given(times int) reply {
	s.managing(discordsim.ManageRoles)
	id := s.role(`{}`)
	list := strings.TrimSuffix(strings.Repeat(`"`+id+`",`, times), ",")
	return s.do("PATCH", "/guilds/"+s.server()+"/members/"+s.User("bob").ID(), `{"roles":[`+list+`]}`)
}

func TestARoleIsCalledByItsMention(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true, MaxConcurrency: 16})
	w.mayInGeneral(discordsim.ManageRoles)
	channel, server := w.channelOfBot(), w.guild()
	events := w.events("bob")
	for _, c := range []struct {
		mentionable, given, called bool
	}{{true, true, true}, {true, false, false}, {false, true, false}} {
		_, role := w.rest("POST", "/guilds/"+server+"/roles", fmt.Sprintf(`{"name":"Referees","mentionable":%t}`, c.mentionable))
		if c.given {
			w.rest("PUT", fmt.Sprintf("/guilds/%s/members/%s/roles/%s", server, w.User("bob").ID(), role["id"]), "")
		}
		_, m := w.rest("POST", "/channels/"+channel+"/messages", fmt.Sprintf(`{"content":"<@&%s>, please"}`, role["id"]))
		if called := len(m["mention_roles"].([]any)) == 1; called != c.mentionable {
			t.Errorf("%+v: the message mentions %v", c, m["mention_roles"])
		}
		e := <-events
		for e.kind != "message" {
			e = <-events
		}
		if !strings.Contains(e.data, fmt.Sprintf(`"ping":%t`, c.called)) {
			t.Errorf("%+v: bob got %s", c, e.data)
		}
	}
}

func TestPeopleMakeRoles(t *testing.T) {
	w, g := listening(t)
	role := func(event string) map[string]any { return g.expect(0, event).D["role"].(map[string]any) }
	made := w.change("POST", "guilds/Playground/roles", `{"name":"Green","color":65280,"permissions":["MANAGE_MESSAGES"],"mentionable":true}`)["id"]
	if r := role("GUILD_ROLE_CREATE"); r["id"] != made || r["color"] != 65280.0 || r["permissions"] != "8192" || r["position"] != 1.0 || r["mentionable"] != true {
		t.Errorf("the bot hears of %v", r)
	}
	w.change("POST", "guilds/Playground/roles", `{"name":"Blue"}`)
	role("GUILD_ROLE_CREATE")
	if r := role("GUILD_ROLE_UPDATE"); r["id"] != made || r["position"] != 2.0 {
		t.Errorf("a new role does not push up the one before: %v", r)
	}
	w.change("PUT", "guilds/Playground/members/bob", `{"roles":["Green"]}`)
	g.expect(0, "GUILD_MEMBER_UPDATE")
	members := w.listed("alice", "guilds", "name", "Playground")["members"].([]any)
	if roles := members[1].(map[string]any)["roles"]; cmp.Diff([]any{made}, roles) != "" {
		t.Errorf("the state says that bob has %v", roles)
	}
	w.change("PATCH", "guilds/Playground/roles/Green", `{"name":"Teal","color":32896,"permissions":[],"hoist":true,"position":1}`)
	if r := role("GUILD_ROLE_UPDATE"); r["id"] != made || r["name"] != "Teal" || r["color"] != 32896.0 || r["permissions"] != "0" || r["hoist"] != true || r["position"] != 1.0 {
		t.Errorf("the changed role is %v", r)
	}
	if r := role("GUILD_ROLE_UPDATE"); r["name"] != "Blue" || r["position"] != 2.0 {
		t.Errorf("the role that makes room is %v", r)
	}
	w.change("DELETE", "guilds/Playground/roles/Teal", "")
	if d := g.expect(0, "GUILD_ROLE_DELETE").D; d["role_id"] != made {
		t.Errorf("the bot hears of %v", d)
	}
	if _, m := w.rest("GET", "/guilds/"+w.guild()+"/members/"+w.User("bob").ID(), ""); len(m["roles"].([]any)) != 0 {
		t.Errorf("bob still has %v", m["roles"])
	}
	// The bot's own role is above the roles made since, until people move it. It cannot be given to others or deleted.
	bot := "guilds/Playground/members/" + botID
	w.change("PUT", bot, `{"permissions":["MANAGE_ROLES","1024"]}`)
	own := role("GUILD_ROLE_CREATE")
	listed := func() (bot, blue map[string]any) {
		for _, r := range w.listed("alice", "guilds", "name", "Playground")["roles"].([]any) {
			switch r := r.(map[string]any); r["name"] {
			case own["name"]:
				bot = r
			case "Blue":
				blue = r
			}
		}
		return bot, blue
	}
	if r, blue := listed(); own["permissions"] != "268436480" || r["own"] != botID || blue["own"] != nil || r["position"].(float64) < blue["position"].(float64) {
		t.Errorf("the bot's own role is %v, and listed as %v above %v", own, r, blue)
	}
	w.change("PATCH", "guilds/Playground/roles/"+own["id"].(string), `{"position":1}`)
	if r, blue := listed(); r["position"].(float64) > blue["position"].(float64) {
		t.Errorf("the bot's role is still above: %v, %v", r, blue)
	}
	for _, call := range [][4]string{
		{"DELETE", "guilds/Playground/roles/" + own["id"].(string), "", "belongs to an application"},
		{"PUT", "guilds/Playground/members/bob", `{"roles":["` + own["id"].(string) + `"]}`, "no role"},
		{"PUT", bot, `{"permissions":["9007199254740992"]}`, "no permission"},
		{"POST", "guilds/Playground/roles", `{"name":"Blue"}`, "already"},
		{"POST", "guilds/Playground/roles", `{"name":""}`, "1 to 100"},
		{"POST", "guilds/nowhere/roles", `{"name":"x"}`, "no server"},
		{"PATCH", "guilds/Playground/roles/Blue", `{"color":16777216}`, "colour"},
		{"PATCH", "guilds/Playground/roles/Blue", `{"permissions":["FLY"]}`, "FLY"},
		{"PATCH", "guilds/Playground/roles/@everyone", `{"name":"x"}`, "no role"},
		{"DELETE", "guilds/Playground/roles/Teal", "", "no role"},
	} {
		if status, answer := w.call(call[0], call[1], call[2]); status == 200 || !strings.Contains(fmt.Sprint(answer["error"]), call[3]) {
			t.Errorf("%v got %d %v", call, status, answer)
		}
	}
}

func TestTimeouts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	config := discordsim.Config{State: file, NoRateLimits: true, MaxConcurrency: 16, PrivilegedIntents: true}
	w := newWorld(t, config)
	w.mayInGeneral(discordsim.ModerateMembers)
	w.register(pingCommand)
	channel, poll := w.polled("")
	_, board := w.rest("POST", "/channels/"+channel+"/messages", `{"content":"board","components":[{"type":1,"components":[{"type":2,"style":1,"label":"go","custom_id":"go"}]}]}`)
	id := board["id"].(string)
	if err := w.User("carol").React(id, "👍", false); err != nil {
		t.Fatal(err)
	}
	g := w.identifyWith(1 | intentMembers)
	until := w.Clock().Now().Add(time.Hour).Truncate(time.Second).Format("2006-01-02T15:04:05.000000+00:00")
	status, m := w.rest("PATCH", "/guilds/"+w.guild()+"/members/"+w.User("bob").ID(), `{"communication_disabled_until":"`+until+`"}`)
	if status != 200 || m["communication_disabled_until"] != until {
		t.Fatalf("the timeout is %d %v", status, m)
	}
	if d := g.expect(0, "GUILD_MEMBER_UPDATE").D; d["communication_disabled_until"] != until {
		t.Errorf("the event is %v", d)
	}
	if may := w.listed("bob", "channels", "name", "general")["permissions"]; may != fmt.Sprint(uint64(discordsim.ViewChannel|discordsim.ReadMessageHistory)) {
		t.Errorf("bob has the permissions %v", may)
	}
	acts := map[string]string{
		"message": `{"as":"bob","channel":"general","content":"x"}`, "vote": `{"as":"bob","message":"` + poll + `","answers":[1]}`,
		"react": `{"as":"bob","message":"` + id + `","emoji":"👍"}`, "click": `{"as":"bob","message":"` + id + `","custom_id":"go","hold":true}`,
		"command": `{"as":"bob","channel":"general","name":"ping","hold":true}`,
	}
	try := func(want int) {
		t.Helper()
		for path, body := range acts {
			if status, answer := w.call("POST", path, body); status != want {
				t.Errorf("%s got %d %v, want %d", path, status, answer, want)
			}
		}
	}
	try(400)
	if _, err := w.User("bob").Messages("general"); err != nil {
		t.Errorf("bob does not see the channel: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = newWorld(t, config)
	try(400)
	if err := w.Advance(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	w.call("GET", "state", "")
	try(200)
	w.change("PUT", "guilds/Playground/timeouts/bob", `{"for":"10m"}`)
	acts = map[string]string{"message": acts["message"]}
	try(400)
	w.change("PUT", "guilds/Playground/timeouts/bob", `{"for":"0s"}`)
	try(200)
	for body, want := range map[string]string{`bob {"for":"673h"}`: "28 days", `alice {"for":"1h"}`: "administrator", `bob {}`: "duration", `zoe {"for":"1h"}`: "no user"} {
		who, body, _ := strings.Cut(body, " ")
		if status, answer := w.call("PUT", "guilds/Playground/timeouts/"+who, body); status == 200 || !strings.Contains(fmt.Sprint(answer["error"]), want) {
			t.Errorf("%s %s got %d %v", who, body, status, answer)
		}
	}
}

func TestBans(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	config := discordsim.Config{State: file, NoRateLimits: true, MaxConcurrency: 16, PrivilegedIntents: true}
	w := newWorld(t, config)
	w.mayInGeneral(discordsim.BanMembers)
	bans, bob := "/guilds/"+w.guild()+"/bans", w.User("bob").ID()
	if _, err := w.User("bob").Write("general", "old"); err != nil {
		t.Fatal(err)
	}
	if err := w.Advance(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	spam, err := w.User("bob").Write("general", "spam")
	if err != nil {
		t.Fatal(err)
	}
	g := w.identifyWith(1 | intentMembers | 1<<2 | 1<<9)
	req, _ := http.NewRequest("PUT", w.url+"/api/v10"+bans+"/"+bob, strings.NewReader(`{"delete_message_seconds":60}`))
	req.Header.Set("Authorization", "Bot "+token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Audit-Log-Reason", "too%20loud")
	if res, err := http.DefaultClient.Do(req); err != nil || res.StatusCode != http.StatusNoContent {
		t.Fatalf("banning got %v %v", res, err)
	}
	if d := g.expect(0, "GUILD_BAN_ADD").D; d["guild_id"] != w.guild() || d["user"].(map[string]any)["id"] != bob {
		t.Errorf("the event is %v", d)
	}
	if d := g.expect(0, "MESSAGE_DELETE_BULK").D; cmp.Diff([]any{spam.ID}, d["ids"]) != "" {
		t.Errorf("deleted are %v", d)
	}
	g.expect(0, "GUILD_MEMBER_REMOVE")
	if status, answer := w.call("PUT", "guilds/Playground/members/bob", `{}`); status == 200 || !strings.Contains(fmt.Sprint(answer), "banned") {
		t.Errorf("coming back got %d %v", status, answer)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = newWorld(t, config)
	if status, b := w.rest("GET", bans+"/"+bob, ""); status != 200 || b["reason"] != "too loud" || b["user"].(map[string]any)["username"] != "bob" {
		t.Errorf("the ban is %d %v", status, b)
	}
	w.change("PUT", "guilds/Playground/bans/carol", `{}`)
	for query, want := range map[string]int{"": 2, "?limit=1": 1, "?after=" + bob: 1, "?before=" + w.User("carol").ID(): 1} {
		_, text, _ := w.raw("GET", bans+query, "", "Bot "+token)
		if n := strings.Count(text, `"username"`); n != want {
			t.Errorf("%q lists %s", query, text)
		}
	}
	g = w.identifyWith(1 | intentMembers | 1<<2)
	if status, _ := w.rest("DELETE", bans+"/"+bob, ""); status != http.StatusNoContent {
		t.Errorf("lifting the ban got %d", status)
	}
	if d := g.expect(0, "GUILD_BAN_REMOVE").D; d["user"].(map[string]any)["id"] != bob {
		t.Errorf("the event is %v", d)
	}
	w.change("PUT", "guilds/Playground/members/bob", `{}`)
	g.expect(0, "GUILD_MEMBER_ADD")
	w.change("DELETE", "guilds/Playground/bans/carol", "")
	if status, answer := w.call("DELETE", "guilds/Playground/bans/carol", ""); status != 404 {
		t.Errorf("lifting it again got %d %v", status, answer)
	}
	if status, answer := w.call("PUT", "guilds/Playground/bans/alice", `{}`); status != 400 {
		t.Errorf("banning the owner got %d %v", status, answer)
	}
}
