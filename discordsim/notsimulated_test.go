package discordsim_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

func TestTheListOfDiscordsRoutesIsThatOfItsDescription(t *testing.T) {
	text, err := os.ReadFile(descriptionPath())
	if errors.Is(err, fs.ErrNotExist) && !strings.Contains(os.Getenv("TICTACTOE_REQUIRE"), "openapi") {
		t.Skipf("no OpenAPI description of Discord at %s; set DISCORD_OPENAPI to the file", descriptionPath())
	}
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(text, &described); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for path, operations := range described.Paths {
		path = strings.ReplaceAll(path, "/@original", "/{message_id}")
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if _, has := operations[strings.ToLower(method)]; has {
				want[method+" "+path] = true
			}
		}
	}
	list, err := os.ReadFile("rest/discord-routes.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(list)), "\n")
	slices.Sort(got)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), got); diff != "" {
		t.Errorf("discord-routes.txt differs from Discord's description:\n%s", diff)
	}
}

func TestEveryRouteOfDiscordIsSimulatedOrSaysThatItIsNot(t *testing.T) {
	list, err := os.ReadFile("rest/discord-routes.txt")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, discordsim.Config{})
	for pattern := range strings.Lines(string(list)) {
		method, path, _ := strings.Cut(strings.TrimSpace(pattern), " ")
		for strings.Contains(path, "{") {
			before, after, _ := strings.Cut(path, "{")
			_, after, _ = strings.Cut(after, "}")
			path = before + "1" + after
		}
		status, text, _ := w.raw(method, path, "", "Bot "+tokenOf("42"))
		switch {
		case status == http.StatusNotFound && strings.Contains(text, `"code":0`), status == http.StatusMethodNotAllowed:
			t.Errorf("%s %s seems not to be there: %d %s", method, path, status, text)
		case status == http.StatusNotImplemented && !strings.Contains(text, strings.TrimSpace(pattern)):
			t.Errorf("%s %s does not say what is missing: %s", method, path, text)
		}
	}
}

func TestWhatIsNotSimulatedLeavesAMark(t *testing.T) {
	var log bytes.Buffer
	w := newWorld(t, discordsim.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	w.rest("GET", "/users/@me", "")
	g := w.dial("")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	for range 2 {
		w.rest("GET", "/guilds/"+w.guild()+"/invites", "")
	}
	g.send(`{"op":4,"d":{"guild_id":"1","channel_id":null,"self_mute":false,"self_deaf":false}}`)
	g.send(`{"op":43,"d":{}}`)
	g.send(`{"op":1,"d":null}`)
	g.expect(11, "")
	if etf := w.dial("?encoding=etf").closed(); etf != 4002 {
		t.Errorf("etf is closed with %d", etf)
	}
	invites := "GET /guilds/{guild_id}/invites"
	state := w.change("GET", "state", "")["bots"].([]any)[0].(map[string]any)["not_simulated"]
	if diff := cmp.Diff([]any{
		map[string]any{"what": invites, "times": 2.0},
		map[string]any{"what": "Update Voice State (op 4)", "times": 1.0},
		map[string]any{"what": "Request Channel Info (op 43)", "times": 1.0},
	}, state); diff != "" {
		t.Errorf("the state differs:\n%s", diff)
	}
	var transcript bytes.Buffer
	if err := w.WriteTranscript(&transcript, discordsim.TranscriptFilter{}); err != nil {
		t.Fatal(err)
	}
	var marked []string
	for text := range strings.Lines(transcript.String()) {
		var line discordsim.Line
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		if line.Absent != "" {
			marked = append(marked, line.Direction+" "+line.Absent)
		}
	}
	if diff := cmp.Diff([]string{"sim " + invites, "sim " + invites, "bot Update Voice State (op 4)", "bot Request Channel Info (op 43)", "bot encoding=etf on the gateway"}, marked); diff != "" {
		t.Errorf("the marks in the transcript differ:\n%s", diff)
	}
	for _, what := range []string{invites, "op 4)", "op 43)", "encoding=etf"} {
		if !strings.Contains(log.String(), what) {
			t.Errorf("the log does not tell of %q:\n%s", what, log.String())
		}
	}
}
