package discordsim_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

const richCommand = `[{"name":"game","description":"x","integration_types":[0],"contexts":[0],"options":[
	{"type":1,"name":"start","description":"x","options":[
		{"type":6,"name":"opponent","description":"x","required":true},
		{"type":3,"name":"clock","description":"x","choices":[{"name":"1 minute","value":"1m"},{"name":"5 minutes","value":"5m"}]},
		{"type":4,"name":"size","description":"x","min_value":3,"max_value":5},
		{"type":5,"name":"rated","description":"x"},
		{"type":3,"name":"note","description":"x","max_length":5},
		{"type":7,"name":"where","description":"x"},
		{"type":8,"name":"role","description":"x"}]},
	{"type":2,"name":"admin","description":"x","options":[{"type":1,"name":"reset","description":"x"}]}]},
	{"name":"Challenge","type":2,"integration_types":[0],"contexts":[0]}]`

func TestCallsThatMakeNoSense(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	w.register(richCommand)
	_, board := w.rest("POST", "/channels/"+w.channel("general")+"/messages", `{"content":"x","components":[{"type":1,"components":[
		{"type":2,"style":1,"label":"go","custom_id":"go"},{"type":2,"style":1,"label":"off","custom_id":"off","disabled":true},
		{"type":2,"style":5,"label":"link","url":"https://example.com"}]},
		{"type":1,"components":[{"type":3,"custom_id":"pick","options":[{"label":"a","value":"a"},{"label":"b","value":"b"}]}]}]}`)
	id := board["id"].(string)
	command := func(name, options string) string {
		return fmt.Sprintf(`{"as":"alice","channel":"general","name":%q,"options":%s}`, name, options)
	}
	for _, c := range []struct {
		name, call, body string
		status           int
		says             string
	}{
		{"not JSON", "click", `{`, 400, "documented"},
		{"a field that is not documented", "click", `{"as":"alice","message":"` + id + `","button":1}`, 400, "button"},
		{"nobody", "command", `{"as":"zoe","channel":"general","name":"game start"}`, 404, "zoe"},
		{"a bot acting", "command", `{"as":"tictactoe","channel":"general","name":"game start"}`, 404, "tictactoe"},
		{"no channel", "command", `{"as":"alice","channel":"cellar","name":"game start"}`, 404, "cellar"},
		{"no command", "command", command("chess", `{}`), 404, "chess"},
		{"no subcommand", "command", command("game stop", `{}`), 404, "stop"},
		{"a command that needs a subcommand", "command", command("game", `{}`), 400, "alone"},
		{"a group without its subcommand", "command", command("game admin", `{}`), 400, "alone"},
		{"a slash command with a target", "command", `{"as":"alice","channel":"general","name":"game start","target":"bob"}`, 404, "game start"},
		{"a required option missing", "command", command("game start", `{}`), 400, `"opponent" is required`},
		{"an option that does not exist", "command", command("game start", `{"opponent":"bob","colour":1}`), 400, `"colour"`},
		{"a user that does not exist", "command", command("game start", `{"opponent":"zoe"}`), 400, "zoe"},
		{"a value that is no choice", "command", command("game start", `{"opponent":"bob","clock":"2m"}`), 400, "choices"},
		{"a text where a number belongs", "command", command("game start", `{"opponent":"bob","size":"3"}`), 400, `"size"`},
		{"half a number", "command", command("game start", `{"opponent":"bob","size":3.5}`), 400, `"size"`},
		{"a number that is too large", "command", command("game start", `{"opponent":"bob","size":6}`), 400, `"size"`},
		{"a number where yes or no belongs", "command", command("game start", `{"opponent":"bob","rated":1}`), 400, `"rated"`},
		{"a text that is too long", "command", command("game start", `{"opponent":"bob","note":"longer"}`), 400, `"note"`},
		{"a channel that does not exist", "command", command("game start", `{"opponent":"bob","where":"cellar"}`), 400, "cellar"},
		{"a role that does not exist", "command", command("game start", `{"opponent":"bob","role":"king"}`), 400, "king"},
		{"a command not offered in direct messages", "command", `{"as":"alice","channel":"@tictactoe","name":"game start","options":{"opponent":"bob"}}`, 400, "not offered"},
		{"a menu on nobody", "command", `{"as":"alice","channel":"general","name":"Challenge","target":"zoe"}`, 404, "zoe"},
		{"no message", "click", `{"as":"alice","message":"1","index":0}`, 404, "1"},
		{"no button named", "click", `{"as":"alice","message":"` + id + `"}`, 400, "custom_id"},
		{"a button that is not there", "click", `{"as":"alice","message":"` + id + `","label":"stop"}`, 409, "no such button"},
		{"an index beyond the buttons", "click", `{"as":"alice","message":"` + id + `","index":3}`, 409, "no such button"},
		{"a disabled button", "click", `{"as":"alice","message":"` + id + `","index":1}`, 409, "disabled"},
		{"a link", "click", `{"as":"alice","message":"` + id + `","label":"link"}`, 400, "no interaction"},
		{"no select", "select", `{"as":"alice","message":"` + id + `","custom_id":"go","values":["a"]}`, 409, "no select"},
		{"too many values", "select", `{"as":"alice","message":"` + id + `","custom_id":"pick","values":["a","b"]}`, 400, "1 to 1"},
		{"a value that is no option", "select", `{"as":"alice","message":"` + id + `","custom_id":"pick","values":["c"]}`, 400, `"c"`},
		{"no modal", "modal", `{"as":"alice","interaction":"1","fields":{}}`, 404, "modal"},
		{"no duration", "clock", `{"advance":"soon"}`, 400, "duration"},
		{"a step back", "clock", `{"advance":"-1h"}`, 400, "back"},
		{"a name with Discord's", "users", `{"username":"discordfan"}`, 400, "cannot contain"},
		{"a name that mentions all", "users", `{"username":"everyone"}`, 400, "cannot be"},
		{"a name with an at sign", "users", `{"username":"@here"}`, 400, "cannot contain"},
		{"a name with a number sign", "users", `{"username":"a#b"}`, 400, "cannot contain"},
		{"a name of one letter", "users", `{"username":"a"}`, 400, "length"},
		{"a name that is taken", "users", `{"username":"bob"}`, 400, "taken"},
		{"an empty message", "message", `{"as":"alice","channel":"general","content":""}`, 400, "characters"},
		{"dismissing what everybody sees", "dismiss", `{"as":"alice","message":"` + id + `"}`, 400, "ephemeral"},
		{"deleting nothing", "delete", `{"message":"1"}`, 404, "1"},
		{"a call that does not exist", "dance", `{}`, 404, "dance"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, text, _ := w.raw("POST", "/sim/"+c.call, c.body, "")
			if status != c.status || !strings.Contains(text, `{"error":"`) || !strings.Contains(strings.ReplaceAll(text, `\"`, `"`), c.says) {
				t.Errorf("got %d %s, want %d and %q", status, text, c.status, c.says)
			}
		})
	}
}

func TestOptionsArriveAsDiscordSendsThem(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	w.register(richCommand)
	g := w.dial("")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	w.drive("command", `{"as":"alice","channel":"general","name":"game start","hold":true,
		"options":{"rated":true,"opponent":"bob","clock":"5 minutes","size":4,"where":"#general","note":"hey"}}`)
	d := g.expect(0, "INTERACTION_CREATE").D["data"].(map[string]any)
	bob := w.User("bob").ID()
	want := []any{map[string]any{"name": "start", "type": 1.0, "options": []any{
		map[string]any{"name": "opponent", "type": 6.0, "value": bob},
		map[string]any{"name": "clock", "type": 3.0, "value": "5m"},
		map[string]any{"name": "size", "type": 4.0, "value": 4.0},
		map[string]any{"name": "rated", "type": 5.0, "value": true},
		map[string]any{"name": "note", "type": 3.0, "value": "hey"},
		map[string]any{"name": "where", "type": 7.0, "value": w.channel("general")},
	}}}
	if diff := cmp.Diff(want, d["options"]); diff != "" {
		t.Errorf("options differ:\n%s", diff)
	}
	resolved := d["resolved"].(map[string]any)
	if resolved["users"].(map[string]any)[bob] == nil || resolved["members"].(map[string]any)[bob] == nil || resolved["channels"] == nil {
		t.Errorf("resolved is %v", resolved)
	}
	for _, ch := range resolved["channels"].(map[string]any) {
		ch := ch.(map[string]any)
		if ch["app_permissions"] == nil || ch["permissions"] == nil || ch["permission_overwrites"] != nil {
			t.Errorf("the resolved channel is %v", ch)
		}
	}

	w.drive("command", `{"as":"alice","channel":"general","name":"Challenge","target":"tictactoe","hold":true}`)
	d = g.expect(0, "INTERACTION_CREATE").D["data"].(map[string]any)
	if d["target_id"] != botID || d["type"] != 2.0 || d["resolved"].(map[string]any)["users"].(map[string]any)[botID] == nil {
		t.Errorf("the menu sent %v", d)
	}
}

// pong answers everything with the same public text.
func pong(t *testing.T) func(*discordgo.Session, *discordgo.Interaction) {
	return func(s *discordgo.Session, i *discordgo.Interaction) {
		respond(t, s, i, 4, &discordgo.InteractionResponseData{Content: "pong"})
	}
}

func TestUserInstall(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t, discordsim.Config{})
	got := make(chan *discordgo.Interaction, 8)
	w.openBot(func(s *discordgo.Session, i *discordgo.Interaction) {
		got <- i
		pong(t)(s, i)
	})
	w.register(pingCommand)
	if _, err := w.AddServer(discordsim.Server{Name: "Elsewhere", Channels: []string{"lobby"}, BotsAbsent: true}); err != nil {
		t.Fatal(err)
	}
	ivy, err := w.AddUser(discordsim.Person{Username: "ivy", GlobalName: "Ivy", Installs: true})
	if err != nil {
		t.Fatal(err)
	}

	t.Run("who has not installed the application cannot use it where it is no member", func(t *testing.T) {
		if _, err := w.User("alice").Command(ctx, "lobby", "ping", nil); err == nil || !strings.Contains(err.Error(), "installed neither") {
			t.Errorf("got %v", err)
		}
	})
	for channel, where := range map[string]discordgo.InteractionContextType{"lobby": 0, "@alice": 2} {
		t.Run("who has uses it in "+channel, func(t *testing.T) {
			r, err := ivy.Command(ctx, channel, "ping", nil)
			if err != nil || r.Status != discordsim.Answered || r.Ephemeral {
				t.Fatalf("got %+v, %v", r, err)
			}
			i := <-got
			if want := map[discordgo.ApplicationIntegrationType]string{1: ivy.ID()}; cmp.Diff(want, i.AuthorizingIntegrationOwners) != "" || i.Context != where {
				t.Errorf("authorised by %v in context %v", i.AuthorizingIntegrationOwners, i.Context)
			}
			status, refused := w.rest("PATCH", "/channels/"+i.ChannelID+"/messages/"+r.Message.ID, `{"content":"x"}`)
			if status != 403 || refused["code"] != 50001.0 {
				t.Errorf("an edit by the bot token got %d %v", status, refused)
			}
			if status, edited := w.rest("PATCH", "/webhooks/"+botID+"/"+i.Token+"/messages/@original", `{"content":"x"}`); status != 200 {
				t.Errorf("an edit by the interaction's token got %d %v", status, edited)
			}
		})
	}
	t.Run("both installations are told where both hold", func(t *testing.T) {
		if _, err := ivy.Command(ctx, "general", "ping", nil); err != nil {
			t.Fatal(err)
		}
		if i := <-got; i.AuthorizingIntegrationOwners[0] != i.GuildID || i.AuthorizingIntegrationOwners[1] != ivy.ID() {
			t.Errorf("authorised by %v", i.AuthorizingIntegrationOwners)
		}
	})
	t.Run("where external applications may not speak, answers are private", func(t *testing.T) {
		lobby := ""
		messages, err := ivy.Messages("lobby")
		if err != nil {
			t.Fatal(err)
		}
		lobby = messages[0].ChannelID
		if err := w.SetOverwrite(lobby, "", 0, discordsim.UseExternalApps); err != nil {
			t.Fatal(err)
		}
		r, err := ivy.Command(ctx, "lobby", "ping", nil)
		if err != nil || !r.Ephemeral {
			t.Errorf("got %+v, %v", r, err)
		}
		<-got
	})
}

func TestDrivingFromOutside(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	w.openBot(func(s *discordgo.Session, i *discordgo.Interaction) {
		flags := discordgo.MessageFlags(0)
		if i.Type == discordgo.InteractionMessageComponent {
			flags = discordgo.MessageFlagsEphemeral
		}
		respond(t, s, i, 4, &discordgo.InteractionResponseData{Content: "pong", Flags: flags, Components: []discordgo.MessageComponent{
			discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.SelectMenu{
				CustomID: "who", MenuType: discordgo.UserSelectMenu,
			}}},
		}})
	})
	w.register(pingCommand)
	events := w.events("alice")

	r := w.drive("command", `{"as":"alice","channel":"general","name":"ping"}`)
	message := r["message"].(map[string]any)
	if r["status"] != "answered" || r["ephemeral"] != false || r["modal"] != nil || r["error"] != nil {
		t.Errorf("the command: %v", r)
	}
	for _, want := range []string{`interaction "status":"pending"`, `message "content":"pong"`, `interaction "status":"answered"`} {
		kind, part, _ := strings.Cut(want, " ")
		if e := <-events; e.kind != kind || !strings.Contains(e.data, part) {
			t.Errorf("got the event %v, want %s", e, want)
		}
	}

	r = w.drive("select", fmt.Sprintf(`{"as":"bob","message":%q,"custom_id":"who","values":["carol"]}`, message["id"]))
	private := r["message"].(map[string]any)
	if r["ephemeral"] != true || private["flags"] != 64.0 {
		t.Errorf("the select: %v", r)
	}
	if e := <-events; e.kind != "interaction" {
		t.Errorf("got the event %v", e)
	}
	if e := <-events; e.kind != "interaction" || strings.Contains(e.data, "pong") {
		t.Errorf("alice got %v, but the reply was private", e)
	}

	r = w.drive("click", fmt.Sprintf(`{"as":"carol","message":%q,"custom_id":"forged","forge":true,"hold":true}`, message["id"]))
	if r["status"] != "held" {
		t.Errorf("the forged click: %v", r)
	}
	_, text, _ := w.raw("GET", "/sim/interactions/"+r["interaction"].(string), "", "")
	if !strings.Contains(text, `"status":"answered"`) {
		t.Errorf("then: %s", text)
	}

	w.drive("dismiss", fmt.Sprintf(`{"as":"bob","message":%q}`, private["id"]))
	w.drive("delete", fmt.Sprintf(`{"message":%q}`, message["id"]))
	w.drive("message", `{"as":"bob","channel":"general","content":"<@`+w.User("alice").ID()+`> hi"}`)
	w.drive("clock", `{"advance":"1h"}`)
	w.drive("users", `{"username":"dave","global_name":"Dave","locale":"de"}`)
	for _, want := range []string{`delete`, `message "ping":true`, `clock "offset_ms":3600000`, `state`} {
		kind, part, _ := strings.Cut(want, " ")
		e := <-events
		for e.kind == "interaction" {
			e = <-events
		}
		if e.kind != kind || !strings.Contains(e.data, part) {
			t.Errorf("got the event %v, want %s", e, want)
		}
	}
	_, text, _ = w.raw("GET", "/sim/messages?channel=general&as=bob", "", "")
	var seen []discordsim.Message
	if err := json.Unmarshal([]byte(text), &seen); err != nil || len(seen) != 1 {
		t.Errorf("bob sees %s, %v", text, err)
	}
	_, text, _ = w.raw("GET", "/sim/state", "", "")
	for _, part := range []string{`"offset_ms":3600000`, `"username":"dave"`, `"locale":"de"`, `"connected":true`, `"name":"ping"`, `"name":"Playground"`} {
		if !strings.Contains(text, part) {
			t.Errorf("the state has no %s: %s", part, text)
		}
	}
}

type sse struct{ kind, data string }

// events returns the events of a person's stream, from now on.
func (w *world) events(as string) <-chan sse {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, "GET", w.url+"/sim/events?as="+as, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	lines.Scan() // the greeting
	events := make(chan sse, 64)
	go func() {
		defer res.Body.Close()
		var e sse
		for lines.Scan() {
			if kind, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				e.kind = kind
			}
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				e.data = data
				events <- e
			}
		}
	}()
	return events
}

func TestRecordHasEveryExchangeWithoutTokens(t *testing.T) {
	t.Parallel()
	r := &recorder{}
	w := newWorld(t, discordsim.Config{Record: r.add})
	heard := make(chan struct{})
	w.openBot(func(s *discordgo.Session, i *discordgo.Interaction) {
		defer close(heard)
		pong(t)(s, i)
	})
	w.register(pingCommand)
	if _, err := w.User("alice").Command(context.Background(), "general", "ping", nil); err != nil {
		t.Fatal(err)
	}
	<-heard // alice sees the answer before the bot gets the response to its callback
	var routes []string
	for _, e := range r.all() {
		routes = append(routes, fmt.Sprintf("%s %s %d", e.Method, e.Route, e.Status))
		if strings.Contains(e.Path, "aW50ZXJhY3Rpb2") {
			t.Errorf("the path %s has a token", e.Path)
		}
	}
	want := []string{"GET /gateway 200", "PUT /applications/{app}/commands 200", "POST /interactions/{interaction}/{token}/callback 204"}
	if diff := cmp.Diff(want, routes); diff != "" {
		t.Errorf("recorded:\n%s", diff)
	}
}

// drives are the calls with a body, except load, which runs for as long as its body asks.
var drives = []string{
	"command", "autocomplete", "click", "select", "modal", "users", "guilds", "channels", "message", "dismiss", "delete", "gateway",
}

// FuzzDrive tests that every call that drives the simulator is answered with JSON, and never with an internal
// error.
func FuzzDrive(f *testing.F) {
	for i, seed := range []string{
		`{"as":"alice","channel":"general","name":"tictactoe challenge","options":{"opponent":"bob","first":"me"}}`,
		`{"as":"alice","channel":"general","name":"tictactoe","option":"x","value":"y"}`,
		`{"as":"alice","message":"1","button":"b2","index":-1,"hold":true,"forge":true,"custom_id":"x"}`,
		`{"as":"alice","message":"1","custom_id":"x","values":["1",2,null]}`,
		`{"as":"alice","interaction":"1","values":{"x":"y"}}`,
		`{"name":"dave","bot":true}`, `{"name":"a server","members":["alice"]}`, `{"name":"x","guild":"y","kind":"thread"}`,
		`{"as":"alice","channel":"general","text":"hello <@1> @everyone"}`, `{"as":"alice","message":"1"}`, `{"message":"1"}`,
		`{"action":"drop"}`, `{"options":{"a":{"b":[1e400]}}}`, `null`, `[]`, `"`, ``,
	} {
		f.Add(i, seed)
	}
	f.Fuzz(func(t *testing.T, call int, body string) {
		sim, err := discordsim.New(discordsim.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		path := "/sim/" + drives[(call%len(drives)+len(drives))%len(drives)]
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
		w := httptest.NewRecorder()
		sim.Handler().ServeHTTP(w, r)
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %q: %d %s", path, body, w.Code, w.Body)
		}
	})
}
