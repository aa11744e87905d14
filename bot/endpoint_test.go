package bot_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tictactoe/bot"
	"tictactoe/bot/endpoint"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/discordsim/simtest"
	"tictactoe/internal/boards/messages"
)

// signer is the private key of the fake's application.
var signer = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

// overHTTP is a bot behind an endpoint.
type overHTTP struct {
	*runtime
	f      *fake
	dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	client *http.Client
}

// endpoint starts a bot behind an endpoint.
func (f *fake) endpoint(change func(*config)) *overHTTP {
	f.t.Helper()
	listener, dial := simtest.Pipe()
	o := &overHTTP{f: f, dial: dial, client: &http.Client{Transport: &http.Transport{DialContext: dial}}}
	f.t.Cleanup(o.client.CloseIdleConnections)
	o.runtime = f.run(func(c *config) {
		c.Endpoint = &bot.Endpoint{Listen: func() (net.Listener, error) { return listener, nil }, Key: signer.Public().(ed25519.PublicKey)}
		if change != nil {
			change(c)
		}
	})
	return o
}

// answer has the parts of an HTTP response that the tests compare. After status 202 the body comes from the callback, if one follows
// within three seconds.
type answer struct {
	Status int
	Type   string
	Body   string
	after  time.Duration
}

// request returns a request that is signed with the current time.
func (o *overHTTP) request(body string) *http.Request { return o.requestAt(time.Now(), body) }

func (o *overHTTP) requestAt(at time.Time, body string) *http.Request {
	r, err := http.NewRequest(http.MethodPost, "http://bot.test"+endpoint.Path, strings.NewReader(body))
	if err != nil {
		o.f.t.Fatal(err)
	}
	stamp := fmt.Sprint(at.Unix())
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Signature-Timestamp", stamp)
	r.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(signer, []byte(stamp+body))))
	return r
}

func (o *overHTTP) send(r *http.Request) answer {
	o.f.t.Helper()
	asked, err := r.GetBody()
	if err != nil {
		o.f.t.Fatal(err)
	}
	var in struct{ ID string }
	_ = json.NewDecoder(asked).Decode(&in) // some tests send no JSON
	callbacks := func() []call {
		return o.f.made(func(c call) bool { return c.callback() && strings.HasPrefix(c.Path, "/interactions/"+in.ID+"/") })
	}
	before := len(callbacks())
	start := time.Now()
	resp, err := o.client.Do(r)
	if err != nil {
		o.f.t.Error(err)
		return answer{}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		o.f.t.Error(err)
	}
	got := answer{resp.StatusCode, resp.Header.Get("Content-Type"), string(body), time.Since(start)}
	for got.Status == http.StatusAccepted && got.Body == "" && time.Since(start) < 3*time.Second {
		if made := callbacks(); len(made) > before {
			got.Body, got.after = made[before].Raw, made[before].At.Sub(start)
		} else {
			time.Sleep(10 * time.Millisecond)
		}
	}
	return got
}

// short returns the status, the type and the content of a response.
func (a answer) short() string {
	kind := ""
	for _, field := range []string{`"type":`, `"content":`} {
		if _, rest, ok := strings.Cut(a.Body, field); ok {
			kind += " " + strings.Trim(rest[:strings.IndexAny(rest, ",}")], `"`)
		}
	}
	return fmt.Sprint(a.Status) + kind
}

func TestRequests(t *testing.T) {
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	at := func(d time.Duration) time.Time { return time.Now().Add(d) }
	inBubble(t, "requests not signed by Discord, or not recently, reach no handler", func(t *testing.T, f *fake) {
		handled := 0
		o := f.endpoint(func(c *config) {
			c.Router.Command("tictactoe games", func(context.Context, *bot.Interaction) (bot.Reply, error) { handled++; return private("list"), nil })
		})
		good := f.created("1", commandOf("games"))
		for _, test := range []struct {
			name   string
			body   string
			at     time.Time
			change func(*http.Request)
			want   string
		}{
			{"another signature", good, at(0), header("X-Signature-Ed25519", strings.Repeat("00", 64)), "401"},
			{"no signature", good, at(0), header("X-Signature-Ed25519", ""), "401"},
			{"half a signature", good, at(0), header("X-Signature-Ed25519", strings.Repeat("00", 32)), "401"},
			{"a signature of letters", good, at(0), header("X-Signature-Ed25519", strings.Repeat("zz", 64)), "401"},
			{"another time", good, at(0), header("X-Signature-Timestamp", fmt.Sprint(at(time.Second).Unix())), "401"},
			{"no time", good, at(0), header("X-Signature-Timestamp", ""), "401"},
			{"another body", good, at(0), func(r *http.Request) {
				r.Body = io.NopCloser(strings.NewReader(strings.Replace(good, "games", "gamez", 1)))
			}, "401"},
			{"too old", good, at(-61 * time.Second), nil, "401"},
			{"of the future", good, at(61 * time.Second), nil, "401"},
			{"a form", good, at(0), header("Content-Type", "application/x-www-form-urlencoded"), "415"},
			{"no type", good, at(0), header("Content-Type", ""), "415"},
			{"another path", good, at(0), func(r *http.Request) { r.URL.Path = "/" }, "404"},
			{"a longer path", good, at(0), func(r *http.Request) { r.URL.Path += "/x" }, "404"},
			{"another method", good, at(0), func(r *http.Request) { r.Method = http.MethodPut }, "405"},
			{"a form without a signature", good, at(0), func(r *http.Request) { r.Header.Del("Content-Type"); r.Header.Del("X-Signature-Ed25519") }, "401"},
			{"a huge body", `"` + strings.Repeat("x", 256<<10) + `"`, at(0), nil, "401"},
			{"a huge body of no length", strings.Repeat("x", 300<<10), at(0), func(r *http.Request) { r.ContentLength = -1 }, "401"},
			{"no JSON", "Dear diary", at(0), nil, "400"},
			{"nothing", "", at(0), nil, "400"},
			{"an autocompletion, which no command has", f.created("2", `"type":4,"data":{"id":"1","name":"tictactoe","type":1}`), at(0), nil, "202 8"},
		} {
			r := o.requestAt(test.at, test.body)
			if test.change != nil {
				test.change(r)
			}
			got := o.send(r)
			if got.short() != test.want || strings.Contains(got.Body, "list") {
				t.Errorf("%s: %+v, want %s", test.name, got, test.want)
			}
		}
		if handled != 0 || len(f.answers()) != 1 {
			t.Errorf("%d handlers ran, and %v was sent", handled, f.answers())
		}
		if !strings.Contains(o.logs.String(), "check this machine's clock") {
			t.Errorf("the log does not tell of a wrong clock:\n%s", o.logs)
		}
		for i, d := range []time.Duration{0, -59 * time.Second, 59 * time.Second} {
			if got := o.send(o.requestAt(at(d), f.created(fmt.Sprint(10+i), commandOf("games")))); got.short() != "202 4 list" {
				t.Errorf("signed %v from now: %+v", d, got)
			}
		}
	})
	inBubble(t, "Discord's PING is answered", func(t *testing.T, f *fake) {
		o := f.endpoint(nil)
		if diff := cmp.Diff(answer{Status: 200, Type: "application/json", Body: `{"type":1}`}, o.send(o.request(`{"id":"1","application_id":"123","type":1,"token":"t"}`)), cmp.AllowUnexported(answer{})); diff != "" {
			t.Error(diff)
		}
	})
	inBubble(t, "a slow sender is disconnected, and nobody else waits", func(t *testing.T, f *fake) {
		o := f.endpoint(nil)
		conn, err := o.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: bot.test\r\nContent-Type: application/json\r\nX-Signature-Ed25519: %s\r\nContent-Length: 100\r\n\r\n{",
			endpoint.Path, strings.Repeat("00", 64))
		if got := o.send(o.request(f.created("1", commandOf("x")))); got.short() != "202 4 unknown" || got.after > 0 {
			t.Errorf("meanwhile: %+v", got)
		}
		start := time.Now()
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if took := time.Since(start); took > 6*time.Second || err == nil && resp.StatusCode != 401 {
			t.Errorf("after %v: %v %v", took, resp, err)
		}
	})
}

func TestAnswersOverHTTP(t *testing.T) {
	const late = 2 * time.Second
	told := func(reply bot.Reply, to *[]messages.Receipt) bot.Reply {
		reply.Sent = func(r messages.Receipt) { *to = append(*to, r) }
		return reply
	}
	var receipts []messages.Receipt
	for _, test := range []struct {
		name    string
		from    string
		handler bot.Handler
		want    string   // the expected response, with the first callback
		more    []string // the expected calls of the API after that
		message string   // the expected message id in the receipt
	}{
		{"a click's update", "play", after(0, told(redraw("board"), &receipts), nil), "202 7 board", nil, "m1"},
		{"a click's refusal", "play", after(0, told(private("not you"), &receipts), nil), "202 4 not you", nil, rest.Original},
		{"a click's question", "play", after(0, modal(), nil), "202 9", nil, ""},
		{"a command's message", "games", after(0, told(say("board"), &receipts), nil), "202 4 board", nil, "900"},
		{"a modal's update", "resign", after(0, redraw("board"), nil), "202 7 board", nil, ""},
		{"a click's late update", "play", after(late, redraw("board"), nil), "202 6", []string{"PATCH @original board"}, ""},
		{"a command's late message", "games", after(late, private("list"), nil), "202 5", []string{"PATCH @original list"}, ""},
		{"a click's error", "play", after(0, bot.Reply{}, errors.New("disk full")), "202 4 sorry 1", nil, ""},
		{"a panic", "play", func(context.Context, *bot.Interaction) (bot.Reply, error) { panic("token-1 in a panic") }, "202 4 sorry 1", nil, ""},
		{"an unknown button", "other", after(0, bot.Reply{}, nil), "202 4 unknown", nil, ""},
	} {
		inBubble(t, test.name, func(t *testing.T, f *fake) {
			receipts = nil
			o := f.endpoint(func(c *config) {
				c.Router.Component("play", test.handler)
				c.Router.Command("tictactoe games", test.handler)
				c.Router.Modal("resign", test.handler)
			})
			got := o.send(o.request(f.created("1", map[string]string{
				"play": clickOf("m1", "play:x"), "games": commandOf("games"), "other": clickOf("m1", "other"),
				"resign": `"type":5,"data":{"custom_id":"resign:x","components":[]},` + messageOf("m1", `[]`),
			}[test.from])))
			passed(20 * time.Second)
			if got.short() != test.want || got.after > 1500*time.Millisecond {
				t.Errorf("%s after %v, want %s\n%s", got.short(), got.after, test.want, o.logs)
			}
			if diff := cmp.Diff(test.more, f.answers()[1:], cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			if test.message != "" && (len(receipts) != 1 || receipts[0].Message != test.message || receipts[0].Channel != "c1" || receipts[0].Err != nil) {
				t.Errorf("receipts %+v", receipts)
			}
		})
	}
	inBubble(t, "clicks on one message are answered in their order", func(t *testing.T, f *fake) {
		var order []string
		o := f.endpoint(func(c *config) {
			c.Router.Component("play", func(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
				time.Sleep(time.Second / 2)
				order = append(order, in.ID)
				return redraw(in.ID), nil
			})
		})
		var all sync.WaitGroup
		for _, id := range []string{"1", "2"} {
			all.Go(func() { o.send(o.request(f.created(id, clickOf("m1", "play")))) })
			synctest.Wait()
		}
		all.Wait()
		if !slices.Equal(order, []string{"1", "2"}) {
			t.Errorf("handled in the order %v", order)
		}
	})
	inBubble(t, "a crowd is told to try again, each within three seconds", func(t *testing.T, f *fake) {
		o := f.endpoint(func(c *config) {
			c.Limits.Room(2, 2)
			c.Router.Component("play", after(2*time.Second, redraw("board"), nil))
		})
		var mu sync.Mutex
		counts := map[string]int{}
		var all sync.WaitGroup
		for i := range 300 {
			all.Go(func() {
				got := o.send(o.request(f.created(fmt.Sprint(i), clickOf(fmt.Sprint("m", i), "play"))))
				mu.Lock()
				defer mu.Unlock()
				counts[got.short()]++
				if got.after >= 3*time.Second {
					t.Errorf("answered after %v", got.after)
				}
			})
		}
		all.Wait()
		if diff := cmp.Diff(map[string]int{"202 6": 4, "202 4 busy": 296}, counts); diff != "" {
			t.Error(diff)
		}
	})
}

func TestReplays(t *testing.T) {
	inBubble(t, "a request that comes again gets nothing", func(t *testing.T, f *fake) {
		handled := 0
		o := f.endpoint(func(c *config) {
			c.Router.Command("tictactoe games", func(context.Context, *bot.Interaction) (bot.Reply, error) { handled++; return private("list"), nil })
		})
		body := f.created("1", commandOf("games"))
		now := time.Now()
		for _, want := range []string{"202 4 list", "202"} {
			if got := o.send(o.requestAt(now, body)); got.short() != want {
				t.Errorf("%+v, want %s", got, want)
			}
		}
		if handled != 1 || len(f.answers()) != 1 {
			t.Errorf("%d handlers ran, and %v was sent", handled, f.answers())
		}
		passed(2 * time.Minute)
		if got := o.send(o.requestAt(now, body)); got.Status != 401 {
			t.Errorf("later: %+v", got)
		}
	})
}

func TestAStopOverHTTP(t *testing.T) {
	inBubble(t, "open interactions are finished, and new ones are not accepted", func(t *testing.T, f *fake) {
		var lost []time.Time
		o := f.endpoint(func(c *config) {
			c.Router.Component("play", after(3*time.Second, redraw("board"), nil))
			c.Router.Component("quick", after(time.Second, redraw("quick"), nil))
			c.Disconnected = func(gateway.Shard) { lost = append(lost, time.Now()) }
		})
		var all sync.WaitGroup
		all.Go(func() { o.send(o.request(f.created("1", clickOf("m1", "play")))) })
		passed(2 * time.Second)
		all.Go(func() {
			if got := o.send(o.request(f.created("2", clickOf("m2", "quick")))); got.short() != "202 7 quick" {
				t.Errorf("a request just before the stop: %+v", got)
			}
		})
		synctest.Wait()
		start := time.Now()
		o.cancel()
		if err := <-o.done; err != nil || time.Since(start) > 5*time.Second {
			t.Errorf("stopped after %v: %v", time.Since(start), err)
		}
		all.Wait()
		if diff := cmp.Diff([]string{"1 callback 6", "2 callback 7", "PATCH @original board"}, slices.Sorted(slices.Values(f.answers()))); diff != "" {
			t.Error(diff)
		}
		if len(lost) != 1 {
			t.Errorf("Disconnected was called %d times", len(lost))
		}
		if _, err := o.client.Do(o.request(`{}`)); err == nil {
			t.Error("the bot still listens")
		}
	})
	inBubble(t, "neither a stuck handler nor a silent connection keeps the bot from stopping", func(t *testing.T, f *fake) {
		o := f.endpoint(func(c *config) {
			c.Router.Component("play", func(ctx context.Context, _ *bot.Interaction) (bot.Reply, error) {
				<-ctx.Done()
				return redraw("x"), ctx.Err()
			})
		})
		conn, err := o.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		var all sync.WaitGroup
		all.Go(func() { o.send(o.request(f.created("1", clickOf("m1", "play")))) })
		synctest.Wait()
		start := time.Now()
		o.cancel()
		if err := <-o.done; err != nil || time.Since(start) > 6*time.Second {
			t.Errorf("stopped after %v: %v", time.Since(start), err)
		}
		all.Wait()
	})
}

func TestTheEndpointChecksTheApplication(t *testing.T) {
	inBubble(t, "another key is refused at the start", func(t *testing.T, f *fake) {
		f.respond = func(c call) (int, string) {
			if c.Path == "/applications/@me" {
				return 200, `{"id":"123","verify_key":"` + strings.Repeat("5a", 32) + `"}`
			}
			return 0, ""
		}
		o := f.endpoint(nil)
		if err := <-o.done; !errors.Is(err, bot.ErrWrongKey) {
			t.Errorf("ended with %v", err)
		}
	})
	inBubble(t, "a token that Discord does not know is fatal", func(t *testing.T, f *fake) {
		f.respond = func(call) (int, string) { return 401, `{"message":"401: Unauthorized","code":0}` }
		wantFatal(t, <-f.endpoint(nil).done, 401)
	})
}

func TestListening(t *testing.T) {
	inBubble(t, "nobody listens before clicks can be answered", func(t *testing.T, f *fake) {
		var known, ready, listens atomic.Bool
		f.respond = func(c call) (int, string) {
			if c.Path == "/applications/@me" && !known.Load() {
				return 502, ""
			}
			return 0, ""
		}
		o := f.endpoint(func(c *config) {
			listen := c.Endpoint.Listen
			c.Endpoint.Listen = func() (net.Listener, error) {
				listens.Store(true)
				return listen()
			}
			c.Connected = func(context.Context, gateway.Shard) error {
				if !ready.Load() {
					return errors.New("the database does not answer")
				}
				return nil
			}
		})
		for _, missing := range []*atomic.Bool{&known, &ready} {
			passed(2 * time.Minute)
			if listens.Load() || o.State().Connected {
				t.Errorf("it listens: %t, it is connected: %t", listens.Load(), o.State().Connected)
			}
			missing.Store(true)
		}
		passed(2 * time.Minute)
		if got := o.send(o.request(f.created("1", commandOf("x")))); got.short() != "202 4 unknown" || !listens.Load() {
			t.Errorf("%s, it listens: %t", got.short(), listens.Load())
		}
	})
	inBubble(t, "an address in use ends Run", func(t *testing.T, f *fake) {
		taken := errors.New("in use")
		left := make(chan struct{})
		o := f.endpoint(func(c *config) {
			c.Endpoint.Listen = func() (net.Listener, error) { return nil, taken }
			c.Disconnected = func(gateway.Shard) { close(left) }
		})
		if err := <-o.done; !errors.Is(err, taken) {
			t.Errorf("ended with %v", err)
		}
		<-left
	})
	inBubble(t, "the bot can be stopped before it listens", func(t *testing.T, f *fake) {
		f.respond = func(call) (int, string) { return 502, "" }
		o := f.endpoint(func(c *config) {
			c.Endpoint.Listen = func() (net.Listener, error) { panic("it listens") }
		})
		passed(10 * time.Second)
		o.cancel()
		if err := <-o.done; err != nil {
			t.Errorf("ended with %v", err)
		}
	})
}

func TestServersOverHTTP(t *testing.T) {
	inBubble(t, "servers are listed at the start and daily, page by page, and recorded from interactions in between", func(t *testing.T, f *fake) {
		var mu sync.Mutex
		var servers []string
		for i := range 401 {
			servers = append(servers, fmt.Sprint(1000+i))
		}
		f.respond = func(c call) (int, string) {
			if c.Path != "/users/@me/guilds" {
				return 0, ""
			}
			mu.Lock()
			defer mu.Unlock()
			from := 0
			if _, after, ok := strings.Cut(strings.Split(c.Query, "&limit")[0], "after="); ok {
				from = slices.Index(servers, after) + 1
			}
			var page []string
			for _, id := range servers[from:min(from+200, len(servers))] {
				page = append(page, `{"id":"`+id+`","name":"x","permissions":"0"}`)
			}
			return 200, "[" + strings.Join(page, ",") + "]"
		}
		var news []bot.Guilds
		o := f.endpoint(func(c *config) {
			c.Guilds = func(_ context.Context, n bot.Guilds) error { news = append(news, n); return nil }
		})
		if len(news) != 1 || !news[0].All || !slices.Equal(news[0].Present, servers) {
			t.Fatalf("told %d times\n%s", len(news), o.logs)
		}
		news = nil
		o.send(o.request(f.created("1", commandOf("x")))) // from the server g1
		o.send(o.request(f.created("2", commandOf("x"))))
		o.send(o.request(f.created("3", `"guild_id":"elsewhere",`+commandOf("x")))) // from a server in which only the user has installed the app
		synctest.Wait()
		if diff := cmp.Diff([]bot.Guilds{{Shard: gateway.Shard{Of: 1}, Present: []string{"g1"}}}, news); diff != "" {
			t.Error(diff)
		}
		news = nil
		mu.Lock()
		servers = append(servers[1:], "9999")
		mu.Unlock()
		passed(24 * time.Hour)
		if diff := cmp.Diff([]bot.Guilds{{Shard: gateway.Shard{Of: 1}, All: true, Present: servers, Gone: []string{"1000", "g1"}}}, news); diff != "" {
			t.Error(diff)
		}
	})
}

// FuzzRequest checks that every signed request gets an answer, and that unsigned bodies are not read.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"id":"1","type":1}`, `{"id":"1","token":"t","type":2,"data":{"name":"tictactoe","type":1}}`, `{"id":"1","token":"t","type":3,"data":{"custom_id":"play:1:0:b2"},"message":{"id":"2"}}`,
		`{"id":"1","token":"t","type":5,"data":null}`, `{"id":"1","token":"t","type":4}`, `{"id":1}`, `[]`, `null`, ``, `{"type":1,"type":2}`,
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, body string, signed bool) {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(t)
			o := f.endpoint(nil)
			r := o.request(body)
			if !signed {
				r.Header.Set("X-Signature-Timestamp", r.Header.Get("X-Signature-Timestamp")+"0")
			}
			got := o.send(r)
			switch {
			case !signed && got.Status != http.StatusUnauthorized:
				t.Errorf("not signed: %+v", got)
			case signed && got.Status != http.StatusOK && got.Status != http.StatusBadRequest && got.Status != http.StatusAccepted:
				t.Errorf("signed: %+v", got)
			}
		})
	})
}
