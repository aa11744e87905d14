// This program is the demo bot on disgo. Package clients describes the bot's commands, and tests the simulator with the
// bot.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"sync/atomic"

	"github.com/disgoorg/disgo"
	"github.com/disgoorg/disgo/bot"
	dis "github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/events"
	"github.com/disgoorg/disgo/gateway"
	"github.com/disgoorg/disgo/handler"
	"github.com/disgoorg/disgo/handler/middleware"
	"github.com/disgoorg/disgo/rest"
)

var ready, resumed atomic.Int64 // how many READY and RESUMED events the bot received

func main() {
	client, err := disgo.New(os.Getenv("DISCORD_TOKEN"),
		bot.WithRestClientConfigOpts(rest.WithURL(os.Getenv("DISCORD_URL")+"/api/v10")),
		bot.WithGatewayConfigOpts(gateway.WithIntents(gateway.IntentGuilds)),
		bot.WithEventListenerFunc(func(*events.Ready) { ready.Add(1) }),
		bot.WithEventListenerFunc(func(*events.Resumed) { resumed.Add(1) }),
		bot.WithEventListeners(router()),
	)
	must(err)
	_, err = client.Rest.SetGlobalCommands(client.ApplicationID, commands())
	must(err)
	must(client.OpenGateway(context.Background()))
	io.Copy(io.Discard, os.Stdin) // blocks until the test that started the bot has ended
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func commands() (list []dis.ApplicationCommandCreate) {
	kinds := []dis.ApplicationIntegrationType{dis.ApplicationIntegrationTypeGuildInstall, dis.ApplicationIntegrationTypeUserInstall}
	places := []dis.InteractionContextType{dis.InteractionContextTypeGuild, dis.InteractionContextTypeBotDM, dis.InteractionContextTypePrivateChannel}
	slash := func(name string, options ...dis.ApplicationCommandOption) {
		list = append(list, dis.SlashCommandCreate{Name: name, Description: name, Options: options, IntegrationTypes: kinds, Contexts: places})
	}
	sub := func(name string) dis.ApplicationCommandOptionSubCommand {
		return dis.ApplicationCommandOptionSubCommand{Name: name, Description: name}
	}
	slash("echo", dis.ApplicationCommandOptionString{Name: "text", Description: "text", Required: true},
		dis.ApplicationCommandOptionInt{Name: "count", Description: "count"},
		dis.ApplicationCommandOptionFloat{Name: "ratio", Description: "ratio"},
		dis.ApplicationCommandOptionBool{Name: "loud", Description: "loud"},
		dis.ApplicationCommandOptionUser{Name: "user", Description: "user"},
		dis.ApplicationCommandOptionChannel{Name: "channel", Description: "channel"},
		dis.ApplicationCommandOptionRole{Name: "role", Description: "role"},
		dis.ApplicationCommandOptionMentionable{Name: "anybody", Description: "anybody"},
		dis.ApplicationCommandOptionAttachment{Name: "file", Description: "file"})
	slash("colour", dis.ApplicationCommandOptionString{Name: "name", Description: "name", Required: true, Autocomplete: true})
	slash("show", sub("buttons"), sub("selects"), sub("embed"), sub("layout"), sub("file"))
	slash("form", sub("labels"))
	slash("reply",
		dis.ApplicationCommandOptionSubCommandGroup{Name: "now", Description: "now",
			Options: []dis.ApplicationCommandOptionSubCommand{sub("twice"), sub("gone"), sub("edited")}},
		dis.ApplicationCommandOptionSubCommandGroup{Name: "later", Description: "later",
			Options: []dis.ApplicationCommandOptionSubCommand{sub("public"), sub("private"), sub("layout")}})
	slash("burst", dis.ApplicationCommandOptionInt{Name: "count", Description: "count", Required: true})
	slash("about")
	return append(list,
		dis.UserCommandCreate{Name: "Wave at", IntegrationTypes: kinds, Contexts: places},
		dis.MessageCommandCreate{Name: "Quote", IntegrationTypes: kinds, Contexts: places})
}

type slashData = dis.SlashCommandInteractionData

func message(format string, a ...any) dis.MessageCreate {
	return dis.NewMessageCreate().WithContentf(format, a...)
}

func edit(format string, a ...any) dis.MessageUpdate {
	return dis.NewMessageUpdate().WithContentf(format, a...)
}

// reply returns a handler that replies with a message made by make.
func reply(make func() dis.MessageCreate) handler.SlashCommandHandler {
	return func(_ slashData, e *handler.CommandEvent) error { return e.CreateMessage(make()) }
}

func router() *handler.Mux {
	r := handler.New()
	r.Use(middleware.Go)
	routeCommands(r)
	routeMessages(r)
	routeReplies(r)
	routeComponents(r)
	return r
}

// routeCommands routes the commands with options, and the form.
func routeCommands(r *handler.Mux) {
	r.SlashCommand("/echo", echo)
	r.SlashCommand("/colour", func(data slashData, e *handler.CommandEvent) error {
		return e.CreateMessage(message("%s", data.String("name")))
	})
	r.Autocomplete("/colour", func(e *handler.AutocompleteEvent) error {
		choices := []dis.AutocompleteChoice{}
		for _, name := range []string{"red", "green", "grey"} {
			if strings.HasPrefix(name, e.Data.String("name")) {
				choices = append(choices, dis.AutocompleteChoiceString{Name: name, Value: name})
			}
		}
		return e.AutocompleteResult(choices)
	})
	r.UserCommand("/Wave at", func(data dis.UserCommandInteractionData, e *handler.CommandEvent) error {
		return e.CreateMessage(message("waved at %s", data.TargetUser().Username).WithEphemeral(true))
	})
	r.MessageCommand("/Quote", func(data dis.MessageCommandInteractionData, e *handler.CommandEvent) error {
		return e.CreateMessage(message("> %s", data.TargetMessage().Content))
	})
	r.SlashCommand("/about", reply(func() dis.MessageCreate { return message("ready %d, resumed %d", ready.Load(), resumed.Load()) }))
	r.SlashCommand("/form/labels", func(_ slashData, e *handler.CommandEvent) error { return e.Modal(form()) })
	r.Modal("/form", func(e *handler.ModalEvent) error {
		filled := fmt.Sprintf("%s, %s, %s", e.Data.Text("name"), e.Data.Text("why"), strings.Join(e.Data.StringValues("colour"), " "))
		if e.ModalSubmitInteraction.Message != nil {
			return e.UpdateMessage(edit("%s", filled))
		}
		return e.CreateMessage(message("%s", filled))
	})
}

// routeMessages routes the commands that show each kind of message.
func routeMessages(r *handler.Mux) {
	r.SlashCommand("/show/buttons", reply(func() dis.MessageCreate {
		return message("press one").AddActionRow(dis.NewPrimaryButton("Update", "/update"), dis.NewPrimaryButton("Later", "/later"),
			dis.NewPrimaryButton("Whisper", "/whisper"), dis.NewPrimaryButton("Form", "/form"))
	}))
	r.SlashCommand("/show/selects", reply(func() dis.MessageCreate {
		options := []dis.StringSelectMenuOption{dis.NewStringSelectMenuOption("A", "a"), dis.NewStringSelectMenuOption("B", "b")}
		return message("pick some").
			AddActionRow(dis.NewStringSelectMenu("/select/string", "", options...).WithMaxValues(2)).
			AddActionRow(dis.NewUserSelectMenu("/select/user", "").WithMaxValues(2)).
			AddActionRow(dis.NewRoleSelectMenu("/select/role", "").WithMaxValues(2)).
			AddActionRow(dis.NewMentionableSelectMenu("/select/mentionable", "").WithMaxValues(2)).
			AddActionRow(dis.NewChannelSelectMenu("/select/channel", "").WithMaxValues(2))
	}))
	r.SlashCommand("/show/embed", reply(func() dis.MessageCreate {
		inline := true
		return dis.NewMessageCreate().AddEmbeds(dis.Embed{
			Title: "Title", Description: "Text", Color: 0x298137, Fields: []dis.EmbedField{{Name: "one", Value: "1", Inline: &inline}}})
	}))
	r.SlashCommand("/show/layout", reply(func() dis.MessageCreate {
		return dis.NewMessageCreateV2(dis.NewContainer(dis.NewTextDisplay("# Layout"), dis.NewSmallSeparator(),
			dis.NewSection(dis.NewTextDisplay("text")).WithAccessory(dis.NewPrimaryButton("Whisper", "/whisper"))))
	}))
	r.SlashCommand("/show/file", reply(func() dis.MessageCreate {
		return message("a file").AddFile("board.txt", "", strings.NewReader("X.O\n"))
	}))
}

// routeReplies routes the commands that reply in several steps.
func routeReplies(r *handler.Mux) {
	r.SlashCommand("/reply/now/twice", func(_ slashData, e *handler.CommandEvent) error {
		err := e.CreateMessage(message("first"))
		_, second := e.CreateFollowupMessage(message("second"))
		_, third := e.CreateFollowupMessage(message("third").WithEphemeral(true))
		return errors.Join(err, second, third)
	})
	r.SlashCommand("/reply/now/gone", func(_ slashData, e *handler.CommandEvent) error {
		return errors.Join(e.CreateMessage(message("gone")), e.DeleteInteractionResponse())
	})
	r.SlashCommand("/reply/now/edited", func(_ slashData, e *handler.CommandEvent) error {
		if err := e.CreateMessage(message("first")); err != nil {
			return err
		}
		m, err := e.GetInteractionResponse()
		if err == nil {
			_, err = e.Client().Rest.UpdateMessage(m.ChannelID, m.ID, edit("edited by its channel"))
		}
		return err
	})
	r.SlashCommand("/reply/later/{how}", func(_ slashData, e *handler.CommandEvent) error {
		err := e.DeferCreateMessage(e.Vars["how"] == "private")
		content := edit("later")
		if e.Vars["how"] == "layout" {
			content = dis.NewMessageUpdateV2(dis.NewTextDisplay("later"))
		}
		_, late := e.UpdateInteractionResponse(content)
		return errors.Join(err, late)
	})
	r.SlashCommand("/burst", func(data slashData, e *handler.CommandEvent) error {
		err := e.DeferCreateMessage(false)
		for n := 1; err == nil && n <= data.Int("count"); n++ {
			_, err = e.Client().Rest.CreateMessage(e.Channel().ID(), message("%d", n))
		}
		if err == nil {
			_, err = e.UpdateInteractionResponse(edit("done"))
		}
		return err
	})
}

// routeComponents routes the buttons and select menus.
func routeComponents(r *handler.Mux) {
	r.Component("/update", func(e *handler.ComponentEvent) error {
		return e.UpdateMessage(edit("updated by %s", e.User().Username))
	})
	r.Component("/later", func(e *handler.ComponentEvent) error {
		err := e.DeferUpdateMessage()
		_, late := e.UpdateInteractionResponse(edit("later by %s", e.User().Username))
		return errors.Join(err, late)
	})
	r.Component("/whisper", func(e *handler.ComponentEvent) error {
		return e.CreateMessage(message("psst, %s", e.User().Username).WithEphemeral(true))
	})
	r.Component("/form", func(e *handler.ComponentEvent) error { return e.Modal(form()) })
	r.SelectMenuComponent("/select/{kind}", selected)
}

func echo(data slashData, e *handler.CommandEvent) error {
	said := "text=" + data.String("text")
	add := func(name string, value any, given bool) {
		if given {
			said += fmt.Sprintf(" %s=%v", name, value)
		}
	}
	count, given := data.OptInt("count")
	add("count", count, given)
	ratio, given := data.OptFloat("ratio")
	add("ratio", ratio, given)
	loud, given := data.OptBool("loud")
	add("loud", loud, given)
	user, given := data.OptUser("user")
	add("user", user.Username, given)
	channel, given := data.OptChannel("channel")
	add("channel", channel.Name, given)
	role, given := data.OptRole("role")
	add("role", role.Name, given)
	anybody, given := data.OptUser("anybody")
	add("anybody", anybody.Username, given)
	file, given := data.OptAttachment("file")
	add("file", file.Filename, given)
	return e.CreateMessage(message("%s", said))
}

func selected(data dis.SelectMenuInteractionData, e *handler.ComponentEvent) error {
	said := e.Vars["kind"] + ":"
	switch data := data.(type) {
	case dis.StringSelectMenuInteractionData:
		said += " " + strings.Join(data.Values, " ")
	case dis.UserSelectMenuInteractionData:
		for _, id := range data.Values {
			said += " " + data.Resolved.Users[id].Username
		}
	case dis.RoleSelectMenuInteractionData:
		for _, id := range data.Values {
			said += " " + data.Resolved.Roles[id].Name
		}
	case dis.MentionableSelectMenuInteractionData:
		for _, id := range data.Values {
			said += " " + data.Resolved.Users[id].Username + data.Resolved.Roles[id].Name
		}
	case dis.ChannelSelectMenuInteractionData:
		for _, id := range data.Values {
			said += " " + data.Resolved.Channels[id].Name
		}
	}
	return e.CreateMessage(message("%s", said).WithEphemeral(true))
}

func form() dis.ModalCreate {
	why := dis.NewParagraphTextInput("why")
	why.Value = "because"
	return dis.NewModalCreate("/form", "Form").AddLabel("Name", dis.NewShortTextInput("name").WithRequired(true)).AddLabel("Why", why).
		AddLabel("Colour", dis.NewStringSelectMenu("colour", "", dis.NewStringSelectMenuOption("Red", "red"), dis.NewStringSelectMenuOption("Grey", "grey")))
}
