// This program is a ping bot on arikawa. docs/testing-your-bot.md shows a part of the program, and package clients
// tests the simulator with the bot.
package main

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"

	"github.com/diamondburned/arikawa/v3/api"
	"github.com/diamondburned/arikawa/v3/discord"
	"github.com/diamondburned/arikawa/v3/gateway"
	"github.com/diamondburned/arikawa/v3/session"
	"github.com/diamondburned/arikawa/v3/utils/json/option"
)

// docs/testing-your-bot.md shows the lines from here on.

// elsewhere redirects requests for Discord to another address.
type elsewhere struct {
	to   *url.URL
	next http.RoundTripper
}

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = e.to.Scheme, e.to.Host, e.to.Host
	return e.next.RoundTrip(r)
}

func connect() (*session.Session, error) {
	if address := os.Getenv("DISCORD_URL"); address != "" {
		to, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		http.DefaultTransport = elsewhere{to, http.DefaultTransport} // arikawa creates other clients to look up the gateway
	}
	s := session.NewWithIntents("Bot "+os.Getenv("DISCORD_TOKEN"), gateway.IntentGuilds)
	s.AddInteractionHandlerFunc(func(i *discord.InteractionEvent) *api.InteractionResponse { return answer(s, i) })
	return s, s.Open(context.Background())
}

// docs/testing-your-bot.md shows the lines up to here.

func main() {
	s, err := connect()
	if err != nil {
		log.Fatal(err)
	}
	app, err := s.CurrentApplication()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := s.BulkOverwriteCommands(app.ID, []api.CreateCommandData{{Name: "ping", Description: "Says pong"}}); err != nil {
		log.Fatal(err)
	}
	io.Copy(io.Discard, os.Stdin) // blocks until the test that started the bot has ended
}

func say(content string) *api.InteractionResponse {
	return &api.InteractionResponse{
		Type: api.MessageInteractionWithSource, Data: &api.InteractionResponseData{Content: option.NewNullableString(content)},
	}
}

func answer(s *session.Session, i *discord.InteractionEvent) *api.InteractionResponse {
	switch data := i.Data.(type) {
	case *discord.CommandInteraction:
		pong := say("pong")
		pong.Data.Components = discord.ComponentsPtr(&discord.ActionRowComponent{
			&discord.ButtonComponent{Label: "Again", CustomID: "again", Style: discord.PrimaryButtonStyle()},
			&discord.ButtonComponent{Label: "Name", CustomID: "name", Style: discord.PrimaryButtonStyle()},
		})
		return pong
	case *discord.ModalInteraction:
		row := data.Components[0].(*discord.ActionRowComponent)
		hello := say("hello " + (*row)[0].(*discord.TextInputComponent).Value)
		hello.Data.Flags = discord.EphemeralMessage
		return hello
	case discord.ComponentInteraction:
		if data.ID() == "name" {
			return &api.InteractionResponse{Type: api.ModalResponse, Data: &api.InteractionResponseData{
				CustomID: option.NewNullableString("form"), Title: option.NewNullableString("Who are you?"),
				Components: discord.ComponentsPtr(&discord.TextInputComponent{CustomID: "name", Label: "Name", Style: discord.TextInputShortStyle}),
			}}
		}
		err := s.RespondInteraction(i.ID, i.Token, api.InteractionResponse{Type: api.DeferredMessageUpdate})
		if err == nil {
			_, err = s.EditInteractionResponse(i.AppID, i.Token, api.EditInteractionResponseData{Content: option.NewNullableString("pong again")})
		}
		if err != nil {
			log.Print(err)
		}
	}
	return nil
}
