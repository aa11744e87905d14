package storetest

import (
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
)

func (s tester) policy(v match.Venue) policy.Policy {
	s.t.Helper()
	return must[policy.Policy](s.t)(s.Policy(s.ctx, v))
}

// strict returns a policy with a value in every field.
func strict() policy.Policy {
	return policy.Policy{
		Venue: home, Places: []string{"5001", "5002"}, TurnTime: 5 * time.Minute, Levels: []string{"easy", "hard"}, Boards: []string{"4x4", "drop"}, MentionsOff: true, Unrated: true, Off: []policy.Feature{policy.Profiles},
		Language: "pt-BR", Told: "6001", ArenasByAll: true, TidyAfter: 10 * time.Minute, PlacesOnly: true, LeaversOff: true, Staff: []string{"6002", "6003"}, Version: 1,
	}
}

// testSetPolicies tests that a stored policy is read unchanged.
func testSetPolicies(t *testing.T, open opener) {
	subtest(t, open, "a policy is read as it was set, and is of its venue alone", func(t *testing.T, s tester) {
		s.do(s.SetPolicy(s.ctx, policy.Policy{Venue: home}, strict(), entryOf(strict())))
		same(t, s.policy(home), strict())
		same(t, s.policy(away), policy.Policy{Venue: away})
		freed := policy.Policy{Venue: home, Version: 2}
		s.do(s.SetPolicy(s.ctx, strict(), freed, entryOf(freed)))
		same(t, s.policy(home), freed)
	})
	subtest(t, open, "two changes of one policy do not undo each other", func(t *testing.T, s tester) {
		none := policy.Policy{Venue: home}
		s.do(s.SetPolicy(s.ctx, none, strict(), entryOf(strict())))
		for _, from := range []policy.Policy{none, {Venue: home, Version: 7}} {
			to := policy.Policy{Venue: home, Version: from.Version + 1}
			fails(t, s.SetPolicy(s.ctx, from, to, entryOf(to)), match.ErrConflict)
		}
		same(t, s.policy(home), strict())
	})
	subtest(t, open, "a policy without a venue, or of an old version, is refused", func(t *testing.T, s tester) {
		refuses(t, s.SetPolicy(s.ctx, policy.Policy{}, policy.Policy{Version: 1}, entryOf(strict())))
		refuses(t, s.SetPolicy(s.ctx, strict(), strict(), entryOf(strict())))
		same(t, s.auditLog(home, 0, 9), nil)
	})
}

// testRepeatedRulings tests that a ruling that is sent again, because its answer was lost, leaves alone what was decided since.
func testRepeatedRulings(t *testing.T, open opener) {
	rulings := func(s tester) map[string]func(first bool, id match.ID) {
		entry := func(id match.ID) policy.AuditEntry {
			return policy.AuditEntry{ID: id, Venue: home, By: carol, At: noon(), Kind: policy.SetPlaces, Chosen: []string{"5001"}}
		}
		none, freed := policy.Policy{Venue: home}, policy.Policy{Venue: home, Version: 2}
		roles := map[bool]string{true: "top1", false: "top10"}
		channels := map[bool]string{true: "5001", false: "5002"}
		return map[string]func(first bool, id match.ID){
			"policy": func(first bool, id match.ID) {
				if first {
					s.do(s.SetPolicy(s.ctx, none, strict(), entry(id)))
				} else {
					s.do(s.SetPolicy(s.ctx, strict(), freed, entry(id)))
				}
			},
			"role": func(first bool, id match.ID) {
				s.do(s.SetRankRole(s.ctx, ruleOf(home, "6001", rankrole.Merit(roles[first])), entry(id)))
			},
			"post": func(first bool, id match.ID) {
				p := posting.Post{Venue: home, Kind: posting.Puzzle, Channel: channels[first], Every: posting.Day, Next: today()}
				s.do(s.SetPost(s.ctx, p, entry(id)))
			},
			"leaderboards": func(first bool, id match.ID) { s.do(s.SetRanked(s.ctx, home, alice, !first, entry(id))) },
		}
	}
	for _, name := range []string{"policy", "role", "post", "leaderboards"} {
		subtest(t, open, name, func(t *testing.T, s tester) {
			rule := rulings(s)[name]
			rule(true, "1")
			rule(false, "2")
			state := func() []any {
				return []any{s.policy(home), s.rules(home), s.postOf(home, posting.Puzzle), s.people(alice), len(s.auditLog(home, 0, 9))}
			}
			before := state()
			rule(true, "1")
			same(t, state(), before)
		})
	}
	subtest(t, open, "scores", func(t *testing.T, s tester) {
		reset := policy.AuditEntry{ID: "1", Venue: home, By: carol, At: after(60), Kind: policy.ResetScores}
		s.do(s.ResetScores(s.ctx, reset))
		s.ended("m", alice, bob, after(61), xWins())
		s.do(s.ResetScores(s.ctx, reset))
		same(t, s.own(alice), []score.Entry{{Venue: home, Player: alice, Tally: score.Tally{Wins: 1}}})
	})
}

// testPermits tests the permissions of a policy.
func testPermits(t *testing.T, open opener) {
	subtest(t, open, "the default policy allows everything", func(t *testing.T, s tester) {
		same(t, s.policy(home), policy.Policy{Venue: home})
		s.save(match.Save{Permit: match.Permit{Venue: home, Places: []string{"5001"}, Level: "easy"}})
		s.save(match.Save{Permit: match.Permit{Places: []string{"5001"}}})
	})
	subtest(t, open, "a save that the policy does not permit is not saved, nor its other parts", func(t *testing.T, s tester) {
		s.do(s.SetPolicy(s.ctx, policy.Policy{Venue: home}, strict(), entryOf(strict())))
		for _, tt := range []struct {
			ask  match.Permit
			want match.Reason
		}{
			{match.Permit{Venue: home, Places: []string{"5003"}}, match.WrongPlace},
			{match.Permit{Venue: home, Places: []string{"5002"}, Level: "unbeatable"}, match.LevelWithheld},
			{match.Permit{Venue: home, Places: []string{"5002"}, Level: "easy", Board: "classic"}, match.BoardWithheld},
		} {
			m := begin("m", alice, bob, noon())
			fails(t, s.Save(s.ctx, match.Save{Permit: tt.ask, Matches: []match.MatchChange{{To: m}}}), tt.want)
			fails(t, errorOf(s.Match(s.ctx, "m")), match.ErrNotFound)
		}
		s.save(match.Save{Permit: match.Permit{Venue: home, Places: []string{"5003", "5001"}, Level: "hard", Board: "drop"}})
		s.save(match.Save{Permit: match.Permit{Venue: away, Places: []string{"5003"}, Level: "unbeatable"}})
	})
}

func testVenueMatches(t *testing.T, open opener) {
	subtest(t, open, "the matches of a venue are found, the latest first", func(t *testing.T, s tester) {
		var running, ended []match.Match
		for i := range 5 {
			m := begin(match.ID(fmt.Sprint("r", i)), alice, bob, after(i))
			s.create(m)
			running = append([]match.Match{m}, running...)
			ended = append([]match.Match{s.ended(match.ID(fmt.Sprint("e", i)), alice, bob, after(100*i), xWins())}, ended...)
		}
		s.create(in(away, begin("x", alice, bob, after(50))))
		s.aborted("y", after(900))
		s.void(ended[1], after(999))
		ended = append(ended[:1], ended[2:]...)

		same(t, must[[]match.Match](t)(s.Running(s.ctx, home, 0, 9)), running)
		same(t, must[[]match.Match](t)(s.Running(s.ctx, home, 1, 2)), running[1:3])
		same(t, must[[]match.Match](t)(s.Ended(s.ctx, home, 0, 9)), ended)
		same(t, must[[]match.Match](t)(s.Ended(s.ctx, home, 2, 1)), ended[2:3])
		same(t, must[[]match.Match](t)(s.Ended(s.ctx, away, 0, 9)), nil)
	})
}

// entryOf returns a new audit entry for a change of a policy, and resetOf a new audit entry for a reset of the scores of a venue.
func entryOf(p policy.Policy) policy.AuditEntry {
	return policy.AuditEntry{ID: match.ID(rand.Text()), Venue: p.Venue, By: carol, At: noon(), Kind: policy.SetMentions, Chosen: []string{"off"}}
}

func resetOf(v match.Venue, at time.Time) policy.AuditEntry {
	return policy.AuditEntry{ID: match.ID(rand.Text()), Venue: v, By: carol, At: at, Kind: policy.ResetScores}
}

// undoOf returns an audit entry by bob that undoes e.
func undoOf(e policy.AuditEntry) policy.AuditEntry {
	return policy.AuditEntry{
		ID: match.ID(rand.Text()), Venue: e.Venue, By: bob, At: e.At.Add(time.Second), Kind: policy.Undo, Match: e.Match,
		Chosen: []string{string(e.Kind)}, Undoes: e.ID,
	}
}

// auditLog reads entries of a venue.
func (s tester) auditLog(v match.Venue, skip, limit int) []policy.AuditEntry {
	s.t.Helper()
	return must[[]policy.AuditEntry](s.t)(s.AuditLog(s.ctx, v, skip, limit))
}

func testAuditLog(t *testing.T, open opener) {
	entry := func(n int, v match.Venue) policy.AuditEntry {
		return policy.AuditEntry{ID: match.ID(fmt.Sprint("d", v, n)), Venue: v, By: carol, At: after(n), Kind: policy.ResetScores}
	}

	subtest(t, open, "deeds are read as they were saved, the latest first", func(t *testing.T, s tester) {
		all := []policy.AuditEntry{
			{ID: "1", Venue: home, By: carol, At: after(1), Kind: policy.SetPlaces, Chosen: []string{"5001", "5002"}},
			{ID: "2", Venue: home, By: carol, At: after(2), Kind: policy.SetTurnTime, Chosen: []string{"5m0s"}},
			{ID: "3", Venue: home, By: carol, At: after(3), Kind: policy.SetLevels, Chosen: []string{"easy"}},
			{ID: "4", Venue: home, By: carol, At: after(4), Kind: policy.SetMentions, Chosen: []string{"off"}},
			{ID: "5", Venue: home, By: carol, At: after(5), Kind: policy.SetRatings, Chosen: []string{"off"}},
			{ID: "6", Venue: home, By: carol, At: after(6), Kind: policy.CallDraw, Match: "m"},
			{ID: "7", Venue: home, By: bob, At: after(7), Kind: policy.Void, Match: "m"},
			{ID: "8", Venue: home, By: carol, At: after(8), Kind: policy.ResetScores},
		}
		var want []policy.AuditEntry
		for _, d := range all {
			s.extra(d)
			want = append([]policy.AuditEntry{d}, want...)
		}
		s.extra(entry(9, away))
		same(t, s.auditLog(home, 0, 99), want)
		same(t, s.auditLog(home, 2, 3), want[2:5])
	})
	subtest(t, open, "one that undoes another is saved with what it undoes, and there is one for each", testUndoing)
	subtest(t, open, "a deed is saved once", func(t *testing.T, s tester) {
		s.extra(entry(1, home))
		s.extra(entry(1, home))
		same(t, s.auditLog(home, 0, 99), []policy.AuditEntry{entry(1, home)})
	})
	subtest(t, open, "a deed that makes no sense is refused", func(t *testing.T, s tester) {
		for name, spoil := range map[string]func(*policy.AuditEntry){
			"without id": func(d *policy.AuditEntry) { d.ID = "" }, "without venue": func(d *policy.AuditEntry) { d.Venue = "" },
			"of nobody": func(d *policy.AuditEntry) { d.By = "" }, "at no time": func(d *policy.AuditEntry) { d.At = time.Time{} },
			"of no kind": func(d *policy.AuditEntry) { d.Kind = "" }, "about no match": func(d *policy.AuditEntry) { d.Kind = policy.Void },
			"about a match":                      func(d *policy.AuditEntry) { d.Match = "m" },
			"that undoes, and is something else": func(d *policy.AuditEntry) { d.Undoes = "1" },
		} {
			d := entry(1, home)
			spoil(&d)
			if s.Save(s.ctx, match.Save{Extras: []match.Extra{d}}) == nil {
				t.Errorf("saved %s", name)
			}
		}
	})
	subtest(t, open, "the newest of each venue are kept", func(t *testing.T, s tester) {
		s.extra(entry(0, away))
		var many []match.Extra
		for n := range policy.Kept + 3 {
			many = append(many, entry(n, home))
		}
		s.extra(many...)
		kept := s.auditLog(home, 0, policy.Kept+9)
		if len(kept) != policy.Kept {
			t.Fatalf("%d are kept", len(kept))
		}
		same(t, []policy.AuditEntry{kept[0], kept[len(kept)-1]}, []policy.AuditEntry{entry(policy.Kept+2, home), entry(3, home)})
		same(t, s.auditLog(away, 0, 9), []policy.AuditEntry{entry(0, away)})
	})
}

// testUndoing tests an entry that undoes another.
func testUndoing(t *testing.T, s tester) {
	set := policy.AuditEntry{ID: "0", Venue: home, By: carol, At: after(1), Kind: policy.SetTold, Chosen: []string{"7"}, Was: []string{"told"}}
	s.extra(set)
	same(t, must[policy.AuditEntry](t)(s.AuditEntry(s.ctx, home, "0")), set)
	void := policy.AuditEntry{ID: "1", Venue: home, By: carol, At: after(1), Kind: policy.Void, Match: "m"}
	undo := undoOf(void)
	s.extra(void)
	same(t, must[policy.AuditEntry](t)(s.AuditEntry(s.ctx, home, "1")), void)
	s.extra(undo)
	void.Undone = true
	same(t, s.auditLog(home, 0, 99), []policy.AuditEntry{undo, void, set})
	same(t, must[policy.AuditEntry](t)(s.AuditEntry(s.ctx, home, "1")), void)
	for _, missing := range []struct {
		venue match.Venue
		id    match.ID
	}{{away, "1"}, {home, "2"}} {
		fails(t, errorOf(s.AuditEntry(s.ctx, missing.venue, missing.id)), match.ErrNotFound)
	}

	// The other parts of a save with an outdated policy are not saved either.
	m := begin("m", alice, bob, noon())
	fails(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{To: m}}, Extras: []match.Extra{undoOf(void)}}), match.Undone)
	fails(t, errorOf(s.Match(s.ctx, "m")), match.ErrNotFound)
}
