package view

import "tictactoe/internal/match"

// Name is a person's name as that person wrote it: the front end escapes it.
type Name string

// Names are the names of players as last seen.
type Names map[match.User]string

// Of returns the name of a player, or a stand-in if it was never seen.
func (n Names) Of(p match.User) any {
	if p == match.Left {
		return T("name.left", nil)
	}
	if name := n[p]; name != "" {
		return Name(name)
	}
	return T("name.unknown", nil)
}

// Seat returns the name of a player, or of the computer with its level.
func (n Names) Seat(s match.Seat) any {
	if s.IsComputer() {
		return T("name.computer", Args{"Level": LevelName(s.Level)})
	}
	return n.Of(s.Player)
}

// LevelName returns the name of a level for people.
func LevelName(level string) Text { return T("level."+level, nil) }
