package storetest

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
)

// aside returns the private line of a user under a board. It expires the given number of seconds after noon.
func aside(id match.ID, u match.User, token string, seconds int) board.Aside {
	return board.Aside{ID: id, User: u, Token: token, Message: "@original", Expires: after(seconds)}
}

// testAsides tests that each user has one private line under a board.
func testAsides(t *testing.T, open opener) {
	keep := func(s tester, a, before board.Aside) {
		s.t.Helper()
		same(s.t, must[board.Aside](s.t)(s.ReplaceAside(s.ctx, a)), before)
	}
	gone := func(s tester, id match.ID, u match.User) {
		s.t.Helper()
		fails(s.t, errorOf(s.Aside(s.ctx, id, u)), match.ErrNotFound)
	}
	stays := func(s tester, id match.ID, u match.User) {
		s.t.Helper()
		s.do(errorOf(s.Aside(s.ctx, id, u)))
	}
	subtest(t, open, "a line takes the place of the one before, which is named", func(t *testing.T, s tester) {
		first, second := aside("m", alice, "one", 15), aside("m", alice, "two", 16)
		second.Message = "7001"
		keep(s, first, board.Aside{})
		keep(s, aside("m", bob, "other", 15), board.Aside{})
		keep(s, aside("n", alice, "elsewhere", 15), board.Aside{})
		keep(s, second, first)
		same(t, must[board.Aside](t)(s.Aside(s.ctx, "m", alice)), second)
		gone(s, "m", carol) // carol has no line there
	})
	subtest(t, open, "the private lines of several boards are found, and each is taken once", func(t *testing.T, s tester) {
		for _, u := range []match.User{alice, bob} {
			keep(s, aside("m", u, "token", 15), board.Aside{})
		}
		keep(s, aside("n", alice, "other", 15), board.Aside{})
		keep(s, aside("o", alice, "elsewhere", 15), board.Aside{})
		found := func(ids ...match.ID) []board.Aside {
			all := must[[]board.Aside](t)(s.Asides(s.ctx, ids...))
			slices.SortFunc(all, func(a, b board.Aside) int { return cmp.Compare(a.ID+match.ID(a.User), b.ID+match.ID(b.User)) })
			return all
		}
		same(t, found("m", "n", "p"), []board.Aside{aside("m", alice, "token", 15), aside("m", bob, "token", 15), aside("n", alice, "other", 15)})
		same(t, found(), nil)
		s.do(s.TakeAside(s.ctx, aside("m", alice, "token", 15)))
		for _, absent := range []board.Aside{aside("m", alice, "token", 15), aside("n", alice, "before", 15), aside("m", carol, "token", 15)} {
			fails(t, s.TakeAside(s.ctx, absent), match.ErrNotFound)
		}
		same(t, found("m", "n", "o"), []board.Aside{aside("m", bob, "token", 15), aside("n", alice, "other", 15), aside("o", alice, "elsewhere", 15)})
	})
	subtest(t, open, "lines are forgotten when they expire", func(t *testing.T, s tester) {
		keep(s, aside("m", alice, "due", 15), board.Aside{})
		keep(s, aside("m", bob, "later", 16), board.Aside{})
		s.do(s.ForgetAsides(s.ctx, after(15)))
		gone(s, "m", alice)
		stays(s, "m", bob)
	})
	subtest(t, open, "lines are handed out without their token, and deleted with their user", func(t *testing.T, s tester) {
		keep(s, aside("n", alice, "secret", 16), board.Aside{})
		keep(s, aside("m", alice, "secret", 15), board.Aside{})
		keep(s, aside("m", bob, "secret", 15), board.Aside{})
		same(t, s.data(alice).PrivateLines, []user.PrivateLine{
			{Board: "m", Until: after(15)}, {Board: "n", Until: after(16)},
		})
		s.erase(alice, after(10).Add(time.Second))
		gone(s, "m", alice)
		gone(s, "n", alice)
		stays(s, "m", bob)
	})
}
