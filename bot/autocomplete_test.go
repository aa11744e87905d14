package bot_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
)

// typing returns the fields of an autocomplete interaction in which the user has typed the given text.
func typing(typed string) string {
	return `"type":4,"data":{"id":"1","name":"tictactoe","type":1,"options":[{"name":"move","type":1,"options":[
		{"name":"match","type":3,"value":"m"},{"name":"square","type":3,"value":"` + typed + `","focused":true}]}]}`
}

// nothing is an empty list of choices as Discord receives it.
const nothing = `{"type":8,"data":{"choices":[]}}`

func TestAutocomplete(t *testing.T) {
	route := func(c *config, h bot.Handler) { c.Router.Autocomplete("tictactoe move", h) }
	list := func(n int) (r bot.Reply) {
		r.Kind = bot.Suggest
		for i := range n {
			r.Choices = append(r.Choices, bot.Choice{Name: fmt.Sprint("the ", i), Value: fmt.Sprint(i)})
		}
		return r
	}
	echo := func(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
		option, typed := in.Focused()
		match := in.Options()["match"].StringValue()
		return bot.Reply{Kind: bot.Suggest, Choices: []bot.Choice{{Name: option + " " + typed, Value: match}}}, nil
	}
	// sent returns the responses as Discord received them.
	sent := func(f *fake) (bodies []string) {
		for _, c := range f.made(call.callback) {
			bodies = append(bodies, c.Raw)
		}
		return bodies
	}
	want := func(t *testing.T, r *runtime, got []string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", diff, r.logs)
		}
	}

	inBubble(t, "the choices of a handler are the answer", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) { route(c, echo) })
		f.gateway().interaction("1", typing("b2"))
		synctest.Wait()
		want(t, r, sent(f), `{"type":8,"data":{"choices":[{"name":"square b2","value":"m"}]}}`)
	})
	inBubble(t, "only the first 25 choices of a long list are sent", func(t *testing.T, f *fake) {
		f.run(func(c *config) { route(c, after(0, list(30), nil)) })
		f.gateway().interaction("1", typing(""))
		synctest.Wait()
		if got := strings.Count(sent(f)[0], `"name"`); got != 25 {
			t.Errorf("%d choices were sent", got)
		}
	})

	for name, h := range map[string]bot.Handler{
		"nobody answers":                     nil,
		"the handler fails":                  after(0, bot.Reply{}, errors.New("a failure")),
		"the handler panics":                 func(context.Context, *bot.Interaction) (bot.Reply, error) { panic("a bug") },
		"the handler answers with a message": after(0, private("words"), nil),
		"the handler heeds that time is up": func(ctx context.Context, _ *bot.Interaction) (bot.Reply, error) {
			<-ctx.Done()
			return bot.Reply{}, ctx.Err()
		},
	} {
		inBubble(t, "when "+name+", the list is empty, in time and without an acknowledgement", func(t *testing.T, f *fake) {
			r := f.run(func(c *config) {
				if h != nil {
					route(c, h)
				}
			})
			f.gateway().interaction("1", typing("b"))
			passed(2500 * time.Millisecond)
			want(t, r, sent(f), nothing)
		})
	}
	inBubble(t, "an unreadable request gets an empty list", func(t *testing.T, f *fake) {
		r := f.run(nil)
		f.gateway().interaction("1", `"type":4,"data":"text"`)
		synctest.Wait()
		want(t, r, sent(f), nothing)
	})
	inBubble(t, "an answer that another instance has given is no error", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.callback() {
				return http.StatusBadRequest, `{"code":40060,"message":"Interaction has already been acknowledged."}`
			}
			return 0, ""
		}
		var outcomes []bot.Outcome
		var mu sync.Mutex
		r := f.run(func(c *config) {
			route(c, after(0, list(1), nil))
			c.Telemetry.Report = func(r bot.Report) {
				mu.Lock()
				defer mu.Unlock()
				outcomes = append(outcomes, r.Outcome)
			}
		})
		f.gateway().interaction("1", typing("b"))
		passed(10 * time.Second)
		if diff := cmp.Diff([]bot.Outcome{bot.Missed}, outcomes); diff != "" || len(sent(f)) != 1 || strings.Contains(r.logs.String(), "level=ERROR") {
			t.Errorf("%s\nsent %q\n%s", diff, sent(f), r.logs)
		}
	})
	inBubble(t, "suggestions take at most half of the queue", func(t *testing.T, f *fake) {
		f.run(func(c *config) {
			c.Limits.Room(1, 5)
			route(c, after(100*time.Millisecond, list(1), nil))
			c.Router.Component("play", after(0, redraw("board"), nil))
		})
		for i := range 10 {
			f.gateway().interaction(fmt.Sprint(i), typing("b"))
			synctest.Wait()
		}
		if got := sent(f); len(got) != 7 || got[0] != nothing {
			t.Errorf("%d of 10 typing users were turned away: %q", len(got), got)
		}
		f.gateway().click("click", "m", "play")
		passed(10 * time.Second)
		if got := f.answers(); !slices.Contains(got, "click callback 7") {
			t.Errorf("the click: %v", got)
		}
	})
	inBubble(t, "a fast typist gets empty lists, and can still play", func(t *testing.T, f *fake) {
		f.run(func(c *config) {
			c.Limits.UserRate = 1
			route(c, after(0, list(1), nil))
			c.Router.Component("play", after(0, redraw("board"), nil))
		})
		for i := range 6 {
			f.gateway().interaction(fmt.Sprint(i), typing("b"))
			synctest.Wait()
		}
		if got := sent(f); len(got) != 6 || got[3] == nothing || got[4] != nothing || got[5] != nothing {
			t.Errorf("%q", got)
		}
		f.gateway().click("click", "m", "play")
		synctest.Wait()
		if got := f.answers(); got[len(got)-1] != "click callback 7" {
			t.Errorf("the click: %v", got)
		}
	})
}

func TestSuggestionsAnswerNothingElse(t *testing.T) {
	inBubble(t, "a command gets an apology", func(t *testing.T, f *fake) {
		f.run(func(c *config) { c.Router.Command("tictactoe games", after(0, bot.Reply{Kind: bot.Suggest}, nil)) })
		f.gateway().command("1", "games")
		synctest.Wait()
		if diff := cmp.Diff([]string{"1 callback 4"}, f.answers()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestACommandIsClaimedAlsoByTheGateway(t *testing.T) {
	inBubble(t, "if it says so, and other commands and clicks are not", func(t *testing.T, f *fake) {
		var mu sync.Mutex
		claimed := map[string]bool{}
		var forgotten []time.Time
		note := func(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
			mu.Lock()
			defer mu.Unlock()
			claimed[in.ID] = in.Claim != nil && in.Claim.Interaction == in.ID && in.Claim.By != "" && in.Claim.Until.After(in.Received)
			return private("done"), nil
		}
		f.run(func(c *config) {
			c.Router.Command("tictactoe move", note)
			c.Router.Command("tictactoe games", note)
			c.Router.Component("play", note)
			c.Router.Claiming("tictactoe move")
			c.ForgetClaims = func(_ context.Context, before time.Time) error { forgotten = append(forgotten, before); return nil }
		})
		f.gateway().command("1", "move")
		f.gateway().command("2", "games")
		f.gateway().click("3", "m", "play")
		synctest.Wait()
		if diff := cmp.Diff(map[string]bool{"1": true, "2": false, "3": false}, claimed); diff != "" {
			t.Error(diff)
		}
		passed(3 * time.Minute)
		if len(forgotten) < 2 {
			t.Error("old claims are not forgotten")
		}
	})
}
