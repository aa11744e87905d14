package storetest

import (
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

const (
	alice = match.User("alice")
	bob   = match.User("bob")
	carol = match.User("carol")
	home  = match.Venue("home")
	away  = match.Venue("away")
)

// noon returns the time at which the tests begin. It includes milliseconds, the precision of stores.
func noon() time.Time { return time.Date(2026, time.March, 1, 12, 0, 0, 123e6, time.UTC) }

// after returns the time that is the given number of seconds after noon.
func after(seconds int) time.Time { return noon().Add(time.Duration(seconds) * time.Second) }

func invite(t *testing.T, id match.ID, from, to match.User, at time.Time) match.Challenge {
	t.Helper()
	terms := match.Terms{Rules: game.Classic(), First: match.Me, TurnTime: time.Minute}
	return must[match.Challenge](t)(match.NewChallenge(id, home, from, to, terms, at))
}

// accept lets bob accept a challenge, and returns the challenge and its match.
func accept(t *testing.T, c match.Challenge) (match.Challenge, match.Match) {
	t.Helper()
	accepted, m, err := c.Accept(bob, false, after(1))
	if err != nil {
		t.Fatal(err)
	}
	return accepted, m
}

// askRematch proposes or accepts the rematch of a match for a player, and returns the next match if it begins.
func askRematch(t *testing.T, m match.Match, by match.User, version int, id match.ID, at time.Time) (match.Match, *match.Match) {
	t.Helper()
	asked, next, err := m.AskRematch(by, version, id, at)
	if err != nil {
		t.Fatal(err)
	}
	return asked, next
}

// begin returns a new match of two players, X first.
func begin(id match.ID, x, o match.User, at time.Time) match.Match {
	return match.Start(id, id, home, game.Classic(), match.Seats{match.Human(x), match.Human(o)}, time.Minute, 1, at)
}

// in returns the match in another venue.
func in(v match.Venue, m match.Match) match.Match {
	m.Venue = v
	return m
}

// play makes moves, each by the side to move, one second apart.
func play(t testing.TB, m match.Match, at time.Time, squares ...string) match.Match {
	t.Helper()
	for i, name := range squares {
		square := must[game.Square](t)(m.Position().Rules().ParseSquare(name))
		now := at.Add(time.Duration(i) * time.Second)
		var err error
		switch {
		case m.Turn().IsComputer():
			m, err = m.Answer(square, now)
		case m.Seats.HasCrowd():
			if m, err = m.Vote("voter", m.Stage(), square, now); err == nil {
				m, _ = m.Expire(m.Deadline)
			}
		default:
			m, err = m.Play(m.Turn().Player, m.Stage(), square, now)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// xWins returns a shortest win of X, xWinsLate a longer win of X, oWins a shortest win of O, and drawn a draw.
func xWins() []string     { return []string{"a1", "a2", "b1", "b2", "c1"} }
func xWinsLate() []string { return []string{"a1", "a2", "b1", "b2", "c3", "a3", "c1"} }
func oWins() []string     { return []string{"a1", "a2", "b1", "b2", "c3", "c2"} }
func drawn() []string     { return []string{"a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"} }

// ended saves a match of two players that was played to its end.
func (s tester) ended(id match.ID, x, o match.User, at time.Time, squares []string) match.Match {
	s.t.Helper()
	m := begin(id, x, o, at)
	return s.finish(m, at, squares)
}

// finish saves a match twice: when it begins and when it has ended.
func (s tester) finish(m match.Match, at time.Time, squares []string) match.Match {
	s.t.Helper()
	over := play(s.t, m, at, squares...)
	if !over.Result.Over() {
		s.t.Fatalf("match %s goes on", m.ID)
	}
	s.create(m)
	s.replace(m, over)
	return over
}

// aborted saves a match of alice and bob that alice aborts before the first move.
func (s tester) aborted(id match.ID, at time.Time) {
	s.t.Helper()
	m := begin(id, alice, bob, at)
	s.create(m)
	s.replace(m, must[match.Match](s.t)(m.Resign(alice, 0, at)))
}

// resigned saves a match of alice and bob that alice resigns after two moves.
func (s tester) resigned(id match.ID, at time.Time) {
	s.t.Helper()
	m := begin(id, alice, bob, at)
	moved := play(s.t, m, at, "a1", "b1")
	s.create(m)
	s.replace(m, moved)
	s.replace(moved, must[match.Match](s.t)(moved.Resign(alice, 2, at)))
}

// wish saves a wish of the player, and the answer of the other player. It returns the match after the answer.
func (s tester) wish(m match.Match, by, other match.User, kind match.WishKind, agrees bool, at time.Time) match.Match {
	s.t.Helper()
	asked := must[match.Match](s.t)(m.AskWish(by, m.Stage(), kind, at))
	s.replace(m, asked)
	same(s.t, s.match(m.ID), asked)
	answered := must[match.Match](s.t)(asked.AnswerWish(other, asked.Stage(), agrees, at))
	s.replace(asked, answered)
	same(s.t, s.match(m.ID), answered)
	return answered
}

// void lets a moderator void a match.
func (s tester) void(m match.Match, at time.Time) match.Match {
	s.t.Helper()
	void := must[match.Match](s.t)(m.Void(at))
	s.replace(m, void)
	return void
}

// late returns a match that the side to move has lost on time.
func late(m match.Match) match.Match {
	over, _ := m.Expire(m.Deadline)
	return over
}

func computer(id match.ID, p match.User, level string, at time.Time) match.Match {
	return match.Start(id, id, home, game.Classic(), match.Seats{match.Human(p), match.Computer(level)}, time.Hour, 1, at)
}
