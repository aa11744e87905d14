package arena_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func terms() arena.Terms {
	return arena.Terms{
		Name: "Friday", Rules: arena.Boards()[0].Rules, TurnTime: 30 * time.Second,
		Lasts: 20 * time.Minute, Begins: noon.Add(5 * time.Minute),
	}
}

func announced(t *testing.T) arena.Arena {
	t.Helper()
	a, err := arena.New("a", "venue", "channel", "host", terms(), noon)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// running returns an arena that has begun with the given entrants.
func running(t *testing.T, players ...match.User) arena.Arena {
	t.Helper()
	a := announced(t)
	for _, p := range players {
		a = must(a.Join(p, noon))(t)
	}
	a, changed := a.Pass(a.Begins)
	if !changed || a.Status != arena.Running {
		t.Fatalf("the arena did not begin: %+v", a)
	}
	return a
}

func must(a arena.Arena, err error) func(*testing.T) arena.Arena {
	return func(t *testing.T) arena.Arena {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

func TestTheTermsOfAnArena(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*arena.Terms)
		want   error
	}{
		{"a usual one", func(*arena.Terms) {}, nil},
		{"in a minute", func(o *arena.Terms) { o.Begins = noon.Add(time.Minute) }, nil},
		{"in a week", func(o *arena.Terms) { o.Begins = noon.Add(7 * 24 * time.Hour) }, nil},
		{"at once", func(o *arena.Terms) { o.Begins = noon }, arena.BadTime},
		{"after more than a week", func(o *arena.Terms) { o.Begins = noon.Add(7*24*time.Hour + 1) }, arena.BadTime},
		{"too short", func(o *arena.Terms) { o.Lasts = 9 * time.Minute }, arena.BadTerms},
		{"too long", func(o *arena.Terms) { o.Lasts = 61 * time.Minute }, arena.BadTerms},
		{"a clock that is not on offer", func(o *arena.Terms) { o.TurnTime = 16 * time.Second }, arena.BadTerms},
		{"a board on which equals draw", func(o *arena.Terms) { o.Rules, _ = game.OnOffer("4x4") }, arena.BadTerms},
		{"a long name", func(o *arena.Terms) { o.Name = fmt.Sprintf("%051d", 0) }, arena.BadTerms},
	} {
		t.Run(c.name, func(t *testing.T) {
			chosen := terms()
			c.change(&chosen)
			if _, err := arena.New("a", "venue", "channel", "host", chosen, noon); !errors.Is(err, c.want) {
				t.Errorf("the error is %v, not %v", err, c.want)
			}
		})
	}
	t.Run("the default board is drop", func(t *testing.T) {
		if name := arena.Boards()[0].Name; name != "drop" {
			t.Errorf("it is %s", name)
		}
	})
}

func TestEntrantsComeAndGo(t *testing.T) {
	later := noon.Add(time.Minute)
	t.Run("joining twice changes nothing", func(t *testing.T) {
		a := must(announced(t).Join("alice", noon))(t)
		if again := must(a.Join("alice", later))(t); again.Version != a.Version {
			t.Errorf("the version is %d, not %d", again.Version, a.Version)
		}
	})
	t.Run("somebody who paused or left can join again and keeps the place in the list", func(t *testing.T) {
		for _, stop := range []func(arena.Arena, match.User, time.Time) (arena.Arena, error){arena.Arena.Pause, arena.Arena.Leave} {
			a := must(must(announced(t).Join("alice", noon))(t).Join("bob", noon))(t)
			a = must(stop(a, "alice", noon))(t)
			if a.State("alice") == arena.Ready {
				t.Error("alice is ready")
			}
			a = must(a.Join("alice", later))(t)
			want := []arena.Entrant{{"alice", noon, later, arena.Ready}, {"bob", noon, noon, arena.Ready}}
			if diff := cmp.Diff(want, a.Entrants); diff != "" {
				t.Error(diff)
			}
		}
	})
	t.Run("a removed entrant cannot join again", func(t *testing.T) {
		a := must(must(announced(t).Join("alice", noon))(t).Remove("alice"))(t)
		if _, err := a.Join("alice", later); !errors.Is(err, arena.Banned) {
			t.Errorf("the error is %v", err)
		}
		if _, err := a.Leave("alice", later); !errors.Is(err, arena.NotJoined) {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("a removed entrant who is let back has left, and can join again", func(t *testing.T) {
		a := must(must(announced(t).Join("alice", noon))(t).Remove("alice"))(t)
		a = must(a.LetBack("alice"))(t)
		if got := a.State("alice"); got != arena.Left {
			t.Errorf("the entrant is %s", got)
		}
		a = must(must(a.Join("alice", later))(t).LetBack("alice"))(t)
		if got := a.State("alice"); got != arena.Ready {
			t.Errorf("the entrant is %s", got)
		}
	})
	t.Run("a stranger cannot pause", func(t *testing.T) {
		if _, err := announced(t).Pause("alice", noon); !errors.Is(err, arena.NotJoined) {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("nobody joins a full arena", func(t *testing.T) {
		a := announced(t)
		for i := range arena.MaxEntrants {
			a = must(a.Join(match.User(fmt.Sprint("player", i)), noon))(t)
		}
		if _, err := a.Join("alice", later); !errors.Is(err, arena.Full) {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("nobody joins after the end", func(t *testing.T) {
		a := running(t, "alice", "bob")
		must(a.Join("carol", a.Ends.Add(-1)))(t)
		if _, err := a.Join("carol", a.Ends); !errors.Is(err, arena.Closed) {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("a transition changes no earlier value", func(t *testing.T) {
		a := must(announced(t).Join("alice", noon))(t)
		before := slices.Clone(a.Entrants)
		must(a.Join("bob", noon))(t)
		must(a.Leave("alice", noon))(t)
		if diff := cmp.Diff(before, a.Entrants); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAnArenaBeginsAndEnds(t *testing.T) {
	t.Run("with fewer than two ready entrants it is called off", func(t *testing.T) {
		a := must(must(announced(t).Join("alice", noon))(t).Join("bob", noon))(t)
		a = must(a.Pause("bob", noon))(t)
		if _, changed := a.Pass(a.Begins.Add(-1)); changed {
			t.Error("it changes before its beginning")
		}
		if a, _ = a.Pass(a.Begins); a.Status != arena.CalledOff || a.Why != arena.TooFew {
			t.Errorf("%v %v", a.Status, a.Why)
		}
	})
	t.Run("if the bot was away at the beginning, it begins late and lasts as long", func(t *testing.T) {
		a := must(must(announced(t).Join("alice", noon))(t).Join("bob", noon))(t)
		late := a.Begins.Add(arena.MaxLate - 1)
		if a, _ := a.Pass(late); a.Status != arena.Running || !a.Ends.Equal(late.Add(20*time.Minute)) {
			t.Errorf("%v until %v", a.Status, a.Ends)
		}
		if a, _ := a.Pass(late.Add(1)); a.Status != arena.CalledOff || a.Why != arena.Missed {
			t.Errorf("%v %v", a.Status, a.Why)
		}
	})
	t.Run("it is over when the last moves are in", func(t *testing.T) {
		a := running(t, "alice", "bob")
		if _, changed := a.Pass(a.Ends.Add(arena.Grace - 1)); changed {
			t.Error("it changes too early")
		}
		if a, _ = a.Pass(a.Ends.Add(arena.Grace)); a.Status != arena.Over || a.Open() {
			t.Errorf("%v", a.Status)
		}
		if _, err := a.CallOff(arena.ByModerator, a.Ends); !errors.Is(err, arena.Closed) {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("called off early, it ends at once", func(t *testing.T) {
		a := running(t, "alice", "bob")
		at := a.Begins.Add(time.Minute)
		a = must(a.CallOff(arena.ByModerator, at))(t)
		if a.Status != arena.CalledOff || !a.Ends.Equal(at) || len(a.Pairs(at)) > 0 || a.Champions() != nil {
			t.Errorf("%+v", a)
		}
	})
}

func TestAMissedFirstMovePausesUntilTheEntrantJoinsAgain(t *testing.T) {
	for mark, plies := range map[game.Mark]int{game.X: 0, game.O: 1} {
		a := running(t, "alice", "bob")
		ended := a.Begins.Add(30 * time.Second)
		a.Pairings = []arena.Pairing{{
			Seats: seats("alice", "bob"), Result: match.Result{Outcome: game.WinFor(mark.Opponent()), Cause: match.ByTime},
			Plies: plies, Created: a.Begins, Ended: ended,
		}}
		absent, other := match.User("alice"), match.User("bob")
		if mark == game.O {
			absent, other = other, absent
		}
		if a.State(absent) != arena.Paused || a.State(other) != arena.Ready {
			t.Errorf("%s is %v, %s is %v", absent, a.State(absent), other, a.State(other))
		}
		if len(a.Pairs(ended)) > 0 {
			t.Error("they are paired")
		}
		a = must(a.Join(absent, ended.Add(time.Millisecond)))(t)
		if a.State(absent) != arena.Ready || len(a.Pairs(ended.Add(time.Millisecond))) != 1 {
			t.Errorf("%s is %v after joining again", absent, a.State(absent))
		}
		a.Pairings[0].Plies = 2
		if must(a.Leave(absent, ended))(t).State(absent) != arena.Left {
			t.Errorf("%s has not left", absent)
		}
	}
}

func TestTheGamesOfAnArena(t *testing.T) {
	a := running(t, "alice", "bob", "carol", "dan")
	paired, games := a.Paired(a.Pairs(a.Begins), a.Begins)
	if len(games) != 2 || games[0].ID == games[1].ID || paired.Version != a.Version+1 {
		t.Fatalf("%d games, version %d", len(games), paired.Version)
	}
	if _, again := a.Paired(a.Pairs(a.Begins), a.Begins); again[0].ID != games[0].ID {
		t.Error("the same pairs at the same version are other matches")
	}
	if _, next := paired.Paired(a.Pairs(a.Begins), a.Begins); next[0].ID == games[0].ID {
		t.Error("the next version makes the same matches")
	}
	for _, m := range games {
		if len(m.ID) != 13 || m.ID[0] < '8' {
			t.Errorf("the id %s could be the id of an interaction", m.ID)
		}
	}
	m := games[0]
	if !m.Deadline.Equal(a.Begins.Add(match.FirstMoveTime)) || m.Aborts() {
		t.Errorf("%v, %v", m.Deadline, m.Aborts())
	}
	for ply, want := range []time.Duration{match.FirstMoveTime, a.TurnTime, a.TurnTime} {
		at := m.Deadline.Add(-time.Second)
		next, err := m.Play(m.Turn().Player, m.Stage(), game.Square(ply), at)
		if err != nil {
			t.Fatal(err)
		}
		if m = next; !m.Deadline.Equal(at.Add(want)) {
			t.Errorf("after ply %d: %v, not %v", ply, m.Deadline.Sub(at), want)
		}
	}
	if m.MayWish(match.WishDraw) || m.MayWish(match.WishBack) {
		t.Error("there are wishes")
	}
	t.Run("resigning before the first move loses", func(t *testing.T) {
		lost, err := games[1].Resign(games[1].Seats[0].Player, 0, a.Begins)
		if err != nil || lost.Result.Outcome != game.OWins {
			t.Fatalf("%v, %v", lost.Result, err)
		}
		if _, _, err := lost.AskRematch(games[1].Seats[0].Player, lost.Version, "n", a.Begins); !errors.Is(err, match.Stale) {
			t.Errorf("the rematch is answered by %v", err)
		}
	})
}

func seats(x, o match.User) match.Seats { return match.Seats{match.Human(x), match.Human(o)} }
