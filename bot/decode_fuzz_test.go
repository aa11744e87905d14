package bot_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
)

// pressed is a click as Discord sends it.
const pressed = `{"version":1,"type":3,"token":"aW50ZXJhY3Rpb246MTA","message":{"webhook_id":"2","type":20,"tts":false,"timestamp":"2026-11-22T10:00:00.123000+00:00",
	"resolved":{"users":{"7":{"username":"bob","id":"7"}},"members":{}},"position":0,"pinned":false,"nonce":"12","mentions":[{"username":"bob","id":"7"}],"mention_roles":[],"mention_everyone":false,
	"interaction_metadata":{"user":{"username":"ann","id":"6"},"type":2,"name":"tictactoe ai","id":"9","authorizing_integration_owners":{"1":"6","0":"3"}},
	"id":"4","flags":32768,"embeds":[],"edited_timestamp":null,"content":"","components":[{"type":17,"spoiler":false,"id":1,"components":[
	{"type":10,"id":2,"content":"**ann** \"x\" \u2716 \/ ×\nyour turn <t:1:R> ✖️"},{"type":1,"id":3,"components":[{"type":2,"style":2,"id":4,"emoji":{"name":"▫️"},"disabled":false,"custom_id":"play:1:0:a1"},
	{"type":2,"style":2,"id":5,"custom_id":"play:1:0:b1"}]},{"type":9,"components":[{"type":10,"content":"-0.5e+3"}],"accessory":{"type":2,"custom_id":"resign:1:0"}}],"accent_color":-1.5e3}],
	"channel_id":"8","author":{"username":"bot","id":"2","bot":true},"attachments":[],"application_id":"2"},
	"member":{"user":{"username":"ann","public_flags":0,"id":"6","global_name":"Ann \ud83d\ude00 \"the\" 😀","discriminator":"0","avatar":null},"unusual_dm_activity_until":null,"roles":["5"],
	"premium_since":null,"permissions":"2248473465835073","pending":false,"nick":null,"mute":false,"joined_at":"2026-01-01T00:00:00.5+00:00","flags":0,"deaf":false,"communication_disabled_until":null,"avatar":null},
	"locale":"en-US","id":"10","guild_locale":"de","guild_id":"3","guild":{"locale":"de","id":"3","features":["COMMUNITY"]},"entitlements":[],"entitlement_sku_ids":[],
	"data":{"id":4,"custom_id":"play:1:0:a1","component_type":2},"context":0,"channel_id":"8","channel":{"type":11,"thread_metadata":{"locked":false},"parent_id":"80","name":"a room","id":"8"},
	"authorizing_integration_owners":{"1":"6","0":"3"},"attachment_size_limit":10485760,"application_id":"2","app_permissions":"562949953601536"}`

func TestAClickIsDecoded(t *testing.T) {
	in, err := bot.Decode([]byte(pressed))
	if err != nil {
		t.Fatal(err)
	}
	got := []any{in.User().ID, in.DisplayName(), in.Interaction.Member.Permissions, in.Parent, in.ServerLocale(), in.BotMember(), in.CustomID(), in.Message.ID, in.Carried()}
	want := []any{"6", "Ann 😀 \"the\" 😀", int64(2248473465835073), "80", "de", true, "play:1:0:a1", "4", []string{"play:1:0:a1", "play:1:0:b1", "resign:1:0"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCarried(t *testing.T) {
	const id = `play:1:0:a1`
	for components, want := range map[string]bool{
		`[{"type":1,"components":[{"type":2,"custom_id":"play:1:0:a1"}]}]`:            true,
		`[ { "type" : 9, "accessory" : { "custom_id" : "play:1:0:\u0061\u0031" } } ]`: true,
		`[{"type":2,"custom_id":"play:1:0:a11"},{"custom_id":"xplay:1:0:a1"}]`:        false,
		`[{"type":10,"content":"\"custom_id\":\"play:1:0:a1\""}]`:                     false, // a text, which may quote a name that a user chose, is no component
		`[{"type":2,"custom_id":7}]`:                                                  false,
		``:                                                                            false,
	} {
		in := bot.Interaction{Components: json.RawMessage(components)}
		if got := in.Carried(); slices.Contains(got, id) != want {
			t.Errorf("%s carries %q", components, got)
		}
	}
	odd := "\"}\x00"
	if in := (bot.Interaction{Components: json.RawMessage(`[{"custom_id":"\"}\u0000"}]`)}); !slices.Contains(in.Carried(), odd) {
		t.Errorf("%q is not found", odd)
	}
}

func TestNULInATextIsReplaced(t *testing.T) {
	in, err := bot.Decode([]byte("{\"id\":\"1\",\"token\":\"t\",\"type\":2,\"user\":{\"id\":\"2\",\"username\":\"a\\u0000b\xff\"},\"data\":{\"name\":\"c\"}}"))
	if err != nil {
		t.Fatal(err)
	}
	if name := in.User().Username; name != "a\ufffdb\ufffd" {
		t.Errorf("the name is %q", name)
	}
}

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bot.Decode([]byte(pressed)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestDeepJSONIsRefused(t *testing.T) {
	for _, levels := range []int{10_000, 4 << 20} {
		for _, end := range []string{"", strings.Repeat("]", levels) + "}"} {
			if _, err := bot.Decode([]byte(`{"data":` + strings.Repeat("[", levels) + end)); err == nil {
				t.Errorf("JSON with %d levels was decoded", levels)
			}
		}
	}
}

// FuzzDecode checks that decode survives any data from the gateway, and that every answerable interaction is answered.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		pressed,
		`{"id":"1","token":"t","type":3,"data":{"custom_id":"a","custom_id":"b"},"message":{"components":[{"custom_id":"a"}],"components":[{}]},"ID":"2","\u0069d":"3"}`,
		`{"id":"1","token":"t","type":3.0,"user":{"id":"2","id":null},"user":{"username":"\ud800"},"member":{"user":{"id":7}},"context":-01,"guild_id":tru}`,
		`{"id":"1","token":"t","type":2,"data":{"name":"tictactoe","type":1,"options":[{"name":"ai","type":1,"options":[{"name":"level","type":3,"value":"easy"}]}]},"member":{"user":{"id":"2"},"permissions":"8"},"guild_id":"3"}`,
		`{"id":"1","token":"t","type":3,"data":{"custom_id":"play:1:0:b2","component_type":2},"message":{"id":"4","flags":32768,"components":[{"type":17,"components":[{"type":1,"components":[{"type":2,"custom_id":"x"}]},{"type":99}]}]},"user":{"id":"2"}}`,
		`{"id":"1","token":"t","type":5,"data":{"custom_id":"resign:1:2","components":[{"type":18,"component":{"type":4,"custom_id":"x","value":"y"}}]}}`,
		`{"id":"1","token":"t","type":2,"data":{"name":"x","type":2,"target_id":"5","resolved":{"users":{"5":null}}}}`,
		`{"id":"1","token":"t","type":4,"data":{"name":"tictactoe","type":1,"options":[{"name":"move","type":1,"options":[{"name":"match","type":3,"value":"5rh"},{"name":"square","type":3,"value":" B","focused":true}]}]},"member":{"user":{"id":"2"},"permissions":"8"},"guild_id":"3"}`,
		`{"id":"1","token":"t","type":4,"data":{"name":"x","options":[null,{"name":"n","type":4,"value":"1","focused":true},{"name":"m","type":10,"value":1.5,"focused":true}]}}`,
		`{"id":"1","token":"t","type":3,"data":null,"message":null}`,
		`{"id":"1","token":"t","type":2,"data":{"options":[null]}}`,
		"{\"id\":\"\xff\",\"token\":\"a\tb\"}", "{\"id\":\"1\",\"token\":\"\xff\",\"type\":3,\"data\":{\"custom_id\":\"\xff\"}}",
		`{"id":"1","token":"t","type":1}`, `{"id":1,"token":{}}`, `[]`, `null`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		decoded, err := bot.Decode(json.RawMessage(raw))
		if decoded == nil {
			if err == nil {
				t.Errorf("decode returned neither an interaction nor an error: %s", raw)
			}
			return
		}
		if decoded.ID == "" || decoded.Token == "" {
			t.Errorf("decode returned an interaction that cannot be answered: %+v", decoded)
		}
		if err != nil {
			return // the dispatcher answers an unreadable interaction with an apology
		}
		in := decoded
		in.User()
		in.DisplayName()
		in.Options()
		in.CommandPath()
		in.CustomID()
		in.Focused()
		in.BotMember()
		in.Locale()
		in.ServerLocale()
	})
}
