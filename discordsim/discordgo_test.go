package discordsim_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/discordsim"
)

func respond(t *testing.T, s *discordgo.Session, i *discordgo.Interaction, kind discordgo.InteractionResponseType, data *discordgo.InteractionResponseData) {
	t.Helper()
	if err := s.InteractionRespond(i, &discordgo.InteractionResponse{Type: kind, Data: data}); err != nil {
		t.Error(err)
	}
}

func TestDiscordgoPlaysEverySurface(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	ctx := context.Background()
	bot := w.openBot(func(s *discordgo.Session, i *discordgo.Interaction) {
		switch i.Type {
		case discordgo.InteractionApplicationCommand:
			data := i.ApplicationCommandData()
			if data.CommandType == discordgo.UserApplicationCommand {
				respond(t, s, i, 4, &discordgo.InteractionResponseData{
					Content: "target " + data.Resolved.Users[data.TargetID].Username, Flags: discordgo.MessageFlagsEphemeral,
				})
				return
			}
			opponent := data.Options[0].Options[0].UserValue(nil)
			respond(t, s, i, 4, &discordgo.InteractionResponseData{
				Content: "<@" + opponent.ID + "> is challenged",
				Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
					discordgo.Button{Label: "Accept", CustomID: "accept", Style: discordgo.SuccessButton},
					discordgo.Button{Label: "Resign", CustomID: "resign", Style: discordgo.DangerButton},
					discordgo.Button{Label: "Later", CustomID: "later", Style: discordgo.SecondaryButton},
					discordgo.Button{Label: "Off", CustomID: "off", Style: discordgo.SecondaryButton, Disabled: true},
				}}},
			})
		case discordgo.InteractionMessageComponent:
			switch i.MessageComponentData().CustomID {
			case "accept":
				respond(t, s, i, 7, &discordgo.InteractionResponseData{Content: "on", Components: i.Message.Components})
			case "resign":
				respond(t, s, i, 9, &discordgo.InteractionResponseData{Title: "Sure?", CustomID: "sure", Components: []discordgo.MessageComponent{
					discordgo.ActionsRow{Components: []discordgo.MessageComponent{
						discordgo.TextInput{CustomID: "why", Label: "Why?", Style: discordgo.TextInputShort, Required: true},
					}},
				}})
			case "later":
				respond(t, s, i, 6, nil)
				if _, err := s.FollowupMessageCreate(i, true, &discordgo.WebhookParams{Content: "soon", Flags: discordgo.MessageFlagsEphemeral}); err != nil {
					t.Error(err)
				}
			}
		case discordgo.InteractionModalSubmit:
			row := i.ModalSubmitData().Components[0].(*discordgo.ActionsRow)
			respond(t, s, i, 7, &discordgo.InteractionResponseData{Content: "gone: " + row.Components[0].(*discordgo.TextInput).Value})
		}
	})
	_, err := bot.ApplicationCommandBulkOverwrite(botID, "", []*discordgo.ApplicationCommand{
		{Name: "duel", Description: "Duel", Options: []*discordgo.ApplicationCommandOption{{
			Type: discordgo.ApplicationCommandOptionSubCommand, Name: "challenge", Description: "Somebody",
			Options: []*discordgo.ApplicationCommandOption{
				{Type: discordgo.ApplicationCommandOptionUser, Name: "opponent", Description: "Who", Required: true},
			},
		}}},
		{Name: "Look at", Type: discordgo.UserApplicationCommand},
	})
	if err != nil {
		t.Fatal(err)
	}
	alice, bob, carol := w.User("alice"), w.User("bob"), w.User("carol")

	r, err := alice.Command(ctx, "general", "duel challenge", map[string]any{"opponent": "bob"})
	if err != nil {
		t.Fatal(err)
	}
	board := r.Message
	if r.Status != discordsim.Answered || board.Type != 20 || len(board.Mentions) != 1 || board.Mentions[0].ID != bob.ID() {
		t.Errorf("the challenge came as %+v", r)
	}
	if got := board.Interaction.Name; got != "duel challenge" {
		t.Errorf("the reply belongs to the command %q", got)
	}

	r, err = bob.Click(ctx, board.ID, discordsim.Button{Label: "Accept"})
	if err != nil || r.Status != discordsim.Answered || r.Message.ID != board.ID || r.Message.Content != "on" || r.Message.EditedTimestamp == nil {
		t.Errorf("accepting: %+v, %v", r, err)
	}

	r, err = carol.Click(ctx, board.ID, discordsim.Button{CustomID: "later"})
	if err != nil || r.Status != discordsim.Answered || !r.Ephemeral || r.Message.Content != "soon" {
		t.Errorf("a follow-up after a quiet deferral: %+v, %v", r, err)
	}
	seen := func(u *discordsim.User) int {
		t.Helper()
		messages, err := u.Messages("general")
		if err != nil {
			t.Fatal(err)
		}
		return len(messages)
	}
	if seen(carol) != 2 || seen(alice) != 1 {
		t.Errorf("carol sees %d messages and alice %d, want 2 and 1", seen(carol), seen(alice))
	}

	r, err = alice.Click(ctx, board.ID, discordsim.Button{Index: 1})
	if err != nil || r.Modal == nil || r.Modal.Title != "Sure?" || r.Message != nil {
		t.Fatalf("opening the modal: %+v, %v", r, err)
	}
	if _, err := alice.Submit(ctx, r.Interaction, nil); err == nil {
		t.Error("a modal without its required text was sent")
	}
	r, err = alice.Submit(ctx, r.Interaction, map[string]any{"why": "late"})
	if err != nil || r.Message == nil || r.Message.Content != "gone: late" || r.Message.ID != board.ID {
		t.Errorf("sending the modal: %+v, %v", r, err)
	}

	r, err = alice.UserCommand(ctx, "general", "Look at", "carol")
	if err != nil || r.Message == nil || r.Message.Content != "target carol" || r.Message.Type != 23 || !r.Ephemeral {
		t.Errorf("the context menu: %+v, %v", r, err)
	}

	r, err = alice.Command(ctx, "@tictactoe", "duel challenge", map[string]any{"opponent": "bob"})
	if err != nil || r.Status != discordsim.Answered {
		t.Errorf("in direct messages: %+v, %v", r, err)
	}
}

// tellingConn is a connection that reports each write on a channel.
type tellingConn struct {
	net.Conn
	wrote chan<- struct{}
}

func (c tellingConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	select {
	case c.wrote <- struct{}{}:
	default:
	}
	return n, err
}

func TestDiscordgoResumesWithoutLosingAnInteraction(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	bot := newBot(t, w.url, nil)
	wrote := make(chan struct{}, 64)
	bot.Dialer.NetDialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		return tellingConn{conn, wrote}, err
	}
	w.register(pingCommand)
	ready, resumed := make(chan struct{}, 4), make(chan struct{}, 4)
	dropped := make(chan struct{}, 4)
	bot.AddHandler(func(*discordgo.Session, *discordgo.Ready) { ready <- struct{}{} })
	bot.AddHandler(func(*discordgo.Session, *discordgo.Resumed) { resumed <- struct{}{} })
	bot.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { dropped <- struct{}{} })
	bot.AddHandler(func(s *discordgo.Session, e *discordgo.InteractionCreate) {
		respond(t, s, e.Interaction, 4, &discordgo.InteractionResponseData{Content: "pong"})
	})
	bot.ShouldReconnectOnError = false
	if err := bot.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { bot.Close() })
	<-ready
	// Wait for the handshake, the IDENTIFY and the first heartbeat. If the heartbeat failed, discordgo would close
	// its current connection, which may already be the one that replaces the failed one.
	for range 3 {
		<-wrote
	}
	w.DropGateway()
	<-dropped
	done := make(chan discordsim.Result, 1)
	go func() {
		r, err := w.User("alice").Command(ctx, "general", "ping", nil)
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	for bot.Open() == discordgo.ErrWSAlreadyOpen {
		// The session marks itself as closed only after it has reported the disconnect.
	}
	select {
	case <-resumed:
	case <-ctx.Done():
		t.Fatal("the bot was not resumed")
	}
	if r := <-done; r.Status != discordsim.Answered {
		t.Errorf("the interaction of the gap: %+v", r)
	}
	if len(ready) != 0 {
		t.Error("the bot had to identify again")
	}
}
