package bot_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/rest"
	"tictactoe/internal/boards/messages"
)

// drawing returns a Draw that always returns the given components.
func drawing(components ...discordgo.MessageComponent) messages.Draw {
	return func(context.Context) ([]discordgo.MessageComponent, error) { return components, nil }
}

// patiently repeats a call that fails because of a rate limit.
func patiently(call func() error) error {
	for {
		err := call()
		var limit *messages.LimitError
		if !errors.As(err, &limit) {
			return err
		}
		time.Sleep(limit.After)
	}
}

func TestBackgroundCalls(t *testing.T) {
	board := []discordgo.MessageComponent{discordgo.TextDisplay{Content: "board"}}
	const body = `{"flags":32768,"components":[{"content":"board","type":10}],"embeds":[],"allowed_mentions":{"parse":[]}}`
	inBubble(t, "each is one request with an explicit body", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		ctx := t.Context()
		if err := client.EditMessage(ctx, "c1", "m1", drawing(board...)); err != nil {
			t.Error(err)
		}
		if err := client.EditByToken(ctx, "token-9", "@original", drawing(board...)); err != nil {
			t.Error(err)
		}
		original, err := client.Original(ctx, "token-9")
		if want := (messages.Sent{ID: "901", Flags: 32768, Carried: []string{"play:1", "resign:1"}}); err != nil || !cmp.Equal(original, want) {
			t.Error(original, err)
		}
		message, err := client.Post(ctx, "c1", "m1", drawing(board...), []string{"u1"})
		if err != nil || message != "901" {
			t.Error(message, err)
		}
		message, err = client.PostOnce(ctx, "c1", "champions.1", drawing(board...), nil)
		if err != nil || message != "901" {
			t.Error(message, err)
		}
		if err := client.Delete(ctx, "c1", "m1"); err != nil {
			t.Error(err)
		}
		message, err = client.FollowUpPrivately(ctx, "token-9", drawing(board...))
		if err != nil || message != "901" {
			t.Error(message, err)
		}
		if err := client.DeleteByToken(ctx, "token-9", message); err != nil {
			t.Error(err)
		}
		var got []string
		for _, c := range f.made(func(c call) bool { return !strings.HasPrefix(c.Path, "/gateway") && c.Path != "/applications/@me" }) {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", c.Method, c.Path, c.Authorization, c.Raw)))
		}
		want := []string{
			"PATCH /channels/c1/messages/m1 Bot " + secret + " " + body,
			"PATCH /webhooks/123/token-9/messages/@original  " + body,
			"GET /webhooks/123/token-9/messages/@original",
			"POST /channels/c1/messages Bot " + secret + ` {"flags":32768,"components":[{"content":"board","type":10}],"embeds":[],` +
				`"allowed_mentions":{"parse":[],"users":["u1"]},"message_reference":{"message_id":"m1","fail_if_not_exists":false}}`,
			"POST /channels/c1/messages Bot " + secret + " " + strings.TrimSuffix(body, "}") + `,"nonce":"champions.1","enforce_nonce":true}`,
			"DELETE /channels/c1/messages/m1 Bot " + secret,
			`POST /webhooks/123/token-9  {"flags":32832,"components":[{"content":"board","type":10}],"embeds":[],"allowed_mentions":{"parse":[]}}`,
			"DELETE /webhooks/123/token-9/messages/901",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTheRecentMessagesOfTheBot(t *testing.T) {
	inBubble(t, "are the messages it posted, and the answers to its interactions", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.Method != http.MethodGet || c.Path != "/channels/c1/messages" {
				return 0, ""
			}
			if c.Query != "limit=100" {
				t.Error(c.Query)
			}
			return 200, `[{"id":"4","author":{"id":"123"},"flags":32768,"components":[{"type":17,"components":[{"type":1,"components":[{"type":2,"custom_id":"a"}]}]}]},
				{"id":"3","author":{"id":"9"},"components":[{"type":1,"components":[{"type":2,"custom_id":"b"}]}]},
				{"id":"2","author":{"id":"8"},"application_id":"123","components":[]}]`
		}
		got, err := f.run(nil).rest.Latest(t.Context(), "c1")
		if diff := cmp.Diff([]messages.Sent{{ID: "4", Flags: 32768, Carried: []string{"a"}}, {ID: "2"}}, got.Own); err != nil || diff != "" {
			t.Error(err, diff)
		}
	})
}

func TestMissingMessagesAndClosedChannels(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		want   error
	}{
		"a deleted message is gone":        {404, `{"code":10008}`, messages.ErrGone},
		"a token that has ended is gone":   {401, `{"code":50027}`, messages.ErrGone},
		"a deleted channel is closed":      {404, `{"code":10003}`, messages.ErrForbidden},
		"a hidden channel is closed":       {403, `{"code":50001}`, messages.ErrForbidden},
		"no permission to write is closed": {403, `{"code":50013}`, messages.ErrForbidden},
		"an archived thread is closed":     {400, `{"code":50083}`, messages.ErrForbidden},
	} {
		inBubble(t, name, func(t *testing.T, f *fake) {
			f.respond = func(c call) (int, string) {
				if c.Method == http.MethodPatch {
					return tt.status, tt.body
				}
				return 0, ""
			}
			err := f.run(nil).rest.EditMessage(t.Context(), "c1", "m1", drawing())
			for _, kind := range []error{messages.ErrGone, messages.ErrForbidden} {
				if errors.Is(err, kind) != (kind == tt.want) {
					t.Errorf("%v: %v is %v", err, kind, errors.Is(err, kind))
				}
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	sentinels := map[string]error{
		"gone": messages.ErrGone, "forbidden": messages.ErrForbidden, "answered": rest.ErrAlreadyAnswered, "late": rest.ErrLate,
		"limited": messages.ErrRateLimited,
	}
	for _, test := range []struct {
		status, code int
		want         string
	}{
		{404, 10008, "gone"}, {404, 10003, "forbidden"}, {404, 10015, "gone"}, {404, 10062, "gone"}, {401, 50027, "gone"},
		{403, 50001, "forbidden"}, {403, 50013, "forbidden"}, {400, 50083, "forbidden"}, {403, 50007, "forbidden"},
		{400, 40060, "answered"}, {400, 50035, ""}, {500, 0, ""}, {401, 0, ""},
	} {
		inBubble(t, fmt.Sprintf("%d with code %d", test.status, test.code), func(t *testing.T, f *fake) {
			client := f.run(nil).rest
			f.respond = func(call) (int, string) { return test.status, fmt.Sprintf(`{"message":"No","code":%d}`, test.code) }
			err := client.EditByToken(t.Context(), "token-9", "m1", drawing())
			var got string
			for name, sentinel := range sentinels {
				if errors.Is(err, sentinel) {
					got += name
				}
			}
			if got != test.want {
				t.Errorf("%v is %q, want %q", err, got, test.want)
			}
			var api *rest.APIError
			if !errors.As(err, &api) || api.Status != test.status || api.Code != test.code {
				t.Errorf("%#v", err)
			}
			if strings.Contains(err.Error(), "token-9") {
				t.Errorf("the error holds the token: %v", err)
			}
		})
	}

	inBubble(t, "no answer at all is an error without the address", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		f.respond = func(call) (int, string) { time.Sleep(time.Minute); return 0, "" }
		start := time.Now()
		err := client.EditByToken(t.Context(), "token-9", "@original", drawing())
		if err == nil || strings.Contains(err.Error(), "token-9") || strings.Contains(err.Error(), "discord") {
			t.Errorf("error: %v", err)
		}
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 10*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		passed(time.Minute)
	})
}

func TestRateLimits(t *testing.T) {
	limited := func(f *fake, times int, body string) {
		f.respond = func(c call) (int, string) {
			if times > 0 {
				times--
				return http.StatusTooManyRequests, body
			}
			return 0, ""
		}
	}

	inBubble(t, "an answer waits for as long as Discord says, and is tried again", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		limited(f, 1, `{"message":"slow","retry_after":1.5,"global":false}`)
		start := time.Now()
		if _, err := client.FollowUp(t.Context(), "token-9", rest.Message{}, nil); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != 1500*time.Millisecond {
			t.Errorf("after %v", took)
		}
	})

	inBubble(t, "an edit is drawn when it is sent, and an error of drawing ends it", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		limited(f, 1, `{"message":"slow","retry_after":1.5,"global":false}`)
		start := time.Now()
		var drawn []time.Duration
		err := patiently(func() error {
			return client.EditMessage(t.Context(), "c1", "m1", func(context.Context) ([]discordgo.MessageComponent, error) {
				drawn = append(drawn, time.Since(start))
				return []discordgo.MessageComponent{discordgo.TextDisplay{Content: fmt.Sprint("drawing ", len(drawn))}}, nil
			})
		})
		if diff := cmp.Diff([]time.Duration{0, 1500 * time.Millisecond}, drawn); err != nil || diff != "" {
			t.Error(err, diff)
		}
		edits := f.made(func(c call) bool { return c.Method == http.MethodPatch })
		if len(edits) != 2 || !strings.Contains(string(edits[1].Raw), "drawing 2") {
			t.Errorf("%+v", edits)
		}
		none := errors.New("nothing to draw")
		err = client.EditByToken(t.Context(), "token-9", "m1", func(context.Context) ([]discordgo.MessageComponent, error) { return nil, none })
		if now := f.made(func(c call) bool { return c.Method == http.MethodPatch }); !errors.Is(err, none) || len(now) != 2 {
			t.Errorf("%v, %d edits", err, len(now))
		}
	})

	inBubble(t, "a context that ends earlier is not waited for", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		limited(f, 1, `{"message":"slow","retry_after":60,"global":false}`)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := client.FollowUp(ctx, "token-9", rest.Message{}, nil); !errors.Is(err, messages.ErrRateLimited) {
			t.Error(err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("after %v", took)
		}
	})

	inBubble(t, "a cancelled context ends the wait", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		limited(f, 1, `{"message":"slow","retry_after":60,"global":false}`)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		if _, err := client.FollowUp(ctx, "token-9", rest.Message{}, nil); err == nil {
			t.Error("no error")
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("after %v", took)
		}
	})

	inBubble(t, "one channel's limit does not delay another", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		limited(f, 1, `{"message":"slow","retry_after":60,"global":false}`)
		client.EditMessage(t.Context(), "c1", "m1", drawing())
		start := time.Now()
		if err := client.EditMessage(t.Context(), "c2", "m2", drawing()); err != nil || time.Since(start) != 0 {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})

	for name, body := range map[string]string{
		"a global limit":           `{"message":"slow","retry_after":5,"global":true}`,
		"a page instead of a body": `<html>error code: 1015</html>`,
	} {
		inBubble(t, name+" delays everything but answers", func(t *testing.T, f *fake) {
			client := f.run(func(c *config) { c.Router.Component("play", after(0, redraw("board"), nil)) }).rest
			limited(f, 1, body)
			client.EditMessage(t.Context(), "c1", "m1", drawing())
			start := time.Now()
			f.gateway().click("1", "m1", "play")
			synctest.Wait()
			if diff := cmp.Diff([]string{"1 callback 7"}, f.answers()); diff != "" {
				t.Error(diff)
			}
			err := patiently(func() error { return client.EditMessage(t.Context(), "c2", "m2", drawing()) })
			if err != nil || time.Since(start) < 5*time.Second {
				t.Errorf("after %v: %v", time.Since(start), err)
			}
		})
	}

	inBubble(t, "a 5xx response is retried, but not for requests that must not happen twice", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		var failures atomic.Int32
		failures.Store(2)
		f.respond = func(call) (int, string) {
			if failures.Add(-1) >= 0 {
				return 502, "bad gateway"
			}
			return 0, ""
		}
		if err := client.EditMessage(t.Context(), "c1", "m1", drawing()); err != nil {
			t.Error(err)
		}
		failures.Store(1)
		if _, err := client.Post(t.Context(), "c1", "", drawing(), nil); err == nil {
			t.Error("posted again")
		}
		failures.Store(1)
		if _, err := client.PostOnce(t.Context(), "c1", "once", drawing(), nil); err != nil {
			t.Error(err)
		}
	})

	const tooOld = `{"message":"Maximum number of edits to messages older than 1 hour reached.","retry_after":3600,"global":false,"code":30046}`
	inBubble(t, "an hour's limit on an old message does not delay other messages in the channel", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		limited(f, 1, tooOld)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := client.EditMessage(ctx, "c1", "old", drawing()); !errors.Is(err, messages.ErrRateLimited) {
			t.Error(err)
		}
		start := time.Now()
		if err := client.EditMessage(ctx, "c1", "new", drawing()); err != nil || time.Since(start) != 0 {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		before := len(f.made(func(call) bool { return true }))
		passed(59 * time.Minute)
		soon, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := client.EditMessage(soon, "c1", "old", drawing()); !errors.Is(err, messages.ErrRateLimited) {
			t.Error(err)
		}
		if after := len(f.made(func(call) bool { return true })); after != before {
			t.Errorf("made %d requests although the answer could not change", after-before)
		}
		passed(time.Minute)
		if err := client.EditMessage(t.Context(), "c1", "old", drawing()); err != nil {
			t.Error(err)
		}
	})

	inBubble(t, "a limit of the whole bucket delays other edits in the channel, and nothing else", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		limited(f, 1, `{"message":"slow","retry_after":5,"global":false}`)
		client.EditMessage(t.Context(), "c1", "m1", drawing())
		start := time.Now()
		if err := client.Delete(t.Context(), "c1", "m2"); err != nil || time.Since(start) != 0 {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		err := patiently(func() error { return client.EditMessage(t.Context(), "c1", "m2", drawing()) })
		if err != nil || time.Since(start) != 5*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})

	inBubble(t, "requests wait for an exhausted bucket instead of being refused", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		f.header = map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "2.5"}
		start := time.Now()
		for range 3 {
			if _, err := client.FollowUp(t.Context(), "token-9", rest.Message{}, nil); err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("after %v", took)
		}
		var limit *messages.LimitError
		if err := client.EditByToken(t.Context(), "token-9", "@original", drawing()); !errors.As(err, &limit) || limit.After != 2500*time.Millisecond {
			t.Errorf("an edit: %v", err)
		}
	})

	inBubble(t, "ten thousand exhausted tokens do not delay another token", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		f.header = map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "3600"}
		start := time.Now()
		for i := range 10_000 {
			if err := client.EditByToken(t.Context(), fmt.Sprint("token-", i), "@original", drawing()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("after %v", took)
		}
	})

	inBubble(t, "a slow edit of one board delays no other, of the same channel or by another token", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		f.respond = func(c call) (int, string) {
			if strings.Contains(c.Path, "slow") {
				time.Sleep(9 * time.Second)
			}
			return 0, ""
		}
		go client.EditMessage(t.Context(), "c1", "slow", drawing())
		go client.EditByToken(t.Context(), "token-slow", "@original", drawing())
		synctest.Wait()
		start := time.Now()
		if err := client.EditMessage(t.Context(), "c1", "m2", drawing()); err != nil {
			t.Error(err)
		}
		if err := client.EditByToken(t.Context(), "token-2", "@original", drawing()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("after %v", took)
		}
		passed(10 * time.Second)
	})

	inBubble(t, "no more than 50 requests a second are made with the bot's token", func(t *testing.T, f *fake) {
		client := f.run(nil).rest
		passed(time.Minute)
		start := time.Now()
		for i := range 200 {
			if err := client.EditMessage(t.Context(), fmt.Sprint("c", i), "m", drawing()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took < 3*time.Second || took > 5*time.Second {
			t.Errorf("200 requests in %v", took)
		}
	})
}

func TestATimeoutKeepsDiscordsLastError(t *testing.T) {
	inBubble(t, "when the context ends during a retry", func(t *testing.T, f *fake) {
		tries := 0
		f.respond = func(c call) (int, string) {
			if c.Method != http.MethodPatch {
				return 0, ""
			}
			if tries++; tries > 2 {
				<-time.After(time.Minute)
			}
			return 500, `{"message":"No","code":7}`
		}
		client := f.run(nil).rest
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
		defer cancel()
		err := client.EditMessage(ctx, "c1", "m1", drawing())
		var api *rest.APIError
		if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &api) || !strings.Contains(err.Error(), "HTTP 500, code 7: No") {
			t.Errorf("after %d tries: %v", tries, err)
		}
		passed(2 * time.Minute)
	})
}

func TestInvalidRequests(t *testing.T) {
	refused := func(status int, header map[string]string) func(*fake) {
		return func(f *fake) {
			f.header = header
			f.respond = func(call) (int, string) { return status, `{"message":"No","code":1,"retry_after":0.001}` }
		}
	}
	brief := func(t *testing.T) context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		t.Cleanup(cancel)
		return ctx
	}
	for name, refuse := range map[string]func(*fake){
		"missing permission": refused(403, nil), "dead tokens": refused(401, nil), "limits": refused(429, nil),
	} {
		inBubble(t, name+": we stop at half of what gets an address banned, and go on after ten minutes", func(t *testing.T, f *fake) {
			r := f.run(func(c *config) { c.Router.Component("play", after(0, redraw("board"), nil)) })
			refuse(f)
			made := func() int { return len(f.made(func(call) bool { return true })) }
			before := made()
			for i := range 6000 {
				r.rest.EditByToken(brief(t), fmt.Sprint("token-", i), "@original", drawing())
			}
			if n := made() - before; n != 5000 {
				t.Errorf("%d requests were made", n)
			}
			if err := r.rest.EditByToken(brief(t), "token-x", "@original", drawing()); !errors.Is(err, messages.ErrRateLimited) {
				t.Error(err)
			}
			f.gateway().click("1", "m1", "play")
			synctest.Wait()
			if got := f.made(call.callback); len(got) == 0 {
				t.Error("callbacks were not made")
			}
			passed(11 * time.Minute)
			before = made()
			r.rest.EditByToken(brief(t), "token-y", "@original", drawing())
			if made() == before {
				t.Error("the bot makes no requests any more")
			}
		})
	}

	inBubble(t, "questions about a permission stop long before that", func(t *testing.T, f *fake) {
		r := f.run(nil)
		refused(403, nil)(f)
		closed := 0
		for i := range 600 {
			if r.rest.Closed(brief(t), fmt.Sprint(i)) {
				closed++
			}
		}
		if closed != 500 {
			t.Errorf("%d questions were answered", closed)
		}
		f.respond = func(call) (int, string) { return 200, `{}` }
		if err := r.rest.EditByToken(brief(t), "token", "@original", drawing()); err != nil {
			t.Error(err)
		}
	})

	inBubble(t, "callbacks also stop before Discord would block the address", func(t *testing.T, f *fake) {
		f.run(func(c *config) { c.Router.Component("play", after(0, redraw("board"), nil)) })
		refused(403, nil)(f)
		for i := range 9500 {
			f.gateway().click(fmt.Sprint(i), fmt.Sprint("m", i), "play")
			if i%100 == 99 {
				synctest.Wait()
			}
		}
		synctest.Wait()
		if got := len(f.made(call.callback)); got != 9000 {
			t.Errorf("%d callbacks were made", got)
		}
	})

	inBubble(t, "limits of a shared resource do not count", func(t *testing.T, f *fake) {
		r := f.run(nil)
		refused(429, map[string]string{"X-RateLimit-Scope": "shared"})(f)
		for i := range 6000 {
			r.rest.EditByToken(brief(t), fmt.Sprint("token-", i), "@original", drawing())
		}
		f.respond = nil
		if err := r.rest.EditByToken(brief(t), "token-x", "@original", drawing()); err != nil {
			t.Error(err)
		}
	})
}

func TestRegistration(t *testing.T) {
	tree := []*discordgo.ApplicationCommand{{
		Type: discordgo.ChatApplicationCommand, Name: "tictactoe", Description: "Play",
		Options: []*discordgo.ApplicationCommandOption{{
			Type: discordgo.ApplicationCommandOptionSubCommand, Name: "ai", Description: "Play the computer",
		}},
	}}
	own := func() []*discordgo.ApplicationCommand { return tree }
	puts := func(f *fake) []call { return f.made(func(c call) bool { return c.Method == http.MethodPut }) }

	inBubble(t, "the tree is written once, and not again by the next process", func(t *testing.T, f *fake) {
		r := f.run(func(c *config) { c.Commands = own })
		if got := puts(f); len(got) != 1 || got[0].Path != "/applications/123/commands" {
			t.Fatalf("writes: %v", got)
		}
		const want = `[{"description":"Play","integration_types":[0],"name":"tictactoe","options":[{"description":"Play the computer","name":"ai","type":1}],"type":1}]`
		if diff := cmp.Diff(want, puts(f)[0].Raw); diff != "" {
			t.Error(diff)
		}
		if !strings.Contains(r.logs.String(), "commands registered") {
			t.Errorf("log:\n%s", r.logs)
		}
		f.gateway().conn.Close()
		passed(time.Minute)
		r.cancel()
		<-r.done
		r = f.run(func(c *config) { c.Commands = own })
		if got := puts(f); len(got) != 1 {
			t.Errorf("writes: %v", got)
		}
		if !strings.Contains(r.logs.String(), "commands unchanged") {
			t.Errorf("log:\n%s", r.logs)
		}
	})

	inBubble(t, "the Entry Point command is sent along as Discord has it, and others are removed", func(t *testing.T, f *fake) {
		const entry = `{"id":"77","application_id":"123","version":"78","default_member_permissions":null,"type":4,"name":"launch",` +
			`"description":"","contexts":null,"integration_types":[0,1],"nsfw":false,"handler":2,"yet_unknown":{"a":[1]}}`
		f.commands = `[{"id":"1","type":1,"name":"old","description":"Old"},` + entry + `]`
		r := f.run(func(c *config) { c.Commands = own })
		got := puts(f)
		if len(got) != 1 || !strings.HasSuffix(got[0].Raw, `,"type":1},`+entry+`]`) || strings.Contains(got[0].Raw, "old") {
			t.Fatalf("writes: %v", got)
		}
		if d, err := r.rest.Diagnose(t.Context(), tree); err != nil || !d.Registered {
			t.Errorf("diagnosis: %+v, %v", d, err)
		}
		f.gateway().conn.Close()
		passed(time.Minute)
		r.cancel()
		<-r.done
		r = f.run(func(c *config) { c.Commands = own })
		if got := puts(f); len(got) != 1 || !strings.Contains(r.logs.String(), `msg="commands unchanged" commands=1`) {
			t.Errorf("writes: %v, log:\n%s", got, r.logs)
		}
	})

	inBubble(t, "a failure is tried again, a refusal is not", func(t *testing.T, f *fake) {
		var broken atomic.Bool
		broken.Store(true)
		f.respond = func(c call) (int, string) {
			switch {
			case c.Method == http.MethodPut && broken.Load():
				return 503, ""
			case c.Method == http.MethodPut:
				return 400, `{"message":"Invalid Form Body","code":50035}`
			}
			return 0, ""
		}
		f.run(func(c *config) { c.Commands = own })
		passed(time.Minute)
		broken.Store(false)
		passed(time.Minute)
		before := len(puts(f))
		passed(24 * time.Hour)
		if got := len(puts(f)); before < 3 || got != before {
			t.Errorf("%d writes, then %d", before, got)
		}
	})

	inBubble(t, "no tree leaves the commands alone", func(t *testing.T, f *fake) {
		f.run(nil)
		if got := f.made(func(c call) bool { return strings.Contains(c.Path, "commands") }); len(got) != 0 {
			t.Errorf("calls: %v", got)
		}
	})
}

func TestSame(t *testing.T) {
	yes, permission := true, int64(0)
	base := func() *discordgo.ApplicationCommand {
		return &discordgo.ApplicationCommand{
			Name: "tictactoe", Description: "Play",
			Contexts:         &[]discordgo.InteractionContextType{0, 1, 2},
			IntegrationTypes: &[]discordgo.ApplicationIntegrationType{0, 1},
			Options: []*discordgo.ApplicationCommandOption{{
				Type: discordgo.ApplicationCommandOptionString, Name: "clock", Description: "Time",
				Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "1 min", Value: 60}, {Name: "5 min", Value: 300}},
			}},
		}
	}
	for _, test := range []struct {
		name   string
		change func(*discordgo.ApplicationCommand)
		want   bool
	}{
		{"nothing", func(*discordgo.ApplicationCommand) {}, true},
		{"fields that Discord adds", func(c *discordgo.ApplicationCommand) {
			//lint:ignore SA1019 Discord still sends these deprecated fields.
			c.ID, c.ApplicationID, c.Version, c.Type, c.DMPermission, c.DefaultPermission = "1", "2", "3", 1, &yes, &yes
			c.NameLocalizations = &map[discordgo.Locale]string{}
			c.Options[0].Choices[0].Value = float64(60)
			c.Options[0].ChannelTypes = []discordgo.ChannelType{}
		}, true},
		{"the order of contexts", func(c *discordgo.ApplicationCommand) {
			c.Contexts = &[]discordgo.InteractionContextType{2, 0, 1}
		}, true},
		{"a description", func(c *discordgo.ApplicationCommand) { c.Description = "Play!" }, false},
		{"a context less", func(c *discordgo.ApplicationCommand) { c.Contexts = &[]discordgo.InteractionContextType{0} }, false},
		{"a required option", func(c *discordgo.ApplicationCommand) { c.Options[0].Required = true }, false},
		{"a choice", func(c *discordgo.ApplicationCommand) { c.Options[0].Choices[1].Value = 301 }, false},
		{"the order of choices", func(c *discordgo.ApplicationCommand) {
			choices := c.Options[0].Choices
			choices[0], choices[1] = choices[1], choices[0]
		}, false},
		{"a permission", func(c *discordgo.ApplicationCommand) { c.DefaultMemberPermissions = &permission }, false},
		{"a translation", func(c *discordgo.ApplicationCommand) {
			c.NameLocalizations = &map[discordgo.Locale]string{discordgo.German: "käsekästchen"}
		}, false},
		{"the type", func(c *discordgo.ApplicationCommand) { c.Type = discordgo.UserApplicationCommand }, false},
	} {
		t.Run(test.name+" changed", func(t *testing.T) {
			other := base()
			test.change(other)
			a, b := []*discordgo.ApplicationCommand{base()}, []*discordgo.ApplicationCommand{other}
			if rest.Same(a, b) != test.want || rest.Same(b, a) != test.want {
				t.Errorf("want %t", test.want)
			}
		})
	}

	t.Run("the order of commands does not count, their number does", func(t *testing.T) {
		first, second := base(), base()
		second.Name = "other"
		if !rest.Same([]*discordgo.ApplicationCommand{first, second}, []*discordgo.ApplicationCommand{second, first}) {
			t.Error("order")
		}
		if rest.Same([]*discordgo.ApplicationCommand{first, second}, []*discordgo.ApplicationCommand{first}) || rest.Same(nil, []*discordgo.ApplicationCommand{first}) {
			t.Error("number")
		}
		if !rest.Same(nil, []*discordgo.ApplicationCommand{}) {
			t.Error("empty")
		}
	})
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	followed := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s came with the header %q", r.Method, r.URL, r.Header.Get("Authorization"))
	}))
	defer followed.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		server := httptest.NewServer(http.RedirectHandler(followed.URL, status))
		defer server.Close()
		client, err := rest.New(rest.Config{Token: secret, BaseURL: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		var api *rest.APIError
		if _, err := client.OwnApplication(t.Context()); !errors.As(err, &api) || api.Status != status {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestNew(t *testing.T) {
	for name, wrong := range map[string]rest.Config{
		"no token":             {Token: "Bot "},
		"a token of two words": {Token: "a b"},
		"a base URL of a file": {Token: "x", BaseURL: "file:///x"},
		"a base URL with path": {Token: "x", BaseURL: "http://x/api"},
		"a base URL of spaces": {Token: "x", BaseURL: "http://a b"},
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			if _, err := rest.New(wrong); err == nil {
				t.Error("accepted")
			}
		})
	}
}
