package soak_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/soak"
)

func TestASetClock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "clock")
	set := func(ahead string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(ahead), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var clock match.Clock = soak.SetClock{File: file}
	for _, ahead := range []time.Duration{0, 90 * time.Minute, -30 * time.Hour, 10 * time.Second} {
		set("0s")
		before := clock.Now()
		set(ahead.String())
		after := clock.Now()
		passed := clock.Passed(before, after)
		if passed < 0 || passed > time.Minute {
			t.Errorf("set by %s, %s have passed", ahead, passed)
		}
		if back := clock.Passed(after, before); back != -passed {
			t.Errorf("set by %s, %s have passed one way and %s the other", ahead, passed, back)
		}
		if moved := after.UnixMilli() - before.UnixMilli(); (time.Duration(moved)*time.Millisecond - passed - ahead).Abs() > 2*time.Millisecond {
			t.Errorf("set by %s, what is stored moved by %d ms in %s", ahead, moved, passed)
		}
		if later := after.Add(time.Hour); clock.Passed(after, later) != time.Hour {
			t.Errorf("an hour after a reading is %s after it", clock.Passed(after, later))
		}
	}
	if ring := <-clock.After(time.Millisecond); ring.IsZero() {
		t.Error("it does not ring")
	}
}
