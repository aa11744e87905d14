package commands_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

func TestALostReply(t *testing.T) {
	start := func(t *testing.T, p place) (*desk, match.ID, string) {
		d := newDesk(t)
		d.place, d.undelivered = p, rest.ErrLate
		d.board = nil
		d.run(alice, "ai", "first=me")
		open, err := d.store.OpenMatches(t.Context(), alice)
		if err != nil || len(open) != 1 {
			t.Fatal(ids(open), err)
		}
		return d, open[0].ID, fmt.Sprint("token-of-", d.last)
	}
	absent := only("original", fmt.Errorf("read: %w", messages.ErrGone))
	t.Run("is posted again where the bot is a member", func(t *testing.T) {
		d, id, token := start(t, inServer)
		d.discord.failing(absent)
		d.flushes("original of "+token, "latest in "+channel, "post to "+channel)
		if b := d.shown(id); b.Message != "7001" || b.Shown != 1 || !strings.Contains(d.discord.says("7001"), "to move") {
			t.Errorf("%+v", b)
		}
	})
	t.Run("is posted again when the token has expired", func(t *testing.T) {
		d, id, _ := start(t, inServer)
		d.advance(time.Hour)
		d.flushes("latest in "+channel, "post to "+channel)
		if b := d.shown(id); b.Message != "7001" {
			t.Errorf("%+v", b)
		}
	})
	t.Run("is not posted again if only the receipt was lost", func(t *testing.T) {
		for _, tt := range []struct {
			place place
			edit  func(message, token string) string
		}{
			{inServer, func(message, _ string) string { return "edit " + channel + "/" + message }},
			{asGuest, func(message, token string) string { return "edit " + message + " by " + token }},
		} {
			d, id, token := start(t, tt.place)
			message := fmt.Sprint("8", d.last)
			d.flushes("original of "+token, tt.edit(message, token))
			if b := d.shown(id); b.Message != message || b.Shown != 1 {
				t.Errorf("the message is still unknown: %+v", b)
			}
		}
	})
	t.Run("stays lost where the bot is not a member", func(t *testing.T) {
		d, id, token := start(t, asGuest)
		d.discord.failing(absent)
		d.flushes("original of " + token)
		if b := d.shown(id); b.Shown != 0 {
			t.Errorf("the board counts as shown: %+v", b)
		}
		d.advance(messages.TokenLife)
		d.poke(id)
		d.flushes()
	})
	t.Run("is tried again if Discord cannot be asked", func(t *testing.T) {
		d, id, token := start(t, inServer)
		d.discord.failing(func(string) error { return errors.New("HTTP 502") })
		d.flushes("original of " + token)
		if b := d.shown(id); b.Shown != 0 {
			t.Errorf("%+v", b)
		}
	})
	for name, other := range map[string]func(*messages.Sent){
		"does not draw over a private line":               func(o *messages.Sent) { o.Flags |= discordgo.MessageFlagsEphemeral },
		"does not draw over the message that was clicked": func(o *messages.Sent) { o.Carried = []string{"resign:77:0"} },
		"does not draw over what is about no match":       func(o *messages.Sent) { o.Carried = nil },
	} {
		t.Run(name, func(t *testing.T) {
			d, id, token := start(t, inServer)
			d.discord.original = other
			d.flushes("original of "+token, "latest in "+channel, "post to "+channel)
			if b := d.shown(id); b.Message != "7001" || b.Shown != 1 {
				t.Errorf("%+v", b)
			}
			d, id, token = start(t, asGuest)
			d.discord.original = other
			d.flushes("original of " + token)
			if b := d.shown(id); b.Message != "" || b.Shown != 0 {
				t.Errorf("%+v", b)
			}
		})
	}
	t.Run("notifies the opponent if it was a challenge", func(t *testing.T) {
		d := newDesk(t)
		d.undelivered, d.board = rest.ErrLate, nil
		d.challenge()
		d.discord.failing(absent)
		if got, want := d.flush(), "post to "+channel+" pinging "+bob; len(got) != 3 || got[2] != want {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("notifies nobody if the challenge is over", func(t *testing.T) {
		d := newDesk(t)
		d.undelivered, d.board = rest.ErrLate, nil
		d.challenge()
		id, err := commands.IDOf(fmt.Sprint(d.last))
		if err != nil {
			t.Fatal(err)
		}
		d.expire(id)
		d.flushes("latest in "+channel, "post to "+channel)
	})
}

// gone fails every edit in the way in which Discord does after the message was deleted.
var gone = only("edit", messages.ErrGone)

func TestADeletedMessage(t *testing.T) {
	anew := func(d *desk) []string {
		return []string{d.edit(), "latest in " + channel, "post to " + channel}
	}
	t.Run("is posted again at the next redraw, once", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		id := d.id()
		d.flush()
		d.expire(id)
		d.discord.failing(gone)
		d.poke(id)
		d.flushes(anew(d)...)
		if b := d.shown(id); b.Message != "7001" || b.Token != "" || !strings.Contains(d.discord.says("7001"), "**Alice** didn't show up") {
			t.Errorf("%+v", b)
		}
		d.poke(id)
		if got := d.flush(); got != nil || d.behind() != nil {
			t.Errorf("further requests: %q", got)
		}
	})
	t.Run("twice without a click in between is not posted again", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		id := d.id()
		d.flush()
		d.discord.failing(gone)
		for range 5 {
			d.giveBack()
			d.poke(id)
		}
		d.flush()
		d.giveBack()
		d.poke(id)
		d.flushes("edit " + channel + "/7001")
		d.expire(id)
		d.poke(id)
		if got := d.flush(); got != nil || d.shown(id).Shown != board.Gone {
			t.Errorf("asked for %q, %+v", got, d.shown(id))
		}
		if said := text(d.run(alice, "games").Components); strings.Contains(said, "/7001)") {
			t.Error("a dead link:", said)
		}
	})
	t.Run("after its end was shown is not posted again for a rematch that was declined or expired", func(t *testing.T) {
		d := newDesk(t)
		d.won()
		d.press(bob, "Rematch")
		d.flush()
		id := d.id()
		d.expire(id)
		d.discord.failing(gone)
		d.poke(id)
		d.flushes(d.edit())
	})
	t.Run("with an expired challenge is not posted again", func(t *testing.T) {
		d := newDesk(t)
		d.challenge()
		id := d.id()
		d.flush()
		d.expire(id)
		d.discord.failing(gone)
		d.poke(id)
		if got := d.flush(); len(got) != 1 || d.shown(id).Shown != board.Gone {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("with a pending challenge is posted again and notifies nobody a second time", func(t *testing.T) {
		d := newDesk(t)
		d.challenge()
		id := d.id()
		d.flush()
		d.giveBack()
		d.discord.failing(gone)
		d.poke(id)
		d.flushes(anew(d)...)
	})
}

// TestABoardWhoseReceiptWasLost tests a board that a process has posted, in a reply or without an interaction, before it stopped
// without recording the message.
func TestABoardWhoseReceiptWasLost(t *testing.T) {
	start := func(t *testing.T) (*desk, match.ID) {
		d := newDesk(t)
		d.undelivered, d.board = rest.ErrLate, nil
		d.run(alice, "ai", "first=me")
		id, err := commands.IDOf(fmt.Sprint(d.last))
		if err != nil {
			t.Fatal(err)
		}
		d.discord.original = func(o *messages.Sent) { o.Flags |= discordgo.MessageFlagsEphemeral } // the private line before a follow-up
		return d, id
	}
	t.Run("is found among the latest messages of its channel", func(t *testing.T) {
		d, id := start(t)
		d.discord.recent = []messages.Sent{
			{ID: "1", Carried: []string{"computer:easy"}}, {ID: "2", Carried: []string{"play:77:0:a1"}}, {ID: "3"},
			{ID: "4", Carried: []string{"play:" + string(id) + ":0:a1", "resign:" + string(id) + ":0"}},
		}
		got := d.flush()
		if want := "edit " + channel + "/4"; len(got) != 3 || got[2] != want || d.shown(id).Message != "4" {
			t.Errorf("asked for %q, %+v", got, d.shown(id))
		}
	})
	t.Run("is not searched for where the bot may not read", func(t *testing.T) {
		d, id := start(t)
		d.discord.failing(only("latest", messages.ErrForbidden))
		d.flush()
		if b := d.shown(id); b.Message != "7001" {
			t.Errorf("%+v", b)
		}
	})
	t.Run("is not posted twice if Discord did not answer", func(t *testing.T) {
		d, id := start(t)
		d.discord.failing(only("latest", errors.New("HTTP 502")))
		if got := d.flush(); len(got) != 2 || d.shown(id).Message != "" {
			t.Errorf("asked for %q", got)
		}
	})
}
