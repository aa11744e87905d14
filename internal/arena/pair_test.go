package arena_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
)

func TestPairs(t *testing.T) {
	over := func(a arena.Arena, x, o match.User, ago time.Duration) arena.Pairing {
		return arena.Pairing{
			Seats: seats(x, o), Result: match.Result{Outcome: game.XWins, Cause: match.ByLine}, Plies: 9,
			Created: a.Begins, Ended: a.Begins.Add(time.Minute - ago),
		}
	}
	goesOn := func(x, o match.User) arena.Pairing { return arena.Pairing{Seats: seats(x, o)} }
	paired := func(a arena.Arena) string {
		text := ""
		for _, s := range a.Pairs(a.Begins.Add(time.Minute)) {
			text += string(s[0].Player) + "-" + string(s[1].Player) + " "
		}
		return text
	}
	for _, c := range []struct {
		name    string
		arrange func(*arena.Arena)
		want    string
	}{
		{"two who are free are paired at once", func(*arena.Arena) {}, "b-a "},
		{"only two again", func(a *arena.Arena) { a.Pairings = []arena.Pairing{over(*a, "b", "a", 0)} }, "a-b "},
		{"the last opponent, while a third is free", func(a *arena.Arena) {
			*a, _ = a.Join("c", a.Begins)
			a.Pairings = []arena.Pairing{over(*a, "b", "a", 0)}
		}, "a-c "},
		{"the last opponent, while a third plays", func(a *arena.Arena) {
			*a, _ = a.Join("c", a.Begins)
			*a, _ = a.Join("d", a.Begins)
			a.Pairings = []arena.Pairing{goesOn("c", "d"), over(*a, "b", "a", arena.Patience-1)}
		}, ""},
		{"the last opponent, after waiting for a third", func(a *arena.Arena) {
			*a, _ = a.Join("c", a.Begins)
			*a, _ = a.Join("d", a.Begins)
			a.Pairings = []arena.Pairing{goesOn("c", "d"), over(*a, "b", "a", arena.Patience)}
		}, "a-b "},
		{"the last opponent, if both are apart from the third", func(a *arena.Arena) {
			*a, _ = a.Join("c", a.Begins)
			a.Pairings = []arena.Pairing{over(*a, "b", "a", 0)}
			a.Apart = [][2]match.User{{"a", "c"}, {"c", "b"}}
		}, "a-b "},
		{"two who are apart", func(a *arena.Arena) { a.Apart = [][2]match.User{{"b", "a"}} }, ""},
		{"nobody who plays on, although a game of a later date has ended", func(a *arena.Arena) {
			*a, _ = a.Join("c", a.Begins)
			a.Pairings = []arena.Pairing{goesOn("b", "c"), over(*a, "a", "b", arena.Patience)}
		}, ""},
		{"two pairs that have just ended change partners", func(a *arena.Arena) {
			*a, _ = a.Join("c", a.Begins)
			*a, _ = a.Join("d", a.Begins)
			a.Pairings = []arena.Pairing{over(*a, "a", "b", 0), over(*a, "c", "d", 0)}
		}, "c-a d-b "},
		{"of three the one who has waited least stays free", func(a *arena.Arena) {
			*a, _ = a.Join("c", a.Begins)
			*a, _ = a.Join("d", a.Begins)
			*a, _ = a.Leave("d", a.Begins)
			a.Pairings = []arena.Pairing{over(*a, "c", "d", 20*time.Second), over(*a, "a", "d", 10*time.Second), over(*a, "d", "b", 0)}
		}, "a-c "},
		{"two who have had X twice in a row get O, against others than each other", func(a *arena.Arena) {
			*a, _ = a.Join("c", a.Begins)
			*a, _ = a.Join("d", a.Begins)
			*a, _ = a.Join("e", a.Begins)
			*a, _ = a.Pause("e", a.Begins)
			a.Pairings = []arena.Pairing{
				over(*a, "a", "e", 0), over(*a, "a", "e", 0), over(*a, "b", "e", 0), over(*a, "b", "e", 0),
				over(*a, "e", "c", 0), over(*a, "e", "c", 0), over(*a, "e", "d", 0), over(*a, "e", "d", 0),
			}
		}, "d-a c-b "},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := running(t, "a", "b")
			a.Version = 7
			c.arrange(&a)
			if got := paired(a); got != c.want {
				t.Errorf("the pairs are %q, not %q", got, c.want)
			}
		})
	}
}

// evening is an arena that was played to its end, with what its players met.
type evening struct {
	arena.Arena
	repeats, thirds int
	longest         time.Duration // for which two entrants who could play each other were free
	games           map[match.User]int
}

// play plays an arena of random games on a clock that goes on by a second.
func play(t *testing.T, seed uint64, players int, apart [][2]match.User) evening {
	random := rand.New(rand.NewPCG(seed, 0))
	var names []match.User
	for i := range players {
		names = append(names, match.User(fmt.Sprintf("p%02d", i)))
	}
	e := evening{Arena: running(t, names...), games: map[match.User]int{}}
	e.Apart = apart
	ends := map[match.ID]time.Time{}
	freeSince := map[match.User]time.Time{}
	for _, p := range names {
		freeSince[p] = e.Begins
	}
	for now := e.Begins; now.Before(e.Ends); now = now.Add(time.Second) {
		for i, g := range e.Pairings {
			if !g.Result.Over() && !now.Before(ends[g.Match]) {
				e.Pairings[i].Ended, e.Pairings[i].Plies = now, 12
				e.Pairings[i].Result = match.Result{Outcome: game.XWins + game.Outcome(random.IntN(2)), Cause: match.ByLine}
				for _, p := range g.Seats.Players() {
					freeSince[p] = now
				}
			}
		}
		if len(freeSince) < 2 {
			continue
		}
		pairs := e.Pairs(now)
		for _, seats := range pairs {
			e.judge(t, seats, len(freeSince), now)
		}
		if len(pairs) == 0 {
			e.wait(freeSince, now)
			continue
		}
		var games []match.Match
		e.Arena, games = e.Paired(pairs, now)
		for _, m := range games {
			ends[m.ID] = now.Add(20*time.Second + time.Duration(random.IntN(160))*time.Second)
			for _, p := range m.Seats.Players() {
				if _, free := freeSince[p]; !free {
					t.Fatalf("%s is in two games", p)
				}
				delete(freeSince, p)
				e.games[p]++
			}
		}
		e.wait(freeSince, now)
	}
	return e
}

// judge counts repeated opponents and third games in a row with one mark.
func (e *evening) judge(t *testing.T, pair match.Seats, free int, now time.Time) {
	for i, seat := range pair {
		mine := slices.DeleteFunc(slices.Clone(e.Pairings), func(g arena.Pairing) bool { return g.Seats.Mark(seat.Player) == game.None })
		n := len(mine)
		if n >= 1 && mine[n-1].Seats.Mark(pair[1-i].Player) != game.None {
			e.repeats++
			if free > 2 && len(e.Apart) == 0 {
				t.Errorf("%s plays the same opponent again while %d are free", seat.Player, free)
			}
		}
		mark := game.X + game.Mark(i)
		if n >= 2 && mine[n-1].Seats.Mark(seat.Player) == mark && mine[n-2].Seats.Mark(seat.Player) == mark {
			e.thirds++
		}
	}
	if slices.Contains(e.Apart, [2]match.User{pair[0].Player, pair[1].Player}) || slices.Contains(e.Apart, [2]match.User{pair[1].Player, pair[0].Player}) {
		t.Errorf("%v are paired at %v although one has blocked the other", pair, now)
	}
}

// wait notes how long the entrants who are free, and not apart, have been free together.
func (e *evening) wait(freeSince map[match.User]time.Time, now time.Time) {
	for p, since := range freeSince {
		for q, also := range freeSince {
			if p < q && !slices.Contains(e.Apart, [2]match.User{p, q}) {
				e.longest = max(e.longest, min(now.Sub(since), now.Sub(also)))
			}
		}
	}
}

func TestAnEvening(t *testing.T) {
	for players := 2; players <= 14; players++ {
		t.Run(fmt.Sprintf("%d players", players), func(t *testing.T) {
			for seed := range uint64(3) {
				e := play(t, seed, players, nil)
				if e.longest > arena.Patience {
					t.Errorf("seed %d: two free players waited for %v", seed, e.longest)
				}
				if players == 3 && e.repeats > 0 {
					t.Errorf("seed %d: %d times the same opponent twice in a row", seed, e.repeats)
				}
				if share := float64(e.thirds) / float64(2*len(e.Pairings)); players > 3 && share > 0.05 {
					t.Errorf("seed %d: %d of %d seats are a third game in a row with one mark", seed, e.thirds, 2*len(e.Pairings))
				}
				for p, n := range e.games {
					if mean := 2 * len(e.Pairings) / players; 2*n < mean {
						t.Errorf("seed %d: %s had %d games, others %d", seed, p, n, mean)
					}
				}
				for _, p := range e.Entrants {
					balance := 0
					for _, g := range e.Pairings {
						if mark := g.Seats.Mark(p.Player); mark != game.None {
							balance += 3 - 2*int(mark)
						}
					}
					if balance < -3 || balance > 3 {
						t.Errorf("seed %d: %s had X and O with a difference of %d", seed, p.Player, balance)
					}
				}
			}
		})
	}
	t.Run("a hundred players", func(t *testing.T) {
		if e := play(t, 1, arena.MaxEntrants, nil); e.longest > arena.Patience {
			t.Errorf("two free players waited for %v", e.longest)
		}
	})
	t.Run("players who have blocked each other", func(t *testing.T) {
		apart := [][2]match.User{{"p00", "p01"}, {"p02", "p03"}, {"p00", "p04"}, {"p01", "p02"}}
		for seed := range uint64(20) {
			if e := play(t, seed, 6, apart); e.longest > arena.Patience {
				t.Errorf("seed %d: two free players waited for %v", seed, e.longest)
			}
		}
	})
}
