package commands_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/rest"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

func TestAnExpiredChallengeIsDrawn(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.challenge()
		id := d.id()
		d.flush()
		d.expire(id)
		d.poke(id)
		d.commands.Redraw.Flush(t.Context())
		d.asked(d.edit())
		d.says(d.board.id, "didn't answer", "Play the computer")
	})
}

func TestTheOldBoardFollowsARematch(t *testing.T) {
	d := newDesk(t)
	d.won()
	old, id := d.board.id, d.id()
	d.press(bob, "Rematch")
	d.flush()
	d.press(alice, "Accept rematch")
	d.flushes("edit " + channel + "/" + old)
	link := "https://discord.com/channels/" + guild + "/" + channel + "/" + d.board.id
	d.says(old, "The rematch is on: [go to the board]("+link+")")
	if m, err := d.store.Match(t.Context(), id); err != nil || d.shown(id).Shown != m.Version {
		t.Error(err)
	}
}

func TestTheOldBoardFollowsARematchAfterAnEarlierRedraw(t *testing.T) {
	d := newDesk(t)
	d.won()
	old, id := d.board.id, d.id()
	d.press(bob, "Rematch")
	d.flush()
	in := d.clicking(alice, d.board, d.button(d.board.components, "Accept rematch"))
	reply, err := d.commands.Handle(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	d.poke(id) // a redraw is requested between the save and the reply
	d.flush()
	d.deliver(in, reply)
	d.flush()
	link := "https://discord.com/channels/" + guild + "/" + channel + "/" + d.board.id
	d.says(old, "The rematch is on: [go to the board]("+link+")")
}

func TestTheOldBoardFollowsARematchWithALostReply(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.won()
		old, id := d.board.id, d.id()
		d.press(bob, "Rematch")
		d.flush()
		in := d.clicking(alice, d.board, d.button(d.board.components, "Accept rematch"))
		if _, err := d.commands.Handle(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		// The process ends here. The next one redraws both boards, the old one first.
		if behind := d.behind(); len(behind) != 2 || behind[0] != id {
			t.Fatal(behind)
		}
		d.advance(time.Hour)
		d.commands.Redraw = d.another()
		d.work()
		d.commands.Redraw.CatchUp(match.Partition{})
		later(time.Minute)
		if says := d.discord.says(old); !strings.Contains(says, "The rematch is on: [go to the board]") || d.behind() != nil {
			t.Error(says, d.behind())
		}
	})
}

func TestTheOldBoardFollowsARematchAfterAWait(t *testing.T) {
	for name, why := range map[string]error{"for a limit": rateLimited(3 * time.Second), "for Discord": errors.New("HTTP 502")} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				d.won()
				old := d.board.id
				d.press(bob, "Rematch")
				d.flush()
				d.discord.original = func(o *messages.Sent) { o.Flags |= discordgo.MessageFlagsEphemeral }
				d.discord.failing(only("post", why))
				d.undelivered = errors.New("HTTP 502")
				d.press(alice, "Accept rematch")
				d.work()
				later(time.Second)
				d.discord.failing(nil)
				later(time.Minute)
				if says := d.discord.says(old); !strings.Contains(says, "The rematch is on: [go to the board]") || d.behind() != nil {
					t.Error(says, d.behind())
				}
			})
		})
	}
}

// TestWhereABoardIsDrawn tests that a board is drawn with the bot's own token where possible, and otherwise with the token of the
// newest interaction while that is valid.
func TestWhereABoardIsDrawn(t *testing.T) {
	for _, tt := range []struct {
		name  string
		place place
		after time.Duration // the time since the last click
		want  func(d *desk, token string) []string
	}{
		{"in a server", inServer, time.Hour, func(d *desk, _ string) []string { return []string{d.edit()} }},
		{"in its direct messages", inBotDM, 25 * time.Hour, func(d *desk, _ string) []string { return []string{"edit 5002/" + d.board.id} }},
		{"as a guest, while the token works", asGuest, 14 * time.Minute, func(d *desk, token string) []string {
			return []string{"edit " + d.board.id + " by " + token}
		}},
		{"as a guest, after that", asGuest, 15 * time.Minute, func(*desk, string) []string { return nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			d.place = tt.place
			d.run(alice, "ai", "first=me")
			d.press(alice, "b2")
			token, id := fmt.Sprint("token-of-", d.last), d.id()
			d.flush()
			// A player resigns in the database, and Discord is not told.
			d.resignUnseen(id, 2)
			d.advance(tt.after)
			d.poke(id)
			if diff := cmp.Diff(tt.want(d, token), d.flush()); diff != "" {
				t.Error(diff)
			}
			d.poke(id)
			d.flushes()
		})
	}
}

func TestAClosedChannel(t *testing.T) {
	// start returns a match whose redraws Discord refuses.
	start := func(t *testing.T) (d *desk, id match.ID, change func() []string) {
		d = newDesk(t)
		d.run(alice, "ai", "first=me")
		id = d.id()
		d.flush()
		d.advance(messages.TokenLife)
		d.discord.failing(func(string) error { return messages.ErrForbidden })
		return d, id, func() []string {
			if err := d.missed(d.now().Add(-messages.TokenLife)); err != nil {
				t.Fatal(err)
			}
			d.poke(id)
			return d.flush()
		}
	}
	// restored returns the requests to Discord after the bot has come back.
	restored := func(t *testing.T, d *desk) []string {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			r := d.another()
			go func() { defer close(done); r.Run(ctx) }()
			r.CatchUp(match.Partition{})
			later(time.Hour)
			cancel()
			<-done
		})
		return d.discord.take()
	}
	t.Run("is tried a few times, and other processes know that", func(t *testing.T) {
		d, id, change := start(t)
		tries := 0
		for range 10 {
			tries += len(change())
		}
		if tries != board.MaxRefused || !d.shown(id).GivenUp() {
			t.Errorf("%d tries, %+v", tries, d.shown(id))
		}
		if got := restored(t, d); got != nil {
			t.Errorf("another process requests %q", got)
		}
		if said := text(d.run(alice, "games").Components); !strings.Contains(said, "I can no longer see its channel") {
			t.Error(said)
		}
	})
	t.Run("is tried again after a click there, which reopens it", func(t *testing.T) {
		d, id, change := start(t)
		for range 5 {
			change()
		}
		d.press(alice, "b2")
		if b := d.shown(id); b.Refused != 0 {
			t.Errorf("%+v", b)
		}
		d.flush()
		d.advance(messages.TokenLife)
		d.discord.failing(nil)
		if got := change(); !cmp.Equal(got, []string{d.edit()}) {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestABoardInAClosedChannel(t *testing.T) {
	start := func(t *testing.T) (*desk, match.ID, string) {
		d := newDesk(t)
		d.started()
		id := d.id()
		token := fmt.Sprint("token-of-", d.last)
		d.flush()
		d.resignUnseen(id, 0)
		d.discord.failing(func(request string) error {
			if strings.Contains(request, " by ") {
				return nil
			}
			return messages.ErrForbidden
		})
		d.poke(id)
		return d, id, token
	}
	t.Run("to the bot is drawn with the newest interaction's token", func(t *testing.T) {
		d, _, token := start(t)
		own, other := d.edit(), "edit "+d.board.id+" by "+token
		d.flushes(own, other)
		if got := d.behind(); got != nil {
			t.Errorf("still behind: %q", got)
		}
	})
	t.Run("to everybody stays behind, and is drawn once it is open", func(t *testing.T) {
		d, id, _ := start(t)
		own := []string{d.edit()}
		d.advance(messages.TokenLife)
		d.flushes(own...)
		if got := d.behind(); !slices.Contains(got, id) {
			t.Errorf("the board counts as shown: %+v", d.shown(id))
		}
		d.discord.failing(nil)
		d.poke(id)
		d.flushes(own...)
		if got := d.behind(); got != nil {
			t.Errorf("still behind: %q", got)
		}
	})
	t.Run("is not tried repeatedly", func(t *testing.T) {
		d, id, _ := start(t)
		d.advance(messages.TokenLife)
		d.flush()
		d.left(id, "the board is out of reach: the channel is closed to the bot", "Discord has refused it too often")
	})
	t.Run("whose token has expired does not count as deleted", func(t *testing.T) {
		d, id, _ := start(t)
		d.discord.failing(func(request string) error {
			if strings.Contains(request, " by ") {
				return messages.ErrGone
			}
			return messages.ErrForbidden
		})
		if got := d.flush(); len(got) != 2 {
			t.Errorf("asked for %q", got)
		}
		if got := d.behind(); !slices.Contains(got, id) {
			t.Errorf("the board counts as shown: %+v", d.shown(id))
		}
	})
}

func TestABoardWithoutAMessageIsNotDrawn(t *testing.T) {
	d := newDesk(t)
	d.poke("zz")
	d.save(match.Save{Extras: []match.Extra{board.Reference{ID: "orphan", Channel: channel, Message: "1", Member: true}}})
	d.poke("orphan")
	if got := d.flush(); got != nil || d.discord.log.String() != "" {
		t.Errorf("%q, log %s", got, d.discord.log.String())
	}
}

// left fails unless the log says exactly these reasons, in this order, why a board is not drawn.
func (d *desk) left(id match.ID, reasons ...string) {
	d.t.Helper()
	for range 4 {
		d.poke(id)
		d.flush()
	}
	got := d.discord.log.String()
	lines := slices.CompactFunc(strings.Split(strings.TrimSuffix(got, "\n"), "\n"), func(a, b string) bool {
		_, a, _ = strings.Cut(a, " ") // skips the time
		_, b, _ = strings.Cut(b, " ")
		return a == b
	})
	for i, line := range lines {
		if len(lines) != len(reasons) || !strings.Contains(line, `msg="board left as it is" match=`+string(id)+" ") || !strings.Contains(line, reasons[i]) {
			d.t.Fatalf("want a line for each of %q:\n%s", reasons, got)
		}
	}
	if strings.Contains(got, "token-of") {
		d.t.Error("the log holds a token")
	}
}

func TestAnUndrawnBoardIsLogged(t *testing.T) {
	const away = "the board is out of reach: the bot is not in its server, and "
	start := func(t *testing.T, p place) (*desk, match.ID) {
		d := newDesk(t)
		d.place = p
		d.started()
		id := d.id()
		d.flush()
		d.resignUnseen(id, 0)
		return d, id
	}
	t.Run("where the bot is not a member, and the token has expired", func(t *testing.T) {
		d, id := start(t, asGuest)
		d.advance(time.Hour)
		d.left(id, away+"the token of the last click has expired")
	})
	t.Run("where the bot is not a member, and Discord rejects the token", func(t *testing.T) {
		d, id := start(t, asGuest)
		d.discord.failing(func(string) error { return messages.ErrGone })
		d.left(id, away+"Discord no longer accepts the token of the last click: "+messages.ErrGone.Error())
	})
	t.Run("where the bot is not a member, and the message is not known", func(t *testing.T) {
		d := newDesk(t)
		d.place, d.undelivered = asGuest, rest.ErrLate
		d.run(alice, "ai", "first=me")
		d.discord.failing(func(string) error { return messages.ErrGone })
		open := d.openMatches()
		d.left(open[0].ID, "was not told which message shows it")
	})
	t.Run("where Discord has refused the board too often", func(t *testing.T) {
		d, id := start(t, inServer)
		for range board.MaxRefused {
			d.refused(id)
		}
		d.left(id, "Discord has refused it too often")
	})
	t.Run("where the bot has left, with one line for the server", func(t *testing.T) {
		d, id := start(t, inServer)
		d.guilds(boards.Guilds{Gone: []string{guild}})
		d.poke(id)
		d.flush()
		if got := d.discord.log.String(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "guild="+guild) || !strings.Contains(got, "the bot has left its server") {
			t.Error(got)
		}
	})
	t.Run("no redraw if the board is up to date", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		d.flush()
		id := d.id()
		for range board.MaxRefused {
			d.refused(id)
		}
		d.poke(id)
		d.flush()
		if got := d.discord.log.String(); got != "" {
			t.Error(got)
		}
	})
}
