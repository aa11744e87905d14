package commands_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/commands"
	"tictactoe/internal/match"
)

func TestABoardIsLeftToTheReplyThatIsUnderWay(t *testing.T) {
	clicked := func(d *desk) (*bot.Interaction, bot.Reply) {
		d.started()
		d.flush()
		in := d.interaction(alice, discordgo.InteractionMessageComponent,
			discordgo.MessageComponentInteractionData{CustomID: d.button(d.board.components, "b2")})
		in.Message = d.board.received(d)
		reply, err := d.commands.Handle(d.t.Context(), in)
		if err != nil {
			d.t.Fatal(err)
		}
		d.commands.Redraw.Poke(match.ID(d.id())) // as the receipt of the reply before does
		return in, reply
	}
	for name, lost := range map[string]error{"which arrives": nil, "which does not": errors.New("HTTP 502")} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				in, reply := clicked(d)
				d.work()
				later(2 * time.Second)
				d.asked()
				old := d.board.id
				d.undelivered = lost
				d.deliver(in, reply)
				later(time.Second)
				if lost == nil {
					d.asked()
				} else {
					d.asked("edit " + channel + "/" + old)
				}
				if d.behind() != nil {
					t.Error(d.behind())
				}
			})
		})
	}
	t.Run("but not for ever", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			clicked(d)
			d.work()
			later(29 * time.Second)
			d.asked()
			later(2 * time.Second)
			d.asked("edit " + channel + "/" + d.board.id)
		})
	})
	t.Run("unless something newer happens", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			clicked(d)
			d.work()
			d.expire(match.ID(d.id()))
			d.commands.Redraw.Poke(match.ID(d.id()))
			later(2 * time.Second)
			d.asked("edit " + channel + "/" + d.board.id)
		})
	})
}

func TestABoardIsLeftToTheClickThatIsHandled(t *testing.T) {
	d := newDesk(t)
	d.started()
	d.flush()
	d.commands.Referee.Saved = func(time.Time, error) { // the move is made, its reply is not
		d.commands.Redraw.Poke(match.ID(d.id()))
		if asked := d.flush(); asked != nil {
			t.Errorf("asked for %q", asked)
		}
	}
	d.press(alice, "b2")
	d.commands.Referee.Saved = nil
	if asked := d.flush(); asked != nil || d.behind() != nil {
		t.Errorf("asked for %q, behind: %q", asked, d.behind())
	}
}

func TestABoardIsDrawnOnceNoClickOnItIsHandled(t *testing.T) {
	for name, newer := range map[string]bool{"that shows nothing": false, "that shows what is newer": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.started()
				d.flush()
				id := match.ID(d.id())
				one, two := d.commands.Redraw.Handling(id), d.commands.Redraw.Handling(id)
				d.work()
				d.expire(id)
				d.commands.Redraw.Poke(id)
				later(time.Second)
				one()
				later(time.Second)
				d.asked()
				if newer {
					delivered := d.commands.Redraw.Delivered(id, 4, bot.Update)
					two()
					later(time.Second)
					d.asked()
					delivered(bot.Receipt{Channel: channel, Message: d.board.id})
				} else {
					two()
				}
				later(time.Second)
				if newer {
					d.asked()
				} else {
					d.asked("edit " + channel + "/" + d.board.id)
				}
			})
		})
	}
}

// clickedUnder is a store in which a click is answered as soon as a match is to be read.
type clickedUnder struct {
	match.Store
	click func()
}

func (c *clickedUnder) Match(ctx context.Context, id match.ID) (match.Match, error) {
	if click := c.click; click != nil {
		c.click = nil
		click()
	}
	return c.Store.Match(ctx, id)
}

func TestAReplyThatArrivesWhileABoardIsLookedAtIsSeen(t *testing.T) {
	d := newDesk(t)
	matches := &clickedUnder{Store: d.store}
	sources := d.commands.Redraw.Sources
	sources.Matches = matches
	d.commands.Redraw = commands.NewRedrawer(sources)
	d.started()
	d.flush()
	d.commands.Redraw.Poke(match.ID(d.id()))
	matches.click = func() { d.press(alice, "b2") }
	if asked := d.flush(); asked != nil || d.behind() != nil || matches.click != nil {
		t.Errorf("asked for %q, behind: %q", asked, d.behind())
	}
}

func TestAReplyWaitsForTheEditOfItsBoard(t *testing.T) {
	for name, tt := range map[string]struct {
		other        bool // the click is on another board
		takes, waits time.Duration
	}{
		"until it has landed":            {false, 300 * time.Millisecond, 300 * time.Millisecond},
		"not for longer than a moment":   {false, 4 * time.Second, commands.LandTime},
		"and for that of no other board": {true, 300 * time.Millisecond, 0},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.started()
				other := d.board
				d.started()
				d.flush()
				first := d.button(d.board.components, "b2")
				d.undelivered = errors.New("no connection")
				d.click(alice, first)
				by, square := bob, strings.Replace(first, ":0:b2", ":1:a1", 1)
				if tt.other {
					d.board = other
					by, square = alice, d.button(other.components, "b2")
				}
				began := make(chan struct{})
				d.discord.during = func(string) {
					d.discord.during = nil
					close(began)
					time.Sleep(tt.takes)
				}
				d.work()
				<-began
				at := time.Now()
				d.click(by, square)
				if waited := time.Since(at); waited != tt.waits {
					t.Errorf("waited for %v", waited)
				}
				later(10 * time.Second)
				if d.behind() != nil {
					t.Error(d.behind())
				}
			})
		})
	}
}
