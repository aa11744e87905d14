package discordsim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/discordsim"
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

	bot := sessionAt(server.URL)
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

// This is a test of a bot on discordgo, which accepts another HTTP client. A test function passes its own t to Start.
func ExampleStart() {
	t := &standIn{out: os.Stdout}
	defer t.end()

	discord := discordsim.Start(t)
	bot, err := discordgo.New("Bot " + discord.Token)
	if err != nil {
		t.Fatalf("%v", err)
	}
	bot.Client = discord.Client()
	bot.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: "Hello, " + i.Member.User.Username},
		})
	})
	if err := bot.Open(); err != nil {
		t.Fatalf("%v", err)
	}
	defer bot.Close()
	if _, err := bot.ApplicationCommandCreate(bot.State.Application.ID, "", &discordgo.ApplicationCommand{Name: "hello", Description: "Greets"}); err != nil {
		t.Fatalf("%v", err)
	}

	alice := discord.User("alice")
	discord.ExpectMessage(alice.Command("hello", nil), "Hello, alice")
	discord.AllAnswered()
	discord.ExpectMessage(alice.Command("hello", nil), "Hello, Alice")
	// Output: the bot should answer with the message "Hello, Alice", but: the message (answered) is "Hello, alice", with 0 embeds and the buttons []
}

// A seed describes the world of a test, and the clock moves when the test says so.
func ExampleStart_seed() {
	t := &standIn{out: os.Stdout}
	defer t.end()

	discord := discordsim.Start(t, func(c *discordsim.Config) {
		c.Seed = []byte(`{"users":[{"username":"ada"}],"guilds":[{"name":"Club","channels":[{"name":"games"}]}]}`)
	})
	ada := discord.User("ada").In("games")
	ada.Write("Anybody here?")
	discord.Advance(24 * time.Hour)
	ada.Write("Nobody?")
	for _, m := range ada.Messages() {
		fmt.Println(m.Author.Username, m.Content)
	}
	// Output:
	// ada Anybody here?
	// ada Nobody?
}

// Faults are set for one bot or for all. Here the first two REST calls fail as if Discord were down, and discordgo
// repeats them.
func ExampleSim_SetFaults() {
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	server := httptest.NewServer(sim.Handler())
	defer server.Close()
	bot := sessionAt(server.URL)

	if err := sim.SetFaults(discordsim.Faults{RESTStatus: http.StatusBadGateway, RESTCount: 2}); err != nil {
		log.Fatal(err)
	}
	user, err := bot.User("@me")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.Username)
	// Output: bot
}

// The simulator verifies the interactions endpoint of a bot as Discord does, and then sends the bot's interactions
// there.
func ExampleBot_SetEndpoint() {
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	careless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"type":1}`)
	}))
	defer careless.Close()
	fmt.Println(sim.Bot(botID).SetEndpoint(context.Background(), careless.URL))
	// Output: the interactions endpoint could not be verified: a bad signature was answered with 200, not 401
}

// The transcript has the messages of the bot and of the simulator.
func ExampleSim_WriteTranscript() {
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	server := httptest.NewServer(sim.Handler())
	defer server.Close()
	if _, err := sessionAt(server.URL).Channel("1"); err == nil {
		log.Fatal("there is a channel 1")
	}
	var transcript bytes.Buffer
	if err := sim.WriteTranscript(&transcript, discordsim.TranscriptFilter{}); err != nil {
		log.Fatal(err)
	}
	lines := json.NewDecoder(&transcript)
	for lines.More() {
		var l discordsim.Line
		if err := lines.Decode(&l); err != nil {
			log.Fatal(err)
		}
		fmt.Println(l.Direction, l.Method, l.Path, l.Status)
	}
	// Output:
	// bot GET /channels/1 0
	// sim GET /channels/1 404
}

// A load shows how a bot copes with many people at once.
func ExampleSim_Load() {
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer sim.Close()
	server := httptest.NewServer(sim.Handler())
	defer server.Close()
	bot := sessionAt(server.URL)
	bot.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource, Data: &discordgo.InteractionResponseData{Content: "Hello"},
		})
	})
	if err := bot.Open(); err != nil {
		log.Fatal(err)
	}
	defer bot.Close()
	if _, err := bot.ApplicationCommandCreate(botID, "", &discordgo.ApplicationCommand{Name: "hello", Description: "Greets"}); err != nil {
		log.Fatal(err)
	}
	report, err := sim.Load(context.Background(), discordsim.Load{
		Users: 10, Channels: 2, PerSecond: 50, For: time.Second,
		Act: func(ctx context.Context, u *discordsim.User, channel string, _ int) (discordsim.Result, error) {
			return u.Command(ctx, channel, "hello", nil)
		},
	})
	fmt.Println(report.Interactions, report.Statuses, err)
	// Output: 50 map[answered:50] <nil>
}

// sessionAt returns a discordgo session that uses the server in place of Discord.
func sessionAt(address string) *discordgo.Session {
	to, err := url.Parse(address)
	if err != nil {
		log.Fatal(err)
	}
	session, err := discordgo.New("Bot " + token)
	if err != nil {
		log.Fatal(err)
	}
	session.Client = &http.Client{Transport: rewriter{to, http.DefaultTransport}}
	return session
}
