package bot_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
)

func TestUserRate(t *testing.T) {
	// clicks sends clicks of one user, each on another message.
	clicks := func(f *fake, person string, n int) {
		for i := range n {
			id := fmt.Sprint(person, i, time.Now().UnixMilli())
			f.gateway().interaction(id, `"type":3,"data":{"component_type":2,"custom_id":"play:x"},"guild_id":"g1",
				"member":{"user":{"id":"`+person+`","username":"x"},"roles":[],"permissions":"0"},`+messageOf("m"+id, `[]`))
		}
		synctest.Wait()
	}
	count := func(f *fake, kind int) (n int) {
		for _, c := range f.made(call.callback) {
			if c.kind() == kind {
				n++
			}
		}
		return n
	}
	run := func(f *fake) {
		f.run(func(c *config) {
			c.Limits.UserRate = 5
			c.Router.Component("play", after(0, redraw("board"), nil))
		})
	}
	inBubble(t, "a user over the rate limit is told so, and no other user", func(t *testing.T, f *fake) {
		run(f)
		clicks(f, "fast", 23)
		clicks(f, "calm", 3)
		if done, told := count(f, 7), count(f, 4); done != 23 || told != 3 {
			t.Errorf("%d were handled, %d turned away", done, told)
		}
		said := f.made(func(c call) bool { return c.kind() == 4 })
		if data, _ := said[0].Body["data"].(map[string]any); text(data) != "(slowly)" {
			t.Errorf("said %q", text(data))
		}
	})
	inBubble(t, "rate limited interactions are counted separately, whether answered or dropped", func(t *testing.T, f *fake) {
		var mu sync.Mutex
		went := map[bot.Outcome]int{}
		f.run(func(c *config) {
			c.Limits.UserRate = 5
			c.Router.Component("play", after(0, redraw("board"), nil))
			c.Telemetry.Report = func(r bot.Report) {
				mu.Lock()
				defer mu.Unlock()
				went[r.Outcome]++
			}
		})
		f.respond = func(call) (int, string) { time.Sleep(time.Second); return 0, "" }
		clicks(f, "flood", 700)
		passed(time.Minute)
		if d := cmp.Diff(map[bot.Outcome]int{bot.Answered: 20, bot.RateLimited: 680}, went); d != "" {
			t.Error(d)
		}
		if told := count(f, 4); told != 64 {
			t.Errorf("%d were told", told)
		}
	})
	inBubble(t, "five interactions a second are never limited", func(t *testing.T, f *fake) {
		run(f)
		for range 300 {
			clicks(f, "steady", 1)
			passed(200 * time.Millisecond)
		}
		if told := count(f, 4); told != 0 {
			t.Errorf("%d were turned away", told)
		}
	})
	inBubble(t, "six interactions a second are limited, although calm users are forgotten", func(t *testing.T, f *fake) {
		run(f)
		for range 300 {
			clicks(f, "eager", 1)
			passed(time.Second / 6)
		}
		if done := count(f, 7); done < 250 || done > 275 {
			t.Errorf("%d were handled in 50 s", done)
		}
	})
	inBubble(t, "a flood of one person leaves room to tell others that the bot is busy", func(t *testing.T, f *fake) {
		stuck := make(chan struct{})
		f.run(func(c *config) {
			c.Limits.UserRate, c.Apology = 5, func(*bot.Interaction, string, error) bot.Reply { <-stuck; return say("slowly") }
			c.Limits.Room(1, 1)
			c.Router.Component("play", func(context.Context, *bot.Interaction) (bot.Reply, error) { <-stuck; return redraw("board"), nil })
		})
		clicks(f, "flood", 700) // more than the bot can turn away at once
		clicks(f, "other", 1)
		close(stuck)
		passed(time.Minute)
		others := f.made(func(c call) bool { return c.callback() && len(c.Path) > 20 && c.Path[14:19] == "other" })
		if len(others) == 0 {
			t.Error("the other person got no answer")
		}
	})
	inBubble(t, "without a rate there is no limit", func(t *testing.T, f *fake) {
		f.run(func(c *config) { c.Router.Component("play", after(0, redraw("board"), nil)) })
		clicks(f, "fast", 100)
		if done := count(f, 7); done != 100 {
			t.Errorf("%d were handled", done)
		}
	})
}
