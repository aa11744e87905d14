package commands_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/internal/boards"
	"tictactoe/internal/match"
)

// api is a fake of Discord's API with limits on edits: five edits in five seconds for each channel with the bot's token, and for
// each interaction's token.
type api struct {
	began time.Time
	conns chan net.Conn
	done  chan struct{}

	mu      sync.Mutex
	buckets map[string]*window
	edits   []edit
	refused int // the number of requests refused with 429
}

type window struct {
	left  int
	reset time.Time
}

// edit is an edit of a message that Discord has accepted.
type edit struct {
	at      time.Duration // the time since the start
	message string
	byToken bool
}

func newAPI(t *testing.T) *api {
	a := &api{began: time.Now(), conns: make(chan net.Conn), done: make(chan struct{}), buckets: map[string]*window{}}
	server, served := &http.Server{Handler: a}, make(chan struct{})
	go func() { defer close(served); server.Serve(a) }()
	t.Cleanup(func() { server.Close(); <-served })
	return a
}

func (a *api) Accept() (net.Conn, error) {
	select {
	case conn := <-a.conns:
		return conn, nil
	case <-a.done:
		return nil, net.ErrClosed
	}
}
func (a *api) Close() error   { close(a.done); return nil }
func (a *api) Addr() net.Addr { return &net.UnixAddr{Name: "discord"} }

func (a *api) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case a.conns <- server:
		return client, nil
	case <-a.done:
		return nil, net.ErrClosed
	}
}

// ServeHTTP serves .../channels/C/messages/M and .../webhooks/APP/TOKEN/messages/M.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	if strings.HasSuffix(r.URL.Path, "/applications/@me") {
		io.WriteString(w, `{"id":"`+self+`"}`)
		return
	}
	bucket, message, _ := strings.Cut(r.URL.Path, "/messages/")
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	b := a.buckets[bucket]
	if b == nil || !now.Before(b.reset) {
		b = &window{5, now.Add(5 * time.Second)}
		a.buckets[bucket] = b
	}
	after := b.reset.Sub(now).Seconds()
	if b.left == 0 {
		a.refused++
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprintf(w, `{"message":"You are being rate limited.","retry_after":%.3f,"global":false}`, after)
		return
	}
	b.left--
	w.Header().Set("X-RateLimit-Remaining", fmt.Sprint(b.left))
	w.Header().Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", after))
	a.edits = append(a.edits, edit{now.Sub(a.began), message, strings.Contains(bucket, "/webhooks/")})
	io.WriteString(w, `{}`)
}

// made returns the successful edits so far.
func (a *api) made() []edit {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.edits
}

// redrawer returns the redrawer of another process, which edits with the fake API.
func (d *desk) redrawer(a *api) *boards.Redrawer {
	d.t.Helper()
	rest, err := rest.New(rest.Config{Token: "MTIz.very.secret", BaseURL: "http://discord.test", Dial: a.dial})
	if err != nil {
		d.t.Fatal(err)
	}
	config := d.commands.Redraw.RedrawerConfig
	config.Messenger = commands.Messenger{REST: rest}
	return boards.NewRedrawer(config)
}

// ended saves n matches whose end was not shown, and returns their ids and messages.
func (d *desk) ended(n int) (ids []match.ID, messages []string) {
	d.t.Helper()
	for range n {
		d.run(alice, "ai", "first=me")
		id := d.id()
		d.flush()
		d.resignUnseen(id, 0)
		ids, messages = append(ids, id), append(messages, d.board.id)
	}
	return ids, messages
}

// TestManyBoardsOfOneChannel tests that boards of one channel are drawn as fast as Discord allows, in the order of the requests,
// and that no other channel waits.
func TestManyBoardsOfOneChannel(t *testing.T) {
	for _, processes := range []int{1, 3} {
		t.Run(fmt.Sprint("drawn by ", processes), func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				ids, messages := d.ended(40)
				d.place.channel = "5004"
				elsewhere, there := d.ended(1)
				d.advance(time.Hour)
				a := newAPI(t)
				redrawers := make([]*boards.Redrawer, processes)
				for i := range redrawers {
					redrawers[i] = d.redrawer(a)
					d.commands.Redraw = redrawers[i]
					d.work()
				}
				for i, id := range append(ids, elsewhere...) {
					redrawers[i%processes].Enqueue(id)
				}
				later(10 * time.Minute)
				made := a.made()
				i := slices.Index(made, edit{boards.CollectTime, there[0], false})
				if i < 0 {
					t.Fatalf("the other channel had to wait: %v", made)
				}
				var drawn []string
				for i, e := range slices.Delete(slices.Clone(made), i, i+1) {
					drawn = append(drawn, e.message)
					if want := boards.CollectTime + time.Duration(i/5)*5*time.Second; e.at != want {
						t.Errorf("edit %d after %v, want %v", i, e.at, want)
					}
				}
				if processes > 1 { // their order is a matter of chance
					slices.Sort(drawn)
				}
				if !slices.Equal(drawn, messages) {
					t.Errorf("drawn: %q", drawn)
				}
				if most := 8 * processes; a.refused > most {
					t.Errorf("%d requests were refused", a.refused)
				}
			})
		})
	}
}

// TestTheLimitOfAChannelLeavesTokens tests that a board that was just clicked is drawn with the token of the click, which has a
// separate limit.
func TestTheLimitOfAChannelLeavesTokens(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		ids, messages := d.ended(12)
		a := newAPI(t)
		d.commands.Redraw = d.redrawer(a)
		d.work()
		for _, id := range ids {
			d.poke(id)
		}
		later(time.Minute)
		var want []edit
		for i, message := range messages {
			want = append(want, edit{boards.CollectTime, message, i >= 5})
		}
		if got := a.made(); !slices.Equal(got, want) {
			t.Errorf("made %v", got)
		}
	})
}

// TestAnInvalidTokenIsTriedOnce tests that the bot does not repeat requests with a token that Discord has rejected.
func TestAnInvalidTokenIsTriedOnce(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		ids, messages := d.ended(1)
		d.discord.limiting(func(request string) error {
			if strings.Contains(request, " by ") {
				return boards.ErrGone
			}
			return rateLimited(5 * time.Second)
		})
		d.work()
		d.poke(ids[0])
		later(time.Minute)
		if n, passes := d.discord.limits, 12; n != passes+1 {
			t.Errorf("refused %d times, want one for each of %d passes and one of the token", n, passes)
		}
		d.discord.limiting(nil)
		later(5 * time.Second)
		d.asked("edit " + channel + "/" + messages[0])
	})
}

// TestAClickDrawsAWaitingBoard tests that a board that waits for a rate limit is not drawn again after the reply to a click has
// drawn it.
func TestAClickDrawsAWaitingBoard(t *testing.T) {
	for name, when := range map[string]func(d *desk, click func()){
		"for a limit": func(d *desk, click func()) {
			d.discord.limiting(func(string) error { return rateLimited(5 * time.Second) })
			d.work()
			later(time.Second)
			click()
			later(time.Second)
			d.discord.limiting(nil)
		},
		"for another board": func(d *desk, click func()) {
			d.discord.during = func(string) { d.discord.during = nil; click() }
			d.work()
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				ids, messages := d.ended(1)
				d.run(alice, "ai", "first=me")
				open := d.id()
				d.flush()
				d.advance(rest.TokenLife)
				d.giveBack()
				d.poke(ids[0])
				d.poke(open)
				when(d, func() { d.press(alice, "b2") })
				later(time.Minute)
				d.asked("edit " + channel + "/" + messages[0])
				if got := d.behind(); got != nil {
					t.Errorf("behind: %q", got)
				}
			})
		})
	}
}

func TestFlushWaitsForShortLimits(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		ids, messages := d.ended(12)
		d.advance(time.Hour)
		a := newAPI(t)
		r := d.redrawer(a)
		for _, id := range ids {
			r.Enqueue(id)
		}
		r.Flush(t.Context())
		if n := len(a.made()); n != len(messages) || time.Since(a.began) != 10*time.Second {
			t.Errorf("%d edits in %v", n, time.Since(a.began))
		}
		d.discord.failing(func(string) error { return rateLimited(time.Hour) })
		d.place.channel = "5004"
		ids, messages = d.ended(1)
		d.advance(time.Hour)
		d.poke(ids[0])
		if got, want := d.flush(), []string{"edit 5004/" + messages[0]}; !slices.Equal(got, want) || time.Since(a.began) != 10*time.Second {
			t.Errorf("asked for %q after %v", got, time.Since(a.began))
		}
	})
}
