package match_test

import (
	"errors"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

func TestEase(t *testing.T) {
	against := func(level string, seats match.Seats) match.Match {
		return match.Start("m", "m", "home", game.Classic(), seats, match.ComputerTurnTime, 1, noon)
	}
	unbeatable := match.Seats{match.Computer("unbeatable"), match.Human(alice)}
	begun, err := against("unbeatable", unbeatable).Answer(0, noon)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("changes the level before the player's first move, also after the computer's", func(t *testing.T) {
		next, err := begun.Ease(alice, begun.Version, "hard", noon)
		want := begun
		want.Seats, want.Version = match.Seats{match.Computer("hard"), match.Human(alice)}, begun.Version+1
		if err != nil || diff(want, next) != "" {
			t.Errorf("%v %s", err, diff(want, next))
		}
	})
	moved, err := begun.Play(alice, 1, 4, noon)
	if err != nil {
		t.Fatal(err)
	}
	over, err := begun.Resign(alice, 1, noon)
	if err != nil {
		t.Fatal(err)
	}
	people := against("", match.Seats{match.Human(alice), match.Human(bob)})
	for name, ask := range map[string]struct {
		m       match.Match
		by      match.User
		version int
		at      time.Time
		want    match.Reason
	}{
		"a stranger's":              {begun, "carol", begun.Version, noon, match.Stranger},
		"after the player's move":   {moved, alice, moved.Version, noon, match.Stale},
		"on an older board":         {begun, alice, begun.Version - 1, noon, match.Stale},
		"when the match is over":    {over, alice, over.Version, noon, match.Finished},
		"after the deadline":        {begun, alice, begun.Version, noon.Add(match.ComputerTurnTime), match.TimeUp},
		"of a match between people": {people, alice, people.Version, noon, match.Stale},
	} {
		t.Run("is refused: "+name, func(t *testing.T) {
			same, err := ask.m.Ease(ask.by, ask.version, "hard", ask.at)
			if !errors.Is(err, ask.want) || diff(ask.m, same) != "" {
				t.Errorf("got %v, want %v; %s", err, ask.want, diff(ask.m, same))
			}
		})
	}
}
