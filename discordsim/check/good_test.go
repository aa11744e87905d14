package check_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim/check"
)

// goodBodies are accepted without findings. Most are bodies that discordgo v0.29.0 encodes from its structs, with
// null lists, empty strings, false values, and members that only another type of callback or option needs.
var goodBodies = []struct {
	name string
	kind check.Kind
	body string
}{
	{"pong", check.Callback, `{"type":1}`},
	{"a rich reply", check.Callback, `{"type":4,"data":{"tts":false,"content":"","components":[` +
		`{"components":[{"label":"Go","style":1,"disabled":false,"emoji":{"name":"❌"},"custom_id":"play:m:0:b2","type":2},` +
		`{"label":"","style":5,"disabled":false,"emoji":{"name":"x","id":"12"},"url":"https://example.com","type":2}],"type":1},` +
		`{"content":"hi","type":10},{"divider":true,"type":14},` +
		`{"components":[{"content":"s","type":10}],"accessory":{"media":{"url":"https://example.com/a.png"},"description":"d","spoiler":false,"type":11},"type":9},` +
		`{"items":[{"media":{"url":"attachment://a.png"},"spoiler":false}],"type":12},{"file":{"url":"attachment://a.txt"},"spoiler":false,"type":13},` +
		`{"accent_color":5,"spoiler":false,"components":[{"content":"c","type":10},{"components":[{"custom_id":"s","placeholder":"",` +
		`"min_values":1,"max_values":1,"options":[{"label":"a","value":"a","description":"","default":false}],"disabled":false,"type":3}],"type":1}],"type":17}],` +
		`"embeds":[],"allowed_mentions":{"parse":[],"users":["1"],"replied_user":false},"flags":32768}}`},
	{"a private reply", check.Callback, `{"type":4,"data":{"tts":false,"content":"no","components":null,"embeds":null,"flags":64}}`},
	{"a deferred reply", check.Callback, `{"type":5,"data":{"tts":false,"content":"","components":null,"embeds":null,"flags":64}}`},
	{"a deferred reply with no data", check.Callback, `{"type":5}`},
	{"a deferred update", check.Callback, `{"type":6}`},
	{"a rich update", check.Callback, `{"type":7,"data":{"tts":false,"content":"","components":[{"components":[` +
		`{"label":"","style":2,"disabled":false,"emoji":{"name":"⬛"},"custom_id":"play:m:0:b2","type":2}],"type":1},{"content":"hi","type":10}],` +
		`"embeds":[],"allowed_mentions":{"parse":[],"replied_user":false},"flags":32768}}`},
	{"an update of nothing", check.Callback, `{"type":7,"data":{"tts":false,"content":"","components":null,"embeds":null}}`},
	{"an update with no data", check.Callback, `{"type":7}`},
	{"suggestions", check.Callback, `{"type":8,"data":{"tts":false,"content":"","components":null,"embeds":null,"choices":[{"name":"n","value":3}]}}`},
	{"no suggestions", check.Callback, `{"type":8,"data":{"tts":false,"content":"","components":null,"embeds":null}}`},
	{"a modal", check.Callback, `{"type":9,"data":{"tts":false,"content":"","components":[{"components":[{"custom_id":"i","label":"l","style":1,` +
		`"required":false,"max_length":10,"type":4}],"type":1}],"embeds":null,"custom_id":"m","title":"t"}}`},
	{"a launch", check.Callback, `{"type":12}`},

	{"a message", check.MessageCreate, `{"content":"hi","embeds":null,"tts":false,"components":null,` +
		`"allowed_mentions":{"parse":null,"replied_user":false},"message_reference":{"message_id":"1"},"sticker_ids":null}`},
	{"a rich message", check.MessageCreate, `{"embeds":null,"tts":false,"components":[{"content":"hi","type":10}],"sticker_ids":null,"flags":32768}`},
	{"a message of selects", check.MessageCreate, `{"content":"x","embeds":null,"tts":false,"components":[` +
		`{"components":[{"custom_id":"u","placeholder":"","default_values":[{"id":"1","type":"user"}],"disabled":false,"type":5}],"type":1},` +
		`{"components":[{"custom_id":"r","placeholder":"","disabled":false,"type":6}],"type":1},` +
		`{"components":[{"custom_id":"m","placeholder":"","disabled":false,"type":7}],"type":1},` +
		`{"components":[{"custom_id":"c","placeholder":"","disabled":false,"channel_types":[0],"type":8}],"type":1}],"sticker_ids":null}`},
	{"an embed", check.MessageCreate, `{"embeds":[{"title":"t","color":3,"footer":{"text":"f"},"image":{"url":"https://example.com/a.png"},` +
		`"fields":[{"name":"n","value":"v"}]}],"tts":false,"components":null,"sticker_ids":null}`},
	{"a file without a word", check.MessageCreate, `{"attachments":[{"id":0,"filename":"a.png"}]}`},
	{"a forward", check.MessageCreate, `{"message_reference":{"type":1,"message_id":"1","channel_id":"1"}}`},
	{"a voice message", check.MessageCreate, `{"flags":8192,"attachments":[{"id":"0","duration_secs":1.5,"waveform":"AA=="}]}`},
	{"an edit", check.MessageEdit, `{"components":[{"content":"hi","type":10}],"flags":32768,"ID":"2","Channel":"1"}`},
	{"an edit of nothing", check.MessageEdit, `{}`},
	{"an edit that sends back flags that Discord has set", check.MessageEdit, `{"content":"hi","flags":32}`},
	{"an edit to nothing but the picture", check.MessageEdit, `{"content":"","embeds":[],"components":[]}`},
	{"a follow-up", check.WebhookCreate, `{"content":"late","components":null,"flags":64}`},
	{"a rich follow-up", check.WebhookCreate, `{"components":[{"content":"hi","type":10}],"flags":32832}`},
	{"an edit by token", check.WebhookEdit, `{"content":"late","components":[],"embeds":[],"allowed_mentions":{"parse":[]}}`},

	{"a slash command", check.Command, `{"name":"ping","description":"Answers","options":null}`},
	{"a command in another script", check.Command, `{"name":"लूडो","description":"खेल","name_localizations":{"th":"เกม","ja":"ゲーム"}}`},
	{"a menu command", check.Command, `{"type":2,"name":"Challenge to Tic-Tac-Toe","contexts":[0,1,2],"integration_types":[0,1],"options":null}`},
	{"permissions for all", check.Command, `{"name":"ping","description":"Answers","default_member_permissions":null,"contexts":null}`},
	{"all commands", check.CommandsBulk, `[{"name":"tictactoe","name_localizations":{"de":"dreigewinnt"},"default_member_permissions":"8",` +
		`"contexts":[0,1,2],"integration_types":[0,1],"description":"Tic-Tac-Toe","options":[{"type":1,"name":"challenge","description":"d",` +
		`"channel_types":null,"required":false,"options":[{"type":6,"name":"opponent","description":"who","channel_types":null,"required":true,` +
		`"options":null,"autocomplete":false,"choices":null},{"type":3,"name":"clock","description":"c","channel_types":null,"required":false,` +
		`"options":null,"autocomplete":false,"choices":[{"name":"1 minute","value":"1m"}]},{"type":7,"name":"where","description":"w",` +
		`"channel_types":null,"required":false,"options":null,"autocomplete":false,"choices":null}],"autocomplete":false,"choices":null}]},` +
		`{"type":2,"name":"Challenge to Tic-Tac-Toe","contexts":[0,1,2],"integration_types":[0,1],"options":null}]`},
	{"no commands", check.CommandsBulk, `[]`},
	{"commands that are null", check.CommandsBulk, `null`},
}

func TestWhatDiscordAcceptsIsAcceptedWithNothingToSay(t *testing.T) {
	eachChecker(t, func(t *testing.T, c *check.Checker) {
		for _, tt := range goodBodies {
			t.Run(tt.name, func(t *testing.T) {
				if refusal := judge(c, tt.kind, tt.body); refusal != nil {
					t.Error(refusal)
				}
				if findings := c.Findings(tt.kind, []byte(tt.body)); findings != nil {
					t.Errorf("findings: %v", findings)
				}
			})
		}
	})
}

func TestABoardOfTwentyFiveSquaresFits(t *testing.T) {
	square := func(i int) string {
		return row(repeat(5, func(j int) string {
			return fmt.Sprintf(`{"type":2,"style":2,"label":"\u200b","custom_id":"play:m:0:%d%d"}`, i, j)
		}))
	}
	body := rich(container(text("Alice against Bob"), repeat(5, square)), row(button("resign:m:1")))
	eachChecker(t, func(t *testing.T, c *check.Checker) {
		if refusal := c.MessageCreate([]byte(body)); refusal != nil {
			t.Error(refusal)
		}
	})
}

func TestEveryComponentHasAPlace(t *testing.T) {
	inMessage := map[int]string{
		1:  row(button("a")),
		2:  row(button("a")),
		3:  selection(`"options":[` + option("a") + `]`),
		5:  row(`{"type":5,"custom_id":"a"}`),
		6:  row(`{"type":6,"custom_id":"a"}`),
		7:  row(`{"type":7,"custom_id":"a"}`),
		8:  row(`{"type":8,"custom_id":"a"}`),
		9:  `{"type":9,"components":[` + text("a") + `],"accessory":` + button("a") + `}`,
		10: text("a"),
		11: `{"type":9,"components":[` + text("a") + `],"accessory":{"type":11,"media":{"url":"https://example.com/a.png"}}}`,
		12: `{"type":12,"items":[{"media":{"url":"https://example.com/a.png"}}]}`,
		13: `{"type":13,"file":{"url":"attachment://a.txt"}}`,
		14: `{"type":14}`,
		17: container(text("a")),
	}
	labelled := func(component string) string { return `{"type":18,"label":"l","component":` + component + `}` }
	inModal := map[int]string{
		1:  input(`"required":true`),
		3:  labelled(`{"type":3,"custom_id":"a","required":true,"options":[` + option("a") + `]}`),
		4:  labelled(`{"type":4,"custom_id":"a","style":2}`),
		5:  labelled(`{"type":5,"custom_id":"a"}`),
		6:  labelled(`{"type":6,"custom_id":"a"}`),
		7:  labelled(`{"type":7,"custom_id":"a"}`),
		8:  labelled(`{"type":8,"custom_id":"a"}`),
		10: text("a"),
		18: labelled(`{"type":4,"custom_id":"a","style":1}`),
		19: labelled(`{"type":19,"custom_id":"a","max_values":2}`),
		21: labelled(`{"type":21,"custom_id":"a","options":[{"label":"a","value":"a"},{"label":"b","value":"b"}]}`),
		22: labelled(`{"type":22,"custom_id":"a","options":[{"label":"a","value":"a"}]}`),
		23: labelled(`{"type":23,"custom_id":"a","default":true}`),
	}
	eachChecker(t, func(t *testing.T, c *check.Checker) {
		accepts := func(where string, kind int, judged check.Kind, body string) {
			t.Run(fmt.Sprintf("type %d in %s", kind, where), func(t *testing.T) {
				if refusal := judge(c, judged, body); refusal != nil {
					t.Error(refusal)
				}
				if findings := c.Findings(judged, []byte(body)); findings != nil {
					t.Error(findings)
				}
			})
		}
		for kind, component := range inModal {
			accepts("a modal", kind, check.Callback, modal(component))
		}
		for kind := range 30 {
			if component, ok := inMessage[kind]; ok {
				accepts("a message", kind, check.MessageCreate, rich(component))
				continue
			}
			t.Run(fmt.Sprintf("type %d has no place in a message", kind), func(t *testing.T) {
				refusal := c.MessageCreate([]byte(rich(fmt.Sprintf(`{"type":%d}`, kind))))
				if got := codesAt(t, refusal, "components.0.type"); !cmp.Equal(got, []string{"UNION_TYPE_CHOICES"}) {
					t.Errorf("got %v", refusal)
				}
			})
		}
	})
}
