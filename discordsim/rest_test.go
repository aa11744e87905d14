package discordsim_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

func TestRefusals(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	hidden, err := w.AddServer(discordsim.Server{Name: "Hidden", Channels: []string{"attic"}, BotsAbsent: true})
	if err != nil {
		t.Fatal(err)
	}
	general, attic := w.channel("general"), w.channel("attic")
	w.register(pingCommand)
	theirs, err := w.User("alice").Write("general", "mine")
	if err != nil {
		t.Fatal(err)
	}
	direct, err := w.User("alice").Write("@tictactoe", "psst")
	if err != nil {
		t.Fatal(err)
	}
	private, err := w.User("alice").Write("@bob", "between us")
	if err != nil {
		t.Fatal(err)
	}
	const bot = "Bot "
	app := "/applications/" + botID
	for _, c := range []struct {
		name         string
		method, path string
		body         string
		auth         string
		status, code int
	}{
		{"no token", "GET", "/users/@me", "", "", 401, 0},
		{"a token that is no bot's", "GET", "/users/@me", "", "Bearer " + token, 401, 0},
		{"a token that names no application", "GET", "/users/@me", "", bot + "abc.def.ghi", 401, 0},
		{"a route that does not exist", "GET", "/nowhere", "", bot + token, 404, 0},
		{"an unknown user", "GET", "/users/1", "", bot + token, 404, 10013},
		{"an unknown server", "GET", "/guilds/1", "", bot + token, 404, 10004},
		{"a server it is not in", "GET", "/guilds/" + hidden, "", bot + token, 403, 50001},
		{"somebody who is no member", "GET", "/guilds/" + w.guild() + "/members/1", "", bot + token, 404, 10007},
		{"an unknown channel", "GET", "/channels/1", "", bot + token, 404, 10003},
		{"a channel of a server it is not in", "GET", "/channels/" + attic, "", bot + token, 403, 50001},
		{"writing there", "POST", "/channels/" + attic + "/messages", `{"content":"x"}`, bot + token, 403, 50001},
		{"direct messages of others", "GET", "/channels/" + private.ChannelID + "/messages", "", bot + token, 403, 50001},
		{"an unknown message", "GET", "/channels/" + general + "/messages/1", "", bot + token, 404, 10008},
		{"a message of another channel", "GET", "/channels/" + general + "/messages/" + direct.ID, "", bot + token, 404, 10008},
		{"editing another's message", "PATCH", "/channels/" + general + "/messages/" + theirs.ID, `{"content":"x"}`, bot + token, 403, 50005},
		{"deleting another's message", "DELETE", "/channels/" + general + "/messages/" + theirs.ID, "", bot + token, 403, 50013},
		{"deleting another's direct message", "DELETE", "/channels/" + direct.ChannelID + "/messages/" + direct.ID, "", bot + token, 403, 50003},
		{"an empty message", "POST", "/channels/" + general + "/messages", `{}`, bot + token, 400, 50006},
		{"a message that is too long", "POST", "/channels/" + general + "/messages", `{"content":"` + strings.Repeat("x", 2001) + `"}`, bot + token, 400, 50035},
		{"a body that is not JSON", "POST", "/channels/" + general + "/messages", `{`, bot + token, 400, 50109},
		{"a reply to nothing", "POST", "/channels/" + general + "/messages", `{"content":"x","message_reference":{"message_id":"1"}}`, bot + token, 400, 50035},
		{"more messages than a page has", "GET", "/channels/" + general + "/messages?limit=101", "", bot + token, 400, 50035},
		{"messages to nobody", "POST", "/users/@me/channels", `{}`, bot + token, 400, 50035},
		{"messages to somebody unknown", "POST", "/users/@me/channels", `{"recipient_id":"1"}`, bot + token, 404, 10013},
		{"messages to a bot", "POST", "/users/@me/channels", `{"recipient_id":"` + botID + `"}`, bot + token, 403, 50007},
		{"commands of an unknown application", "GET", "/applications/1/commands", "", bot + token, 404, 10002},
		{"commands of another application", "GET", app + "/commands", "", bot + tokenOf("42"), 403, 20012},
		{"commands of a server it is not in", "GET", app + "/guilds/" + hidden + "/commands", "", bot + token, 403, 50001},
		{"an unknown command", "GET", app + "/commands/1", "", bot + token, 404, 10063},
		{"a command with a bad name", "POST", app + "/commands", `{"name":"Not OK","description":"x"}`, bot + token, 400, 50035},
		{"an unknown interaction", "POST", "/interactions/1/abc/callback", sayPong, "", 404, 10062},
		{"a webhook of an unknown application", "POST", "/webhooks/1/abc", `{"content":"x"}`, "", 404, 10015},
		{"a webhook token that never was", "POST", "/webhooks/" + botID + "/abc", `{"content":"x"}`, "", 401, 50027},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, text, header := w.raw(c.method, c.path, c.body, c.auth)
			if status != c.status || !strings.Contains(text, fmt.Sprintf(`"code":%d`, c.code)) || !strings.Contains(text, `"message":"`) {
				t.Errorf("got %d %s, want %d with code %d", status, text, c.status, c.code)
			}
			if got := header.Get("Content-Type"); got != "application/json" {
				t.Errorf("the body is of type %q", got)
			}
		})
	}
}

func (w *world) guild() string {
	w.t.Helper()
	_, ch := w.rest("GET", "/channels/"+w.channel("general"), "")
	return ch["guild_id"].(string)
}

func TestPermissions(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	w.register(pingCommand)
	general := w.channel("general")
	status, made := w.rest("POST", "/channels/"+general+"/messages", `{"content":"board"}`)
	if status != http.StatusOK {
		t.Fatalf("got %d %v", status, made)
	}
	path := "/channels/" + general + "/messages"

	t.Run("without the right to write, a bot may still edit", func(t *testing.T) {
		if err := w.SetOverwrite(general, "tictactoe", 0, discordsim.SendMessages); err != nil {
			t.Fatal(err)
		}
		if status, refused := w.rest("POST", path, `{"content":"x"}`); status != 403 || refused["code"] != 50013.0 {
			t.Errorf("writing got %d %v", status, refused)
		}
		if status, _ := w.rest("PATCH", path+"/"+made["id"].(string), `{"content":"edited"}`); status != 200 {
			t.Errorf("editing got %d", status)
		}
	})
	t.Run("in a hidden channel it may do nothing", func(t *testing.T) {
		if err := w.SetOverwrite(general, "tictactoe", 0, discordsim.ViewChannel); err != nil {
			t.Fatal(err)
		}
		if status, refused := w.rest("PATCH", path+"/"+made["id"].(string), `{"content":"x"}`); status != 403 || refused["code"] != 50001.0 {
			t.Errorf("editing got %d %v", status, refused)
		}
	})
	t.Run("a person without it sees no channel and uses no command", func(t *testing.T) {
		if err := w.SetOverwrite(general, "bob", 0, discordsim.UseApplicationCommands); err != nil {
			t.Fatal(err)
		}
		if _, err := w.User("bob").Command(t.Context(), "general", "ping", nil); err == nil || !strings.Contains(err.Error(), "may not use commands") {
			t.Errorf("got %v", err)
		}
		if err := w.SetOverwrite(general, "", 0, discordsim.ViewChannel); err != nil {
			t.Fatal(err)
		}
		if _, err := w.User("carol").Messages("general"); err == nil {
			t.Error("carol reads a hidden channel")
		}
	})
}

func TestCommands(t *testing.T) {
	const path = "/applications/" + botID + "/commands"
	list := func(w *world, query string) string {
		_, text, _ := w.raw("GET", path+query, "", "Bot "+token)
		return text
	}
	t.Run("a bulk overwrite keeps ids, and versions of what did not change", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		w.register(`[{"name":"one","description":"1"},{"name":"two","description":"2"}]`)
		before := list(w, "")
		w.register(`[{"name":"two","description":"2"},{"name":"one","description":"1"}]`)
		if after := list(w, ""); after != before {
			t.Errorf("an unchanged list became\n%s\nwas\n%s", after, before)
		}
		w.register(`[{"name":"two","description":"changed"}]`)
		after := list(w, "")
		two := before[strings.Index(before, `},{"id":"`)+3:]
		id := two[:strings.Index(two, `,"version`)]
		if strings.Contains(after, `"name":"one"`) || !strings.Contains(after, id[:30]) || strings.Contains(after, two) {
			t.Errorf("got %s", after)
		}
	})
	t.Run("creating is 201 and creating again is 200", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		for _, want := range []int{201, 200} {
			if status, text, _ := w.raw("POST", path, `{"name":"one","description":"1"}`, "Bot "+token); status != want {
				t.Errorf("got %d %s, want %d", status, text, want)
			}
		}
	})
	t.Run("translations are listed on demand", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		w.register(`[{"name":"one","description":"1","name_localizations":{"de":"eins"}}]`)
		if text := list(w, ""); strings.Contains(text, "eins") {
			t.Errorf("got %s", text)
		}
		if text := list(w, "?with_localizations=true"); !strings.Contains(text, "eins") {
			t.Errorf("got %s", text)
		}
	})
	t.Run("one translation is listed for a client that names its language", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		w.register(`[{"name":"one","description":"1","name_localizations":{"de":"eins","en-GB":"single"},"name_localized":"never read","options":[
			{"type":3,"name":"o","description":"2","description_localizations":{"de":"zwei"},"choices":[{"name":"c","name_localizations":{"de":"drei"},"value":"v"}]}]}]`)
		for locale, want := range map[string]string{"": "", "de": "eins zwei drei", "en-US": "single", "fr": ""} {
			req, err := http.NewRequest("GET", w.url+"/api/v10"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bot "+token)
			if locale != "" {
				req.Header.Set("X-Discord-Locale", locale)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, found := range regexp.MustCompile(`_localized":"([^"]*)"`).FindAllStringSubmatch(string(text), -1) {
				got = append(got, found[1])
			}
			if strings.Join(got, " ") != want || strings.Contains(string(text), "localizations") {
				t.Errorf("%q: got %s", locale, text)
			}
		}
	})
	t.Run("one is changed and deleted", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		_, made := w.rest("POST", path, `{"name":"one","description":"1","default_member_permissions":8}`)
		if made["default_member_permissions"] != "8" {
			t.Errorf("permissions are %v", made["default_member_permissions"])
		}
		one := path + "/" + made["id"].(string)
		status, changed := w.rest("PATCH", one, `{"description":"better"}`)
		if status != 200 || changed["description"] != "better" || changed["name"] != "one" || changed["version"] == made["version"] {
			t.Errorf("got %d %v", status, changed)
		}
		if status, refused := w.rest("PATCH", one, `{"name":"NOT OK"}`); status != 400 {
			t.Errorf("a bad name got %d %v", status, refused)
		}
		if status, _ := w.rest("DELETE", one, ""); status != 204 {
			t.Errorf("deleting got %d", status)
		}
		if status, _ := w.rest("GET", one, ""); status != 404 {
			t.Errorf("then got %d", status)
		}
	})
	t.Run("more than 200 new ones a day are refused", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		batch := func(day string) string {
			var names []string
			for i := range 100 {
				names = append(names, fmt.Sprintf(`{"name":"c%s%d","description":"x"}`, day, i))
			}
			return "[" + strings.Join(names, ",") + "]"
		}
		w.register(batch("a"))
		w.register(batch("b"))
		if status, refused := w.rest("PUT", path, `[{"name":"toomany","description":"x"}]`); status != 400 || refused["code"] != 30034.0 {
			t.Errorf("got %d %v", status, refused)
		}
		if err := w.Advance(t.Context(), 24*60*60*1e9); err != nil {
			t.Fatal(err)
		}
		w.rest("DELETE", path+"/"+"1", "")
		w.register(`[{"name":"nextday","description":"x"}]`)
	})
	t.Run("those of a server are its own", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		w.register(`[]`)
		guild := w.guild()
		status, made := w.rest("POST", "/applications/"+botID+"/guilds/"+guild+"/commands", `{"name":"here","description":"x"}`)
		if status != 201 || made["guild_id"] != guild {
			t.Errorf("got %d %v", status, made)
		}
		if text := list(w, ""); text != "[]" {
			t.Errorf("globally there is %s", text)
		}
	})
}

func TestLimitedRoutesTellTheirLimits(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	path := "/channels/" + w.channelOfBot() + "/messages"
	for i := range 6 {
		status, text, header := w.raw("POST", path, `{"content":"x"}`, "Bot "+token)
		for _, name := range []string{"Limit", "Remaining", "Reset", "Reset-After", "Bucket"} {
			if header.Get("X-RateLimit-"+name) == "" {
				t.Errorf("request %d has no X-RateLimit-%s", i, name)
			}
		}
		if i < 5 {
			if status != 200 || header.Get("X-RateLimit-Remaining") != fmt.Sprint(4-i) {
				t.Errorf("request %d: %d %s, %s remaining", i, status, text, header.Get("X-RateLimit-Remaining"))
			}
			continue
		}
		if status != 429 || !strings.Contains(text, `"retry_after":`) || header.Get("Via") == "" || strings.Contains(header.Get("Retry-After"), ".") {
			t.Errorf("the sixth request got %d %s %v", status, text, header)
		}
	}
}

func (w *world) channelOfBot() string {
	w.t.Helper()
	w.rest("GET", "/users/@me", "") // the bot joins
	return w.channel("general")
}

func TestMentions(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	alice, bob := w.User("alice").ID(), w.User("bob").ID()
	general := w.channelOfBot()
	both := fmt.Sprintf("<@%s> <@!%s> @everyone `<@%s>` <@1>", alice, bob, w.User("carol").ID())
	ids := func(m map[string]any) string {
		var list []string
		for _, u := range m["mentions"].([]any) {
			list = append(list, u.(map[string]any)["username"].(string))
		}
		return strings.Join(list, " ")
	}
	for _, c := range []struct{ name, allowed, want string }{
		{"all are let through by default", ``, "alice bob"},
		{"nobody with an empty list", `,"allowed_mentions":{"parse":[]}`, ""},
		{"all users", `,"allowed_mentions":{"parse":["users"]}`, "alice bob"},
		{"one of them, without quotes", `,"allowed_mentions":{"users":[` + bob + `]}`, "bob"},
		{"one of them", `,"allowed_mentions":{"parse":[],"users":["` + bob + `"]}`, "bob"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, discordsim.Config{})
			w.channelOfBot()
			_, m := w.rest("POST", "/channels/"+general+"/messages", fmt.Sprintf(`{"content":%q%s}`, both, c.allowed))
			if got := ids(m); got != c.want || m["mention_everyone"] != false {
				t.Errorf("mentions %q, everyone %v, want %q", got, m["mention_everyone"], c.want)
			}
			_, m = w.rest("PATCH", "/channels/"+general+"/messages/"+m["id"].(string), fmt.Sprintf(`{"content":%q}`, both))
			if got := ids(m); got != "alice bob" {
				t.Errorf("after an edit that says nothing of mentions: %q", got)
			}
		})
	}
	t.Run("a reply calls its author only if asked to", func(t *testing.T) {
		original, err := w.User("alice").Write("general", "hello")
		if err != nil {
			t.Fatal(err)
		}
		for allowed, want := range map[string]string{`{"parse":[],"replied_user":true}`: "alice", `{"parse":[]}`: ""} {
			_, m := w.rest("POST", "/channels/"+general+"/messages",
				fmt.Sprintf(`{"content":"hi","message_reference":{"message_id":%q},"allowed_mentions":%s}`, original.ID, allowed))
			if got := ids(m); got != want || m["type"] != 19.0 {
				t.Errorf("%s mentions %q in a message of type %v", allowed, got, m["type"])
			}
		}
	})
	t.Run("the texts of components count", func(t *testing.T) {
		_, m := w.rest("POST", "/channels/"+general+"/messages",
			fmt.Sprintf(`{"flags":32768,"components":[{"type":17,"components":[{"type":10,"content":"<@%s>"}]}]}`, bob))
		if got := ids(m); got != "bob" || m["flags"] != 32768.0 {
			t.Errorf("got %v", m)
		}
		container := m["components"].([]any)[0].(map[string]any)
		if container["id"] != 1.0 || container["components"].([]any)[0].(map[string]any)["id"] != 2.0 {
			t.Errorf("the components are numbered %v", container)
		}
	})
}

func TestMessagesAreListedNewestFirst(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	general := w.channelOfBot()
	var ids []string
	for i := range 5 {
		m, err := w.User("alice").Write("general", fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.ID)
	}
	for query, want := range map[string]string{
		"?limit=2": "43", "": "43210", "?limit=2&before=" + ids[3]: "21", "?limit=2&after=" + ids[1]: "32", "?limit=3&around=" + ids[2]: "321",
	} {
		_, text, _ := w.raw("GET", "/channels/"+general+"/messages"+query, "", "Bot "+token)
		got := ""
		for _, part := range strings.Split(text, `"content":"`)[1:] {
			got += part[:1]
		}
		if got != want {
			t.Errorf("%s lists %s, want %s", query, got, want)
		}
	}
}

func TestTheListsOfAMessageAreNeverNull(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	path := "/channels/" + w.channelOfBot() + "/messages"
	_, m := w.rest("POST", path, `{"content":"x"}`)
	_, edited := w.rest("PATCH", path+"/"+m["id"].(string), `{"content":"y"}`)
	for _, m := range []map[string]any{m, edited} {
		for _, list := range []string{"mentions", "mention_roles", "attachments", "embeds", "components"} {
			if m[list] == nil {
				t.Errorf("the message %q has the %s %v", m["content"], list, m[list])
			}
		}
	}
}

func TestAFormCarriesItsJSONInPayloadJSON(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	path := w.url + "/api/v9/channels/" + w.channelOfBot() + "/messages"
	form := "--edge\r\nContent-Disposition: form-data; name=\"files[0]\"; filename=\"a.txt\"\r\n\r\nfile\r\n" +
		"--edge\r\nContent-Disposition: form-data; name=\"payload_json\"\r\n\r\n{\"content\":\"with a file\"}\r\n--edge--\r\n"
	req, err := http.NewRequest("POST", path, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+token)
	req.Header.Set("Content-Type", "multipart/form-data; boundary=edge")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 || !strings.Contains(string(text), `"content":"with a file"`) {
		t.Errorf("got %d %s, %v", res.StatusCode, text, err)
	}
}

func TestComponentsAreShownWithWhatTheirBotLeftOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	at := "/channels/" + w.channel("general") + "/messages"
	_, made := w.rest("POST", at, `{"flags":32768,"components":[
		{"type":17,"components":[
			{"type":1,"components":[{"type":2,"style":1,"label":"a","custom_id":"a"}]},
			{"type":1,"components":[{"type":5,"custom_id":"s"}]},
			{"type":14},
			{"type":9,"components":[{"type":10,"content":"t"}],"accessory":{"type":11,"media":{"url":"https://example.com/a.png"}}}]},
		{"type":17,"accent_color":0,"spoiler":true,"components":[{"type":10,"content":"u"}]}]}`)
	_, text, _ := w.raw("GET", at+"/"+made["id"].(string), "", "Bot "+token)
	var got struct{ Components json.RawMessage }
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	picture := regexp.MustCompile(`"media":\{[^}]*\}`).ReplaceAllString(string(got.Components), `"media":{}`)
	want := `[{"type":17,"id":1,"accent_color":null,"spoiler":false,"components":[` +
		`{"type":1,"id":2,"components":[{"type":2,"id":3,"custom_id":"a","style":1,"label":"a"}]},` +
		`{"type":1,"id":4,"components":[{"type":5,"id":5,"custom_id":"s","min_values":1,"max_values":1}]},` +
		`{"type":14,"id":6,"divider":true,"spacing":1},` +
		`{"type":9,"id":7,"accessory":{"type":11,"id":9,"description":null,"spoiler":false,"media":{}},"components":[{"type":10,"id":8,"content":"t"}]}]},` +
		`{"type":17,"id":10,"accent_color":0,"spoiler":true,"components":[{"type":10,"id":11,"content":"u"}]}]`
	if diff := cmp.Diff(want, picture); diff != "" {
		t.Errorf("shown otherwise:\n%s", diff)
	}
}
