// This program is a ping bot on disgo. docs/testing-your-bot.md shows a part of the program, and package clients tests
// the simulator with the bot.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"

	"github.com/disgoorg/disgo"
	"github.com/disgoorg/disgo/bot"
	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/gateway"
	"github.com/disgoorg/disgo/handler"
	"github.com/disgoorg/disgo/rest"
)

// docs/testing-your-bot.md shows the lines from here on.

func connect() (*bot.Client, error) {
	options := []bot.ConfigOpt{
		bot.WithGatewayConfigOpts(gateway.WithIntents(gateway.IntentGuilds)),
		bot.WithEventListeners(answers()),
	}
	if address := os.Getenv("DISCORD_URL"); address != "" {
		options = append(options, bot.WithRestClientConfigOpts(rest.WithURL(address+"/api/v10")))
	}
	client, err := disgo.New(os.Getenv("DISCORD_TOKEN"), options...)
	if err != nil {
		return nil, err
	}
	return client, client.OpenGateway(context.Background())
}

// docs/testing-your-bot.md shows the lines up to here.

func main() {
	client, err := connect()
	if err != nil {
		log.Fatal(err)
	}
	ping := []discord.ApplicationCommandCreate{discord.SlashCommandCreate{Name: "ping", Description: "Says pong"}}
	if _, err := client.Rest.SetGlobalCommands(client.ApplicationID, ping); err != nil {
		log.Fatal(err)
	}
	io.Copy(io.Discard, os.Stdin) // blocks until the test that started the bot has ended
}

func answers() *handler.Mux {
	r := handler.New()
	r.SlashCommand("/ping", func(_ discord.SlashCommandInteractionData, e *handler.CommandEvent) error {
		return e.CreateMessage(discord.NewMessageCreate().WithContent("pong").
			AddActionRow(discord.NewPrimaryButton("Again", "/again"), discord.NewPrimaryButton("Name", "/name")))
	})
	r.Component("/again", func(e *handler.ComponentEvent) error {
		err := e.DeferUpdateMessage()
		_, late := e.UpdateInteractionResponse(discord.NewMessageUpdate().WithContent("pong again"))
		return errors.Join(err, late)
	})
	r.Component("/name", func(e *handler.ComponentEvent) error {
		return e.Modal(discord.NewModalCreate("/form", "Who are you?").AddLabel("Name", discord.NewShortTextInput("name")))
	})
	r.Modal("/form", func(e *handler.ModalEvent) error {
		return e.CreateMessage(discord.NewMessageCreate().WithContent("hello " + e.Data.Text("name")).WithEphemeral(true))
	})
	return r
}
