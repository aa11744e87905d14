package storetest

import (
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// testKeptChallenges tests that challenges and their answers are stored unchanged.
func testKeptChallenges(t *testing.T, open opener) {
	subtest(t, open, "under an id there is a challenge, and then the match that it has led to", func(t *testing.T, s tester) {
		fails(t, errorOf(s.Find(s.ctx, "c")), match.ErrNotFound)
		c := invite(t, "c", alice, bob, noon())
		s.invite(c)
		same(t, must[match.Found](t)(s.Find(s.ctx, "c")), match.Found{Challenge: &c})
		accepted, m := accept(t, c)
		m = play(t, m, after(2), "a1", "b2")
		s.save(match.Save{Challenge: match.ChallengeChange{From: c, To: accepted, At: after(1)}, Matches: []match.MatchChange{{To: m}}})
		same(t, must[match.Found](t)(s.Find(s.ctx, "c")), match.Found{Match: &m})
		alone := computer("m", alice, "easy", noon())
		s.create(alone)
		same(t, must[match.Found](t)(s.Find(s.ctx, "m")), match.Found{Match: &alone})
	})
	t.Run("a challenge comes back as it was saved", func(t *testing.T) {
		for _, terms := range []match.Terms{
			{Rules: game.Classic(), First: match.Random, TurnTime: time.Minute},
			{Rules: must[game.Rules](t)(game.NewRules(5, 4, 3)), First: match.Me, TurnTime: 24 * time.Hour},
			{Rules: game.Classic(), First: match.Them, TurnTime: 1500 * time.Millisecond},
		} {
			s := start(t, open)
			c := must[match.Challenge](t)(match.NewChallenge("c", "", alice, bob, terms, noon()))
			s.invite(c)
			same(t, s.challenge("c"), c)
		}
	})
	subtest(t, open, "an open challenge names the player who accepts it", func(t *testing.T, s tester) {
		c := invite(t, "c", alice, "", noon())
		s.invite(c)
		same(t, s.challenge("c"), c)
		same(t, must[[]match.Challenge](t)(s.PendingChallenges(s.ctx, alice)), []match.Challenge{c})
		same(t, must[[]match.Challenge](t)(s.PendingChallenges(s.ctx, bob)), nil)
		accepted, m := accept(t, c)
		s.save(match.Save{Challenge: match.ChallengeChange{From: c, To: accepted, At: after(1)}, Matches: []match.MatchChange{{To: m}}})
		same(t, s.challenge("c").To, bob)
		same(t, s.challenge("c"), accepted)
	})
	subtest(t, open, "one that is not there is not found", func(t *testing.T, s tester) {
		fails(t, errorOf(s.Challenge(s.ctx, "c")), match.ErrNotFound)
	})
	subtest(t, open, "an id can be taken once", func(t *testing.T, s tester) {
		first := invite(t, "c", alice, bob, noon())
		s.invite(first)
		fails(t, s.Save(s.ctx, match.Save{Challenge: match.ChallengeChange{To: invite(t, "c", carol, bob, noon())}}), match.ErrExists)
		same(t, s.challenge("c"), first)
	})
	t.Run("every answer is stored", func(t *testing.T) {
		for name, answer := range map[string]func(match.Challenge) (match.Challenge, error){
			"declined":  func(c match.Challenge) (match.Challenge, error) { return c.Decline(bob, after(1)) },
			"withdrawn": func(c match.Challenge) (match.Challenge, error) { return c.Withdraw(alice, after(1)) },
			"expired": func(c match.Challenge) (match.Challenge, error) {
				c, _ = c.Expire(c.Deadline)
				return c, nil
			},
			"accepted": func(c match.Challenge) (match.Challenge, error) {
				c, _, err := c.Accept(bob, false, after(1))
				return c, err
			},
		} {
			subtest(t, open, name, func(t *testing.T, s tester) {
				c := invite(t, "c", alice, bob, noon())
				answered := must[match.Challenge](t)(answer(c))
				s.invite(c)
				s.save(match.Save{Challenge: match.ChallengeChange{From: c, To: answered}})
				same(t, s.challenge("c"), answered)
				same(t, must[[]match.Challenge](t)(s.PendingChallenges(s.ctx, alice)), nil)
			})
		}
	})
}

// testChallengeConflicts tests that a challenge can be answered only once.
func testChallengeConflicts(t *testing.T, open opener) {
	subtest(t, open, "of two answers the second is a conflict", func(t *testing.T, s tester) {
		c := invite(t, "c", alice, bob, noon())
		declined := must[match.Challenge](t)(c.Decline(bob, after(1)))
		s.invite(c)
		s.save(match.Save{Challenge: match.ChallengeChange{From: c, To: declined}})
		accepted, m := accept(t, c)
		fails(t, s.Save(s.ctx, match.Save{Challenge: match.ChallengeChange{From: c, To: accepted}, Matches: []match.MatchChange{{To: m}}}), match.ErrConflict)
		same(t, s.challenge("c"), declined)
		fails(t, errorOf(s.Match(s.ctx, "c")), match.ErrNotFound)
	})
	subtest(t, open, "of two who accept an open challenge the second is too late", func(t *testing.T, s tester) {
		c := invite(t, "c", alice, "", noon())
		s.invite(c)
		for _, tt := range []struct {
			by   match.User
			want error
		}{{carol, nil}, {bob, match.ErrConflict}} {
			accepted, m, err := c.Accept(tt.by, false, after(1))
			s.do(err)
			fails(t, s.Save(s.ctx, match.Save{Challenge: match.ChallengeChange{From: c, To: accepted, At: after(1)}, Matches: []match.MatchChange{{To: m}}}), tt.want)
		}
		same(t, s.challenge("c").To, carol)
		same(t, s.match("c").Seats, match.Seats{match.Human(alice), match.Human(carol)})
	})
	subtest(t, open, "the answer to one that is not there is a conflict", func(t *testing.T, s tester) {
		c := invite(t, "c", alice, bob, noon())
		fails(t, s.Save(s.ctx, match.Save{Challenge: match.ChallengeChange{From: c, To: must[match.Challenge](t)(c.Decline(bob, after(1)))}}), match.ErrConflict)
	})
}

// testChallengesOfPlayers tests the search for the pending challenges of a player.
func testChallengesOfPlayers(t *testing.T, open opener) {
	subtest(t, open, "a challenge and its match have one id", func(t *testing.T, s tester) {
		c := invite(t, "c", alice, bob, noon())
		accepted, m := accept(t, c)
		s.invite(c)
		s.save(match.Save{Challenge: match.ChallengeChange{From: c, To: accepted}, Matches: []match.MatchChange{{To: m}}})
		same(t, s.match("c"), m)
		same(t, s.challenge("c"), accepted)
	})
	subtest(t, open, "the pending challenges from and to a player are found, oldest first", func(t *testing.T, s tester) {
		late := invite(t, "a", alice, bob, after(2))
		early := invite(t, "b", carol, alice, after(1))
		others := invite(t, "c", carol, bob, noon())
		answered := invite(t, "d", alice, carol, noon())
		for _, c := range []match.Challenge{late, early, others, answered} {
			s.invite(c)
		}
		s.save(match.Save{Challenge: match.ChallengeChange{From: answered, To: must[match.Challenge](t)(answered.Withdraw(alice, after(1)))}})
		same(t, must[[]match.Challenge](t)(s.PendingChallenges(s.ctx, alice)), []match.Challenge{early, late})
	})
}
