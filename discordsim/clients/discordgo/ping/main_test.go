package main

// docs/testing-your-bot.md shows the lines from here on.
import (
	"testing"

	"tictactoe/discordsim"
)

func TestPing(t *testing.T) {
	discord := discordsim.Start(t)
	t.Setenv("DISCORD_URL", discord.URL)
	t.Setenv("DISCORD_TOKEN", discord.Token)
	bot, err := start()
	if err != nil {
		t.Fatal(err)
	}
	defer bot.Close()

	alice, bob := discord.User("alice"), discord.User("bob")
	pong := discord.ExpectMessage(alice.Command("ping", nil), "pong")
	discord.ExpectEdit(bob.Click(pong, "Again"), pong, "pong again")
	form := bob.Click(pong, "Name")
	discord.ExpectModal(form, "Who are you?")
	discord.ExpectEphemeral(bob.Submit(form, map[string]any{"name": "Ada"}), "hello Ada")
	discord.AllAnswered()
}

// docs/testing-your-bot.md shows the lines up to here.
