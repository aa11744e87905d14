package bot_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
)

// TestReportMayAskForState does not run in a bubble, because a bubble's time stands still while a goroutine waits for a mutex.
func TestReportMayAskForState(t *testing.T) {
	f := newFake(t)
	ready, stuck, told := make(chan struct{}), make(chan struct{}), make(chan bool, 1)
	var once sync.Once
	var r *runtime
	r = f.begin(func(c *config) {
		c.Limits.UserRate = 1
		c.Texts.RateLimited = func(*bot.Interaction) bot.Reply { <-stuck; return say("slowly") }
		c.Connected = func(context.Context, gateway.Shard) error { close(ready); return nil }
		c.Telemetry.Report = func(report bot.Report) {
			if report.Outcome != bot.RateLimited {
				return
			}
			asked, answered := make(chan struct{}), false
			go func() { r.State(); close(asked) }()
			select {
			case <-asked:
				answered = true
			case <-time.After(5 * time.Second): // Report was called with a lock held that State needs
			}
			once.Do(func() { told <- answered })
		}
	})
	<-ready
	var clicking sync.WaitGroup
	clicking.Go(func() {
		for i := range 70 { // at most 64 interactions of one user are answered
			f.gateway().click(fmt.Sprint(i), fmt.Sprint("m", i), "play")
		}
	})
	if !<-told {
		t.Error("State did not return while Report waited for it")
	}
	close(stuck)
	clicking.Wait()
}
