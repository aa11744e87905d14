package boards_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/boards"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

// closed starts a match in a channel and then closes the channel to the bot. The returned function changes the match and returns
// how often the bot tries to draw it.
func closed(d *desk) (change func() int) {
	d.started(time.Hour)
	d.flush()
	d.discord.fail = func(string) error { return messages.ErrForbidden }
	ply := 0
	return func() int {
		d.t.Helper()
		by := []match.User{alice, bob}[ply%2]
		d.now = d.match.Deadline.Add(-time.Second)
		request := match.Request{ID: "x", By: by, At: d.now}
		m, err := d.referee.Play(d.t.Context(), request, d.match.ID, ply, []string{"a1", "a2", "b1", "b2"}[ply])
		if err != nil {
			d.t.Fatal(err)
		}
		d.match = m
		ply++
		d.poke()
		return len(slices.DeleteFunc(d.flush(), func(request string) bool { return request != d.edit() }))
	}
}

func TestARefusedBoard(t *testing.T) {
	t.Run("is given up after a few tries, also by other processes", func(t *testing.T) {
		d := newDesk(t)
		change, tries := closed(d), 0
		for range board.MaxRefused + 1 {
			tries += change()
		}
		if tries != board.MaxRefused || !d.shown().GivenUp() {
			t.Errorf("%d tries, %+v", tries, d.shown())
		}
		d.redraw = d.another()
		d.poke()
		d.flushes()
		if got := d.discord.log.String(); !strings.Contains(got, "Discord has refused it too often") {
			t.Error(got)
		}
	})
	t.Run("is drawn again when something changes in its server", func(t *testing.T) {
		d := newDesk(t)
		change := closed(d)
		for range board.MaxRefused {
			change()
		}
		d.discord.fail = nil
		for _, news := range []boards.Guilds{{Changed: []string{"another"}}, {Present: []string{home}}} { // neither opens the channel: a change in another server, and a server list that names this server
			if err := d.redraw.Guilds(t.Context(), match.Partition{}, news); err != nil {
				t.Fatal(err)
			}
			d.poke()
			d.flushes()
		}
		if err := d.redraw.Guilds(t.Context(), match.Partition{}, boards.Guilds{Changed: []string{home}}); err != nil {
			t.Fatal(err)
		}
		d.poke()
		d.flushes(d.edit())
	})
	t.Run("is drawn again after a click on it", func(t *testing.T) {
		d := newDesk(t)
		change := closed(d)
		for range board.MaxRefused {
			change()
		}
		d.plays(bob, 3, "b2")
		if b := d.shown(); b.Refused != 0 {
			t.Errorf("%+v", b)
		}
	})
	t.Run("because the bot left its server is not tried until the bot is back", func(t *testing.T) {
		d := newDesk(t)
		change := closed(d)
		if err := d.redraw.Guilds(t.Context(), match.Partition{}, boards.Guilds{Gone: []string{home}}); err != nil {
			t.Fatal(err)
		}
		if n := change(); n > 0 {
			t.Errorf("%d tries", n)
		}
		d.discord.fail = nil
		if err := d.redraw.Guilds(t.Context(), match.Partition{}, boards.Guilds{Present: []string{home}}); err != nil {
			t.Fatal(err)
		}
		d.poke()
		d.flushes(d.edit(), "delete general/post-1", d.calls(bob))
	})
}

func TestABoardWaitsAsLongAsDiscordSays(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.movedUnseen()
		d.now = d.now.Add(messages.TokenLife)
		d.discord.fail = only("edit", rateLimited(time.Hour))
		d.work()
		later(59 * time.Minute)
		d.asked(d.edit())
		d.discord.fail = nil
		later(2 * time.Minute)
		d.asked(d.edit(), "delete general/post-1")
		if got := d.discord.log.String(); got != "" {
			t.Error(got)
		}
	})
}

func TestAFailedBoardIsTriedAgainAfterAPause(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.movedUnseen()
		d.discord.fail = only("edit", errors.New("HTTP 502"))
		d.work()
		later(boards.CollectTime)
		d.asked(d.edit())
		d.discord.fail = nil
		later(boards.RetryPause - time.Millisecond)
		d.asked()
		later(time.Millisecond)
		d.asked(d.edit(), "delete general/post-1")
	})
}

// TestABoardWithAPartNotKnownYet tests boards with a link to a rematch or with ratings, where the link or the ratings become
// known only later.
func TestABoardWithAPartNotKnownYet(t *testing.T) {
	start := func(d *desk) {
		d.started(time.Minute)
		d.flush()
		d.part = true
		d.expire()
		d.poke()
	}
	t.Run("is drawn, and drawn again when the part is known", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			start(d)
			d.work()
			later(time.Minute)
			d.asked(d.edit(), "delete general/post-1")
			d.says(d.board(), "in part")
			d.part = false
			later(30 * time.Second)
			d.asked(d.edit())
			later(time.Hour)
			d.asked()
			if d.behind() != nil {
				t.Error(d.behind())
			}
		})
	})
	t.Run("stays behind for the next process", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			start(d)
			stop := d.work()
			later(time.Minute)
			stop()
			d.discord.take()
			d.part = false
			d.redraw = d.another()
			d.work()
			d.redraw.CatchUp(match.Partition{})
			later(time.Minute)
			d.asked(d.edit())
		})
	})
	t.Run("does not hold up a flush", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			start(d)
			began := time.Now()
			d.flush()
			if took := time.Since(began); took != 0 {
				t.Error(took)
			}
		})
	})
}
