package discordsim_test

import (
	"fmt"
	"strings"
	"testing"

	"tictactoe/discordsim"
)

func TestABotAsksForMembers(t *testing.T) {
	t.Parallel()
	const members, presences = 1 << 1, 1 << 8
	prepare := func(t *testing.T) *world {
		w := newWorld(t, discordsim.Config{PrivilegedIntents: true})
		offline := "offline"
		if err := w.ChangeUser("carol", discordsim.PersonChange{Status: &offline}); err != nil {
			t.Fatal(err)
		}
		if err := w.SetMember("", "bob", discordsim.Membership{Nick: "Alibi"}); err != nil {
			t.Fatal(err)
		}
		return w
	}
	some := prepare(t) // people have the same ids in every simulator
	alice, bob := some.User("alice").ID(), some.User("bob").ID()
	for _, c := range []struct {
		name    string
		intents int
		ask     string
		want    string // the names, then the other fields
	}{
		{"all, with the intent", members, `"query":"","limit":0`, "alice bob carol tictactoe"},
		{"all, without it", 0, `"query":"","limit":0`, "no answer"},
		{"some by the beginning of username or nick", 0, `"query":"AL","limit":0`, "alice bob"},
		{"one of those", 0, `"query":"al","limit":1`, "alice"},
		{"any two", 0, `"query":"","limit":2`, "alice bob"},
		{"nobody", 0, `"query":"zoe","limit":5`, ""},
		{"one by id", 0, `"user_ids":"` + bob + `"`, "bob not found []"},
		{"two by ids, one of them unknown", 0, `"user_ids":["` + alice + `","7"]`, "alice not found [7]"},
		{"with a nonce", 0, `"query":"alice","limit":1,"nonce":"n1"`, "alice nonce n1"},
		{"with a nonce that is too long", 0, `"query":"alice","limit":1,"nonce":"` + strings.Repeat("n", 33) + `"`, "alice"},
		{"with who is there", members | presences, `"query":"","limit":0,"presences":true`, "alice bob carol tictactoe there 3"},
		{"with who is there, without the intent for it", members, `"query":"","limit":0,"presences":true`, "alice bob carol tictactoe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := prepare(t)
			server := w.guild()
			g := w.dial("")
			g.expect(10, "")
			g.send(fmt.Sprintf(`{"op":2,"d":{"properties":{},"token":%q,"intents":%d}}`, token, c.intents))
			g.expect(0, "READY")
			g.send(`{"op":8,"d":{"guild_id":"` + server + `",` + c.ask + `}}`)
			g.send(`{"op":1,"d":null}`) // the acknowledgement comes after the members
			e, err := g.read()
			if err != nil {
				t.Fatal(err)
			}
			got := "no answer"
			if e.T == "GUILD_MEMBERS_CHUNK" {
				var names []string
				for _, m := range e.D["members"].([]any) {
					names = append(names, m.(map[string]any)["user"].(map[string]any)["username"].(string))
				}
				got = strings.Join(names, " ")
				if list, there := e.D["not_found"]; there {
					got += fmt.Sprint(" not found ", list)
				}
				if nonce, there := e.D["nonce"]; there {
					got += fmt.Sprint(" nonce ", nonce)
				}
				if list, there := e.D["presences"]; there {
					got += fmt.Sprint(" there ", len(list.([]any)))
				}
				if e.D["guild_id"] != server || e.D["chunk_index"] != 0.0 || e.D["chunk_count"] != 1.0 {
					t.Errorf("got %v", e.D)
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestABotAsksForMembersOfAServerThatItIsNotIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	server, err := w.AddServer(discordsim.Server{Name: "Elsewhere", BotsAbsent: true})
	if err != nil {
		t.Fatal(err)
	}
	g := w.dial("")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	g.send(`{"op":8,"d":{"guild_id":"` + server + `","query":"a","limit":1}}`)
	g.send(`{"op":1,"d":null}`)
	g.expect(11, "")
}

func TestMoreThan1000MembersComeInChunks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{PrivilegedIntents: true})
	for i := range 1000 {
		if _, err := w.AddUser(discordsim.Person{Username: fmt.Sprint("extra-", i)}); err != nil {
			t.Fatal(err)
		}
	}
	g := w.dial("")
	g.expect(10, "")
	g.send(fmt.Sprintf(`{"op":2,"d":{"properties":{},"token":%q,"intents":2}}`, token))
	g.expect(0, "READY")
	g.send(`{"op":8,"d":{"guild_id":["` + w.guild() + `"],"query":"","limit":0}}`)
	for i, want := range []int{1000, 4} {
		e := g.expect(0, "GUILD_MEMBERS_CHUNK").D
		if n := len(e["members"].([]any)); n != want || e["chunk_index"] != float64(i) || e["chunk_count"] != 2.0 {
			t.Errorf("chunk %d: %d members, index %v of %v", i, n, e["chunk_index"], e["chunk_count"])
		}
	}
}

func TestABotInTooManyServersHasToBeSharded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	w.rest("GET", "/users/@me", "") // creates the bot, which joins all later servers
	for i := range 2500 {
		if _, err := w.AddServer(discordsim.Server{Name: fmt.Sprint("S", i)}); err != nil {
			t.Fatal(err)
		}
	}
	g := w.dial("")
	g.expect(10, "")
	g.send(`{"op":2,"d":{"properties":{},"token":"` + token + `","intents":0}}`)
	if code := g.closed(); code != 4011 {
		t.Errorf("closed with %d", code)
	}
	w.dial("").identify(`,"shard":[0,2]`)
	if _, said := w.rest("GET", "/gateway/bot", ""); fmt.Sprint(said["shards"]) != "3" {
		t.Errorf("%v shards are recommended", said["shards"])
	}
}
