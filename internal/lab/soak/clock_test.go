package soak_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"tictactoe/internal/lab/soak"
	"tictactoe/internal/match/clock"
)

func TestASetClock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "clock")
	set := func(ahead string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(ahead), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var c clock.Source = soak.SetClock{File: file}
	for _, ahead := range []time.Duration{0, 90 * time.Minute, -30 * time.Hour, 10 * time.Second} {
		set("0s")
		date, ran := c.Read()
		set(ahead.String())
		after, then := c.Read()
		passed, moved := then.Sub(ran), after.Round(0).Sub(date.Round(0))
		if passed < 0 || passed > time.Minute || (moved-passed-ahead).Abs() > time.Millisecond { // two readings are not of one instant
			t.Errorf("set by %s, %s have run and the date moved by %s", ahead, passed, moved)
		}
	}
	if ring := <-c.After(time.Millisecond); ring.IsZero() {
		t.Error("it does not ring")
	}
}
