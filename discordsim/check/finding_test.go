package check_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim/check"
)

func TestWhatDiscordIgnoresIsFound(t *testing.T) {
	c := handRules(t)
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
		{"the least length of a number", check.CommandsBulk,
			`[` + withOptions(argument(4, "a", `"min_length":1`)) + `]`, []string{"0.options.0.min_length: unknown field"}},
		{"autocomplete of a user option that is off", check.Command, withOptions(argument(6, "a", `"autocomplete":false`)), nil},
		{"stickers in a follow-up", check.WebhookCreate, `{"content":"hi","sticker_ids":["1"]}`, []string{"sticker_ids: unknown field"}},
		{"what a deferral says", check.Callback, callback(5, `{"contents":"hi","content":5}`), nil},
		{"what is refused", check.MessageCreate, `{"contents":"hi"}`, nil},
		{"the address in an edit by token", check.WebhookEdit, `{"content":"hi","ID":"1"}`, []string{"ID: unknown field"}},
		{"a flag on a deferral", check.Callback, callback(5, `{"flags":32832}`), []string{"data.flags: a deferral ignores the flags 32768"}},
		{"a member that is null", check.MessageCreate, `{"content":"hi","component":null}`, nil},
		{"no JSON", check.MessageCreate, `{`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, c.Findings(tt.kind, []byte(tt.body))); diff != "" {
				t.Error(diff)
			}
			if tt.name != "no JSON" && tt.name != "what is refused" {
				if refusal := judge(c, tt.kind, tt.body); refusal != nil {
					t.Errorf("it is refused as well: %v", refusal)
				}
			}
		})
	}
}
