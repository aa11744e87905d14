package discordsim_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/discordsim"
)

// standIn is a TB that records why the test fails.
type standIn struct {
	out    io.Writer
	log    bytes.Buffer
	failed bool
	ends   []func()
}

func (*standIn) Helper()                         {}
func (*standIn) Context() context.Context        { return context.Background() }
func (t *standIn) Cleanup(end func())            { t.ends = append(t.ends, end) }
func (t *standIn) Failed() bool                  { return t.failed }
func (t *standIn) Logf(format string, of ...any) { fmt.Fprintf(&t.log, format, of...) }

func (t *standIn) Errorf(format string, of ...any) {
	t.failed = true
	fmt.Fprintf(t.out, format+"\n", of...)
}

func (t *standIn) Fatalf(format string, of ...any) {
	t.Errorf(format, of...)
	panic(t)
}

// end does what the testing package does at the end of a test. It is deferred.
func (t *standIn) end() {
	if r := recover(); r != nil && r != any(t) {
		panic(r)
	}
	for _, end := range slices.Backward(t.ends) {
		end()
	}
}

// startsBot starts a bot on discordgo whose commands are named for their answers, and stops the bot when the stand-in
// test ends.
func startsBot(t *testing.T, test *standIn, discord *discordsim.Discord) {
	t.Helper()
	bot, err := discordgo.New("Bot " + discord.Token)
	if err != nil {
		t.Fatal(err)
	}
	bot.Client = discord.Client()
	button := discordgo.Button{Label: "Again", CustomID: "again"}
	said := discordgo.InteractionResponseData{
		Content: "hi", Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{button}}},
	}
	answers := map[string]discordgo.InteractionResponse{
		"say":     {Type: discordgo.InteractionResponseChannelMessageWithSource, Data: &said},
		"whisper": {Type: discordgo.InteractionResponseChannelMessageWithSource, Data: &discordgo.InteractionResponseData{Content: "hi", Flags: 64}},
		"ask": {Type: discordgo.InteractionResponseModal, Data: &discordgo.InteractionResponseData{
			CustomID: "form", Title: "Who?", Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
				discordgo.TextInput{CustomID: "name", Label: "Name", Style: discordgo.TextInputShort},
			}}},
		}},
		"fail": {Type: discordgo.InteractionResponseChannelMessageWithSource, Data: &discordgo.InteractionResponseData{}},
	}
	bot.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		switch i.Type {
		case discordgo.InteractionApplicationCommand:
			if r, answered := answers[i.ApplicationCommandData().Name]; answered {
				s.InteractionRespond(i.Interaction, &r)
			}
		case discordgo.InteractionMessageComponent:
			s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
				Type: discordgo.InteractionResponseUpdateMessage, Data: &discordgo.InteractionResponseData{Content: "hi again"},
			})
		}
	})
	if err := bot.Open(); err != nil {
		t.Fatal(err)
	}
	test.Cleanup(func() { bot.Close() })
	var commands []*discordgo.ApplicationCommand
	for _, name := range []string{"say", "whisper", "ask", "fail", "ignore"} {
		commands = append(commands, &discordgo.ApplicationCommand{Name: name, Description: "Answers"})
	}
	if _, err := bot.ApplicationCommandBulkOverwrite(bot.State.Application.ID, "", commands); err != nil {
		t.Fatal(err)
	}
}

func TestAnExpectationSaysWhatWasSeenInstead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		expect func(*discordsim.Discord, *discordsim.TestUser)
		says   string // the failure that the test reports; empty if the assertion holds
	}{
		"the message": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			d.ExpectMessage(alice.Command("say", nil), "hi")
		}, ""},
		"another message": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			d.ExpectMessage(alice.Command("say", nil), "ho")
		}, `the bot should answer with the message "ho", but: the message (answered) is "hi", with 0 embeds and the buttons ["Again"]`},
		"a public message": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			d.ExpectEphemeral(alice.Command("say", nil), "hi")
		}, `only the user should see the message "hi", but everybody does`},
		"an ephemeral message": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			d.ExpectEphemeral(alice.Command("whisper", nil), "hi")
		}, ""},
		"an edit": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			said := d.MessageOf(alice.Command("say", nil))
			d.ExpectEdit(alice.Click(said, "Again"), said, "hi again")
		}, ""},
		"a message, not an edit": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			said := d.MessageOf(alice.Command("say", nil))
			d.ExpectEdit(alice.Command("say", nil), said, "hi")
		}, `the bot should edit the message "hi", but sent a new one: the message (answered) is "hi", with 0 embeds and the buttons ["Again"]`},
		"the form": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			d.ExpectModal(alice.Command("ask", nil), "Who?")
		}, ""},
		"a form, not a message": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			d.MessageOf(alice.Command("ask", nil))
		}, `the bot should answer with a message, but: it opened the form "Who?"`},
		"a message, not a form": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			d.ExpectModal(alice.Command("whisper", nil), "Who?")
		}, `the bot should open the form "Who?", but: the message (answered) is "hi", with 0 embeds and the buttons []`},
		"an answer that Discord refuses": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			d.ExpectMessage(alice.Command("fail", nil), "hi")
		}, `the bot should answer with the message "hi", but: its answer was refused: 50006: Cannot send an empty message`},
		"a command that is not there": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			alice.Command("sing", nil)
		}, `alice in general: not found: no command "sing"`},
		"no answer": {func(d *discordsim.Discord, alice *discordsim.TestUser) {
			alice.Command("ignore", nil)
			d.AllAnswered()
		}, "there is no message (timeout)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			test := &standIn{out: &out}
			func() {
				defer test.end()
				discord := discordsim.Start(test)
				startsBot(t, test, discord)
				discord.BotReady("")
				c.expect(discord, discord.User("alice"))
			}()
			if said := out.String(); c.says == "" && said != "" || !strings.Contains(said, c.says) {
				t.Errorf("it said %q, not %q", said, c.says)
			}
			if logged := test.log.String(); (c.says != "") != strings.Contains(logged, "PUT /applications/100000000000000001/commands 200") {
				t.Errorf("the log is %q", logged)
			}
		})
	}
}

func TestAStartedDiscordHasNoRateLimitsUnlessAskedFor(t *testing.T) {
	t.Parallel()
	for _, limited := range []bool{false, true} {
		discord := discordsim.Start(t, func(c *discordsim.Config) { c.NoRateLimits = !limited })
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://discord.com/api/v10/users/@me", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bot "+discord.Token)
		response, err := discord.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		discord.Quiet(time.Millisecond)
		if _, has := response.Header["X-Ratelimit-Limit"]; has != limited {
			t.Errorf("with limits %v the headers are %v", limited, response.Header)
		}
	}
}
