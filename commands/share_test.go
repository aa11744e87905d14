package commands_test

import (
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/commands"
	"tictactoe/game"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

func TestANameDoesNotEndACodeBlock(t *testing.T) {
	t.Parallel()
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	s := view.Screen{Paste: []view.Text{
		view.T("match.turn.untimed", view.Args{"Mark": view.Mark(game.O), "Name": view.Name("```_Bob_")}),
		view.T("square.mark", view.Args{"Mark": "❌⬜\n⭕❌"}),
	}}
	box := commands.Encoded(s, book.In("en"), nil, "")[0].(discordgo.Container)
	want := "```\n⭕ '''_Bob_ to move\n❌⬜\n⭕❌\n```"
	if diff := cmp.Diff(want, box.Components[0].(discordgo.TextDisplay).Content); diff != "" {
		t.Error(diff)
	}
}
