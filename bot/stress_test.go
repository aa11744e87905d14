package bot_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/internal/longtest"
)

// patience is how long Discord waits for the first response.
const patience = 3 * time.Second

// crowd is many users, each with a board of their own. It records how long each click waited for its answer.
type crowd struct {
	f  *fake
	mu sync.Mutex

	clicked map[string]time.Time
	waited  map[string]time.Duration // the time until the first callback was answered, by interaction id
	kinds   map[int]int              // the number of first callbacks, by type
	inside  int                      // the number of calls of the API that are running
	most    int
}

// slowCrowd makes each call of the API take the given time, and records the answers.
func slowCrowd(f *fake, each time.Duration) *crowd {
	c := &crowd{f: f, clicked: map[string]time.Time{}, waited: map[string]time.Duration{}, kinds: map[int]int{}}
	f.respond = func(q call) (int, string) {
		c.mu.Lock()
		c.inside++
		c.most = max(c.most, c.inside)
		c.mu.Unlock()
		if q.callback() || strings.HasPrefix(q.Path, "/webhooks/") {
			time.Sleep(each)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.inside--
		if !q.callback() {
			return 0, ""
		}
		id := strings.Split(q.Path, "/")[2]
		if _, answered := c.waited[id]; !answered {
			c.waited[id] = time.Since(c.clicked[id])
			c.kinds[q.kind()]++
		}
		return 0, ""
	}
	return c
}

func (c *crowd) click(id, message, customID string) {
	c.mu.Lock()
	c.clicked[id] = time.Now()
	c.mu.Unlock()
	c.f.gateway().click(id, message, customID)
}

// want fails if any user waited for longer than Discord allows.
func (c *crowd) want(t *testing.T, people int) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waited) != people {
		t.Errorf("%d of %d were answered", len(c.waited), people)
	}
	late, longest := 0, time.Duration(0)
	for _, d := range c.waited {
		longest = max(longest, d)
		if d > patience {
			late++
		}
	}
	if late > 0 {
		t.Errorf("%d waited for longer than %v, up to %v; kinds of callbacks: %v", late, patience, longest, c.kinds)
	}
}

func TestAnswersUnderStress(t *testing.T) {
	inBubble(t, "with 2 s for each call everybody is answered in time, and boards do not wait for each other", func(t *testing.T, f *fake) {
		c := slowCrowd(f, 2*time.Second)
		f.run(func(b *config) { b.Router.Component("play", after(10*time.Millisecond, redraw("board"), nil)) })
		const people = 2000
		for i := range people {
			c.click(fmt.Sprint(i), fmt.Sprint("m", i), "play")
			passed(10 * time.Millisecond)
		}
		passed(time.Minute)
		c.want(t, people)
		if diff := cmp.Diff(map[int]int{7: people}, c.kinds); diff != "" {
			t.Errorf("callbacks: %s", diff)
		}
	})

	inBubble(t, "with 2 s for each call impatient clicks on one board are answered in time", func(t *testing.T, f *fake) {
		c := slowCrowd(f, 2*time.Second)
		f.run(func(b *config) { b.Router.Component("play", after(10*time.Millisecond, redraw("board"), nil)) })
		for i := range 12 {
			c.click(fmt.Sprint(i), "m", "play")
			passed(350 * time.Millisecond)
		}
		passed(time.Minute)
		c.want(t, 12)
	})

	inBubble(t, "with the database blocked for 10 s every click is acknowledged in time and gets its reply soon after", func(t *testing.T, f *fake) {
		c := slowCrowd(f, 20*time.Millisecond)
		released := make(chan struct{})
		f.run(func(b *config) {
			b.Router.Component("play", func(ctx context.Context, _ *bot.Interaction) (bot.Reply, error) {
				select {
				case <-released:
					return redraw("board"), nil
				case <-ctx.Done():
					return bot.Reply{}, ctx.Err()
				}
			})
		})
		time.AfterFunc(10*time.Second, func() { close(released) })
		const people = 1000
		for i := range people {
			c.click(fmt.Sprint(i), fmt.Sprint("m", i), "play")
			passed(15 * time.Millisecond)
		}
		passed(5 * time.Second)
		c.want(t, people)
		settled := len(f.made(func(q call) bool { return strings.HasPrefix(q.Path, "/webhooks/") })) + c.kinds[4] + c.kinds[7]
		if settled != people {
			t.Errorf("%d of %d users got their reply within 5 s of the last click; callbacks: %v", settled, people, c.kinds)
		}
	})

	inBubble(t, "an interaction whose turn comes too late is answered before", func(t *testing.T, f *fake) {
		c := slowCrowd(f, 0)
		f.run(func(b *config) {
			b.Limits.Room(1, 0)
			b.Router.Component("play", func(ctx context.Context, _ *bot.Interaction) (bot.Reply, error) {
				<-ctx.Done()
				return bot.Reply{}, ctx.Err()
			})
		})
		for i := range 40 {
			c.click(fmt.Sprint(i), fmt.Sprint("m", i), "play")
		}
		passed(17 * time.Second)
		c.want(t, 40)
		if got := f.made(func(q call) bool { return q.Method == http.MethodPost && strings.HasPrefix(q.Path, "/webhooks/") }); len(got) != 40 {
			t.Errorf("%d of 40 were told after 17 s", len(got))
		}
	})

	inBubble(t, "under ten times the possible load every user is answered in time, within bounds", func(t *testing.T, f *fake) {
		c := slowCrowd(f, 5*time.Millisecond)
		const each = 50 * time.Millisecond // with 32 workers, the bot handles 640 a second
		f.run(func(b *config) { b.Router.Component("play", after(each, redraw("board"), nil)) })
		const people = 6_400
		for i := range people {
			c.click(fmt.Sprint(i), fmt.Sprint("m", i), "play")
			if i%64 == 63 {
				passed(10 * time.Millisecond)
			}
		}
		passed(time.Minute)
		c.want(t, people)
		if served := c.kinds[7]; served < 1100 {
			t.Errorf("%d interactions were handled, which is less than possible: %v", served, c.kinds)
		}
		if c.most > 512+512 {
			t.Errorf("%d calls ran at once", c.most)
		}
	})

	inBubble(t, "one board with hanging requests does not slow down other boards", func(t *testing.T, f *fake) {
		c := slowCrowd(f, 0)
		quick := f.respond
		f.respond = func(q call) (int, string) {
			if strings.HasPrefix(q.Path, "/interactions/slow") {
				time.Sleep(2 * time.Second)
			}
			return quick(q)
		}
		f.run(func(b *config) {
			b.Limits.Room(2, 0)
			b.Router.Component("play", after(time.Millisecond, redraw("board"), nil))
		})
		for i := range 20 {
			f.gateway().click(fmt.Sprint("slow", i), "slow", "play")
		}
		synctest.Wait()
		for i := range 100 {
			c.click(fmt.Sprint(i), fmt.Sprint("m", i), "play")
			passed(20 * time.Millisecond)
		}
		passed(time.Minute)
		for id, waited := range c.waited {
			if !strings.HasPrefix(id, "slow") && waited > 5*time.Millisecond {
				t.Errorf("%s waited for %v", id, waited)
			}
		}
	})
}

// heap returns the bytes of live objects on the heap.
func heap() uint64 {
	goruntime.GC()
	goruntime.GC()
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestMemoryInAFlood(t *testing.T) {
	longtest.Only(t)
	inBubble(t, "dropped interactions take no memory", func(t *testing.T, f *fake) {
		f.forget = true
		stuck := make(chan struct{})
		f.respond = func(q call) (int, string) {
			if q.callback() {
				<-stuck
			}
			return 0, ""
		}
		dropped := 0
		f.run(func(c *config) {
			c.Telemetry.Logger = slog.New(slog.DiscardHandler)
			c.Telemetry.Report = func(r bot.Report) {
				if r.Outcome == bot.Dropped {
					dropped++ // needs no lock, because Report is called on the read loop for dropped interactions
				}
			}
			c.Router.Component("play", after(0, redraw("board"), nil))
		})
		n := 0
		flood := func(many int) uint64 {
			for range many {
				n++
				f.gateway().click(fmt.Sprint(n), fmt.Sprint("m", n), "play")
			}
			synctest.Wait()
			return heap()
		}
		const many = 20_000 // more than the bot remembers in order to recognise repeated deliveries
		before := flood(many)
		after := flood(many)
		if grown := float64(after) - float64(before); grown > 1<<20 {
			t.Errorf("another %d interactions took %.0f KiB", many, grown/1024)
		}
		if dropped < 2*many-2*1024 {
			t.Errorf("%d interactions were dropped, so some were handled", dropped)
		}
		close(stuck)
		passed(time.Minute)
	})
}

var footprint = flag.Int("footprint", 16_384, "the number of interactions after which TestFootprint measures memory, a multiple of 64")

// TestFootprint measures the memory that finished interactions leave behind. (discordgo's own REST client keeps 450 bytes for each.)
func TestFootprint(t *testing.T) {
	longtest.Only(t)
	inBubble(t, "each click leaves less than 16 bytes in memory, and few connections are opened", func(t *testing.T, f *fake) {
		f.forget = true
		var slow atomic.Bool // while it is true, simultaneous requests all open their connections, so that none has to be opened later
		f.respond = func(call) (int, string) {
			if slow.Load() {
				time.Sleep(time.Millisecond)
			}
			return 0, ""
		}
		var mu sync.Mutex
		dialled := 0
		f.run(func(c *config) {
			c.Telemetry.Logger = slog.New(slog.DiscardHandler)
			c.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				mu.Lock()
				dialled++
				mu.Unlock()
				return f.listener.dial(ctx, network, addr)
			}
			c.Router.Component("play", after(0, redraw("board"), nil))
		})
		n := 0
		click := func(many int) uint64 {
			for range many / 64 {
				for range 64 {
					n++
					f.gateway().click(fmt.Sprint(n), fmt.Sprint("m", n), "play")
				}
				passed(time.Millisecond)
			}
			passed(time.Second)
			return heap()
		}
		slow.Store(true)
		before := click(16_384) // fills the record of handled ids before both measurements
		slow.Store(false)
		connections := dialled
		after := click(*footprint)
		kept, more := (float64(after)-float64(before))/float64(*footprint), dialled-connections
		if kept > 16 {
			t.Errorf("%.1f bytes are kept of each", kept)
		}
		if more > *footprint/1000 {
			t.Errorf("%d connections for %d answers", more, *footprint)
		}
		t.Logf("%.3f bytes are kept of each, %d new connections", kept, more)
	})
}
