package view

import "tictactoe/internal/people/user"

// Here is what a player has chosen for the server where the settings are shown.
type Here struct {
	Server bool   // it is one that has a list of those who have solved puzzles
	Listed bool   // the player is on it
	Client string // the language of the player's Discord
}

// Settings are what a player has chosen, with what else there is.
func Settings(s user.Settings, here Here) Screen {
	screen := Screen{
		Lines: []Text{T("settings.title", nil)},
		Notes: []Text{T("settings.note", nil)},
	}
	people := Select{Do: ChangeSetting{BlockedUsers}, Hint: T("settings.choose", nil), Of: AllPeople, Max: user.MaxBlocked}
	for _, p := range s.Blocked {
		people.Chosen = append(people.Chosen, string(p))
	}
	screen.Selects = []Select{people}
	chosen := func(line string, other Setting, label string) {
		screen.Lines = append(screen.Lines, T(line, nil))
		screen.Buttons = append(screen.Buttons, Button{Do: ChangeSetting{other}, Label: T(label, nil)})
	}
	if s.NotTaking {
		chosen("settings.closed", TakeChallenges, "action.settings.everybody")
	} else {
		chosen("settings.open", TakeNoChallenges, "action.settings.nobody")
	}
	if s.MentionsOff {
		chosen("settings.mentions.off", MentionsOn, "action.mentions.on")
	} else {
		chosen("settings.mentions.on", MentionsOff, "action.mentions.off")
	}
	if s.TextBoard {
		chosen("settings.text.on", TextBoardOff, "action.text.off")
	} else {
		chosen("settings.text.off", TextBoardOn, "action.text.on")
	}
	if s.Hidden {
		chosen("settings.profile.hidden", ShowProfile, "action.profile.show")
	} else {
		chosen("settings.profile.shown", HideProfile, "action.profile.hide")
	}
	if s.Language == "" {
		screen.Lines = append(screen.Lines, T("settings.language.client", Args{"Language": languageName(here.Client)}))
	} else {
		screen.Lines = append(screen.Lines, T("settings.language", Args{"Language": languageName(s.Language)}))
	}
	if n := len(s.Blocked); n > 0 {
		screen.Lines = append(screen.Lines, T("settings.blocked", Args{"PluralCount": n}))
	} else {
		screen.Lines = append(screen.Lines, T("settings.blocked.none", nil))
	}
	if s.Hashed > 0 {
		screen.Lines = append(screen.Lines, T("settings.veiled", Args{"PluralCount": s.Hashed}))
	}
	switch {
	case here.Listed:
		screen.Lines = append(screen.Lines, T("settings.puzzles.listed", nil))
		screen.Buttons = append(screen.Buttons, Button{Do: ChangeSetting{UnlistMe}, Label: T("action.puzzle.unlist", nil)})
	case here.Server:
		screen.Lines = append(screen.Lines, T("settings.puzzles.unlisted", nil))
		screen.Buttons = append(screen.Buttons, Button{Do: ChangeSetting{ListMe}, Label: T("action.puzzle.list", nil)})
	}
	screen.Buttons = append(screen.Buttons, Button{Do: ShowSettings{LanguagesPage}, Label: T("action.language", nil)})
	return screen
}
