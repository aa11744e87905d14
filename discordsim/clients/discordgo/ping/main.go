// This program is a ping bot on discordgo. docs/testing-your-bot.md shows a part of the program, and package clients
// tests the simulator with the bot.
package main

import (
	"io"
	"log"
	"net/http"
	"net/url"
	"os"

	"github.com/bwmarrin/discordgo"
)

// docs/testing-your-bot.md shows the lines from here on.

// elsewhere redirects requests for Discord to another address.
type elsewhere struct{ to *url.URL }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = e.to.Scheme, e.to.Host, e.to.Host
	return http.DefaultTransport.RoundTrip(r)
}

func connect() (*discordgo.Session, error) {
	s, err := discordgo.New("Bot " + os.Getenv("DISCORD_TOKEN"))
	if err != nil {
		return nil, err
	}
	if address := os.Getenv("DISCORD_URL"); address != "" {
		to, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		s.Client.Transport = elsewhere{to}
	}
	s.AddHandler(answer)
	return s, s.Open()
}

// docs/testing-your-bot.md shows the lines up to here.

func main() {
	if _, err := start(); err != nil {
		log.Fatal(err)
	}
	io.Copy(io.Discard, os.Stdin) // blocks until the test that started the bot has ended
}

// start connects and registers the command.
func start() (*discordgo.Session, error) {
	s, err := connect()
	if err != nil {
		return nil, err
	}
	ping := []*discordgo.ApplicationCommand{{Name: "ping", Description: "Says pong"}}
	_, err = s.ApplicationCommandBulkOverwrite(s.State.Application.ID, "", ping)
	return s, err
}

func row(inside ...discordgo.MessageComponent) []discordgo.MessageComponent {
	return []discordgo.MessageComponent{discordgo.ActionsRow{Components: inside}}
}

func answer(s *discordgo.Session, i *discordgo.InteractionCreate) {
	var r discordgo.InteractionResponse
	switch i.Type {
	case discordgo.InteractionApplicationCommand:
		r.Type = discordgo.InteractionResponseChannelMessageWithSource
		r.Data = &discordgo.InteractionResponseData{Content: "pong", Components: row(
			discordgo.Button{Label: "Again", CustomID: "again"}, discordgo.Button{Label: "Name", CustomID: "name"})}
	case discordgo.InteractionModalSubmit:
		name := i.ModalSubmitData().Components[0].(*discordgo.ActionsRow).Components[0].(*discordgo.TextInput).Value
		r.Type = discordgo.InteractionResponseChannelMessageWithSource
		r.Data = &discordgo.InteractionResponseData{Content: "hello " + name, Flags: discordgo.MessageFlagsEphemeral}
	case discordgo.InteractionMessageComponent:
		r.Type = discordgo.InteractionResponseDeferredMessageUpdate
		if i.MessageComponentData().CustomID == "name" {
			r.Type = discordgo.InteractionResponseModal
			r.Data = &discordgo.InteractionResponseData{CustomID: "form", Title: "Who are you?", Components: row(
				discordgo.TextInput{CustomID: "name", Label: "Name", Style: discordgo.TextInputShort})}
		}
	}
	err := s.InteractionRespond(i.Interaction, &r)
	if err == nil && r.Type == discordgo.InteractionResponseDeferredMessageUpdate {
		again := "pong again"
		_, err = s.InteractionResponseEdit(i.Interaction, &discordgo.WebhookEdit{Content: &again})
	}
	if err != nil {
		log.Print(err)
	}
}
