package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/internal/discordsim"
)

// BenchmarkClick is the way of one click, over loopback sockets: the simulator delivers it, the bot commits the move with
// its scores and board and answers, the simulator shows the new board. The floor is a discordgo session that answers
// every click with the same board and does nothing else.
func BenchmarkClick(b *testing.B) {
	b.Run("bot", func(b *testing.B) {
		sim, server := benchSim(b)
		ctx, cancel := context.WithCancel(b.Context())
		a, err := newApp(ctx, settings{
			db: filepath.Join(b.TempDir(), "bot.db"), token: playgroundToken, discordURL: server.URL,
			clock: sim.Clock(), log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			b.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- a.run(ctx) }()
		b.Cleanup(func() { cancel(); <-ended })
		clickAway(b, sim, func() string { return startMatch(b, sim) })
	})
	b.Run("floor", func(b *testing.B) {
		sim, server := benchSim(b)
		floorBot(b, server.URL)
		message := eventually(b, func() (discordsim.Result, error) {
			return sim.User("alice").Command(b.Context(), "general", "board", nil)
		}).Message.ID
		clickAway(b, sim, func() string { return message })
	})
}

func benchSim(b *testing.B) (*discordsim.Sim, *httptest.Server) {
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(sim.Handler())
	b.Cleanup(func() { sim.Close(); server.Close() })
	return sim, server
}

// clickAway presses the squares of one board after another, both players in turn.
func clickAway(b *testing.B, sim *discordsim.Sim, board func() string) {
	order := []string{"a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"} // a draw
	var message string
	for i := 0; b.Loop(); i++ {
		ply := i % len(order)
		if ply == 0 {
			b.StopTimer()
			message = board()
			b.StartTimer()
		}
		who := []string{"alice", "bob"}[ply%2]
		r, err := sim.User(who).Click(b.Context(), message, discordsim.Button{Index: int(order[ply][0]-'a') + 3*int(order[ply][1]-'1')})
		if err != nil || r.Status != "answered" || r.Ephemeral {
			b.Fatalf("click %d: %v %+v", i, err, r)
		}
	}
}

// startMatch begins a match of Alice against Bob, and ends the one before.
func startMatch(b *testing.B, sim *discordsim.Sim) string {
	r := eventually(b, func() (discordsim.Result, error) {
		return sim.User("alice").Command(b.Context(), "general", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me"})
	})
	if r.Ephemeral {
		b.Fatalf("no challenge: %s", textOf(r.Message))
	}
	id := r.Message.ID
	if _, err := sim.User("bob").Click(b.Context(), id, discordsim.Button{Label: "Accept"}); err != nil {
		b.Fatal(err)
	}
	return id
}

// eventually repeats a command until the bot has registered it.
func eventually(b *testing.B, act func() (discordsim.Result, error)) discordsim.Result {
	deadline := time.Now().Add(10 * time.Second)
	for {
		r, err := act()
		if err == nil {
			return r
		}
		if time.Now().After(deadline) {
			b.Fatal(err)
		}
	}
}

// floorBot answers a command and every click with a board, and does nothing else.
func floorBot(b *testing.B, address string) {
	s, err := discordgo.New("Bot " + playgroundToken)
	if err != nil {
		b.Fatal(err)
	}
	s.Client = &http.Client{Transport: toHost{address, &http.Transport{MaxIdleConnsPerHost: 64}}}
	s.Dialer = &websocket.Dialer{}
	s.StateEnabled, s.SyncEvents = false, true
	var row []discordgo.MessageComponent
	for y := range 3 {
		var squares []discordgo.MessageComponent
		for x := range 3 {
			squares = append(squares, discordgo.Button{
				CustomID: string([]byte{'a' + byte(x), '1' + byte(y)}), Style: discordgo.SecondaryButton, Emoji: &discordgo.ComponentEmoji{Name: "▫️"},
			})
		}
		row = append(row, discordgo.ActionsRow{Components: squares})
	}
	s.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		kind := discordgo.InteractionResponseUpdateMessage
		if i.Type == discordgo.InteractionApplicationCommand {
			kind = discordgo.InteractionResponseChannelMessageWithSource
		}
		if err := s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: kind, Data: &discordgo.InteractionResponseData{
			Flags: discordgo.MessageFlagsIsComponentsV2, Components: row, Embeds: []*discordgo.MessageEmbed{},
		}}); err != nil {
			b.Error(err)
		}
	})
	if err := s.Open(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	app := ownID(playgroundToken)
	if _, err := s.ApplicationCommandCreate(app, "", &discordgo.ApplicationCommand{Name: "board", Description: "a board"}); err != nil {
		b.Fatal(err)
	}
}

// toHost sends every request to one host.
type toHost struct {
	address string
	through http.RoundTripper
}

func (t toHost) RoundTrip(r *http.Request) (*http.Response, error) {
	to, err := url.Parse(t.address)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = to.Scheme, to.Host, to.Host
	return t.through.RoundTrip(r)
}
