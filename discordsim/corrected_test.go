package discordsim_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

// TestAnEditOfACommandReplacesLists tests that an edit replaces a list as a whole, so that no part of an old option remains in a
// new one.
func TestAnEditOfACommandReplacesLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	commands := "/applications/" + botID + "/commands"
	_, made := w.rest("POST", commands, `{"name":"size","description":"x","name_localizations":{"fr":"taille"},
		"options":[{"type":4,"name":"size","description":"x","required":true,"min_value":1}]}`)
	status, edited := w.rest("PATCH", fmt.Sprint(commands, "/", made["id"]), `{"name_localizations":{"de":"groesse"},"options":[{"type":3,"name":"size","description":"x"}]}`)
	option, _ := edited["options"].([]any)[0].(map[string]any)
	if status != 200 || option["required"] == true || option["min_value"] != nil {
		t.Errorf("%d %v", status, option)
	}
	if diff := cmp.Diff(map[string]any{"de": "groesse"}, edited["name_localizations"]); diff != "" {
		t.Error(diff)
	}
}

// TestWhatEverybodyMayDoStays tests that the permissions that a bot gave to @everyone survive a restart.
func TestWhatEverybodyMayDoStays(t *testing.T) {
	t.Parallel()
	config := discordsim.Config{State: t.TempDir() + "/x.discord"}
	first := newWorld(t, config)
	first.mayInGeneral(discordsim.ManageRoles | discordsim.SendMessages)
	roles := "/guilds/" + first.guild() + "/roles"
	if status, refused := first.rest("PATCH", roles+"/"+first.guild(), `{"permissions":"1024"}`); status != 200 {
		t.Fatal(refused)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again := newWorld(t, config)
	_, text, _ := again.raw("GET", roles, "", "Bot "+token)
	var stored []struct{ Name, Permissions string }
	if err := json.Unmarshal([]byte(text), &stored); err != nil || stored[0].Name != "@everyone" || stored[0].Permissions != "1024" {
		t.Errorf("everybody may do %+v, %v", stored, err)
	}
}

// TestACorrectedCallbackOfAnAutocompletion tests that a corrected callback is accepted once, and that the typed text
// arrives unchanged.
func TestACorrectedCallbackOfAnAutocompletion(t *testing.T) {
	t.Parallel()
	s := newSurface(t)
	const typing = `{"as":"alice","channel":"general","name":"ping","options":{"word":1000000},"focused":"word"}`
	d := s.heard("autocomplete", typing)
	options := d["data"].(map[string]any)["options"].([]any)
	if value := options[0].(map[string]any)["value"]; value != "1000000" {
		t.Errorf("what was typed arrives as %q", value)
	}
	callback := fmt.Sprintf("/interactions/%s/%s/callback", d["id"], d["token"])
	for _, answer := range []struct {
		body   string
		status int
	}{{`{"type":8}`, 400}, {`{"type":8,"data":{"choices":[]}}`, 204}, {`{"type":8,"data":{"choices":[]}}`, 400}} {
		if status, said, _ := s.raw("POST", callback, answer.body, ""); status != answer.status {
			t.Errorf("%s: %d %s, want %d", answer.body, status, said, answer.status)
		}
	}
}

// TestServersOfABotByPages tests the pages of the list of a bot's servers, forwards and backwards, and the bot's
// permissions in the list.
func TestServersOfABotByPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	w.rest("GET", "/users/@me", "")
	for _, name := range []string{"B", "C"} {
		if _, err := w.AddServer(discordsim.Server{Name: name, Community: name == "C"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.AddServer(discordsim.Server{Name: "without the bot", BotsAbsent: true}); err != nil {
		t.Fatal(err)
	}
	list := func(query string) (guilds []struct {
		ID, Permissions string
		Features        []string
		Members         int `json:"approximate_member_count"`
	}) {
		t.Helper()
		_, text, _ := w.raw("GET", "/users/@me/guilds?"+query, "", "Bot "+token)
		if err := json.Unmarshal([]byte(text), &guilds); err != nil {
			t.Fatal(text)
		}
		return guilds
	}
	all := list("with_counts=true")
	if len(all) != 3 || all[2].Members == 0 || all[0].Permissions == "" || len(all[2].Features) != 1 {
		t.Fatalf("%+v", all)
	}
	if page := list("limit=1&before=" + all[2].ID); len(page) != 1 || page[0].ID != all[1].ID {
		t.Errorf("the page before the last is %+v", page)
	}
	if page := list("limit=1&after=" + all[0].ID); len(page) != 1 || page[0].ID != all[1].ID {
		t.Errorf("the page after the first is %+v", page)
	}
	if _, own := w.rest("GET", "/applications/@me", ""); own["approximate_guild_count"] != 3.0 {
		t.Errorf("it is said to be in %v servers", own["approximate_guild_count"])
	}
}

// TestWhoCannotBe tests that invalid people and servers are refused both when they are added and when they are
// changed.
func TestWhoCannotBe(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	for _, c := range [][2]string{
		{"users", `{"username":"dave","locale":"german"}`},
		{"guilds", `{"name":"X","locale":"german"}`},
		{"guilds", `{"name":"X","channels":[""]}`},
	} {
		if status, said := w.call("POST", c[0], c[1]); status != 400 {
			t.Errorf("%s: %d %v", c[1], status, said)
		}
	}
}
