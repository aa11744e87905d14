package discordsim_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

// call makes a call under /sim/ with any method.
func (w *world) call(method, path, body string) (int, map[string]any) {
	w.t.Helper()
	status, text, _ := w.raw(method, "/sim/"+path, body, "")
	var answer map[string]any
	json.Unmarshal([]byte(text), &answer)
	return status, answer
}

// change makes a call, which must succeed.
func (w *world) change(method, path, body string) map[string]any {
	w.t.Helper()
	status, answer := w.call(method, path, body)
	if status != http.StatusOK {
		w.t.Fatalf("%s /sim/%s %s: %d %v", method, path, body, status, answer)
	}
	return answer
}

// listed finds an object by the value of a key, in a list of the state as a person sees it.
func (w *world) listed(as, list, key, value string) map[string]any {
	w.t.Helper()
	for _, one := range w.change("GET", "state?as="+as, "")[list].([]any) {
		if object := one.(map[string]any); object[key] == value {
			return object
		}
	}
	return nil
}

// listening returns a simulator whose bot receives all events.
func listening(t *testing.T) (*world, *gateway) {
	t.Helper()
	w := newWorld(t, discordsim.Config{PrivilegedIntents: true, MaxConcurrency: 7})
	w.rest("GET", "/users/@me", "")
	g := w.dial("")
	g.expect(10, "")
	g.send(`{"op":2,"d":{"token":"` + token + `","intents":53608447,"properties":{}}}`)
	g.expect(0, "READY")
	g.expect(0, "GUILD_CREATE")
	return w, g
}

func TestChannelsComeAndGo(t *testing.T) {
	w, g := listening(t)
	made := w.change("POST", "channels", `{"name":"lounge"}`)
	lounge := made["id"].(string)
	if e := g.expect(0, "CHANNEL_CREATE").D; e["id"] != lounge || e["guild_id"] != w.guild() || e["name"] != "lounge" || e["position"] != 1.0 {
		t.Errorf("the bot hears of %v", e)
	}
	thread := w.change("POST", "channels", `{"name":"Side talk","type":11,"parent":"lounge"}`)["id"].(string)
	if e := g.expect(0, "THREAD_CREATE").D; e["parent_id"] != lounge || e["thread_metadata"].(map[string]any)["archived"] != false || e["owner_id"] == "" {
		t.Errorf("the bot hears of %v", e)
	}
	t.Run("a thread is none of the server's channels", func(t *testing.T) {
		_, text, _ := w.raw("GET", "/guilds/"+w.guild()+"/channels", "", "Bot "+token)
		if strings.Contains(text, thread) || !strings.Contains(text, lounge) {
			t.Errorf("got %s", text)
		}
		fresh := w.dial("")
		fresh.identify(`,"shard":[6,7]`) // the shard of the server, which may identify together with shard 0
		guild := fresh.expect(0, "GUILD_CREATE").D
		if len(guild["channels"].([]any)) != 2 || len(guild["threads"].([]any)) != 1 {
			t.Errorf("a bot that comes sees %v", guild)
		}
	})
	t.Run("a person writes there, and an archived one opens again", func(t *testing.T) {
		w.change("PATCH", "channels/"+thread, `{"archived":true}`)
		if e := g.expect(0, "THREAD_UPDATE").D; e["thread_metadata"].(map[string]any)["archived"] != true {
			t.Errorf("the bot hears of %v", e)
		}
		if _, err := w.User("bob").Write("Side talk", "hello"); err != nil {
			t.Fatal(err)
		}
		if e := g.expect(0, "THREAD_UPDATE").D; e["thread_metadata"].(map[string]any)["archived"] != false || e["message_count"] != 1.0 {
			t.Errorf("the bot hears of %v", e)
		}
		g.expect(0, "MESSAGE_CREATE")
	})
	t.Run("a channel gets another name", func(t *testing.T) {
		if got := w.change("PATCH", "channels/lounge", `{"name":"salon"}`); got["id"] != lounge || got["name"] != "salon" {
			t.Errorf("got %v", got)
		}
		if e := g.expect(0, "CHANNEL_UPDATE").D; e["name"] != "salon" {
			t.Errorf("the bot hears of %v", e)
		}
	})
	t.Run("a channel goes with its threads and messages", func(t *testing.T) {
		w.change("DELETE", "channels/salon", "")
		first, second := g.expect(0, "CHANNEL_DELETE").D, g.expect(0, "THREAD_DELETE").D
		if first["id"] != lounge || second["id"] != thread {
			t.Errorf("the bot hears of %v and %v", first, second)
		}
		if status, got := w.rest("GET", "/channels/"+thread, ""); status != 404 || got["code"] != 10003.0 {
			t.Errorf("the thread is %d %v", status, got)
		}
	})
	for name, c := range map[string]struct {
		method, path, body string
		status             int
	}{
		"a channel without a name":               {"POST", "channels", `{"name":""}`, 400},
		"a channel of no server":                 {"POST", "channels", `{"name":"x","guild":"nowhere"}`, 404},
		"a channel of a kind that is not here":   {"POST", "channels", `{"name":"x","type":14}`, 400},
		"a thread of nothing":                    {"POST", "channels", `{"name":"x","type":11}`, 404},
		"a thread of announcements in a text":    {"POST", "channels", `{"name":"x","type":10,"parent":"general"}`, 400},
		"a text channel below another":           {"POST", "channels", `{"name":"x","parent":"general"}`, 400},
		"archiving a channel":                    {"PATCH", "channels/general", `{"archived":true}`, 400},
		"renaming what is not there":             {"PATCH", "channels/cellar", `{"name":"x"}`, 404},
		"deleting what is not there":             {"DELETE", "channels/cellar", "", 404},
		"an overwrite of nobody":                 {"PUT", "channels/general/overwrites", `{"allow":["SEND_MESSAGES"]}`, 400},
		"an overwrite of somebody unknown":       {"PUT", "channels/general/overwrites", `{"of":"zoe","deny":["SEND_MESSAGES"]}`, 404},
		"a permission that does not exist":       {"PUT", "channels/general/overwrites", `{"of":"bob","deny":["FLY"]}`, 400},
		"a permission both allowed and denied":   {"PUT", "channels/general/overwrites", `{"of":"bob","allow":["SEND_MESSAGES"],"deny":["SEND_MESSAGES"]}`, 400},
		"an overwrite of a channel not there":    {"PUT", "channels/cellar/overwrites", `{"of":"bob"}`, 404},
		"a member of no server":                  {"PUT", "guilds/1/members/bob", `{}`, 404},
		"nobody as a member":                     {"PUT", "guilds/Playground/members/zoe", `{}`, 404},
		"a nick that is too long":                {"PUT", "guilds/Playground/members/bob", `{"nick":"` + strings.Repeat("x", 33) + `"}`, 400},
		"a member with an unknown permission":    {"PUT", "guilds/Playground/members/bob", `{"permissions":["FLY"]}`, 400},
		"the owner leaving":                      {"DELETE", "guilds/Playground/members/alice", "", 400},
		"a bot as a person":                      {"PATCH", "users/tictactoe", `{"locale":"de"}`, 404},
		"a language that Discord does not speak": {"PATCH", "users/bob", `{"locale":"tlh"}`, 400},
		"a status that does not exist":           {"PATCH", "users/bob", `{"status":"busy"}`, 400},
		"a displayed name that is too long":      {"PATCH", "users/bob", `{"global_name":"` + strings.Repeat("x", 33) + `"}`, 400},
	} {
		t.Run(name, func(t *testing.T) {
			if status, got := w.call(c.method, c.path, c.body); status != c.status || got["error"] == "" {
				t.Errorf("got %d %v, want %d", status, got, c.status)
			}
		})
	}
}

func TestOverwritesFromOutside(t *testing.T) {
	w, g := listening(t)
	bob := w.User("bob").ID()
	w.change("PUT", "channels/general/overwrites", `{"of":"everyone","deny":["SEND_MESSAGES"]}`)
	g.expect(0, "CHANNEL_UPDATE")
	w.change("PUT", "channels/general/overwrites", `{"of":"bob","allow":["SEND_MESSAGES"],"deny":["USE_APPLICATION_COMMANDS"]}`)
	if e := g.expect(0, "CHANNEL_UPDATE").D; len(e["permission_overwrites"].([]any)) != 2 {
		t.Errorf("the bot hears of %v", e)
	}
	general := w.listed("bob", "channels", "name", "general")
	want := []any{
		map[string]any{"id": w.guild(), "type": 0.0, "allow": "0", "deny": "2048"},
		map[string]any{"id": bob, "type": 1.0, "allow": "2048", "deny": "2147483648"},
	}
	if diff := cmp.Diff(want, general["overwrites"]); diff != "" {
		t.Errorf("the overwrites differ:\n%s", diff)
	}
	var may discordsim.Permission
	if err := may.UnmarshalText([]byte(general["permissions"].(string))); err != nil || !may.Has(discordsim.SendMessages) || may.Has(discordsim.UseApplicationCommands) {
		t.Errorf("bob may %v, %v", may.Names(), err)
	}
	if _, err := w.User("carol").Write("general", "x"); err == nil {
		t.Error("carol writes")
	}
	if _, err := w.User("bob").Write("general", "x"); err != nil {
		t.Error(err)
	}
	w.change("PUT", "channels/general/overwrites", `{"of":"everyone"}`)
	w.change("PUT", "channels/general/overwrites", `{"of":"bob"}`)
	if left := w.listed("bob", "channels", "name", "general")["overwrites"].([]any); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
	w.change("PUT", "channels/general/overwrites", `{"of":"tictactoe","deny":["VIEW_CHANNEL"]}`)
	if status, got := w.rest("GET", "/channels/"+general["id"].(string), ""); status != 403 {
		t.Errorf("the bot reads a hidden channel: %d %v", status, got)
	}
}

func TestMembersFromOutside(t *testing.T) {
	w, g := listening(t)
	w.register(`[{"name":"admin","description":"x","default_member_permissions":"32"}]`)
	use := func(who string) error {
		_, text, _ := w.raw("POST", "/sim/command", `{"as":"`+who+`","channel":"general","name":"admin","hold":true}`, "")
		if !strings.Contains(text, `"held"`) {
			return errors.New(text)
		}
		return nil
	}
	if err := use("bob"); err == nil || !strings.Contains(err.Error(), "lacks the permissions") {
		t.Errorf("bob without the permission: %v", err)
	}
	w.change("PUT", "guilds/Playground/members/bob", `{"permissions":["MANAGE_GUILD"],"nick":"Bobby"}`)
	role := g.expect(0, "GUILD_ROLE_CREATE").D["role"].(map[string]any)
	member := g.expect(0, "GUILD_MEMBER_UPDATE").D
	if role["permissions"] != "32" || role["name"] != "bob" || member["nick"] != "Bobby" || member["roles"].([]any)[0] != role["id"] {
		t.Errorf("the bot hears of %v and %v", role, member)
	}
	if err := use("bob"); err != nil {
		t.Errorf("bob with the permission: %v", err)
	}
	if e := g.expect(0, "INTERACTION_CREATE").D["member"].(map[string]any); e["nick"] != "Bobby" {
		t.Errorf("the bot gets the member %v", e)
	}
	listed := w.listed("alice", "guilds", "name", "Playground")["members"].([]any)[1]
	if diff := cmp.Diff(map[string]any{"user": w.User("bob").ID(), "nick": "Bobby", "roles": []any{role["id"]}, "permissions": "32", "communication_disabled_until": nil}, listed); diff != "" {
		t.Errorf("bob is listed otherwise:\n%s", diff)
	}
	w.change("PUT", "guilds/Playground/members/bob", `{"permissions":["ADMINISTRATOR"]}`)
	if e := g.expect(0, "GUILD_ROLE_UPDATE").D["role"].(map[string]any); e["permissions"] != "8" || e["id"] != role["id"] {
		t.Errorf("the bot hears of %v", e)
	}
	if e := g.expect(0, "GUILD_MEMBER_UPDATE").D; e["nick"] != nil {
		t.Errorf("the bot hears of %v", e)
	}
	if err := use("bob"); err != nil {
		t.Errorf("bob as an administrator: %v", err)
	}
	g.expect(0, "INTERACTION_CREATE")
	w.change("PUT", "guilds/Playground/members/bob", `{}`)
	g.expect(0, "GUILD_ROLE_DELETE")
	g.expect(0, "GUILD_MEMBER_UPDATE")

	t.Run("a person leaves and comes back", func(t *testing.T) {
		w.change("DELETE", "guilds/Playground/members/carol", "")
		if e := g.expect(0, "GUILD_MEMBER_REMOVE").D; e["user"].(map[string]any)["username"] != "carol" {
			t.Errorf("the bot hears of %v", e)
		}
		if w.listed("carol", "channels", "name", "general") != nil {
			t.Error("carol still sees the channel")
		}
		if status, _ := w.call("DELETE", "guilds/Playground/members/carol", ""); status != 404 {
			t.Errorf("leaving twice got %d", status)
		}
		w.change("PUT", "guilds/Playground/members/carol", `{}`)
		g.expect(0, "GUILD_MEMBER_ADD")
		if w.listed("carol", "channels", "name", "general") == nil {
			t.Error("carol does not see the channel again")
		}
	})
	t.Run("the bot is removed and invited again", func(t *testing.T) {
		w.change("DELETE", "guilds/Playground/members/tictactoe", "")
		e := g.expect(0, "GUILD_DELETE").D
		if _, outage := e["unavailable"]; outage || len(e) != 1 {
			t.Errorf("the bot hears of %v", e)
		}
		if err := use("bob"); err == nil || !strings.Contains(err.Error(), "installed neither") {
			t.Errorf("its command: %v", err)
		}
		w.change("PUT", "guilds/Playground/members/tictactoe", `{"permissions":["MANAGE_MESSAGES"]}`)
		g.expect(0, "GUILD_ROLE_CREATE")
		guild := g.expect(0, "GUILD_CREATE").D
		if len(guild["roles"].([]any)) != 2 || guild["members"].([]any)[0].(map[string]any)["roles"] == nil {
			t.Errorf("it comes into %v", guild)
		}
	})
	t.Run("the bot leaves by itself", func(t *testing.T) {
		server := w.guild()
		if status, _ := w.rest("DELETE", "/users/@me/guilds/"+server, ""); status != 204 {
			t.Errorf("got %d", status)
		}
		g.expect(0, "GUILD_DELETE")
		if status, got := w.rest("GET", "/guilds/"+server, ""); status != 403 || got["code"] != 50001.0 {
			t.Errorf("then the server is %d %v", status, got)
		}
	})
}

func TestPeopleChange(t *testing.T) {
	w, g := listening(t)
	w.register(pingCommand)
	got := w.change("PATCH", "users/bob", `{"locale":"de","global_name":"Robert","status":"dnd","installs":true}`)
	if got["locale"] != "de" || got["global_name"] != "Robert" {
		t.Errorf("got %v", got)
	}
	if e := g.expect(0, "PRESENCE_UPDATE").D; e["status"] != "dnd" || e["user"].(map[string]any)["id"] != w.User("bob").ID() {
		t.Errorf("the bot hears of %v", e)
	}
	if e := g.expect(0, "GUILD_MEMBER_UPDATE").D; e["user"].(map[string]any)["global_name"] != "Robert" {
		t.Errorf("the bot hears of %v", e)
	}
	bob := w.listed("alice", "users", "username", "bob")
	if bob["status"] != "dnd" || bob["locale"] != "de" || bob["installs"] != true || w.listed("alice", "users", "username", "carol")["status"] != "online" {
		t.Errorf("bob is listed as %v", bob)
	}
	w.drive("command", `{"as":"bob","channel":"@alice","name":"ping","hold":true}`)
	if e := g.expect(0, "INTERACTION_CREATE").D; e["locale"] != "de" || e["context"] != 2.0 {
		t.Errorf("the bot gets %v", e)
	}
	if got := w.change("PATCH", "users/bob", `{"installs":false,"global_name":""}`); got["global_name"] != "bob" {
		t.Errorf("without a name bob is %v", got)
	}
	if status, _ := w.call("POST", "command", `{"as":"bob","channel":"@alice","name":"ping","hold":true}`); status != 400 {
		t.Errorf("without the installation the command got %d", status)
	}
}

func TestARestartKeepsServersAndFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sim.discord")
	first := newWorld(t, discordsim.Config{State: file})
	messages := "/channels/" + first.channelOfBot() + "/messages"
	_, made := first.upload("POST", messages, `{}`, map[string]string{"a.txt": "kept"})
	_, gone := first.upload("POST", messages, `{}`, map[string]string{"b.txt": "gone"})
	first.rest("DELETE", messages+"/"+gone["id"].(string), "")
	_, half := first.upload("POST", messages, `{"content":"two"}`, map[string]string{"c.txt": "taken out", "d.txt": "described"})
	edited := messages + "/" + half["id"].(string)
	d := half["attachments"].([]any)[1].(map[string]any)["id"].(string)
	first.rest("PATCH", edited, `{"attachments":[{"id":"`+d+`","description":"new"}]}`)
	first.change("POST", "channels", `{"name":"cellar"}`)
	first.change("DELETE", "channels/cellar", "")
	thread := first.change("POST", "channels", `{"name":"talk","type":11,"parent":"general"}`)["id"].(string)
	first.change("PATCH", "channels/"+thread, `{"archived":true}`)
	first.change("PUT", "channels/general/overwrites", `{"of":"bob","deny":["SEND_MESSAGES"]}`)
	first.change("PUT", "guilds/Playground/members/bob", `{"permissions":["MANAGE_GUILD"],"nick":"Bobby"}`)
	first.change("PATCH", "users/bob", `{"status":"idle","locale":"de"}`)
	before := first.change("GET", "state?as=alice", "")

	second := newWorld(t, discordsim.Config{State: left(t, file)})
	after := second.change("GET", "state?as=alice", "")
	for _, part := range []string{"guilds", "channels", "users"} {
		if diff := cmp.Diff(before[part], after[part]); diff != "" {
			t.Errorf("the %s changed:\n%s", part, diff)
		}
	}
	url := made["attachments"].([]any)[0].(map[string]any)["url"].(string)
	if got := second.fetch(second.url + strings.TrimPrefix(url, first.url)); got != "kept" {
		t.Errorf("the file is %q", got)
	}
	_, kept := second.rest("PATCH", edited, `{"content":"one"}`)
	if diff := cmp.Diff([]shownFile{{"message", "d.txt", "new", 9}}, second.filesOf(kept)); diff != "" {
		t.Error(diff)
	}
	if status, _ := second.rest("PATCH", "/channels/"+thread+"/messages/1", `{}`); status != 404 {
		t.Errorf("got %d", status)
	}
}

func TestRegistrationIsAllOrNothing(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	path := "/applications/" + botID + "/commands"
	w.register(commandNames(1, "a", 100))
	w.register(commandNames(1, "b", 99))
	_, before, _ := w.raw("GET", path, "", "Bot "+token)
	if status, refused := w.rest("PUT", path, commandNames(1, "c", 2)); status != 400 || refused["code"] != 30034.0 {
		t.Errorf("got %d %v", status, refused)
	}
	if _, after, _ := w.raw("GET", path, "", "Bot "+token); after != before {
		t.Error("a refused list changed the commands")
	}
	guild := "/applications/" + botID + "/guilds/" + w.guild() + "/commands"
	for n, list := range []string{commandNames(1, "a", 100), commandNames(1, "b", 100), commandNames(1, "c", 1)} {
		status, text, _ := w.raw("PUT", guild, list, "Bot "+token)
		if refused := status == 400 && strings.Contains(text, `"code":30034`); refused != (n == 2) {
			t.Errorf("list %d of a server's own got %d %.100s", n, status, text)
		}
	}
	if status, refused := w.rest("POST", path, `{"name":"one","description":"x"}`); status != 201 {
		t.Errorf("the last of the global ones got %d %v", status, refused)
	}
}

func TestWhereACommandIsOffered(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	w.register(`[{"name":"old","description":"x","dm_permission":false},{"type":2,"name":"Greet"},
		{"name":"go","description":"x","options":[{"type":7,"name":"where","description":"x","channel_types":[5]}]}]`)
	w.change("POST", "channels", `{"name":"talk","type":11,"parent":"general"}`)
	w.change("POST", "channels", `{"name":"news","type":5}`)
	for _, c := range []struct{ name, deny, body, says string }{
		{"an older one, in a server", "", `"channel":"general","name":"old"`, ""},
		{"an older one, outside servers", "", `"channel":"@tictactoe","name":"old"`, "outside servers"},
		{"a menu", "", `"channel":"general","name":"Greet","target":"bob"`, ""},
		{"a menu where one may not write", "SEND_MESSAGES", `"channel":"general","name":"Greet","target":"bob"`, "may not use"},
		{"a menu in a thread where one may write", "SEND_MESSAGES", `"channel":"talk","name":"Greet","target":"bob"`, ""},
		{"a menu in a thread where one may not", "SEND_MESSAGES_IN_THREADS", `"channel":"talk","name":"Greet","target":"bob"`, "may not use"},
		{"a slash command where one may not write", "SEND_MESSAGES", `"channel":"general","name":"go"`, ""},
		{"no command at all", "USE_APPLICATION_COMMANDS", `"channel":"general","name":"go"`, "may not use"},
		{"a channel of the kind that is asked for", "", `"channel":"general","name":"go","options":{"where":"news"}`, ""},
		{"a channel of another kind", "", `"channel":"general","name":"go","options":{"where":"general"}`, `no "general"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			denied := "[]"
			if c.deny != "" {
				denied = `["` + c.deny + `"]`
			}
			w.change("PUT", "channels/general/overwrites", `{"of":"bob","deny":`+denied+`}`)
			status, answer := w.call("POST", "command", `{"as":"bob",`+c.body+`,"hold":true}`)
			said, _ := answer["error"].(string)
			if (status == http.StatusOK) != (c.says == "") || !strings.Contains(said, c.says) {
				t.Errorf("got %d %v, want %q", status, answer, c.says)
			}
		})
	}
}

func TestAdministratorsSayWhoUsesACommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	w := newWorld(t, discordsim.Config{State: file, MaxConcurrency: 7})
	w.register(`[{"name":"ping","description":"x"},{"name":"admin","description":"x","default_member_permissions":"0"}]`)
	g := w.identifyWith(0)
	w.change("POST", "channels", `{"name":"lounge"}`)
	w.change("POST", "guilds/Playground/roles", `{"name":"Host"}`)
	w.change("POST", "guilds/Playground/roles", `{"name":"Guest"}`)
	w.change("PUT", "guilds/Playground/members/carol", `{"roles":["Host","Guest"]}`)
	uses := func(who, channel, command string, want bool) {
		t.Helper()
		status, answer := w.call("POST", "command", `{"as":"`+who+`","channel":"`+channel+`","name":"`+command+`","hold":true}`)
		if (status == 200) != want {
			t.Errorf("%s uses %s in %s and gets %d %v", who, command, channel, status, answer)
		}
	}
	heard := func(n int) (last map[string]any) {
		t.Helper()
		for range n {
			last = g.expect(0, "INTERACTION_CREATE").D
		}
		return last
	}
	set := func(command, permissions string) map[string]any {
		t.Helper()
		w.change("PUT", "guilds/Playground/commands/"+command+"/permissions", `{"permissions":[`+permissions+`]}`)
		return g.expect(0, "APPLICATION_COMMAND_PERMISSIONS_UPDATE").D
	}
	uses("bob", "general", "admin", false)
	d := set("admin", `{"of":"bob","allow":true},{"channel":"lounge","allow":false}`)
	bob := map[string]any{"id": w.User("bob").ID(), "type": 2.0, "permission": true}
	if d["application_id"] != botID || d["guild_id"] != w.guild() || cmp.Diff(bob, d["permissions"].([]any)[0]) != "" {
		t.Errorf("the bot hears of %v", d)
	}
	path := "/applications/" + botID + "/guilds/" + w.guild() + "/commands"
	if status, got := w.rest("GET", path+"/"+d["id"].(string)+"/permissions", ""); status != 200 || cmp.Diff(d, got) != "" {
		t.Errorf("the bot reads %d %v", status, got)
	}
	uses("bob", "general", "admin", true)
	heard(1)
	uses("bob", "lounge", "admin", false)
	uses("carol", "general", "admin", false)
	uses("alice", "lounge", "admin", true) // alice is an administrator
	heard(1)
	set("ping", `{"of":"everyone","allow":false},{"of":"Host","allow":false},{"of":"Guest","allow":true}`)
	uses("bob", "general", "ping", false)
	uses("carol", "general", "ping", true)
	heard(1)
	if d := set("*", `{"of":"bob","allow":false},{"channel":"*","allow":false},{"channel":"general","allow":true}`); d["id"] != botID {
		t.Errorf("the bot hears of %v", d)
	}
	uses("carol", "lounge", "ping", false)
	uses("carol", "general", "ping", true)
	uses("bob", "general", "admin", true) // the command's own permissions precede the application's
	heard(2)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = newWorld(t, discordsim.Config{State: file, MaxConcurrency: 7})
	if _, list := w.list(path + "/permissions"); len(list) != 3 {
		t.Errorf("after a restart the bot reads %v", list)
	}
	g = w.identifyWith(0)
	set("ping", "")
	uses("bob", "general", "ping", false) // the application's permissions forbid it
	set("*", "")
	uses("bob", "general", "ping", true)
	heard(1)
	w.register(`[{"name":"ping","description":"x"}]`) // this deletes the command admin
	if _, list := w.list(path + "/permissions"); len(list) != 0 {
		t.Errorf("the permissions of a deleted command are %v", list)
	}
	for body, want := range map[string]string{
		`ping {"permissions":[{"allow":true}]}`: "for a user or role, or for a channel", `ping {"permissions":[{"of":"zoe"}]}`: "no user and no role",
		`ping {"permissions":[{"channel":"cellar"}]}`: "no channel", `pong {"permissions":[]}`: "no command", `ping {"application":"other"}`: "no command",
	} {
		command, body, _ := strings.Cut(body, " ")
		status, answer := w.call("PUT", "guilds/Playground/commands/"+command+"/permissions", body)
		if says, _ := answer["error"].(string); status == 200 || !strings.Contains(says, want) {
			t.Errorf("%s %s got %d %v", command, body, status, answer)
		}
	}
}

func TestGroups(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	w := newWorld(t, discordsim.Config{State: file, PrivilegedIntents: true, MaxConcurrency: 7})
	if _, err := w.AddUser(discordsim.Person{Username: "ivy", Installs: true}); err != nil {
		t.Fatal(err)
	}
	w.register(pingCommand)
	g := w.identifyWith(53608447)
	id := w.change("POST", "groups", `{"name":"Trip","people":["bob","ivy","carol"]}`)["id"].(string)
	if _, err := w.User("bob").Write("Trip", "hello"); err != nil {
		t.Fatal(err)
	}
	w.change("POST", "command", `{"as":"ivy","channel":"Trip","name":"ping","hold":true}`)
	d := g.expect(0, "INTERACTION_CREATE").D // the bot has received no event for the message
	channel := d["channel"].(map[string]any)
	if d["context"] != 2.0 || d["guild_id"] != nil || channel["id"] != id || channel["type"] != 3.0 || channel["name"] != "Trip" ||
		channel["owner_id"] != w.User("bob").ID() || len(channel["recipients"].([]any)) != 3 {
		t.Errorf("the interaction is %v", d)
	}
	if icon, has := channel["icon"]; !has || icon != nil {
		t.Errorf("the group is %v", channel)
	}
	callback := fmt.Sprintf("/interactions/%s/%s/callback", d["id"], d["token"])
	if status, text, _ := w.raw("POST", callback, `{"type":4,"data":{"content":"pong"}}`, ""); status != 204 {
		t.Errorf("answering got %d %s", status, text)
	}
	for _, path := range []string{"/channels/" + id, "/channels/" + id + "/messages"} {
		if status, got := w.rest("GET", path, ""); status != 403 || got["code"] != 50001.0 {
			t.Errorf("the bot gets %s: %d %v", path, status, got)
		}
	}
	if messages, err := w.User("carol").Messages("Trip"); err != nil || len(messages) != 2 || messages[1].Content != "pong" {
		t.Errorf("carol sees %v, %v", messages, err)
	}
	if _, err := w.User("alice").Messages("Trip"); !errors.Is(err, discordsim.ErrNotFound) {
		t.Errorf("alice, who is not in the group, got %v", err)
	}
	if status, _ := w.call("POST", "command", `{"as":"bob","channel":"Trip","name":"ping"}`); status == 200 {
		t.Error("bob, who has not installed the application, uses it")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = newWorld(t, discordsim.Config{State: file})
	if messages, err := w.User("ivy").Messages(id); err != nil || len(messages) != 2 {
		t.Errorf("after a restart ivy sees %v, %v", messages, err)
	}
	if listed := w.listed("carol", "channels", "id", id); listed == nil || listed["name"] != "Trip" || w.listed("alice", "channels", "id", id) != nil {
		t.Errorf("the group is listed as %v", listed)
	}
	for body, want := range map[string]string{
		`{"name":"Solo","people":["bob"]}`: "2 to 10", `{"name":"Twins","people":["bob","bob"]}`: "twice",
		`{"name":"Bots","people":["bob","tictactoe"]}`: "no person", `{"people":["bob","carol"]}`: "1 to 100",
	} {
		if status, answer := w.call("POST", "groups", body); status == 200 || !strings.Contains(fmt.Sprint(answer["error"]), want) {
			t.Errorf("%s got %d %v", body, status, answer)
		}
	}
}
