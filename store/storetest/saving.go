package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

type unknown struct{}

func (unknown) Extra() {}

// testSavedTogether tests that either all parts of a save are written, or none.
func testSavedTogether(t *testing.T, open opener) {
	t.Run("nothing to save is saved", func(t *testing.T) {
		start(t, open).save(match.Save{})
	})
	subtest(t, open, "an extra that the store does not know is an error, and the rest of the save is not saved", func(t *testing.T, s tester) {
		refuses(t, s.Save(s.ctx, match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}}, Extras: []match.Extra{unknown{}}}))
		same(t, s.names(alice), map[match.User]string{})
	})
	subtest(t, open, "a conflict undoes everything that came before it", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		next := play(t, m, after(1), "a1")
		s.create(m)
		s.replace(m, next)
		c := invite(t, "c", alice, bob, noon())
		s.invite(c)
		err := s.Save(s.ctx, match.Save{
			Challenge: match.ChallengeChange{From: c, To: must[match.Challenge](t)(c.Decline(bob, after(1))), At: after(1)},
			Matches:   []match.MatchChange{{To: begin("other", alice, bob, noon())}, {From: m, To: play(t, m, after(1), "b2")}},
			Names:     []match.Name{{Player: alice, Name: "Alice"}},
			Seen:      match.Seen{At: after(9)},
		})
		fails(t, err, match.ErrConflict)
		fails(t, errorOf(s.Match(s.ctx, "other")), match.ErrNotFound)
		same(t, s.challenge("c"), c)
		same(t, s.names(alice), map[match.User]string{})
		same(t, s.lastSeen(match.Partition{}), time.Time{})
		same(t, s.match("m"), next)
	})
	subtest(t, open, "of many who save at once, one who fails does so alone", func(t *testing.T, s tester) {
		taken := begin("taken", alice, bob, noon())
		s.create(taken)
		name := func(clicker int) match.User { return match.User(fmt.Sprint("player ", clicker)) }
		id := func(clicker int) match.ID { return match.ID(fmt.Sprint("match ", clicker)) }
		fails := func(clicker int) bool { return clicker%4 == 1 }
		crowd(func(clicker int) {
			save := match.Save{
				Matches: []match.MatchChange{{To: begin(id(clicker), alice, bob, noon())}},
				Names:   []match.Name{{Player: name(clicker), Name: "somebody"}},
			}
			if fails(clicker) {
				save.Matches = append(save.Matches, match.MatchChange{To: taken})
			}
			if err := s.Save(s.ctx, save); fails(clicker) != errors.Is(err, match.ErrExists) || !fails(clicker) && err != nil {
				t.Errorf("clicker %d: %v", clicker, err)
			}
		})
		for clicker := range clickers {
			_, err := s.Match(s.ctx, id(clicker))
			names := s.names(name(clicker))
			if fails(clicker) != errors.Is(err, match.ErrNotFound) || !fails(clicker) && err != nil || fails(clicker) != (len(names) == 0) {
				t.Errorf("clicker %d: %v, %v", clicker, names, err)
			}
		}
	})
	subtest(t, open, "a version must follow the one before", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		c := invite(t, "c", alice, bob, noon())
		s.save(match.Save{Challenge: match.ChallengeChange{To: c}, Matches: []match.MatchChange{{To: m}}})
		refuses(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{From: m, To: m}}}))
		refuses(t, s.Save(s.ctx, match.Save{Challenge: match.ChallengeChange{From: c, To: c}}))
	})
}

// testRefusedSaves tests which saves are refused, and their errors.
func testRefusedSaves(t *testing.T, open opener) {
	subtest(t, open, "of several reasons not to save, the same one is told each time", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		next := play(t, m, after(1), "a1")
		s.create(m)
		s.do(s.SetBlocked(s.ctx, alice, []match.User{bob}))
		s.do(s.SetPolicy(s.ctx, policy.Policy{Venue: home}, policy.Policy{Venue: home, Places: []string{"5001"}, Version: 1},
			entryOf(policy.Policy{Venue: home})))
		save := match.Save{
			Permit:  match.Permit{Venue: home},
			Consent: match.Consent{By: alice, Other: bob, At: noon()},
			Quota:   match.Quota{By: alice, At: noon()},
			Matches: []match.MatchChange{{To: m}, {From: next, To: play(t, next, after(2), "b2")}},
		}
		for _, tt := range []struct {
			want error
			mend func()
		}{
			{match.ErrConflict, func() { save.Matches = save.Matches[:1] }},
			{match.WrongPlace, func() { save.Permit = match.Permit{} }},
			{match.Blocking, func() { save.Consent = match.Consent{} }},
			{match.TooManyYours, func() { save.Quota = match.Quota{} }},
			{match.ErrExists, func() { save.Matches = nil }},
			{nil, func() {}},
		} {
			fails(t, s.Save(s.ctx, save), tt.want)
			tt.mend()
		}
	})
	t.Run("inconsistent values are refused", func(t *testing.T) {
		for name, spoil := range spoiledMatches {
			subtest(t, open, name, func(t *testing.T, s tester) {
				m := begin("m", alice, bob, noon())
				spoil(&m)
				refuses(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{To: m}}}))
			})
		}
	})
	subtest(t, open, "a context that has ended makes every method busy", func(t *testing.T, s tester) {
		ctx, cancel := context.WithCancel(s.ctx)
		cancel()
		for name, err := range answers(ctx, s) {
			if !errors.Is(err, match.ErrBusy) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	})
}

// spoiledMatches holds the ways to turn a new match into one that must not be saved.
var spoiledMatches = map[string]func(*match.Match){
	"a match without id":                  func(m *match.Match) { m.ID = "" },
	"a match without series":              func(m *match.Match) { m.Series = "" },
	"an empty seat":                       func(m *match.Match) { m.Seats[0] = match.Seat{} },
	"a seat with a player and a level":    func(m *match.Match) { m.Seats[1].Level = "easy" },
	"a player against himself":            func(m *match.Match) { m.Seats[1] = m.Seats[0] },
	"a match without clock":               func(m *match.Match) { m.TurnTime = 0 },
	"an open match without deadline":      func(m *match.Match) { m.Deadline = time.Time{} },
	"an open match with an end":           func(m *match.Match) { m.Ended = noon() },
	"a match without beginning":           func(m *match.Match) { m.Created = time.Time{} },
	"a match without version":             func(m *match.Match) { m.Version = 0 },
	"an outcome without cause":            func(m *match.Match) { m.Result.Outcome = game.XWins },
	"a rematch of a match that goes on":   func(m *match.Match) { m.Rematch = match.Rematch{State: match.RematchDeclined} },
	"an ended match with a deadline":      func(m *match.Match) { end(m, game.XWins, match.ByTime); m.Deadline = noon() },
	"an ended match without an end":       func(m *match.Match) { end(m, game.XWins, match.ByTime); m.Ended = time.Time{} },
	"an aborted match with a winner":      func(m *match.Match) { end(m, game.XWins, match.ByAbort) },
	"a resignation without a winner":      func(m *match.Match) { end(m, game.InProgress, match.ByResignation) },
	"a line that is a draw":               func(m *match.Match) { end(m, game.Draw, match.ByLine) },
	"a full board with a winner":          func(m *match.Match) { end(m, game.OWins, match.ByFullBoard) },
	"a voided match with a winner":        func(m *match.Match) { end(m, game.XWins, match.ByVoid) },
	"a called draw with a winner":         func(m *match.Match) { end(m, game.OWins, match.ByModerator) },
	"an agreed draw with a winner":        func(m *match.Match) { end(m, game.OWins, match.ByAgreement) },
	"a series of two games":               func(m *match.Match) { m.BestOf = 2 },
	"a match that nobody left":            func(m *match.Match) { m.LeftBy = game.X },
	"a wish of nobody":                    func(m *match.Match) { m.Wish.Kind = match.WishDraw },
	"nobody's wish of somebody":           func(m *match.Match) { m.Wish.By = game.X },
	"an unknown wish":                     func(m *match.Match) { m.Wish = match.Wish{Kind: match.WishDeclined + 1, By: game.X} },
	"a wish before the first ply":         func(m *match.Match) { m.Wish = match.Wish{Kind: match.WishDraw, By: game.X, Ply: -1} },
	"one that goes on and was voided":     func(m *match.Match) { m.Voided = match.Result{Outcome: game.XWins, Cause: match.ByTime} },
	"one that counts and was voided":      func(m *match.Match) { end(m, game.XWins, match.ByTime); m.Voided = m.Result },
	"one that was voided twice":           voided(game.InProgress, match.ByVoid),
	"a voided loss on time of nobody":     voided(game.Draw, match.ByTime),
	"a voided draw with a winner":         voided(game.OWins, match.ByModerator),
	"a voided abortion with a winner":     voided(game.OWins, match.ByAbort),
	"a voided outcome without its cause":  voided(game.OWins, 0),
	"an unknown cause":                    func(m *match.Match) { end(m, game.OWins, match.ByAgreement+1) },
	"an unknown outcome":                  func(m *match.Match) { end(m, game.Draw+1, match.ByTime) },
	"a proposal without a deadline":       proposal(match.Rematch{State: match.RematchProposed, By: alice}),
	"a proposal of nobody":                proposal(match.Rematch{State: match.RematchProposed, Deadline: noon()}),
	"a declined rematch with a deadline":  proposal(match.Rematch{State: match.RematchDeclined, Deadline: noon()}),
	"a started rematch without its match": proposal(match.Rematch{State: match.RematchStarted, By: alice}),
	"no rematch that has a match":         proposal(match.Rematch{Next: "n"}),
}

func end(m *match.Match, outcome game.Outcome, cause match.Cause) {
	m.Result = match.Result{Outcome: outcome, Cause: cause}
	m.Ended, m.Deadline = noon(), time.Time{}
}

func voided(outcome game.Outcome, cause match.Cause) func(*match.Match) {
	return func(m *match.Match) {
		end(m, game.InProgress, match.ByVoid)
		m.Voided = match.Result{Outcome: outcome, Cause: cause}
	}
}

func proposal(r match.Rematch) func(*match.Match) {
	return func(m *match.Match) {
		end(m, game.XWins, match.ByTime)
		m.Rematch = r
	}
}

// answers calls every method of a store with the zero values of its parameters, and returns the errors.
func answers(ctx context.Context, s Store) map[string]error {
	errs := make(map[string]error)
	methods := reflect.TypeFor[Store]()
	for i := range methods.NumMethod() {
		method := methods.Method(i)
		args := []reflect.Value{reflect.ValueOf(ctx)}
		for n := 1; n < method.Type.NumIn(); n++ {
			in := method.Type.In(n)
			if method.Type.IsVariadic() && n == method.Type.NumIn()-1 {
				in = in.Elem()
			}
			args = append(args, reflect.Zero(in))
		}
		results := reflect.ValueOf(s).MethodByName(method.Name).Call(args)
		errs[method.Name], _ = results[len(results)-1].Interface().(error)
	}
	return errs
}
