package match_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tictactoe/game"
	"tictactoe/internal/match"
)

const (
	alice   match.User = "alice"
	bob     match.User = "bob"
	mallory match.User = "mallory"
)

// noon is the start time of all matches.
var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// between returns a match of alice, who plays X, against bob, with a minute for each move, after the given moves, such as "a1 b2".
func between(t testing.TB, squares string) match.Match {
	t.Helper()
	return played(t, match.Start("m", "m", "venue", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, noon), squares)
}

// played returns the match after moves on the given squares, all made at noon.
func played(t testing.TB, m match.Match, squares string) match.Match {
	t.Helper()
	for _, name := range strings.Fields(squares) {
		next, err := m.Play(m.Turn().Player, m.Stage(), square(t, name), noon)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m = next
	}
	return m
}

func square(t testing.TB, name string) game.Square {
	t.Helper()
	s, err := game.Classic().ParseSquare(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// xWins and drawn are finished games.
const (
	xWins = "a1 a2 b1 b2 c1"
	oWins = "a1 a2 b1 b2 c3 c2"
	drawn = "a1 b1 c1 b2 a2 c2 b3 a3 c3"
)

// diff compares two matches without their looks.
func diff(want, got any) string {
	return cmp.Diff(want, got, cmpopts.EquateComparable(game.Rules{}), cmpopts.IgnoreFields(match.Match{}, "Looks", "Locale"))
}

// refused checks the reason of a refusal, and that the refusal carries the current match.
func refused(t *testing.T, err error, want match.Reason) *match.Refusal {
	t.Helper()
	refusal := (*match.Refusal)(nil)
	if !errors.As(err, &refusal) || refusal.Reason != want || !errors.Is(err, want) {
		t.Fatalf("want refusal %q, got %v", want, err)
	}
	return refusal
}

func TestStart(t *testing.T) {
	m := between(t, "")
	want := match.Match{
		ID: "m", Series: "m", Venue: "venue", Seats: match.Seats{{Player: alice}, {Player: bob}},
		Record: game.NewRecord(game.Start(game.Classic())), TurnTime: time.Minute, Deadline: noon.Add(time.Minute),
		Created: noon, Version: 1,
	}
	if d := diff(want, m); d != "" {
		t.Error(d)
	}
	if m.Turn().Player != alice {
		t.Error("X does not move first")
	}
	if untimed := match.Start("m", "m", "", game.Classic(), m.Seats, 0, 1, noon); !untimed.Deadline.IsZero() {
		t.Error("a match without a clock has a deadline")
	}
}

func TestPlay(t *testing.T) {
	t.Run("a move changes position, turn, clock and version, and not the old value", func(t *testing.T) {
		before := between(t, "")
		after, err := before.Play(alice, 0, square(t, "b2"), noon.Add(20*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if got := after.Position().String(); got != ".../.X./..." {
			t.Error(got)
		}
		if after.Turn().Player != bob || after.Version != 2 || !after.Deadline.Equal(noon.Add(80*time.Second)) || after.Result.Over() {
			t.Errorf("%+v", after)
		}
		if before.Record.Len() != 0 || before.Version != 1 {
			t.Error("the old value changed")
		}
	})
	for _, tt := range []struct {
		name, squares string
		want          match.Result
	}{
		{"a line of X", xWins, match.Result{Outcome: game.XWins, Cause: match.ByLine}},
		{"a line of O", oWins, match.Result{Outcome: game.OWins, Cause: match.ByLine}},
		{"a full board", drawn, match.Result{Outcome: game.Draw, Cause: match.ByFullBoard}},
		{"a line with the ninth mark", "a1 a2 b1 b2 c2 c3 a3 b3 c1", match.Result{Outcome: game.XWins, Cause: match.ByLine}},
	} {
		t.Run(tt.name+" ends the match", func(t *testing.T) {
			m := between(t, tt.squares)
			if m.Result != tt.want || !m.Ended.Equal(noon) || !m.Deadline.IsZero() {
				t.Errorf("%+v", m)
			}
			if m.Version != 1+m.Record.Len() {
				t.Errorf("version %d after %d moves", m.Version, m.Record.Len())
			}
		})
	}
}

// TestEveryPlay tries all combinations of player, ply of the board, square, time, and whether the match is over. The order in which
// the reasons are checked is part of the contract: a stranger first, then the end of the match, the clock, the age of the board,
// the turn, the square.
func TestEveryPlay(t *testing.T) {
	deadline := noon.Add(time.Minute)
	for _, state := range []struct{ name, squares string }{{"open", "b2 a1"}, {"won", xWins}, {"drawn", drawn}} {
		for _, by := range []match.User{alice, bob, mallory, ""} {
			for _, ply := range []string{"older", "current", "newer"} {
				for _, at := range []time.Time{noon, deadline.Add(-1), deadline, deadline.Add(time.Hour)} {
					for _, on := range []game.Square{1, 4, 9} { // an empty square, a taken square, and a square off the board
						m := between(t, state.squares)
						n := m.Record.Len() + map[string]int{"older": -1, "current": 0, "newer": 1}[ply]
						var want error
						switch {
						case by != alice && by != bob:
							want = match.Stranger
						case state.name != "open":
							want = match.Finished
						case !at.Before(deadline):
							want = match.TimeUp
						case ply != "current":
							want = match.Stale
						case by != alice:
							want = match.NotYourTurn
						case on == 4:
							want = match.SquareTaken
						case on == 9:
							want = match.NoSuchSquare
						}
						next, err := m.Play(by, n, on, at)
						if !errors.Is(err, want) {
							t.Errorf("%s match, %q on the %s board, square %d, at %v: want %v, got %v", state.name, by, ply, on, at, want, err)
						}
						if err != nil && diff(next, m) != "" {
							t.Errorf("a refused request changed the match")
						}
					}
				}
			}
		}
	}
}

func TestARefusalCarriesTheTrueMatch(t *testing.T) {
	m := between(t, "b2")
	_, err := m.Play(alice, 0, 0, noon)
	refusal := refused(t, err, match.Stale)
	if refusal.Match == nil || diff(*refusal.Match, m) != "" || refusal.Challenge != nil {
		t.Errorf("%+v", refusal)
	}
	if got := err.Error(); got != "match m: the request was made against an older state" {
		t.Error(got)
	}
}

func TestAnswer(t *testing.T) {
	seats := match.Seats{match.Human(alice), match.Computer("easy")}
	m := match.Start("m", "m", "", game.Classic(), seats, time.Hour, 1, noon)
	t.Run("the computer does not move for a player", func(t *testing.T) {
		if _, err := m.Answer(0, noon); err == nil {
			t.Error("the computer moved")
		}
	})
	m, err := m.Play(alice, 0, 4, noon)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("the computer moves on its turn", func(t *testing.T) {
		next, err := m.Answer(0, noon)
		if err != nil || next.Position().String() != "O../.X./..." {
			t.Error(next.Position(), err)
		}
	})
	t.Run("a bad choice of the computer is an error and no refusal", func(t *testing.T) {
		for _, bad := range []game.Square{4, 9} {
			_, err := m.Answer(bad, noon)
			refusal, illegal := (*match.Refusal)(nil), (*game.IllegalMoveError)(nil)
			if errors.As(err, &refusal) || !errors.As(err, &illegal) {
				t.Errorf("square %d: %v", bad, err)
			}
		}
	})
	t.Run("no move is possible after the end", func(t *testing.T) {
		m, err := m.Resign(alice, 1, noon)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Answer(0, noon); err == nil {
			t.Error("the computer moved")
		}
	})
}

// TestEveryResign tries every number of marks on the board, both players' turns, and boards of every age.
func TestEveryResign(t *testing.T) {
	const squares = "a1 a2 b1 b2 c3" // a game in progress
	for n := range 6 {
		m := between(t, strings.Join(strings.Fields(squares)[:n], " "))
		for _, by := range []match.User{alice, bob, mallory} {
			for ply := range n + 1 {
				next, err := m.Resign(by, ply, noon.Add(time.Second))
				switch {
				case by == mallory:
					refused(t, err, match.Stranger)
				case n >= 2 && ply < 2:
					refused(t, err, match.Stale) // a player who asked to abort does not resign
				case err != nil:
					t.Errorf("%d marks, %s: %v", n, by, err)
				default:
					want := match.Result{Outcome: game.OWins, Cause: match.ByResignation}
					if by == bob {
						want.Outcome = game.XWins
					}
					if n < 2 {
						want = match.Result{Cause: match.ByAbort}
					}
					if next.Result != want || next.Version != m.Version+1 || !next.Deadline.IsZero() || !next.Ended.Equal(noon.Add(time.Second)) {
						t.Errorf("%d marks, %s: %+v", n, by, next)
					}
					if next.Result.Counts() != (n >= 2) || m.Aborts() != (n < 2) {
						t.Errorf("%d marks: counts %v, aborts %v", n, next.Result.Counts(), m.Aborts())
					}
				}
			}
		}
	}
	t.Run("is refused after the end", func(t *testing.T) {
		_, err := between(t, xWins).Resign(bob, 5, noon)
		refused(t, err, match.Finished)
	})
	t.Run("is refused after the deadline", func(t *testing.T) {
		_, err := between(t, "a1 a2").Resign(bob, 2, noon.Add(time.Minute))
		refused(t, err, match.TimeUp)
	})
}

func TestExpire(t *testing.T) {
	deadline := noon.Add(time.Minute)
	for _, tt := range []struct {
		name, squares string
		at            time.Time
		due           bool
		want          match.Result
	}{
		{"not a moment before the deadline", "a1", deadline.Add(-1), false, match.Result{}},
		{"O loses at the deadline", "a1", deadline, true, match.Result{Outcome: game.XWins, Cause: match.ByTime}},
		{"X loses long after it", "a1 b1", deadline.Add(time.Hour), true, match.Result{Outcome: game.OWins, Cause: match.ByTime}},
		{"X loses even before its first move", "", deadline, true, match.Result{Outcome: game.OWins, Cause: match.ByTime}},
		{"a finished match has no clock", xWins, deadline, false, match.Result{Outcome: game.XWins, Cause: match.ByLine}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := between(t, tt.squares)
			next, due := m.Expire(tt.at)
			if due != tt.due || next.Result != tt.want {
				t.Errorf("due %v, %+v", due, next.Result)
			}
			if !due && diff(m, next) != "" {
				t.Error("the match changed")
			}
			if due && (next.Version != m.Version+1 || !next.Ended.Equal(tt.at) || !next.Deadline.IsZero()) {
				t.Errorf("%+v", next)
			}
		})
	}
	t.Run("a match without a clock never expires", func(t *testing.T) {
		m := match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, 0, 1, noon)
		if _, due := m.Expire(noon.Add(1000 * time.Hour)); due {
			t.Error("the match expired")
		}
	})
}

func TestSeats(t *testing.T) {
	people := match.Seats{match.Human(alice), match.Human(bob)}
	machine := match.Seats{match.Computer("easy"), match.Human(alice)}
	for _, tt := range []struct {
		name      string
		got, want any
	}{
		{"the marks of people", []game.Mark{people.Mark(alice), people.Mark(bob), people.Mark(mallory)}, []game.Mark{game.X, game.O, game.None}},
		{"the empty player has no seat, not even the computer's", machine.Mark(""), game.None},
		{"the seat of a mark", []match.Seat{machine.Of(game.X), machine.Of(game.O)}, []match.Seat{{Level: "easy"}, {Player: alice}}},
		{"the humans", [][]match.User{people.Players(), machine.Players()}, [][]match.User{{alice, bob}, {alice}}},
		{"the level", []string{people.Level(), machine.Level(), machine.Swapped().Level()}, []string{"", "easy", "easy"}},
		{"the marks exchanged", people.Swapped(), match.Seats{match.Human(bob), match.Human(alice)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCausesHaveNames(t *testing.T) {
	want := []string{"none", "line", "full board", "resignation", "time", "aborted", "moderator", "voided", "no show", "agreement", "none"}
	for i, name := range want {
		if got := match.Cause(i).String(); got != name {
			t.Errorf("%d: %s", i, got)
		}
	}
}

func TestMarksFall(t *testing.T) {
	rules, err := game.ParseRules("drop")
	if err != nil {
		t.Fatal(err)
	}
	m := match.Start("m", "m", "venue", rules, match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, noon)
	press := func(m match.Match, by match.User, name string) (match.Match, error) {
		square, err := rules.ParseSquare(name)
		if err != nil {
			t.Fatal(err)
		}
		return m.Play(by, m.Record.Len(), square, noon)
	}
	m, err = press(m, alice, "c1")
	if err != nil {
		t.Fatal(err)
	}
	m, err = press(m, bob, "c2")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Position().String(), "...../...../..O../..X.."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	t.Run("a taken square is refused although its column has room", func(t *testing.T) {
		_, err := press(m, alice, "c4")
		refused(t, err, match.SquareTaken)
	})
}

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

// TestNoShow lets the time run out after each number of moves, for each proposer and each first mover.
func TestNoShow(t *testing.T) {
	people := match.Seats{match.Human(alice), match.Human(bob)}
	void := match.Result{Outcome: game.InProgress, Cause: match.ByNoShow}
	lost := func(by game.Mark) match.Result {
		return match.Result{Outcome: game.WinFor(by.Opponent()), Cause: match.ByTime}
	}
	for _, tt := range []struct {
		name     string
		seats    match.Seats
		proposer game.Mark
		moves    []game.Square
		want     match.Result
	}{
		{"the proposer was to move first", people, game.X, nil, void},
		{"the proposer was to answer the first move", people, game.O, []game.Square{4}, void},
		{"the accepting player was to move first", people, game.O, nil, lost(game.X)},
		{"the accepting player was to answer the first move", people, game.X, []game.Square{4}, lost(game.O)},
		{"the proposer has moved once", people, game.X, []game.Square{4, 0}, lost(game.X)},
		{"the proposer has moved once, as O", people, game.O, []game.Square{4, 0, 8}, lost(game.O)},
		{"both have moved twice", people, game.X, []game.Square{4, 0, 8, 2}, lost(game.X)},
		{"the proposer is unknown", people, game.None, nil, lost(game.X)},
		{"against the computer", match.Seats{match.Human(alice), match.Computer("easy")}, game.None, nil, lost(game.X)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := match.Start("m", "m", "venue", game.Classic(), tt.seats, time.Minute, 1, noon)
			m.Proposer = tt.proposer
			for ply, square := range tt.moves {
				var err error
				if m, err = m.Play(m.Turn().Player, ply, square, noon); err != nil {
					t.Fatal(err)
				}
			}
			ended, due := m.Expire(m.Deadline)
			if !due || ended.Result != tt.want || ended.Result.Counts() != (tt.want != void) || !ended.Ended.Equal(m.Deadline) {
				t.Errorf("ended as %+v", ended.Result)
			}
			if early, due := m.Expire(m.Deadline.Add(-1)); due || early.Result.Over() {
				t.Error("ended before its time")
			}
		})
	}
}

func TestTheWaitAfterNoShows(t *testing.T) {
	for count, want := range []time.Duration{
		0, 0, 0, 10 * time.Minute, 20 * time.Minute, 40 * time.Minute, 80 * time.Minute, 160 * time.Minute, 320 * time.Minute,
		6 * time.Hour, 6 * time.Hour,
	} {
		missed := match.Given{NoShows: match.NoShows{Count: count, Last: noon}}
		ask := match.Consent{By: alice, Other: bob, Challenge: true, At: noon.Add(want)}
		if err := ask.Refuse(missed); err != nil {
			t.Errorf("after %d no-shows and %v: %v", count, want, err)
		}
		if ask.At = noon.Add(want - 1); want > 0 && !errors.Is(ask.Refuse(missed), match.MissedMatches) {
			t.Errorf("after %d no-shows and nearly %v: %v", count, want, ask.Refuse(missed))
		}
		if ask.Challenge = false; ask.Refuse(missed) != nil {
			t.Errorf("after %d no-shows a challenge cannot be accepted", count)
		}
	}
}

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
