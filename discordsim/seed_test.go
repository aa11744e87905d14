package discordsim_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tictactoe/discordsim"
)

// quizNight is a seed that uses every part of the format.
const quizNight = `{
	"bot": {"id": "1100000000000000001", "username": "quiz", "permissions": ["MANAGE_MESSAGES"],
		"commands": [{"name": "ping", "description": "Answers pong"}, {"name": "Report", "type": 3}]},
	"users": [
		{"username": "ann", "global_name": "Ann", "locale": "de", "status": "idle"},
		{"username": "ben", "id": "200000000000000002", "installs": true},
		{"username": "cy"}
	],
	"guilds": [{
		"name": "Quiz night", "id": "300000000000000003", "locale": "en-GB", "community": true, "owner": "ben",
		"roles": [{"name": "Host", "color": 3447003, "permissions": ["MANAGE_GUILD"], "hoist": true}, {"name": "Player"}],
		"channels": [
			{"name": "Halls", "type": 4},
			{"name": "stage", "parent": "Halls", "overwrites": [{"of": "everyone", "deny": ["SEND_MESSAGES"]}, {"of": "Host", "allow": ["SEND_MESSAGES"]}]},
			{"name": "lobby"}
		],
		"members": [{"user": "ann", "nick": "Annie", "roles": ["Host", "Player"], "permissions": ["MENTION_EVERYONE"]}]
	}],
	"messages": [
		{"as": "ann", "channel": "lobby", "content": "hello"},
		{"as": "quiz", "channel": "lobby", "content": "welcome",
			"components": [{"type": 1, "components": [{"type": 2, "style": 1, "label": "Join", "custom_id": "join"}]}]}
	]
}`

func TestASeedDescribesAWorld(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{Seed: []byte(quizNight)})
	guild := find(t, w.servers(), func(map[string]any) bool { return true })
	for key, want := range map[string]any{"id": "300000000000000003", "name": "Quiz night", "locale": "en-GB", "owner_id": "200000000000000002"} {
		if guild[key] != want {
			t.Errorf("the server's %s is %v, want %v", key, guild[key], want)
		}
	}
	if len(guild["members"].([]any)) != 3 { // ann, ben, who owns it, and the bot
		t.Errorf("the members are %v", guild["members"])
	}
	_, roles := w.list("/guilds/300000000000000003/roles")
	host, player := named(t, roles, "Host"), named(t, roles, "Player")
	if host["position"].(float64) <= player["position"].(float64) || host["color"] != 3447003.0 || host["hoist"] != true {
		t.Errorf("the roles are %v and %v", host, player)
	}
	_, channels := w.list("/guilds/300000000000000003/channels")
	if named(t, channels, "stage")["parent_id"] != named(t, channels, "Halls")["id"] || named(t, channels, "lobby")["parent_id"] != nil {
		t.Errorf("the channels are %v", channels)
	}
	_, member := w.rest("GET", "/guilds/300000000000000003/members/"+w.User("ann").ID(), "")
	if roles := member["roles"].([]any); member["nick"] != "Annie" || len(roles) != 3 {
		t.Errorf("ann is %v", member)
	}
	if _, err := w.User("ann").Write("stage", "I am the host"); err != nil {
		t.Error(err)
	}
	if _, err := w.User("cy").Messages("lobby"); err == nil {
		t.Error("cy sees the channel of a server without cy")
	}
	messages, err := w.User("ann").Messages("lobby")
	if err != nil || len(messages) != 2 || messages[0].Author.Username != "ann" || messages[1].Author.Username != "quiz" || len(messages[1].Components) != 1 {
		t.Errorf("the messages are %v, %v", messages, err)
	}
	_, state, _ := w.raw("GET", "/sim/state", "", "")
	for _, want := range []string{`"locale":"de"`, `"status":"idle"`, `"installs":true`, `"name":"ping"`, `"name":"Report"`} {
		if !strings.Contains(state, want) {
			t.Errorf("no %s in %s", want, state)
		}
	}
	again := newWorld(t, discordsim.Config{Seed: []byte(quizNight)})
	if w.User("ann").ID() != again.User("ann").ID() || w.User("ann").ID() == "" {
		t.Error("ann has another id in a second simulator")
	}
}

func TestASeedHasPolls(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{Seed: []byte(`{"bot":{"username":"quiz"},"messages":[
		{"as":"alice","channel":"general","poll":{"question":"Who?","answers":["X","O"]}},
		{"as":"quiz","channel":"general","poll":{"question":{"text":"When?"},"answers":[{"poll_media":{"text":"now"}}]}}]}`)})
	messages, err := w.User("bob").Messages("general")
	if err != nil || len(messages) != 2 {
		t.Fatalf("the messages are %v, %v", messages, err)
	}
	for i, want := range []string{"Who?", "When?"} {
		if poll := messages[i].Poll; poll == nil || poll.Question.Text != want || poll.Results.Finalized {
			t.Errorf("message %d has the poll %v", i, poll)
		}
	}
}

func TestAResetGoesBackToTheBeginning(t *testing.T) {
	t.Parallel()
	for name, seed := range map[string]string{"of the default world": "", "of a seed": quizNight} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := filepath.Join(t.TempDir(), "state")
			w := newWorld(t, discordsim.Config{Seed: []byte(seed), State: state, BotName: "quiz"})
			if seed == "" {
				w.register(pingCommand)
			}
			before := asksState(t, w)
			g := w.dial("")
			g.identify("")
			g.expect(0, "GUILD_CREATE")
			channel := map[bool]string{true: "general", false: "lobby"}[seed == ""]
			user := map[bool]string{true: "bob", false: "ben"}[seed == ""]
			w.drive("users", `{"username":"dave"}`)
			w.drive("channels", `{"name":"extra"}`)
			w.drive("message", `{"as":"`+user+`","channel":"`+channel+`","content":"one more"}`)
			w.drive("command", `{"as":"`+user+`","channel":"`+channel+`","name":"ping","hold":true}`)
			direct, err := w.User(user).Write("@quiz", "psst")
			if err != nil {
				t.Fatal(err)
			}
			if status, text, _ := w.raw("PUT", "/sim/faults", `{"faults":{"lose":true}}`, ""); status != http.StatusOK {
				t.Fatal(text)
			}
			if status, text, _ := w.raw("POST", "/sim/reset", "", ""); status != http.StatusOK {
				t.Fatalf("%d %s", status, text)
			}
			g.expect(0, "CHANNEL_CREATE")
			g.expect(0, "INTERACTION_CREATE")
			g.expect(0, "GUILD_DELETE")
			g.expect(0, "GUILD_CREATE")
			if after := asksState(t, w); after != before {
				t.Errorf("the world is\n%s\nand was\n%s", after, before)
			}
			if _, faults, _ := w.raw("GET", "/sim/faults", "", ""); strings.Contains(faults, `"lose":true`) {
				t.Errorf("the faults are %s", faults)
			}
			if got := w.later("/sim/quiet?ms=0")(); got != `{"unanswered":[]}` {
				t.Errorf("quiet says %s", got)
			}
			w.drive("command", `{"as":"`+user+`","channel":"`+channel+`","name":"ping","hold":true}`)
			g.expect(0, "INTERACTION_CREATE")
			if again, err := w.User(user).Write("@quiz", "psst"); err != nil || again.ChannelID != direct.ChannelID {
				t.Errorf("the direct messages are in %v, %v, and were in %s", again, err, direct.ChannelID)
			}
			text, err := os.ReadFile(state)
			if err != nil || strings.Contains(string(text), "dave") {
				t.Errorf("the state file still has dave: %v", err)
			}
		})
	}
}

func TestAResetCanHaveASeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	if status, text, _ := w.raw("POST", "/sim/reset", quizNight, ""); status != http.StatusOK || !strings.Contains(text, `"username":"ann"`) {
		t.Errorf("%d %s", status, text)
	}
	if status, text, _ := w.raw("POST", "/sim/reset", "", ""); status != http.StatusOK || !strings.Contains(text, `"username":"alice"`) {
		t.Errorf("%d %s", status, text)
	}
	if err := w.Reset([]byte(`{"users":[{"username":"zoe"}]}`)); err != nil || w.User("zoe").ID() == "" || w.User("alice").ID() != "" {
		t.Errorf("after a reset by the method: %v", err)
	}
}

func TestImpossibleSeedsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{BotName: "quiz"})
	w.register(pingCommand)
	before := asksState(t, w)
	for seed, want := range map[string]string{
		"{\n\"users\": [\n}": "line 3",
		`{"people":[]}`:      `unknown field "people"`,
		`{} {}`:              "data after the seed",
		`{"users":[{"username":"ann"},{"username":"ann"}]}`:                                                               `users[1]: ann: the username "ann" is taken`,
		`{"users":[{"username":"ann","colour":"red"}]}`:                                                                   `users[0]: json: unknown field "colour"`,
		`{"users":[{"username":""}]}`:                                                                                     "users[0]",
		`{"users":[{"username":"ann"},{"username":"everyone"}]}`:                                                          `users[1]: everyone: nobody can have the username "everyone"`,
		`{"users":[{"username":"ann","locale":"xx"}]}`:                                                                    `"xx" is not a language`,
		`{"users":[{"username":"ann","status":"asleep"}]}`:                                                                `not "asleep"`,
		`{"users":[{"username":"ann","id":"7x"}]}`:                                                                        `users[0]: ann: the id "7x" is no snowflake`,
		`{"users":[{"username":"ann","id":"9200000000000000000"}]}`:                                                       "in the future",
		`{"users":[{"username":"ann","id":"42"},{"username":"ben","id":"42"}]}`:                                           "users[1]: ben: the id 42 is taken",
		`{"users":[{"username":"quiz"}]}`:                                                                                 `the username "quiz" is taken by a bot`,
		`{"bot":{"username":"alice"}}`:                                                                                    `bot: the username "alice" is taken`,
		`{"bot":{"username":"bo","permissions":["FLY"]}}`:                                                                 `bot: permissions: there is no permission "FLY"`,
		`{"bot":{"username":"bo","commands":[{"name":"A B","description":"x"}]}}`:                                         "bot: commands: status 400",
		`{"guilds":[{"name":""}]}`:                                                                                        "guilds[0]",
		`{"guilds":[{"name":"G","owner":"nobody"}]}`:                                                                      `guilds[0]: G: not found: no person "nobody"`,
		`{"guilds":[{"name":"G","roles":[{"name":"R"},{"name":"R"}]}]}`:                                                   `guilds[0]: G: roles[1]: the server "G" has a role "R" already`,
		`{"guilds":[{"name":"G","channels":[{"name":"c","type":99}]}]}`:                                                   "guilds[0]: G: channels[0]: c: channels of type 99",
		`{"guilds":[{"name":"G","channels":[{"name":"c"},{"name":"c"}]}]}`:                                                `channels[1]: there is a channel "c" already`,
		`{"guilds":[{"name":"G","channels":[{"name":"c","parent":"d"}]}]}`:                                                `no channel "d"`,
		`{"guilds":[{"name":"G","channels":[{"name":"c","overwrites":[{"of":"x","deny":["SEND_MESSAGES"]}]}]}]}`:          `overwrites[0]: not found: no user and no role "x"`,
		`{"guilds":[{"name":"G","members":[{"user":"alice","roles":["R"]}]}]}`:                                            `members[0]: not found: no role "R"`,
		`{"messages":[{"as":"nobody","channel":"general","content":"x"}]}`:                                                `messages[0]: nobody is called "nobody"`,
		`{"messages":[{"as":"alice","channel":"general","content":""}]}`:                                                  "messages[0]: a message has 1 to 2000 characters",
		`{"messages":[{"as":"alice","channel":"general","content":"x","embeds":[{"title":"x"}]}]}`:                        "messages[0]: alice is a person",
		`{"messages":[{"as":"alice","channel":"general","poll":{"question":{"text":"Who?"}}}]}`:                           "messages[0]: poll: json",
		`{"bot":{"username":"bo"},"messages":[{"as":"bo","channel":"general","content":"x","components":[{"type":99}]}]}`: "messages[0]: status 400",
	} {
		status, text, _ := w.raw("POST", "/sim/reset", seed, "")
		var said struct{ Error string }
		if json.Unmarshal([]byte(text), &said); status < 400 || status > 404 || !strings.HasPrefix(said.Error, "seed: ") || !strings.Contains(said.Error, want) {
			t.Errorf("%s: %d %s, want %s", seed, status, said.Error, want)
		}
		if sim, err := discordsim.New(discordsim.Config{Seed: []byte(seed)}); err == nil && !strings.Contains(want, "by a bot") {
			sim.Close()
			t.Errorf("a simulator opens with %s", seed)
		}
	}
	if after := asksState(t, w); after != before {
		t.Errorf("the world is\n%s\nand was\n%s", after, before)
	}
	state := filepath.Join(t.TempDir(), "state")
	if _, err := discordsim.New(discordsim.Config{State: state, Seed: []byte(`{"users":[{"username":""}]}`)}); err == nil {
		t.Error("a simulator opens with a wrong seed")
	}
	if _, err := os.Stat(state); !os.IsNotExist(err) {
		t.Errorf("a refused seed left a state file: %v", err)
	}
}

func TestNobodyWritesInACategory(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{Seed: []byte(quizNight)})
	if _, err := w.User("ann").Write("Halls", "hello"); err == nil {
		t.Error("ann writes in a category")
	}
	_, channels := w.list("/guilds/300000000000000003/channels")
	halls := named(t, channels, "Halls")["id"].(string)
	if status, said := w.rest("POST", "/channels/"+halls+"/messages", `{"content":"hello"}`); status != 400 || said["code"] != 50008.0 {
		t.Errorf("the bot gets %d %v", status, said)
	}
	if err := w.DeleteChannel("Halls"); err != nil {
		t.Fatal(err)
	}
	if _, channels = w.list("/guilds/300000000000000003/channels"); named(t, channels, "stage")["parent_id"] != nil {
		t.Errorf("the channels are %v", channels)
	}
}

// newID matches an id that was created by the simulator, not by the seed: its date is recent.
var newID = regexp.MustCompile(`"1[2-9]\d{17}"`)

// asksState returns the servers, people and commands, without the ids that differ between starts.
func asksState(t *testing.T, w *world) string {
	t.Helper()
	_, text, _ := w.raw("GET", "/sim/state", "", "")
	var state map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		t.Fatal(err)
	}
	return newID.ReplaceAllString(string(state["guilds"])+string(state["users"])+string(state["commands"]), `"new"`)
}

// servers returns the servers of GET /sim/state.
func (w *world) servers() []any {
	_, text, _ := w.raw("GET", "/sim/state", "", "")
	var state struct{ Guilds []any }
	json.Unmarshal([]byte(text), &state)
	return state.Guilds
}

// list returns the list in the response to a REST call.
func (w *world) list(path string) (status int, all []any) {
	status, text, _ := w.raw("GET", path, "", "Bot "+token)
	json.Unmarshal([]byte(text), &all)
	return status, all
}

func named(t *testing.T, all []any, name string) map[string]any {
	t.Helper()
	return find(t, all, func(o map[string]any) bool { return o["name"] == name })
}

func find(t *testing.T, all []any, is func(map[string]any) bool) map[string]any {
	t.Helper()
	for _, one := range all {
		if o := one.(map[string]any); is(o) {
			return o
		}
	}
	t.Fatalf("not in %v", all)
	return nil
}
