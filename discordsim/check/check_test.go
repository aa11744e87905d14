package check_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim/check"
)

// specPath returns the path where Discord's OpenAPI description is expected.
func specPath() string {
	if path := os.Getenv("DISCORD_OPENAPI"); path != "" {
		return path
	}
	return filepath.Join("..", "..", "..", "shared", "discord-openapi.json")
}

// described returns a checker with Discord's description. If there is no description, it skips the test, or fails it if
// TICTACTOE_REQUIRE contains openapi.
func described(t testing.TB) *check.Checker {
	t.Helper()
	path := specPath()
	if _, err := os.Stat(path); err != nil {
		if strings.Contains(os.Getenv("TICTACTOE_REQUIRE"), "openapi") {
			t.Fatalf("Discord's OpenAPI description is required: %v", err)
		}
		t.Skipf("no OpenAPI description of Discord at %s; set DISCORD_OPENAPI to the file", path)
	}
	return open(t, path)
}

func handRules(t testing.TB) *check.Checker {
	t.Helper()
	return open(t, "")
}

func open(t testing.TB, path string) *check.Checker {
	t.Helper()
	c, err := check.New(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// eachChecker runs a test with the hand-written rules alone, and with the description too.
func eachChecker(t *testing.T, test func(t *testing.T, c *check.Checker)) {
	t.Helper()
	t.Run("by hand rules", func(t *testing.T) { test(t, handRules(t)) })
	t.Run("with the description", func(t *testing.T) { test(t, described(t)) })
}

// judge checks a body of a kind. It checks an edit as one of a message without Components V2.
func judge(c *check.Checker, kind check.Kind, body string) *check.Error {
	b := []byte(body)
	switch kind {
	case check.Callback:
		return c.CallbackOn(b, false)
	case check.MessageCreate:
		return c.MessageCreate(b)
	case check.MessageEdit:
		return c.MessageEdit(b, false)
	case check.WebhookCreate:
		return c.WebhookCreate(b)
	case check.WebhookEdit:
		return c.WebhookEdit(b, false)
	case check.Command:
		return c.Command(b)
	case check.UserEdit:
		return c.UserEdit(b)
	case check.DirectCreate:
		return c.DirectCreate(b)
	case check.ThreadCreate:
		return c.ThreadCreate(b)
	case check.PostCreate:
		return c.PostCreate(b)
	case check.BanCreate:
		return c.BanCreate(b)
	case check.BulkBan:
		return c.BulkBan(b)
	case check.ChannelEdit:
		return c.ChannelEdit(b)
	case check.ChannelCreate:
		return c.ChannelCreate(b)
	default:
		return c.CommandsBulk(b)
	}
}

// codesAt lists the codes of the nested errors at a path, as a client reads them. The path "" is the body itself.
func codesAt(t testing.TB, refusal *check.Error, path string) []string {
	t.Helper()
	raw, err := json.Marshal(refusal)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Errors map[string]json.RawMessage `json:"errors"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	node := answer.Errors
	if path != "" {
		for key := range strings.SplitSeq(path, ".") {
			below := node[key]
			node = nil
			if below != nil {
				if err := json.Unmarshal(below, &node); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	var faults []struct{ Code, Message string }
	if node["_errors"] != nil {
		if err := json.Unmarshal(node["_errors"], &faults); err != nil {
			t.Fatal(err)
		}
	}
	var codes []string
	for _, f := range faults {
		if f.Message == "" {
			t.Errorf("%s has no message", f.Code)
		}
		codes = append(codes, f.Code)
	}
	return codes
}

func TestARefusalIsWordedAsDiscordWordsIt(t *testing.T) {
	c := handRules(t)

	t.Run("a callback names the place below data", func(t *testing.T) {
		body := callback(4, rich(text("hi"), row(button("a"), button("a"))))
		got, err := json.Marshal(c.CallbackOn([]byte(body), false))
		if err != nil {
			t.Fatal(err)
		}
		want := `{"message":"Invalid Form Body","code":50035,"errors":{"data":{"components":{"1":{"components":{"1":{"custom_id":` +
			`{"_errors":[{"code":"COMPONENT_CUSTOM_ID_DUPLICATED","message":"Component custom id cannot be duplicated"}]}}}}}}}}`
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("a code that says everything has no nested errors", func(t *testing.T) {
		got, err := json.Marshal(c.MessageCreate([]byte(`{"content":" ","embeds":[],"components":null}`)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(`{"message":"Cannot send an empty message","code":50006}`, string(got)); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("as a Go error it names every place", func(t *testing.T) {
		refusal := c.MessageCreate([]byte(`{"content":5,"tts":1}`))
		want := "50035: Invalid Form Body; content[STRING_TYPE_CONVERT]: Could not interpret \"5\" as string.; " +
			"tts[BOOLEAN_TYPE_CONVERT]: Must be either true or false."
		if diff := cmp.Diff(want, refusal.Error()); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("a rule of the caller's own reads the same", func(t *testing.T) {
		refusal := check.InvalidForm("BASE_TYPE_CHOICES", "No such user", "options", "0", "value")
		want := "50035: Invalid Form Body; options.0.value[BASE_TYPE_CHOICES]: No such user"
		if refusal.Error() != want || refusal.Status != 400 {
			t.Errorf("got %d, %v", refusal.Status, refusal)
		}
	})

	for _, tt := range []struct {
		name string
		kind check.Kind
		body string
		code int
	}{
		{"no JSON", check.MessageCreate, `{"content":`, 50109},
		{"an empty body", check.Callback, ``, 50109},
		{"something after the JSON", check.MessageCreate, `{"content":"a"} {}`, 50109},
		{"a number beyond all numbers", check.MessageCreate, `{"content":"a","flags":1e999999999}`, 50109},
		{"an empty message", check.MessageCreate, `{}`, 50006},
		{"a message that is null", check.MessageCreate, `null`, 50006},
		{"blanks only", check.MessageCreate, `{"content":" \n\t"}`, 50006},
		{"an empty follow-up", check.WebhookCreate, `{"content":"","components":null,"embeds":null}`, 50006},
		{"an empty reply", check.Callback, callback(4, `{"content":"","tts":false,"components":null,"embeds":null}`), 50006},
		{"a reply with no data", check.Callback, `{"type":4}`, 50006},
		{"an empty message with Components V2", check.MessageCreate, `{"flags":32768,"components":[]}`, 50006},
		{"a reply that says nothing", check.MessageCreate, `{"message_reference":{"message_id":"1"}}`, 50006},
		{"a voice message with words", check.MessageCreate,
			`{"content":"hi","flags":8192,"attachments":[{"id":"0","duration_secs":1,"waveform":"AA=="}]}`, 50159},
		{"a voice message of two files", check.MessageCreate, `{"flags":8192,"attachments":[{"id":"0"},{"id":"1"}]}`, 50160},
		{"a voice message without its shape", check.MessageCreate, `{"flags":8192,"attachments":[{"id":"0","duration_secs":1}]}`, 50161},
		{"an edit that empties a message with Components V2", check.MessageEdit, `{"flags":32768,"components":[]}`, 50006},
		{"101 slash commands", check.CommandsBulk, `[` + repeat(101, func(i int) string {
			return strings.Replace(command(), "play", "play"+string(rune('a'+i/10))+string(rune('a'+i%10)), 1)
		}) + `]`, 30032},
		{"16 user commands", check.CommandsBulk, `[` + repeat(16, sprintf(`{"type":2,"name":"User %d"}`)) + `]`, 30032},
		{"16 message commands", check.CommandsBulk, `[` + repeat(16, sprintf(`{"type":3,"name":"Message %d"}`)) + `]`, 30032},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refusal := judge(c, tt.kind, tt.body)
			if refusal == nil {
				t.Fatal("accepted")
			}
			if refusal.Code != tt.code || refusal.Status != 400 || refusal.Errors != nil || refusal.Message == "" {
				t.Errorf("got status %d, code %d, message %q, errors %v; want 400 and %d alone",
					refusal.Status, refusal.Code, refusal.Message, refusal.Errors, tt.code)
			}
		})
	}
}

func TestTheVerdictIsANilError(t *testing.T) {
	refusal := handRules(t).MessageCreate([]byte(`{"content":"hi"}`))
	if refusal != nil {
		t.Fatal(refusal)
	}
	var target *check.Error
	if !errors.As(error(handRules(t).MessageCreate([]byte(`{}`))), &target) {
		t.Error("a refusal is not an error")
	}
}

func TestAMissingDescriptionIsAnError(t *testing.T) {
	if _, err := check.New(filepath.Join(t.TempDir(), "nothing.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	for name, content := range map[string]string{"no JSON": "{", "another document": `{"openapi":"3.1.0"}`} {
		path := filepath.Join(t.TempDir(), "other.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := check.New(path); err == nil {
			t.Errorf("%s is taken for Discord's description", name)
		}
	}
}

func TestACheckerServesManyAtOnce(t *testing.T) {
	c := described(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, g := range goodBodies {
				if refusal := judge(c, g.kind, g.body); refusal != nil {
					t.Errorf("%s: %v", g.name, refusal)
				}
				c.Findings(g.kind, []byte(g.body))
			}
		})
	}
	group.Wait()
}

func TestWhatWasV2StaysV2(t *testing.T) {
	c := handRules(t)
	const (
		withText = `{"content":"hi"}`
		withFlag = `{"flags":32768,"components":[{"type":10,"content":"hi"}]}`
		noFlag   = `{"components":[{"type":10,"content":"hi"}]}`
		cleared  = `{"flags":0,"components":[{"type":10,"content":"hi"}]}`
		nothing  = `{}`
	)
	onCallback := func(body string, wasV2 bool) *check.Error {
		return c.CallbackOn([]byte(callback(7, body)), wasV2)
	}
	for name, edit := range map[string]func(string, bool) *check.Error{
		"by the bot":   func(b string, v bool) *check.Error { return c.MessageEdit([]byte(b), v) },
		"by the token": func(b string, v bool) *check.Error { return c.WebhookEdit([]byte(b), v) },
		"by an update": onCallback,
	} {
		t.Run(name, func(t *testing.T) {
			prefix := ""
			if name == "by an update" {
				prefix = "data."
			}
			for _, tt := range []struct {
				name, body string
				wasV2      bool
				path, code string
			}{
				{"text on a plain message", withText, false, "", ""},
				{"text on a rich message", withText, true, "content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"},
				{"the flag upgrades a plain message", withFlag, false, "", ""},
				{"the flag repeated on a rich message", withFlag, true, "", ""},
				{"rich components on a plain message", noFlag, false, "components.0.type", "UNION_TYPE_CHOICES"},
				{"the flag left out on a rich message", noFlag, true, "", ""},
				{"the flag taken from a rich message", cleared, true, "flags", "BASE_TYPE_CHOICES"},
				{"nothing on a plain message", nothing, false, "", ""},
				{"nothing on a rich message", nothing, true, "", ""},
			} {
				refusal := edit(tt.body, tt.wasV2)
				switch {
				case tt.code == "" && refusal != nil:
					t.Errorf("%s: refused: %v", tt.name, refusal)
				case tt.code != "" && refusal == nil:
					t.Errorf("%s: accepted", tt.name)
				case tt.code != "":
					if got := codesAt(t, refusal, prefix+tt.path); !cmp.Equal(got, []string{tt.code}) {
						t.Errorf("%s: got %v, want %s at %s", tt.name, refusal, tt.code, prefix+tt.path)
					}
				}
			}
		})
	}
}
