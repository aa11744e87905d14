package bot_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
)

// components are of every kind that is written by hand, with all fields and with none, and of one that is not.
func components() []discordgo.MessageComponent {
	colour := 0x5865f2
	full := discordgo.Button{
		Label: "<b> & \u2028", Style: discordgo.DangerButton, Disabled: true, Emoji: &discordgo.ComponentEmoji{Name: "❌", ID: "1", Animated: true},
		URL: "https://example.com/?a=1&b=2", CustomID: "play:m:0:b2", SKUID: "2", ID: 3,
	}
	choice := discordgo.SelectMenu{CustomID: "pick", Options: []discordgo.SelectMenuOption{{Label: "One", Value: "1"}}}
	row := discordgo.ActionsRow{ID: 4, Components: []discordgo.MessageComponent{full, discordgo.Button{}, &full}}
	return []discordgo.MessageComponent{
		discordgo.Container{
			ID: 5, AccentColor: &colour, Spoiler: true,
			Components: []discordgo.MessageComponent{
				discordgo.TextDisplay{Content: "### Alice <@1>"}, row, discordgo.ActionsRow{Components: []discordgo.MessageComponent{choice}},
			},
		},
		discordgo.Container{Components: []discordgo.MessageComponent{}}, row, discordgo.TextDisplay{},
	}
}

func TestComponentsAreWrittenAsDiscordgoWould(t *testing.T) {
	read := func(v any) (read any) {
		t.Helper()
		written, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &read); err != nil {
			t.Fatal(err)
		}
		return read
	}
	if diff := cmp.Diff(read(components()), read(bot.Plain(components()))); diff != "" {
		t.Error(diff)
	}
}

func TestNoComponentsAreAnEmptyList(t *testing.T) {
	for want, none := range map[string][]discordgo.MessageComponent{
		"[]":                           nil,
		`[{"components":[],"type":1}]`: {discordgo.ActionsRow{}},
	} {
		if written, err := json.Marshal(bot.Plain(none)); err != nil || string(written) != want {
			t.Errorf("written as %s, not %s: %v", written, want, err)
		}
	}
}

// What does it take to write a board, by discordgo and by us?
func BenchmarkComponents(b *testing.B) {
	colour := 0x5865f2
	box := discordgo.Container{AccentColor: &colour, Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: "### ❌ Alice and ⭕ Bob\nIt is Bob's turn"}}}
	for y := range 3 {
		var row discordgo.ActionsRow
		for x := range 3 {
			row.Components = append(row.Components, discordgo.Button{
				CustomID: fmt.Sprintf("play:1jsv4e2vg0000:4:%c%d", 'a'+x, y+1), Style: discordgo.SecondaryButton, Emoji: &discordgo.ComponentEmoji{Name: "▫️"},
			})
		}
		box.Components = append(box.Components, row)
	}
	board := []discordgo.MessageComponent{box}
	for name, form := range map[string]func() any{
		"discordgo": func() any { return board },
		"plain":     func() any { return bot.Plain(board) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := json.Marshal(form()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
