package match_test

import (
	"testing"

	"tictactoe/internal/match"
)

func TestNames(t *testing.T) {
	ctx, s := t.Context(), newStore(t)
	r := newReferee(s)
	if _, err := r.PlayComputer(ctx, ask("m", alice), "easy", terms(match.Me)); err != nil {
		t.Fatal(err)
	}
	play := func(id match.ID, ply int, square, name string) {
		t.Helper()
		req := ask(id, alice)
		req.Names = []match.Name{{Player: alice, Name: name}}
		m, err := r.Play(ctx, req, "m", ply, square)
		if err != nil || m.Looks[alice].Name != name {
			t.Errorf("%s is shown as %v: %v", name, m.Looks, err)
		}
		names, err := s.Names(ctx, alice)
		if err != nil || names[alice] != name {
			t.Errorf("%s is stored as %v: %v", name, names, err)
		}
	}
	play("1", 0, "c3", "Alice")
	play("2", 2, "c2", "Alice")
	play("3", 4, "b3", "Alicia")
}
