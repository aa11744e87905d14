package match_test

import (
	"errors"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

func TestVoid(t *testing.T) {
	later := noon.Add(time.Hour)
	running := match.Start("m", "m", "venue", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, noon)
	lost, _ := running.Expire(running.Deadline)
	proposed, _, err := lost.AskRematch(alice, lost.Version, "n", lost.Ended)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]match.Match{"running": running, "ended": lost, "with a rematch": proposed} {
		void, err := m.Void(later)
		if err != nil {
			t.Fatal(name, err)
		}
		want := m
		want.Result, want.Deadline, want.Version = match.Result{Cause: match.ByVoid}, time.Time{}, m.Version+1
		if m.Result.Over() {
			want.Voided = m.Result
		} else {
			want.Ended = later
		}
		if d := diff(void, want); d != "" {
			t.Error(name, d)
		}
		if void.Result.Counts() || !void.Result.Over() {
			t.Errorf("%s: over %v, counts %v", name, void.Result.Over(), void.Result.Counts())
		}
		if _, err := void.Void(later); !errors.Is(err, match.Finished) {
			t.Errorf("%s: voided twice: %v", name, err)
		}
	}
}

func TestRestore(t *testing.T) {
	later := noon.Add(time.Hour)
	running := match.Start("m", "m", "venue", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, noon)
	lost, _ := running.Expire(running.Deadline)
	aborted, err := running.Resign(alice, 0, noon)
	if err != nil {
		t.Fatal(err)
	}
	proposed, _, err := lost.AskRematch(alice, lost.Version, "n", lost.Ended)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]match.Match{"lost": lost, "aborted": aborted, "with a rematch": proposed} {
		void, err := m.Void(later)
		if err != nil {
			t.Fatal(name, err)
		}
		restored, err := void.Restore()
		if err != nil {
			t.Fatal(name, err)
		}
		want := m
		want.Version += 2
		if d := diff(restored, want); d != "" {
			t.Error(name, d)
		}
		if _, err := restored.Restore(); !errors.Is(err, match.Undone) {
			t.Errorf("%s: restored twice: %v", name, err)
		}
	}

	void, err := proposed.Void(later)
	if err != nil {
		t.Fatal(err)
	}
	started, next, err := void.AskRematch(bob, void.Version, "n", lost.Ended)
	if err != nil || next == nil {
		t.Fatal(next, err)
	}
	restored, err := started.Restore()
	if err != nil || restored.Result != lost.Result || restored.Rematch != started.Rematch {
		t.Errorf("after its rematch began: %v, %+v, %v", restored.Result, restored.Rematch, err)
	}

	cut, err := running.Void(later)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cut.Restore(); !errors.Is(err, match.CutShort) {
		t.Errorf("voided while it went on: %v", err)
	}
}

func TestCallDraw(t *testing.T) {
	later := noon.Add(time.Hour)
	m := match.Start("m", "m", "venue", game.Classic(), match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, noon)
	drawn, err := m.CallDraw(later)
	if err != nil || !drawn.Result.Counts() {
		t.Fatal(drawn.Result, err)
	}
	want := m
	want.Result, want.Ended, want.Deadline, want.Version = match.Result{Outcome: game.Draw, Cause: match.ByModerator}, later, time.Time{}, 2
	if d := diff(drawn, want); d != "" {
		t.Error(d)
	}
	if _, err := drawn.CallDraw(later); !errors.Is(err, match.Finished) {
		t.Errorf("called twice: %v", err)
	}
}
