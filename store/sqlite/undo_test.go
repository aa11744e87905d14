package sqlite_test

import (
	"os"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/store/sqlite"
)

// TestAResetOfAnEarlierSchemaCanBeUndone: up to 00021 a reset deleted what it took off the ladders. 00022 brings it back, to be worked out.
func TestAResetOfAnEarlierSchemaCanBeUndone(t *testing.T) {
	text, err := os.ReadFile(fixture(21))
	if err != nil {
		t.Fatal(err)
	}
	path := built(t, string(text))
	alter(t, path, `
		UPDATE matches SET stakes = 'full' WHERE id IN ('m-before', 'm-called');
		INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version, stakes)
			SELECT 'm-earlier', 'm-earlier', venue, rules, o_player, x_player, turn_ms, outcome, cause, created, ended - 1, version, 'half'
			FROM matches WHERE id = 'm-before';
		INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version, stakes)
			SELECT 'm-left', 'm-left', venue, rules, x_player, 'left', turn_ms, outcome, cause, created, ended - 2, version, 'full'
			FROM matches WHERE id = 'm-before'`)
	s := opened(t, path)
	for more := true; more; {
		if more, err = s.Replay(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := s.Ladder(t.Context(), "elsewhere", game.Classic(), season.Latest, score.Where{Page: 1}, ""); err != nil || len(p.Rows) > 0 || p.Stale {
		t.Errorf("after the reset there are %+v, %v", p, err)
	}
	undo := policy.AuditEntry{ID: "d-undo-reset", Venue: "elsewhere", By: "carol", At: noon(), Kind: policy.Undo, Chosen: []string{"reset"}, Undoes: "d-reset"}
	if err := s.UndoReset(t.Context(), undo); err != nil {
		t.Fatal(err)
	}
	p, err := s.Ladder(t.Context(), "elsewhere", game.Classic(), season.Latest, score.Where{Page: 1}, "")
	if err != nil || len(p.Rows) != 2 || p.Stale {
		t.Fatalf("%+v, %v", p, err)
	}
	end := func(id match.ID) time.Time { return load(t, s, id).Ended }
	alice, bob := rating.New(), rating.New()
	alice = alice.Against(rating.New(), rating.Win, 1, end("m-left"))
	bob, alice = rating.Match(bob, alice, rating.Win, 0.5, end("m-earlier"))
	alice, bob = rating.Match(alice, bob, rating.Win, 1, end("m-before"))
	for _, r := range p.Rows {
		want, opponents := alice, 2
		if r.Player == "bob" {
			want, opponents = bob, 1
		}
		if r.Rating != want || r.Opponents != opponents {
			t.Errorf("%s has %+v and %d opponents, not %+v and %d", r.Player, r.Rating, r.Opponents, want, opponents)
		}
	}
	shut(t, s)
	r, err := sqlite.Check(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, r.Findings, []sqlite.Finding{})
}
