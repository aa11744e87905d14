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

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/messages"
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
	config.Messenger = rest
	return boards.NewRedrawer(config)
}

// ended saves n matches whose end was not shown, and returns their ids and messages.
func (d *desk) ended(n int) (ids []match.ID, messages []string) {
	d.t.Helper()
	for range n {
		id := d.alone()
		d.flush()
		d.resignUnseen(id, 0)
		ids, messages = append(ids, id), append(messages, d.board.id)
	}
	return ids, messages
}

// alone starts a match of alice against the computer, as soon after the previous one as the limit of public posts allows in the long run.
func (d *desk) alone() match.ID {
	d.t.Helper()
	d.advance(match.PostTime / match.MaxPosts)
	d.run(alice, "ai", "first=me")
	return d.id()
}

// flooded has alice post as much in the channel as she may in a minute.
func (d *desk) flooded() {
	d.t.Helper()
	for i := range match.MaxPosts {
		if reply := d.run(alice, "leaderboard"); reply.Private {
			d.t.Fatalf("post %d is private", i)
		}
	}
}

// TestPublicPosts tests that the limit of public posts holds for all kinds of posts together, and that private messages and changes of
// messages do not count.
func TestPublicPosts(t *testing.T) {
	refused := func(t *testing.T, reply bot.Reply) {
		t.Helper()
		if !reply.Private || reply.Refusal != string(match.TooManyPosts) {
			t.Errorf("private %t, refusal %q", reply.Private, reply.Refusal)
		}
	}
	public := func(t *testing.T, reply bot.Reply, want bool) {
		t.Helper()
		if is := !reply.Private && reply.Kind == bot.Post; is != want {
			t.Errorf("public %t, want %t", is, want)
		}
	}
	t.Run("five posts of any kinds are the most, for a minute", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			public(t, d.run(alice, "ai", "first=me"), true)
			d.resign(alice)
			public(t, d.press(alice, "Play again"), true)
			d.resign(alice)
			old := d.board
			public(t, d.run(alice, "profile"), true)
			public(t, d.run(alice, "leaderboard"), true)
			public(t, d.challenge(), true)
			public(t, d.press(alice, "Withdraw"), false)
			refused(t, d.challenge())
			refused(t, d.run(alice, "ai"))
			refused(t, d.clickOn(alice, old, "computer:easy"))
			refused(t, d.clickOn(alice, old, d.button(old.components, "Play again")))
			public(t, d.run(alice, "leaderboard"), false)
			public(t, d.run(alice, "profile"), false)
			public(t, d.run(bob, "leaderboard"), true)
			d.advance(match.PostTime)
			public(t, d.run(alice, "ai"), true)
		})
	})
	t.Run("a private chat with the bot has no limit", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			d.place = inBotDM
			for range match.MaxPosts + 1 {
				public(t, d.run(alice, "ai", "first=me"), true)
				d.resignUnseen(d.id(), 0)
			}
		})
	})
	t.Run("a match is shared, and a board shown elsewhere, five times in all; a button that is pressed twice counts once", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			d.run(bob, "ai", "first=me")
			shows := "show:" + string(d.id())
			d.won()
			post := "post:" + string(d.id()) + ":text"
			shares := func(id int) bot.Reply {
				buttons := []discordgo.MessageComponent{discordgo.Button{CustomID: post}}
				return d.clickOn(carol, &message{id: fmt.Sprint(id), private: true, components: buttons}, post)
			}
			for i := range match.MaxPosts {
				public(t, shares(9100+i), true)
				public(t, shares(9100+i), false)
			}
			refused(t, shares(9200))
			list := &message{id: "9300", private: true, components: []discordgo.MessageComponent{discordgo.Button{CustomID: shows}}}
			for range match.MaxPosts - 1 {
				public(t, d.clickOn(bob, list, shows), true)
			}
			refused(t, d.clickOn(bob, list, shows))
		})
	})
	t.Run("what is refused for another reason does not count", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			for range match.MaxPosts {
				d.run(alice, "challenge", "opponent="+alice)
				d.run(alice, "games")
			}
			d.flooded()
		})
	})
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
		ids, shown := d.ended(1)
		d.discord.limiting(func(request string) error {
			if strings.Contains(request, " by ") {
				return messages.ErrGone
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
		d.asked("edit " + channel + "/" + shown[0])
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
				ids, shown := d.ended(1)
				d.run(alice, "ai", "first=me")
				open := d.id()
				d.flush()
				d.advance(messages.TokenLife)
				d.giveBack()
				d.poke(ids[0])
				d.poke(open)
				when(d, func() { d.press(alice, "b2") })
				later(time.Minute)
				d.asked("edit " + channel + "/" + shown[0])
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
