package view

import "tictactoe/game"

// Help returns the screen that explains the commands, and which matches count.
func Help(level string) Screen {
	s := Screen{Buttons: []Button{OfferComputer(level, game.Classic())}, Notes: []Text{T("help.boards", nil)}}
	for _, key := range []string{
		"help.title", "help.play", "help.clock", "help.challenge", "help.ai", "help.leaderboard", "help.profile", "help.daily",
		"help.games", "help.show", "help.best", "help.move", "help.settings", "help.privacy", "help.admin",
		"help.review", "help.learn", "help.counts", "help.ratings", "help.profiles",
	} {
		s.Lines = append(s.Lines, T(key, nil))
	}
	for _, offer := range game.Offered() {
		if offer.Rules != game.Classic() {
			s.Notes = append(s.Notes, T("help.board", Args{"Name": RulesName(offer.Rules), "How": howToPlay(offer.Rules)}))
		}
	}
	return s
}
