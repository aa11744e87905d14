package match_test

import (
	"errors"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

func TestAHintMarksTheMatchOnce(t *testing.T) {
	against := match.Start("m", "m", "venue", game.Classic(), match.Seats{match.Human(alice), match.Computer("hard")}, time.Minute, 1, noon)
	helped, err := against.Help(alice, 0, noon)
	if err != nil || !helped.Helped || helped.Version != against.Version+1 || helped.Record.Len() != 0 {
		t.Fatalf("%+v, %v", helped, err)
	}
	again, err := helped.Help(alice, 0, noon)
	if err != nil {
		t.Fatal(err)
	}
	if d := diff(helped, again); d != "" {
		t.Errorf("another hint changed the match:\n%s", d)
	}
	moved, err := helped.Play(alice, 0, square(t, "b2"), noon)
	if err != nil || !moved.Helped {
		t.Errorf("the next move removed the mark of the hint: %+v, %v", moved, err)
	}

	answered, err := moved.Answer(square(t, "a1"), noon)
	if err != nil {
		t.Fatal(err)
	}
	over, err := answered.Resign(alice, 2, noon)
	if err != nil || !over.Helped {
		t.Fatalf("%+v, %v", over, err)
	}
	_, next, err := over.AskRematch(alice, over.Version, "n", noon)
	if err != nil || next.Helped {
		t.Errorf("the rematch is marked, too: %+v, %v", next, err)
	}

	for name, test := range map[string]struct {
		of   match.Match
		by   match.User
		ply  int
		at   time.Time
		want match.Reason
	}{
		"a stranger":                 {against, bob, 0, noon, match.Stranger},
		"between people":             {between(t, ""), alice, 0, noon, match.NoHints},
		"when it is over":            {over, alice, 2, noon, match.Finished},
		"when the time is up":        {against, alice, 0, noon.Add(time.Minute), match.TimeUp},
		"on a board of long ago":     {answered, alice, 0, noon, match.Stale},
		"while the other is to move": {moved, alice, 1, noon, match.NotYourTurn},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := test.of.Help(test.by, test.ply, test.at)
			if !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
			if d := diff(test.of, got); d != "" {
				t.Errorf("the refusal changed the match:\n%s", d)
			}
		})
	}
}
