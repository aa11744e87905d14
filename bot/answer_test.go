package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/internal/boards/messages"
)

func TestReplies(t *testing.T) {
	const late = 2 * time.Second
	// play is a button, games a command, and resign a modal opened from a message.
	for _, test := range []struct {
		name    string
		from    string
		handler bot.Handler
		want    []string
	}{
		{"a click's update", "play", after(0, redraw("board"), nil), []string{"1 callback 7"}},
		{"a click's refusal", "play", after(0, private("not you"), nil), []string{"1 callback 4"}},
		{"a click's question", "play", after(0, modal(), nil), []string{"1 callback 9"}},
		{"a command's message", "games", after(0, say("hello"), nil), []string{"1 callback 4"}},
		{"a modal's update", "resign", after(0, redraw("board"), nil), []string{"1 callback 7"}},

		{"a click's late update", "play", after(late, redraw("board"), nil), []string{"1 callback 6", "PATCH @original board"}},
		{"a click's late refusal leaves the board alone", "play", after(late, private("not you"), nil), []string{"1 callback 6", "POST follow-up (not you)"}},
		{"a click's late message", "play", after(late, say("rematch"), nil), []string{"1 callback 6", "POST follow-up rematch"}},
		{"a click's late question", "play", after(late, modal(), nil), []string{"1 callback 6", "POST follow-up (sorry 1)"}},
		{"a command's late private message", "games", after(late, private("list"), nil), []string{"1 callback 5", "PATCH @original list"}},
		{"a command's late public message", "games", after(late, say("board"), nil), []string{"1 callback 5", "PATCH @original ⬇️", "POST follow-up board"}},
		{"a modal's late update", "resign", after(late, redraw("board"), nil), []string{"1 callback 6", "PATCH @original board"}},

		{"a click's message, after which the clicked one changes", "play", after(0, posting("match", "posted"), nil),
			[]string{"1 callback 6", "POST follow-up match", "PATCH @original posted"}},
		{"the same, late", "play", after(late, posting("match", "posted"), nil),
			[]string{"1 callback 6", "POST follow-up match", "PATCH @original posted"}},
		{"the same, where nothing was clicked", "games", after(0, posting("match", "posted"), nil), []string{"1 callback 4"}},

		{"a click's error", "play", after(0, bot.Reply{}, errors.New("disk full")), []string{"1 callback 4"}},
		{"a click's late error", "play", after(late, bot.Reply{}, errors.New("disk full")), []string{"1 callback 6", "POST follow-up (sorry 1)"}},
		{"a command's late error", "games", after(late, bot.Reply{}, errors.New("disk full")), []string{"1 callback 5", "PATCH @original sorry 1"}},
		{"an update where there is nothing to update", "games", after(0, redraw("board"), nil), []string{"1 callback 4"}},
		{"a question back on a modal", "resign", after(0, modal(), nil), []string{"1 callback 4"}},
		{"a question without a modal", "play", after(0, bot.Reply{Kind: bot.Ask}, nil), []string{"1 callback 4"}},
		{"a handler that never ends by itself", "play", func(ctx context.Context, _ *bot.Interaction) (bot.Reply, error) {
			<-ctx.Done()
			return bot.Reply{}, ctx.Err()
		}, []string{"1 callback 6", "POST follow-up (sorry 1)"}},
		{"a panic", "play", func(context.Context, *bot.Interaction) (bot.Reply, error) { panic("token-1 in a panic") }, []string{"1 callback 4"}},
	} {
		inBubble(t, test.name, func(t *testing.T, f *fake) {
			r := f.run(func(c *config) {
				c.Router.Component("play", test.handler)
				c.Router.Command("tictactoe games", test.handler)
				c.Router.Modal("resign", test.handler)
			})
			switch test.from {
			case "play":
				f.gateway().click("1", "m1", "play:x")
			case "games":
				f.gateway().command("1", "games")
			case "resign":
				f.gateway().interaction("1", `"type":5,"data":{"custom_id":"resign:x","components":[]},`+messageOf("m1", `[]`))
			}
			passed(20 * time.Second)
			if diff := cmp.Diff(test.want, f.answers()); diff != "" {
				t.Errorf("%s\n%s", diff, r.logs)
			}
		})
	}
}

func TestBodies(t *testing.T) {
	components := []discordgo.MessageComponent{discordgo.TextDisplay{Content: "hi"}}
	for _, test := range []struct {
		name  string
		reply bot.Reply
		want  string
	}{
		{"a public message that pings", bot.Reply{Components: components, Ping: []string{"7"}},
			`{"type":4,"data":{"flags":32768,"components":[{"content":"hi","type":10}],"embeds":[],"allowed_mentions":{"parse":[],"users":["7"]}}}`},
		{"a private message", bot.Reply{Components: components, Private: true},
			`{"type":4,"data":{"flags":32832,"components":[{"content":"hi","type":10}],"embeds":[],"allowed_mentions":{"parse":[]}}}`},
		{"an update", bot.Reply{Kind: bot.Update, Components: components},
			`{"type":7,"data":{"flags":32768,"components":[{"content":"hi","type":10}],"embeds":[],"allowed_mentions":{"parse":[]}}}`},
		{"a question", bot.Reply{Kind: bot.Ask, Modal: &bot.Modal{CustomID: "a:b", Title: "T", Components: components}},
			`{"type":9,"data":{"custom_id":"a:b","title":"T","components":[{"content":"hi","type":10}]}}`},
	} {
		inBubble(t, test.name, func(t *testing.T, f *fake) {
			f.run(func(c *config) { c.Router.Component("play", after(0, test.reply, nil)) })
			f.gateway().click("1", "m1", "play")
			synctest.Wait()
			calls := f.made(call.callback)
			if len(calls) != 1 {
				t.Fatalf("callbacks: %v", calls)
			}
			if diff := cmp.Diff(test.want, calls[0].Raw); diff != "" {
				t.Error(diff)
			}
			if calls[0].Authorization != "" {
				t.Error("the bot's token was sent with a callback")
			}
			if calls[0].Query != "" {
				t.Errorf("the callback asks for the message with %q, although the bot does not need it", calls[0].Query)
			}
		})
	}
}

func TestCallbacksThatFail(t *testing.T) {
	const limited = `{"message":"You are being rate limited.","global":true,"retry_after":%s}`
	for name, test := range map[string]struct {
		status int
		answer string
		lasts  time.Duration
		tries  int
		failed bool
	}{
		"one that Discord limits is made again when it says":           {429, fmt.Sprintf(limited, "0.9"), 900 * time.Millisecond, 2, false},
		"one that Discord limits for longer than it waits is given up": {429, fmt.Sprintf(limited, "2.6"), 900 * time.Millisecond, 1, true},
		"one that Discord limits without end is given up":              {429, fmt.Sprintf(limited, "0.1"), time.Hour, 5, true},
		"one that gets lost is made again while it is of use":          {502, "bad gateway", 1400 * time.Millisecond, 5, false},
		"one that is refused is not made again":                        {403, `{"code":50001}`, time.Hour, 1, true},
	} {
		inBubble(t, name, func(t *testing.T, f *fake) {
			var until time.Time
			f.respond = func(c call) (int, string) {
				if c.callback() && time.Now().Before(until) {
					return test.status, test.answer
				}
				return 0, ""
			}
			var receipt messages.Receipt
			reply := redraw("board")
			reply.Sent = func(r messages.Receipt) { receipt = r }
			f.run(func(c *config) { c.Router.Component("play", after(0, reply, nil)) })
			until = time.Now().Add(test.lasts)
			f.gateway().click("1", "m1", "play")
			passed(5 * time.Second)
			if diff := cmp.Diff(slices.Repeat([]string{"1 callback 7"}, test.tries), f.answers()); diff != "" {
				t.Error(diff)
			}
			if (receipt.Err != nil) != test.failed {
				t.Errorf("receipt: %v", receipt.Err)
			}
		})
	}
}

func TestAFailedAnswerIsLoggedWithItsCause(t *testing.T) {
	inBubble(t, "the context ends during a retry", func(t *testing.T, f *fake) {
		failing := false
		f.respond = func(c call) (int, string) {
			if !failing || !c.callback() {
				return 0, ""
			}
			if len(f.made(call.callback)) > 4 {
				<-time.After(time.Minute)
			}
			return 500, `{"message":"500: Internal Server Error","code":0}`
		}
		r := f.run(func(c *config) { c.Router.Component("play", after(0, redraw("board"), nil)) })
		failing = true
		f.gateway().click("1", "m1", "play")
		passed(2 * time.Minute)
		if log := r.logs.String(); len(f.answers()) != 5 || !strings.Contains(log, "HTTP 500") || !strings.Contains(log, "deadline exceeded") {
			t.Errorf("%q\n%s", f.answers(), log)
		}
	})

	inBubble(t, "both the acknowledgement and the reply after it get lost", func(t *testing.T, f *fake) {
		failing := false
		f.respond = func(c call) (int, string) {
			switch {
			case failing && c.callback():
				return 500, `{"message":"500: Internal Server Error","code":0}`
			case failing:
				<-time.After(time.Minute)
			}
			return 0, ""
		}
		r := f.run(func(c *config) { c.Router.Component("play", after(3*time.Second, redraw("board"), nil)) })
		failing = true
		f.gateway().click("1", "m1", "play")
		passed(2 * time.Minute)
		if log := r.logs.String(); !strings.Contains(log, "callback: HTTP 500") || !strings.Contains(log, "deadline exceeded") {
			t.Error(log)
		}
	})
}

func TestRefusedReplies(t *testing.T) {
	for _, test := range []struct {
		method, name string
		want         []string
	}{
		{"POST", "the clicked message stays unchanged if the post is refused", []string{"1 callback 6", "POST follow-up match", "POST follow-up (sorry 1)"}},
		{"PATCH", "a post stands, whatever becomes of what was clicked", []string{"1 callback 6", "POST follow-up match", "PATCH @original posted"}},
	} {
		inBubble(t, test.name, func(t *testing.T, f *fake) {
			f.respond = func(c call) (int, string) {
				if !c.callback() && c.Method == test.method && !strings.Contains(c.Raw, "sorry") {
					return 400, `{"message":"Invalid Form Body","code":50035}`
				}
				return 0, ""
			}
			f.run(func(c *config) { c.Router.Component("play", after(0, posting("match", "posted"), nil)) })
			f.gateway().click("1", "m1", "play:x")
			passed(5 * time.Second)
			if diff := cmp.Diff(test.want, f.answers()); diff != "" {
				t.Error(diff)
			}
		})
	}

	inBubble(t, "a reply that Discord finds faulty is followed by an apology", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.callback() && c.kind() == 7 {
				return 400, `{"message":"Invalid Form Body","code":50035,"errors":{"data":{"components":{"_errors":[{"code":"X","message":"Y"}]}}}}`
			}
			return 0, ""
		}
		var receipt messages.Receipt
		reply := redraw("board")
		reply.Sent = func(r messages.Receipt) { receipt = r }
		r := f.run(func(c *config) { c.Router.Component("play", after(0, reply, nil)) })
		f.gateway().click("1", "m1", "play")
		synctest.Wait()
		if diff := cmp.Diff([]string{"1 callback 7", "1 callback 4"}, f.answers()); diff != "" {
			t.Error(diff)
		}
		if !strings.Contains(r.logs.String(), "50035") {
			t.Errorf("the log does not say why:\n%s", r.logs)
		}
		var api *rest.APIError
		if !errors.As(receipt.Err, &api) || api.Code != 50035 {
			t.Errorf("receipt: %v", receipt.Err)
		}
	})

	const late = 2 * time.Second
	for name, test := range map[string]struct {
		delay time.Duration
		reply bot.Reply
		want  []string
	}{
		"an update":                      {0, redraw("board"), []string{"1 callback 7", "1 callback 4"}},
		"a late update":                  {late, redraw("board"), []string{"1 callback 6", "1 callback 5", "PATCH @original sorry 1"}},
		"a late private message":         {late, private("not you"), []string{"1 callback 6", "1 callback 5", "PATCH @original not you"}},
		"a late public message":          {late, say("rematch"), []string{"1 callback 6", "1 callback 5", "PATCH @original ⬇️", "POST follow-up rematch"}},
		"a message, and then the update": {0, posting("match", "posted"), []string{"1 callback 6", "1 callback 5", "PATCH @original ⬇️", "POST follow-up match"}},
	} {
		for what, refusal := range map[string]struct {
			status int
			body   string
		}{
			"the thread is archived":  {400, `{"message":"Thread is archived","code":50083}`},
			"the message was deleted": {404, `{"message":"Unknown Message","code":10008}`},
		} {
			inBubble(t, "where "+what+", the user is answered in another way in place of "+name, func(t *testing.T, f *fake) {
				f.respond = func(c call) (int, string) {
					if c.callback() && (c.kind() == 6 || c.kind() == 7) {
						return refusal.status, refusal.body
					}
					return 0, ""
				}
				r := f.run(func(c *config) { c.Router.Component("play", after(test.delay, test.reply, nil)) })
				f.gateway().click("1", "m1", "play")
				passed(5 * time.Second)
				if diff := cmp.Diff(test.want, f.answers()); diff != "" {
					t.Errorf("%s\n%s", diff, r.logs)
				}
			})
		}
	}

	inBubble(t, "a late answer leads to no apology", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.callback() {
				return 404, `{"message":"Unknown interaction","code":10062}`
			}
			return 0, ""
		}
		var receipt messages.Receipt
		reply := redraw("board")
		reply.Sent = func(r messages.Receipt) { receipt = r }
		f.run(func(c *config) { c.Router.Component("play", after(0, reply, nil)) })
		f.gateway().click("1", "m1", "play")
		passed(5 * time.Second)
		if diff := cmp.Diff([]string{"1 callback 7"}, f.answers()); diff != "" {
			t.Error(diff)
		}
		if !errors.Is(receipt.Err, rest.ErrLate) {
			t.Errorf("receipt: %v", receipt.Err)
		}
	})

	inBubble(t, "a panic in Apology or Sent leaves the bot alive and the person with a reference", func(t *testing.T, f *fake) {
		f.run(func(c *config) {
			c.Apology = func(*bot.Interaction, string, error) bot.Reply { panic("again") }
			c.Router.Component("play", after(0, bot.Reply{}, errors.New("no")))
			reply := redraw("board")
			reply.Sent = func(messages.Receipt) { panic("sent") }
			c.Router.Component("sent", after(0, reply, nil))
		})
		f.gateway().click("1", "m1", "play")
		f.gateway().click("2", "m2", "sent")
		synctest.Wait()
		if got := f.made(func(c call) bool { return c.callback() && strings.Contains(c.Raw, "⚠️ 1") }); len(got) != 1 {
			t.Errorf("answers: %v", f.answers())
		}
		f.gateway().click("3", "m3", "sent")
		synctest.Wait()
		if got := f.made(func(c call) bool { return strings.HasPrefix(c.Path, "/interactions/3/") }); len(got) != 1 {
			t.Errorf("answers: %v", f.answers())
		}
	})
}

func TestReceipts(t *testing.T) {
	for _, test := range []struct {
		name  string
		delay time.Duration
		want  messages.Receipt
	}{
		{"in time", 0, messages.Receipt{Message: "900", Channel: "c1"}},
		{"late", 2 * time.Second, messages.Receipt{Message: "901", Channel: "c1"}},
	} {
		inBubble(t, "the message's id comes back "+test.name, func(t *testing.T, f *fake) {
			var got []messages.Receipt
			reply := say("board")
			reply.Sent = func(r messages.Receipt) { got = append(got, r) }
			f.run(func(c *config) {
				c.Router.Command("tictactoe ai", after(test.delay, reply, nil))
			})
			f.gateway().command("1", "ai")
			passed(10 * time.Second)
			if diff := cmp.Diff([]messages.Receipt{test.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, test := range []struct {
		name  string
		delay time.Duration
		want  messages.Receipt
	}{
		{"answers a click", 0, messages.Receipt{Message: rest.Original, Channel: "c1"}},
		{"follows an acknowledgement", 2 * time.Second, messages.Receipt{Message: "901", Channel: "c1"}},
	} {
		inBubble(t, "a private message can be reached by the token when it "+test.name+", and Discord is not asked for it", func(t *testing.T, f *fake) {
			var got []messages.Receipt
			reply := private("not you")
			reply.Sent = func(r messages.Receipt) { got = append(got, r) }
			f.run(func(c *config) { c.Router.Component("play", after(test.delay, reply, nil)) })
			f.gateway().click("1", "m1", "play")
			passed(10 * time.Second)
			if diff := cmp.Diff([]messages.Receipt{test.want}, got); diff != "" {
				t.Error(diff)
			}
			if calls := f.made(call.callback); len(calls) != 1 || calls[0].Query != "" {
				t.Errorf("callbacks %+v", calls)
			}
		})
	}
	inBubble(t, "the message updated by a click is known without a request", func(t *testing.T, f *fake) {
		var got []messages.Receipt
		reply := redraw("board")
		reply.Sent = func(r messages.Receipt) { got = append(got, r) }
		f.run(func(c *config) { c.Router.Component("play", after(0, reply, nil)) })
		f.gateway().click("1", "m1", "play")
		synctest.Wait()
		if diff := cmp.Diff([]messages.Receipt{{Message: "m1", Channel: "c1"}}, got); diff != "" {
			t.Error(diff)
		}
		if calls := f.made(call.callback); len(calls) != 1 || calls[0].Query != "" {
			t.Errorf("callbacks %+v", calls)
		}
	})
}
