package discordsim_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tictactoe/discordsim/check"
)

// descriptionPath returns the path of Discord's OpenAPI description.
func descriptionPath() string {
	if path := os.Getenv("DISCORD_OPENAPI"); path != "" {
		return path
	}
	return filepath.Join("..", "..", "shared", "discord-openapi.json")
}

// described returns a checker with Discord's description. If there is no description, it skips the test, or fails it if
// TICTACTOE_REQUIRE contains openapi.
func described(t *testing.T) *check.Checker {
	t.Helper()
	path := descriptionPath()
	c, err := check.New(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !strings.Contains(os.Getenv("TICTACTOE_REQUIRE"), "openapi"):
		t.Skipf("no OpenAPI description of Discord at %s; set DISCORD_OPENAPI to the file", path)
	case err != nil:
		t.Fatal(err)
	}
	return c
}

// TestAnswersAreWhatDiscordDescribes checks the simulator's responses against Discord's description, since a missing
// field would break libraries.
func TestAnswersAreWhatDiscordDescribes(t *testing.T) {
	discord := described(t)
	s := newSurface(t)
	s.register(`[{"name":"ping","description":"x","integration_types":[0,1],"contexts":[0,1,2],"name_localizations":{"de":"pong"},"options":[
		{"type":1,"name":"go","description":"x","options":[{"type":4,"name":"n","description":"x","min_value":1,"choices":[{"name":"one","value":1}]}]}]}]`)
	d := s.heard("command", `{"as":"alice","channel":"general","name":"ping go","hold":true,"options":{"n":1}}`)
	thread := s.change("POST", "channels", `{"name":"talk","type":11,"parent":"general"}`)["id"].(string)
	s.change("PUT", "channels/general/overwrites", `{"of":"bob","deny":["SEND_MESSAGES"]}`)
	s.change("PUT", "guilds/Playground/members/bob", `{"permissions":["MANAGE_GUILD"],"nick":"Bobby"}`)
	general, server := s.channel("general"), s.guild()
	_, plain := s.upload("POST", "/channels/"+general+"/messages", `{"content":"<@`+s.ivy+`>","embeds":[{"title":"t"}]}`, map[string]string{"a.txt": "a"})
	polled := s.written(`{"poll":` + poll + `,"shared_client_theme":{"colors":["5865F2"],"gradient_angle":90,"base_mix":50}}`)
	_, reply := s.rest("POST", "/channels/"+general+"/messages", fmt.Sprintf(`{"content":"x","message_reference":{"message_id":%q}}`, plain["id"]))
	forward := s.written(fmt.Sprintf(`{"message_reference":{"type":1,"message_id":%q,"channel_id":%q}}`, plain["id"], general))
	snapshot, err := json.Marshal(forward["message_snapshots"].([]any)[0])
	if err != nil {
		t.Fatal(err)
	}
	_, callback, _ := s.raw("POST", fmt.Sprintf("/interactions/%s/%s/callback?with_response=true", d["id"], d["token"]),
		`{"type":4,"data":{"flags":32768,"components":[`+texts+`,{"type":1,"components":[{"type":2,"style":1,"label":"go","custom_id":"go"}]},
		{"type":1,"components":[{"type":3,"custom_id":"s","options":[{"label":"a","value":"a"}]}]},
		{"type":17,"components":[{"type":14},{"type":9,"components":[`+texts+`],"accessory":{"type":2,"style":5,"label":"x","url":"https://example.com"}}]}]}}`, "")
	_, media := s.upload("POST", "/channels/"+general+"/messages", `{"flags":32768,"components":[{"type":13,"file":{"url":"attachment://a.txt"}},
		{"type":12,"items":[{"media":{"url":"https://example.com/a.png"}},{"media":{"url":"attachment://a.txt"},"description":"d","spoiler":true}]},
		{"type":9,"components":[`+texts+`],"accessory":{"type":11,"media":{"url":"https://example.com/a.png"}}},
		{"type":1,"components":[{"type":2,"style":2,"custom_id":"e","emoji":{"name":"❌"}}]},
		{"type":1,"components":[{"type":5,"custom_id":"u","default_values":[{"id":"1","type":"user"}]}]},{"type":1,"components":[{"type":8,"custom_id":"c"}]}]}`,
		map[string]string{"a.txt": "a"})
	messages, err := s.User("alice").Messages("general")
	if err != nil {
		t.Fatal(err)
	}
	rich := messages[len(messages)-2].ID
	_, direct := s.rest("POST", "/users/@me/channels", `{"recipient_id":"`+s.ivy+`"}`)
	emoji := s.emoji("b2_x", pngBytes())
	get := func(path string) string {
		t.Helper()
		status, text, _ := s.raw("GET", path, "", "Bot "+token)
		if status != http.StatusOK {
			t.Fatalf("%s got %d %s", path, status, text)
		}
		return text
	}
	first := func(list string) string {
		var items []json.RawMessage
		if err := json.Unmarshal([]byte(list), &items); err != nil || len(items) == 0 {
			t.Fatalf("no list: %s", list)
		}
		return string(items[0])
	}
	for name, c := range map[string]struct{ schema, text string }{
		"a callback":              {"InteractionCallbackResponse", callback},
		"a message":               {"MessageResponse", get("/channels/" + general + "/messages/" + plain["id"].(string))},
		"a reply":                 {"MessageResponse", get("/channels/" + general + "/messages/" + reply["id"].(string))},
		"what is forwarded":       {"MessageSnapshotResponse", string(snapshot)}, // Discord's description names no schema for this field of a message
		"a poll and a theme":      {"MessageResponse", get("/channels/" + general + "/messages/" + polled["id"].(string))},
		"a rich message":          {"MessageResponse", get("/channels/" + general + "/messages/" + rich)},
		"a message with media":    {"MessageResponse", get("/channels/" + general + "/messages/" + media["id"].(string))},
		"a channel":               {"GuildChannelResponse", get("/channels/" + general)},
		"a channel of a server":   {"GuildChannelResponse", first(get("/guilds/" + server + "/channels"))},
		"a thread":                {"ThreadResponse", get("/channels/" + thread)},
		"direct messages":         {"PrivateChannelResponse", get("/channels/" + direct["id"].(string))},
		"a server":                {"GuildWithCountsResponse", get("/guilds/" + server + "?with_counts=true")},
		"a member":                {"GuildMemberResponse", get("/guilds/" + server + "/members/" + s.User("bob").ID())},
		"a role":                  {"GuildRoleResponse", first(get("/guilds/" + server + "/roles"))},
		"a command":               {"ApplicationCommandResponse", first(get("/applications/" + botID + "/commands?with_localizations=true"))},
		"a command without words": {"ApplicationCommandResponse", first(get("/applications/" + botID + "/commands"))},
		"the bot itself":          {"UserPIIResponse", get("/users/@me")},
		"a person":                {"UserResponse", get("/users/" + s.ivy)},
		"an application":          {"PrivateApplicationResponse", get("/applications/@me")},
		"a server of the bot's":   {"MyGuildResponse", first(get("/users/@me/guilds"))},
		"the gateway":             {"GatewayBotResponse", get("/gateway/bot")},
		"an emoji":                {"EmojiResponse", get(appEmojis + "/" + emoji)},
		"emoji":                   {"ListApplicationEmojisResponse", get(appEmojis)},
	} {
		t.Run(name, func(t *testing.T) {
			if err := discord.Answer(c.schema, []byte(c.text)); err != nil {
				t.Errorf("%v\n%s", err, c.text)
			}
		})
	}
}
