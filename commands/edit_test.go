package commands_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/boards"
	"tictactoe/internal/match"
)

func TestAClickDuringARedrawWins(t *testing.T) {
	d := newDesk(t)
	d.started()
	id := d.id()
	d.flush()
	// A move that Discord was never told of, and while it is drawn, another by a click.
	first := d.button(d.board.components, "b2")
	d.undelivered = errors.New("no connection")
	d.click(alice, first)
	second := strings.Replace(first, ":0:b2", ":1:a1", 1)
	clicked := false
	d.discord.during = func(string) {
		if !clicked {
			clicked = true
			d.click(bob, second)
		}
	}
	got := d.flush()
	if want := []string{d.edit(), d.edit()}; !cmp.Equal(got, want) {
		t.Errorf("asked for %q", got)
	}
	d.says(d.board.id, "O../.X./...")
	if d.shown(id).Shown != 5 {
		t.Errorf("%+v", d.shown(id))
	}
}

func TestAnEditShowsWhatIsNewestWhenItIsSent(t *testing.T) {
	d := newDesk(t)
	d.started()
	d.flush()
	first := d.button(d.board.components, "b2")
	d.undelivered = errors.New("no connection")
	d.click(alice, first)
	d.discord.waiting = func() { // for a rate limit
		d.discord.waiting = nil
		d.click(bob, strings.Replace(first, ":0:b2", ":1:a1", 1))
	}
	d.flushes(d.edit())
	d.says(d.board.id, "O../.X./...")
}

// TestAKillAfterAnOldEditLandedOnANewerBoard: a click has redrawn the board while an edit of it was under way, and its
// receipt is written before that edit lands; then the process that edits is killed.
func TestAKillAfterAnOldEditLandedOnANewerBoard(t *testing.T) {
	for name, beside := range map[string]bool{"by the process that answers the click": false, "by another": true} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.started()
			d.flush()
			first := d.button(d.board.components, "b2")
			d.undelivered = errors.New("no connection")
			d.click(alice, first)
			killed, kill := context.WithCancel(t.Context())
			editing := d.commands.Redraw
			d.discord.during = func(string) {
				d.discord.during = nil
				if beside {
					d.commands.Redraw = d.another()
				}
				d.click(bob, strings.Replace(first, ":0:b2", ":1:a1", 1))
				if err := d.commands.Redraw.SaveReceipts(t.Context()); err != nil {
					t.Error(err)
				}
				kill()
			}
			editing.Flush(killed)
			id := d.id()
			if says := d.discord.says(d.board.id); !strings.Contains(says, ".../.X./...") || d.shown(id).Shown != 5 {
				t.Fatalf("the old edit did not land on top: %s, %+v", says, d.shown(id))
			}
			if got := d.behind(); !slices.Contains(got, id) {
				t.Error("nobody knows that the board is old")
			}
			d.commands.Redraw = d.another()
			d.poke(id)
			d.flush()
			if says := d.discord.says(d.board.id); !strings.Contains(says, "O../.X./...") || d.behind() != nil {
				t.Error(says, d.behind())
			}
		})
	}
}

// TestTwoProcessesDrawOneBoard: the older edit lands last.
func TestTwoProcessesDrawOneBoard(t *testing.T) {
	d := newDesk(t)
	d.started()
	d.flush()
	first := d.button(d.board.components, "b2")
	d.undelivered = errors.New("no connection")
	d.click(alice, first)
	slow := d.commands.Redraw
	d.discord.during = func(string) {
		d.discord.during = nil
		d.commands.Redraw = d.another()
		d.click(bob, strings.Replace(first, ":0:b2", ":1:a1", 1))
		d.commands.Redraw.Flush(t.Context())
	}
	slow.Flush(t.Context())
	if says := d.discord.says(d.board.id); !strings.Contains(says, "O../.X./...") || d.behind() != nil {
		t.Error(says, d.behind())
	}
}

// TestAReplyThatMayStillBeUnderWay: a board was drawn while the reply to the newest click had no receipt, and that reply
// showed less.
func TestAReplyThatMayStillBeUnderWay(t *testing.T) {
	start := func(t *testing.T, d *desk) match.ID {
		d.started()
		d.flush()
		ours := d.commands.Redraw
		d.commands.Redraw = d.another() // whose receipts nobody gets
		d.press(alice, "b2")
		d.commands.Redraw = ours
		id := d.id()
		d.resignUnseen(id, 1)
		d.poke(id)
		return id
	}
	t.Run("leaves the board behind, for whoever comes after a kill", func(t *testing.T) {
		d := newDesk(t)
		id := start(t, d)
		d.flush()
		if got := d.behind(); !slices.Contains(got, id) {
			t.Errorf("%+v", d.shown(id))
		}
		d.commands.Redraw = d.another()
		d.poke(id)
		if got := d.flush(); len(got) != 1 || d.behind() != nil {
			t.Errorf("asked for %q, %+v", got, d.shown(id))
		}
	})
	t.Run("is given time to land, and then the board is drawn once more", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			start(t, d)
			d.work()
			later(time.Hour)
			edit := d.edit()
			d.asked(edit, edit)
			if got := d.behind(); got != nil {
				t.Errorf("still behind: %q", got)
			}
		})
	})
	t.Run("is not thought of when the click was long ago", func(t *testing.T) {
		d := newDesk(t)
		start(t, d)
		d.now = d.now.Add(time.Minute)
		if got := d.flush(); len(got) != 1 || d.behind() != nil {
			t.Errorf("asked for %q, behind %q", got, d.behind())
		}
	})
}

// TestAnEditThatMovedAway: the board is asked for elsewhere while an edit waits to be sent.
func TestAnEditThatMovedAway(t *testing.T) {
	d := newDesk(t)
	d.run(alice, "ai", "first=me")
	old, id := d.board.id, d.id()
	d.flush()
	d.giveBack()
	d.discord.waiting = func() {
		d.discord.waiting = nil
		d.show(alice)
	}
	d.poke(id)
	d.flushes()
	d.flushes("edit " + channel + "/" + old)
	if says := d.discord.says(old); !strings.Contains(says, "/"+d.board.id+")") || d.behind() != nil {
		t.Error(says, d.behind())
	}
}

// TestAReplyThatLandsAfterANewerBoard: a slow callback has put an older board over the one that another process drew. What is
// known of it is not forgotten with a try that failed.
func TestAReplyThatLandsAfterANewerBoard(t *testing.T) {
	for name, limited := range map[string]bool{"which can be drawn": false, "which has to wait": true} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.started()
			id, message := d.id(), d.board.id
			d.flush()
			config := d.commands.Redraw.RedrawerConfig
			config.UnderWay = 20 * time.Second
			d.commands.Redraw = boards.NewRedrawer(config)
			stale := d.commands.Redraw.Delivered(id, 3, false, false)
			d.expire(id)
			other := d.another()
			other.Enqueue(id)
			other.Flush(t.Context())
			d.discord.take()
			if limited {
				d.discord.limiting(func(string) error { return rateLimited(time.Hour) })
			}
			stale(boards.Receipt{Message: message, Channel: channel})
			if limited {
				d.flush()
				d.discord.limiting(nil)
				d.poke(id)
			}
			d.flushes("edit " + channel + "/" + message)
			if d.shown(id).Shown != 4 {
				t.Errorf("%+v", d.shown(id))
			}
			d.poke(id)
			d.flushes()
		})
	}
}

// TestTheLastReceiptOfAProcess: a process that stops has put an older board over the one that the process after it drew.
func TestTheLastReceiptOfAProcess(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.started()
		id, message := d.id(), d.board.id
		d.flush()
		config := d.commands.Redraw.RedrawerConfig
		config.UnderWay = 20 * time.Second
		d.commands.Redraw = boards.NewRedrawer(config)
		stop := d.work()
		stale := d.commands.Redraw.Delivered(id, 3, false, false)
		d.expire(id)
		other := d.another()
		other.Enqueue(id)
		other.Flush(t.Context())
		d.discord.take()
		stale(boards.Receipt{Message: message, Channel: channel})
		stop()
		d.asked("edit " + channel + "/" + message)
	})
}
