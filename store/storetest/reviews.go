package storetest

import (
	"strings"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/score"
)

// unreviewed returns the ids of the matches that are due for review.
func (s tester) unreviewed(limit int) string {
	s.t.Helper()
	var ids []string
	for _, m := range must[[]match.Match](s.t)(s.Unreviewed(s.ctx, limit)) {
		ids = append(ids, string(m.ID))
	}
	return strings.Join(ids, " ")
}

// judge saves a review of the moves of X and O.
func (s tester) judge(id match.ID, x, o profile.Side) {
	s.t.Helper()
	s.do(s.KeepVerdicts(s.ctx, []profile.Verdict{{Match: id, Judged: true, Sides: [2]profile.Side{x, o}}}))
}

// testUnreviewed tests which matches are due for review.
func testUnreviewed(t *testing.T, open opener) {
	subtest(t, open, "matches that count are due in the order in which they ended, until something is kept of them", func(t *testing.T, s tester) {
		s.create(begin("goes on", alice, bob, noon()))
		s.aborted("called off", noon())
		s.ended("3", alice, bob, after(30), xWins())
		s.ended("1", carol, bob, after(10), drawn())
		s.finish(computer("2", alice, "easy", after(20)), after(20), xWins())
		s.ended("b", alice, bob, after(40), xWins())
		s.ended("a", alice, bob, after(40), xWins())
		same(t, s.unreviewed(10), "1 2 3 a b")
		same(t, s.unreviewed(2), "1 2")
		same(t, must[[]match.Match](t)(s.Unreviewed(s.ctx, 1))[0].Record.Len(), 9)
		s.do(s.KeepVerdicts(s.ctx, []profile.Verdict{{Match: "2", Judged: true}, {Match: "1"}}))
		same(t, s.unreviewed(10), "3 a b")
		s.judge("3", profile.Side{Critical: 1}, profile.Side{})
		s.do(s.KeepVerdicts(s.ctx, nil))
		same(t, s.unreviewed(10), "a b")
	})
	subtest(t, open, "stored reviews are read in parts, in the order of the ids", func(t *testing.T, s tester) {
		for i, id := range []match.ID{"3", "1", "2", "4"} {
			s.ended(id, alice, bob, after(10*i), xWins())
		}
		s.judge("3", profile.Side{Critical: 3, Errors: 1, Recovered: true}, profile.Side{})
		s.judge("1", profile.Side{}, profile.Side{Critical: 2, Errors: 2})
		s.do(s.KeepVerdicts(s.ctx, []profile.Verdict{{Match: "2"}}))
		judged := func(after match.ID) []profile.Verdict {
			matches, kept, err := s.Judged(s.ctx, after, 1)
			s.do(err)
			for i, m := range matches {
				same(t, m.ID, kept[i].Match)
				same(t, m, s.match(m.ID))
			}
			return kept
		}
		same(t, judged(""), []profile.Verdict{{Match: "1", Judged: true, Sides: [2]profile.Side{{}, {Critical: 2, Errors: 2}}}})
		same(t, judged("1"), []profile.Verdict{{Match: "3", Judged: true, Sides: [2]profile.Side{{Critical: 3, Errors: 1, Recovered: true}, {}}}})
		same(t, len(judged("3")), 0)
	})
	subtest(t, open, "a match that is void is not due", func(t *testing.T, s tester) {
		s.void(s.ended("1", alice, bob, after(10), xWins()), after(20))
		same(t, s.unreviewed(10), "")
	})
	subtest(t, open, "a stored review does not change the match", func(t *testing.T, s tester) {
		m := s.ended("1", alice, bob, after(10), xWins())
		s.judge("1", profile.Side{Critical: 1}, profile.Side{})
		same(t, s.match("1"), m)
		proposed, _ := askRematch(t, m, bob, m.Version, "n", after(15))
		s.replace(m, proposed)
		same(t, s.record(profile.Scope{}, alice).Reviewed().Critical, 1)
	})
}

// testJudged tests the sums over the reviews of a player's matches.
func testJudged(t *testing.T, open opener) {
	atHome := profile.Scope{Venue: home}
	back := profile.Side{Critical: 2, Errors: 1, Recovered: true}
	subtest(t, open, "both sides are counted, against people and each level", testBothSides)
	subtest(t, open, "a match is perfect without an error in many critical moves, unless it was lost", func(t *testing.T, s tester) {
		const n = profile.MinCritical
		for id, c := range map[match.ID]struct {
			squares []string
			x       profile.Side
		}{
			"won": {xWins(), side(n, 0)}, "drawn": {drawn(), side(n+1, 0)}, "lost": {oWins(), side(n, 0)},
			"with too few": {xWins(), side(n-1, 0)}, "with an error": {xWins(), side(n+1, 1)},
		} {
			s.ended(id, alice, bob, after(10), c.squares)
			s.judge(id, c.x, side(0, 0))
		}
		same(t, s.record(atHome, alice).Earnest().Perfect, 2)
		same(t, s.record(atHome, bob).Earnest().Perfect, 0)
	})
	subtest(t, open, "a comeback is one that was not lost", func(t *testing.T, s tester) {
		for i, squares := range [][]string{xWins(), drawn(), oWins()} {
			id := match.ID(string(rune('1' + i)))
			s.ended(id, alice, bob, after(10), squares)
			s.judge(id, back, side(1, 0))
		}
		same(t, s.record(atHome, alice).Earnest().Comebacks, 2)
		same(t, s.record(atHome, bob).Earnest().Comebacks, 0)
	})
	subtest(t, open, "a draw that a moderator called is neither", func(t *testing.T, s tester) {
		m := begin("1", alice, bob, noon())
		s.create(m)
		s.replace(m, must[match.Match](t)(m.CallDraw(after(1))))
		s.judge("1", side(profile.MinCritical, 0), back)
		for _, p := range []match.User{alice, bob} {
			if j := s.record(atHome, p).Reviewed(); j.Matches != 1 || j.Perfect+j.Comebacks > 0 {
				t.Errorf("%s: %+v", p, j)
			}
		}
	})
	subtest(t, open, "a match that is void says nothing, nor does one from before the latest reset or from elsewhere", func(t *testing.T, s tester) {
		for id, at := range map[match.ID]int{"before": 10, "void": 210, "since": 220} {
			s.ended(id, alice, bob, after(at), xWins())
			s.judge(id, side(2, 1), side(1, 1))
		}
		s.endedAt(away, game.Classic(), "away", alice, bob, after(10), xWins())
		s.judge("away", side(7, 0), side(1, 1))
		s.void(s.match("void"), after(300))
		s.do(s.ResetScores(s.ctx, resetOf(home, after(100))))
		same(t, s.record(atHome, alice).Reviewed(), profile.Judged{Matches: 1, Critical: 2, Errors: 1})
		same(t, s.record(profile.Scope{Venue: away}, alice).Reviewed().Critical, 7)
		same(t, s.record(profile.Scope{Venue: home, Rules: must[game.Rules](t)(game.ParseRules("4x4"))}, alice).Reviewed(), profile.Judged{})
	})
	subtest(t, open, "erasing one player keeps the review of the other", func(t *testing.T, s tester) {
		s.ended("1", alice, bob, after(10), xWins())
		s.judge("1", side(2, 1), side(1, 1))
		s.erase(bob, after(20))
		same(t, s.record(atHome, alice).Reviewed().Critical, 2)
		same(t, s.record(atHome, bob).Judged, map[string]profile.Judged{})
	})
}

func side(critical, errors int) profile.Side { return profile.Side{Critical: critical, Errors: errors} }

func testBothSides(t *testing.T, s tester) {
	atHome := profile.Scope{Venue: home}
	s.ended("1", alice, bob, after(10), xWins())
	s.judge("1", side(3, 1), side(2, 2))
	s.ended("2", bob, alice, after(20), xWins())
	s.judge("2", side(5, 0), side(4, 3))
	s.ended("3", alice, bob, after(30), xWins())
	s.judge("3", side(0, 0), side(1, 0))
	s.ended("4", alice, bob, after(40), xWins())
	s.finish(computer("5", alice, "easy", after(50)), after(50), oWins())
	s.judge("5", side(2, 1), side(0, 0))
	s.ended("6", alice, bob, after(60), xWins())
	s.do(s.KeepVerdicts(s.ctx, []profile.Verdict{{Match: "6"}}))
	r := s.record(atHome, alice)
	same(t, r.Judged, map[string]profile.Judged{
		"": {Matches: 2, Critical: 7, Errors: 4}, "easy": {Matches: 1, Critical: 2, Errors: 1},
	})
	same(t, s.record(atHome, bob).Reviewed(), profile.Judged{Matches: 3, Critical: 8, Errors: 2, Perfect: 1})
	duel := must[profile.Duel](t)(s.Duel(s.ctx, atHome, alice, bob))
	same(t, duel.Judged, [2]profile.Judged{{Matches: 2, Critical: 7, Errors: 4}, {Matches: 3, Critical: 8, Errors: 2}})
	duel = must[profile.Duel](t)(s.Duel(s.ctx, atHome, bob, alice))
	same(t, duel.Judged[0].Errors, 2)
}

// testOpenings tests the results of a player's first moves.
func testOpenings(t *testing.T, open opener) {
	subtest(t, open, "first moves as X are counted up to symmetry, board by board", func(t *testing.T, s tester) {
		drop := must[game.Rules](t)(game.ParseRules("drop"))
		s.ended("1", alice, bob, after(10), xWins())
		s.ended("2", alice, bob, after(20), oWins())
		s.ended("3", alice, carol, after(30), []string{"c3", "b3", "c2", "b2", "c1"})
		s.ended("4", alice, carol, after(40), []string{"b2", "a1", "b1", "a2", "b3"})
		s.ended("5", bob, alice, after(50), drawn())
		s.endedAt(home, drop, "6", alice, bob, after(60), []string{"a4", "b4", "a3", "b3", "a2", "b2", "a1"})
		s.endedAt(home, drop, "7", alice, bob, after(70), []string{"e4", "b4", "e3", "b3", "e2", "b2", "e1"})
		s.create(begin("goes on", alice, bob, after(80)))
		r := s.record(profile.Scope{Venue: home}, alice)
		same(t, r.Openings, []profile.Opening{
			{Rules: game.Classic(), Zone: profile.Zone{Kind: profile.OfCorner}, Tally: score.Tally{Wins: 2, Losses: 1}},
			{Rules: drop, Zone: profile.Zone{Kind: profile.OfColumn}, Tally: score.Tally{Wins: 2}},
			{Rules: game.Classic(), Zone: profile.Zone{Kind: profile.OfCentre}, Tally: score.Tally{Wins: 1}},
		})
		same(t, len(s.record(profile.Scope{Venue: home, Rules: drop}, alice).Openings), 1)
		same(t, s.record(profile.Scope{Venue: home}, carol).Openings, nil)
	})
}
