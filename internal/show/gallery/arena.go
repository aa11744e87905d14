package gallery

import (
	"fmt"
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/show/view"
)

// Announced returns an arena with the given entrants that begins five minutes after noon.
func Announced(t T, entrants ...match.User) arena.Arena {
	t.Helper()
	a, err := arena.New("a", "venue", "300", Alice, arena.Terms{
		Name: "Friday *fun*", Rules: arena.Boards()[0].Rules, TurnTime: 30 * time.Second, Lasts: 20 * time.Minute, Begins: Noon.Add(5 * time.Minute),
	}, Noon)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range entrants {
		if a, err = a.Join(p, Noon); err != nil {
			t.Fatal(err)
		}
	}
	return a.Shown("700", "700")
}

// begun returns a running arena after games with the given results, in which each entrant plays the next one.
func begun(t T, results []game.Outcome, entrants ...match.User) arena.Arena {
	t.Helper()
	a, _ := Announced(t, entrants...).Pass(Noon.Add(5 * time.Minute))
	for i, result := range results {
		seats := match.Seats{match.Human(entrants[i%len(entrants)]), match.Human(entrants[(i+1)%len(entrants)])}
		at := a.Begins.Add(time.Duration(i) * time.Minute)
		a.Pairings = append(a.Pairings, arena.Pairing{
			Match: match.ID(fmt.Sprint("g", i)), Seats: seats, Created: at, Ended: at.Add(50 * time.Second), Plies: 20,
			Result: match.Result{Outcome: result, Cause: match.ByLine},
		})
	}
	return a
}

// arenaShots adds arenas, the answers to their buttons, and boards of their matches.
func arenaShots(t T, add adder) {
	of := func(name string, a arena.Arena) { add("arena-"+name, "OfArena", view.OfArena(a, Names)) }
	in := func(name string, a arena.Arena, quiet bool) {
		add("arena-"+name, "InArena", view.InArena(a, Alice, quiet))
	}
	step := func(a arena.Arena, err error) arena.Arena {
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	crowd := make([]match.User, 25)
	for i := range crowd {
		crowd[i] = match.User(fmt.Sprint(2000 + i))
	}
	nobody, three := Announced(t), Announced(t, Alice, Bob, Carol)
	nameless := nobody
	nameless.Name, nameless.Rated, nameless.Message, nameless.Thread = "", true, "", ""
	of("announced", three)
	of("announced-nobody", nameless)
	of("announced-crowd", Announced(t, crowd...))
	hot := begun(t, []game.Outcome{game.XWins, game.Draw, game.OWins, game.XWins}, Alice, Bob, Carol)
	paused := step(hot.Pause(Carol, Noon))
	of("running", paused)
	of("running-crowd", begun(t, []game.Outcome{game.XWins}, crowd...))
	over, _ := hot.Pass(hot.Ends.Add(arena.Grace))
	of("over", over)
	level, _ := begun(t, []game.Outcome{game.XWins, game.XWins}, Alice, Bob).Pass(hot.Ends.Add(arena.Grace))
	of("over-shared", level)
	none, _ := begun(t, nil, Alice, Bob).Pass(hot.Ends.Add(arena.Grace))
	of("over-nobody", none)
	for name, why := range map[string]arena.Why{"host": arena.ByHost, "moderator": arena.ByModerator, "few": arena.TooFew, "missed": arena.Missed} {
		of("off-"+name, step(three.CallOff(why, Noon)))
	}
	of("off-running", step(hot.CallOff(arena.ByHost, hot.Begins)))
	_, alt := view.PodiumOf(over, Names)
	add("arena-podium", "PodiumOf", view.Screen{Lines: []view.Text{alt}})

	in("in-announced", three, false)
	in("in-announced-quiet", three, true)
	in("in-running", hot, false)
	playing := hot
	playing.Pairings = append(slices.Clone(hot.Pairings), arena.Pairing{Match: "m", Seats: match.Seats{match.Human(Alice), match.Human(Bob)}})
	in("in-playing", playing, false)
	in("paused", step(hot.Pause(Alice, Noon)), false)
	in("left-playing", step(playing.Leave(Alice, Noon)), false)
	add("arena-standings", "StandingsOf", view.StandingsOf(paused, Names, Carol, 1, true))
	add("arena-standings-page", "StandingsOf", view.StandingsOf(begun(t, []game.Outcome{game.XWins}, crowd...), Names, crowd[24], 2, false))
	add("arena-standings-none", "StandingsOf", view.StandingsOf(begun(t, nil), Names, Alice, 1, false))
	add("arena-open", "ArenaOpen", view.Notice(view.ArenaOpen(three)))

	add("arenas", "OfArenas", view.OfArenas([]arena.Arena{three, nameless}, false))
	add("arenas-none", "OfArenas", view.OfArenas(nil, true))
	add("arena-ruling", "OfArenaRuling", view.OfArenaRuling(hot, Names, ""))
	add("arena-ruling-removed", "OfArenaRuling", view.OfArenaRuling(step(hot.Remove(Bob)), Names, Bob))
	add("arena-ruling-back", "OfArenaRuling", view.OfArenaRuling(step(step(hot.Remove(Bob)).LetBack(Bob)), Names, Bob))

	game := func(squares string) match.Match {
		m := PlayedBy(t, "classic", match.Seats{match.Human(Alice), match.Human(Bob)}, 30*time.Second, squares)
		m.Arena = "a"
		return m
	}
	board := func(name string, m match.Match, a arena.Arena) {
		add("match-arena-"+name, "ArenaMatch", view.ArenaMatch(view.OfMatch(m, Names, score.Running{}), m, a, Names))
	}
	won := hot
	won.Pairings = append(slices.Clone(hot.Pairings), arena.Pairing{
		Match: "m", Seats: game("").Seats, Result: game(XWins).Result, Ended: hot.Begins.Add(5 * time.Minute),
	})
	ended, _ := won.Pass(won.Ends.Add(arena.Grace))
	late, _ := playing.Pass(won.Ends.Add(arena.Grace))
	board("new", game(""), playing)
	board("second-move", game("b2 a1"), playing)
	board("over", game(XWins), won)
	board("over-ended", game(XWins), ended)
	board("late", game("b2 a1"), late)
	board("late-over", game(XWins), late)
	board("missed", OutOfTime(t, game("b2")), playing)
	add("arena-end", "ArenaEnd", view.ArenaEnd(over, Names))
	add("arena-end-off", "ArenaEnd", view.ArenaEnd(step(hot.CallOff(arena.ByHost, hot.Begins)), Names))
	add("arena-standings-announced", "StandingsOf", view.StandingsOf(three, Names, Alice, 1, false))
	add("arena-standings-playing", "StandingsOf", view.StandingsOf(playing, Names, Alice, 1, false))
}
