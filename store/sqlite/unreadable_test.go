package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/people/archive"
	"tictactoe/store/sqlite"
)

// challenge saves a challenge from alice to another player.
func challenge(t *testing.T, s *sqlite.Store, id match.ID, to match.User) {
	t.Helper()
	c, err := match.NewChallenge(id, "home", "alice", to, match.Terms{Rules: game.Classic(), TurnTime: 1e9}, noon())
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, match.Save{Challenge: match.ChallengeChange{To: c}})
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{
		"a match with a move on a taken square":   "UPDATE moves SET square = 8 WHERE ply = 1",
		"a match with a move off the board":       "UPDATE moves SET square = 9 WHERE ply = 1",
		"a match with a move on no square at all": "UPDATE moves SET square = 256 WHERE ply = 1",
		"a match with a ply missing":              "DELETE FROM moves WHERE ply = 0",
		"a match of unknown rules":                "UPDATE matches SET rules = '3x3x9'",
		"a match with a line that nobody has":     "UPDATE matches SET outcome = 'X', cause = 'line', ended = 1, deadline = NULL",
		"a match with a full board that is not":   "UPDATE matches SET outcome = 'draw', cause = 'full board', ended = 1, deadline = NULL",
		"a match that goes on after a line":       "INSERT INTO moves VALUES ('m', 2, 7, 1), ('m', 3, 3, 1), ('m', 4, 6, 1)",
		"a challenge of unknown rules":            "UPDATE challenges SET rules = ''",
	} {
		t.Run(name+" is an error that names the row", func(t *testing.T) {
			path := newPath(t)
			s := open(t, path)
			save(t, s, match.Save{Matches: []match.MatchChange{{To: move(t, move(t, begin("m")))}}}) // X on c3, O on b3
			challenge(t, s, "m", "bob")
			run(t, raw(t, path), damage)
			_, ofMatch := s.Match(t.Context(), "m")
			_, ofChallenge := s.Challenge(t.Context(), "m")
			var unreadable *sqlite.UnreadableError
			if !errors.As(errors.Join(ofMatch, ofChallenge), &unreadable) {
				t.Fatalf("got %v, %v", ofMatch, ofChallenge)
			}
			same(t, unreadable.ID, "m")
			if !errors.Is(unreadable, match.ErrUnreadable) {
				t.Error("the error does not wrap match.ErrUnreadable")
			}
		})
	}
}

// later is a clock that shows a minute after the deadlines of the matches that begin at noon.
type later struct{}

func (later) Read() (date, ran time.Time)          { return noon().Add(2 * time.Minute), time.Now() }
func (later) After(time.Duration) <-chan time.Time { return nil }

func TestUnreadableMatchesDoNotDelayOtherDeadlines(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	var broken match.Save
	for i := range 150 {
		broken.Matches = append(broken.Matches, match.MatchChange{To: begin(match.ID(fmt.Sprint("broken", i)))})
	}
	save(t, s, broken)
	run(t, raw(t, path), "UPDATE matches SET rules = '3x3x9'")
	good := begin("good")
	good.Deadline = good.Deadline.Add(time.Second)
	save(t, s, match.Save{Matches: []match.MatchChange{{To: good}}})

	scheduler := match.NewScheduler(match.Config{
		Referee: &match.Referee{Store: s}, Clock: clock.New(later{}), Log: slog.New(slog.DiscardHandler),
		Changed: func(match.ID) {},
		Moved:   func() {},
		Hear:    func(context.Context, time.Time) time.Time { return time.Now() },
	})
	if err := scheduler.Arrive(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := scheduler.Act(t.Context()); err != nil {
		t.Errorf("got %v", err)
	}
	if m := load(t, s, "good"); m.Result.Cause != match.ByTime {
		t.Errorf("%+v", m.Result)
	}
}

func TestListsKeepReadableRowsBesideUnreadableRows(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("bad")}, {To: begin("good")}}})
	over := begin("over")
	save(t, s, match.Save{Matches: []match.MatchChange{{To: over}}})
	over.Version, over.Deadline, over.Ended = 2, time.Time{}, noon()
	over.Result = match.Result{Outcome: game.OWins, Cause: match.ByResignation}
	save(t, s, match.Save{Matches: []match.MatchChange{{From: begin("over"), To: over}}})
	for _, to := range []match.User{"bob", "carol"} {
		challenge(t, s, match.ID("to-"+to), to)
	}
	db := raw(t, path)
	run(t, db, "UPDATE matches SET rules = '3x3x9' WHERE id = 'bad'")
	run(t, db, "UPDATE challenges SET rules = '' WHERE id = 'to-bob'")

	matches, err := s.OpenMatches(t.Context(), "alice")
	if len(matches) != 1 || matches[0].ID != "good" || !errors.Is(err, match.ErrUnreadable) {
		t.Errorf("open: %v, %v", matches, err)
	}
	if ended, err := s.EndedMatches(t.Context(), "alice", noon()); len(ended) != 1 || err != nil {
		t.Errorf("ended: %v, %v", ended, err)
	}
	challenges, err := s.PendingChallenges(t.Context(), "alice")
	if len(challenges) != 1 || challenges[0].ID != "to-carol" || !errors.Is(err, match.ErrUnreadable) {
		t.Errorf("challenges: %v, %v", challenges, err)
	}
	data, err := s.Data(t.Context(), "alice")
	if len(data.Played) != 2 || len(data.Challenged) != 1 || !errors.Is(err, match.ErrUnreadable) {
		t.Errorf("data: %+v, %v", data, err)
	}
}

func TestBestFindsMatchesBesideAnUnreadableOne(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	run(t, raw(t, path), `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version, plies)
		VALUES ('bad', 'bad', 'home', '3x3x9', 'alice', 'bob', 60000, 'X', 'line', 1, 2, 6, 5),
			('good', 'good', 'home', '3x3x3', 'alice', 'bob', 60000, 'X', 'line', 1, 2, 6, 5)`)
	best, err := s.Best(t.Context(), "home", time.UnixMilli(2), 1)
	if !errors.Is(err, match.ErrUnreadable) {
		t.Errorf("got %v", err)
	}
	for name, feats := range map[string][]archive.Feat{"shortest": best.Shortest, "longest": best.Longest} {
		if len(feats) != 1 || feats[0].ID != "good" {
			t.Errorf("%s: %+v", name, feats)
		}
	}
}

func TestAPlayerWithAnUnreadableMatchIsErased(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("bad")}, {To: begin("good")}}})
	challenge(t, s, "c", "carol")
	db := raw(t, path)
	run(t, db, "UPDATE matches SET rules = '3x3x9' WHERE id = 'bad'")
	run(t, db, "UPDATE challenges SET rules = ''")
	ended, err := s.Erase(t.Context(), "alice", noon(), "")
	if err != nil || len(ended) != 1 || ended[0] != "good" {
		t.Errorf("%v, %v", ended, err)
	}
	var named int
	if err := db.QueryRow(`SELECT (SELECT count(*) FROM matches WHERE 'alice' IN (x_player, o_player))
		+ (SELECT count(*) FROM challenges WHERE challenger = 'alice')`).Scan(&named); err != nil || named != 0 {
		t.Errorf("%d rows still name the player (%v)", named, err)
	}
}
