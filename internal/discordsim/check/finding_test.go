package check_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/discordsim/check"
)

func TestWhatDiscordIgnoresIsFound(t *testing.T) {
	c := described(t)
	for _, tt := range []struct {
		name string
		kind check.Kind
		body string
		want []string
	}{
		{"a misspelt member of a message", check.MessageCreate, `{"content":"hi","component":[]}`, []string{"component: unknown field"}},
		{"a misspelt member of a button", check.Callback,
			callback(4, legacy(row(`{"type":2,"style":2,"label":"a","custom_id":"a","customId":"b"}`))),
			[]string{"data.components.0.components.0.customId: unknown field"}},
		{"two typos at two depths", check.MessageEdit,
			`{"contents":"a","flags":32768,"components":[{"type":17,"colour":1,"components":[{"type":10,"content":"a"}]}]}`,
			[]string{"components.0.colour: unknown field", "contents: unknown field"}},
		{"a misspelt mention", check.WebhookCreate, `{"content":"hi","allowed_mentions":{"parsed":[]}}`, []string{"allowed_mentions.parsed: unknown field"}},
		{"a member of another callback", check.Callback, callback(7, `{"title":"t"}`), []string{"data.title: unknown field"}},
		{"a member of another select", check.MessageCreate, legacy(row(`{"type":5,"custom_id":"u","options":[]}`)),
			[]string{"components.0.components.0.options: unknown field"}},
		{"text read aloud in an update", check.Callback, callback(7, `{"tts":true}`), []string{"data.tts: unknown field"}},
		{"text in a modal", check.Callback,
			callback(9, `{"content":"hi","custom_id":"m","title":"t","components":[`+input(`"required":true`)+`]}`), []string{"data.content: unknown field"}},
		{"a misspelt member of a command", check.Command, command(`"integrationTypes":[0]`), []string{"integrationTypes: unknown field"}},
		{"choices of a user option", check.CommandsBulk,
			`[` + withOptions(argument(6, "a", `"choices":[{"name":"n","value":"v"}]`)) + `]`, []string{"0.options.0.choices: unknown field"}},
		{"autocomplete of a user option", check.Command,
			withOptions(argument(6, "a", `"autocomplete":true`)), []string{"options.0.autocomplete: unknown field"}},
		{"the address in an edit by token", check.WebhookEdit, `{"content":"hi","ID":"1"}`, []string{"ID: unknown field"}},
		{"a flag on a deferral", check.Callback, callback(5, `{"flags":32832}`), []string{"data.flags: a deferral ignores the flags 32768"}},
		{"a member that is null", check.MessageCreate, `{"content":"hi","component":null}`, nil},
		{"no JSON", check.MessageCreate, `{`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, c.Findings(tt.kind, []byte(tt.body))); diff != "" {
				t.Error(diff)
			}
			if tt.name != "no JSON" {
				if refusal := judge(c, tt.kind, tt.body); refusal != nil {
					t.Errorf("it is refused as well: %v", refusal)
				}
			}
		})
	}

	t.Run("without the description only flags are found", func(t *testing.T) {
		hand := handRules(t)
		if got := hand.Findings(check.MessageCreate, []byte(`{"contents":"hi"}`)); got != nil {
			t.Error(got)
		}
		if got := hand.Findings(check.Callback, []byte(callback(5, `{"flags":4}`))); len(got) != 1 {
			t.Error(got)
		}
	})
}

// TestTheDescriptionKnowsMore holds bodies that no hand rule is about.
func TestTheDescriptionKnowsMore(t *testing.T) {
	hand, spec := handRules(t), described(t)
	for _, tt := range []struct {
		name       string
		kind       check.Kind
		body       string
		path, code string
	}{
		{"a poll without a question", check.MessageCreate, `{"poll":{"answers":[{"poll_media":{"text":"a"}}]}}`, "poll.question", "BASE_TYPE_REQUIRED"},
		{"a poll that lasts too long", check.MessageCreate,
			`{"poll":{"question":{"text":"?"},"answers":[{"poll_media":{"text":"a"}}],"duration":769}}`, "poll.duration", "NUMBER_TYPE_MAX"},
		{"a file name of 1025 characters", check.MessageCreate,
			`{"attachments":[{"id":"0","filename":"` + long(1025) + `"}]}`, "attachments.0.filename", "BASE_TYPE_MAX_LENGTH"},
		{"a negative duration", check.MessageCreate, `{"attachments":[{"id":"0","duration_secs":-1}]}`, "attachments.0.duration_secs", "NUMBER_TYPE_MIN"},
		{"a title that is a number", check.MessageCreate, `{"attachments":[{"id":"0","title":5}]}`, "attachments.0.title", "STRING_TYPE_CONVERT"},
		{"a remix that is a number", check.MessageCreate, `{"attachments":[{"id":"0","is_remix":1}]}`, "attachments.0.is_remix", "BOOLEAN_TYPE_CONVERT"},
		{"a duration in words", check.MessageCreate, `{"attachments":[{"id":"0","duration_secs":"1"}]}`, "attachments.0.duration_secs", "NUMBER_TYPE_COERCE"},
		{"answers that are no list", check.MessageCreate, `{"poll":{"question":{"text":"?"},"answers":{}}}`, "poll.answers", "LIST_TYPE_CONVERT"},
		{"eleven answers", check.MessageCreate,
			`{"poll":{"question":{"text":"?"},"answers":[` + repeat(11, sprintf(`{"poll_media":{"text":"%d"}}`)) + `]}}`, "poll.answers", "BASE_TYPE_MAX_LENGTH"},
		{"a file name of nothing", check.MessageCreate, `{"attachments":[{"id":"0","filename":""}]}`, "attachments.0.filename", "BASE_TYPE_BAD_LENGTH"},
		{"an answer that is a text", check.MessageCreate, `{"poll":{"question":{"text":"?"},"answers":["a"]}}`, "poll.answers.0", "MODEL_TYPE_CONVERT"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if refusal := judge(hand, tt.kind, tt.body); refusal != nil {
				t.Fatalf("a hand rule is about it: %v", refusal)
			}
			refusal := judge(spec, tt.kind, tt.body)
			if refusal == nil {
				t.Fatal("accepted")
			}
			if got := codesAt(t, refusal, tt.path); !cmp.Equal(got, []string{tt.code}) {
				t.Errorf("want %s at %s, got %v", tt.code, tt.path, refusal)
			}
		})
	}
}
