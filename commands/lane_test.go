package commands_test

import (
	"testing"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/internal/match"
)

// TestBoardsOfSeveralChannelsAreDrawnAtOnce tests that a slow response of Discord delays only boards of the same channel.
func TestBoardsOfSeveralChannelsAreDrawnAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		var all []match.ID
		for _, in := range []string{"5001", "5002", "5003", "5004"} {
			d.place = inServer
			d.place.channel = in
			ids, _ := d.ended(3)
			all = append(all, ids...)
		}
		d.advance(time.Hour)
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

// TestARedrawWaitsForAReplyInANewMessage tests that a board is not drawn before the reply that shows it has arrived, because until
// then its message is unknown.
func TestARedrawWaitsForAReplyInANewMessage(t *testing.T) {
	for name, tt := range map[string]struct {
		after time.Duration // the time until the receipt comes
		lost  error
		want  []string
	}{
		"the board is not posted twice":             {2 * time.Second, nil, nil},
		"a lost reply is searched for":              {2 * time.Second, rest.ErrLate, []string{"original of token-of-6001", "edit " + channel + "/86001"}},
		"a reply without an answer is searched for": {time.Hour, nil, []string{"original of token-of-6001", "edit " + channel + "/86001"}},
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
