package bot_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/rest"
	"tictactoe/internal/boards/messages"
)

func TestAcknowledging(t *testing.T) {
	inBubble(t, "it happens after 1.5 s, also while all workers are occupied", func(t *testing.T, f *fake) {
		f.run(func(c *config) {
			c.Limits.Room(1, 0)
			c.Router.Component("play", after(2*time.Second, redraw("board"), nil))
		})
		start := time.Now()
		for i := range 3 {
			f.gateway().click(fmt.Sprint(i), fmt.Sprint("m", i), "play")
		}
		passed(1600 * time.Millisecond)
		calls := f.made(call.callback)
		if len(calls) != 3 {
			t.Fatalf("callbacks: %v", f.answers())
		}
		for _, c := range calls {
			if waited := c.At.Sub(start); c.kind() != 6 || waited < 1500*time.Millisecond {
				t.Errorf("callback %d after %v", c.kind(), waited)
			}
		}
		passed(10 * time.Second)
	})

	inBubble(t, "a reply that is ready while the acknowledgement is on its way waits for it", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.callback() {
				time.Sleep(800 * time.Millisecond)
			}
			return 0, ""
		}
		f.run(func(c *config) { c.Router.Component("play", after(1600*time.Millisecond, redraw("board"), nil)) })
		f.gateway().click("1", "m1", "play")
		passed(10 * time.Second)
		if diff := cmp.Diff([]string{"1 callback 6", "PATCH @original board"}, f.answers()); diff != "" {
			t.Error(diff)
		}
		calls := f.made(func(c call) bool { return c.callback() || c.Method == http.MethodPatch })
		if waited := calls[1].At.Sub(calls[0].At); waited < 800*time.Millisecond {
			t.Errorf("the board was sent %v after an acknowledgement that took 800ms", waited)
		}
	})

	inBubble(t, "a reply is still delivered if nobody knows whether the acknowledgement arrived", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.callback() {
				time.Sleep(3 * time.Second)
			}
			return 0, ""
		}
		f.run(func(c *config) { c.Router.Component("play", after(1600*time.Millisecond, redraw("board"), nil)) })
		f.gateway().click("1", "m1", "play")
		passed(10 * time.Second)
		if diff := cmp.Diff([]string{"1 callback 6", "PATCH @original board"}, f.answers()); diff != "" {
			t.Error(diff)
		}
	})

	inBubble(t, "a reply is the callback if the acknowledgement did not arrive", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.callback() && c.kind() == 6 {
				return 503, ""
			} else if c.Method == http.MethodPatch {
				return 404, `{"message":"Unknown Webhook","code":10015}`
			}
			return 0, ""
		}
		var receipt messages.Receipt
		reply := redraw("board")
		reply.Sent = func(r messages.Receipt) { receipt = r }
		f.run(func(c *config) { c.Router.Component("play", after(2*time.Second, reply, nil)) })
		f.gateway().click("1", "m1", "play")
		passed(3 * time.Second)
		want := []string{"1 callback 6", "1 callback 6", "PATCH @original board", "1 callback 7"}
		if diff := cmp.Diff(want, f.answers()); diff != "" {
			t.Error(diff)
		}
		if receipt.Err != nil {
			t.Errorf("receipt: %v", receipt.Err)
		}
	})

	inBubble(t, "nothing is delivered if another instance was first", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.callback() {
				return 400, `{"message":"Interaction has already been acknowledged.","code":40060}`
			}
			return 0, ""
		}
		var receipt messages.Receipt
		reply := redraw("board")
		reply.Sent = func(r messages.Receipt) { receipt = r }
		r := f.run(func(c *config) { c.Router.Component("play", after(2*time.Second, reply, nil)) })
		f.gateway().click("1", "m1", "play")
		passed(10 * time.Second)
		if diff := cmp.Diff([]string{"1 callback 6"}, f.answers()); diff != "" {
			t.Error(diff)
		}
		if !errors.Is(receipt.Err, rest.ErrAlreadyAnswered) {
			t.Errorf("receipt: %v", receipt.Err)
		}
		if strings.Contains(r.logs.String(), "level=ERROR") || !strings.Contains(r.logs.String(), "another instance") {
			t.Errorf("log:\n%s", r.logs)
		}
	})
}
