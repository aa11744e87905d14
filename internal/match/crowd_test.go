package match_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// ofChannel returns a new match of a channel against a computer, and ofTeams one of two teams, both with 30 seconds to vote.
func ofChannel() match.Match {
	return begunBy(match.Seats{match.CrowdSeat(match.Channel), match.Computer("easy")})
}

func ofTeams() match.Match {
	return begunBy(match.Seats{match.CrowdSeat(match.TeamOne), match.CrowdSeat(match.TeamTwo)})
}

func begunBy(seats match.Seats) match.Match {
	m := match.Start("m", "m", "venue", game.Classic(), seats, 30*time.Second, 1, noon)
	m.Host, m.Place = alice, "channel"
	return m
}

// votes casts votes such as "ann:b2", one second apart.
func votes(t testing.TB, m match.Match, cast string) match.Match {
	t.Helper()
	for i, vote := range strings.Fields(cast) {
		by, name, _ := strings.Cut(vote, ":")
		square, err := m.Position().Rules().ParseSquare(name)
		if err == nil {
			m, err = m.Vote(match.User(by), m.Stage(), square, noon.Add(time.Duration(i)*time.Second))
		}
		if err != nil {
			t.Fatal(vote, err)
		}
	}
	return m
}

// tallied returns the tally as "2 b2, 1 a1".
func tallied(m match.Match) string {
	var all []string
	for _, c := range m.Tally() {
		all = append(all, fmt.Sprint(c.Votes, " ", m.Position().Rules().Name(c.Square)))
	}
	return strings.Join(all, ", ")
}

func TestTheMostVotedSquareIsPlayed(t *testing.T) {
	for _, tt := range []struct{ name, cast, tally, played string }{
		{"one vote is enough", "ann:b2", "1 b2", ".../.X./..."},
		{"the majority decides", "ann:a1 bob:b2 cid:b2", "2 b2, 1 a1", ".../.X./..."},
		{"a vote can be changed", "ann:a1 bob:b2 cid:b2 bob:a1", "2 a1, 1 b2", "X../.../..."},
		{"of two with as many votes, the one that got a vote first", "ann:c3 bob:a1 cid:a1 dan:c3", "2 c3, 2 a1", ".../.../..X"},
		{"a changed vote is a late one", "ann:c3 bob:a1 ann:b2 ann:c3", "1 a1, 1 c3", "X../.../..."},
		{"the same vote twice is one vote", "ann:c3 bob:a1 ann:c3", "1 c3, 1 a1", ".../.../..X"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := votes(t, ofChannel(), tt.cast)
			if got := tallied(m); got != tt.tally {
				t.Errorf("the tally is %s", got)
			}
			if want := noon.Add(30 * time.Second); !m.Deadline.Equal(want) {
				t.Errorf("the time to vote does not run from the first vote: %v", m.Deadline)
			}
			if _, due := m.Expire(m.Deadline.Add(-1)); due {
				t.Error("the move is made too early")
			}
			moved, due := m.Expire(m.Deadline)
			if got := moved.Position().String(); !due || got != tt.played || moved.Voters() != 0 || moved.Version != m.Version+1 {
				t.Errorf("played: %s; %d votes are left", got, moved.Voters())
			}
		})
	}
}

func TestACrowdDoesNotWaitForNobody(t *testing.T) {
	first := votes(t, ofChannel(), "ann:a1 bob:a1 cid:b1")
	moved, _ := first.Expire(first.Deadline)
	m, err := moved.Answer(4, noon) // ".O." in the middle
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, cast, want string }{
		{"while somebody from last time is missing, it waits", "ann:b1 bob:b1 dan:b1", "X../.O./..."},
		{"when all from last time have voted, it does not", "ann:b1 dan:b1 bob:c1 cid:b1", "XX./.O./..."},
		{"people who vote for the first time are not waited for", "cid:c1 bob:c1 ann:b1", "X.X/.O./..."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := votes(t, m, tt.cast).Position().String(); got != tt.want {
				t.Error(got)
			}
		})
	}
	t.Run("one person alone is not a crowd", func(t *testing.T) {
		alone := votes(t, ofChannel(), "ann:a1")
		alone, _ = alone.Expire(alone.Deadline)
		alone, _ = alone.Answer(4, noon)
		if voted := votes(t, alone, "ann:b1"); voted.Record.Len() != 2 || votes(t, voted, "bob:c1").Record.Len() != 3 {
			t.Error("one vote is enough, or two are not")
		}
	})
}

func TestAVoteIsRefused(t *testing.T) {
	m := votes(t, ofTeams(), "ann:b2 bob:b2")
	x, _ := m.Expire(m.Deadline)
	over, _ := x.Stop(noon)
	for _, tt := range []struct {
		name   string
		on     match.Match
		by     match.User
		stage  int
		square game.Square
		at     time.Time
		want   match.Reason
	}{
		{"on an older board", x, "cid", 0, 0, noon, match.Stale},
		{"of somebody of the other team", x, "ann", 1, 0, noon, match.OtherTeam},
		{"for a taken square", x, "cid", 1, 4, noon, match.SquareTaken},
		{"for a square that is not on the board", x, "cid", 1, 9, noon, match.NoSuchSquare},
		{"after the time to vote", m, "cid", 0, 0, m.Deadline, match.TimeUp},
		{"after the end", over, "cid", 1, 0, noon, match.Finished},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.on.Vote(tt.by, tt.stage, tt.square, tt.at)
			if !errors.Is(err, tt.want) || diff(tt.on, got) != "" {
				t.Error(err)
			}
		})
	}
	if joined := votes(t, x, "cid:a1"); joined.Votes[2] != (match.Vote{By: "cid", Side: game.O, Ply: 1, Since: 5}) {
		t.Errorf("%+v", joined.Votes)
	}
}

func TestAMatchOfNobodyEnds(t *testing.T) {
	m := ofChannel()
	if _, due := m.Expire(noon.Add(24*time.Hour - 1)); due {
		t.Error("too early")
	}
	over, _ := m.Expire(noon.Add(24 * time.Hour))
	if want := (match.Result{Cause: match.ByAbort}); over.Result != want || over.Result.Counts() {
		t.Error(over.Result)
	}
}

func TestSomebodyLeavesACrowd(t *testing.T) {
	m := votes(t, ofChannel(), "ann:a1 bob:b2")
	left, changed := m.Leave("ann", noon)
	if !changed || tallied(left) != "1 b2" || !left.Deadline.Equal(m.Deadline) || left.Version != m.Version+1 {
		t.Errorf("%+v", left)
	}
	alone, _ := left.Leave("bob", noon.Add(time.Second))
	if len(alone.Votes) != 0 || !alone.Deadline.Equal(noon.Add(time.Second+24*time.Hour)) {
		t.Errorf("%+v", alone)
	}
	if _, changed := alone.Leave("cid", noon); changed {
		t.Error("somebody left who had not voted")
	}
}

func TestNobodyIsSeatedInACrowd(t *testing.T) {
	m := votes(t, ofChannel(), "ann:a1")
	for name, ask := range map[string]func() (match.Match, error){
		"resign":    func() (match.Match, error) { return m.Resign(alice, 0, noon) },
		"hint":      func() (match.Match, error) { return m.Help("ann", 0, noon) },
		"easier":    func() (match.Match, error) { return m.Ease(alice, m.Version, "easy", noon) },
		"draw":      func() (match.Match, error) { return m.AskWish("ann", 0, match.WishDraw, noon) },
		"take back": func() (match.Match, error) { return m.AskWish("ann", 0, match.WishBack, noon) },
		"a move":    func() (match.Match, error) { return m.Play("ann", 0, 0, noon) },
	} {
		if _, err := ask(); !errors.Is(err, match.Stranger) {
			t.Error(name, err)
		}
	}
	for _, kind := range []match.WishKind{match.WishDraw, match.WishBack} {
		if votes(t, ofTeams(), "ann:a1").MayWish(kind) {
			t.Error("teams can ask for", kind)
		}
	}
}

// TestACrowdPlaysTheComputer plays through the referee: the computer's answer is saved with the move that the votes lead to, whether the
// scheduler makes it, a late click, or the last vote.
func TestACrowdPlaysTheComputer(t *testing.T) {
	ctx, s := t.Context(), newStore(t)
	now := noon
	r := newReferee(s)
	r.Time = timekeeper{now: func() time.Time { return now }}
	asks := func(id match.ID, by match.User) match.Request {
		req := ask(id, by)
		req.At, req.Places = now, []string{"channel", "parent"}
		req.Names = []match.Name{{Player: by, Name: string(by)}}
		return req
	}
	terms := match.Terms{Rules: game.Classic(), First: match.Me, TurnTime: 20 * time.Second}
	m, err := r.PlayCrowd(ctx, asks("1", alice), "easy", terms)
	if err != nil || m.Place != "channel" || m.Host != alice {
		t.Fatal(m, err)
	}
	if _, err := r.PlayCrowd(ctx, asks("2", bob), "", terms); !errors.Is(err, match.CrowdPlaying) {
		t.Error("two matches in a channel:", err)
	}
	if _, err := r.PlayCrowd(ctx, asks("3", bob), "nonsense", terms); !errors.Is(err, match.UnknownLevel) {
		t.Error(err)
	}
	vote := func(by match.User, square string, want string, refused match.Reason) {
		t.Helper()
		board := s.match(t, "1")
		_, err := r.Play(ctx, asks("x", by), "1", board.Stage(), square)
		if got := s.match(t, "1").Position().String(); got != want || refused == "" && err != nil || refused != "" && !errors.Is(err, refused) {
			t.Fatalf("%s votes for %s: the board is %s, the error %v", by, square, got, err)
		}
	}
	vote("ann", "b2", ".../.../...", "")
	vote("bob", "b2", ".../.../...", "")
	now = now.Add(20 * time.Second)
	for range 2 { // the second time, nothing is due
		if _, err := r.Expire(ctx, "1", func() time.Time { return now }); err != nil {
			t.Fatal(err)
		}
	}
	vote("ann", "c1", "O../.X./...", "")
	now = now.Add(21 * time.Second)
	vote("cid", "a3", "OOX/.X./...", match.Stale) // the late click has the move made that was voted
	vote("bob", "a2", "OOX/.X./...", "")
	vote("ann", "a3", "OOX/XXO/...", "") // ann alone voted last time, so both have voted; of their squares, bob's got a vote first
	if names, _ := s.Names(ctx, "ann", "bob", alice); len(names) != 1 || names[alice] == "" {
		t.Error("names are stored that nobody shows:", names)
	}
	if _, err := r.Stop(ctx, asks("4", alice), "1"); err != nil {
		t.Fatal(err)
	}
	again, next, err := r.AskRematch(ctx, asks("5", "dan"), "1", s.match(t, "1").Version)
	if err != nil || next == nil || again.Rematch.Next != "5" || again.Rematch.By != "" {
		t.Fatal(err)
	}
	if want := (match.Seats{match.Computer("easy"), match.CrowdSeat(match.Channel)}); next.Seats != want || next.Host != "dan" || next.Record.Len() != 1 {
		t.Errorf("%+v", next)
	}
	if _, _, err := r.AskRematch(ctx, asks("6", "dan"), "1", again.Version); !errors.Is(err, match.Stale) {
		t.Error("asked twice:", err)
	}
}

// TestVotesKeepTheLaws casts random votes on random boards. Nobody has two votes, the tally counts them all, and the played square is one
// that no other has more votes than.
func TestVotesKeepTheLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := ofTeams()
		for range rapid.IntRange(1, 40).Draw(t, "votes") {
			by := match.User(rapid.SampledFrom([]string{"ann", "bob", "cid", "dan", "eve"}).Draw(t, "by"))
			next, err := m.Vote(by, m.Stage(), game.Square(rapid.IntRange(0, 9).Draw(t, "square")), noon)
			if err == nil && rapid.IntRange(0, 3).Draw(t, "expires") == 0 && next.Voters() > 0 {
				m = next
				next, _ = m.Expire(m.Deadline)
			}
			if next.Record.Len() > m.Record.Len() && m.Voters() > 0 && next.Version == m.Version+1 {
				played := next.Record.Square(m.Record.Len())
				i := slices.IndexFunc(m.Tally(), func(c match.Choice) bool { return c.Square == played })
				// The vote that makes the move at once is not in this tally.
				if i < 0 || m.Tally()[i].Votes+1 < m.Tally()[0].Votes {
					t.Fatalf("played %d of %v", played, m.Tally())
				}
			}
			m = next
			if !slices.IsSortedFunc(m.Votes, func(a, b match.Vote) int { return strings.Compare(string(a.By), string(b.By)) }) || len(m.Votes) > 5 {
				t.Fatalf("%+v", m.Votes)
			}
			if m.Result.Over() {
				return
			}
		}
	})
}
