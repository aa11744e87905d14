package bot_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
)

func TestCommandIDs(t *testing.T) {
	const listed = `[{"id":"71","type":1,"name":"tictactoe","description":"Play"},{"id":"72","type":2,"name":"Challenge"},null]`
	use := func(f *fake, interaction, data string) {
		f.gateway().interaction(interaction, `"type":2,"data":`+data)
		synctest.Wait()
	}

	inBubble(t, "without session limits", func(t *testing.T, f *fake) {
		ids := new(bot.CommandIDs)
		f.run(func(c *config) { c.CommandIDs = ids })
		if got := ids.Of("tictactoe") + (*bot.CommandIDs)(nil).Of("tictactoe"); got != "" {
			t.Error(got)
		}
	})

	inBubble(t, "registering commands yields the ids of slash commands", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.Method == http.MethodPut && strings.HasSuffix(c.Path, "/commands") {
				return 200, listed
			}
			return 0, ""
		}
		ids := new(bot.CommandIDs)
		f.run(func(c *config) { c.Commands, c.CommandIDs = tree, ids })
		if got := ids.Of("tictactoe") + " " + ids.Of("Challenge"); got != "71 " {
			t.Error(got)
		}
	})

	inBubble(t, "commands found registered yield their ids too", func(t *testing.T, f *fake) {
		f.commands = `[{"id":"73","name":"tictactoe","description":"Play"}]`
		ids := new(bot.CommandIDs)
		f.run(func(c *config) { c.Commands, c.CommandIDs = tree, ids })
		if got := ids.Of("tictactoe"); got != "73" {
			t.Error(got)
		}
		if put := f.made(func(c call) bool { return c.Method == http.MethodPut }); len(put) != 0 {
			t.Error(put)
		}
	})

	inBubble(t, "a server's command that is also global is removed after its first use", func(t *testing.T, f *fake) {
		const ofServer = "/applications/123/guilds/g1/commands"
		f.commands = `[{"id":"73","name":"tictactoe","description":"Play"}]`
		f.respond = func(c call) (int, string) {
			if c.Method == http.MethodGet && strings.HasSuffix(c.Path, ofServer) {
				return 200, `[{"id":"91","type":1,"name":"tictactoe"},{"id":"92","type":2,"name":"tictactoe"},{"id":"93","type":1,"name":"other"}]`
			}
			return 0, ""
		}
		f.run(func(c *config) { c.Commands = tree })
		for _, id := range []string{"1", "2"} {
			use(f, id, `{"id":"91","type":1,"name":"tictactoe","guild_id":"g1"}`)
			use(f, id+"0", `{"id":"73","type":1,"name":"tictactoe"}`)
		}
		var made []string
		for _, c := range f.made(func(c call) bool { return strings.Contains(c.Path, ofServer) }) {
			made = append(made, c.Method+" "+c.Path[strings.Index(c.Path, ofServer):])
		}
		if diff := cmp.Diff([]string{"GET " + ofServer, "DELETE " + ofServer + "/91"}, made); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "using a command yields its id, and the latest id counts", func(t *testing.T, f *fake) {
		ids := new(bot.CommandIDs)
		f.run(func(c *config) { c.CommandIDs = ids })
		for i, id := range []string{"81", "82"} { // the command was deleted and registered again in between
			use(f, []string{"1", "2"}[i], `{"id":"`+id+`","type":1,"name":"tictactoe"}`)
			if got := ids.Of("tictactoe"); got != id {
				t.Errorf("%q, want %s", got, id)
			}
		}
		use(f, "3", `{"id":"83","type":1,"name":"tictactoe","guild_id":"g1"}`)
		use(f, "4", `{"id":"84","type":2,"name":"tictactoe","target_id":"u2"}`)
		use(f, "5", `{"type":1,"name":"tictactoe"}`)
		if got := ids.Of("tictactoe"); got != "82" {
			t.Errorf("a server's command, a context-menu command or a command without an id changed the id to %q", got)
		}
	})
}
