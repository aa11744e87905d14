package match_test

import (
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

func TestAskRematch(t *testing.T) {
	over := between(t, xWins)
	later := noon.Add(10 * time.Second)
	proposed, next, err := over.AskRematch(alice, over.Version, "n", later)
	if err != nil || next != nil {
		t.Fatal(next, err)
	}
	want := over
	want.Version++
	want.Rematch = match.Rematch{State: match.RematchProposed, By: alice, Deadline: later.Add(match.RematchTime)}
	if d := diff(want, proposed); d != "" {
		t.Errorf("proposal: %s", d)
	}

	t.Run("the other player's rematch starts it, with the marks swapped", func(t *testing.T) {
		started, next, err := proposed.AskRematch(bob, proposed.Version, "n", later)
		if err != nil || next == nil {
			t.Fatal(err)
		}
		fresh := match.Start("n", "m", "venue", game.Classic(), match.Seats{match.Human(bob), match.Human(alice)}, time.Minute, 1, later)
		fresh.Proposer = fresh.Seats.Mark(alice)
		if d := diff(fresh, *next); d != "" {
			t.Error(d)
		}
		if started.Rematch != (match.Rematch{State: match.RematchStarted, By: alice, Next: "n"}) || started.Version != proposed.Version+1 {
			t.Errorf("%+v", started.Rematch)
		}
		for _, by := range []match.User{alice, bob} {
			_, _, err := started.AskRematch(by, started.Version, "o", later)
			refused(t, err, match.Stale)
		}
		_, err = started.DeclineRematch(bob)
		refused(t, err, match.Stale)
	})
	t.Run("two simultaneous requests agree, although the second came from a board before the proposal", func(t *testing.T) {
		if _, next, err := proposed.AskRematch(bob, over.Version, "n", later); err != nil || next == nil {
			t.Error(err)
		}
	})
	t.Run("the proposer has to wait", func(t *testing.T) {
		_, _, err := proposed.AskRematch(alice, proposed.Version, "n", later)
		refused(t, err, match.AwaitingRematch)
	})
	t.Run("the proposer's double click is stale", func(t *testing.T) {
		_, _, err := proposed.AskRematch(alice, over.Version, "n", later)
		refused(t, err, match.Stale)
	})
	t.Run("a stranger neither proposes nor agrees nor declines", func(t *testing.T) {
		for _, m := range []match.Match{over, proposed} {
			_, _, err := m.AskRematch(mallory, m.Version, "n", later)
			refused(t, err, match.Stranger)
			_, err = m.DeclineRematch(mallory)
			refused(t, err, match.Stranger)
		}
	})
	t.Run("a rematch is refused while the match goes on", func(t *testing.T) {
		_, _, err := between(t, "a1").AskRematch(alice, 2, "n", later)
		refused(t, err, match.Stale)
	})
	t.Run("either player can decline the proposal, which ends it", func(t *testing.T) {
		for _, by := range []match.User{alice, bob} {
			closed, err := proposed.DeclineRematch(by)
			if err != nil {
				t.Fatal(err)
			}
			if closed.Rematch != (match.Rematch{State: match.RematchDeclined, By: alice}) || closed.Version != proposed.Version+1 {
				t.Errorf("%+v", closed)
			}
			_, _, err = closed.AskRematch(bob, closed.Version, "n", later)
			refused(t, err, match.Stale)
		}
	})
	t.Run("without a proposal there is nothing to decline", func(t *testing.T) {
		_, err := over.DeclineRematch(bob)
		refused(t, err, match.Stale)
	})
	t.Run("a proposal expires", func(t *testing.T) {
		end := proposed.Rematch.Deadline
		if _, due := proposed.Expire(end.Add(-1)); due {
			t.Error("the proposal expired too early")
		}
		if _, next, err := proposed.AskRematch(bob, proposed.Version, "n", end.Add(-1)); err != nil || next == nil {
			t.Error("the proposal was not open until its deadline:", err)
		}
		for _, by := range []match.User{alice, bob} {
			_, _, err := proposed.AskRematch(by, proposed.Version, "n", end)
			refused(t, err, match.TimeUp)
		}
		expired, due := proposed.Expire(end)
		if !due || expired.Rematch != (match.Rematch{State: match.RematchExpired, By: alice}) || expired.Version != proposed.Version+1 {
			t.Errorf("%v %+v", due, expired.Rematch)
		}
		_, _, err := expired.AskRematch(bob, expired.Version, "n", end)
		refused(t, err, match.Stale)
		if _, due := expired.Expire(end); due {
			t.Error("the proposal expired twice")
		}
	})
}

func TestRematchAgainstTheComputerStartsAtOnce(t *testing.T) {
	m := match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Computer("easy")}, time.Hour, 1, noon)
	m, err := m.Resign(alice, 0, noon)
	if err != nil {
		t.Fatal(err)
	}
	started, next, err := m.AskRematch(alice, m.Version, "n", noon)
	if err != nil || next == nil {
		t.Fatal(err)
	}
	if next.Seats != (match.Seats{match.Computer("easy"), match.Human(alice)}) || next.Series != "m" || next.TurnTime != time.Hour {
		t.Errorf("%+v", next)
	}
	_, _, err = started.AskRematch(alice, started.Version, "o", noon)
	refused(t, err, match.Stale)
}

func TestRematchesKeepTheIDOfTheirFirstMatch(t *testing.T) {
	m := between(t, xWins)
	for _, id := range []match.ID{"n", "o", "p"} {
		proposed, _, err := m.AskRematch(alice, m.Version, id, noon)
		if err != nil {
			t.Fatal(err)
		}
		_, next, err := proposed.AskRematch(bob, proposed.Version, id, noon)
		if err != nil {
			t.Fatal(err)
		}
		if next.Series != "m" || next.ID != id || next.Seats != m.Seats.Swapped() {
			t.Errorf("%+v", next)
		}
		m = played(t, *next, xWins)
	}
}
