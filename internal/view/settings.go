package view

import "tictactoe/internal/user"

// The words of Set.
const (
	SetNobody      = "nobody"
	SetEverybody   = "everybody"
	SetMentionsOff = "mentionsoff"
	SetMentionsOn  = "mentionson"
	SetBlocked     = "blocked"
)

// Settings are what a player has chosen, with what else there is.
func Settings(s user.Settings) Screen {
	screen := Screen{
		Lines: []Text{T("settings.title", nil)},
		Notes: []Text{T("settings.note", nil)},
	}
	people := Select{Verb: Set, Word: SetBlocked, Hint: T("settings.choose", nil), Of: AllPeople, Max: user.MaxBlocked}
	for _, p := range s.Blocked {
		people.Chosen = append(people.Chosen, string(p))
	}
	screen.Selects = []Select{people}
	challenges := Action{Verb: Set, Label: T("action.settings.nobody", nil), Word: SetNobody}
	if s.Closed {
		challenges = Action{Verb: Set, Label: T("action.settings.everybody", nil), Word: SetEverybody}
		screen.Lines = append(screen.Lines, T("settings.closed", nil))
	} else {
		screen.Lines = append(screen.Lines, T("settings.open", nil))
	}
	mentions := Action{Verb: Set, Label: T("action.mentions.off", nil), Word: SetMentionsOff}
	if s.MentionsOff {
		mentions = Action{Verb: Set, Label: T("action.mentions.on", nil), Word: SetMentionsOn}
		screen.Lines = append(screen.Lines, T("settings.mentions.off", nil))
	} else {
		screen.Lines = append(screen.Lines, T("settings.mentions.on", nil))
	}
	if n := len(s.Blocked); n > 0 {
		screen.Lines = append(screen.Lines, T("settings.blocked", Args{"PluralCount": n}))
	} else {
		screen.Lines = append(screen.Lines, T("settings.blocked.none", nil))
	}
	if s.Hashed > 0 {
		screen.Lines = append(screen.Lines, T("settings.veiled", Args{"PluralCount": s.Hashed}))
	}
	screen.Actions = []Action{challenges, mentions}
	return screen
}
