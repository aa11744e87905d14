package commands_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/internal/board"
)

func TestTheSideToMoveIsMentionedOncePerTurn(t *testing.T) {
	d := newDesk(t)
	d.started("clock=1h")
	b := "post to " + channel + " in reply to " + d.board.id + " pinging "
	steps := []struct {
		name string
		do   func()
		want []string
	}{
		{"the first turn", func() {}, []string{b + alice}},
		{"and no second time", func() { d.poke(d.id()) }, nil},
		{"after the move the mention goes and the other comes", func() { d.press(alice, "b2") }, []string{"delete " + channel + "/7001", b + bob}},
		{"and again", func() { d.press(bob, "a1") }, []string{"delete " + channel + "/7002", b + alice}},
		{"at the end it goes", func() { d.resign(bob) }, []string{"delete " + channel + "/7003"}},
		{"and stays away", func() { d.press(bob, "Rematch") }, nil},
	}
	for _, step := range steps {
		step.do()
		if diff := cmp.Diff(step.want, d.flush()); diff != "" {
			t.Errorf("%s: %s", step.name, diff)
		}
		if step.name == "the first turn" {
			d.says("7001", "<@"+alice+">", "/"+d.board.id+")", "Turn mentions off")
			for _, c := range checkers(t) {
				body := pretty(t, map[string]any{
					"flags": 1 << 15, "components": d.discord.bodies[0], "embeds": []any{},
					"allowed_mentions":  map[string]any{"parse": []string{}, "users": []string{alice}},
					"message_reference": map[string]any{"message_id": "86001", "fail_if_not_exists": false},
				})
				if refusal := c.MessageCreate([]byte(body)); refusal != nil {
					t.Error("Discord refuses it:", refusal)
				}
			}
		}
	}
	if len(d.discord.messages) != 0 {
		t.Error("a mention was left behind:", d.discord.messages)
	}
}

func TestWhoIsNotMentioned(t *testing.T) {
	for name, start := range map[string]func(*desk){
		"in a quick match":           func(d *desk) { d.started("clock=5m") },
		"against the computer":       func(d *desk) { d.run(alice, "ai", "first=me") },
		"where the bot is no member": func(d *desk) { d.place = asGuest; d.started("clock=24h") },
		"in private channels":        func(d *desk) { d.place = inPrivate; d.started("clock=24h") },
		"who has switched mentions off": func(d *desk) {
			d.run(alice, "help")
			d.board = &message{id: "1"}
			d.click(alice, "mentions:off")
			d.started("clock=1h")
		},
		"while the challenge is pending": func(d *desk) { d.challenge("clock=24h") },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			start(d)
			d.flushes()
		})
	}
	t.Run("but the other player is, and who has switched them on again", func(t *testing.T) {
		d := newDesk(t)
		d.board = &message{id: "1"}
		d.click(alice, "mentions:off")
		d.started("clock=1h")
		d.flush()
		d.press(alice, "b2")
		want := []string{"post to " + channel + " in reply to " + d.board.id + " pinging " + bob}
		d.flushes(want...)
		d.click(alice, "mentions:on")
		d.press(bob, "a1")
		if got := d.flush(); !slices.Contains(got, "post to "+channel+" in reply to "+d.board.id+" pinging "+alice) {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestAMentionThatFails(t *testing.T) {
	t.Run("is not tried again: nobody is called twice for one turn", func(t *testing.T) {
		for _, why := range []error{bot.ErrForbidden, bot.ErrMessageGone, errors.New("timeout")} {
			d := newDesk(t)
			d.started("clock=1h")
			d.discord.failing(only("post", why))
			first := d.flush()
			d.discord.failing(nil)
			d.poke(d.id())
			if again := d.flush(); len(first) != 1 || again != nil {
				t.Errorf("%v: %q, then %q", why, first, again)
			}
		}
	})
	t.Run("because Discord asks to wait is tried again: nobody was called", func(t *testing.T) {
		d := newDesk(t)
		d.started("clock=1h")
		d.discord.failing(only("post", &bot.LimitError{After: time.Hour}))
		want := []string{"post to " + channel + " in reply to " + d.board.id + " pinging " + alice}
		d.flushes(want...)
		d.discord.failing(nil)
		d.poke(d.id())
		d.flushes(want...)
		if b := d.shown(d.id()); b.Mention != (board.Mention{Ply: 1, Message: "7001"}) {
			t.Errorf("%+v", b.Mention)
		}
	})
	t.Run("because of a limit that is known leaves the old one until then", func(t *testing.T) {
		d := newDesk(t)
		d.started("clock=1h")
		d.flush()
		d.press(alice, "b2")
		d.discord.limiting(only("post", &bot.LimitError{After: time.Hour}))
		d.flushes()
		d.discord.limiting(nil)
		d.poke(d.id())
		if got := d.flush(); len(got) != 2 || got[0] != "delete "+channel+"/7001" {
			t.Errorf("then asked for %q", got)
		}
	})
	t.Run("to go is tried again", func(t *testing.T) {
		d := newDesk(t)
		d.started("clock=1h")
		d.flush()
		d.press(alice, "b2")
		d.discord.failing(func(string) error { return errors.New("timeout") })
		d.flushes("delete " + channel + "/7001")
		d.discord.failing(nil)
		d.poke(d.id())
		if got := d.flush(); len(got) != 2 || got[0] != "delete "+channel+"/7001" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("to go because it is gone already is no failure", func(t *testing.T) {
		d := newDesk(t)
		d.started("clock=1h")
		d.flush()
		d.press(alice, "b2")
		d.discord.failing(only("delete", bot.ErrMessageGone))
		if got := d.flush(); len(got) != 2 || !strings.HasPrefix(got[1], "post") {
			t.Errorf("asked for %q", got)
		}
	})
}
