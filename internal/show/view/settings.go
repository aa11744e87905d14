package view

import "tictactoe/internal/people/user"

// Here describes the place where a player's settings are shown.
type Here struct {
	Server bool   // the server has a list of the solvers of puzzles
	Listed bool   // the player wants to be on that list
	Client string // the language of the player's Discord
}

// Settings returns the page with the settings of a player, and menus and buttons to change them.
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
	for _, c := range []struct {
		holds       bool
		line, label string
		change      Setting
	}{
		{s.NotTaking, "settings.closed", "action.settings.everybody", TakeChallenges},
		{!s.NotTaking, "settings.open", "action.settings.nobody", TakeNoChallenges},
		{s.MentionsOff, "settings.mentions.off", "action.mentions.on", MentionsOn},
		{!s.MentionsOff, "settings.mentions.on", "action.mentions.off", MentionsOff},
		{s.TextBoard, "settings.text.on", "action.text.off", TextBoardOff},
		{!s.TextBoard, "settings.text.off", "action.text.on", TextBoardOn},
		{s.Hidden, "settings.profile.hidden", "action.profile.show", ShowProfile},
		{!s.Hidden, "settings.profile.shown", "action.profile.hide", HideProfile},
	} {
		screen.Lines = append(screen.Lines, when(c.holds, T(c.line, nil))...)
		screen.Buttons = append(screen.Buttons, when(c.holds, Button{Do: ChangeSetting{c.change}, Label: T(c.label, nil)})...)
	}
	language, blocked := T("settings.language.client", Args{"Language": LanguageCode(here.Client)}), T("settings.blocked.none", nil)
	if s.Language != "" {
		language = T("settings.language", Args{"Language": LanguageCode(s.Language)})
	}
	if n := len(s.Blocked); n > 0 {
		blocked = T("settings.blocked", Args{"PluralCount": n})
	}
	screen.Lines = append(screen.Lines, language, blocked)
	screen.Lines = append(screen.Lines, when(s.Hashed > 0, T("settings.veiled", Args{"PluralCount": s.Hashed}))...)
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
