package view

import (
	"fmt"
	"slices"

	"tictactoe/game"
)

// helpTopics are the topics of the help, each with the lines that explain it. The first says how to begin.
var helpTopics = []struct {
	name  string
	title string
	lines []string
}{
	{"play", "help.title", []string{"help.ai", "help.challenge", "help.crowd", "help.play"}},
	{"boards", "help.topic.boards", []string{"help.boards"}},
	{"levels", "help.topic.levels", []string{"help.ai"}},
	{"ratings", "help.topic.ratings", []string{"help.leaderboard", "help.best", "help.ratings", "help.series"}},
	{"profiles", "help.topic.profiles", []string{"help.profile", "help.profiles", "help.counts"}},
	{"clock", "help.topic.clock", []string{"help.clock", "help.clock.computer", "help.wishes", "help.move", "help.games"}},
	{"puzzle", "help.topic.puzzle", []string{"help.daily", "help.learn", "help.review", "help.show"}},
	{"arena", "help.topic.arena", []string{"help.arena", "help.admin.arenas", "arena.how", "arena.how.pause"}},
	{"settings", "help.topic.settings", []string{"help.settings", "help.privacy", "help.admin", "help.admin.tidy"}},
	{"admin", "help.topic.admin", []string{"help.admin", "help.admin.more", "help.admin.ranks", "help.admin.people"}},
}

// HelpTopics returns the names of the topics, in the order of the menu.
func HelpTopics() (names []string) {
	for _, t := range helpTopics {
		names = append(names, t.name)
	}
	return names
}

// boardTexts explain the rule sets other than the classic one. Rule sets with the same explanation share a text.
func boardTexts() (texts []Text) {
	names := map[string][]Text{}
	var hows []Text
	for _, offer := range game.Offered()[1:] {
		how := howToPlay(offer.Rules)
		hows = append(hows, when(names[fmt.Sprint(how)] == nil, how)...)
		names[fmt.Sprint(how)] = append(names[fmt.Sprint(how)], RulesName(offer.Rules))
	}
	for _, how := range hows {
		texts = append(texts, T("help.board", Args{"Name": joined("row", names[fmt.Sprint(how)]), "How": how}))
	}
	return texts
}

// Help returns the screen that explains a topic, with a menu of all topics. An unknown topic is replaced by the first one.
func Help(level, topic string) Screen {
	shown := max(0, slices.Index(HelpTopics(), topic))
	s := Screen{Lines: []Text{T(helpTopics[shown].title, nil)}}
	for _, key := range helpTopics[shown].lines {
		s.Lines = append(s.Lines, T(key, nil))
	}
	switch helpTopics[shown].name {
	case "boards":
		s.Lines = append(s.Lines, boardTexts()...)
	case "levels":
		for _, level := range Levels() {
			s.Lines = append(s.Lines, T("choice.level."+level, nil))
		}
	}
	pick := Select{Do: PickTopic{}, Hint: T("help.pick", nil), Min: 1, Max: 1}
	for i, t := range helpTopics {
		pick.Options = append(pick.Options, Option{Value: t.name, Label: T(t.title, nil), Chosen: i == shown && i > 0})
	}
	s.Selects = []Select{pick}
	if shown == 0 {
		s.Notes, s.Buttons = []Text{T("help.play.classic", nil)}, []Button{OfferComputer(level, game.Classic())}
	}
	return s
}
