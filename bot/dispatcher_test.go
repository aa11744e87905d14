package bot_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/internal/longtest"
)

// after returns a handler that replies after the given time.
func after(d time.Duration, reply bot.Reply, err error) bot.Handler {
	return func(context.Context, *bot.Interaction) (bot.Reply, error) {
		time.Sleep(d)
		return reply, err
	}
}

func modal() bot.Reply {
	return bot.Reply{Kind: bot.Ask, Modal: &bot.Modal{CustomID: "resign:m", Title: "Resign?"}}
}

func TestOrder(t *testing.T) {
	inBubble(t, "two redraws of one message follow each other, and others do not wait", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.callback() {
				time.Sleep(400 * time.Millisecond)
			}
			return 0, ""
		}
		var mu sync.Mutex
		var started []string
		f.run(func(c *config) {
			begin := time.Now()
			c.Router.Component("play", func(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
				mu.Lock()
				started = append(started, fmt.Sprint(in.ID, " at ", time.Since(begin)))
				mu.Unlock()
				time.Sleep(100 * time.Millisecond)
				return redraw(in.ID), nil
			})
		})
		g := f.gateway()
		for i, message := range []string{"m1", "m1", "m1", "m2"} {
			g.click(fmt.Sprint(i+1), message, "play")
			passed(time.Millisecond)
		}
		passed(10 * time.Second)
		want := []string{"1 at 0s", "4 at 3ms", "2 at 500ms", "3 at 1s"}
		if diff := cmp.Diff(want, started); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "a click that waited while its user had all data deleted is not handled", func(t *testing.T, f *fake) {
		var handled []string
		f.run(func(c *config) {
			c.Router.Component("play", func(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
				handled = append(handled, in.ID)
				time.Sleep(2 * time.Second)
				return redraw(in.ID), nil
			})
			c.Gateway.Erased = func(_ context.Context, user, interaction string) (bool, error) { return interaction == "2", nil }
		})
		for _, id := range []string{"1", "2", "3"} {
			f.gateway().click(id, "m1", "play")
			passed(time.Millisecond)
		}
		passed(time.Minute)
		if diff := cmp.Diff([]string{"1", "3"}, handled); diff != "" {
			t.Error(diff)
		}
		if got := f.made(call.callback); len(got) != 3 {
			t.Errorf("%d of 3 were answered", len(got))
		}
	})

	inBubble(t, "a crowd on one slow message does not delay other messages", func(t *testing.T, f *fake) {
		f.run(func(c *config) {
			c.Limits.Room(2, 8)
			c.Router.Component("slow", after(5*time.Second, redraw("slow"), nil))
			c.Router.Component("play", after(0, redraw("board"), nil))
		})
		for i := range 20 {
			f.gateway().click(fmt.Sprint("s", i), "m1", "slow")
		}
		synctest.Wait()
		f.gateway().click("1", "m2", "play")
		synctest.Wait()
		if got := f.made(func(c call) bool { return c.kind() == 7 && strings.HasPrefix(c.Path, "/interactions/1/") }); len(got) != 1 {
			t.Errorf("answers: %v", f.answers())
		}
		if got := f.made(func(c call) bool { return strings.Contains(c.Raw, "busy") }); len(got) != 20-1-4 {
			t.Errorf("%d were told that the bot is busy", len(got))
		}
		passed(time.Minute)
		if got := f.made(call.callback); len(got) != 21 {
			t.Errorf("%d of 21 were answered", len(got))
		}
	})
}

func TestStrangeInteractions(t *testing.T) {
	const click = `"type":3,"data":{"component_type":2,"custom_id":"play:x"}`
	for name, fields := range map[string]string{
		"an unknown component":        click + `,` + messageOf("m1", `[{"type":99,"x":1},{"type":1,"components":[{"type":2,"style":1,"custom_id":"a"}]}]`),
		"an unknown nested component": click + `,` + messageOf("m1", `[{"type":17,"components":[{"type":99}]}]`),
		"no message":                  click,
		"a number for permissions":    click + `,"app_permissions":0,` + messageOf("m1", `[]`),
		"numbers for owners":          click + `,"authorizing_integration_owners":{"0":1},` + messageOf("m1", `[]`),
		"a time that is none":         click + `,"message":{"id":"m1","timestamp":""}`,
		"a message that is a text":    click + `,"message":"m1"`,
		"data that is a text":         `"type":3,"data":"play"`,
		"no data":                     `"type":2`,
		"a modal with new components": `"type":5,"data":{"custom_id":"x","components":[{"type":18,"component":{"type":4,"custom_id":"a","value":"b"}},{"type":77}]}`,
	} {
		inBubble(t, "with "+name+" is answered", func(t *testing.T, f *fake) {
			r := f.run(nil)
			f.gateway().interaction("1", fields)
			synctest.Wait()
			if diff := cmp.Diff([]string{"1 callback 4"}, f.answers()); diff != "" {
				t.Errorf("%s\n%s", diff, r.logs)
			}
		})
	}

	for name, data := range map[string]string{
		"a ping":   `{"id":"1","token":"token-1","type":1}`,
		"no token": `{"id":"1","type":3,"data":{}}`,
		"a text":   `"hello"`,
		"null":     `null`,
	} {
		inBubble(t, name+" is ignored", func(t *testing.T, f *fake) {
			f.run(nil)
			f.gateway().event("INTERACTION_CREATE", data)
			synctest.Wait()
			f.gateway().click("2", "m1", "play")
			synctest.Wait()
			if diff := cmp.Diff([]string{"2 callback 4"}, f.answers()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnknownRoutes(t *testing.T) {
	inBubble(t, "without a handler for them there is still an apology", func(t *testing.T, f *fake) {
		f.run(func(c *config) { c.Router.Unknown = nil })
		f.gateway().click("1", "m1", "nothing")
		synctest.Wait()
		if diff := cmp.Diff([]string{"1 callback 4"}, f.answers()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestManyInteractions(t *testing.T) {
	longtest.Only(t)
	inBubble(t, "ten thousand clicks on a hundred boards each get one answer", func(t *testing.T, f *fake) {
		f.run(func(c *config) { c.Router.Component("play", after(0, redraw("board"), nil)) })
		const n = 10_000
		for i := range n {
			f.gateway().click(fmt.Sprint(i), fmt.Sprint("m", i%100), "play")
			if i%50 == 49 {
				synctest.Wait()
			}
		}
		passed(10 * time.Second)
		if got := len(f.made(call.callback)); got != n {
			t.Errorf("%d of %d answered", got, n)
		}
	})
}

func TestDuplicates(t *testing.T) {
	inBubble(t, "an interaction that is delivered twice is handled once", func(t *testing.T, f *fake) {
		r := f.run(nil)
		for range 3 {
			f.gateway().click("1", "m1", "play")
		}
		passed(4 * time.Minute)
		f.gateway().click("1", "m1", "play")
		synctest.Wait()
		if diff := cmp.Diff([]string{"1 callback 4"}, f.answers()); diff != "" {
			t.Errorf("%s\n%s", diff, r.logs)
		}
	})
}
