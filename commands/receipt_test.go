package commands_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/boards/messages"
)

func TestNoUpToDateBoardIsDrawn(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.work()
		d.started()
		d.play("b2 a1", alice, bob)
		later(time.Minute)
		d.asked()
		if got := d.shown(d.id()); got.Shown != 5 || got.Message != d.board.id {
			t.Errorf("%+v", got)
		}
	})
}

// The receipt of the challenge may come after the other player has seen the message, accepted, and been answered.
func TestTheReceiptOfANewMessageDoesNotReplaceLaterReceipts(t *testing.T) {
	for name, recorded := range map[string]bool{"which is not recorded yet": false, "which is recorded": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				in := d.typed(alice, "challenge", "opponent="+bob)
				reply, err := d.commands.Handle(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				late := reply.Sent
				reply.Sent = nil
				d.deliver(in, reply)
				d.work()
				d.press(bob, "Accept")
				if recorded {
					later(time.Minute)
				}
				late(messages.Receipt{Channel: channel, Message: d.board.id})
				later(time.Minute)
				d.asked()
				if b := d.shown(d.id()); b.Shown != 3 || d.behind() != nil {
					t.Errorf("%+v, behind: %q", b, d.behind())
				}
			})
		})
	}
}

func TestStoppingRecordsTheLastReceipts(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		stop := d.work()
		d.started()
		synctest.Wait()
		stop()
		if b := d.shown(d.id()); b.Shown != 3 || b.Message == "" {
			t.Errorf("%+v", b)
		}
	})
}

func TestTheListLinksToNewBoards(t *testing.T) {
	d := newDesk(t)
	d.run(alice, "ai", "first=me") // the receipt of this reply is not saved yet
	if said := text(d.run(alice, "games").Components); !strings.Contains(said, "/"+d.board.id+")") {
		t.Error(said)
	}
}
