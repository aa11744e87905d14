package storetest

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
)

// posted chooses the channel in which a server gets the puzzles, from the given day on.
func (s tester) posted(v match.Venue, from puzzle.Day) posting.Post {
	s.t.Helper()
	return s.post(posting.Post{Venue: v, Kind: posting.Puzzle, Channel: "5001", Language: "pt-BR", Every: posting.Day, Next: from})
}

// weekly chooses the channel in which a server gets a leaderboard each week, from the given day on.
func (s tester) weekly(v match.Venue, from puzzle.Day) posting.Post {
	s.t.Helper()
	return s.post(posting.Post{Venue: v, Kind: posting.Leaderboard, Channel: "5001", Every: posting.Week, Board: "players", Edit: true, Next: from})
}

func (s tester) post(p posting.Post) posting.Post {
	s.t.Helper()
	s.do(s.SetPost(s.ctx, p, postEntry(p.Venue)))
	return p
}

func (s tester) postOf(v match.Venue, k posting.Kind) posting.Post {
	s.t.Helper()
	return must[posting.Post](s.t)(s.Post(s.ctx, v, k))
}

// postEntry returns a new audit entry of carol, who chooses where something is posted.
func postEntry(v match.Venue) policy.AuditEntry {
	return policy.AuditEntry{ID: match.ID(rand.Text()), Venue: v, By: carol, At: noon(), Kind: policy.PostPuzzles, Chosen: []string{"5001"}}
}

func testCalendarPosts(t *testing.T, open opener) {
	due := func(s tester, day puzzle.Day) []posting.Post {
		s.t.Helper()
		return must[[]posting.Post](s.t)(s.DuePosts(s.ctx, posting.Puzzle, day, 9))
	}
	subtest(t, open, "a server says where, and the audit log who said so", func(t *testing.T, s tester) {
		same(t, s.postOf(home, posting.Puzzle), posting.Post{Venue: home, Kind: posting.Puzzle})
		p := posting.Post{Venue: home, Kind: posting.Puzzle, Channel: "5001", Every: posting.Day, Next: today()}
		entry := postEntry(home)
		s.do(s.SetPost(s.ctx, p, entry, match.Name{Player: carol, Name: "Carol"}))
		same(t, s.postOf(home, posting.Puzzle), p)
		same(t, s.auditLog(home, 0, 9), []policy.AuditEntry{entry})
		same(t, s.names(carol), map[match.User]string{carol: "Carol"})
	})
	subtest(t, open, "the kinds of posts do not touch each other", func(t *testing.T, s tester) {
		daily, weekly := s.posted(home, today()), s.weekly(home, today())
		same(t, []posting.Post{s.postOf(home, posting.Puzzle), s.postOf(home, posting.Leaderboard)}, []posting.Post{daily, weekly})
		same(t, due(s, today()), []posting.Post{daily})
		same(t, must[[]posting.Post](t)(s.DuePosts(s.ctx, posting.Leaderboard, today(), 9)), []posting.Post{weekly})
	})
	subtest(t, open, "a post is due from its next day on, the posts of the earliest day first", func(t *testing.T, s tester) {
		b, a := s.posted(home, today()), s.posted(away, today())
		late := s.posted("late", today()-1)
		same(t, due(s, today()-1), []posting.Post{late})
		same(t, due(s, today()), []posting.Post{late, a, b})
		same(t, len(must[[]posting.Post](t)(s.DuePosts(s.ctx, posting.Puzzle, today(), 2))), 2)
	})
	subtest(t, open, "a server that wants none has none due", func(t *testing.T, s tester) {
		p := s.posted(home, today())
		p.Channel = ""
		s.post(p)
		same(t, due(s, today()), nil)
		same(t, s.postOf(home, posting.Puzzle), p)
	})
	subtest(t, open, "another channel does not have the puzzle of a day again", func(t *testing.T, s tester) {
		p := s.posted(home, today())
		p = must[posting.Post](t)(s.ClaimPost(s.ctx, p, today(), noon()))
		s.do(s.SettlePost(s.ctx, p, p, policy.AuditEntry{}))
		p.Channel, p.Next, p.Claimed = "5002", today(), time.Time{}
		s.post(p)
		same(t, due(s, today()), nil)
		p.Next++
		same(t, due(s, today()+1), []posting.Post{p})
	})
	subtest(t, open, "posts that become more frequent do not wait for the end of the month", func(t *testing.T, s tester) {
		p := s.weekly(home, today()+20)
		p.Every = posting.Month
		s.post(p)
		p.Next, p.Every = today()+3, posting.Week
		s.post(p)
		same(t, s.postOf(home, posting.Leaderboard), p)
	})
	subtest(t, open, "a message in another channel is not edited", func(t *testing.T, s tester) {
		p := must[posting.Post](t)(s.ClaimPost(s.ctx, s.weekly(home, today()), today(), noon()))
		settled := p
		settled.Message = "901"
		s.do(s.SettlePost(s.ctx, p, settled, policy.AuditEntry{}))
		same(t, s.weekly(home, today()).Channel, "5001")
		same(t, s.postOf(home, posting.Leaderboard).Message, "901")
		p.Channel = "5002"
		s.post(p)
		same(t, s.postOf(home, posting.Leaderboard).Message, "")
	})
}

// testClaimedPosts tests that at most one process makes a post.
func testClaimedPosts(t *testing.T, open opener) {
	claim := func(s tester, p posting.Post, day puzzle.Day, second int) posting.Post {
		s.t.Helper()
		return must[posting.Post](s.t)(s.ClaimPost(s.ctx, p, day, after(second)))
	}
	refused := func(s tester, p posting.Post, day puzzle.Day) {
		s.t.Helper()
		if got, err := s.ClaimPost(s.ctx, p, day, after(99)); !errors.Is(err, match.ErrConflict) {
			s.t.Errorf("got %+v, %v", got, err)
		}
	}
	claimed := func(s tester) []posting.Post {
		s.t.Helper()
		return must[[]posting.Post](s.t)(s.ClaimedPosts(s.ctx, posting.Puzzle))
	}
	due := func(s tester, k posting.Kind, day puzzle.Day) int {
		s.t.Helper()
		return len(must[[]posting.Post](s.t)(s.DuePosts(s.ctx, k, day, 9)))
	}
	none := policy.AuditEntry{}
	subtest(t, open, "of all who have read that it is due one claims it", func(t *testing.T, s tester) {
		p := s.posted(home, today()-3)
		got := claim(s, p, today(), 1)
		p.Next, p.Claimed = today()+1, after(1)
		same(t, got, p)
		p.Next, p.Claimed = today()-3, time.Time{}
		refused(s, p, today())
		same(t, claimed(s), []posting.Post{got})
		same(t, due(s, posting.Puzzle, today()), 0)
	})
	subtest(t, open, "a week has one claim", func(t *testing.T, s tester) {
		got := claim(s, s.weekly(home, today()-3), today(), 1)
		same(t, []puzzle.Day{got.Day(), got.Next}, []puzzle.Day{today() - 6, today() + 1}) // today is a Sunday
		s.do(s.SettlePost(s.ctx, got, got, none))
		same(t, due(s, posting.Leaderboard, today()), 0)
		same(t, due(s, posting.Leaderboard, today()+1), 1)
	})
	subtest(t, open, "a claim without a known result is claimed again by one process", func(t *testing.T, s tester) {
		first := claim(s, s.posted(home, today()), today(), 1)
		second := claim(s, first, today(), 2)
		same(t, second.Claimed, after(2))
		refused(s, first, today())
		s.do(s.SettlePost(s.ctx, first, first, postEntry(home))) // too late: another process has claimed the post
		same(t, claimed(s), []posting.Post{second})
		same(t, len(s.auditLog(home, 0, 9)), 1)
	})
	subtest(t, open, "a settled post is not claimed again that day", func(t *testing.T, s tester) {
		p := claim(s, s.posted(home, today()), today(), 1)
		s.do(s.SettlePost(s.ctx, p, p, none))
		same(t, len(claimed(s)), 0)
		refused(s, p, today())
		p.Claimed = time.Time{}
		refuses(t, errorOf(s.ClaimPost(s.ctx, p, today(), after(9))))
		claim(s, p, today()+1, 9)
	})
	subtest(t, open, "a post that was not sent is due again", func(t *testing.T, s tester) {
		for _, p := range []posting.Post{s.posted(home, today()), s.weekly(home, today()-20)} {
			s.do(s.ReleasePost(s.ctx, claim(s, p, today(), 1), p.Next))
			same(t, s.postOf(home, p.Kind), p)
		}
	})
	subtest(t, open, "a closed channel is tried again, and the audit log says so", func(t *testing.T, s tester) {
		monday := today() + 1
		p := claim(s, s.weekly(home, monday), monday, 1)
		closed := p
		closed.Next, closed.Blocked = monday+1, true
		entry := policy.AuditEntry{ID: "c1", Venue: home, By: policy.Itself, At: noon(), Kind: policy.PostsClosed, Chosen: []string{"5001", "leaderboard"}}
		s.do(s.SettlePost(s.ctx, p, closed, entry))
		closed.Claimed = time.Time{}
		same(t, s.postOf(home, posting.Leaderboard), closed)
		same(t, s.auditLog(home, 0, 1), []policy.AuditEntry{entry})
		same(t, claim(s, closed, monday+1, 2).Day(), p.Day())
		s.weekly(home, monday+7)
		same(t, s.postOf(home, posting.Leaderboard).Blocked, false)
	})
	subtest(t, open, "a channel that is gone gets no posts until a moderator chooses one", func(t *testing.T, s tester) {
		p := claim(s, s.posted(home, today()), today(), 1)
		gone := p
		gone.Channel = ""
		s.do(s.SettlePost(s.ctx, p, gone, none))
		same(t, due(s, posting.Puzzle, today()+5), 0)
		next := s.posted(home, today()+1)
		same(t, s.postOf(home, posting.Puzzle), next)
	})
	subtest(t, open, "what a moderator chooses meanwhile stays", func(t *testing.T, s tester) {
		p := claim(s, s.posted(home, today()), today(), 1)
		other := p
		other.Channel, other.Claimed = "5002", time.Time{}
		s.post(other)
		p.Channel, p.Blocked = "", true
		s.do(s.SettlePost(s.ctx, p, p, postEntry(home)))
		same(t, s.postOf(home, posting.Puzzle), other)
		same(t, len(s.auditLog(home, 0, 9)), 2)
	})
}

// testResultsBetween tests the leaderboards of a week or a month.
func testResultsBetween(t *testing.T, open opener) {
	rows := func(s tester, of score.Leaderboard, from, to time.Time, limit int) []score.Row {
		s.t.Helper()
		return must[[]score.Row](s.t)(s.Between(s.ctx, home, of, from, to, limit))
	}
	subtest(t, open, "only the matches of the time in the server count", func(t *testing.T, s tester) {
		before := s.ended("a", bob, alice, noon(), xWins())
		s.ended("b", alice, bob, after(100), xWins())
		last := s.ended("c", alice, carol, after(200), xWins())
		s.finish(in(away, begin("d", bob, alice, after(100))), after(100), xWins())
		s.finish(computer("e", bob, "easy", after(100)), after(100), xWins())
		s.void(s.ended("f", bob, alice, after(150), xWins()), after(160))
		from := before.Ended.Add(time.Millisecond)
		same(t, rows(s, score.People, from, last.Ended, 9), []score.Row{row(1, alice, 1, 0, 0), row(2, bob, 0, 0, 1)})
		same(t, rows(s, score.People, from, last.Ended.Add(time.Millisecond), 2), []score.Row{row(1, alice, 2, 0, 0), row(2, bob, 0, 0, 1)})
		same(t, rows(s, score.People, before.Ended, from, 9), []score.Row{row(1, bob, 1, 0, 0), row(2, alice, 0, 0, 1)})
		same(t, rows(s, score.Computers, from, last.Ended, 9), []score.Row{row(1, bob, 1, 0, 0, levelTally("easy", 1, 0, 0))})
	})
	subtest(t, open, "a player off the leaderboards has no row, and others close up", func(t *testing.T, s tester) {
		s.ended("a", alice, bob, noon(), xWins())
		s.do(s.SetRanked(s.ctx, home, alice, false, policy.AuditEntry{}))
		same(t, rows(s, score.People, noon(), after(999), 9), []score.Row{row(1, bob, 0, 0, 1)})
	})
	subtest(t, open, "equal players share a rank", func(t *testing.T, s tester) {
		s.ended("a", alice, bob, noon(), xWins())
		s.ended("b", carol, bob, after(100), xWins())
		same(t, rows(s, score.People, noon(), after(999), 9), []score.Row{row(1, alice, 1, 0, 0), row(1, carol, 1, 0, 0), row(3, bob, 0, 0, 2)})
	})
	subtest(t, open, "a new season changes nothing, and a reset leaves nothing", func(t *testing.T, s tester) {
		s.ended("a", alice, bob, noon(), xWins())
		s.season(season.Season{Venue: home, Number: 1, Name: "Spring", Began: after(60)})
		same(t, len(rows(s, score.People, noon(), after(100), 9)), 2)
		s.do(s.ResetScores(s.ctx, policy.AuditEntry{ID: "r", Venue: home, By: carol, At: after(90), Kind: policy.ResetScores}))
		same(t, len(rows(s, score.People, noon(), after(100), 9)), 0)
	})
}
