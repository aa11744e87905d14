package view

import "tictactoe/game"

// Help explains the commands and what counts.
func Help(level string) Screen {
	s := Screen{
		Lines: []Text{
			T("help.title", nil), T("help.play", nil), T("help.clock", nil),
			T("help.challenge", nil), T("help.ai", nil), T("help.leaderboard", nil), T("help.profile", nil), T("help.daily", nil), T("help.games", nil), T("help.show", nil), T("help.best", nil), T("help.move", nil),
			T("help.settings", nil), T("help.privacy", nil), T("help.admin", nil),
			T("help.review", nil), T("help.learn", nil), T("help.counts", nil), T("help.ratings", nil), T("help.profiles", nil),
		},
		Buttons: []Button{OfferComputer(level, game.Classic())},
		Notes:   []Text{T("help.boards", nil)},
	}
	for _, offer := range game.Offered() {
		if offer.Rules != game.Classic() {
			s.Notes = append(s.Notes, T("help.board", Args{"Name": RulesName(offer.Rules), "How": howToPlay(offer.Rules)}))
		}
	}
	return s
}
