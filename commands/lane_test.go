package commands_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot"
	"tictactoe/internal/boards"
	"tictactoe/internal/match"
)

// clicked has somebody click on the board, whose lane the click holds, as with the dispatcher, for that time between the commit
// of what it does and the end of its reply.
func (d *desk) clicked(by, square string, takes time.Duration) {
	d.t.Helper()
	message := d.board.id
	in := d.clicking(by, d.board, d.button(d.board.components, square))
	go d.lanes.Edit(d.t.Context(), message, func() error {
		reply, err := d.commands.Handle(d.t.Context(), in)
		if err != nil {
			d.t.Error(err)
		}
		time.Sleep(takes)
		d.deliver(in, reply)
		return nil
	})
	synctest.Wait()
}

func TestABoardIsLeftToTheClickThatHasItsLane(t *testing.T) {
	for name, tt := range map[string]struct {
		lost  error
		takes time.Duration
		drawn bool
	}{
		"whose reply arrives":             {nil, 2 * time.Second, false},
		"whose reply does not arrive":     {errors.New("HTTP 502"), 2 * time.Second, true},
		"whose reply takes very long":     {nil, 20 * time.Second, false},
		"whose reply is lost only lately": {errors.New("HTTP 502"), 20 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.started()
				d.flush()
				id, message := d.id(), d.board.id
				d.work()
				d.undelivered = tt.lost
				d.clicked(alice, "b2", tt.takes)
				d.poke(id)
				later(tt.takes - time.Millisecond)
				d.asked()
				later(2 * boards.RetryPause)
				if tt.drawn {
					d.asked("edit " + channel + "/" + message)
				} else {
					d.asked()
				}
				if d.behind() != nil || strings.Contains(d.discord.log.String(), "left to its next click") {
					t.Error(d.behind(), d.discord.log.String())
				}
			})
		})
	}
}

func TestAClickWaitsForTheEditOfItsBoard(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.started()
		d.flush()
		id, message := d.id(), d.board.id
		began, ended := make(chan struct{}), false
		d.discord.during = func(string) {
			d.discord.during = nil
			close(began)
			time.Sleep(300 * time.Millisecond)
			ended = true
		}
		d.giveBack()
		d.poke(id)
		d.work()
		<-began
		at := time.Now()
		err := d.lanes.Edit(t.Context(), message, func() error {
			if !ended || time.Since(at) != 300*time.Millisecond {
				t.Errorf("it began after %v, while the edit was under way", time.Since(at))
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// TestBoardsOfSeveralChannelsAreDrawnAtOnce: one slow answer of Discord keeps only its own channel waiting.
func TestBoardsOfSeveralChannelsAreDrawnAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		var all []match.ID
		for _, in := range []string{"5001", "5002", "5003", "5004"} {
			d.place = inServer
			d.place.channel = in
			ids, _ := d.ended(3)
			all = append(all, ids...)
		}
		d.now = d.now.Add(time.Hour)
		d.discord.take()
		d.discord.during = func(string) { time.Sleep(2 * time.Second) }
		for _, id := range all {
			d.poke(id)
		}
		at := time.Now()
		d.commands.Redraw.Flush(t.Context())
		if took := time.Since(at); took != 6*time.Second {
			t.Errorf("3 boards in each of 4 channels at 2 s each took %v, want 6s", took)
		}
		if n := len(d.discord.take()); n != 12 {
			t.Errorf("%d edits", n)
		}
	})
}

// TestAReplyInANewMessageIsWaitedFor: until it lands nobody knows where the board is.
func TestAReplyInANewMessageIsWaitedFor(t *testing.T) {
	for name, tt := range map[string]struct {
		after time.Duration // until the receipt comes
		lost  error
		want  []string
	}{
		"and is not posted twice":                      {2 * time.Second, nil, nil},
		"and the board is looked for if it is lost":    {2 * time.Second, bot.ErrLate, []string{"original of token-of-6001", "edit " + channel + "/86001"}},
		"and the board is looked for if nothing comes": {time.Hour, nil, []string{"original of token-of-6001", "edit " + channel + "/86001"}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				in := d.typed(alice, "ai", "first=me")
				reply, err := d.commands.Handle(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				open := d.openMatches()
				d.poke(open[0].ID)
				d.work()
				later(min(tt.after, time.Minute))
				if tt.after < time.Minute {
					d.asked()
					d.undelivered = tt.lost
					d.deliver(in, reply)
				}
				later(time.Minute)
				d.asked(tt.want...)
			})
		})
	}
}
