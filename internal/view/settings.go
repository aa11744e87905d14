package view

import "tictactoe/internal/user"

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
	challenges := Button{Do: ChangeSetting{TakeNoChallenges}, Label: T("action.settings.nobody", nil)}
	if s.Closed {
		challenges = Button{Do: ChangeSetting{TakeChallenges}, Label: T("action.settings.everybody", nil)}
		screen.Lines = append(screen.Lines, T("settings.closed", nil))
	} else {
		screen.Lines = append(screen.Lines, T("settings.open", nil))
	}
	mentions := Button{Do: ChangeSetting{MentionsOff}, Label: T("action.mentions.off", nil)}
	if s.MentionsOff {
		mentions = Button{Do: ChangeSetting{MentionsOn}, Label: T("action.mentions.on", nil)}
		screen.Lines = append(screen.Lines, T("settings.mentions.off", nil))
	} else {
		screen.Lines = append(screen.Lines, T("settings.mentions.on", nil))
	}
	textBoard := Button{Do: ChangeSetting{TextBoardOn}, Label: T("action.text.on", nil)}
	if s.TextBoard {
		textBoard = Button{Do: ChangeSetting{TextBoardOff}, Label: T("action.text.off", nil)}
		screen.Lines = append(screen.Lines, T("settings.text.on", nil))
	} else {
		screen.Lines = append(screen.Lines, T("settings.text.off", nil))
	}
	profile := Button{Do: ChangeSetting{HideProfile}, Label: T("action.profile.hide", nil)}
	if s.Hidden {
		profile = Button{Do: ChangeSetting{ShowProfile}, Label: T("action.profile.show", nil)}
		screen.Lines = append(screen.Lines, T("settings.profile.hidden", nil))
	} else {
		screen.Lines = append(screen.Lines, T("settings.profile.shown", nil))
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
	screen.Buttons = []Button{challenges, mentions, textBoard, profile}
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
