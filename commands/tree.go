package commands

import (
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// challengeMenu is the name of the command in the context menu of a user.
const challengeMenu = "Challenge to Tic-Tac-Toe"

// profileMenu is the name of the other one there.
const profileMenu = "Tic-Tac-Toe profile"

// defaultClock is the time for each move unless the challenger or the server says otherwise.
const defaultClock = time.Minute

// clocks are the times for each move on offer, by the word that options use.
func clocks() []clock {
	return []clock{{"1m", time.Minute}, {"5m", 5 * time.Minute}, {"1h", time.Hour}, {"24h", 24 * time.Hour}}
}

type clock struct {
	word string
	time time.Duration
}

// clockOf is the time that a word stands for, zero for a word that was never on offer.
func clockOf(word string) time.Duration {
	for _, c := range clocks() {
		if c.word == word {
			return c.time
		}
	}
	return 0
}

// rulesOf is the rule set on offer by that name, the classic one unless the player says otherwise.
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
func Tree(book *locale.Book) []*discordgo.ApplicationCommand {
	words := book.In("en-US")
	say := func(t view.Text) string { return words.Say(t, discordStyle{}) }
	text := func(key string) string { return say(view.T(key, nil)) }
	everywhere := []discordgo.InteractionContextType{
		discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM, discordgo.InteractionContextPrivateChannel,
	}
	amongPeople := []discordgo.InteractionContextType{
		discordgo.InteractionContextGuild, discordgo.InteractionContextPrivateChannel,
	}
	installs := []discordgo.ApplicationIntegrationType{
		discordgo.ApplicationIntegrationGuildInstall, discordgo.ApplicationIntegrationUserInstall,
	}

	option := func(kind discordgo.ApplicationCommandOptionType, name, key string) *discordgo.ApplicationCommandOption {
		return &discordgo.ApplicationCommandOption{Type: kind, Name: name, Description: text(key)}
	}
	offer := func(o *discordgo.ApplicationCommandOption, value string, name view.Text) {
		o.Choices = append(o.Choices, &discordgo.ApplicationCommandOptionChoice{Name: say(name), Value: value})
	}
	first := option(discordgo.ApplicationCommandOptionString, "first", "command.first")
	for _, word := range []string{"random", "me", "them"} {
		offer(first, word, view.T("command.first."+word, nil))
	}
	board := option(discordgo.ApplicationCommandOptionString, "board", "command.board")
	for _, offered := range game.Offered() {
		offer(board, offered.Name, view.T("choice.board."+offered.Name, nil))
	}
	clock := option(discordgo.ApplicationCommandOptionString, "clock", "command.challenge.clock")
	for _, c := range clocks() {
		offer(clock, c.word, view.TurnTime(c.time))
	}
	rated := option(discordgo.ApplicationCommandOptionBoolean, "rated", "command.challenge.rated")
	level := option(discordgo.ApplicationCommandOptionString, "level", "command.ai.level")
	for _, name := range ai.LevelNames() {
		offer(level, name, view.T("choice.level."+name, nil))
	}
	of := option(discordgo.ApplicationCommandOptionString, "of", "command.leaderboard.of")
	for _, by := range []view.Ranking{view.ByWins, view.ByRating, view.VersusComputer} {
		offer(of, string(by), view.T("command.leaderboard.of."+string(by), nil))
	}
	ratings := option(discordgo.ApplicationCommandOptionString, "board", "command.leaderboard.board")
	ratings.Choices = board.Choices
	found := option(discordgo.ApplicationCommandOptionUser, "player", "command.leaderboard.player")
	opponent := option(discordgo.ApplicationCommandOptionUser, "opponent", "command.challenge.opponent")
	opponent.Required = true
	inServers := []discordgo.InteractionContextType{discordgo.InteractionContextGuild}
	player := option(discordgo.ApplicationCommandOptionUser, "player", "command.profile.player")
	on := option(discordgo.ApplicationCommandOptionString, "board", "command.profile.board")
	on.Choices = board.Choices
	versus := option(discordgo.ApplicationCommandOptionUser, "versus", "command.profile.versus")
	square := option(discordgo.ApplicationCommandOptionString, "square", "command.move.square")
	square.Required, square.Autocomplete = true, true
	which := option(discordgo.ApplicationCommandOptionString, "match", "command.move.match")
	which.Autocomplete = true
	sub := func(name string, options ...*discordgo.ApplicationCommandOption) *discordgo.ApplicationCommandOption {
		o := option(discordgo.ApplicationCommandOptionSubCommand, name, "command."+name)
		o.Options = options
		return o
	}
	return []*discordgo.ApplicationCommand{
		{
			Type: discordgo.ChatApplicationCommand, Name: "tictactoe", Description: text("command.tictactoe"),
			Contexts: &everywhere, IntegrationTypes: &installs,
			Options: []*discordgo.ApplicationCommandOption{
				sub("challenge", opponent, board, first, clock, rated), sub("ai", level, board, first), sub("move", square, which), sub("leaderboard", of, ratings, found),
				sub("profile", player, on, versus),
				sub("games"), sub("help"), sub("settings"), sub("privacy"), sub("admin"),
			},
		},
		{Type: discordgo.UserApplicationCommand, Name: challengeMenu, Contexts: &amongPeople, IntegrationTypes: &installs},
		{Type: discordgo.UserApplicationCommand, Name: profileMenu, Contexts: &inServers, IntegrationTypes: &installs},
	}
}
