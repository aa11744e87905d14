package view

import (
	"slices"

	"tictactoe/ai"
	"tictactoe/game"
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

// LevelsNextTo returns the next easier and the next harder of the offered levels by the given rules. Next easier than any level from easy on
// is the fair one, and none is as easy as random, which people get only if they ask for it.
func LevelsNextTo(offered []string, rules game.Rules, level string) (l NextLevels) {
	fair := match.LevelName(level) == ai.FairName
	harder := func(other string) bool { return Rung(other) > Rung(level) }
	if adapted, err := ai.ParseLevel(level); fair && err == nil {
		harder = func(other string) bool {
			stands, err := ai.ParseLevel(other)
			return err == nil && ai.Stronger(rules, stands, adapted)
		}
	}
	for _, other := range offered {
		switch at := Rung(other); {
		case at <= Rung(ai.Random.String()): // fair has no rung
		case !fair && at < Rung(level):
			l.Easier = other
		case harder(other) && (l.Harder == "" || at == Rung(l.Harder)):
			l.Harder = other
		}
	}
	if !fair && level != ai.Random.String() && slices.Contains(offered, ai.FairName) {
		l.Easier = ai.FairName
	}
	return l
}

// Rung returns the difficulty of a level as a number, which is negative for fair. All levels from minimax on have the same number, because on
// a small board nobody can beat any of them.
func Rung(level string) int {
	all := ai.Levels()
	return min(slices.IndexFunc(all, func(l ai.Level) bool { return l.String() == level }), slices.Index(all, ai.Minimax))
}
