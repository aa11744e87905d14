package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/internal/replica/claim"
)

// together returns a new match of a crowd in a channel, which alice began: against a level or, if level is empty, of two teams.
func together(id match.ID, place, level string) match.Match {
	seats := match.Seats{match.CrowdSeat(match.Channel), match.Computer(level)}
	if level == "" {
		seats = match.Seats{match.CrowdSeat(match.TeamOne), match.CrowdSeat(match.TeamTwo)}
	}
	m := match.Start(id, id, home, game.Classic(), seats, match.DefaultVoteTime, 1, noon())
	m.Host, m.Place = alice, place
	return m
}

// vote saves a vote, and returns the match after it.
func (s tester) vote(m match.Match, by match.User, square string, seconds int) match.Match {
	s.t.Helper()
	sq := must[game.Square](s.t)(m.Position().Rules().ParseSquare(square))
	next := must[match.Match](s.t)(m.Vote(by, m.Stage(), sq, after(seconds)))
	s.replace(m, next)
	same(s.t, s.match(m.ID), next)
	return next
}

// testVotes tests that the votes of a crowd are stored until the match ends, each vote's square until the move.
func testVotes(t *testing.T, open opener) {
	subtest(t, open, "votes come back as they were saved, after each vote, change and move", func(t *testing.T, s tester) {
		m := together("m", "5001", "")
		s.create(m)
		same(t, s.match("m"), m)
		m = s.vote(m, bob, "a1", 1)
		m = s.vote(m, carol, "b2", 2)
		m = s.vote(m, bob, "b2", 3)
		same(t, must[match.Found](t)(s.Find(s.ctx, "m")).Match.Tally(), m.Tally())
		moved, _ := m.Expire(m.Deadline)
		s.replace(m, moved)
		same(t, s.match("m"), moved)
		same(t, moved.Record.Len(), 1)
		m = s.vote(moved, "dora", "c3", 60)
		stopped := must[match.Match](t)(m.Stop(after(70)))
		s.replace(m, stopped)
		same(t, s.match("m"), stopped)
		same(t, must[user.Held](t)(s.Held(s.ctx, bob)).Crowds, 0)
	})
	subtest(t, open, "a channel has one match of a crowd at a time", func(t *testing.T, s tester) {
		begins := func(id match.ID, place string) error {
			m := together(id, place, "medium")
			return s.Save(s.ctx, match.Save{Quota: match.Quota{By: alice, Place: place}, Matches: []match.MatchChange{{To: m}}})
		}
		_, err := s.CrowdIn(s.ctx, "5001")
		fails(t, err, match.ErrNotFound)
		s.do(begins("m", "5001"))
		fails(t, begins("n", "5001"), match.CrowdPlaying)
		s.do(begins("elsewhere", "5002"))
		m := must[match.Match](t)(s.CrowdIn(s.ctx, "5001"))
		same(t, m.ID, match.ID("m"))
		s.replace(m, must[match.Match](t)(m.Stop(after(1))))
		s.do(begins("n", "5001"))
	})
	subtest(t, open, "wins of crowds count for the server, and for nobody's scores", func(t *testing.T, s tester) {
		for i, level := range []string{"hard", "hard", "easy"} {
			s.finish(together(match.ID(fmt.Sprint(i)), fmt.Sprint("500", i), level), noon(), xWins())
		}
		s.finish(together("lost", "5001", "hard"), noon(), oWins())
		group := in("", together("group", "6001", "hard"))
		s.finish(group, noon(), xWins())
		for level, want := range map[string]int{"hard": 2, "easy": 1, "medium": 0} {
			same(t, must[int](t)(s.CrowdWins(s.ctx, home, "5001", level)), want)
		}
		same(t, must[int](t)(s.CrowdWins(s.ctx, "", "6001", "hard")), 1)
		same(t, must[int](t)(s.CrowdWins(s.ctx, "", "6002", "hard")), 0)
		same(t, len(s.entries(alice)), 0)
	})
	subtest(t, open, "the votes of a user and who began a match are known, and erased", func(t *testing.T, s tester) {
		m := together("m", "5001", "medium")
		s.create(m)
		m = s.vote(m, bob, "a1", 1)
		m = s.vote(m, carol, "b2", 2)
		same(t, must[user.Held](t)(s.Held(s.ctx, alice)), user.Held{Crowds: 1, Since: noon()})
		same(t, must[user.Data](t)(s.Data(s.ctx, bob)).Crowds, []match.Match{m})
		for _, p := range []match.User{bob, alice} {
			must[[]match.ID](t)(s.Erase(s.ctx, p, after(10), ""))
			same(t, must[user.Held](t)(s.Held(s.ctx, p)), user.Held{})
		}
		left := s.match("m")
		same(t, []any{left.Host, left.Voters(), left.Votes[0].By}, []any{match.Left, 1, carol})
		must[[]match.ID](t)(s.Erase(s.ctx, carol, after(11), ""))
		left = s.match("m")
		same(t, []any{len(left.Votes), left.Deadline}, []any{0, after(11).Add(match.FirstVoteTime)})
	})
	subtest(t, open, "a vote from before the deletion of the voter's data is not saved after it", func(t *testing.T, s tester) {
		m := together("m", "5001", "medium")
		s.create(m)
		s.vote(m, bob, "a1", 1)
		must[[]match.ID](t)(s.Erase(s.ctx, bob, after(10), "1000"))
		m = s.match("m")
		fails(t, s.saveVote(m, bob, "999"), claim.ErrTaken)
		same(t, s.match("m"), m)
		s.do(s.saveVote(m, carol, "999"))
		s.do(s.saveVote(s.match("m"), bob, "1001"))
		same(t, s.match("m").Voters(), 2)
	})
}

// saveVote saves a vote for the upper left square that was cast by an interaction.
func (s tester) saveVote(m match.Match, by match.User, interaction string) error {
	next, err := m.Vote(by, 0, 0, after(20))
	if err != nil {
		return err
	}
	return s.Save(s.ctx, match.Save{
		Permit:  match.Permit{Venue: m.Venue, Players: []match.User{by}, At: after(20), Joins: true, Interaction: interaction},
		Matches: []match.MatchChange{{From: m, To: next}},
	})
}

// raceErasedVotes lets people vote through two stores while their data is deleted, each trying again after a conflict. It tests that no vote
// is left.
func raceErasedVotes(t *testing.T, open pair) {
	subtestOfTwo(t, open, "30 people vote while their data is deleted, and no vote is left", func(t *testing.T, one, other tester) {
		one.create(together("m", "5001", "medium"))
		again := func(step func() error) {
			err := step()
			for errors.Is(err, match.ErrConflict) || errors.Is(err, match.ErrBusy) {
				err = step()
			}
			if err != nil && !errors.Is(err, claim.ErrTaken) {
				t.Error(err)
			}
		}
		var all sync.WaitGroup
		begin := make(chan struct{})
		for n := range 30 {
			voter, voting, erasing := match.User(fmt.Sprint("voter", n)), pick(n, one, other), pick(n+1, one, other)
			all.Go(func() {
				<-begin
				again(func() error {
					m, err := voting.Match(t.Context(), "m")
					if err != nil {
						return err
					}
					return voting.saveVote(m, voter, "1")
				})
			})
			all.Go(func() {
				<-begin
				again(func() error { return errorOf(erasing.Erase(t.Context(), voter, noon(), "2")) })
			})
		}
		close(begin)
		all.Wait()
		same(t, len(must[match.Match](t)(one.Match(t.Context(), "m")).Votes), 0)
	})
}

// raceVotes lets 30 people vote at the same instant, through two stores, each trying again after a conflict. It tests that every vote counts,
// and that of the two who then play the most voted square, one does.
func raceVotes(t *testing.T, open pair) {
	subtestOfTwo(t, open, "30 people vote at once, and every vote counts", func(t *testing.T, one, other tester) {
		one.create(together("m", "5001", "medium"))
		var all sync.WaitGroup
		begin := make(chan struct{})
		for voter := range 30 {
			all.Go(func() {
				<-begin
				for {
					m, err := pick(voter, one, other).Match(t.Context(), "m")
					if err != nil {
						t.Error(err)
						return
					}
					next, err := m.Vote(match.User(fmt.Sprint("voter", voter)), 0, game.Square(voter%3), after(1))
					if err != nil {
						t.Error(err)
						return
					}
					err = pick(voter, one, other).Save(t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: next}}})
					if err == nil {
						return
					}
					if !errors.Is(err, match.ErrConflict) && !errors.Is(err, match.ErrBusy) {
						t.Error(err)
						return
					}
				}
			})
		}
		close(begin)
		all.Wait()
		m := must[match.Match](t)(one.Match(t.Context(), "m"))
		if m.Voters() != 30 || len(m.Tally()) != 3 || m.Tally()[2].Votes != 10 {
			t.Fatalf("30 people voted for three squares, and the tally is %v", m.Tally())
		}
		moved, _ := m.Expire(m.Deadline)
		var ours, theirs error
		all.Go(func() { ours = one.Save(t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: moved}}}) })
		all.Go(func() {
			theirs = other.Save(t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: moved}}})
		})
		all.Wait()
		if (ours == nil) == (theirs == nil) || !errors.Is(errors.Join(ours, theirs), match.ErrConflict) {
			t.Errorf("two played the voted square: %v, %v", ours, theirs)
		}
		same(t, must[match.Match](t)(other.Match(t.Context(), "m")), moved)
	})
}
