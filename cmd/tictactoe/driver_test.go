package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tictactoe/discordsim"
)

// driver controls a local Discord over its HTTP API.
type driver struct {
	t      *testing.T
	url    string
	client *http.Client
}

func newDriver(t *testing.T, url string) *driver {
	d := &driver{t, url, &http.Client{Timeout: patience, Transport: &http.Transport{}}}
	t.Cleanup(d.client.CloseIdleConnections)
	return d
}

// address returns the host and port.
func (d *driver) address() string { return strings.TrimPrefix(d.url, "http://") }

// ask calls a documented route of the API. It retries while the local Discord is not running yet.
func (d *driver) ask(method, call string, body, into any) {
	d.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		d.t.Fatal(err)
	}
	var response *http.Response
	waitUntil(d.t, d.url+" answers", func() bool {
		request, err := http.NewRequestWithContext(d.t.Context(), method, d.url+"/sim/"+call, bytes.NewReader(text))
		if err != nil {
			d.t.Fatal(err)
		}
		response, err = d.client.Do(request)
		if err != nil && !errors.Is(err, syscall.ECONNREFUSED) {
			d.t.Fatal(err)
		}
		return err == nil
	})
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		d.t.Fatalf("%s %s %s: %d %s", method, call, text, response.StatusCode, answer)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		d.t.Fatalf("%s %s: %v\n%s", method, call, err, answer)
	}
}

// state returns the fields of GET /sim/state that the tests need.
func (d *driver) state() (s struct {
	Commands []struct{} `json:"commands"`
	Bots     []struct {
		Connected bool   `json:"connected"`
		Endpoint  string `json:"interactions_endpoint_url"`
	} `json:"bots"`
}) {

	d.t.Helper()
	d.ask("GET", "state", nil, &s)
	return s
}

// connected reports whether a bot is connected over the gateway, or reachable over HTTP.
func (d *driver) connected() bool {
	d.t.Helper()
	bots := d.state().Bots
	return len(bots) > 0 && (bots[0].Connected || bots[0].Endpoint != "")
}

// awaitBot waits until a bot is connected.
func (d *driver) awaitBot() {
	d.t.Helper()
	waitUntil(d.t, "a bot with commands is connected", func() bool { return d.connected() && len(d.state().Commands) > 0 })
}

func (d *driver) messages(as string) (all []*discordsim.Message) {
	d.t.Helper()
	d.ask("GET", "messages?channel=general&as="+as, nil, &all)
	return all
}

// latest returns the id of the newest public message, empty if there is none.
func (d *driver) latest() string {
	d.t.Helper()
	for _, m := range slices.Backward(d.messages("alice")) {
		if m.Flags&64 == 0 && len(m.Components) > 0 { // a turn mention has only content, no components
			return m.ID
		}
	}
	return ""
}

// latestBoard returns the newest message with a board. A newer message may be a turn mention.
func (d *driver) latestBoard() string {
	d.t.Helper()
	for _, m := range slices.Backward(d.messages("alice")) {
		if m.Flags&64 == 0 && len(buttonsOf(m)) >= 9 {
			return m.ID
		}
	}
	return ""
}

func (d *driver) message(id string) *discordsim.Message {
	d.t.Helper()
	all := d.messages("alice")
	i := slices.IndexFunc(all, func(m *discordsim.Message) bool { return m.ID == id })
	if i < 0 {
		d.t.Fatalf("there is no message %q", id)
	}
	return all[i]
}

func (d *driver) board(id string) string {
	d.t.Helper()
	return boardOf(d.message(id))
}

func (d *driver) wantBoard(id, want string) {
	d.t.Helper()
	if got := d.board(id); got != want {
		d.t.Fatalf("the board is %s, want %s:\n%s", got, want, textOf(d.message(id)))
	}
}

func (d *driver) wantText(id, part string) {
	d.t.Helper()
	if got := textOf(d.message(id)); !strings.Contains(got, part) {
		d.t.Fatalf("%q is not in:\n%s", part, got)
	}
}

// act performs an action as a user and checks that it is answered.
func (d *driver) act(call string, body map[string]any) (r discordsim.Result) {
	d.t.Helper()
	d.ask("POST", call, body, &r)
	if r.Status != "answered" {
		d.t.Fatalf("%s %v ended as %q: %v", call, body, r.Status, r.Error)
	}
	return r
}

// hold performs an action as a user without waiting for the answer, and returns the interaction's id.
func (d *driver) hold(call string, body map[string]any) string {
	d.t.Helper()
	body["hold"] = true
	var r discordsim.Result
	d.ask("POST", call, body, &r)
	return r.Interaction
}

// settled waits until an interaction is answered, or Discord no longer waits for the answer.
func (d *driver) settled(interaction string) (r discordsim.Result) {
	d.t.Helper()
	d.ask("GET", "interactions/"+interaction, nil, &r)
	return r
}

func (d *driver) wantAnswered(interaction string) {
	d.t.Helper()
	if r := d.settled(interaction); r.Status != "answered" {
		d.t.Fatalf("the click ended as %q: %v", r.Status, r.Error)
	}
}

func (d *driver) command(as, name string, options map[string]any) discordsim.Result {
	d.t.Helper()
	return d.act("command", map[string]any{"as": as, "channel": "general", "name": name, "options": options})
}

// press clicks the button with the given label, or the square of the given name.
func (d *driver) press(as, message, button string) discordsim.Result {
	d.t.Helper()
	return d.act("click", d.click(as, message, button))
}

// send is like press, but does not wait for the answer.
func (d *driver) send(as, message, button string) string {
	d.t.Helper()
	return d.hold("click", d.click(as, message, button))
}

func (d *driver) click(as, message, button string) map[string]any {
	d.t.Helper()
	m := d.message(message)
	for _, b := range buttonsOf(m) {
		if b.Label == button || strings.HasPrefix(b.CustomID, "play:") && strings.HasSuffix(b.CustomID, ":"+button) {
			return map[string]any{"as": as, "message": message, "custom_id": b.CustomID}
		}
	}
	d.t.Fatalf("there is no button %q on:\n%s\n%s", button, textOf(m), boardOf(m))
	return nil
}

// submit submits the modal that was opened by an interaction.
func (d *driver) submit(as string, opened discordsim.Result) discordsim.Result {
	d.t.Helper()
	if opened.Modal == nil {
		d.t.Fatal("no form was opened")
	}
	return d.act("modal", map[string]any{"as": as, "interaction": opened.Interaction})
}

func (d *driver) advance(by string) {
	d.t.Helper()
	var now struct{}
	d.ask("POST", "clock", map[string]any{"advance": by}, &now)
}
