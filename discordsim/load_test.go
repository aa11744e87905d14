package discordsim_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"tictactoe/discordsim"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	ping := func(ctx context.Context, u *discordsim.User, channel string, _ int) (discordsim.Result, error) {
		return u.Command(ctx, channel, "ping", nil)
	}
	t.Run("is as much as was asked for, and spread over people and channels", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			go func() {
				for i := range b.got {
					b.callback(i, sayPong)
				}
			}()
			report, err := b.Load(context.Background(), discordsim.Load{Users: 20, Channels: 5, PerSecond: 100, For: 3 * time.Second, Act: ping})
			if err != nil || report.Interactions != 300 || report.Statuses[discordsim.Answered] != 300 || report.Longest != 0 {
				t.Errorf("got %+v, %v", report, err)
			}
			if report.PerSecond < 99 || report.PerSecond > 101 {
				t.Errorf("%v a second", report.PerSecond)
			}
			for n := range 5 {
				messages, err := b.User("alice").Messages(fmt.Sprintf("load-%d", n+1))
				if err != nil || len(messages) != 60 {
					t.Errorf("channel %d has %d messages, %v", n, len(messages), err)
				}
			}
			if _, err := b.Load(context.Background(), discordsim.Load{Users: 20, Channels: 5, PerSecond: 100, For: time.Second, Act: ping}); err != nil {
				t.Error(err)
			}
			if _, text := b.overview(); strings.Count(text, `"name":"Load"`) != 1 {
				t.Errorf("after a second load there is %s", text)
			}
			close(b.got)
		})
	})
	t.Run("counts the wait of those whom the bot keeps waiting", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			go func() {
				for i := range b.got {
					time.Sleep(100 * time.Millisecond)
					b.callback(i, sayPong)
				}
			}()
			// Twenty interactions per second are due, but the bot answers only ten, one after another.
			report, err := b.Load(context.Background(), discordsim.Load{Users: 2, Channels: 1, PerSecond: 20, For: 2 * time.Second, Act: ping})
			if err != nil || report.Interactions != 40 || report.Longest < 1800*time.Millisecond || report.Median > report.Longest {
				t.Errorf("got %+v, %v", report, err)
			}
			close(b.got)
		})
	})
	t.Run("ends with what makes no sense", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			for name, l := range map[string]discordsim.Load{
				"an unknown command":  {Users: 1, Channels: 1, For: time.Second, Act: ping},
				"too many people":     {Users: 1 << 20, Act: ping},
				"a negative rate":     {Users: 1, PerSecond: -1, Act: ping},
				"a load without end":  {Users: 1, For: time.Hour, Act: ping},
				"a negative duration": {Users: 1, For: -1, Act: ping},
			} {
				if _, err := b.Load(context.Background(), l); err == nil {
					t.Errorf("%s: no error", name)
				}
			}
		})
	})
	t.Run("is put on from outside", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		w.openBot(pong(t))
		w.register(pingCommand)
		got := w.drive("load", `{"command":"ping","users":4,"channels":2,"per_second":40,"seconds":1}`)
		if got["interactions"] != 40.0 || got["statuses"].(map[string]any)["answered"] != 40.0 {
			t.Errorf("got %v", got)
		}
		if status, _, _ := w.raw("POST", "/sim/load", `{"users":4}`, ""); status != 400 {
			t.Errorf("no command got %d", status)
		}
	})
}

// overview calls GET /sim/state.
func (b *bubble) overview() (status int, text string) {
	b.t.Helper()
	res, err := b.http.Get("http://sim.test/sim/state")
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(read)
}
