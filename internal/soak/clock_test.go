package soak_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

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
	clock := soak.SetClock{File: file}
	for _, ahead := range []time.Duration{0, 90 * time.Minute, -30 * time.Hour, 10 * time.Second} {
		set("0s")
		before := clock.Now()
		set(ahead.String())
		after := clock.Now()
		passed := after.Sub(before)
		if passed < 0 || passed > time.Minute {
			t.Errorf("set by %s, the monotonic clock went on by %s", ahead, passed)
		}
		if moved := after.Round(0).Sub(before.Round(0)); (moved - passed - ahead).Abs() > time.Millisecond {
			t.Errorf("set by %s, the date moved by %s in %s", ahead, moved, passed)
		}
		if moved := after.UnixMilli() - before.UnixMilli(); (time.Duration(moved)*time.Millisecond - passed - ahead).Abs() > 2*time.Millisecond {
			t.Errorf("set by %s, what is stored moved by %d ms in %s", ahead, moved, passed)
		}
	}
	if ring := <-clock.After(time.Millisecond); ring.IsZero() {
		t.Error("it does not ring")
	}
}
