package commands

import (
	"cmp"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// challengeMenu is the name of the command that challenges a user, in the user's context menu.
const challengeMenu = "Challenge to Tic-Tac-Toe"

// profileMenu is the name of the command that shows a user's profile, in the user's context menu.
const profileMenu = "Tic-Tac-Toe profile"

// rulesOf returns the offered rule set with that name, or the classic one if none has it.
func rulesOf(name string) game.Rules {
	if rules, is := game.OnOffer(name); is {
		return rules
	}
	return game.Classic()
}

// rules returns the rule set with that name or, if name is empty, the first one that the server offers.
func (in *interaction) rules(name string) game.Rules {
	return rulesOf(cmp.Or(name, in.policy.OfferedBoards(game.OfferedNames())[0]))
}

// firstAgainst returns who begins against the computer if the player does not choose. If marks vanish, the side that begins wins by force,
// so the computer begins.
func firstAgainst(rules game.Rules) string {
	if rules.Keep() > 0 {
		return "them"
	}
	return "random"
}

// firstOf returns who moves first by a word in options. Any unknown word means Random.
func firstOf(word string) match.First {
	return map[string]match.First{"me": match.Me, "them": match.Them}[word]
}

// OwnTree returns the [Tree] of a book of texts that is used only for this. The tree needs the texts of all languages; the bot's own book
// loads only the languages that users speak, which saves 5 MB.
func OwnTree() []*discordgo.ApplicationCommand {
	book, err := locale.NewBook()
	if err != nil {
		panic(err) // excluded by a test that reads the embedded files
	}
	return Tree(book)
}

// Tree returns the command tree, with names in all languages. It sets every field that Discord would otherwise take from the settings of
// the application.
func Tree(book *locale.Book) []*discordgo.ApplicationCommand {
	w := treeWords{book.In("en-US"), map[discordgo.Locale]locale.Words{}}
	for _, name := range locale.Languages() {
		w.others[discordgo.Locale(name)] = book.In(name)
	}
	inServers := []discordgo.InteractionContextType{discordgo.InteractionContextGuild}
	amongPeople := []discordgo.InteractionContextType{
		discordgo.InteractionContextGuild, discordgo.InteractionContextPrivateChannel,
	}
	everywhere := []discordgo.InteractionContextType{
		discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM, discordgo.InteractionContextPrivateChannel,
	}
	installs := []discordgo.ApplicationIntegrationType{
		discordgo.ApplicationIntegrationGuildInstall, discordgo.ApplicationIntegrationUserInstall,
	}
	return []*discordgo.ApplicationCommand{
		{
			Type: discordgo.ChatApplicationCommand, Name: "tictactoe", Description: w.text("command.tictactoe"),
			Contexts: &everywhere, IntegrationTypes: &installs, Options: w.subcommands(),
			NameLocalizations: w.names("word.tictactoe"), DescriptionLocalizations: w.names("command.tictactoe"),
		},
		{
			Type: discordgo.UserApplicationCommand, Name: challengeMenu, NameLocalizations: w.names("menu.challenge"),
			Contexts: &amongPeople, IntegrationTypes: &installs,
		},
		{
			Type: discordgo.UserApplicationCommand, Name: profileMenu, NameLocalizations: w.names("menu.profile"),
			Contexts: &inServers, IntegrationTypes: &installs,
		},
	}
}

// treeWords has the texts of the command tree, in English and in all other languages.
type treeWords struct {
	english locale.Words
	others  map[discordgo.Locale]locale.Words
}

func (w treeWords) say(t view.Text) string { return w.english.Say(t, labelStyle{}) }

func (w treeWords) text(key string) string { return w.say(view.T(key, nil)) }

// localized returns a text in the languages in which it differs from English, or nil if there are none. Discord shows Americans the British
// text if there is no American one, so the map has an American text if it has a British one.
// https://discord.com/developers/docs/interactions/application-commands#localization
func (w treeWords) localized(t view.Text) map[discordgo.Locale]string {
	english, all := w.say(t), map[discordgo.Locale]string{}
	for name, words := range w.others {
		if said := words.Say(t, labelStyle{}); said != english {
			all[name] = said
		}
	}
	if _, is := all[discordgo.EnglishGB]; is {
		all[discordgo.EnglishUS] = english
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

func (w treeWords) names(key string) *map[discordgo.Locale]string {
	all := w.localized(view.T(key, nil))
	if all == nil {
		return nil
	}
	return &all
}

func (w treeWords) option(kind discordgo.ApplicationCommandOptionType, name, key string) *discordgo.ApplicationCommandOption {
	return &discordgo.ApplicationCommandOption{
		Type: kind, Name: name, NameLocalizations: w.localized(view.T("word."+name, nil)),
		Description: w.text(key), DescriptionLocalizations: w.localized(view.T(key, nil)),
	}
}

func (w treeWords) offer(o *discordgo.ApplicationCommandOption, value string, name view.Text) {
	o.Choices = append(o.Choices, &discordgo.ApplicationCommandOptionChoice{Name: w.say(name), NameLocalizations: w.localized(name), Value: value})
}

// menu returns an option with words to choose from. The text of a word has the key prefix+word.
func (w treeWords) menu(name, key, prefix string, words []string) *discordgo.ApplicationCommandOption {
	o := w.option(discordgo.ApplicationCommandOptionString, name, key)
	for _, word := range words {
		w.offer(o, word, view.T(prefix+word, nil))
	}
	return o
}

func (w treeWords) subcommand(name string, options ...*discordgo.ApplicationCommandOption) *discordgo.ApplicationCommandOption {
	o := w.option(discordgo.ApplicationCommandOptionSubCommand, name, "command."+name)
	o.Options = options
	return o
}

// subcommands returns the subcommands of /tictactoe, in the order in which Discord lists them.
func (w treeWords) subcommands() []*discordgo.ApplicationCommandOption {
	first := w.menu("first", "command.first", "command.first.", []string{"random", "me", "them"})
	board := w.menu("board", "command.board", "choice.board.", game.OfferedNames())
	clock := w.option(discordgo.ApplicationCommandOptionString, "clock", "command.challenge.clock")
	for _, c := range clocks() {
		w.offer(clock, c.word, view.TurnTime(c.time))
	}
	games := w.option(discordgo.ApplicationCommandOptionString, "games", "command.challenge.games")
	games.NameLocalizations = w.localized(view.T("word.games.option", nil)) // in some languages word.games, the command, means one's own games
	for _, n := range match.SeriesLengths() {
		w.offer(games, strconv.Itoa(n), view.SeriesName(n))
	}
	rated := w.option(discordgo.ApplicationCommandOptionBoolean, "rated", "command.challenge.rated")
	counted := w.option(discordgo.ApplicationCommandOptionBoolean, "rated", "command.arena.rated")
	level := w.menu("level", "command.ai.level", "choice.level.", view.Levels())
	against := w.menu("level", "command.crowd.level", "choice.level.", crowdLevels())
	w.offer(against, teams, view.T("choice.crowd.teams", nil))
	shortest := match.MinVoteTime.Seconds()
	seconds := w.option(discordgo.ApplicationCommandOptionInteger, "seconds", "command.crowd.seconds")
	seconds.MinValue, seconds.MaxValue = &shortest, match.MaxVoteTime.Seconds()
	rankings := each(view.Rankings(), func(r view.Ranking) string { return string(r) })
	of := w.menu("of", "command.leaderboard.of", "command.leaderboard.of.", rankings)
	ratings := w.option(discordgo.ApplicationCommandOptionString, "board", "command.leaderboard.board")
	ratings.Choices = board.Choices
	found := w.option(discordgo.ApplicationCommandOptionUser, "player", "command.leaderboard.player")
	when := w.option(discordgo.ApplicationCommandOptionString, "season", "command.leaderboard.season")
	when.Autocomplete = true
	opponent := w.option(discordgo.ApplicationCommandOptionUser, "opponent", "command.challenge.opponent")
	player := w.option(discordgo.ApplicationCommandOptionUser, "player", "command.profile.player")
	on := w.option(discordgo.ApplicationCommandOptionString, "board", "command.profile.board")
	on.Choices = board.Choices
	versus := w.option(discordgo.ApplicationCommandOptionUser, "versus", "command.profile.versus")
	square := w.option(discordgo.ApplicationCommandOptionString, "square", "command.move.square")
	square.Required, square.Autocomplete = true, true
	again := w.option(discordgo.ApplicationCommandOptionString, "match", "command.show.match")
	again.Required, again.Autocomplete = true, true
	since := w.menu("since", "command.best.since", "command.best.since.", []string{"week", "month"})
	which := w.option(discordgo.ApplicationCommandOptionString, "match", "command.move.match")
	which.Autocomplete = true
	return []*discordgo.ApplicationCommandOption{
		w.subcommand("challenge", opponent, board, first, clock, games, rated), w.subcommand("ai", level, board, first),
		w.subcommand("crowd", against, board, seconds), w.subcommand("arena", counted),
		w.subcommand("move", square, which), w.subcommand("leaderboard", of, ratings, found, when),
		w.subcommand("profile", player, on, versus), w.subcommand("show", again), w.subcommand("best", since),
		w.subcommand("daily"), w.subcommand("learn"), w.subcommand("games"), w.subcommand("help"), w.subcommand("settings"),
		w.subcommand("privacy"), w.subcommand("admin"),
	}
}
