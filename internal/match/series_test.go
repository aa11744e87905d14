package match_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// series returns the games of a series, with alice first as X. Each letter is a game: A and B are wins of alice and bob, a and b are wins
// because the other lost on time, = is a draw, v a voided game, n a no-show, and l and m are games that alice and bob have left before
// play. The last game has no next one, and the last letter may be a dot: a game that goes on.
func series(bestOf int, letters string) (games []match.Match) {
	seats := match.Seats{match.Human(alice), match.Human(bob)}
	for i, letter := range letters {
		id := match.ID(fmt.Sprint("g", i+1))
		m := match.Start(id, "g1", "venue", game.Classic(), seats, time.Minute, 1, noon.Add(time.Duration(i)*time.Minute))
		m.BestOf, m.Ended = bestOf, m.Created.Add(time.Minute)
		alices := seats.Mark(alice)
		switch letter {
		case 'A':
			m.Result = match.Result{Outcome: game.WinFor(alices), Cause: match.ByLine}
		case 'B':
			m.Result = match.Result{Outcome: game.WinFor(alices.Opponent()), Cause: match.ByLine}
		case 'a', 'b':
			late := alices
			if letter == 'a' {
				late = late.Opponent()
			}
			if late == game.O {
				m.Record, _ = game.Replay(game.Classic(), 4)
			}
			m.Result = match.Result{Outcome: game.WinFor(late.Opponent()), Cause: match.ByTime}
		case '=':
			m.Result = match.Result{Outcome: game.Draw, Cause: match.ByFullBoard}
		case 'v':
			m.Result = match.Result{Cause: match.ByVoid}
		case 'n':
			m.Result = match.Result{Cause: match.ByNoShow}
		case 'l', 'm':
			m.Result, m.LeftBy = match.Result{Cause: match.ByAbort}, alices
			if letter == 'm' {
				m.LeftBy = alices.Opponent()
			}
		case '.':
			m.Ended = time.Time{}
		}
		if i > 0 {
			games[i-1].Rematch = match.Rematch{State: match.RematchStarted, Next: id}
		}
		games = append(games, m)
		seats = seats.Swapped()
	}
	return games
}

// stateOf returns the state of a series as of its last game.
func stateOf(games []match.Match) match.Series {
	last := len(games) - 1
	return match.SeriesOf(games[last], games[:last])
}

func TestSeries(t *testing.T) {
	for _, tt := range []struct {
		name, games string
		wins        [2]int
		drawn       int
		number      int
		end         match.SeriesEnd
		winner      game.Mark
	}{
		{"the first game", ".", [2]int{}, 0, 1, 0, game.None},
		{"a win of three leaves it open", "A", [2]int{1, 0}, 0, 1, 0, game.None},
		{"two wins decide it", "AA", [2]int{2, 0}, 0, 2, match.SeriesWon, game.X},
		{"level after three", "A=B", [2]int{1, 1}, 1, 3, 0, game.None},
		{"a win and a draw leave one game", "A=.", [2]int{1, 0}, 1, 3, 0, game.None},
		{"one win and two draws decide it", "=B=", [2]int{0, 1}, 2, 3, match.SeriesWon, game.O},
		{"three draws lead to the play-off", "===.", [2]int{}, 3, 4, 0, game.None},
		{"a win in the play-off leaves one game", "===B", [2]int{0, 1}, 3, 4, 0, game.None},
		{"two wins in the play-off", "A=BBB", [2]int{1, 3}, 1, 5, match.SeriesWon, game.O},
		{"level after the play-off", "===AB", [2]int{1, 1}, 3, 5, match.SeriesLevel, game.None},

		{"losing on time once", "a", [2]int{1, 0}, 0, 1, 0, game.None},
		{"each once on time", "ab", [2]int{1, 1}, 0, 2, 0, game.None},
		{"twice, with a game between", "bA=.", [2]int{1, 1}, 1, 4, 0, game.None},

		{"leaving before play forfeits", "Al", [2]int{1, 0}, 0, 2, match.SeriesForfeited, game.O},
		{"so it does for the other side", "Bm", [2]int{0, 1}, 0, 2, match.SeriesForfeited, game.X},
		{"leaving the first game before play calls it off", "l", [2]int{}, 0, 1, match.SeriesOff, game.None},
		{"a proposer who does not show up", "n", [2]int{}, 0, 1, match.SeriesOff, game.None},

		{"a voided game is played again", "Av.", [2]int{1, 0}, 0, 2, 0, game.None},
		{"and decides nothing", "AvA", [2]int{2, 0}, 0, 2, match.SeriesWon, game.X},
		{"two voided games in a row end it", "Avv", [2]int{1, 0}, 0, 2, match.SeriesOff, game.None},
		{"not if a game was played between", "vAv", [2]int{1, 0}, 0, 2, 0, game.None},
		{"voided before the play-off", "=v==.", [2]int{}, 3, 4, 0, game.None},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := stateOf(series(3, tt.games))
			if got.Wins != tt.wins || got.Drawn != tt.drawn || got.Number != tt.number || got.End != tt.end || got.Winner != tt.winner {
				t.Errorf("%s: %+v", tt.games, got)
			}
		})
	}
	t.Run("losing on time twice in a row, best of five", func(t *testing.T) {
		if got := stateOf(series(5, "Abb")); got.End != match.SeriesForfeited || got.Winner != game.O {
			t.Errorf("%+v", got)
		}
	})
	t.Run("a player whose data was deleted forfeits", func(t *testing.T) {
		games := series(5, "AB")
		for i := range games {
			games[i].Seats[games[i].Seats.Mark(bob)-game.X] = match.Human(match.Left)
		}
		if got := stateOf(games); got.End != match.SeriesForfeited || got.Winner != game.X {
			t.Errorf("%+v", got)
		}
	})
	t.Run("a void after the end takes the decision back, and an undo restores it", func(t *testing.T) {
		games := series(3, "AA")
		result := games[0].Result
		games[0].Result = match.Result{Cause: match.ByVoid}
		if got := stateOf(games); got.End != 0 || got.Wins != [2]int{1, 0} {
			t.Errorf("%+v", got)
		}
		games[0].Result = result
		if got := stateOf(games); got.End != match.SeriesWon {
			t.Errorf("%+v", got)
		}
	})
}

// TestTheSideThatUsedLessTimeWins tests a series that is level after the play-off.
func TestTheSideThatUsedLessTimeWins(t *testing.T) {
	games := series(3, "===AB")
	moved := map[match.ID][]time.Time{}
	for i := range games { // X uses 10 seconds in each game, O two more with each game
		games[i].Record, _ = game.Replay(game.Classic(), 4, 0)
		began := games[i].Created
		o := time.Duration(10+2*i) * time.Second
		moved[games[i].ID] = []time.Time{began.Add(10 * time.Second), began.Add(10*time.Second + o)}
		games[i].Ended = began.Add(10*time.Second + o)
	}
	last := games[len(games)-1]
	got := stateOf(games).OnTime(last, games[:len(games)-1], moved)
	alices, bobs := (10+10+10+10+10)*time.Second, (10+12+14+16+18)*time.Second
	alices += 2*time.Second + 6*time.Second // alice is O in the second and fourth game
	bobs -= 2*time.Second + 6*time.Second
	if got.End != match.SeriesOnTime || got.Winner != game.X || got.Used != [2]time.Duration{alices, bobs} {
		t.Errorf("%+v, want %s and %s", got, alices, bobs)
	}
	for i := range games {
		games[i].Ended = games[i].Created.Add(time.Hour) // nobody is charged more than the turn time
	}
	if got := stateOf(games).OnTime(last, games[:len(games)-1], nil); got.Used[0]+got.Used[1] > 5*time.Minute {
		t.Errorf("%+v", got)
	}
}

// TestEverySeriesEnds plays random results against the referee's rule, game by game.
func TestEverySeriesEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bestOf := rapid.SampledFrom([]int{3, 5, 7}).Draw(t, "best of")
		letters := ""
		for {
			letters += rapid.SampledFrom([]string{"A", "B", "a", "b", "=", "v", "l"}).Draw(t, "game")
			games := series(bestOf, letters)
			s := stateOf(games)
			if s.End != 0 {
				if (s.Winner == game.None) != (s.End == match.SeriesLevel || s.End == match.SeriesOff) {
					t.Fatalf("%s: %+v", letters, s)
				}
				return
			}
			if played := s.Wins[0] + s.Wins[1] + s.Drawn; played >= bestOf+match.PlayOffGames || len(letters) > 2*(bestOf+match.PlayOffGames)+1 {
				t.Fatalf("%s goes on: %+v", letters, s)
			}
			shuffled := slices.Clone(games[:len(games)-1])
			slices.Reverse(shuffled)
			if again := match.SeriesOf(games[len(games)-1], shuffled); again != s {
				t.Fatalf("%s: %+v in another order %+v", letters, s, again)
			}
		}
	})
}

// table is a series that alice and bob play by a referee.
type table struct {
	t *testing.T
	r *match.Referee
	s *probed
	m match.Match // the latest game
}

// sits begins a series, with alice as X.
func sits(t *testing.T, bestOf int) *table {
	t.Helper()
	s := newStore(t)
	tb := &table{t: t, r: newReferee(s), s: s}
	terms := terms(match.Me)
	terms.BestOf, terms.Casual = bestOf, true
	if _, err := tb.r.Challenge(t.Context(), ask("1", alice), bob, terms); err != nil {
		t.Fatal(err)
	}
	m, err := tb.r.Accept(t.Context(), ask("2", bob), "1")
	tb.then(m, err)
	return tb
}

// then checks the game that follows a change, if one does, and makes it the latest.
func (tb *table) then(m match.Match, err error) *table {
	tb.t.Helper()
	if err != nil {
		tb.t.Fatal(err)
	}
	last := tb.m
	if tb.m = m; m.NextGame() == "" {
		return tb
	}
	tb.m = tb.s.match(tb.t, m.NextGame())
	if tb.m.Seats != m.Seats.Swapped() || tb.m.Series != "1" || tb.m.BestOf != m.BestOf || tb.m.TurnTime != m.TurnTime || tb.m.Result.Over() {
		tb.t.Errorf("after %+v comes %+v", last, tb.m)
	}
	if want := noon.Add(time.Minute + match.NextPause); !tb.m.Deadline.Equal(want) {
		tb.t.Errorf("the first turn ends at %s", tb.m.Deadline)
	}
	return tb
}

func (tb *table) resigns(by match.User) *table {
	tb.t.Helper()
	for i, square := range []string{"b2", "a1"}[min(tb.m.Record.Len(), 2):] {
		m, err := tb.r.Play(tb.t.Context(), ask("3", tb.m.Turn().Player), tb.m.ID, i, square)
		if tb.m = m; err != nil {
			tb.t.Fatal(err)
		}
	}
	return tb.then(tb.r.Resign(tb.t.Context(), ask("3", by), tb.m.ID, tb.m.Record.Len()))
}

func (tb *table) draws() *table {
	tb.t.Helper()
	return tb.then(tb.r.CallDraw(tb.t.Context(), ask("3", mallory), tb.m.ID))
}

func (tb *table) late() *table {
	tb.t.Helper()
	after := tb.m.Deadline
	if changed, err := tb.r.Expire(tb.t.Context(), tb.m.ID, func() time.Time { return after }); err != nil || !changed {
		tb.t.Fatal(changed, err)
	}
	return tb.then(tb.s.match(tb.t, tb.m.ID), nil)
}

func (tb *table) wantEnd(end match.SeriesEnd, winner game.Mark) {
	tb.t.Helper()
	games, err := tb.s.Games(tb.t.Context(), tb.m.Series)
	if err != nil {
		tb.t.Fatal(err)
	}
	if got := match.SeriesOf(tb.m, games); got.End != end || got.Winner != winner {
		tb.t.Errorf("%+v", got)
	}
}

func TestARefereeOfSeries(t *testing.T) {
	t.Run("begins the next game together with the end of one", func(t *testing.T) {
		tb := sits(t, 3)
		tb.r.Time = timekeeper{now: always(noon)}
		tb.resigns(bob)
		if fmt.Sprint(tb.s.extras[len(tb.s.extras)-1:]) != fmt.Sprint([]match.Extra{match.BoardAfter{ID: tb.m.ID, After: "1"}}) {
			t.Errorf("saved with %v", tb.s.extras)
		}
		tb.draws().wantEnd(0, game.None)
		tb.resigns(alice).draws()
		if tb.m.Position().Rules().Title() != "infinite" {
			t.Errorf("level after three games, on %s", tb.m.Position().Rules())
		}
		tb.resigns(alice).wantEnd(match.SeriesWon, game.O)
	})
	t.Run("asks nobody again what both have agreed to", func(t *testing.T) {
		tb := sits(t, 3)
		tb.s.given = match.Given{Blocked: true, Blocking: true, NotTaking: true}
		tb.s.policy = func(match.Permit) error { return &match.Refusal{Reason: match.WrongPlace} }
		tb.r.Limits = match.Limits{}
		tb.resigns(bob).resigns(bob).wantEnd(match.SeriesWon, game.X)
	})
	t.Run("lets a player forfeit", func(t *testing.T) {
		tb := sits(t, 5).resigns(bob)
		tb.then(tb.r.Resign(t.Context(), ask("3", alice), tb.m.ID, 0)).wantEnd(match.SeriesForfeited, game.O)
	})
	t.Run("waits twice for a player", func(t *testing.T) {
		tb := sits(t, 5).resigns(bob) // bob moves first now
		tb.late()
		m, err := tb.r.Play(t.Context(), ask("4", alice), tb.m.ID, 0, "a1")
		if tb.m = m; err != nil {
			t.Fatal(err)
		}
		tb.late().wantEnd(match.SeriesForfeited, game.X)
	})
	t.Run("has a voided game played again, and a game that a moderator restores counts", func(t *testing.T) {
		tb := sits(t, 3).resigns(bob)
		tb.then(tb.r.Void(t.Context(), ask("3", mallory), tb.m.ID))
		if _, err := tb.r.Void(t.Context(), ask("3", mallory), "1"); err != nil {
			t.Fatal(err)
		}
		tb.wantEnd(0, game.None)
		tb.resigns(bob).wantEnd(0, game.None)
		if _, err := tb.r.Restore(t.Context(), ask("3", mallory), "1"); err != nil {
			t.Fatal(err)
		}
		tb.draws().wantEnd(match.SeriesWon, game.X)
	})
	t.Run("plays a rematch as a series of its own, on the board of the first games", func(t *testing.T) {
		tb := sits(t, 3).draws().draws().draws().resigns(bob).resigns(bob)
		tb.wantEnd(match.SeriesWon, game.X)
		last := tb.m
		if _, _, err := tb.r.AskRematch(t.Context(), ask("8", alice), last.ID, last.Version); err != nil {
			t.Fatal(err)
		}
		_, next, err := tb.r.AskRematch(t.Context(), ask("9", bob), last.ID, last.Version+1)
		if err != nil || next.Series != "9" || next.BestOf != 3 || next.Position().Rules() != game.Classic() {
			t.Errorf("%+v, %v", next, err)
		}
		if tb.m = tb.s.match(t, last.ID); tb.m.NextGame() != "" {
			t.Errorf("the rematch is called the next game: %+v", tb.m)
		}
		tb.wantEnd(match.SeriesWon, game.X)
	})
	t.Run("gives up neither game if another writer comes first", func(t *testing.T) {
		tb := sits(t, 3)
		tb.s.before = func() {
			tb.s.before = nil
			if _, err := tb.r.CallDraw(t.Context(), ask("7", mallory), "1"); err != nil {
				t.Error(err)
			}
		}
		if _, err := tb.r.Void(t.Context(), ask("3", mallory), "1"); err != nil {
			t.Fatal(err)
		}
		m := tb.s.match(t, "1")
		if next := tb.s.match(t, m.NextGame()); next.Result.Over() || m.Voided.Cause != match.ByModerator {
			t.Errorf("%+v, then %+v", m, next)
		}
	})
}
