package commands_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/internal/boards"
	"tictactoe/internal/boards/messages"
)

// TestAnEditOfAMovedBoard tests a board that a player moves while an edit of it waits to be sent.
func TestAnEditOfAMovedBoard(t *testing.T) {
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

// TestALateReplyOverANewerBoard tests a slow callback that has overwritten a newer board of another process with an older one. A
// failed attempt to draw the board again must not forget that.
func TestALateReplyOverANewerBoard(t *testing.T) {
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
			stale(messages.Receipt{Message: message, Channel: channel})
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

// TestTheLastReceiptOfAProcess tests a stopping process that has overwritten a newer board of the next process with an older one.
func TestTheLastReceiptOfAProcess(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
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
		stop := d.work() // started after the last write of d.now(), which the redrawer reads
		stale(messages.Receipt{Message: message, Channel: channel})
		stop()
		d.asked("edit " + channel + "/" + message)
	})
}
