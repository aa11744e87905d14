package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tictactoe/discordsim"
	"tictactoe/internal/longtest"
)

// scenarios are played one after the other against the same bot.
var scenarios = []struct {
	name string
	play func(*testing.T, *stage)
	// lacks explains, by library, why a library cannot play the scenario.
	lacks map[string]string
}{
	{"commands are registered", commandsAreRegistered, nil},
	{"an option of each type arrives", optionsArrive, nil},
	{"autocompletion", autocompletion, nil},
	{"a command of the person's menu", userMenu, nil},
	{"a command of the message's menu", messageMenu, nil},
	{"a button updates its message", buttonUpdates, nil},
	{"a button defers, then edits its message", buttonDefers, nil},
	{"a button answers privately", buttonWhispers, nil},
	{"a select of each kind", selects, nil},
	{"a modal with rows, from a command", modalWithRows, map[string]string{
		"disgo": "the text input of v0.19.6 has no label of its own, which a row needs",
	}},
	{"a modal with labels and a select, from a command", modalWithLabels, map[string]string{
		"discordgo": "v0.29.0 has no Label (component 18)",
	}},
	{"a modal from a button updates the button's message", modalFromButton, nil},
	{"an embed", embed, nil},
	{"Components V2", layout, nil},
	{"an attached file", attachedFile, nil},
	{"follow-ups, one of them private", followUps, nil},
	{"an answer is deleted", answerIsDeleted, nil},
	{"an answer is edited by its channel's route", answerIsEdited, nil},
	{"a deferred answer comes by an edit", deferredAnswer, nil},
	{"a deferred private answer stays private", deferredPrivateAnswer, nil},
	{"a deferred answer becomes Components V2", deferredLayout, map[string]string{
		"discordgo": "the WebhookEdit of v0.29.0 has no flags",
	}},
	{"in direct messages", directMessages, nil},
	{"where only the person has installed it: a server, and another's direct messages", installedByPerson, nil},
	{"op 7: asked to reconnect, it resumes", reconnects, nil},
	{"op 9: its session is over, it identifies anew", identifiesAnew, nil},
	{"a cut connection: what was missed is replayed", resumesAfterCut, nil},
	{"a closed connection: code 4000 can be resumed", resumesAfterClose, nil},
	{"429 on a route: all messages come, in order", waitsForRoute, nil},
	{"429 for everything: the answer comes late", waitsForAll, nil},
	{"the simulator is restarted from its file", survivesRestart, nil},
}

func TestTheSameBotOnEachClient(t *testing.T) {
	longtest.Only(t)
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bot := c.build(t)
			s := newStage(t)
			s.start(t, bot)
			s.until(t, "the bot is there with its commands", func() bool {
				return s.connected(t) && len(s.overview(t).Commands) == 9
			})
			for _, sc := range scenarios {
				t.Run(sc.name, func(t *testing.T) {
					if why := sc.lacks[c.name]; why != "" {
						t.Skipf("%s lacks it: %s", c.name, why)
					}
					s.forget()
					sc.play(t, s)
				})
			}
		})
	}
}

func TestNoLackIsOfAnUnknownClient(t *testing.T) {
	for _, sc := range scenarios {
		for name := range sc.lacks {
			if !slices.ContainsFunc(all, func(c client) bool { return c.name == name }) {
				t.Errorf("%s: there is no client %q", sc.name, name)
			}
		}
	}
}

func commandsAreRegistered(t *testing.T, s *stage) {
	var got []string
	for _, c := range s.overview(t).Commands {
		var options []string
		for _, o := range c.Options {
			options = append(options, fmt.Sprintf("%s:%d/%d", o.Name, o.Type, len(o.Options)))
		}
		if len(c.Contexts) != 3 || len(c.IntegrationTypes) != 2 {
			t.Errorf("%s is offered in %v by %v", c.Name, c.Contexts, c.IntegrationTypes)
		}
		if c.Name == "form" || c.Name == "reply" {
			options = nil // the libraries declare different options for these commands
		}
		got = append(got, fmt.Sprintf("%d %s %s", c.Type, c.Name, strings.Join(options, " ")))
	}
	want := []string{
		"1 about ", "1 burst count:4/0", "1 colour name:3/0",
		"1 echo text:3/0 count:4/0 ratio:10/0 loud:5/0 user:6/0 channel:7/0 role:8/0 anybody:9/0 file:11/0",
		"1 form ", "1 reply ", "1 show buttons:1/0 selects:1/0 embed:1/0 layout:1/0 file:1/0", "2 Wave at ", "3 Quote ",
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("registered are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// says expects a public answer with this text.
func says(t *testing.T, r discordsim.Result, want string) {
	t.Helper()
	if r.Message == nil || r.Message.Content != want || r.Ephemeral {
		t.Errorf("got %q, private %v; want %q in public", content(r), r.Ephemeral, want)
	}
}

// whispers expects a private answer with this text.
func whispers(t *testing.T, r discordsim.Result, want string) {
	t.Helper()
	if r.Message == nil || r.Message.Content != want || !r.Ephemeral {
		t.Errorf("got %q, private %v; want %q in private", content(r), r.Ephemeral, want)
	}
}

func content(r discordsim.Result) string {
	if r.Message == nil {
		return ""
	}
	return r.Message.Content
}

func optionsArrive(t *testing.T, s *stage) {
	says(t, s.command(t, "alice", "general", "echo", map[string]any{"text": "alone"}), "text=alone")
	r := s.command(t, "alice", "general", "echo", map[string]any{
		"text": "hi", "count": 3, "ratio": 1.5, "loud": true, "user": "bob", "channel": "general", "role": "@everyone", "anybody": "carol",
		"file": map[string]any{"filename": "board.txt", "data": []byte("X.O\n")},
	})
	says(t, r, "text=hi count=3 ratio=1.5 loud=true user=bob channel=general role=@everyone anybody=carol file=board.txt")
}

func userMenu(t *testing.T, s *stage) {
	whispers(t, answered(t)(s.User("alice").UserCommand(t.Context(), "general", "Wave at", "bob")), "waved at bob")
}

func messageMenu(t *testing.T, s *stage) {
	m, err := s.User("bob").Write("general", "to be or not to be")
	if err != nil {
		t.Fatal(err)
	}
	says(t, answered(t)(s.User("alice").UserCommand(t.Context(), "general", "Quote", m.ID)), "> to be or not to be")
}

// press presses a button of a new message with buttons, by its label.
func press(t *testing.T, s *stage, as, label string) (shown *discordsim.Message, r discordsim.Result) {
	t.Helper()
	shown = s.command(t, "alice", "general", "show buttons", nil).Message
	return shown, answered(t)(s.User(as).Click(t.Context(), shown.ID, discordsim.Button{Label: label}))
}

func buttonUpdates(t *testing.T, s *stage) {
	shown, r := press(t, s, "bob", "Update")
	says(t, r, "updated by bob")
	if r.Message.ID != shown.ID || shape(r.Message.Components...) != shape(shown.Components...) {
		t.Errorf("message %s with %s became %s with %s", shown.ID, shape(shown.Components...), r.Message.ID, shape(r.Message.Components...))
	}
}

func buttonDefers(t *testing.T, s *stage) {
	shown, r := press(t, s, "bob", "Later")
	says(t, r, "later by bob")
	if r.Message.ID != shown.ID {
		t.Errorf("message %s was edited, not %s", r.Message.ID, shown.ID)
	}
}

func buttonWhispers(t *testing.T, s *stage) {
	_, r := press(t, s, "bob", "Whisper")
	whispers(t, r, "psst, bob")
	if s.sees(t, "alice", "psst, bob") || !s.sees(t, "bob", "psst, bob") {
		t.Error("bob alone should see it")
	}
}

func selects(t *testing.T, s *stage) {
	shown := s.command(t, "alice", "general", "show selects", nil).Message
	for kind, picks := range map[string][]string{
		"string": {"b", "a"}, "user": {"bob", "carol"}, "role": {"@everyone"}, "mentionable": {"bob", "@everyone"}, "channel": {"general"},
	} {
		r := answered(t)(s.User("bob").Select(t.Context(), shown.ID, "/select/"+kind, picks...))
		whispers(t, r, kind+": "+strings.Join(picks, " "))
	}
}

func modalWithRows(t *testing.T, s *stage) {
	form := s.command(t, "alice", "general", "form rows", nil)
	if form.Modal == nil || form.Modal.Title != "Form" {
		t.Fatalf("got %+v", form)
	}
	says(t, answered(t)(s.User("alice").Submit(t.Context(), form.Interaction, map[string]any{"name": "Ada"})), "Ada, because")
}

func modalWithLabels(t *testing.T, s *stage) {
	form := s.command(t, "alice", "general", "form labels", nil)
	fields := map[string]any{"name": "Ada", "why": "so", "colour": "grey"}
	says(t, answered(t)(s.User("alice").Submit(t.Context(), form.Interaction, fields)), "Ada, so, grey")
}

func modalFromButton(t *testing.T, s *stage) {
	shown, form := press(t, s, "bob", "Form")
	if form.Modal == nil {
		t.Fatalf("got %+v", form)
	}
	fields := map[string]any{"name": "Bo", "why": "why not"}
	want := "Bo, why not"
	if strings.Contains(shape(form.Modal.Components...), "select") {
		fields["colour"], want = "red", want+", red"
	}
	r := answered(t)(s.User("bob").Submit(t.Context(), form.Interaction, fields))
	says(t, r, want)
	if r.Message.ID != shown.ID {
		t.Errorf("message %s was updated, not %s", r.Message.ID, shown.ID)
	}
}

func embed(t *testing.T, s *stage) {
	r := s.command(t, "alice", "general", "show embed", nil)
	var got struct {
		Title, Description string
		Color              int
		Fields             []struct {
			Name, Value string
			Inline      bool
		}
	}
	if len(r.Message.Embeds) != 1 {
		t.Fatalf("the message has %d embeds", len(r.Message.Embeds))
	}
	if err := json.Unmarshal(r.Message.Embeds[0], &got); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != "{Title Text 2720055 [{one 1 true}]}" {
		t.Errorf("got %v", got)
	}
}

func layout(t *testing.T, s *stage) {
	r := s.command(t, "alice", "general", "show layout", nil)
	if got := shape(r.Message.Components...); got != "container(text:# Layout separator section(text:text button:Whisper))" {
		t.Errorf("got %s", got)
	}
	r = answered(t)(s.User("bob").Click(t.Context(), r.Message.ID, discordsim.Button{Label: "Whisper"}))
	whispers(t, r, "psst, bob")
}

// shape draws components as one line.
func shape(components ...discordsim.Component) string {
	names := map[int]string{1: "row", 2: "button", 3: "select", 4: "input", 9: "section", 10: "text", 14: "separator", 17: "container", 18: "label"}
	var drawn []string
	for _, c := range components {
		inside := slices.Clone(c.Components)
		for _, nested := range []*discordsim.Component{c.Component, c.Accessory} {
			if nested != nil {
				inside = append(inside, *nested)
			}
		}
		name := names[c.Type]
		if text := c.Label + c.Content; text != "" && c.Type != 18 {
			name += ":" + text
		}
		if len(inside) > 0 {
			name += "(" + shape(inside...) + ")"
		}
		drawn = append(drawn, name)
	}
	return strings.Join(drawn, " ")
}

func followUps(t *testing.T, s *stage) {
	says(t, s.command(t, "alice", "general", "reply now twice", nil), "first")
	s.until(t, "both follow-ups", func() bool { return s.sees(t, "alice", "first", "second", "third") })
	if !s.sees(t, "bob", "first", "second") {
		t.Error("bob should see the public one only")
	}
}

func answerIsDeleted(t *testing.T, s *stage) {
	before := len(s.seen(t, "bob"))
	says(t, s.command(t, "alice", "general", "reply now gone", nil), "gone")
	s.until(t, "the answer is gone", func() bool { return len(s.seen(t, "bob")) == before })
}

func answerIsEdited(t *testing.T, s *stage) {
	says(t, s.command(t, "alice", "general", "reply now edited", nil), "first")
	s.until(t, "the edit", func() bool { return s.sees(t, "bob", "edited by its channel") })
}

func deferredAnswer(t *testing.T, s *stage) {
	says(t, s.command(t, "alice", "general", "reply later public", nil), "later")
}

func deferredPrivateAnswer(t *testing.T, s *stage) {
	whispers(t, s.command(t, "alice", "general", "reply later private", nil), "later")
}

func deferredLayout(t *testing.T, s *stage) {
	r := s.command(t, "alice", "general", "reply later layout", nil)
	if got := shape(r.Message.Components...); got != "text:later" || r.Message.Flags != 1<<15 {
		t.Errorf("got %s with flags %b", got, r.Message.Flags)
	}
}

func directMessages(t *testing.T, s *stage) {
	says(t, s.command(t, "alice", "@tictactoe", "echo", map[string]any{"text": "hi", "user": "tictactoe"}), "text=hi user=tictactoe")
	shown := s.command(t, "alice", "@tictactoe", "show buttons", nil).Message
	says(t, answered(t)(s.User("alice").Click(t.Context(), shown.ID, discordsim.Button{Label: "Later"})), "later by alice")
}

func installedByPerson(t *testing.T, s *stage) {
	if _, err := s.AddUser(discordsim.Person{Username: "dave", Installs: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddServer(discordsim.Server{Name: "Elsewhere", Channels: []string{"lobby"}, BotsAbsent: true}); err != nil {
		t.Fatal(err)
	}
	says(t, s.command(t, "dave", "lobby", "echo", map[string]any{"text": "hi", "user": "alice", "channel": "lobby"}), "text=hi user=alice channel=lobby")
	for _, place := range []string{"lobby", "@alice"} {
		shown := s.command(t, "dave", place, "show buttons", nil).Message
		says(t, answered(t)(s.User("alice").Click(t.Context(), shown.ID, discordsim.Button{Label: "Later"})), "later by alice")
	}
}

// gateway has the numbers of READY and RESUMED events that the bot reports.
type gateway struct{ ready, resumed int }

func about(t *testing.T, s *stage) (g gateway) {
	t.Helper()
	r, err := s.User("alice").Command(t.Context(), "@tictactoe", "about", nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Message != nil { // otherwise the interaction was lost with its session
		fmt.Sscanf(r.Message.Content, "ready %d, resumed %d", &g.ready, &g.resumed)
	}
	return g
}

// becomes waits until the bot reports these numbers.
func (want gateway) becomes(t *testing.T, s *stage) {
	t.Helper()
	var got gateway
	defer func() {
		if got != want {
			t.Logf("the gateway was last %+v, want %+v", got, want)
		}
	}()
	s.until(t, "the bot has resumed or identified", func() bool {
		got = about(t, s)
		return got == want
	})
}

func reconnects(t *testing.T, s *stage) {
	want := about(t, s)
	want.resumed++
	s.Reconnect()
	want.becomes(t, s)
}

func identifiesAnew(t *testing.T, s *stage) {
	want := about(t, s)
	want.ready++
	s.InvalidateSessions(false)
	s.until(t, "it is back", func() bool { return s.connected(t) })
	want.becomes(t, s)
}

func resumesAfterCut(t *testing.T, s *stage) {
	want := about(t, s)
	want.resumed++
	s.DropGateway()
	says(t, s.command(t, "bob", "general", "echo", map[string]any{"text": "in the gap"}), "text=in the gap")
	want.becomes(t, s)
}

func resumesAfterClose(t *testing.T, s *stage) {
	want := about(t, s)
	want.resumed++
	s.CloseGateway(4000, "Unknown error.")
	want.becomes(t, s)
}

// waitsForRoute tests that a bot waits when its budget of new messages is used up.
func waitsForRoute(t *testing.T, s *stage) {
	path := "/api/v10/channels/" + s.channel(t, "general") + "/messages"
	for s.call(t, "POST", path, `{"content":"elsewhere"}`, nil) != http.StatusTooManyRequests {
	}
	s.forget()
	says(t, s.command(t, "alice", "general", "burst", map[string]any{"count": 2}), "done")
	if !s.sees(t, "bob", "done", "1", "2") {
		t.Error("the two messages do not stand below")
	}
	if refused := s.refused(); len(refused) == 0 || !strings.HasPrefix(refused[0], "429 ") {
		t.Errorf("the bot was not limited: %q", refused)
	}
}

func survivesRestart(t *testing.T, s *stage) {
	shown := s.command(t, "alice", "general", "show buttons", nil).Message
	want := about(t, s)
	want.ready++
	s.shut(t)
	s.open(t)
	s.until(t, "it is back", func() bool { return s.connected(t) })
	says(t, answered(t)(s.User("bob").Click(t.Context(), shown.ID, discordsim.Button{Label: "Update"})), "updated by bob")
	want.becomes(t, s)
}

// waitsForAll tests that a bot waits when the global rate limit refuses its call.
func waitsForAll(t *testing.T, s *stage) {
	if err := s.SetFaults(discordsim.Faults{RESTLimit: discordsim.LimitGlobal, RESTRetryAfterMS: 1000, RESTCount: 1}); err != nil {
		t.Fatal(err)
	}
	r := s.command(t, "alice", "general", "echo", map[string]any{"text": "late"})
	says(t, r, "text=late")
	if refused := s.refused(); len(refused) != 1 || !strings.HasPrefix(refused[0], "429 ") || r.Milliseconds < 1000 {
		t.Errorf("after %d ms; refused were %q", r.Milliseconds, refused)
	}
}

func autocompletion(t *testing.T, s *stage) {
	for typed, want := range map[string]string{"": "red green grey", "gr": "green grey", "x": ""} {
		r, err := s.User("alice").Autocomplete(t.Context(), "general", "colour", map[string]any{"name": typed}, "name")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range r.Choices {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); r.Status != discordsim.Answered || got != want {
			t.Errorf("%q: status %s with %q, want %q", typed, r.Status, got, want)
		}
	}
	says(t, s.command(t, "alice", "general", "colour", map[string]any{"name": "grey"}), "grey")
}

func attachedFile(t *testing.T, s *stage) {
	r := s.command(t, "alice", "general", "show file", nil)
	says(t, r, "a file")
	if len(r.Message.Attachments) != 1 {
		t.Fatalf("the message has %d files", len(r.Message.Attachments))
	}
	var file struct{ Filename, URL string }
	if err := json.Unmarshal(r.Message.Attachments[0], &file); err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(file.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || file.Filename != "board.txt" || string(text) != "X.O\n" {
		t.Errorf("%s at %s: %s %q, %v", file.Filename, file.URL, answer.Status, text, err)
	}
}
