package match_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
)

// asks and answers return the match after a player has asked for something or answered.
func asks(t testing.TB, m match.Match, by match.User, kind match.WishKind) match.Match {
	t.Helper()
	next, err := m.AskWish(by, m.Stage(), kind, noon)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func answers(t testing.TB, m match.Match, by match.User, agrees bool) match.Match {
	t.Helper()
	next, err := m.AnswerWish(by, m.Stage(), agrees, noon)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func TestPlayersAgreeOnADraw(t *testing.T) {
	offered := asks(t, between(t, "b2 a1"), alice, match.WishDraw)
	if offered.OpenWish() != (match.Wish{Kind: match.WishDraw, By: game.X, Ply: 2}) || offered.Result.Over() {
		t.Fatalf("%+v", offered)
	}
	want := offered
	want.Result, want.Ended, want.Deadline, want.Version = match.Result{Outcome: game.Draw, Cause: match.ByAgreement}, noon, time.Time{}, 5
	if d := diff(want, answers(t, offered, bob, true)); d != "" {
		t.Error(d)
	}
	if !want.Result.Counts() || want.OpenWish() != (match.Wish{}) {
		t.Errorf("an agreed draw does not count, or leaves a question: %+v", want)
	}
	declined := answers(t, offered, bob, false)
	if declined.OpenWish() != (match.Wish{}) || declined.Result.Over() || declined.Version != 5 {
		t.Errorf("%+v", declined)
	}
}

func TestAMoveIsTakenBack(t *testing.T) {
	for _, tt := range []struct {
		name, before string
		by, to       match.User
		want         string
	}{
		{"by the side that has just moved", "XX./.O./...", alice, bob, "X../.O./..."},
		{"by the side to move, with the answer", "XX./.O./...", bob, alice, "X../.../..."},
		{"by the side to move as X, with the answer", "XXO/.O./...", alice, bob, "X../.O./..."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := between(t, map[string]string{"XX./.O./...": "a1 b2 b1", "XXO/.O./...": "a1 b2 b1 c1"}[tt.before])
			if got := before.Position().String(); got != tt.before {
				t.Fatal(got)
			}
			asked := asks(t, before, tt.by, match.WishBack)
			back, err := asked.AnswerWish(tt.to, asked.Stage(), true, noon.Add(time.Second))
			if err != nil {
				t.Fatal(err)
			}
			if got := back.Position().String(); got != tt.want || back.Turn().Player != tt.by {
				t.Errorf("it is %s, and %s is to move", got, back.Turn().Player)
			}
			if !back.Deadline.Equal(noon.Add(time.Second + time.Minute)) {
				t.Errorf("the turn does not begin anew: %v", back.Deadline)
			}
			if back.Version != asked.Version+1 || back.Backs != 1 || back.Wish != (match.Wish{}) {
				t.Errorf("%+v", back)
			}
		})
	}
	t.Run("where marks vanish, the vanished mark comes back", func(t *testing.T) {
		rules, err := game.ParseRules("infinite")
		if err != nil {
			t.Fatal(err)
		}
		start := match.Start("m", "m", "", rules, match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, noon)
		before := played(t, start, "a1 b2 a2 c1 c3 b1")
		after := played(t, before, "b3")
		back := answers(t, asks(t, after, alice, match.WishBack), bob, true)
		if got := back.Position().String(); got != before.Position().String() || got == after.Position().String() {
			t.Errorf("it is %s, and was %s", got, before.Position())
		}
	})
	t.Run("the proposer who takes back the first move has shown up", func(t *testing.T) {
		m := between(t, "")
		m.Proposer = game.X
		back := answers(t, asks(t, played(t, m, "b2 a1"), alice, match.WishBack), bob, true)
		late, due := back.Expire(back.Deadline)
		if !due || back.Record.Len() != 0 || late.Result != (match.Result{Outcome: game.OWins, Cause: match.ByTime}) {
			t.Errorf("%+v", late)
		}
	})
}

// TestNoLateClickIsPlayedOnAnotherPosition draws the boards of a match with a take-back. A click on each of them is played only on the
// position for which it was made.
func TestNoLateClickIsPlayedOnAnotherPosition(t *testing.T) {
	boards := []match.Match{between(t, ""), between(t, "b2"), between(t, "b2 a1")}
	back := answers(t, asks(t, boards[2], bob, match.WishBack), alice, true)
	boards = append(boards, back, played(t, back, "c3"))
	for i, on := range boards {
		for j, now := range boards {
			_, err := now.Play(now.Turn().Player, on.Stage(), square(t, "c1"), noon)
			if i == j != (err == nil) || i != j && !errors.Is(err, match.Stale) {
				t.Errorf("a click on %s, played on %s: %v", on.Position(), now.Position(), err)
			}
		}
	}
}

func TestRefusedWishes(t *testing.T) {
	m := between(t, "b2 a1")
	rated := m
	rated.Stakes = rating.Half
	casual := m
	casual.Stakes = rating.Casual
	offered := asks(t, m, alice, match.WishDraw)
	declined := answers(t, offered, bob, false)
	against := match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Computer("easy")}, time.Minute, 1, noon)
	ask := func(m match.Match, by match.User, kind match.WishKind) func() error {
		return func() error { _, err := m.AskWish(by, m.Stage(), kind, noon); return err }
	}
	answer := func(m match.Match, by match.User) func() error {
		return func() error { _, err := m.AnswerWish(by, m.Stage(), true, noon); return err }
	}
	for name, test := range map[string]struct {
		do   func() error
		want match.Reason // empty if it is not refused
	}{
		"a stranger asks":                           {ask(m, mallory, match.WishDraw), match.Stranger},
		"a stranger answers":                        {answer(offered, mallory), match.Stranger},
		"when it is over":                           {ask(between(t, "a1 a2 b1 b2 c1"), alice, match.WishDraw), match.Finished},
		"before both have moved":                    {ask(between(t, "b2"), alice, match.WishDraw), match.Stale},
		"against the computer":                      {ask(against, alice, match.WishDraw), match.Stale},
		"for nothing":                               {ask(m, alice, match.NoWish), match.Stale},
		"a take-back where it counts":               {ask(rated, alice, match.WishBack), match.Stale},
		"a draw where it counts":                    {ask(rated, alice, match.WishDraw), ""},
		"a take-back where it does not":             {ask(casual, alice, match.WishBack), ""},
		"while the other waits for an answer":       {ask(offered, bob, match.WishBack), match.Stale},
		"once more after no":                        {ask(declined, alice, match.WishDraw), match.Stale},
		"once more after the other's move":          {ask(played(t, asks(t, between(t, "b2 a1 c3"), alice, match.WishDraw), "a3"), alice, match.WishDraw), match.AskedAlready},
		"for something else after the other's move": {ask(played(t, asks(t, between(t, "b2 a1 c3"), alice, match.WishDraw), "a3"), alice, match.WishBack), match.AskedAlready},
		"by the other after no, and a move":         {ask(played(t, declined, "c3"), bob, match.WishDraw), ""},
		"once more after an own move":               {ask(played(t, declined, "c3 a3"), alice, match.WishDraw), ""},
		"while the offer stands after an own move":  {ask(played(t, offered, "c3"), alice, match.WishDraw), match.Stale},
		"the other, while the offer stands":         {ask(played(t, offered, "c3"), bob, match.WishBack), match.Stale},
		"one answers oneself":                       {answer(offered, alice), match.OwnWish},
		"nobody has asked":                          {answer(m, bob), match.Stale},
		"after no":                                  {answer(declined, bob), match.Stale},
		"a draw after a move of the offerer":        {answer(played(t, offered, "c3"), bob), ""},
		"a draw after a move of the other":          {answer(played(t, offered, "c3 a3"), bob), match.Stale},
		"a take-back after a move of the asker":     {answer(played(t, asks(t, m, alice, match.WishBack), "c3"), bob), match.Stale},
		"a draw that was offered on the other turn": {answer(played(t, asks(t, m, bob, match.WishDraw), "c3"), alice), match.Stale},
		"once more after a no to a standing offer":  {ask(answers(t, played(t, offered, "c3"), bob, false), alice, match.WishDraw), match.Stale},
		"a no to a standing offer counts as one":    {ask(played(t, answers(t, played(t, offered, "c3"), bob, false), "a3"), alice, match.WishDraw), match.AskedAlready},
		"a board of before": {func() error {
			_, err := played(t, offered, "c3").AnswerWish(bob, offered.Stage(), true, noon)
			return err
		}, match.Stale},
		"when the time is up": {func() error {
			_, err := offered.AnswerWish(bob, offered.Stage(), true, offered.Deadline)
			return err
		}, match.TimeUp},
	} {
		t.Run(name, func(t *testing.T) {
			if err := test.do(); test.want == "" && err != nil || test.want != "" && !errors.Is(err, test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// TestAPlayerAsksOnceForEachMove makes random moves and wishes: no player asks twice between two moves of that player.
func TestAPlayerAsksOnceForEachMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, noon)
		asked, stages := map[match.User]int{}, map[int]string{}
		for range 40 {
			if was, known := stages[m.Stage()]; known && was != m.Position().String() {
				t.Fatalf("the stage %d is %s, and was %s", m.Stage(), m.Position(), was)
			}
			stages[m.Stage()] = m.Position().String()
			by := people.Draw(t, "by")
			was, next, err := m, m, error(nil)
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				square := game.Square(rapid.IntRange(0, 8).Draw(t, "square"))
				if next, err = m.Play(by, m.Stage(), square, noon); err == nil {
					asked[by] = 0
				}
			case 1:
				kind := rapid.SampledFrom([]match.WishKind{match.WishDraw, match.WishBack}).Draw(t, "kind")
				if next, err = m.AskWish(by, m.Stage(), kind, noon); err == nil {
					asked[by]++
				}
			default:
				if next, err = m.AnswerWish(by, m.Stage(), rapid.Bool().Draw(t, "agrees"), noon); next.Backs > m.Backs {
					clear(asked)
				}
			}
			if refusal := (*match.Refusal)(nil); err != nil && (!errors.As(err, &refusal) || diff(was, next) != "") {
				t.Fatalf("%v\n%s", err, diff(was, next))
			}
			if m = next; asked[by] > 1 {
				t.Fatalf("%s has asked twice since the latest own move", by)
			}
		}
	})
}
