package view

import (
	"tictactoe/ai"
	"tictactoe/internal/match"
)

// Name is the name of a user as Discord has it. The front end escapes it.
type Name string

// Names are the names of players as the bot last saw them.
type Names map[match.User]string

// Of returns the name of a player, or a text in its place if the bot has never seen the name.
func (n Names) Of(p match.User) any {
	if p == match.Left {
		return T("name.left", nil)
	}
	if name := n[p]; name != "" {
		return Name(name)
	}
	return T("name.unknown", nil)
}

// Seat returns the name of a player, of the computer with its level, or of a crowd.
func (n Names) Seat(s match.Seat) any {
	switch s.Crowd {
	case match.Channel:
		return T("name.crowd", nil)
	case match.TeamOne, match.TeamTwo:
		return T("name.team", Args{"N": int(s.Crowd - match.Channel)})
	}
	if s.IsComputer() {
		return T("name.computer", Args{"Level": LevelName(s.Level)})
	}
	return n.Of(s.Player)
}

// Levels returns the names of all levels on offer: fair, and then the others, the strongest last.
func Levels() []string { return append([]string{ai.FairName}, ai.LevelNames()...) }

// LevelName returns the name of a level as users see it.
func LevelName(level string) Text { return T("level."+match.LevelName(level), nil) }
