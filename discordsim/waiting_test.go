package discordsim_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"tictactoe/discordsim"
)

// later makes a call in the background. body waits for the response and returns its body.
func (w *world) later(path string) (body func() string) {
	said := make(chan string, 1)
	go func() {
		status, text, _ := w.raw("GET", path, "", "")
		if status != http.StatusOK {
			text = http.StatusText(status) + " " + text
		}
		said <- text
	}()
	return func() string { return <-said }
}

func TestABotIsReadyOnceItIsConnectedAndHasACommand(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{BotName: "quiz"})
	byName, anyBot, withoutCommands := w.later("/sim/ready?bot=quiz"), w.later("/sim/ready"), w.later("/sim/ready?bot="+botID+"&commands=0")
	g := w.dial("")
	g.identify("")
	if got := withoutCommands(); got != `{"application":"`+botID+`","username":"quiz","commands":[]}` {
		t.Errorf("connected without commands: %s", got)
	}
	w.register(pingCommand)
	for _, ready := range []func() string{byName, anyBot} {
		if got := ready(); got != `{"application":"`+botID+`","username":"quiz","commands":["ping"]}` {
			t.Errorf("ready is %s", got)
		}
	}
}

func TestItIsQuietOnceEveryInteractionIsSettled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	w.register(pingCommand)
	g := w.dial("")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	use := func() (callback string) {
		w.drive("command", `{"as":"alice","channel":"general","name":"ping","hold":true}`)
		d := g.expect(0, "INTERACTION_CREATE").D
		return "/interactions/" + d["id"].(string) + "/" + d["token"].(string) + "/callback"
	}
	if status, _ := w.rest("POST", use(), sayPong); status != http.StatusNoContent {
		t.Fatalf("got %d", status)
	}
	if got := w.later("/sim/quiet?ms=0")(); got != `{"unanswered":[]}` {
		t.Errorf("after an answer: %s", got)
	}
	second := use()
	quiet := w.later("/sim/quiet?ms=20") // while the interaction is pending
	if status, _ := w.rest("POST", second, `{"type":99}`); status != http.StatusBadRequest {
		t.Fatalf("got %d", status)
	}
	var seen struct{ Unanswered []discordsim.Result }
	if text := quiet(); json.Unmarshal([]byte(text), &seen) != nil || len(seen.Unanswered) != 1 || seen.Unanswered[0].Status != discordsim.Failed {
		t.Errorf("after a refused callback: %s", text)
	}
	if got := w.later("/sim/quiet?ms=soon")(); !strings.Contains(got, "Bad Request") || !strings.Contains(got, "milliseconds") {
		t.Errorf("with a word for a number: %s", got)
	}
}
