package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"tictactoe/internal/match"
)

// begun saves n open matches of two players, who take turns at X.
func (s tester) begun(n int, p, q match.User) {
	s.t.Helper()
	for i := range n {
		x, o := p, q
		if i%2 == 1 {
			x, o = q, p
		}
		s.create(begin(match.ID(fmt.Sprint(p, q, i)), x, o, noon()))
	}
}

// begunAlone saves n open matches against the computer.
func (s tester) begunAlone(n int, p match.User) {
	s.t.Helper()
	for i := range n {
		s.create(computer(match.ID(fmt.Sprint(i)), p, "easy", noon()))
	}
}

// invited saves n challenges.
func (s tester) invited(n int, from, to match.User) {
	s.t.Helper()
	for i := range n {
		s.invite(invite(s.t, match.ID(fmt.Sprint("c", i)), from, to, noon()))
	}
}

// quotaCase says whether alice may begin a match or challenge after setup has saved others.
type quotaCase struct {
	name    string
	other   match.User
	pending bool
	at      time.Time
	setup   func(tester)
	want    match.Reason
}

func quotaCases() []quotaCase {
	lapsed := noon().Add(match.ChallengeTime)
	return []quotaCase{
		{"an empty store has room", bob, true, noon(), func(tester) {}, ""},
		{"open matches count on either side", bob, false, noon(), func(s tester) { s.begun(3, alice, carol) }, match.TooManyYours},
		{"one fewer leaves room", bob, true, noon(), func(s tester) { s.begun(2, alice, carol) }, ""},
		{"matches that are over do not count", bob, true, noon(), func(s tester) {
			for i := range 3 {
				s.ended(match.ID(fmt.Sprint(i)), alice, bob, noon(), xWins())
			}
		}, ""},
		{"matches against the computer count", "", true, noon(), func(s tester) { s.begunAlone(3, alice) }, match.TooManyYours},
		{"and take no room between two", bob, true, noon(), func(s tester) { s.begunAlone(2, alice) }, ""},
		{"the computer has always room", "", true, noon(), func(s tester) { s.begunAlone(3, carol) }, ""},
		{"the matches of a pair count on either side", bob, true, noon(), func(s tester) { s.begun(2, alice, bob) }, match.TooManyPair},
		{"the other player's matches count", bob, true, noon(), func(s tester) { s.begun(3, carol, bob) }, match.TooManyTheirs},
		{"challenges that were sent count", bob, true, noon(), func(s tester) { s.invited(3, alice, carol) }, match.TooManyYours},
		{"unless they are not asked for", bob, false, noon(), func(s tester) { s.invited(3, alice, carol) }, ""},
		{"or have run out", bob, true, lapsed, func(s tester) { s.invited(3, alice, carol) }, ""},
		{"or were answered", bob, true, noon(), func(s tester) {
			c := invite(s.t, "c", alice, bob, noon())
			s.invite(c)
			s.save(match.Save{Challenge: match.ChallengeChange{From: c, To: must[match.Challenge](s.t)(c.Decline(bob, after(1)))}})
		}, ""},
		{"or came from others", bob, true, noon(), func(s tester) { s.invited(3, carol, alice) }, ""},
		{"a challenge between the two is pending", bob, true, noon(), func(s tester) { s.invited(1, alice, bob) }, match.AlreadyPending},
		{"whoever sent it", bob, true, noon(), func(s tester) { s.invited(1, bob, alice) }, match.AlreadyPending},
		{"unless it is not asked for, since it is the one that is accepted", bob, false, noon(), func(s tester) { s.invited(1, bob, alice) }, ""},
		{"or has run out", bob, true, lapsed, func(s tester) { s.invited(1, bob, alice) }, ""},
		{"an open challenge is not one between two", bob, true, noon(), func(s tester) { s.invited(1, alice, "") }, ""},
		{"nor between a player and the computer", "", true, noon(), func(s tester) { s.invited(1, alice, "") }, ""},
		{"but it was sent", bob, true, noon(), func(s tester) { s.invited(3, alice, "") }, match.TooManyYours},
	}
}

func testQuotas(t *testing.T, open opener) {
	for _, tt := range quotaCases() {
		subtest(t, open, tt.name, func(t *testing.T, s tester) {
			tt.setup(s)
			quota := match.Quota{By: alice, Other: tt.other, Limits: match.Limits{Open: 3, Pair: 2}, At: tt.at, Pending: tt.pending}
			refusal := s.refusal(match.Save{Quota: quota, Names: []match.Name{{Player: alice, Name: "Alice"}}})
			same(t, refusal.Reason, tt.want)
			if tt.want == match.AlreadyPending {
				same(t, *refusal.Challenge, s.challenge("c0"))
			}
			same(t, len(s.names(alice)) > 0, tt.want == "")
		})
	}
	t.Run("a player has one open challenge in a venue", func(t *testing.T) {
		for _, tt := range []struct {
			name  string
			venue match.Venue
			at    time.Time
			setup func(tester)
			want  match.Reason
		}{
			{"the first", home, noon(), func(tester) {}, ""},
			{"no second", home, noon(), func(s tester) { s.invited(1, alice, "") }, match.AlreadyPending},
			{"but one elsewhere", "elsewhere", noon(), func(s tester) { s.invited(1, alice, "") }, ""},
			{"or once the first has run out", home, noon().Add(match.OpenChallengeTime), func(s tester) { s.invited(1, alice, "") }, ""},
			{"or beside challenges to somebody", home, noon(), func(s tester) { s.invited(2, alice, bob) }, ""},
			{"or beside open challenges of others", home, noon(), func(s tester) { s.invited(1, bob, "") }, ""},
			{"if there is room for one", home, noon(), func(s tester) { s.invited(3, alice, bob) }, match.TooManyYours},
		} {
			subtest(t, open, tt.name, func(t *testing.T, s tester) {
				tt.setup(s)
				refusal := s.refusal(match.Save{Quota: match.Quota{
					By: alice, Limits: match.Limits{Open: 3, Pair: 2}, At: tt.at, Pending: true, Open: true, Venue: tt.venue,
				}})
				same(t, refusal.Reason, tt.want)
				if tt.want == match.AlreadyPending {
					same(t, *refusal.Challenge, s.challenge("c0"))
				}
			})
		}
	})
	subtest(t, open, "a full quota of the player who has opened a challenge looks like a block", func(t *testing.T, s tester) {
		s.begun(3, carol, bob)
		refusal := s.refusal(match.Save{Quota: match.Quota{By: alice, Other: bob, Limits: match.Limits{Open: 3, Pair: 2}, At: noon(), Open: true}})
		same(t, refusal, match.Refusal{Reason: match.NotOpen, Player: bob})
	})
	subtest(t, open, "matches that end in the same transaction make room, new ones do not count", func(t *testing.T, s tester) {
		room := match.Quota{By: alice, Limits: match.Limits{Open: 1}, At: noon()}
		m := begin("m", alice, bob, noon())
		s.create(m)
		over := must[match.Match](t)(m.Resign(alice, 0, after(1)))
		s.save(match.Save{Quota: room, Matches: []match.MatchChange{{To: begin("n", alice, bob, after(1))}, {From: m, To: over}}})
	})
}

// testPosts tests the limit of public posts.
func testPosts(t *testing.T, open opener) {
	post := func(id string, at int) match.PublicPost {
		return match.PublicPost{By: alice, Place: "home", ID: id, At: after(at)}
	}
	// full saves as many posts as there is room for, a second apart.
	full := func(s tester) {
		s.t.Helper()
		for i := range match.MaxPosts {
			s.do(s.AddPublicPost(s.ctx, post(fmt.Sprint(i), i)))
		}
	}
	// waits tests that a post is refused until the given second.
	waits := func(s tester, p match.PublicPost, until int) {
		s.t.Helper()
		refusal, _ := errors.AsType[*match.Refusal](s.AddPublicPost(s.ctx, p))
		if refusal == nil {
			s.t.Fatalf("%+v is not refused", p)
		}
		same(s.t, *refusal, match.Refusal{Reason: match.TooManyPosts, Limit: match.MaxPosts, Until: after(until)})
	}
	subtest(t, open, "after five posts the sixth waits until the first is a minute old, however often it is tried", func(t *testing.T, s tester) {
		full(s)
		for i := 5; i < 60; i++ {
			waits(s, post(fmt.Sprint("further ", i), i), 60)
		}
		s.do(s.AddPublicPost(s.ctx, post("5", 60)))
		waits(s, post("6", 60), 61)
	})
	subtest(t, open, "another player, and the same one in another place, have room of their own", func(t *testing.T, s tester) {
		full(s)
		s.do(s.AddPublicPost(s.ctx, match.PublicPost{By: bob, Place: "home", ID: "b", At: after(5)}))
		s.do(s.AddPublicPost(s.ctx, match.PublicPost{By: alice, Place: "away", ID: "a", At: after(5)}))
	})
	subtest(t, open, "an interaction that comes again counts once", func(t *testing.T, s tester) {
		full(s)
		s.do(s.AddPublicPost(s.ctx, post("0", 9)))
		waits(s, post("5", 9), 60)
	})
	subtest(t, open, "posts of a clock that was set back by more than a minute do not count", func(t *testing.T, s tester) {
		full(s)
		s.do(s.AddPublicPost(s.ctx, post("back", -3600)))
	})
	subtest(t, open, "a match is created with its post or not at all", func(t *testing.T, s tester) {
		save := func(n int) match.Save {
			m := computer(match.ID(fmt.Sprint("m", n)), alice, "easy", after(n))
			return match.Save{Matches: []match.MatchChange{{To: m}}, Extras: []match.Extra{post(string(m.ID), n)}}
		}
		for i := range match.MaxPosts {
			s.save(save(i))
		}
		same(t, s.refusal(save(5)).Reason, match.TooManyPosts)
		s.missing("m5")
		waits(s, post("share", 6), 60)
	})
	subtest(t, open, "posts are forgotten once they do not count, and with the player's data", func(t *testing.T, s tester) {
		full(s)
		s.do(s.ForgetClaims(s.ctx, after(59)))
		waits(s, post("5", 59), 60)
		s.do(s.ForgetClaims(s.ctx, after(61)))
		s.do(s.AddPublicPost(s.ctx, post("early", 3))) // the first two are gone, though they would count for a post of this time
		s.do(s.AddPublicPost(s.ctx, post("as early", 3)))
		waits(s, post("third", 4), 62)
		s.erase(alice, after(5))
		full(s)
	})
}
