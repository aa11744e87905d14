package bot_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tictactoe/bot"
)

// What the faster library reads, encoding/json reads too, and nothing else is in it.
func FuzzReadJSON(f *testing.F) {
	for _, seed := range []string{
		pressed,
		`{"id":"1","id":"2","ID":"3","\u0069d":"4","token":null,"type":3.0}`,
		`{"id":"\ud800\udc00 \ud800 \u0000","token":"<&>\u2028","type":-0}`,
		"{\"id\":\"\xff\",\"token\":\"a\tb\"}",
		`{"member":{"user":{"id":"2","username":null},"permissions":8},"user":null,"channel":{"type":11,"parent_id":"8"}}`,
		`{"guild":{"features":["COMMUNITY",null]},"authorizing_integration_owners":{"0":"1","x":"2"}}`,
		`{"message":{"components":[{"custom_id":"a"}],"components":null},"data":{"a":[1,2.5e3,true,{}]}}`,
		`{"type":9223372036854775808}`, `{"type":1e2}`, `{"type":"1"}`, `{"id":"1"} {}`, `[]`, `null`, ` `, `{"a":01}`, `{"a":nul}`, `{"a":tru`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want bot.Received
		wantErr := json.Unmarshal(raw, &want)
		got, err := bot.ReadJSON(raw)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v, not %v", err, wantErr)
		}
		if diff := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true }), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDeepJSONIsRefused(t *testing.T) {
	for _, levels := range []int{10_000, 4 << 20} {
		for _, end := range []string{"", strings.Repeat("]", levels) + "}"} {
			if _, err := bot.ReadJSON([]byte(`{"data":` + strings.Repeat("[", levels) + end)); err == nil {
				t.Errorf("%d levels were read", levels)
			}
		}
	}
}

// What is written reads as what encoding/json writes.
func FuzzWriteJSON(f *testing.F) {
	f.Add("Ann \"x\" \\ \b\f\n\r\t\x00\x7f <&> \u2028\u2029 😀 \xff", "a.png", "1", 3)
	f.Add("", "", "", 0)
	f.Fuzz(func(t *testing.T, text, name, id string, n int) {
		button := discordgo.Button{Label: text, CustomID: id, URL: name, Emoji: &discordgo.ComponentEmoji{Name: text, ID: id}}
		components := []discordgo.MessageComponent{
			discordgo.Container{ID: n, AccentColor: &n, Components: []discordgo.MessageComponent{
				discordgo.TextDisplay{Content: text}, discordgo.ActionsRow{Components: []discordgo.MessageComponent{button, &button}},
			}},
			discordgo.ActionsRow{Components: []discordgo.MessageComponent{discordgo.SelectMenu{CustomID: id, Placeholder: text}}},
		}
		file := bot.File{Name: name, Description: text}
		for _, reply := range []bot.Reply{
			{}, {Components: components, Ping: []string{id}}, {Kind: bot.Update, Components: components, Files: []bot.File{file, file}},
			{Kind: bot.Suggest, Choices: []bot.Choice{{Name: text, Value: id}}}, {Kind: bot.Ask, Modal: &bot.Modal{CustomID: id, Title: text, Components: components}},
		} {
			for _, body := range bot.Bodies(reply) {
				written, err := bot.WriteJSON(body)
				if err != nil {
					t.Fatal(err)
				}
				wanted, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				var got, want any
				if err := json.Unmarshal(written, &got); err != nil {
					t.Fatalf("%v: %s", err, written)
				}
				if err := json.Unmarshal(wanted, &want); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
		}
	})
}
