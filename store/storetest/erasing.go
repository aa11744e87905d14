package storetest

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/people/user"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/server/policy"
	"tictactoe/store/internal/sqlstore"
)

// erase deletes the data of a player, and returns the ids of the matches and challenges that the deletion ended.
func (s tester) erase(p match.User, at time.Time) []match.ID {
	s.t.Helper()
	ids := must[[]match.ID](s.t)(s.Erase(s.ctx, p, at, ""))
	slices.Sort(ids)
	return ids
}

// own returns a player's entries without their times.
func (s tester) own(p match.User) (all []score.Entry) {
	s.t.Helper()
	for _, e := range must[[]score.Entry](s.t)(s.Own(s.ctx, p)) {
		e.Reached = time.Time{}
		all = append(all, e)
	}
	return all
}

func (s tester) missing(id match.ID) {
	s.t.Helper()
	fails(s.t, errorOf(s.Match(s.ctx, id)), match.ErrNotFound)
	fails(s.t, errorOf(s.Board(s.ctx, id)), match.ErrNotFound)
}

// testWhatIsKnown tests the export of a player's data.
func testWhatIsKnown(t *testing.T, open opener) {
	subtest(t, open, "all data of a player can be seen and is exported", func(t *testing.T, s tester) {
		same(t, must[user.Held](t)(s.Held(s.ctx, alice)), user.Held{})
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}}})
		s.do(s.SetClosed(s.ctx, alice, true))
		s.do(s.SetBlocked(s.ctx, alice, []match.User{carol}))
		s.answered("c", alice, bob, match.Declined, noon())
		s.answered("d", carol, alice, match.Declined, after(1))
		over := begin("m", alice, bob, after(10))
		over.Stakes = rating.Full
		s.create(over)
		for i, square := range xWins() {
			next := play(t, over, after(10+i), square)
			s.replace(over, next)
			over = next
		}
		going := play(t, begin("n", bob, alice, after(20)), after(21), "b2")
		s.create(going)
		s.ended("others", bob, carol, after(10), xWins())
		review := profile.Side{Critical: 3, Errors: 1, Recovered: true}
		s.judge("m", review, profile.Side{Critical: 1})
		entry := policy.AuditEntry{ID: "deed", Venue: home, By: alice, At: after(30), Kind: policy.SetLevels, Chosen: []string{"easy"}}
		s.extra(entry, policy.AuditEntry{ID: "other's", Venue: home, By: bob, At: noon(), Kind: policy.ResetScores})

		s.do(s.SolveLesson(s.ctx, alice, "fork", after(40)))
		s.do(s.SolveLesson(s.ctx, bob, "block", after(40)))

		held := must[user.Held](t)(s.Held(s.ctx, alice))
		same(t, held, user.Held{
			Name: "Alice", Since: noon(), Matches: 2, Open: 1, Challenges: 2, Scores: 2, Ratings: 1, AuditEntries: 1, Lessons: 1,
			Settings: user.Settings{NotTaking: true, Blocked: []match.User{carol}},
		})
		data := s.data(alice)
		same(t, data.Held, held)
		own := must[[]score.Entry](t)(s.Own(s.ctx, alice))
		onBoard := own[0]
		onBoard.Rules = game.Classic().String()
		same(t, data.Entries, append(own, onBoard))
		same(t, len(data.Challenged), 2)
		same(t, data.Did, []policy.AuditEntry{entry})
		same(t, data.Solved, []user.Lesson{{Name: "fork", Solved: after(40)}})
		same(t, data.LeaveAlone, []user.LeaveAlone{{Challenger: alice, Until: after(120)}, {Until: after(121)}})
		same(t, []match.Match{data.Played[0].Match, data.Played[1].Match}, []match.Match{over, going})
		same(t, data.Played[0].Moved, []time.Time{after(10), after(11), after(12), after(13), after(14)})
		same(t, data.Played[1].Moved, []time.Time{after(21)})
		won, _ := rating.Match(rating.New(), rating.New(), rating.Win, 1, over.Ended)
		same(t, data.Played[0].Rating, won)
		same(t, data.Played[0].Other, rating.Rating{Value: rating.Start, Deviation: rating.StartDeviation})
		same(t, []rating.Rating{data.Played[1].Rating, data.Played[1].Other}, make([]rating.Rating, 2))
		same(t, data.Played[0].Review, review)
		same(t, []bool{data.Played[0].Judged, data.Played[1].Judged}, []bool{true, false})
		same(t, data.Ratings, []user.Rating{{Venue: home, Rules: game.Classic().String(), Standing: ladder.Standing{
			Player: alice, Rating: won, Tally: score.Tally{Wins: 1}, Opponents: 1,
		}}})
	})
	subtest(t, open, "a rating of several seasons is counted once, and told of each", func(t *testing.T, s tester) {
		s.playRated("r1", alice, bob, rating.Full, after(1), xWins())
		s.season(seasonOf(home, 1, 20))
		s.playRated("r2", alice, bob, rating.Full, after(30), xWins())
		same(t, must[user.Held](t)(s.Held(s.ctx, alice)).Ratings, 1)
		same(t, len(s.data(alice).Ratings), 2)
	})
}

// testErasedMatches tests the matches of a player whose data is deleted.
func testErasedMatches(t *testing.T, open opener) {
	subtest(t, open, "a match of two stays for the other, and the other's scores with it", func(t *testing.T, s tester) {
		m := s.ended("m", alice, bob, noon(), oWins())
		bobs := s.own(bob)
		same(t, s.erase(alice, after(60)), nil)
		m.Seats[0].Player = match.Left
		same(t, s.match("m"), m)
		same(t, s.own(bob), bobs)
		same(t, s.own(alice), nil)
		same(t, s.own(match.Left), nil)
		page := must[score.Page](t)(s.Leaderboard(s.ctx, home, onAll(score.People), score.Where{Page: 1}, alice))
		if page.Own != nil || len(page.Rows) != 1 || page.Rows[0].Player != bob {
			t.Errorf("%+v", page)
		}
	})
	subtest(t, open, "the log of the moderators stays, and does not say who it was", func(t *testing.T, s tester) {
		entry := policy.AuditEntry{ID: "deed", Venue: home, By: alice, At: noon(), Kind: policy.ResetScores}
		s.extra(entry)
		s.erase(alice, after(60))
		entry.By = match.Left
		same(t, s.auditLog(home, 0, 10), []policy.AuditEntry{entry})
		same(t, must[user.Held](t)(s.Held(s.ctx, alice)), user.Held{})
	})
	subtest(t, open, "a match that goes on is given up, and counts for the other", func(t *testing.T, s tester) {
		s.create(play(t, begin("m", alice, bob, noon()), noon(), "a1", "b2"))
		same(t, s.erase(alice, after(9)), []match.ID{"m"})
		m := s.match("m")
		if m.Result.Cause != match.ByResignation || m.Seats != (match.Seats{match.Human(match.Left), match.Human(bob)}) {
			t.Errorf("%+v %+v", m.Result, m.Seats)
		}
		same(t, s.own(bob), []score.Entry{{Venue: home, Player: bob, Tally: score.Tally{Wins: 1}}})
	})
	subtest(t, open, "a match without a remaining player is deleted, with its board", func(t *testing.T, s tester) {
		for _, id := range []match.ID{"m", "computer", "open"} {
			s.save(match.Save{Extras: []match.Extra{board.Reference{ID: id, Channel: "1", Message: "2"}}})
		}
		s.ended("m", alice, bob, noon(), xWins())
		s.finish(computer("computer", alice, "easy", noon()), noon(), xWins())
		s.create(computer("open", alice, "easy", noon()))
		s.erase(alice, after(60))
		s.missing("computer")
		s.missing("open")
		s.do(errorOf(s.Match(s.ctx, "m")))
		s.erase(bob, after(60))
		s.missing("m")
	})
}

// testErasedBoards tests that a board is redrawn if the data of one of its players is deleted.
func testErasedBoards(t *testing.T, open opener) {
	subtest(t, open, "an erasure redraws the boards of the matches and challenges that it ends", func(t *testing.T, s tester) {
		shown := func(id match.ID, version int) {
			t.Helper()
			s.extra(board.Reference{ID: id, Channel: "1", Message: "2", Member: true})
			s.do(s.SaveShown(s.ctx, board.Shown{ID: id, Version: version}))
		}
		over := s.ended("rematch", alice, bob, noon(), xWins())
		proposed, _ := askRematch(t, over, alice, over.Version, "n", after(10))
		s.replace(over, proposed)
		shown("rematch", proposed.Version)
		s.create(begin("match", bob, alice, noon()), begin("others", bob, carol, noon()))
		for _, id := range []match.ID{"match", "others"} {
			shown(id, 1)
		}
		s.invite(invite(t, "sent", alice, bob, noon()))
		s.invite(invite(t, "received", carol, alice, noon()))
		for _, id := range []match.ID{"sent", "received"} {
			shown(id, 1)
		}
		same(t, s.behind("", 9), nil)
		same(t, s.erase(alice, after(20)), []match.ID{"match", "received", "rematch", "sent"})
		same(t, s.behind("", 9), []match.ID{"match", "received", "rematch", "sent"})
	})
}

// testErasedConsent tests blocks and back-offs after the data of a player was deleted.
func testErasedConsent(t *testing.T, open opener) {
	subtest(t, open, "pending challenges end, and proposed rematches", func(t *testing.T, s tester) {
		s.invite(invite(t, "sent", alice, bob, noon()))
		s.invite(invite(t, "received", carol, alice, noon()))
		s.invite(invite(t, "others", carol, bob, noon()))
		over := s.ended("m", alice, bob, noon(), xWins())
		proposed, _ := askRematch(t, over, alice, over.Version, "n", after(10))
		s.replace(over, proposed)
		same(t, s.erase(alice, after(20)), []match.ID{"m", "received", "sent"})
		for id, want := range map[match.ID]match.ChallengeStatus{"sent": match.Withdrawn, "received": match.Declined, "others": match.Pending} {
			same(t, s.challenge(id).Status, want)
		}
		same(t, s.challenge("sent").From, match.Left)
		m := s.match("m")
		same(t, m.Rematch, match.Rematch{State: match.RematchDeclined, By: match.Left})
		same(t, s.asks(carol, alice, true, after(20)), "")
	})
	subtest(t, open, "it is no way around a block or a back-off", func(t *testing.T, s tester) {
		s.do(s.SetBlocked(s.ctx, bob, []match.User{alice}))
		s.answered("c", alice, carol, match.Declined, noon())
		for range 2 {
			s.erase(alice, after(1))
			same(t, s.asks(alice, bob, false, after(2)), match.NotTaking)
			same(t, s.asks(alice, carol, true, after(2)), match.TooSoon)
			same(t, must[user.Settings](t)(s.Settings(s.ctx, bob)), user.Settings{Hashed: 1})
		}
		s.answered("d", alice, carol, match.Declined, after(120))
		same(t, s.asks(alice, carol, true, after(120+599)), match.TooSoon)
		s.do(s.SetBlocked(s.ctx, bob, []match.User{alice}))
		s.do(s.SetBlocked(s.ctx, bob, nil))
		same(t, must[user.Settings](t)(s.Settings(s.ctx, bob)), user.Settings{})
		same(t, s.asks(alice, bob, true, after(2)), "")
	})
	subtest(t, open, "to challenge, have one's data deleted and challenge again is not either", func(t *testing.T, s tester) {
		for _, id := range []match.ID{"a", "b"} {
			same(t, s.asks(alice, bob, true, noon()), "")
			s.invite(invite(t, id, alice, bob, noon()))
			s.erase(alice, noon())
		}
		same(t, s.asks(alice, bob, true, noon()), match.TooSoon)
	})
}

// testErasedPlayers tests which players can be erased.
func testErasedPlayers(t *testing.T, open opener) {
	subtest(t, open, "a player who comes back begins afresh", func(t *testing.T, s tester) {
		s.do(s.SetClosed(s.ctx, alice, true))
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}}})
		s.ended("m", alice, bob, noon(), xWins())
		s.erase(alice, after(60))
		same(t, must[user.Held](t)(s.Held(s.ctx, alice)), user.Held{})
		s.ended("n", alice, bob, after(100), xWins())
		same(t, s.own(alice), []score.Entry{{Venue: home, Player: alice, Tally: score.Tally{Wins: 1}}})
		same(t, s.own(bob), []score.Entry{{Venue: home, Player: bob, Tally: score.Tally{Losses: 2}}})
	})
	subtest(t, open, "a stranger can be erased", func(t *testing.T, s tester) {
		m := s.ended("m", alice, bob, noon(), xWins())
		same(t, s.erase(carol, after(60)), nil)
		same(t, s.match("m"), m)
	})
}

// testErasures tests how the database keeps that a player had all data deleted.
func testErasures(t *testing.T, open opener) {
	subtest(t, open, "a form that is delivered again deletes nothing", func(t *testing.T, s tester) {
		must[[]match.ID](t)(s.Erase(s.ctx, alice, after(1), "1000"))
		s.ended("m", alice, bob, after(2), xWins())
		fails(t, errorOf(s.Erase(s.ctx, alice, after(3), "1000")), claim.ErrTaken)
		same(t, s.match("m").Seats, match.Seats{match.Human(alice), match.Human(bob)})
		must[[]match.ID](t)(s.Erase(s.ctx, alice, after(4), "1001"))
		same(t, s.match("m").Seats, match.Seats{match.Human(match.Left), match.Human(bob)})
	})
	subtest(t, open, "interactions from before an erasure are known", func(t *testing.T, s tester) {
		must[[]match.ID](t)(s.Erase(s.ctx, alice, after(1), "1000"))
		for interaction, want := range map[string]bool{"2": true, "999": true, "1000": false, "1001": false, "20000": false} {
			same(t, must[bool](t)(s.Erased(s.ctx, string(alice), interaction)), want)
		}
		same(t, must[bool](t)(s.Erased(s.ctx, string(bob), "2")), false)
	})
	subtest(t, open, "an open challenge ends with the player, and names nobody", func(t *testing.T, s tester) {
		c := invite(t, "c", alice, "", noon())
		s.invite(c)
		same(t, must[[]match.ID](t)(s.Erase(s.ctx, alice, after(1), "")), []match.ID{"c"})
		c.From, c.Status, c.Deadline, c.Version = match.Left, match.Withdrawn, time.Time{}, 2
		same(t, s.challenge("c"), c)
	})
}

// testErasedAgain tests that erased users whose rows a backup has brought back are erased again.
func testErasedAgain(t *testing.T, open opener) {
	// record erases a player, deletes the erasure from the database, and returns the written record of it.
	record := func(s tester, p match.User, at time.Time) *bytes.Buffer {
		s.t.Helper()
		s.erase(p, at)
		var written bytes.Buffer
		same(s.t, must[int](s.t)(s.Store.(Restored).RecordErasures(s.ctx, &written)), 1)
		s.do(s.ForgetErasures(s.ctx, at.Add(-time.Millisecond)))
		same(s.t, must[int](s.t)(s.Store.(Restored).RecordErasures(s.ctx, new(bytes.Buffer))), 1)
		s.do(s.ForgetErasures(s.ctx, at))
		return &written
	}
	again := func(s tester, record *bytes.Buffer) int {
		s.t.Helper()
		people := len(must[[]match.User](s.t)(s.Store.(Restored).EraseAgain(s.ctx, bytes.NewReader(record.Bytes()), after(1000))))
		same(s.t, must[[]match.User](s.t)(s.Store.(Restored).EraseAgain(s.ctx, bytes.NewReader(record.Bytes()), after(1001))), nil)
		same(s.t, must[int](s.t)(s.Store.(Restored).RebuildScores(s.ctx, nil)), 0)
		return people
	}
	subtest(t, open, "they go, with everything", func(t *testing.T, s tester) {
		written := record(s, alice, after(60))
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}, {Player: bob, Name: "Bob"}}})
		s.playRated("m", alice, bob, rating.Full, noon(), xWins())
		s.create(play(t, begin("going", bob, alice, after(10)), after(10), "a1", "b2"))
		s.do(s.SetBlocked(s.ctx, bob, []match.User{alice}))
		s.do(s.SetClosed(s.ctx, alice, true))
		same(t, again(s, written), 1)
		same(t, must[user.Held](t)(s.Held(s.ctx, alice)), user.Held{})
		same(t, s.match("m").Seats[0].Player, match.Left)
		same(t, s.match("going").Result.Cause, match.ByResignation)
		same(t, must[user.Settings](t)(s.Settings(s.ctx, bob)), user.Settings{Hashed: 1})
		same(t, s.asks(alice, bob, false, after(1001)), match.NotTaking)
	})
	subtest(t, open, "a player who came back keeps newer data", func(t *testing.T, s tester) {
		written := record(s, alice, after(60))
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}}})
		s.playRated("old", alice, bob, rating.Full, noon(), xWins())
		s.finish(computer("alone", alice, "easy", noon()), noon(), xWins())
		s.do(s.SolveLesson(s.ctx, alice, "fork", after(30)))
		s.playRated("new", bob, alice, rating.Full, after(100), xWins())
		s.do(s.SolveLesson(s.ctx, alice, "block", after(100)))
		same(t, again(s, written), 1)
		s.missing("alone")
		same(t, s.match("old").Seats[0].Player, match.Left)
		same(t, s.match("new").Seats[1].Player, alice)
		held := must[user.Held](t)(s.Held(s.ctx, alice))
		same(t, []int{held.Matches, held.Scores, held.Ratings, held.Lessons}, []int{1, 2, 1, 1})
		same(t, held.Name, "Alice")
		same(t, s.own(alice), []score.Entry{{Venue: home, Player: alice, Tally: score.Tally{Losses: 1}}})
		same(t, s.own(bob), []score.Entry{{Venue: home, Player: bob, Tally: score.Tally{Wins: 1, Losses: 1}}})
	})
	subtest(t, open, "a challenge from another player does not mean that a player came back", func(t *testing.T, s tester) {
		written := record(s, alice, after(60))
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}}})
		s.ended("m", alice, bob, noon(), xWins())
		s.invite(invite(t, "c", carol, alice, after(100)))
		same(t, again(s, written), 1)
		same(t, must[user.Held](t)(s.Held(s.ctx, alice)).Name, "")
		same(t, s.challenge("c").To, alice)
	})
	subtest(t, open, "a player without older data is left alone", func(t *testing.T, s tester) {
		written := record(s, alice, after(60))
		s.do(s.SetClosed(s.ctx, alice, true))
		s.ended("m", alice, bob, after(100), xWins())
		before := s.data(alice)
		same(t, again(s, written), 0)
		same(t, s.data(alice), before)
	})
	subtest(t, open, "a record of another installation is refused", func(t *testing.T, s tester) {
		written := record(s, alice, after(60))
		foreign := bytes.Replace(written.Bytes(), []byte("key "), []byte("key 0"), 1)
		fails(t, errorOf(s.Store.(Restored).EraseAgain(s.ctx, bytes.NewReader(foreign), after(1))), sqlstore.ErrOtherKey)
		refuses(t, errorOf(s.Store.(Restored).EraseAgain(s.ctx, strings.NewReader("no record"), after(1))))
	})
}
