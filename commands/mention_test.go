package commands_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

func TestTheSideToMoveIsMentionedOncePerTurn(t *testing.T) {
	d := newCallingDesk(t)
	d.started("clock=1h")
	b := "post to " + channel + " in reply to " + d.board.id + " pinging "
	steps := []struct {
		name string
		do   func()
		want []string
	}{
		{"the first turn", func() {}, []string{b + alice}},
		{"no second mention", func() { d.poke(d.id()) }, nil},
		{"after the move the mention goes and the other comes", func() { d.press(alice, "b2") }, []string{"delete " + channel + "/7001", b + bob}},
		{"mention after the next move", func() { d.press(bob, "a1") }, []string{"delete " + channel + "/7002", b + alice}},
		{"at the end it goes", func() { d.resign(bob) }, []string{"delete " + channel + "/7003"}},
		{"no mention after the end", func() { d.press(bob, "Rematch") }, nil},
	}
	for _, step := range steps {
		step.do()
		if diff := cmp.Diff(step.want, d.flush()); diff != "" {
			t.Errorf("%s: %s", step.name, diff)
		}
		if step.name == "the first turn" {
			d.says("7001", "<@"+alice+">", "/"+d.board.id+")", "Turn pings off")
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

func TestNoMention(t *testing.T) {
	for name, start := range map[string]func(*desk){
		"a player who moves before the mention": func(d *desk) { d.started(); d.press(alice, "b2") },
		"against the computer":                  func(d *desk) { d.run(alice, "ai", "first=me") },
		"whose turn it is where the bot is no member": func(d *desk) {
			d.place = asGuest
			d.started("clock=24h")
			d.press(alice, "b2")
		},
		"a player who has switched mentions off": func(d *desk) {
			d.run(alice, "help")
			d.board = &message{id: "1"}
			d.click(alice, "mentions:off:"+alice)
			d.started("clock=1h")
		},
		"while the challenge is pending": func(d *desk) { d.challenge("clock=24h") },
	} {
		t.Run(name, func(t *testing.T) {
			d := newCallingDesk(t)
			start(d)
			d.flushes()
		})
	}
	t.Run("the other player is mentioned, and a player who has switched mentions on again", func(t *testing.T) {
		d := newCallingDesk(t)
		d.board = &message{id: "1"}
		d.click(alice, "mentions:off:"+alice)
		d.started("clock=1h")
		d.flush()
		d.press(alice, "b2")
		want := []string{"post to " + channel + " in reply to " + d.board.id + " pinging " + bob}
		d.flushes(want...)
		d.click(alice, "mentions:on:"+alice)
		d.press(bob, "a1")
		if got := d.flush(); !slices.Contains(got, "post to "+channel+" in reply to "+d.board.id+" pinging "+alice) {
			t.Errorf("asked for %q", got)
		}
	})
}

// TestTheProposerIsToldThatTheMatchHasBegun tests the mention of the proposer for all turn times, until the proposer has moved.
func TestTheProposerIsToldThatTheMatchHasBegun(t *testing.T) {
	reply := func(d *desk) string { return "post to " + channel + " in reply to " + d.board.id + " pinging " + alice }
	for _, clock := range []string{"1m", "5m", "1h", "24h"} {
		t.Run("with "+clock+" for each move", func(t *testing.T) {
			d := newCallingDesk(t)
			d.started("clock=" + clock)
			d.flushes(reply(d))
			d.says("7001", "<@"+alice+">, your match against **Bob** has started", "/"+d.board.id+")", "It's your turn", "Turn pings off")
			d.poke(d.id())
			d.flushes()
			d.press(alice, "b2")
			if got := d.flush(); len(got) == 0 || got[0] != "delete "+channel+"/7001" {
				t.Errorf("asked for %q", got)
			}
		})
	}
	t.Run("a proposer who moves second", func(t *testing.T) {
		d := newCallingDesk(t)
		d.challenge("first=them")
		d.press(bob, "Accept")
		d.flushes(reply(d))
		d.says("7001", "<@"+alice+">", "**Bob** moves first")
		d.press(bob, "b2")
		d.flushes()
		d.press(alice, "a1")
		d.flushes("delete " + channel + "/7001")
	})
	t.Run("a proposer who does not show up", func(t *testing.T) {
		d := newCallingDesk(t)
		d.started()
		d.flush()
		d.expire(d.id())
		d.poke(d.id())
		d.flushes(d.edit(), "delete "+channel+"/7001")
	})
	t.Run("a proposer of a rematch", func(t *testing.T) {
		d := newCallingDesk(t)
		d.started()
		d.press(alice, "b2")
		d.press(bob, "a1")
		d.resign(bob)
		d.flush()
		d.press(bob, "Rematch")
		d.flushes()
		d.press(alice, "Accept rematch")
		got := d.flush()
		want := "post to " + channel + " in reply to " + d.board.id + " pinging " + bob
		if !slices.Contains(got, want) || slices.ContainsFunc(got, func(r string) bool { return strings.HasSuffix(r, "pinging "+alice) }) {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("unless mentions are switched off", func(t *testing.T) {
		d := newCallingDesk(t)
		d.board = &message{id: "1"}
		d.click(alice, "mentions:off:"+alice)
		d.started()
		d.flushes()
	})
}

func TestTheProposerIsCalledByATokenWhereTheBotIsNoMember(t *testing.T) {
	for name, place := range map[string]place{"in a server": asGuest, "in private channels": inPrivate} {
		t.Run(name, func(t *testing.T) {
			d := newCallingDesk(t)
			d.place = place
			d.started()
			d.flushes("post by token-of-6002 pinging " + alice)
			d.says("7001", "<@"+alice+">, your match against **Bob** has started")
			d.press(alice, "b2")
			d.flushes("delete 7001 by token-of-6002")
		})
	}
	begun := func(t *testing.T) *desk {
		d := newCallingDesk(t)
		d.place = asGuest
		d.started()
		return d
	}
	t.Run("unless the token has expired", func(t *testing.T) {
		d := begun(t)
		d.advance(messages.TokenLife)
		d.flushes()
	})
	t.Run("the mention is deleted with this token only", func(t *testing.T) {
		d := begun(t)
		d.flush()
		d.commands.Redraw = d.another()
		d.press(alice, "b2")
		d.flushes()
		if b := d.shown(d.id()); b.Mention != (board.Mention{}) {
			t.Errorf("%+v", b.Mention)
		}
	})
	t.Run("a mention in a channel that is closed to the bot", func(t *testing.T) {
		d := newCallingDesk(t)
		d.started()
		d.discord.failing(only("post to", messages.ErrForbidden))
		d.flushes("post to "+channel+" in reply to "+d.board.id+" pinging "+alice, "post by token-of-6002 pinging "+alice)
		d.press(alice, "b2")
		d.flushes("delete 7001 by token-of-6002")
	})
	t.Run("the mention is deleted at once if only the other player sees it", func(t *testing.T) {
		d := begun(t)
		d.discord.alone = true
		d.flushes("post by token-of-6002 pinging "+alice, "delete 7001 by token-of-6002")
		d.press(alice, "b2")
		d.flushes()
	})
}

// TestAMissingMentionAfterAStart tests that a start finds missing mentions in the store, even beside boards that are up to date.
func TestAMissingMentionAfterAStart(t *testing.T) {
	for _, tt := range []struct {
		name  string
		clock string
		act   func(*desk)
		whom  string
	}{
		{"the proposer", "1m", func(*desk) {}, alice},
		{"nobody twice", "1m", func(d *desk) { d.flush() }, ""},
		{"nobody who has moved meanwhile", "1m", func(d *desk) { d.press(alice, "b2") }, ""},
		{"whose turn it is in a slow match", "1h", func(d *desk) { d.press(alice, "b2") }, bob},
		{"a player who has used one of five minutes", "5m", func(d *desk) { d.press(alice, "b2"); d.advance(time.Minute) }, bob},
		{"nobody before", "5m", func(d *desk) { d.press(alice, "b2") }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.calls = true
				d.started("clock=" + tt.clock)
				tt.act(d)
				if err := d.commands.Redraw.SaveReceipts(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := d.behind(); got != nil {
					t.Fatal("behind:", got)
				}
				d.discord.take()
				for range 2 {
					d.commands.Redraw = d.another()
					stop := d.work()
					d.commands.Redraw.CatchUp(match.Partition{})
					later(10 * time.Second)
					stop()
				}
				var want []string
				if tt.whom != "" {
					want = append(want, "post to "+channel+" in reply to "+d.board.id+" pinging "+tt.whom)
				}
				d.asked(want...)
			})
		})
	}
}

func TestAMentionsButtonServesTheMentionedPlayerOnly(t *testing.T) {
	d := newCallingDesk(t)
	d.started("clock=1h")
	d.flush()
	if said := d.discord.bodies[0]; !strings.Contains(pretty(t, said), "mentions:off:"+alice) {
		t.Errorf("the button does not name the mentioned player: %s", pretty(t, said))
	}
	for _, by := range []string{bob, alice} {
		d.click(by, "mentions:off:"+alice)
		for _, p := range []string{alice, bob} {
			off, err := d.store.TurnMentionsOff(t.Context(), match.User(p))
			if want := by == alice && p == alice; err != nil || off != want {
				t.Errorf("after a press by %s the mentions of %s are off: %v, %v", by, p, off, err)
			}
		}
	}
}
