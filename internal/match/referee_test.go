package match_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// lowest is an engine that plays the first empty square.
type lowest struct{}

func (lowest) Choose(_ context.Context, p game.Position) (game.Square, error) {
	for s := range p.Legal().All() {
		return s, nil
	}
	return 0, errors.New("nothing to play")
}

// stubborn is an engine that always chooses the same square.
type stubborn struct {
	square game.Square
	err    error
}

func (e stubborn) Choose(context.Context, game.Position) (game.Square, error) { return e.square, e.err }

// engines returns the engine of a level, for any rules.
type engines map[string]match.Engine

func (e engines) Engine(_ game.Rules, level string) (match.Engine, error) {
	if engine, ok := e[level]; ok {
		return engine, nil
	}
	return nil, match.ErrNoEngine
}

// newReferee returns a referee whose clock always shows noon.
func newReferee(s match.Store) *match.Referee { return refereeAt(s, noon) }

func refereeAt(s match.Store, now time.Time) *match.Referee {
	return &match.Referee{
		Store: s, Engines: engines{"easy": lowest{}},
		Coin: func() bool { return false }, Limits: match.DefaultLimits(), Time: timekeeper{now: always(now)},
	}
}

// timekeeper is a clock that is never set.
type timekeeper struct {
	now   func() time.Time
	saved func(deadline time.Time, err error) // may be nil
}

func (k timekeeper) Now(match.Venue) time.Time { return k.now() }

func (k timekeeper) Follow(context.Context, match.Venue) (func(), error) { return func() {}, nil }

func (k timekeeper) Saved(deadline time.Time, err error) {
	if k.saved != nil {
		k.saved(deadline, err)
	}
}

// ask returns a request with the given id, at noon.
func ask(id match.ID, by match.User) match.Request {
	return match.Request{ID: id, By: by, Venue: "venue", At: noon}
}

func at(req match.Request, t time.Time) match.Request {
	req.At = t
	return req
}

// note is a value that a front end saves.
type note string

func (note) Extra() {}

func noting(req match.Request) match.Request {
	req.OnCreate, req.OnUpdate = []match.Extra{note("create")}, []match.Extra{note("update")}
	req.OnGrant = []match.Extra{note("grant")}
	return req
}

func (s *probed) notes() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprint(s.extras)
	s.extras = nil
	return text
}

func TestAMatchFromChallengeToRematch(t *testing.T) {
	ctx, s := t.Context(), newStore(t)
	r := newReferee(s)
	var told []time.Time
	r.Time = timekeeper{now: always(noon), saved: func(deadline time.Time, err error) {
		if err != nil {
			t.Error(err)
		}
		told = append(told, deadline)
	}}

	c, err := r.Challenge(ctx, noting(ask("1", alice)), bob, terms(match.Me))
	if err != nil || s.notes() != "[create grant]" || s.challenge(t, "1") != c {
		t.Fatal(c, err)
	}
	m, err := r.Accept(ctx, noting(ask("2", bob)), "1")
	if err != nil || s.notes() != "[update grant]" || s.challenge(t, "1").Status != match.Accepted {
		t.Fatal(err)
	}
	if d := diff(s.match(t, "1"), m); d != "" || m.Version != 3 {
		t.Error(m.Version, d)
	}
	for i, name := range []string{"a1", "a2", "b1", "b2", "c1"} {
		if m, err = r.Play(ctx, noting(ask("3", m.Turn().Player)), "1", i, name); err != nil {
			t.Fatal(name, err)
		}
		if s.notes() != "[update grant]" || m.Version != 4+i {
			t.Error(name, m.Version)
		}
	}
	if m.Result != (match.Result{Outcome: game.XWins, Cause: match.ByLine}) || s.ended["1"] != 1 {
		t.Error(m.Result, s.ended)
	}
	m, next, err := r.AskRematch(ctx, noting(ask("4", bob)), "1", m.Version)
	if err != nil || next != nil || s.notes() != "[update grant]" {
		t.Fatal(next, err)
	}
	_, next, err = r.AskRematch(ctx, noting(ask("5", alice)), "1", m.Version)
	if err != nil || next == nil || s.notes() != "[create grant]" {
		t.Fatal(next, err)
	}
	if d := diff(s.match(t, "5"), *next); d != "" || next.Series != "1" || next.Version != 1 {
		t.Error(next, d)
	}
	if old := s.match(t, "1"); old.Rematch.Next != "5" || old.Rematch.State != match.RematchStarted {
		t.Errorf("%+v", old.Rematch)
	}
	turn := noon.Add(time.Minute) // the deadline after each move except the last, in both matches; proposals and challenges wait longer
	none := time.Time{}
	if d := diff([]time.Time{c.Deadline, turn, turn, turn, turn, turn, none, m.Rematch.Deadline, turn}, told); d != "" {
		t.Errorf("the timekeeper was told other deadlines: %s", d)
	}
	// A request that was under way while the clock was set back would carry a date in the future.
	if _, seen := s.saved(); !seen.IsZero() {
		t.Errorf("a request says that the bot was last heard at %v", seen)
	}
}

func TestDeclineWithdrawAndResign(t *testing.T) {
	ctx, s := t.Context(), newStore(t)
	r := newReferee(s)
	for _, id := range []match.ID{"1", "2"} {
		if _, err := r.Challenge(ctx, ask(id, alice), bob, terms(match.Me)); err != nil {
			t.Fatal(err)
		}
		closed, err := map[match.ID]func() (match.Challenge, error){
			"1": func() (match.Challenge, error) { return r.Withdraw(ctx, ask("9", alice), id) },
			"2": func() (match.Challenge, error) { return r.Decline(ctx, ask("9", bob), id) },
		}[id]()
		if err != nil || s.challenge(t, id) != closed {
			t.Error(err)
		}
	}
	s.put(between(t, "a1 a2"))
	m, err := r.Resign(ctx, ask("9", bob), "m", 2)
	if err != nil || m.Result.Cause != match.ByResignation {
		t.Error(m.Result, err)
	}
	m, _, err = r.AskRematch(ctx, ask("9", bob), "m", m.Version)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = r.DeclineRematch(ctx, ask("9", alice), "m"); err != nil || m.Rematch.State != match.RematchDeclined {
		t.Error(err)
	}
}

func TestDerivedIDsAreNotIDsOfRequests(t *testing.T) {
	id := match.DerivedID("pair", "1")
	if id != match.DerivedID("pair", "1") || id == match.DerivedID("pair1") {
		t.Error("the same words have two ids, or different words have one id")
	}
	if n, err := strconv.ParseUint(string(id), 32, 64); err != nil || n < 1<<63 {
		t.Errorf("%q may be the id of an interaction", id)
	}
}

func TestAnUnknownIDIsRefused(t *testing.T) {
	ctx, r := t.Context(), newReferee(newStore(t))
	for name, do := range map[string]func() error{
		"accept":   func() error { _, err := r.Accept(ctx, ask("1", alice), "x"); return err },
		"decline":  func() error { _, err := r.Decline(ctx, ask("1", alice), "x"); return err },
		"withdraw": func() error { _, err := r.Withdraw(ctx, ask("1", alice), "x"); return err },
		"play":     func() error { _, err := r.Play(ctx, ask("1", alice), "x", 0, "a1"); return err },
		"resign":   func() error { _, err := r.Resign(ctx, ask("1", alice), "x", 0); return err },
		"rematch":  func() error { _, _, err := r.AskRematch(ctx, ask("1", alice), "x", 0); return err },
		"no thank": func() error { _, err := r.DeclineRematch(ctx, ask("1", alice), "x"); return err },
	} {
		t.Run(name, func(t *testing.T) { refused(t, do(), match.Unknown) })
	}
	t.Run("an unknown id has no deadline", func(t *testing.T) {
		if changed, err := r.Expire(ctx, "x", always(noon)); changed || err != nil {
			t.Error(changed, err)
		}
	})
}

func TestAnUnknownSquareIsRefused(t *testing.T) {
	s := newStore(t)
	s.put(between(t, ""))
	for _, name := range []string{"", "d1", "a4", "1a", "A1", "a1 "} {
		_, err := newReferee(s).Play(t.Context(), ask("1", alice), "m", 0, name)
		refused(t, err, match.NoSuchSquare)
	}
}

func TestTheSameRequestTwiceDoesTheSameOnce(t *testing.T) {
	// Each request is delivered twice. The other delivery is handled before this one or, if racing is set, between this one's read and
	// save.
	for _, tt := range []struct {
		name    string
		request func(*match.Referee) (any, error)
	}{
		{"a challenge", func(r *match.Referee) (any, error) {
			return r.Challenge(t.Context(), ask("1", alice), bob, terms(match.Me))
		}},
		{"a match against the computer", func(r *match.Referee) (any, error) {
			return r.PlayComputer(t.Context(), ask("1", alice), "easy", terms(match.Them))
		}},
	} {
		for _, racing := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, racing %v", tt.name, racing), func(t *testing.T) {
				s := newStore(t)
				r := newReferee(s)
				var first, second any
				var err, again error
				if racing {
					s.before = func() { first, err = tt.request(r) }
				} else {
					first, err = tt.request(r)
				}
				second, again = tt.request(r)
				if err != nil || again != nil || diff(first, second) != "" {
					t.Errorf("%v, then %v: %s", err, again, diff(first, second))
				}
				if n := s.count(t); n != 1 {
					t.Error("number of matches:", n)
				}
			})
		}
	}
	t.Run("a move", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		s.put(between(t, "a1"))
		if _, err := r.Play(t.Context(), ask("1", bob), "m", 1, "b2"); err != nil {
			t.Fatal(err)
		}
		_, err := r.Play(t.Context(), ask("1", bob), "m", 1, "b2")
		if refusal := refused(t, err, match.Stale); refusal.Match.Record.Len() != 2 {
			t.Error("the refusal does not carry the true board")
		}
	})
	t.Run("a rematch", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		s.put(between(t, xWins))
		for range 2 {
			_, _, _ = r.AskRematch(t.Context(), ask("1", alice), "m", 6)
		}
		_, next, err := r.AskRematch(t.Context(), ask("2", bob), "m", 7)
		if err != nil || next == nil {
			t.Fatal(err)
		}
		_, _, err = r.AskRematch(t.Context(), ask("2", bob), "m", 7)
		refused(t, err, match.Stale)
		if n := s.count(t); n != 2 {
			t.Error(n, "matches")
		}
	})
}

func TestLimits(t *testing.T) {
	// fill gives a player the given number of matches against other players.
	fill := func(s *probed, p match.User, n int, state string) {
		for i := range n {
			m := match.Start(match.ID(fmt.Sprint(p, i)), "s", "", game.Classic(), match.Seats{match.Human(p), match.Human("other" + p)}, time.Minute, 1, noon)
			if state == "over" {
				m, _ = m.Resign(p, 0, noon)
			}
			s.put(m)
		}
	}
	pending := func(s *probed, n int, deadline time.Time) {
		for i := range n {
			c, _ := match.NewChallenge(match.ID(fmt.Sprint("pending", i)), "", alice, match.User(fmt.Sprint("guest", i)), terms(match.Me), noon)
			c.Deadline = deadline
			s.put(c)
		}
	}
	soon := noon.Add(time.Minute)
	for _, tt := range []struct {
		name  string
		setup func(*probed)
		do    func(*match.Referee) error
		want  match.Reason
		limit int
	}{
		{"five open matches leave no room for a challenge", func(s *probed) { fill(s, alice, 5, "") }, challengeBob, match.TooManyYours, 5},
		{"four open matches leave room", func(s *probed) { fill(s, alice, 4, "") }, challengeBob, "", 0},
		{"matches that are over do not count", func(s *probed) { fill(s, alice, 9, "over") }, challengeBob, "", 0},
		{"one's own pending challenges count", func(s *probed) { fill(s, alice, 3, ""); pending(s, 2, soon) }, challengeBob, match.TooManyYours, 5},
		{"expired challenges do not count", func(s *probed) { fill(s, alice, 3, ""); pending(s, 2, noon) }, challengeBob, "", 0},
		{"challenges of other players do not count", func(s *probed) {
			for i := range 5 {
				c, _ := match.NewChallenge(match.ID(fmt.Sprint(i)), "", match.User(fmt.Sprint("guest", i)), alice, terms(match.Me), noon)
				s.put(c)
			}
		}, challengeBob, "", 0},
		{"the other player's open matches count", func(s *probed) { fill(s, bob, 5, "") }, challengeBob, match.TooManyTheirs, 5},
		{"two matches of a pair are the most", func(s *probed) {
			s.put(between(t, ""))
			other := between(t, "a1")
			other.ID = "n"
			s.put(other)
		}, challengeBob, match.TooManyPair, 2},
		{"the computer counts as well", func(s *probed) { fill(s, alice, 4, ""); pending(s, 1, soon) }, playComputer, match.TooManyYours, 5},
		{"the computer never has too many", func(s *probed) { fill(s, alice, 4, "") }, playComputer, "", 0},
		{"the player who accepts needs room", func(s *probed) { s.put(challenged(t, match.Me)); fill(s, bob, 5, "") }, accept, match.TooManyYours, 5},
		{"the challenger has no room any more", func(s *probed) { s.put(challenged(t, match.Me)); fill(s, alice, 5, "") }, accept, match.TooManyTheirs, 5},
		{"a rematch needs room", func(s *probed) { proposeRematch(t, s); fill(s, bob, 5, "") }, agree, match.TooManyYours, 5},
		{"a rematch needs room on both sides", func(s *probed) { proposeRematch(t, s); fill(s, alice, 5, "") }, agree, match.TooManyTheirs, 5},
		{"a proposal needs no room", func(s *probed) { s.put(between(t, xWins)); fill(s, bob, 5, "") }, agree, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			tt.setup(s)
			before := s.saves
			err := tt.do(newReferee(s))
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if refusal := refused(t, err, tt.want); refusal.Limit != tt.limit || s.saves != before || (refusal.Player != "") != (tt.want == match.TooManyTheirs) {
				t.Errorf("limit %d, player %q, %d saves", refusal.Limit, refusal.Player, s.saves)
			}
		})
	}
}

func TestLimitsHoldForManyRequestsAtOnce(t *testing.T) {
	// crowd sends forty requests with different ids at once, and counts the granted ones.
	crowd := func(t *testing.T, send func(id match.ID) error, want match.Reason) (granted int) {
		var requests sync.WaitGroup
		var mu sync.Mutex
		for i := range 40 {
			requests.Go(func() {
				err := send(match.ID(fmt.Sprint(i)))
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					granted++
				} else {
					refused(t, err, want)
				}
			})
		}
		requests.Wait()
		return granted
	}
	t.Run("of forty matches against the computer five begin", func(t *testing.T) {
		r := newReferee(newStore(t))
		if n := crowd(t, func(id match.ID) error {
			_, err := r.PlayComputer(t.Context(), ask(id, alice), "easy", terms(match.Me))
			return err
		}, match.TooManyYours); n != 5 {
			t.Error(n)
		}
	})
	t.Run("of forty challenges between two players one is pending", func(t *testing.T) {
		r := newReferee(newStore(t))
		if n := crowd(t, func(id match.ID) error {
			by, to := alice, bob
			if id[0]%2 == 0 {
				by, to = bob, alice
			}
			_, err := r.Challenge(t.Context(), ask(id, by), to, terms(match.Me))
			return err
		}, match.AlreadyPending); n != 1 {
			t.Error(n)
		}
	})
	t.Run("if one player accepts forty challenges, five lead to a match", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		for i := range 40 {
			c, err := match.NewChallenge(match.ID(fmt.Sprint(i)), "", match.User(fmt.Sprint("guest", i)), alice, terms(match.Me), noon)
			if err != nil {
				t.Fatal(err)
			}
			s.put(c)
		}
		if n := crowd(t, func(id match.ID) error {
			_, err := r.Accept(t.Context(), ask("click"+id, alice), id)
			return err
		}, match.TooManyYours); n != 5 {
			t.Error(n)
		}
	})
	t.Run("the last match within the limit, requested twice at the same moment, is one match", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		r.Limits.Open = 1
		s.before = func() { _ = playComputer(r) }
		if err := playComputer(r); err != nil || s.count(t) != 1 {
			t.Error(err, s.count(t))
		}
	})
	t.Run("the last challenge within the limit, accepted twice at the same moment, is accepted once", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		r.Limits.Open = 1
		s.put(challenged(t, match.Me))
		s.before = func() { _ = accept(r) }
		if refusal := refused(t, accept(r), match.ChallengeOver); refusal.Match == nil {
			t.Error("the refusal does not carry the match")
		}
	})
}

func challengeBob(r *match.Referee) error {
	_, err := r.Challenge(context.Background(), ask("new", alice), bob, terms(match.Me))
	return err
}

func playComputer(r *match.Referee) error {
	_, err := r.PlayComputer(context.Background(), ask("new", alice), "easy", terms(match.Me))
	return err
}

func accept(r *match.Referee) error {
	_, err := r.Accept(context.Background(), ask("new", bob), "c")
	return err
}

func proposeRematch(t *testing.T, s *probed) {
	m, _, err := between(t, xWins).AskRematch(alice, 6, "", noon)
	if err != nil {
		t.Fatal(err)
	}
	s.put(m)
}

func agree(r *match.Referee) error {
	_, _, err := r.AskRematch(context.Background(), ask("new", bob), "m", 6)
	return err
}

func TestOneChallengeOfAPairAtATime(t *testing.T) {
	s := newStore(t)
	late := noon.Add(match.ChallengeTime)
	r := refereeAt(s, late)
	if err := challengeBob(r); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ by, to match.User }{{alice, bob}, {bob, alice}} {
		_, err := r.Challenge(t.Context(), ask("2", tt.by), tt.to, terms(match.Me))
		if refusal := refused(t, err, match.AlreadyPending); refusal.Challenge == nil || refusal.Challenge.ID != "new" {
			t.Error(refusal)
		}
	}
	if _, err := r.Challenge(t.Context(), ask("3", bob), mallory, terms(match.Me)); err != nil {
		t.Error("somebody else:", err)
	}
	// The scheduler may act a moment after the deadline.
	if _, err := r.Challenge(t.Context(), at(ask("4", alice), late), bob, terms(match.Me)); err != nil {
		t.Error("after the challenge expired:", err)
	}
}

func TestPlayComputer(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first match.First
		coin  bool
		board string
	}{
		{"the player begins", match.Me, true, ".../.../..."},
		{"the computer begins and has moved already", match.Them, false, "X../.../..."},
		{"the coin says the player", match.Random, false, ".../.../..."},
		{"the coin says the computer", match.Random, true, "X../.../..."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			r := newReferee(s)
			r.Coin = func() bool { return tt.coin }
			m, err := r.PlayComputer(t.Context(), noting(ask("1", alice)), "easy", terms(tt.first))
			if err != nil || s.notes() != "[create grant]" {
				t.Fatal(err)
			}
			if m.Position().String() != tt.board || m.Turn().Player != alice || m.Version != 1 || s.saves != 1 {
				t.Errorf("%s, version %d, %d saves", m.Position(), m.Version, s.saves)
			}
			if m.TurnTime != match.ComputerTurnTime || !m.Deadline.Equal(noon.Add(match.ComputerTurnTime)) {
				t.Error(m.TurnTime, m.Deadline)
			}
			n := m.Record.Len()
			after, err := r.Play(t.Context(), ask("2", alice), "1", n, "b2")
			if err != nil || after.Record.Len() != n+2 || after.Version != 2 || s.saves != 2 {
				t.Errorf("move and answer are not one change: %s, version %d, %d saves, %v", after.Position(), after.Version, s.saves, err)
			}
		})
	}
	t.Run("no computer answers a winning move", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		if _, err := r.PlayComputer(t.Context(), ask("1", alice), "easy", terms(match.Me)); err != nil {
			t.Fatal(err)
		}
		var m match.Match
		var err error
		for i, name := range []string{"a3", "b3", "c3"} {
			if m, err = r.Play(t.Context(), ask("2", alice), "1", 2*i, name); err != nil {
				t.Fatal(err)
			}
		}
		if m.Position().String() != "OO./.../XXX" || m.Result.Outcome != game.XWins {
			t.Error(m.Position(), m.Result)
		}
	})
	t.Run("a rematch swaps the marks, and the computer moves at once", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		if _, err := r.PlayComputer(t.Context(), ask("1", alice), "easy", terms(match.Me)); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Resign(t.Context(), ask("2", alice), "1", 0); err != nil {
			t.Fatal(err)
		}
		_, next, err := r.AskRematch(t.Context(), ask("3", alice), "1", 2)
		if err != nil || next.Position().String() != "X../.../..." || next.Version != 1 {
			t.Fatal(next, err)
		}
		if d := diff(s.match(t, "3"), *next); d != "" {
			t.Error(d)
		}
	})
	t.Run("an adaptive level is fitted to the player at each start", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		r.Engines = engines{"fair:3": lowest{}, "fair:4": lowest{}}
		skills := []string{"fair:3", "fair:4"}
		r.Fit = func(_ context.Context, level string, _ game.Rules, u match.User, first bool) (string, error) {
			if level != "fair" || u != alice || first != (len(skills) == 2) {
				t.Errorf("%s asked for %s, first %t", u, level, first)
			}
			skill := skills[0]
			skills = skills[1:]
			return skill, nil
		}
		m, err := r.PlayComputer(t.Context(), ask("1", alice), "fair", terms(match.Me))
		if err != nil || m.Seats != (match.Seats{match.Human(alice), match.Computer("fair:3")}) {
			t.Fatal(m.Seats, err)
		}
		if m, err = r.Play(t.Context(), ask("2", alice), "1", 0, "b2"); err != nil || m.Seats.Level() != "fair:3" {
			t.Fatal(m.Seats, err)
		}
		if m, err = r.Resign(t.Context(), ask("3", alice), "1", 2); err != nil {
			t.Fatal(err)
		}
		_, next, err := r.AskRematch(t.Context(), ask("4", alice), "1", m.Version)
		if err != nil || next.Seats != (match.Seats{match.Computer("fair:4"), match.Human(alice)}) {
			t.Fatal(next, err)
		}
	})
	t.Run("a computer can be made easier with an adaptive level", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		r.Engines = engines{"easy": lowest{}, "fair:5": lowest{}}
		r.Fit = func(_ context.Context, level string, _ game.Rules, _ match.User, _ bool) (string, error) {
			return map[string]string{"fair": "fair:5", "easy": "easy"}[level], nil
		}
		m, err := r.PlayComputer(t.Context(), ask("1", alice), "easy", terms(match.Me))
		if err != nil {
			t.Fatal(err)
		}
		if m, err = r.Ease(t.Context(), ask("2", alice), "1", m.Version, "fair"); err != nil || m.Seats.Level() != "fair:5" {
			t.Error(m.Seats, err)
		}
	})
	t.Run("an unknown level is refused", func(t *testing.T) {
		_, err := newReferee(newStore(t)).PlayComputer(t.Context(), ask("1", alice), "godlike", terms(match.Me))
		refused(t, err, match.UnknownLevel)
	})
	t.Run("a removed level is refused, and nothing is saved", func(t *testing.T) {
		s := newStore(t)
		s.put(match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Computer("retired")}, time.Hour, 1, noon))
		_, err := newReferee(s).Play(t.Context(), ask("1", alice), "m", 0, "a1")
		if refused(t, err, match.UnknownLevel); s.saves != 0 {
			t.Error("saved")
		}
	})
	for name, engine := range map[string]stubborn{"fails": {err: errors.New("out of paper")}, "chooses a taken square": {square: 0}, "chooses nothing on the board": {square: 77}} {
		t.Run("an engine that "+name+" is an error and no refusal, and nothing is saved", func(t *testing.T) {
			s := newStore(t)
			r := newReferee(s)
			r.Engines = engines{"easy": engine}
			if _, err := r.PlayComputer(t.Context(), ask("1", alice), "easy", terms(match.Me)); err != nil {
				t.Fatal(err)
			}
			_, err := r.Play(t.Context(), ask("2", alice), "1", 0, "a1")
			refusal := (*match.Refusal)(nil)
			if err == nil || errors.As(err, &refusal) || s.saves != 1 {
				t.Errorf("%v, %d saves", err, s.saves)
			}
		})
	}
}

func TestAClickAfterTheDeadlineButBeforeTheScheduler(t *testing.T) {
	late := noon.Add(time.Minute)
	for name, do := range map[string]func(*match.Referee) error{
		"a move of the side to move": func(r *match.Referee) error {
			_, err := r.Play(t.Context(), at(noting(ask("1", alice)), late), "m", 2, "c3")
			return err
		},
		"a move of the other side": func(r *match.Referee) error {
			_, err := r.Play(t.Context(), at(ask("1", bob), late), "m", 2, "c3")
			return err
		},
		"a resignation": func(r *match.Referee) error {
			_, err := r.Resign(t.Context(), at(ask("1", bob), late), "m", 2)
			return err
		},
	} {
		t.Run(name+" ends the match by time", func(t *testing.T) {
			s := newStore(t)
			s.put(between(t, "a1 a2"))
			refusal := refused(t, do(refereeAt(s, late)), match.TimeUp)
			if notes := s.notes(); notes != "[]" && notes != "[update]" {
				t.Error("saved with it:", notes) // OnGrant adds notes, which must not be saved with a refused move
			}
			stored := s.match(t, "m")
			if stored.Result != (match.Result{Outcome: game.OWins, Cause: match.ByTime}) || stored.Version != 4 || s.ended["m"] != 1 {
				t.Errorf("%+v", stored)
			}
			if d := diff(stored, *refusal.Match); d != "" {
				t.Error("the refusal does not carry the match:", d)
			}
		})
	}
	t.Run("a stranger's click leaves the match to the scheduler", func(t *testing.T) {
		s := newStore(t)
		s.put(between(t, "a1 a2"))
		_, err := refereeAt(s, late).Play(t.Context(), at(ask("1", mallory), late), "m", 2, "c3")
		if refused(t, err, match.Stranger); s.saves != 0 {
			t.Error("saved")
		}
	})
	t.Run("an answer to an expired challenge closes it", func(t *testing.T) {
		for _, by := range []match.User{alice, bob, mallory} {
			s := newStore(t)
			s.put(challenged(t, match.Me))
			late := noon.Add(match.ChallengeTime)
			_, err := refereeAt(s, late).Accept(t.Context(), at(ask("1", by), late), "c")
			refusal := refused(t, err, match.ChallengeOver)
			if stored := s.challenge(t, "c"); stored.Status != match.Expired || *refusal.Challenge != stored {
				t.Errorf("%+v", stored)
			}
		}
	})
	t.Run("a rematch closes the proposal", func(t *testing.T) {
		s := newStore(t)
		proposeRematch(t, s)
		late := noon.Add(match.RematchTime)
		_, _, err := refereeAt(s, late).AskRematch(t.Context(), at(ask("1", bob), late), "m", 7)
		refusal := refused(t, err, match.TimeUp)
		if stored := s.match(t, "m"); stored.Rematch.State != match.RematchExpired || refusal.Match.Version != stored.Version {
			t.Errorf("%+v", stored.Rematch)
		}
	})
}

func TestATurnBeginsWhenItIsSaved(t *testing.T) {
	// The requests came at noon. The database was locked for a long time, so the first attempts to save failed.
	saved := noon.Add(7 * time.Second)
	for name, do := range map[string]func(*probed, *match.Referee) (match.Match, error){
		"after a move": func(s *probed, r *match.Referee) (match.Match, error) {
			s.put(between(t, "a1"))
			return r.Play(t.Context(), ask("1", bob), "m", 1, "b2")
		},
		"after a move in the last moment": func(s *probed, r *match.Referee) (match.Match, error) {
			m := between(t, "a1")
			m.Deadline = noon.Add(time.Millisecond)
			s.put(m)
			return r.Play(t.Context(), ask("1", bob), "m", 1, "b2")
		},
		"after the computer's answer": func(s *probed, r *match.Referee) (match.Match, error) {
			s.put(match.Start("m", "m", "", game.Classic(), match.Seats{match.Human(alice), match.Computer("easy")}, time.Minute, 1, noon))
			return r.Play(t.Context(), ask("1", alice), "m", 0, "b2")
		},
		"of a challenge that was accepted": func(s *probed, r *match.Referee) (match.Match, error) {
			s.put(challenged(t, match.Me))
			return r.Accept(t.Context(), ask("1", bob), "c")
		},
		"of a rematch": func(s *probed, r *match.Referee) (match.Match, error) {
			proposeRematch(t, s)
			_, next, err := r.AskRematch(t.Context(), ask("1", bob), "m", 7)
			if err != nil {
				return match.Match{}, err
			}
			return *next, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, now := newStore(t), noon
			r := newReferee(s)
			r.Time = timekeeper{now: func() time.Time { return now }}
			s.fail = func(method string) error {
				if method != "Save" || now.Equal(saved) {
					return nil
				}
				now = now.Add(time.Second)
				return match.ErrBusy
			}
			m, err := do(s, r)
			if err != nil {
				t.Fatal(err)
			}
			if want := saved.Add(time.Minute); !m.Deadline.Equal(want) || !s.match(t, m.ID).Deadline.Equal(want) {
				t.Errorf("the time runs out at %s, stored %s", m.Deadline, s.match(t, m.ID).Deadline)
			}
		})
	}
	t.Run("a move that ends the match leaves no deadline", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		r.Time = timekeeper{now: always(saved)}
		s.put(between(t, "a1 a2 b1 b2"))
		m, err := r.Play(t.Context(), ask("1", alice), "m", 4, "c1")
		if err != nil || !m.Deadline.IsZero() || !m.Ended.Equal(noon) {
			t.Error(m.Deadline, m.Ended, err)
		}
	})
}

func TestAnswersToAnAcceptedChallenge(t *testing.T) {
	s := newStore(t)
	s.put(challenged(t, match.Me))
	r := newReferee(s)
	if err := accept(r); err != nil {
		t.Fatal(err)
	}
	for _, by := range []match.User{alice, bob, mallory} {
		for name, do := range map[string]func(context.Context, match.Request, match.ID) (match.Challenge, error){"decline": r.Decline, "withdraw": r.Withdraw} {
			_, err := do(t.Context(), ask("2", by), "c")
			if refusal := refused(t, err, match.ChallengeOver); refusal.Match == nil || refusal.Match.ID != "c" {
				t.Errorf("%s by %s does not carry the match", name, by)
			}
		}
	}
}

func TestAnotherWriterComesFirst(t *testing.T) {
	ctx := t.Context()
	t.Run("two racing clicks make one move", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		s.put(between(t, ""))
		s.before = func() {
			if _, err := r.Play(ctx, ask("1", alice), "m", 0, "a1"); err != nil {
				t.Error(err)
			}
		}
		_, err := r.Play(ctx, ask("2", alice), "m", 0, "b2")
		refusal := refused(t, err, match.Stale)
		if got := refusal.Match.Position().String(); got != "X../.../..." {
			t.Error(got)
		}
	})
	t.Run("a resignation applies after a move that came first", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		s.put(between(t, "a1 a2"))
		s.before = func() { _, _ = r.Play(ctx, ask("1", alice), "m", 2, "b1") }
		m, err := r.Resign(ctx, ask("2", bob), "m", 2)
		if err != nil || m.Record.Len() != 3 || m.Result.Outcome != game.XWins {
			t.Error(m.Position(), err)
		}
	})
	t.Run("a player who asked to abort does not resign because a move came first", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		s.put(between(t, "a1"))
		s.before = func() { _, _ = r.Play(ctx, ask("1", bob), "m", 1, "b1") }
		_, err := r.Resign(ctx, ask("2", alice), "m", 1)
		refused(t, err, match.Stale)
	})
	t.Run("both ask for a rematch at once", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		s.put(between(t, xWins))
		s.before = func() { _, _, _ = r.AskRematch(ctx, ask("1", alice), "m", 6) }
		_, next, err := r.AskRematch(ctx, ask("2", bob), "m", 6)
		if err != nil || next == nil || next.ID != "2" {
			t.Error(next, err)
		}
	})
	t.Run("two hints at once mark the match once", func(t *testing.T) {
		s := newStore(t)
		here, elsewhere := newReferee(s), newReferee(s)
		if _, err := here.PlayComputer(ctx, ask("m", alice), "easy", terms(match.Me)); err != nil {
			t.Fatal(err)
		}
		want := func(r *match.Referee, wantFirst bool) {
			t.Helper()
			m, first, err := r.Help(ctx, ask("1", alice), "m", 0)
			if err != nil || first != wantFirst || !m.Helped || m.Version != 2 || s.saves != 2 {
				t.Errorf("first %v, version %d, %d saves, %v", first, m.Version, s.saves, err)
			}
		}
		s.before = func() { want(elsewhere, true) }
		want(here, false)
		want(elsewhere, false)
	})
	t.Run("accept and withdraw at once", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		s.put(challenged(t, match.Me))
		s.before = func() { _, _ = r.Withdraw(ctx, ask("1", alice), "c") }
		refusal := refused(t, accept(r), match.ChallengeOver)
		if refusal.Challenge.Status != match.Withdrawn || s.count(t) != 1 {
			t.Error(refusal.Challenge.Status)
		}
	})
	t.Run("withdraw and accept at once", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		s.put(challenged(t, match.Me))
		s.before = func() { _ = accept(r) }
		_, err := r.Withdraw(ctx, ask("1", alice), "c")
		if refusal := refused(t, err, match.ChallengeOver); refusal.Match == nil {
			t.Error("the refusal does not carry the match")
		}
	})
	t.Run("an answer after the deadline is told that the challenge was accepted in time", func(t *testing.T) {
		s := newStore(t)
		late := noon.Add(match.ChallengeTime)
		r := refereeAt(s, late)
		s.put(challenged(t, match.Me))
		s.before = func() { _ = accept(r) }
		_, err := r.Decline(ctx, at(ask("1", bob), late), "c")
		if refusal := refused(t, err, match.ChallengeOver); refusal.Match == nil || s.challenge(t, "c").Status != match.Accepted {
			t.Error("the refusal carries a challenge that was not accepted")
		}
	})
	t.Run("the scheduler does not expire a match after a move that came first", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		s.put(between(t, "a1"))
		s.before = func() { _, _ = r.Play(ctx, ask("1", bob), "m", 1, "b2") }
		changed, err := r.Expire(ctx, "m", always(noon.Add(time.Minute)))
		if changed || err != nil || s.match(t, "m").Result.Over() {
			t.Error(changed, err)
		}
	})
	t.Run("sixty-four clicks at once make one move", func(t *testing.T) {
		s := newStore(t)
		r := newReferee(s)
		s.put(between(t, ""))
		var clicks sync.WaitGroup
		for i := range 64 {
			clicks.Go(func() {
				_, err := r.Play(ctx, ask(match.ID(fmt.Sprint(i)), alice), "m", 0, game.Classic().Name(game.Square(i%9)))
				if err != nil && !errors.Is(err, match.Stale) {
					t.Error(err)
				}
			})
		}
		clicks.Wait()
		if m := s.match(t, "m"); m.Record.Len() != 1 || m.Version != 2 || s.plies["m 0"] != 1 {
			t.Errorf("%s, version %d", m.Position(), m.Version)
		}
	})
}

func TestAFailingStore(t *testing.T) {
	broken := errors.New("disk on fire")
	requests := map[string]struct {
		methods string // the store's methods that the request calls
		do      func(context.Context, *match.Referee) error
	}{
		"challenge": {"Challenge Save", func(ctx context.Context, r *match.Referee) error {
			_, err := r.Challenge(ctx, ask("new", mallory), bob, terms(match.Me))
			return err
		}},
		"accept": {"Find Save", func(ctx context.Context, r *match.Referee) error {
			_, err := r.Accept(ctx, ask("new", bob), "c")
			return err
		}},
		"decline": {"Find Save", func(ctx context.Context, r *match.Referee) error {
			_, err := r.Decline(ctx, ask("new", bob), "c")
			return err
		}},
		"computer": {"Match Save", func(ctx context.Context, r *match.Referee) error {
			_, err := r.PlayComputer(ctx, ask("new", alice), "easy", terms(match.Me))
			return err
		}},
		"play": {"Match Save", func(ctx context.Context, r *match.Referee) error {
			_, err := r.Play(ctx, ask("new", alice), "m", 0, "a1")
			return err
		}},
		"rematch": {"Match Save", func(ctx context.Context, r *match.Referee) error {
			_, _, err := r.AskRematch(ctx, ask("new", bob), "over", 7)
			return err
		}},
		"expire": {"Find Save", func(ctx context.Context, r *match.Referee) error {
			changed, err := r.Expire(ctx, "m", always(noon.Add(time.Hour)))
			if changed && err != nil {
				t.Error("the match changed although the request failed")
			}
			return err
		}},
	}
	stocked := func() *probed {
		s := newStore(t)
		over, _, _ := between(t, xWins).AskRematch(alice, 6, "", noon)
		over.ID = "over"
		s.put(challenged(t, match.Me), between(t, ""), over)
		return s
	}
	for name, request := range requests {
		for _, method := range []string{"Match", "Challenge", "Find", "Save"} {
			needed := false
			for word := range wordsOf(request.methods) {
				needed = needed || word == method
			}
			t.Run(name+" without "+method, func(t *testing.T) {
				s := stocked()
				s.fail = func(m string) error {
					if m == method {
						return broken
					}
					return nil
				}
				if err := request.do(t.Context(), newReferee(s)); errors.Is(err, broken) != needed {
					t.Error(err)
				}
			})
		}
		t.Run(name+" with a store that is busy until the request's context ends", func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := request.do(ctx, newReferee(stocked())); !errors.Is(err, match.ErrBusy) {
				t.Error(err)
			}
		})
		t.Run(name+" is not repeated for ever after conflicts", func(t *testing.T) {
			s := stocked()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			tries := 0
			s.fail = func(m string) error {
				if m != "Save" {
					return nil
				}
				if tries++; tries == 10 {
					cancel()
				}
				return match.ErrConflict
			}
			_ = request.do(ctx, newReferee(s))
			if tries > 10 {
				t.Error(tries, "tries")
			}
		})
	}
}

func wordsOf(text string) iter.Seq[string] { return strings.FieldsSeq(text) }

func TestModeratorsEndAndVoid(t *testing.T) {
	ctx, s := t.Context(), newStore(t)
	r := newReferee(s)
	m, err := r.PlayComputer(ctx, ask("1", alice), "easy", terms(match.Me))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := ask("2", mallory)
	elsewhere.Venue = "another"
	for name, how := range map[string]func(context.Context, match.Request, match.ID) (match.Match, error){
		"draw": r.CallDraw, "void": r.Void, "restore": r.Restore,
	} {
		if _, err := how(ctx, elsewhere, m.ID); !errors.Is(err, match.Unknown) {
			t.Errorf("%s of another venue's match: %v", name, err)
		}
		if _, err := how(ctx, ask("2", mallory), "nothing"); !errors.Is(err, match.Unknown) {
			t.Errorf("%s of no match: %v", name, err)
		}
	}
	drawn, err := r.CallDraw(ctx, noting(ask("3", mallory)), m.ID)
	if err != nil || drawn.Result != (match.Result{Outcome: game.Draw, Cause: match.ByModerator}) || s.notes() != "[update grant]" {
		t.Fatal(drawn.Result, err)
	}
	if _, err := r.CallDraw(ctx, ask("4", mallory), m.ID); !errors.Is(err, match.Finished) {
		t.Errorf("a draw of a match that is over: %v", err)
	}
	void, err := r.Void(ctx, ask("5", mallory), m.ID)
	if err != nil || void.Result.Counts() || void.Ended != drawn.Ended || diff(s.match(t, m.ID), void) != "" {
		t.Fatal(void, err)
	}
	if _, err := r.Void(ctx, ask("6", mallory), m.ID); !errors.Is(err, match.Finished) {
		t.Errorf("voided twice: %v", err)
	}
	restored, err := r.Restore(ctx, ask("7", mallory), m.ID)
	if err != nil || restored.Result != drawn.Result || restored.Version != void.Version+1 || diff(s.match(t, m.ID), restored) != "" {
		t.Fatal(restored, err)
	}
	if _, err := r.Restore(ctx, ask("8", mallory), m.ID); !errors.Is(err, match.Undone) {
		t.Errorf("restored twice: %v", err)
	}
}

// TestAVenueIsAskedForAPermit tests that new matches and challenges need a permit, and that matches in progress need none.
func TestAVenueIsAskedForAPermit(t *testing.T) {
	ctx, s := t.Context(), newStore(t)
	r := newReferee(s)
	var asked, joined []match.Permit
	var refusal error
	s.policy = func(p match.Permit) error {
		if p.Joins {
			joined = append(joined, p)
			return nil
		}
		asked = append(asked, p)
		return refusal
	}
	here := func(id match.ID, by match.User) match.Request {
		req := ask(id, by)
		req.Places, req.Interaction = []string{"thread", "channel"}, "9"
		return req
	}
	want := func(level string, players ...match.User) {
		t.Helper()
		permit := match.Permit{Venue: "venue", Players: players, At: noon, Interaction: "9", Places: []string{"thread", "channel"}, Level: level, Board: "classic"}
		if d := diff(asked, []match.Permit{permit}); d != "" {
			t.Error(d)
		}
		asked = nil
	}
	if _, err := r.Challenge(ctx, here("1", alice), bob, terms(match.Me)); err != nil {
		t.Fatal(err)
	}
	want("", alice, bob)
	m, err := r.PlayComputer(ctx, here("2", alice), "easy", terms(match.Me))
	if err != nil {
		t.Fatal(err)
	}
	want("easy", alice)

	refusal = &match.Refusal{Reason: match.WrongPlace}
	if _, err := r.Accept(ctx, here("3", bob), "1"); err != nil || asked != nil {
		t.Error("a pending challenge cannot be answered:", asked, err)
	}
	if d := diff(joined, []match.Permit{{Venue: "venue", Players: []match.User{bob, alice}, At: noon, Joins: true, Interaction: "9"}}); d != "" {
		t.Error(d)
	}
	if _, err := r.Play(ctx, here("4", alice), "2", 0, "b2"); err != nil || asked != nil || len(joined) > 1 {
		t.Error("a running match cannot continue:", asked, err)
	}
	if m, err = r.Resign(ctx, here("5", alice), "2", 2); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.AskRematch(ctx, here("6", alice), "2", m.Version); !errors.Is(err, match.WrongPlace) {
		t.Error("a rematch without a permit begins:", err)
	}
	want("easy", alice)
	if diff(s.match(t, "2"), m) != "" {
		t.Error("the old match was changed")
	}
	over, _ := s.match(t, "1").Expire(s.match(t, "1").Deadline)
	s.put(over)
	if _, _, err := r.AskRematch(ctx, here("8", alice), "1", over.Version); !errors.Is(err, match.WrongPlace) {
		t.Error("a rematch without a permit is proposed:", err)
	}
	want("", alice, bob)
	if _, err := r.Challenge(ctx, here("7", mallory), bob, terms(match.Me)); !errors.Is(err, match.WrongPlace) {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	ctx, s := t.Context(), newStore(t)
	r := newReferee(s)
	if _, err := r.PlayComputer(ctx, ask("m", alice), "easy", terms(match.Me)); err != nil {
		t.Fatal(err)
	}
	play := func(id match.ID, ply int, square, name string) {
		t.Helper()
		req := ask(id, alice)
		req.Names = []match.Name{{Player: alice, Name: name}}
		m, err := r.Play(ctx, req, "m", ply, square)
		if err != nil || m.Looks[alice].Name != name {
			t.Errorf("%s is shown as %v: %v", name, m.Looks, err)
		}
		names, err := s.Names(ctx, alice)
		if err != nil || names[alice] != name {
			t.Errorf("%s is stored as %v: %v", name, names, err)
		}
	}
	play("1", 0, "c3", "Alice")
	play("2", 2, "c2", "Alice")
	play("3", 4, "b3", "Alicia")
}
