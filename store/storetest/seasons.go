package storetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
)

func (s tester) seasons(v match.Venue) []season.Season {
	s.t.Helper()
	return must[[]season.Season](s.t)(s.Seasons(s.ctx, v))
}

// seasonOf returns a season that carol begins the given number of seconds after noon.
func seasonOf(v match.Venue, number, second int) season.Season {
	return season.Season{Venue: v, Number: number, Name: fmt.Sprint("Season ", number), Began: after(second), By: carol, Channel: "5001", Language: "pt-BR"}
}

// seasonEntry returns a new audit entry of a moderator about a season.
func seasonEntry(v match.Venue, kind policy.Kind, at time.Time) policy.AuditEntry {
	e := policy.AuditEntry{ID: match.ID(rand.Text()), Venue: v, By: carol, At: at, Kind: kind}
	if kind == policy.Undo {
		e.Undoes = match.ID(rand.Text())
	}
	return e
}

// season begins a season.
func (s tester) season(next season.Season) season.Season {
	s.t.Helper()
	s.do(s.BeginSeason(s.ctx, next, seasonEntry(next.Venue, policy.BeginSeason, next.Began)))
	return next
}

// undone undoes the newest season, the given number of seconds after noon.
func (s tester) undone(newest season.Season, second int) {
	s.t.Helper()
	s.do(s.UndoSeason(s.ctx, newest, seasonEntry(newest.Venue, policy.Undo, after(second))))
}

// ended returns a season that ended when the next season began, at the given second.
func ended(s season.Season, second int) season.Season {
	s.Ended = after(second)
	return s
}

// MoveSeasons begins the next season of the server home at the given time, if the newest season began earlier. If there are three
// seasons, it then undoes the newest.
func MoveSeasons(ctx context.Context, s Store, at time.Time) error {
	all, err := s.Seasons(ctx, home)
	if err != nil {
		return err
	}
	next := season.Season{Venue: home, Number: len(all) + 1, Name: "Next", Began: at, By: carol}
	if len(all) >= 3 || len(all) > 0 && at.Before(all[0].Began) {
		return s.UndoSeason(ctx, all[0], seasonEntry(home, policy.Undo, at))
	}
	return s.BeginSeason(ctx, next, seasonEntry(home, policy.BeginSeason, at))
}

func testSeasons(t *testing.T, open opener) {
	subtest(t, open, "seasons are read as they were begun, the newest first, and are of their venue alone", func(t *testing.T, s tester) {
		same(t, s.seasons(home), nil)
		first, second := seasonOf(home, 1, 10), seasonOf(home, 2, 20)
		second.Ends, second.Channel = after(100), ""
		s.season(first)
		s.season(second)
		s.season(seasonOf(away, 1, 5))
		same(t, s.seasons(home), []season.Season{second, ended(first, 20)})
		same(t, s.seasons(away), []season.Season{seasonOf(away, 1, 5)})
	})
	subtest(t, open, "a season that ended before a reset is not listed any more", func(t *testing.T, s tester) {
		s.season(seasonOf(home, 1, 10))
		s.season(seasonOf(home, 2, 20))
		s.season(seasonOf(home, 3, 30))
		s.do(s.ResetScores(s.ctx, resetOf(home, after(20))))
		same(t, s.seasons(home), []season.Season{seasonOf(home, 3, 30), ended(seasonOf(home, 2, 20), 30)})
		s.do(s.ResetScores(s.ctx, resetOf(home, after(40))))
		same(t, s.seasons(home), []season.Season{seasonOf(home, 3, 30)})
		s.season(seasonOf(home, 4, 50))
		same(t, s.seasons(home), []season.Season{seasonOf(home, 4, 50), ended(seasonOf(home, 3, 30), 50)})
	})
	subtest(t, open, "a server that was left for good has none", func(t *testing.T, s tester) {
		for _, v := range []match.Venue{home, away} {
			s.season(seasonOf(v, 1, 10))
		}
		s.leaveHome()
		same(t, len(s.seasons(home)), 0)
		same(t, len(s.seasons(away)), 1)
	})
	subtest(t, open, "who has begun one is told of it, and is forgotten by it", func(t *testing.T, s tester) {
		first := s.season(seasonOf(home, 1, 10))
		same(t, s.data(carol).Seasons, []season.Season{first})
		s.erase(carol, after(20))
		same(t, len(s.data(carol).Seasons), 0)
		first.By = match.Left
		same(t, s.seasons(home), []season.Season{first})
	})
}

// testBegunSeasons tests which seasons can be begun.
func testBegunSeasons(t *testing.T, open opener) {
	subtest(t, open, "the audit entry is saved with it, and once", func(t *testing.T, s tester) {
		next := seasonOf(home, 1, 10)
		entry := seasonEntry(home, policy.BeginSeason, after(10))
		entry.Chosen = strings.Fields(next.Name)
		for range 2 {
			s.do(s.BeginSeason(s.ctx, next, entry, match.Name{Player: carol, Name: "Carol"}))
		}
		same(t, s.seasons(home), []season.Season{next})
		same(t, s.auditLog(home, 0, 9), []policy.AuditEntry{entry})
		same(t, s.names(carol), map[match.User]string{carol: "Carol"})
	})
	for _, tt := range []struct {
		name string
		next season.Season
	}{
		{"one of a number that is taken", seasonOf(home, 1, 20)},
		{"one that leaves a number out", seasonOf(home, 3, 20)},
		{"one that begins before the season before it", seasonOf(home, 2, 9)},
	} {
		subtest(t, open, tt.name+" is refused", func(t *testing.T, s tester) {
			first := s.season(seasonOf(home, 1, 10))
			fails(t, s.BeginSeason(s.ctx, tt.next, seasonEntry(home, policy.BeginSeason, after(20))), match.ErrConflict)
			same(t, s.seasons(home), []season.Season{first})
			same(t, len(s.auditLog(home, 0, 9)), 1)
		})
	}
	subtest(t, open, "one that makes no sense is refused", func(t *testing.T, s tester) {
		endless, nowhere := seasonOf(home, 1, 10), seasonOf("", 1, 10)
		endless.Ends = after(10)
		for _, next := range []season.Season{endless, nowhere} {
			refuses(t, s.BeginSeason(s.ctx, next, seasonEntry(home, policy.BeginSeason, after(10))))
		}
		same(t, s.seasons(home), nil)
	})
	subtest(t, open, "two may begin in the same moment", func(t *testing.T, s tester) {
		s.season(seasonOf(home, 1, 10))
		s.season(seasonOf(home, 2, 10))
		same(t, s.seasons(home), []season.Season{seasonOf(home, 2, 10), ended(seasonOf(home, 1, 10), 10)})
	})
}

// testPlannedEnds tests the season that follows a season whose planned end has passed.
func testPlannedEnds(t *testing.T, open opener) {
	planned := seasonOf(home, 1, 10)
	planned.Ends = after(60)
	subtest(t, open, "a season ends at its planned end, whenever that is noticed, and once", func(t *testing.T, s tester) {
		s.season(planned)
		s.season(seasonOf(away, 1, 10))
		same(t, must[int](t)(s.EndSeasons(s.ctx, after(59))), 0)
		same(t, must[int](t)(s.EndSeasons(s.ctx, after(75))), 1)
		same(t, must[int](t)(s.EndSeasons(s.ctx, after(75))), 0)
		same(t, s.seasons(home), []season.Season{{Venue: home, Number: 2, Began: after(60), Channel: planned.Channel, Language: planned.Language}, ended(planned, 60)})
		same(t, s.seasons(away), []season.Season{seasonOf(away, 1, 10)})
		same(t, len(s.auditLog(home, 0, 9)), 1)
	})
	subtest(t, open, "a planned end of a season that was ended before ends nothing", func(t *testing.T, s tester) {
		s.season(planned)
		s.season(seasonOf(home, 2, 30))
		same(t, must[int](t)(s.EndSeasons(s.ctx, after(75))), 0)
		same(t, s.seasons(home), []season.Season{seasonOf(home, 2, 30), ended(planned, 30)})
	})
	subtest(t, open, "the season after a planned end is followed by the next season that a moderator begins", func(t *testing.T, s tester) {
		s.season(planned)
		s.EndSeasons(s.ctx, after(60))
		s.season(seasonOf(home, 3, 90))
		same(t, s.seasons(home), []season.Season{
			seasonOf(home, 3, 90), {Venue: home, Number: 2, Began: after(60), Ended: after(90), Channel: planned.Channel, Language: planned.Language}, ended(planned, 60),
		})
	})
}

func testUndoneSeasons(t *testing.T, open opener) {
	subtest(t, open, "the season before goes on, as if nothing had been", func(t *testing.T, s tester) {
		first := seasonOf(home, 1, 10)
		first.Ends = after(100)
		s.season(first)
		s.do(s.Announce(s.ctx, ended(s.begunAfter(first, 20), 20), after(21)))
		s.undone(seasonOf(home, 2, 20), 30)
		same(t, s.seasons(home), []season.Season{first})
		log := s.auditLog(home, 0, 9)
		same(t, []policy.Kind{log[0].Kind, log[1].Kind, log[2].Kind}, []policy.Kind{policy.Undo, policy.BeginSeason, policy.BeginSeason})
		s.undone(first, 40)
		same(t, s.seasons(home), nil)
	})
	subtest(t, open, "a planned end that has passed is forgotten", func(t *testing.T, s tester) {
		first := seasonOf(home, 1, 10)
		first.Ends = after(60)
		s.season(first)
		s.EndSeasons(s.ctx, after(60))
		s.undone(s.seasons(home)[0], 70)
		first.Ends = time.Time{}
		same(t, s.seasons(home), []season.Season{first})
		same(t, must[int](t)(s.EndSeasons(s.ctx, after(80))), 0)
	})
	subtest(t, open, "only the newest can be undone, and once", func(t *testing.T, s tester) {
		first, second := s.season(seasonOf(home, 1, 10)), s.season(seasonOf(home, 2, 20))
		undo := func(which season.Season) error {
			return s.UndoSeason(s.ctx, which, seasonEntry(home, policy.Undo, after(30)))
		}
		fails(t, undo(first), match.ErrConflict)
		s.do(undo(second))
		fails(t, undo(second), match.ErrConflict)
		fails(t, undo(season.Season{Venue: away}), match.ErrConflict)
		same(t, s.seasons(home), []season.Season{first})
	})
}

// begunAfter begins the season that follows the given season, and returns the given season.
func (s tester) begunAfter(before season.Season, second int) season.Season {
	s.t.Helper()
	s.season(seasonOf(before.Venue, before.Number+1, second))
	return before
}

func testAnnouncements(t *testing.T, open opener) {
	unannounced := func(s tester) []season.Season {
		s.t.Helper()
		return must[[]season.Season](s.t)(s.Unannounced(s.ctx, 9))
	}
	subtest(t, open, "champions are to be posted of what has ended, where that was said, and once", func(t *testing.T, s tester) {
		silent := seasonOf(away, 1, 5)
		silent.Channel = ""
		s.season(silent)
		s.season(seasonOf(away, 2, 15))
		first := s.season(seasonOf(home, 1, 10))
		same(t, unannounced(s), nil)
		first = ended(s.begunAfter(first, 20), 20)
		same(t, unannounced(s), []season.Season{first})
		s.do(s.Announce(s.ctx, first, after(25)))
		fails(t, s.Announce(s.ctx, first, after(26)), match.ErrConflict)
		same(t, unannounced(s), nil)
		first.Announced = after(25)
		same(t, s.seasons(home)[1], first)
	})
	subtest(t, open, "the seasons whose post was claimed since a time are found", func(t *testing.T, s tester) {
		first := ended(s.begunAfter(s.season(seasonOf(home, 1, 10)), 20), 20)
		s.begunAfter(s.season(seasonOf(away, 1, 10)), 20)
		s.do(s.Announce(s.ctx, first, after(25)))
		first.Announced = after(25)
		same(t, must[[]season.Season](t)(s.Announced(s.ctx, after(25))), []season.Season{first})
		same(t, must[[]season.Season](t)(s.Announced(s.ctx, after(26))), nil)
	})
	subtest(t, open, "the season that ended first comes first", func(t *testing.T, s tester) {
		want := []season.Season{ended(seasonOf(away, 1, 5), 15), ended(seasonOf(home, 1, 1), 20)}
		s.season(seasonOf(home, 1, 1))
		s.season(seasonOf(home, 2, 20))
		s.season(seasonOf(away, 1, 5))
		s.season(seasonOf(away, 2, 15))
		same(t, unannounced(s), want)
		same(t, must[[]season.Season](t)(s.Unannounced(s.ctx, 1)), want[:1])
	})
	subtest(t, open, "a season that goes on again is announced when it ends again", func(t *testing.T, s tester) {
		first := s.season(seasonOf(home, 1, 10))
		over := ended(s.begunAfter(first, 20), 20)
		s.do(s.Announce(s.ctx, over, after(21)))
		s.undone(seasonOf(home, 2, 20), 30)
		same(t, unannounced(s), nil)
		fails(t, s.Announce(s.ctx, over, after(31)), match.ErrConflict)
		s.season(seasonOf(home, 2, 40))
		same(t, unannounced(s), []season.Season{ended(first, 40)})
	})
}
