// This program is the demo bot on discordgo. Package clients describes the bot's commands, and tests the simulator with
// the bot.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"

	dgo "github.com/bwmarrin/discordgo"
)

// elsewhere redirects requests for Discord to another address.
type elsewhere struct{ to *url.URL }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = e.to.Scheme, e.to.Host, e.to.Host
	return http.DefaultTransport.RoundTrip(r)
}

var ready, resumed atomic.Int64 // how many READY and RESUMED events the bot received

func main() {
	base, err := url.Parse(os.Getenv("DISCORD_URL"))
	must(err)
	s, err := dgo.New("Bot " + os.Getenv("DISCORD_TOKEN"))
	must(err)
	s.Client = &http.Client{Transport: elsewhere{base}}
	s.Identify.Intents = dgo.IntentsGuilds
	s.AddHandler(func(*dgo.Session, *dgo.Ready) { ready.Add(1) })
	s.AddHandler(func(*dgo.Session, *dgo.Resumed) { resumed.Add(1) })
	s.AddHandler(func(s *dgo.Session, i *dgo.InteractionCreate) {
		if err := handle(event{s, i.Interaction}); err != nil {
			log.Print(err)
		}
	})
	must(s.Open())
	self, err := s.User("@me")
	must(err)
	_, err = s.ApplicationCommandBulkOverwrite(self.ID, "", commands())
	must(err)
	io.Copy(io.Discard, os.Stdin) // blocks until the test that started the bot has ended
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func commands() []*dgo.ApplicationCommand {
	options := func(list ...*dgo.ApplicationCommandOption) []*dgo.ApplicationCommandOption { return list }
	option := func(kind dgo.ApplicationCommandOptionType, name string, inner ...*dgo.ApplicationCommandOption) *dgo.ApplicationCommandOption {
		return &dgo.ApplicationCommandOption{Type: kind, Name: name, Description: name, Options: inner}
	}
	sub := func(name string) *dgo.ApplicationCommandOption {
		return option(dgo.ApplicationCommandOptionSubCommand, name)
	}
	text := option(dgo.ApplicationCommandOptionString, "text")
	colour := option(dgo.ApplicationCommandOptionString, "name")
	times := option(dgo.ApplicationCommandOptionInteger, "count")
	text.Required, times.Required, colour.Required, colour.Autocomplete = true, true, true, true
	list := []*dgo.ApplicationCommand{
		{Name: "echo", Options: options(text, option(dgo.ApplicationCommandOptionInteger, "count"),
			option(dgo.ApplicationCommandOptionNumber, "ratio"), option(dgo.ApplicationCommandOptionBoolean, "loud"),
			option(dgo.ApplicationCommandOptionUser, "user"), option(dgo.ApplicationCommandOptionChannel, "channel"),
			option(dgo.ApplicationCommandOptionRole, "role"), option(dgo.ApplicationCommandOptionMentionable, "anybody"),
			option(dgo.ApplicationCommandOptionAttachment, "file"))},
		{Name: "colour", Options: options(colour)},
		{Name: "show", Options: options(sub("buttons"), sub("selects"), sub("embed"), sub("layout"), sub("file"))},
		{Name: "form", Options: options(sub("rows"))},
		{Name: "reply", Options: options(
			option(dgo.ApplicationCommandOptionSubCommandGroup, "now", sub("twice"), sub("gone"), sub("edited")),
			option(dgo.ApplicationCommandOptionSubCommandGroup, "later", sub("public"), sub("private")))},
		{Name: "burst", Options: options(times)},
		{Name: "about"},
		{Name: "Wave at", Type: dgo.UserApplicationCommand},
		{Name: "Quote", Type: dgo.MessageApplicationCommand},
	}
	for _, c := range list {
		if c.Type == 0 {
			c.Description = c.Name
		}
		c.IntegrationTypes = &[]dgo.ApplicationIntegrationType{dgo.ApplicationIntegrationGuildInstall, dgo.ApplicationIntegrationUserInstall}
		c.Contexts = &[]dgo.InteractionContextType{dgo.InteractionContextGuild, dgo.InteractionContextBotDM, dgo.InteractionContextPrivateChannel}
	}
	return list
}

// event is an interaction, with the session that answers it.
type event struct {
	*dgo.Session
	*dgo.Interaction
}

func (e event) answer(kind dgo.InteractionResponseType, data dgo.InteractionResponseData) error {
	return e.InteractionRespond(e.Interaction, &dgo.InteractionResponse{Type: kind, Data: &data})
}

func (e event) reply(data dgo.InteractionResponseData) error {
	return e.answer(dgo.InteractionResponseChannelMessageWithSource, data)
}

func (e event) say(content string) error {
	return e.reply(dgo.InteractionResponseData{Content: content})
}

func (e event) whisper(content string) error {
	return e.reply(dgo.InteractionResponseData{Content: content, Flags: dgo.MessageFlagsEphemeral})
}

func (e event) update(content string) error {
	return e.answer(dgo.InteractionResponseUpdateMessage, dgo.InteractionResponseData{Content: content, Components: e.Message.Components})
}

func (e event) edit(content string) error {
	_, err := e.InteractionResponseEdit(e.Interaction, &dgo.WebhookEdit{Content: &content})
	return err
}

func (e event) follow(content string, flags dgo.MessageFlags) error {
	_, err := e.FollowupMessageCreate(e.Interaction, true, &dgo.WebhookParams{Content: content, Flags: flags})
	return err
}

// named returns the name of a chosen user, channel or role, given its id. It returns any other value as text.
func named(v any, users map[string]*dgo.User, channels map[string]*dgo.Channel, roles map[string]*dgo.Role) string {
	switch id := fmt.Sprint(v); {
	case users[id] != nil:
		return users[id].Username
	case channels[id] != nil:
		return channels[id].Name
	case roles[id] != nil:
		return roles[id].Name
	default:
		return id
	}
}

func handle(e event) error {
	switch e.Type {
	case dgo.InteractionMessageComponent:
		return component(e, e.MessageComponentData())
	case dgo.InteractionModalSubmit:
		var values []string
		for _, row := range e.ModalSubmitData().Components {
			values = append(values, row.(*dgo.ActionsRow).Components[0].(*dgo.TextInput).Value)
		}
		if e.Message != nil {
			return e.update(strings.Join(values, ", "))
		}
		return e.say(strings.Join(values, ", "))
	}
	data := e.ApplicationCommandData()
	path, given := data.Name, data.Options
	for len(given) == 1 && given[0].Type <= dgo.ApplicationCommandOptionSubCommandGroup {
		path, given = path+" "+given[0].Name, given[0].Options
	}
	if e.Type == dgo.InteractionApplicationCommandAutocomplete {
		var choices []*dgo.ApplicationCommandOptionChoice
		for _, name := range []string{"red", "green", "grey"} {
			if strings.HasPrefix(name, given[0].StringValue()) {
				choices = append(choices, &dgo.ApplicationCommandOptionChoice{Name: name, Value: name})
			}
		}
		return e.answer(dgo.InteractionApplicationCommandAutocompleteResult, dgo.InteractionResponseData{Choices: choices})
	}
	return command(e, data, path, given)
}

func command(e event, data dgo.ApplicationCommandInteractionData, path string, given []*dgo.ApplicationCommandInteractionDataOption) error {
	if what, ok := strings.CutPrefix(path, "show "); ok {
		return e.reply(shown(what))
	}
	switch path {
	case "echo":
		return e.say(echo(data, given))
	case "colour":
		return e.say(given[0].StringValue())
	case "Wave at":
		return e.whisper("waved at " + data.Resolved.Users[data.TargetID].Username)
	case "Quote":
		return e.say("> " + data.Resolved.Messages[data.TargetID].Content)
	case "about":
		return e.say(fmt.Sprintf("ready %d, resumed %d", ready.Load(), resumed.Load()))
	case "form rows":
		return e.form()
	case "burst":
		return e.later(0, given[0].IntValue(), "done")
	case "reply later public":
		return e.later(0, 0, "later")
	case "reply later private":
		return e.later(dgo.MessageFlagsEphemeral, 0, "later")
	default:
		return e.now(path)
	}
}

// echo returns each given option as name=value.
func echo(data dgo.ApplicationCommandInteractionData, given []*dgo.ApplicationCommandInteractionDataOption) string {
	var said []string
	for _, o := range given {
		value := fmt.Sprint(o.Value)
		if found := data.Resolved; found != nil && found.Attachments[value] != nil {
			value = found.Attachments[value].Filename
		} else if found != nil {
			value = named(value, found.Users, found.Channels, found.Roles)
		}
		said = append(said, o.Name+"="+value)
	}
	return strings.Join(said, " ")
}

// shown returns a message of the given kind: with buttons, selects, an embed, a layout or a file.
func shown(what string) dgo.InteractionResponseData {
	whisper := dgo.Button{Label: "Whisper", CustomID: "/whisper"}
	switch what {
	case "buttons":
		return dgo.InteractionResponseData{Content: "press one", Components: []dgo.MessageComponent{row(
			dgo.Button{Label: "Update", CustomID: "/update"}, dgo.Button{Label: "Later", CustomID: "/later"},
			whisper, dgo.Button{Label: "Form", CustomID: "/form"})}}
	case "selects":
		return dgo.InteractionResponseData{Content: "pick some", Components: []dgo.MessageComponent{
			row(dgo.SelectMenu{MenuType: dgo.StringSelectMenu, CustomID: "/select/string", MaxValues: 2,
				Options: []dgo.SelectMenuOption{{Label: "A", Value: "a"}, {Label: "B", Value: "b"}}}),
			row(dgo.SelectMenu{MenuType: dgo.UserSelectMenu, CustomID: "/select/user", MaxValues: 2}),
			row(dgo.SelectMenu{MenuType: dgo.RoleSelectMenu, CustomID: "/select/role", MaxValues: 2}),
			row(dgo.SelectMenu{MenuType: dgo.MentionableSelectMenu, CustomID: "/select/mentionable", MaxValues: 2}),
			row(dgo.SelectMenu{MenuType: dgo.ChannelSelectMenu, CustomID: "/select/channel", MaxValues: 2})}}
	case "embed":
		return dgo.InteractionResponseData{Embeds: []*dgo.MessageEmbed{{
			Title: "Title", Description: "Text", Color: 0x298137, Fields: []*dgo.MessageEmbedField{{Name: "one", Value: "1", Inline: true}}}}}
	case "layout":
		return dgo.InteractionResponseData{Flags: dgo.MessageFlagsIsComponentsV2, Components: []dgo.MessageComponent{
			dgo.Container{Components: []dgo.MessageComponent{dgo.TextDisplay{Content: "# Layout"}, dgo.Separator{},
				dgo.Section{Components: []dgo.MessageComponent{dgo.TextDisplay{Content: "text"}}, Accessory: whisper}}}}}
	default: // "file"
		return dgo.InteractionResponseData{Content: "a file", Files: []*dgo.File{{Name: "board.txt", Reader: strings.NewReader("X.O\n")}}}
	}
}

// now replies at once. Then it sends follow-ups to the reply, deletes it or edits it.
func (e event) now(path string) (err error) {
	switch path {
	case "reply now twice":
		if err = e.say("first"); err == nil {
			err = e.follow("second", 0)
		}
		if err == nil {
			err = e.follow("third", dgo.MessageFlagsEphemeral)
		}
	case "reply now gone":
		if err = e.say("gone"); err == nil {
			err = e.InteractionResponseDelete(e.Interaction)
		}
	case "reply now edited":
		var m *dgo.Message
		if err = e.say("first"); err == nil {
			m, err = e.InteractionResponse(e.Interaction)
		}
		if err == nil {
			_, err = e.ChannelMessageEdit(m.ChannelID, m.ID, "edited by its channel")
		}
	}
	return err
}

// later acknowledges the interaction, sends a number of messages to the channel, and then replies.
func (e event) later(flags dgo.MessageFlags, messages int64, reply string) error {
	err := e.answer(dgo.InteractionResponseDeferredChannelMessageWithSource, dgo.InteractionResponseData{Flags: flags})
	for n := int64(1); err == nil && n <= messages; n++ {
		_, err = e.ChannelMessageSend(e.ChannelID, fmt.Sprint(n))
	}
	if err == nil {
		err = e.edit(reply)
	}
	return err
}

func row(components ...dgo.MessageComponent) dgo.ActionsRow {
	return dgo.ActionsRow{Components: components}
}

func (e event) form() error {
	return e.answer(dgo.InteractionResponseModal, dgo.InteractionResponseData{CustomID: "/form", Title: "Form", Components: []dgo.MessageComponent{
		row(dgo.TextInput{CustomID: "name", Label: "Name", Style: dgo.TextInputShort, Required: true}),
		row(dgo.TextInput{CustomID: "why", Label: "Why", Style: dgo.TextInputParagraph, Value: "because"})}})
}

func component(e event, data dgo.MessageComponentInteractionData) error {
	by := e.Interaction.User
	if e.Member != nil {
		by = e.Member.User
	}
	switch data.CustomID {
	case "/update":
		return e.update("updated by " + by.Username)
	case "/later":
		if err := e.answer(dgo.InteractionResponseDeferredMessageUpdate, dgo.InteractionResponseData{}); err != nil {
			return err
		}
		return e.edit("later by " + by.Username)
	case "/whisper":
		return e.whisper("psst, " + by.Username)
	case "/form":
		return e.form()
	}
	said := strings.TrimPrefix(data.CustomID, "/select/") + ":"
	for _, v := range data.Values {
		said += " " + named(v, data.Resolved.Users, data.Resolved.Channels, data.Resolved.Roles)
	}
	return e.whisper(said)
}
