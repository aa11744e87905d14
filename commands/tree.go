package commands

import (
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/game"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// challengeMenu is the name of the command in the context menu of a user.
const challengeMenu = "Challenge to Tic-Tac-Toe"

// defaultClock is the time for each move unless the challenger says otherwise.
const defaultClock = "1m"

// clocks are the times for each move on offer, by the word that options use.
func clocks() []struct {
	word string
	time time.Duration
} {
	return []struct {
		word string
		time time.Duration
	}{
		{"1m", time.Minute}, {"5m", 5 * time.Minute}, {"1h", time.Hour}, {"24h", 24 * time.Hour},
	}
}

// clockOf is the time that a word stands for; the default for a word that was never on offer.
func clockOf(word string) time.Duration {
	for _, c := range clocks() {
		if c.word == word {
			return c.time
		}
	}
	return time.Minute
}

// defaultBoard is the rule set unless the player says otherwise.
const defaultBoard = "classic"

// rulesOf is the rule set on offer by that name; the default for a name that was never on offer.
func rulesOf(name string) game.Rules {
	for _, offer := range game.Offered() {
		if offer.Name == name {
			return offer.Rules
		}
	}
	return game.Classic()
}

// firstAgainst is who begins against the computer if the player does not choose: where marks vanish the first side wins
// by force, so the computer takes it.
func firstAgainst(rules game.Rules) string {
	if rules.Keep() > 0 {
		return "them"
	}
	return "random"
}

// firstOf is who moves first by the word that options use.
func firstOf(word string) match.First {
	switch word {
	case "me":
		return match.Me
	case "them":
		return match.Them
	default:
		return match.Random
	}
}

// Tree is the command tree as Discord has to know it. Everything is said that Discord would otherwise fill in from the
// settings of the application.
func Tree(book *locale.Book, levels []string) []*discordgo.ApplicationCommand {
	words := book.In("en-US")
	say := func(key string) string { return words.Say(view.T(key, nil), discordStyle{}) }

	everywhere := []discordgo.InteractionContextType{
		discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM, discordgo.InteractionContextPrivateChannel,
	}
	amongPeople := []discordgo.InteractionContextType{
		discordgo.InteractionContextGuild, discordgo.InteractionContextPrivateChannel,
	}
	installs := []discordgo.ApplicationIntegrationType{
		discordgo.ApplicationIntegrationGuildInstall, discordgo.ApplicationIntegrationUserInstall,
	}

	first := &discordgo.ApplicationCommandOption{
		Type: discordgo.ApplicationCommandOptionString, Name: "first", Description: say("command.first"),
	}
	for _, word := range []string{"random", "me", "them"} {
		first.Choices = append(first.Choices, &discordgo.ApplicationCommandOptionChoice{Name: say("command.first." + word), Value: word})
	}
	board := &discordgo.ApplicationCommandOption{
		Type: discordgo.ApplicationCommandOptionString, Name: "board", Description: say("command.board"),
	}
	for _, offer := range game.Offered() {
		name := words.Say(view.RulesName(offer.Rules), discordStyle{})
		board.Choices = append(board.Choices, &discordgo.ApplicationCommandOptionChoice{Name: name, Value: offer.Name})
	}
	clock := &discordgo.ApplicationCommandOption{
		Type: discordgo.ApplicationCommandOptionString, Name: "clock", Description: say("command.challenge.clock"),
	}
	for _, c := range clocks() {
		name := words.Say(view.TurnTime(c.time), discordStyle{})
		clock.Choices = append(clock.Choices, &discordgo.ApplicationCommandOptionChoice{Name: name, Value: c.word})
	}
	level := &discordgo.ApplicationCommandOption{
		Type: discordgo.ApplicationCommandOptionString, Name: "level", Description: say("command.ai.level"),
	}
	for _, l := range levels {
		name := words.Say(view.LevelName(l), discordStyle{})
		level.Choices = append(level.Choices, &discordgo.ApplicationCommandOptionChoice{Name: name, Value: l})
	}
	of := &discordgo.ApplicationCommandOption{
		Type: discordgo.ApplicationCommandOptionString, Name: "of", Description: say("command.leaderboard.of"),
	}
	for _, word := range []string{"players", "computer"} {
		of.Choices = append(of.Choices, &discordgo.ApplicationCommandOptionChoice{Name: say("command.leaderboard.of." + word), Value: word})
	}
	opponent := &discordgo.ApplicationCommandOption{
		Type: discordgo.ApplicationCommandOptionUser, Name: "opponent", Description: say("command.challenge.opponent"), Required: true,
	}
	sub := func(name string, options ...*discordgo.ApplicationCommandOption) *discordgo.ApplicationCommandOption {
		return &discordgo.ApplicationCommandOption{
			Type: discordgo.ApplicationCommandOptionSubCommand, Name: name, Description: say("command." + name), Options: options,
		}
	}
	return []*discordgo.ApplicationCommand{
		{
			Type: discordgo.ChatApplicationCommand, Name: "tictactoe", Description: say("command.tictactoe"),
			Contexts: &everywhere, IntegrationTypes: &installs,
			Options: []*discordgo.ApplicationCommandOption{
				sub("challenge", opponent, board, first, clock),
				sub("ai", level, board, first),
				sub("leaderboard", of),
				sub("games"),
				sub("help"),
				sub("settings"),
				sub("privacy"),
				sub("admin"),
			},
		},
		{
			Type: discordgo.UserApplicationCommand, Name: challengeMenu,
			Contexts: &amongPeople, IntegrationTypes: &installs,
		},
	}
}
