package commands_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/match"
)

func TestNothingIsDrawnThatIsShownAlready(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.work()
		d.started()
		d.play("b2 a1", alice, bob)
		later(time.Minute)
		d.asked()
		if got := d.shown(match.ID(d.id())); got.Shown != 5 || got.Message != d.board.id {
			t.Errorf("%+v", got)
		}
	})
}

func TestStoppingRecordsTheLastReceipts(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		stop := d.work()
		d.started()
		synctest.Wait()
		stop()
		if b := d.shown(match.ID(d.id())); b.Shown != 3 || b.Message == "" {
			t.Errorf("%+v", b)
		}
	})
}

func TestTheLinksOfTheListAreThere(t *testing.T) {
	d := newDesk(t)
	d.run(alice, "ai", "first=me") // its receipt is not written yet
	if said := text(d.run(alice, "games").Components); !strings.Contains(said, "/"+d.board.id+")") {
		t.Error(said)
	}
}
