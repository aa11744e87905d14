package discordsim_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/discordsim"
)

// A bot on discordgo answers a command that Alice uses.
func Example() {
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	server := httptest.NewServer(sim.Handler())
	defer server.Close()
	address, err := url.Parse(server.URL)
	if err != nil {
		log.Fatal(err)
	}

	bot, err := discordgo.New("Bot " + token)
	if err != nil {
		log.Fatal(err)
	}
	bot.Client = &http.Client{Transport: rewriter{address, http.DefaultTransport}}
	bot.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: "Hello, " + i.Member.User.Username},
		})
	})
	if err := bot.Open(); err != nil {
		log.Fatal(err)
	}
	defer bot.Close()
	if _, err := bot.ApplicationCommandCreate(botID, "", &discordgo.ApplicationCommand{Name: "hello", Description: "Greets"}); err != nil {
		log.Fatal(err)
	}

	r, err := sim.User("alice").Command(context.Background(), "general", "hello", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Status, r.Message.Content)
	// Output: answered Hello, alice
}
