package arena_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
)

// played returns an arena in which alice and bob have played games with the given results, as alice sees them: w won, l lost, d drawn,
// e drawn early, v voided, - going on. They change marks.
func played(t *testing.T, results string) arena.Arena {
	a := running(t, "alice", "bob")
	for i, r := range results {
		began := a.Begins.Add(time.Duration(i) * time.Minute)
		g := arena.Pairing{Created: began, Ended: began.Add(50 * time.Second), Plies: 20}
		alice := game.X + game.Mark(i%2)
		if g.Seats = seats("alice", "bob"); alice == game.O {
			g.Seats = seats("bob", "alice")
		}
		switch r {
		case 'w':
			g.Result = match.Result{Outcome: game.WinFor(alice), Cause: match.ByLine}
		case 'l':
			g.Result = match.Result{Outcome: game.WinFor(alice.Opponent()), Cause: match.ByLine}
		case 'd':
			g.Result = match.Result{Outcome: game.Draw, Cause: match.ByFullBoard}
		case 'e':
			g.Result, g.Plies = match.Result{Outcome: game.Draw, Cause: match.ByModerator}, 9
		case 'v':
			g.Result = match.Result{Cause: match.ByVoid}
		case '-':
			g.Ended = time.Time{}
		}
		g.Match = match.ID(fmt.Sprint("g", i))
		a.Pairings = append(a.Pairings, g)
	}
	return a
}

func of(t *testing.T, a arena.Arena, p match.User) arena.Standing {
	t.Helper()
	all := a.Standings()
	i := slices.IndexFunc(all, func(s arena.Standing) bool { return s.Player == p })
	if i < 0 {
		t.Fatalf("%s is not in the standings", p)
	}
	return all[i]
}

func TestGains(t *testing.T) {
	a := played(t, "wwdwv-")
	for id, want := range map[match.ID][2]arena.Gain{ // alice has O in every second game
		"g0": {{Points: 2}, {}}, "g1": {{}, {Points: 2}}, "g2": {{Points: 2, Doubled: true}, {Points: 1}}, "g3": {{}, {Points: 2}},
	} {
		if got, counts := a.Gains(id); got != want || !counts {
			t.Errorf("%s: %+v, %v, want %+v", id, got, counts, want)
		}
	}
	for id, why := range map[match.ID]string{"g4": "was voided", "g5": "goes on", "g9": "is unknown"} {
		if got, counts := a.Gains(id); counts {
			t.Errorf("a game that %s gives %+v", why, got)
		}
	}
}

func TestPoints(t *testing.T) {
	for _, c := range []struct {
		name, results string
		want          []int
		hot           bool
	}{
		{"a win gives two, a draw one, a loss nothing", "wdl", []int{2, 1, 0}, false},
		{"after two wins in a row everything counts double", "wwww", []int{2, 2, 4, 4}, true},
		{"until a loss", "wwlw", []int{2, 2, 0, 2}, false},
		{"until a draw, which is doubled as well", "wwdw", []int{2, 2, 2, 2}, false},
		{"two wins after that make it double again", "wwlwww", []int{2, 2, 0, 2, 2, 4}, true},
		{"of draws in a row only the first counts", "ddd", []int{1, 0, 0}, false},
		{"a draw after a loss is no longer in a row", "dld", []int{1, 0, 1}, false},
		{"a draw within the first moves gives nothing", "e", []int{0}, false},
		{"and a draw after it is in a row with it", "ed", []int{0, 0}, false},
		{"a voided game is no game: it neither counts nor ends a row", "wvwvw", []int{2, 2, 4}, true},
		{"a game that goes on does not count", "w-", []int{2}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := of(t, played(t, c.results), "alice")
			sum := 0
			for _, points := range c.want {
				sum += points
			}
			if diff := cmp.Diff(c.want, s.Scores); diff != "" || s.Points != sum || s.Hot != c.hot {
				t.Errorf("%v, %d points, hot %v", s.Scores, s.Points, s.Hot)
			}
			counted := []int{strings.Count(c.results, "w"), strings.Count(c.results, "d") + strings.Count(c.results, "e"), strings.Count(c.results, "l")}
			if diff := cmp.Diff(counted, []int{s.Wins, s.Draws, s.Losses}); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("on a board of nine squares a full board is not early", func(t *testing.T) {
		a := played(t, "e")
		a.Rules = game.Classic()
		if s := of(t, a, "alice"); s.Points != 1 {
			t.Errorf("%d points", s.Points)
		}
	})
	t.Run("a game that ends after the arena does not count", func(t *testing.T) {
		a := played(t, "ww")
		a.Ends = a.Pairings[1].Ended
		if s := of(t, a, "alice"); s.Points != 4 {
			t.Errorf("%d points", s.Points)
		}
		a.Ends = a.Ends.Add(-time.Millisecond)
		if s := of(t, a, "alice"); s.Points != 2 {
			t.Errorf("%d points", s.Points)
		}
	})
}

func TestPlaces(t *testing.T) {
	won := func(a arena.Arena, x, o match.User) arena.Pairing {
		ended := a.Begins.Add(time.Duration(len(a.Pairings)+1) * time.Minute)
		return arena.Pairing{
			Seats: seats(x, o), Result: match.Result{Outcome: game.XWins, Cause: match.ByLine}, Plies: 9, Created: a.Begins, Ended: ended,
		}
	}
	places := func(a arena.Arena) (all []string) {
		for _, s := range a.Standings() {
			all = append(all, strings.Repeat("=", s.Place)+string(s.Player))
		}
		return all
	}
	t.Run("equal points and performance share a place, in the order of joining", func(t *testing.T) {
		a := running(t, "carol", "alice", "bob", "dan")
		a.Pairings = append(a.Pairings, won(a, "alice", "bob"), won(a, "dan", "carol"))
		if diff := cmp.Diff([]string{"=alice", "=dan", "===carol", "===bob"}, places(a)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("with equal points the better performance comes first", func(t *testing.T) {
		a := running(t, "alice", "bob", "carol", "dan")
		// Bob has beaten dan, who has beaten carol; alice has beaten carol, who has beaten nobody.
		a.Pairings = append(a.Pairings, won(a, "dan", "carol"), won(a, "alice", "carol"), won(a, "bob", "dan"))
		if diff := cmp.Diff([]string{"=bob", "==alice", "===dan", "====carol"}, places(a)); diff != "" {
			t.Error(diff)
		}
		t.Run("and the one who is over it is the champion", func(t *testing.T) {
			a.Status = arena.Over
			if diff := cmp.Diff([]match.User{"bob"}, a.Champions()); diff != "" {
				t.Error(diff)
			}
		})
	})
	t.Run("a removed entrant is out, and the opponents keep their points", func(t *testing.T) {
		a := running(t, "alice", "bob", "carol")
		a.Pairings = append(a.Pairings, won(a, "alice", "bob"), won(a, "bob", "carol"))
		a = must(a.Remove("bob"))(t)
		if diff := cmp.Diff([]string{"=alice", "==carol"}, places(a)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("somebody who has left keeps the points, and is missing without games", func(t *testing.T) {
		a := running(t, "alice", "bob", "carol")
		a.Pairings = append(a.Pairings, won(a, "alice", "bob"))
		a = must(must(a.Leave("alice", a.Begins))(t).Leave("carol", a.Begins))(t)
		if diff := cmp.Diff([]string{"=alice", "==bob"}, places(a)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("users whose data was deleted do not share results", func(t *testing.T) {
		a := running(t, "alice", "bob")
		a.Pairings = append(a.Pairings, won(a, match.Left, "alice"), won(a, match.Left, "bob"))
		if diff := cmp.Diff([]string{"=alice", "=bob"}, places(a)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("nobody is champion without a point", func(t *testing.T) {
		a := running(t, "alice", "bob")
		a.Status = arena.Over
		if got := a.Champions(); got != nil {
			t.Errorf("%v", got)
		}
	})
}
