package view

import "tictactoe/game"

// RulesName returns the name of a rule set as users see it.
func RulesName(rules game.Rules) Text {
	if title := rules.Title(); title != rules.String() {
		return T("board."+title, nil)
	}
	return T("rules.other", Args{"Rules": rules.String()})
}

// nameInButtons returns the name of a rule set as actions have it. The classic rules have an empty name there.
func nameInButtons(rules game.Rules) string {
	if _, named := game.OnOffer(rules.Title()); !named || rules == game.Classic() {
		return ""
	}
	return rules.Title()
}

// rulesNote returns the note under a board that names and explains the rule set. The classic rules, which everybody knows, have no note.
func rulesNote(rules game.Rules) []Text {
	if rules == game.Classic() {
		return nil
	}
	return []Text{boardAndRules(rules)}
}

// boardAndRules names the board, and says how to play on it.
func boardAndRules(rules game.Rules) Text {
	return T("rules.note", Args{"Name": RulesName(rules), "How": howToPlay(rules)})
}

// howToPlay explains how a rule set differs from the classic game.
func howToPlay(rules game.Rules) Text {
	args := Args{"Run": rules.Run(), "PluralCount": rules.Keep()}
	switch {
	case rules.Keep() > 0:
		return T("rules.keep", args)
	case rules.Gravity() && rules.Misere():
		return T("rules.gravity.misere", args)
	case rules.Gravity():
		return T("rules.gravity", args)
	case rules.Misere():
		return T("rules.misere", args)
	default:
		return T("rules.line", args)
	}
}
