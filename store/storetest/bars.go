package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
)

// bar sets a bar, and returns what it has ended.
func (s tester) bar(v match.Venue, p match.User, until time.Time, how policy.Ending) []match.ID {
	s.t.Helper()
	ended, err := s.SetBar(s.ctx, policy.Bar{Venue: v, Player: p, Until: until}, how, after(1), policy.AuditEntry{})
	if !errors.Is(err, policy.ErrUnchanged) {
		s.do(err)
	}
	slices.Sort(ended)
	return ended
}

// mayPlay returns why the first player may not begin a match with the others in a venue, or nothing.
func (s tester) mayPlay(v match.Venue, at time.Time, players ...match.User) match.Reason {
	s.t.Helper()
	return s.refusal(match.Save{Permit: match.Permit{Venue: v, Players: players, At: at}}).Reason
}

func (s tester) people(only match.User) []policy.Person {
	s.t.Helper()
	return must[[]policy.Person](s.t)(s.People(s.ctx, home, only, after(1), 0, 9))
}

// testBars tests who may not play where, and until when.
func testBars(t *testing.T, open opener) {
	subtest(t, open, "a bar holds in its venue until it ends, for the player and those who ask the player", func(t *testing.T, s tester) {
		s.bar(home, bob, after(60), policy.GoOn)
		same(t, s.mayPlay(home, after(59), bob), match.Barred)
		same(t, s.mayPlay(home, after(59), bob, alice), match.Barred)
		same(t, s.mayPlay(home, after(59), alice, bob), match.OtherBarred)
		same(t, s.mayPlay(home, after(60), bob), "")
		same(t, s.mayPlay(away, after(1), bob), "")
		same(t, s.mayPlay("", after(1), bob), "")
		same(t, s.mayPlay(home, after(1), alice), "")
		same(t, must[policy.Bar](t)(s.Barred(s.ctx, home, bob, after(1))), policy.Bar{Venue: home, Player: bob, Until: after(60)})
		same(t, must[policy.Bar](t)(s.Barred(s.ctx, home, bob, after(60))), policy.Bar{})
		fails(t, s.AddPublicPost(s.ctx, match.PublicPost{By: bob, Place: string(home), ID: "p", At: after(1)}), match.Barred)
		s.do(s.LiftBar(s.ctx, policy.Bar{Venue: home, Player: bob}, policy.AuditEntry{}))
		same(t, s.mayPlay(home, after(1), bob), "")
	})
	subtest(t, open, "the host bars a player everywhere, and everybody in a server", func(t *testing.T, s tester) {
		s.bar("", bob, time.Time{}, policy.Cancel)
		s.bar(away, "", time.Time{}, policy.Cancel)
		same(t, s.mayPlay(home, after(1), bob), match.Barred)
		same(t, s.mayPlay("", after(1), bob), match.Barred)
		same(t, s.mayPlay(away, after(1), alice), match.VenueBarred)
		same(t, s.mayPlay(home, after(1), alice), "")
		same(t, must[[]policy.Bar](t)(s.HostBars(s.ctx)), []policy.Bar{{Player: bob}, {Venue: away}})
		s.bar(home, bob, after(60), policy.GoOn)
		same(t, must[policy.Bar](t)(s.Barred(s.ctx, home, bob, after(1))), policy.Bar{Player: bob}) // the longer one
		same(t, s.people(""), []policy.Person{{Player: bob, Barred: true, Until: after(60)}})
	})
	subtest(t, open, "a bar is set once for its audit entry, and replaces the bar before", func(t *testing.T, s tester) {
		entry := policy.AuditEntry{ID: "e", Venue: home, By: carol, At: after(1), Kind: policy.BarUser, Whom: bob, Chosen: []string{"2026-03-02"}}
		for range 2 {
			_, err := s.SetBar(s.ctx, policy.Bar{Venue: home, Player: bob, Until: after(60)}, policy.GoOn, after(1), entry)
			s.do(err)
			s.bar(home, bob, time.Time{}, policy.GoOn)
		}
		same(t, s.auditLog(home, 0, 9), []policy.AuditEntry{entry})
		same(t, s.people(bob), []policy.Person{{Player: bob, Barred: true}})
	})
	subtest(t, open, "a decision that changes nothing has no audit entry, and a bar says how many matches it voids", func(t *testing.T, s tester) {
		bar := policy.Bar{Venue: home, Player: bob, Until: after(60)}
		entry := func(id match.ID, kind policy.Kind) policy.AuditEntry {
			return policy.AuditEntry{ID: id, Venue: home, By: carol, At: after(1), Kind: kind, Whom: bob}
		}
		set := func(id match.ID, how policy.Ending) error {
			_, err := s.SetBar(s.ctx, bar, how, after(1), entry(id, policy.BarUser))
			return err
		}
		off := begin("off", bob, alice, noon())
		off.Result, off.Ended, off.Deadline = match.Result{Cause: match.ByVoid}, noon(), time.Time{}
		s.create(begin("m", alice, bob, noon()), begin("n", bob, carol, noon()), in(away, begin("other", bob, carol, noon())), off)
		same(t, errors.Is(s.LiftBar(s.ctx, bar, entry("a", policy.LiftBar)), policy.ErrUnchanged), true)
		same(t, errors.Is(s.SetRanked(s.ctx, home, bob, true, entry("b", policy.PutBack)), policy.ErrUnchanged), true)
		s.do(set("c", policy.GoOn))
		same(t, errors.Is(set("d", policy.GoOn), policy.ErrUnchanged), true)
		s.do(set("e", policy.Cancel))
		same(t, errors.Is(set("f", policy.Cancel), policy.ErrUnchanged), true)
		bar.Until = time.Time{}
		s.do(set("g", policy.Cancel))
		s.do(s.SetRanked(s.ctx, home, bob, false, entry("h", policy.TakeOff)))
		same(t, errors.Is(s.SetRanked(s.ctx, home, bob, false, entry("i", policy.TakeOff)), policy.ErrUnchanged), true)
		var kept []match.ID
		for _, d := range s.auditLog(home, 0, 9) {
			kept = append(kept, d.ID+match.ID(fmt.Sprint(d.Chosen)))
		}
		same(t, kept, []match.ID{"h[]", "g[0]", "e[2]", "c[]"})
	})
}

// testBarEndings tests what bars end, and what barred servers and erased players keep.
func testBarEndings(t *testing.T, open opener) {
	subtest(t, open, "a bar ends what waits and goes on, as the moderator chooses, there alone", func(t *testing.T, s tester) {
		for how, want := range map[policy.Ending]match.Cause{policy.GoOn: 0, policy.Cancel: match.ByVoid} {
			p, v := match.User("p-"+how), match.Venue("v-"+how)
			id := func(name string) match.ID { return match.ID(string(how) + "-" + name) }
			m := play(t, in(v, begin(id("m"), p, alice, noon())), noon(), "a1", "b2")
			other := in(away, begin(id("other"), p, alice, noon()))
			s.create(m, other)
			c := invite(t, id("c"), p, bob, noon())
			c.Venue = v
			s.invite(c)
			a := announce(t, id("a"), v, string(id("channel")), p, alice)
			s.extra(arena.Change{To: a})
			crowd := together(id("crowd"), string(how), "")
			crowd.Venue = v
			s.create(crowd)
			s.vote(crowd, p, "a1", 0)

			ended := s.bar(v, p, time.Time{}, how)
			want2 := []match.ID{id("a"), id("c"), id("crowd"), id("m")}
			if how == policy.GoOn {
				want2 = want2[:3]
			}
			same(t, ended, want2)
			same(t, s.match(m.ID).Result.Cause, want)
			same(t, s.match(other.ID).Result.Over(), false)
			same(t, s.challenge(c.ID).Status, match.Withdrawn)
			same(t, s.arena(a.ID).State(p), arena.Left)
			same(t, s.arena(a.ID).State(alice), arena.Ready)
			same(t, len(s.match(crowd.ID).Votes), 0)
		}
	})
	subtest(t, open, "a series is lost to the opponent, also if its game is voided", func(t *testing.T, s tester) {
		m := begin("m", bob, alice, noon())
		m.BestOf = 3
		s.create(m)
		s.bar(home, bob, time.Time{}, policy.Cancel)
		void := s.match("m")
		same(t, void.Result.Cause, match.ByVoid)
		same(t, match.SeriesOf(void, nil).End, match.SeriesOff)
	})
	subtest(t, open, "nothing is posted in a barred server, and no role is given", func(t *testing.T, s tester) {
		s.setRule(ruleOf(home, "6001", "top1"))
		s.do(s.BeginSeason(s.ctx, season.Season{Venue: home, Number: 1, Name: "Winter", Began: noon(), Ends: after(60), Channel: "5001"}, entryOf(policy.Policy{Venue: home})))
		same(t, must[int](t)(s.EndSeasons(s.ctx, after(60))), 1)
		s.bar(home, "", time.Time{}, policy.Cancel)
		same(t, must[[]match.Venue](t)(s.RankRoleVenues(s.ctx)), nil)
		same(t, must[[]season.Season](t)(s.Unannounced(s.ctx, 9)), nil)
		s.do(s.LiftBar(s.ctx, policy.Bar{Venue: home}, policy.AuditEntry{}))
		same(t, must[[]match.Venue](t)(s.RankRoleVenues(s.ctx)), []match.Venue{home})
		same(t, len(must[[]season.Season](t)(s.Unannounced(s.ctx, 9))), 1)
	})
	subtest(t, open, "a barred server's matches are void, its challenges withdrawn and its arenas off", func(t *testing.T, s tester) {
		s.create(begin("m", alice, bob, noon()), in(away, begin("other", alice, bob, noon())))
		s.invite(invite(t, "c", alice, carol, noon()))
		s.extra(arena.Change{To: announce(t, "a", home, "channel", alice)})
		same(t, s.bar(home, "", time.Time{}, policy.Cancel), []match.ID{"a", "c", "m"})
		same(t, s.match("m").Result.Cause, match.ByVoid)
		same(t, s.match("other").Result.Over(), false)
		same(t, s.challenge("c").Status, match.Withdrawn)
		same(t, s.arena("a").Status, arena.CalledOff)
	})
	subtest(t, open, "a player who has deleted the data stays barred, without an id", func(t *testing.T, s tester) {
		s.bar(home, bob, time.Time{}, policy.GoOn)
		s.bar("", bob, after(600), policy.GoOn)
		s.do(s.SetRanked(s.ctx, home, bob, false, policy.AuditEntry{}))
		same(t, must[user.Held](t)(s.Held(s.ctx, bob)).Bars, 3)
		data := s.data(bob)
		same(t, data.Barred, []policy.Bar{{Player: bob, Until: after(600)}, {Venue: home, Player: bob}})
		same(t, data.Unranked, []match.Venue{home})
		s.erase(bob, after(2))
		same(t, must[user.Held](t)(s.Held(s.ctx, bob)), user.Held{})
		same(t, s.mayPlay(home, after(3), bob), match.Barred)
		same(t, s.mayPlay("", after(3), bob), match.Barred)
		same(t, s.people(""), []policy.Person{{Player: match.Left, Barred: true}})
		same(t, s.people(bob), []policy.Person{{Player: bob, Barred: true}})
		s.do(s.LiftBar(s.ctx, policy.Bar{Venue: home, Player: bob}, policy.AuditEntry{}))
		s.do(s.LiftBar(s.ctx, policy.Bar{Player: bob}, policy.AuditEntry{}))
		same(t, s.mayPlay(home, after(3), bob), "")
	})
}

// testUnranked tests that a player can be taken off the leaderboards of a venue without any change for others.
func testUnranked(t *testing.T, open opener) {
	subtest(t, open, "a player off the leaderboards has no place there, and others close up", func(t *testing.T, s tester) {
		for i, p := range []match.User{alice, bob, carol} {
			for n := range 3 - i {
				m := begin(match.ID("m"+string(p)+string(rune('0'+n))), p, "loser", after(10*n+i))
				m.Stakes = rating.Full
				s.finish(m, after(10*n+i), xWins())
			}
		}
		shown := func() (players []match.User) {
			for i, r := range s.page(score.People, 1, bob).Rows {
				same(t, r.Rank, i+1)
				players = append(players, r.Player)
			}
			return players
		}
		led := func() (players []match.User) {
			for _, r := range s.ladder(1, "").Rows {
				players = append(players, r.Player)
			}
			return players
		}
		before, ratings := s.page(score.People, 1, ""), s.data(bob).Ratings
		same(t, shown(), []match.User{alice, bob, carol, "loser"})
		s.do(s.SetRanked(s.ctx, home, bob, false, policy.AuditEntry{}))
		for range 2 {
			same(t, shown(), []match.User{alice, carol, "loser"})
			same(t, slices.Contains(led(), bob), false)
			same(t, s.page(score.People, 1, bob).Own, nil)
			same(t, s.people(""), []policy.Person{{Player: bob, Off: true}})
			same(t, must[int](t)(s.Store.(Restored).RebuildScores(s.ctx, nil)), 0)
			same(t, s.data(bob).Ratings, ratings)
		}
		s.do(s.SetRanked(s.ctx, home, bob, true, policy.AuditEntry{}))
		same(t, s.page(score.People, 1, ""), before)
		s.do(s.SetRanked(s.ctx, home, bob, false, policy.AuditEntry{}))
		s.ended("late", bob, "loser", after(900), xWins())
		same(t, shown(), []match.User{alice, carol, "loser"})
		s.ended("late2", bob, alice, after(990), xWins())
		s.do(s.SetRanked(s.ctx, home, bob, true, policy.AuditEntry{}))
		same(t, shown(), []match.User{bob, alice, carol, "loser"})
	})
}

// raceBars lets a player begin matches through two stores at the instant at which the player is barred. It tests that none goes on.
func raceBars(t *testing.T, open pair) {
	subtestOfTwo(t, open, "no match of a player goes on who is barred as it begins", func(t *testing.T, one, other tester) {
		var all sync.WaitGroup
		now := make(chan struct{})
		var begun atomic.Int32
		for n := range 16 {
			all.Go(func() {
				<-now
				m := begin(match.ID(fmt.Sprint("m", n)), bob, match.User(fmt.Sprint("other", n)), noon())
				err := pick(n, one, other).Save(t.Context(), match.Save{
					Permit: match.Permit{Venue: home, Players: m.Seats.Players(), At: noon()}, Matches: []match.MatchChange{{To: m}},
				})
				switch {
				case err == nil:
					begun.Add(1)
				case !errors.Is(err, match.Barred) && !errors.Is(err, match.ErrBusy):
					t.Error(err)
				}
			})
		}
		all.Go(func() {
			<-now
			if _, err := other.SetBar(t.Context(), policy.Bar{Venue: home, Player: bob}, policy.Cancel, noon(), policy.AuditEntry{}); err != nil {
				t.Error(err)
			}
		})
		close(now)
		all.Wait()
		same(t, must[[]match.Match](t)(one.OpenMatches(t.Context(), bob)), nil)
		same(t, one.mayPlay(home, noon(), bob), match.Barred)
		t.Log(begun.Load(), "matches had begun")
	})
}
