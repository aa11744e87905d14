package bot_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
)

func TestBusy(t *testing.T) {
	inBubble(t, "a full queue is answered from the reserve, and every interaction has its answer", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) {
			c.Limits.Room(1, 2)
			c.Router.Component("play", after(time.Second, redraw("board"), nil))
		})
		for i := range 10 {
			f.gateway().click(fmt.Sprint(i), fmt.Sprint("m", i), "play")
			synctest.Wait()
		}
		passed(10 * time.Second)
		busy := f.made(func(c call) bool { return strings.Contains(c.Raw, "busy") })
		if len(busy) != 7 || len(f.made(call.callback)) != 10 {
			t.Errorf("%d busy\n%v\n%s", len(busy), f.answers(), r.logs)
		}
	})
}

func TestFlood(t *testing.T) {
	inBubble(t, "interactions beyond the reserve are dropped and logged, and the bot goes on", func(t *testing.T, f *fake) {
		var mu sync.Mutex
		f.respond = func(c call) (int, string) {
			if c.callback() {
				time.Sleep(time.Second)
			}
			return 0, ""
		}
		var dropped, busy int
		r := f.run(func(c *config) {
			c.Limits.Room(1, 1)
			c.Telemetry.Report = func(r bot.Report) {
				mu.Lock()
				defer mu.Unlock()
				switch r.Outcome {
				case bot.Dropped:
					dropped++
				case bot.Busy:
					busy++
				}
			}
		})
		for i := range 600 {
			f.gateway().click(fmt.Sprint(i), fmt.Sprint("m", i), "play")
		}
		passed(2 * time.Minute)
		if answered := len(f.made(call.callback)); dropped == 0 || busy != 512 || answered != 514 || answered+dropped != 600 {
			t.Errorf("%d answered, %d of them that the bot is busy, %d dropped", answered, busy, dropped)
		}
		if lines := strings.Count(r.logs.String(), "interactions dropped"); lines != 1 {
			t.Errorf("%d log lines for one flood", lines)
		}
		f.gateway().click("last", "m", "play")
		passed(5 * time.Second)
		if got := f.answers(); got[len(got)-1] != "last callback 4" {
			t.Errorf("last: %s", got[len(got)-1])
		}
	})
}

// TestReportMayAskForState does not run in a bubble, because a bubble's time stands still while a goroutine waits for a mutex.
func TestReportMayAskForState(t *testing.T) {
	f := newFake(t)
	ready, stuck, told := make(chan struct{}), make(chan struct{}), make(chan bool, 1)
	var once sync.Once
	var r *runtime
	r = f.begin(func(c *config) {
		c.Limits.UserRate = 1
		c.Apology = func(*bot.Interaction, string, error) bot.Reply { <-stuck; return say("slowly") }
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
