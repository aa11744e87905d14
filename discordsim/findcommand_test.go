package discordsim_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tictactoe/discordsim"
)

// twoBots returns two applications that both have the commands /ping and /colour, and the menu Wave.
func twoBots(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, discordsim.Config{})
	for _, app := range []string{botID, "42"} {
		status, text, _ := w.raw("PUT", "/applications/"+app+"/commands", `[{"name":"ping","description":"x"},
			{"name":"colour","description":"x","options":[{"type":3,"name":"name","description":"x","autocomplete":true}]},
			{"name":"Wave","type":2}]`, "Bot "+tokenOf(app))
		if status != 200 {
			t.Fatalf("registering: %d %s", status, text)
		}
	}
	return w
}

func TestACommandThatTwoBotsHave(t *testing.T) {
	t.Parallel()
	w := twoBots(t)
	both := "tictactoe (application " + botID + ")"
	for _, c := range []struct {
		name, call, body string
		status           int
		says             []string
	}{
		{"is ambiguous", "command", `"name":"ping"`, 409, []string{both, "bot-42 (application 42)", "application"}},
		{"is ambiguous in a menu", "command", `"name":"Wave","target":"bob"`, 409, []string{both, "bot-42"}},
		{"is ambiguous in an autocompletion", "autocomplete", `"name":"colour","focused":"name"`, 409, []string{both, "bot-42"}},
		{"is ambiguous in a load", "load", `"seconds":1,"command":"ping"`, 409, []string{both, "bot-42"}},
		{"is none of a bot that there is not", "command", `"name":"ping","application":"zoe"`, 404, []string{"no bot", "zoe"}},
		{"is none of a person", "command", `"name":"ping","application":"bob"`, 404, []string{"no bot", "bob"}},
		{"may be missing", "command", `"name":"pong","application":"42"`, 404, []string{"bot-42", "no command", "pong"}},
		{"is delivered to the bot of an id", "command", `"name":"ping","hold":true,"application":"42"`, 200, []string{"held"}},
		{"is delivered to the bot of a name", "command", `"name":"Wave","target":"bob","hold":true,"application":"tictactoe"`, 200, []string{"held"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := `{"as":"alice","channel":"general",` + c.body + `}`
			if c.call == "load" {
				body = `{` + c.body + `}`
			}
			status, text, _ := w.raw("POST", "/sim/"+c.call, body, "")
			for _, says := range c.says {
				if status != c.status || !strings.Contains(text, says) {
					t.Errorf("%d %s, want %d with %q", status, text, c.status, says)
				}
			}
		})
	}
}

func TestACommandIsOfTheBotThatIsNamed(t *testing.T) {
	t.Parallel()
	w := twoBots(t)
	if _, err := w.User("alice").Command(t.Context(), "general", "ping", nil); !errors.Is(err, discordsim.ErrAmbiguous) {
		t.Errorf("got %v", err)
	}
	for _, app := range []string{botID, "42"} {
		g := w.dial("")
		g.expect(10, "")
		g.send(fmt.Sprintf(`{"op":2,"d":{"token":%q,"intents":0,"properties":{}}}`, tokenOf(app)))
		g.expect(0, "READY")
		done := make(chan error, 1)
		go func() {
			_, err := w.User("alice").Using(app).Command(t.Context(), "general", "ping", nil)
			done <- err
		}()
		e := g.expect(0, "INTERACTION_CREATE")
		if e.D["application_id"] != app {
			t.Errorf("%s got the interaction of %v", app, e.D["application_id"])
		}
		callback := fmt.Sprintf("/interactions/%s/%s/callback", e.D["id"], e.D["token"])
		if status, text, _ := w.raw("POST", callback, sayPong, ""); status != 204 {
			t.Errorf("%d %s", status, text)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	// If only one of the bots' commands can be used, the call need not name a bot.
	if err := w.RemoveMember("Playground", "bot-42"); err != nil {
		t.Fatal(err)
	}
	if status, text, _ := w.raw("POST", "/sim/command", `{"as":"alice","channel":"general","name":"ping","hold":true}`, ""); status != 200 {
		t.Errorf("%d %s", status, text)
	}
}
