package commands_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/commands"
	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

// bubble gives a desk whose redrawer works by the bubble's time.
func bubble(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, newDesk(t)) })
}

// work starts the redrawer; what it returns stops it and waits.
func (d *desk) work() (stop func()) {
	ctx, cancel := context.WithCancel(d.t.Context())
	done := make(chan struct{})
	go func() { defer close(done); d.commands.Redraw.Run(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	d.t.Cleanup(stop)
	return stop
}

// asked fails unless Discord was asked for exactly that since it was last looked at.
func (d *desk) asked(want ...string) {
	d.t.Helper()
	if diff := cmp.Diff(want, d.discord.take()); diff != "" {
		d.t.Errorf("asked for something else: %s", diff)
	}
}

// expire lets the deadline of a match or challenge pass without anybody clicking.
func (d *desk) expire(id match.ID) {
	d.t.Helper()
	d.now = d.now.Add(24 * time.Hour)
	if changed, err := d.commands.Referee.Expire(d.t.Context(), id, func() time.Time { return d.now }); err != nil || !changed {
		d.t.Fatal(changed, err)
	}
}

// guilds tells the redrawer about servers.
func (d *desk) guilds(news bot.Guilds) {
	d.t.Helper()
	if err := d.commands.Redraw.Guilds(d.t.Context(), news); err != nil {
		d.t.Fatal(err)
	}
}

// later is a moment after which the redrawer has settled.
func later(d time.Duration) {
	time.Sleep(d) // the bubble's time: it takes none
	synctest.Wait()
}

func (d *desk) shown(id match.ID) board.Board {
	d.t.Helper()
	b, err := d.store.Board(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return b
}

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

func TestABoardThatIsBehindIsDrawn(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.started()
		id := match.ID(d.id())
		d.flush()
		d.expire(id)
		d.commands.Redraw.Poke(id)
		stop := d.work()
		later(commands.SettleTime)
		d.asked("edit " + channel + "/" + d.board.id)
		if says := d.discord.says(d.board.id); !strings.Contains(says, "**Alice** ran out of time") || !strings.Contains(says, "Rematch") {
			t.Error(says)
		}
		for _, c := range checkers(t) {
			body := []byte(pretty(t, map[string]any{"flags": 1 << 15, "components": d.discord.bodies[len(d.discord.bodies)-1]}))
			if refusal := c.MessageEdit(body, true); refusal != nil {
				t.Error("Discord refuses it:", refusal)
			}
		}
		d.commands.Redraw.Poke(id)
		later(time.Minute)
		d.asked() // it is true now
		stop()
		if got := d.discord.log.String(); got != "" {
			t.Error(got)
		}
	})
}

func TestAChallengeThatRanOutIsDrawn(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.run(alice, "challenge", "opponent="+bob)
		id := match.ID(d.id())
		d.flush()
		d.expire(id)
		d.commands.Redraw.Poke(id)
		d.commands.Redraw.Flush(t.Context())
		d.asked("edit " + channel + "/" + d.board.id)
		if says := d.discord.says(d.board.id); !strings.Contains(says, "did not answer") || !strings.Contains(says, "Play the computer") {
			t.Error(says)
		}
	})
}

func TestTheOldBoardFollowsARematch(t *testing.T) {
	d := newDesk(t)
	d.won()
	old, id := d.board.id, match.ID(d.id())
	d.press(bob, "Rematch")
	d.flush()
	d.press(alice, "Accept rematch")
	if got, want := d.flush(), []string{"edit " + channel + "/" + old}; !cmp.Equal(got, want) {
		t.Errorf("asked for %q", got)
	}
	link := "https://discord.com/channels/" + guild + "/" + channel + "/" + d.board.id
	if says := d.discord.says(old); !strings.Contains(says, "The rematch is on: [go to the board]("+link+")") {
		t.Error(says)
	}
	if m, err := d.store.Match(t.Context(), id); err != nil || d.shown(id).Shown != m.Version {
		t.Error(err)
	}
}

func TestTheOldBoardFollowsARematchAlsoWhenItWasDrawnBeforeThereWasOne(t *testing.T) {
	d := newDesk(t)
	d.won()
	old, id := d.board.id, match.ID(d.id())
	d.press(bob, "Rematch")
	d.flush()
	in := d.interaction(alice, discordgo.InteractionMessageComponent,
		discordgo.MessageComponentInteractionData{CustomID: d.button(d.board.components, "Accept rematch")})
	in.Message = d.board.received(d)
	reply, err := d.commands.Handle(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	d.commands.Redraw.Poke(id) // somebody asks for a look between the saving and the answer
	d.flush()
	d.deliver(in, reply)
	d.flush()
	link := "https://discord.com/channels/" + guild + "/" + channel + "/" + d.board.id
	if says := d.discord.says(old); !strings.Contains(says, "The rematch is on: [go to the board]("+link+")") {
		t.Error(says)
	}
}

// TestWhereABoardIsDrawn: with the bot's own token where it may, else by the newest interaction's while that works.
func TestWhereABoardIsDrawn(t *testing.T) {
	for _, tt := range []struct {
		name  string
		place place
		after time.Duration // since the last click
		want  func(d *desk, token string) []string
	}{
		{"in a server", inServer, time.Hour, func(d *desk, _ string) []string { return []string{"edit " + channel + "/" + d.board.id} }},
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
			token, id := fmt.Sprint("token-of-", d.last), match.ID(d.id())
			d.flush()
			// Somebody resigns in the database, and nobody tells Discord.
			if _, err := d.commands.Referee.Resign(t.Context(), match.Request{ID: "x", By: alice, At: d.now}, id, 2); err != nil {
				t.Fatal(err)
			}
			d.now = d.now.Add(tt.after)
			d.commands.Redraw.Poke(id)
			if diff := cmp.Diff(tt.want(d, token), d.flush()); diff != "" {
				t.Error(diff)
			}
			d.commands.Redraw.Poke(id)
			if got := d.flush(); got != nil {
				t.Errorf("it tries again and again: %q", got)
			}
		})
	}
}

func TestAReplyThatNeverArrived(t *testing.T) {
	start := func(t *testing.T, p place) (*desk, match.ID, string) {
		d := newDesk(t)
		d.place, d.undelivered = p, bot.ErrLate
		d.board = nil
		d.run(alice, "ai", "first=me")
		open, err := d.store.OpenMatches(t.Context(), alice)
		if err != nil || len(open) != 1 {
			t.Fatal(ids(open), err)
		}
		return d, open[0].ID, fmt.Sprint("token-of-", d.last)
	}
	absent := func(request string) error {
		if strings.HasPrefix(request, "original") {
			return fmt.Errorf("read: %w", bot.ErrMessageGone)
		}
		return nil
	}
	t.Run("is posted anew where the bot is a member", func(t *testing.T) {
		d, id, token := start(t, inServer)
		d.discord.failing(absent)
		if got, want := d.flush(), []string{"original of " + token, "recent in " + channel, "post to " + channel}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		if b := d.shown(id); b.Message != "7001" || b.Shown != 1 || !strings.Contains(d.discord.says("7001"), "to move") {
			t.Errorf("%+v", b)
		}
	})
	t.Run("and when the token has run out", func(t *testing.T) {
		d, id, _ := start(t, inServer)
		d.now = d.now.Add(time.Hour)
		if got, want := d.flush(), []string{"recent in " + channel, "post to " + channel}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		if b := d.shown(id); b.Message != "7001" {
			t.Errorf("%+v", b)
		}
	})
	t.Run("unless it did arrive and only the receipt was lost", func(t *testing.T) {
		for _, tt := range []struct {
			place place
			edit  func(message, token string) string
		}{
			{inServer, func(message, _ string) string { return "edit " + channel + "/" + message }},
			{asGuest, func(message, token string) string { return "edit " + message + " by " + token }},
		} {
			d, id, token := start(t, tt.place)
			message := fmt.Sprint("8", d.last)
			if got, want := d.flush(), []string{"original of " + token, tt.edit(message, token)}; !cmp.Equal(got, want) {
				t.Errorf("asked for %q", got)
			}
			if b := d.shown(id); b.Message != message || b.Shown != 1 {
				t.Errorf("its message is not known now: %+v", b)
			}
		}
	})
	t.Run("is lost where the bot is no member", func(t *testing.T) {
		d, id, token := start(t, asGuest)
		d.discord.failing(absent)
		if got, want := d.flush(), []string{"original of " + token}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		if b := d.shown(id); b.Shown != 0 {
			t.Errorf("it is said to be shown: %+v", b)
		}
		d.now = d.now.Add(bot.TokenLife)
		d.commands.Redraw.Poke(id)
		if got := d.flush(); got != nil {
			t.Errorf("it tries without a token: %q", got)
		}
	})
	t.Run("is tried again if Discord does not say what there is", func(t *testing.T) {
		d, id, token := start(t, inServer)
		d.discord.failing(func(string) error { return errors.New("HTTP 502") })
		if got, want := d.flush(), []string{"original of " + token}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		if b := d.shown(id); b.Shown != 0 {
			t.Errorf("%+v", b)
		}
	})
	for name, other := range map[string]func(*bot.Sent){
		"does not draw over a private line":               func(o *bot.Sent) { o.Flags |= discordgo.MessageFlagsEphemeral },
		"does not draw over the message that was clicked": func(o *bot.Sent) { o.Carried = []string{"resign:77:0"} },
		"does not draw over what is about no match":       func(o *bot.Sent) { o.Carried = nil },
	} {
		t.Run(name, func(t *testing.T) {
			d, id, token := start(t, inServer)
			d.discord.original = other
			if got, want := d.flush(), []string{"original of " + token, "recent in " + channel, "post to " + channel}; !cmp.Equal(got, want) {
				t.Errorf("asked for %q", got)
			}
			if b := d.shown(id); b.Message != "7001" || b.Shown != 1 {
				t.Errorf("%+v", b)
			}
			d, id, token = start(t, asGuest)
			d.discord.original = other
			if got, want := d.flush(), []string{"original of " + token}; !cmp.Equal(got, want) {
				t.Errorf("asked for %q", got)
			}
			if b := d.shown(id); b.Message != "" || b.Shown != 0 {
				t.Errorf("%+v", b)
			}
		})
	}
	t.Run("calls its opponent if it was a challenge", func(t *testing.T) {
		d := newDesk(t)
		d.undelivered, d.board = bot.ErrLate, nil
		d.run(alice, "challenge", "opponent="+bob)
		d.discord.failing(absent)
		if got, want := d.flush(), "post to "+channel+" pinging "+bob; len(got) != 3 || got[2] != want {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("calls nobody if the challenge is over", func(t *testing.T) {
		d := newDesk(t)
		d.undelivered, d.board = bot.ErrLate, nil
		d.run(alice, "challenge", "opponent="+bob)
		id, err := commands.IDOf(fmt.Sprint(d.last))
		if err != nil {
			t.Fatal(err)
		}
		d.expire(id)
		if got, want := d.flush(), []string{"recent in " + channel, "post to " + channel}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
	})
}

// behind are the boards that the next start would look at.
func (d *desk) behind() []match.ID {
	d.t.Helper()
	ids, err := d.store.Behind(d.t.Context(), match.Part{}, "", 9)
	if err != nil {
		d.t.Fatal(err)
	}
	return ids
}

// gone fails every edit as Discord does when the message was deleted.
func gone(request string) error {
	if strings.HasPrefix(request, "edit") {
		return bot.ErrMessageGone
	}
	return nil
}

func TestAMessageThatWasDeleted(t *testing.T) {
	anew := func(d *desk) []string {
		return []string{"edit " + channel + "/" + d.board.id, "recent in " + channel, "post to " + channel}
	}
	t.Run("is posted anew at the next redraw, once", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		id := match.ID(d.id())
		d.flush()
		d.expire(id)
		d.discord.failing(gone)
		d.commands.Redraw.Poke(id)
		if got, want := d.flush(), anew(d); !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		if b := d.shown(id); b.Message != "7001" || b.Token != "" || !strings.Contains(d.discord.says("7001"), "**Alice** ran out of time") {
			t.Errorf("%+v", b)
		}
		d.commands.Redraw.Poke(id)
		if got := d.flush(); got != nil || d.behind() != nil {
			t.Errorf("it goes on: %q", got)
		}
	})
	t.Run("again before anybody used it is not wanted", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		id := match.ID(d.id())
		d.flush()
		d.discord.failing(gone)
		for range 5 {
			if _, err := d.store.GiveBack(t.Context(), match.Part{}, d.now, time.Minute); err != nil {
				t.Fatal(err)
			}
			d.commands.Redraw.Poke(id)
		}
		d.flush()
		if _, err := d.store.GiveBack(t.Context(), match.Part{}, d.now, time.Minute); err != nil {
			t.Fatal(err)
		}
		d.commands.Redraw.Poke(id)
		if got, want := d.flush(), []string{"edit " + channel + "/7001"}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		d.expire(id)
		d.commands.Redraw.Poke(id)
		if got := d.flush(); got != nil || d.shown(id).Shown != board.Gone {
			t.Errorf("asked for %q, %+v", got, d.shown(id))
		}
		if said := text(d.run(alice, "games").Components); strings.Contains(said, "/7001)") {
			t.Error("a dead link:", said)
		}
	})
	t.Run("after its end was seen is not posted anew for a rematch that came to nothing", func(t *testing.T) {
		d := newDesk(t)
		d.won()
		d.press(bob, "Rematch")
		d.flush()
		id := match.ID(d.id())
		d.expire(id)
		d.discord.failing(gone)
		d.commands.Redraw.Poke(id)
		if got, want := d.flush(), []string{"edit " + channel + "/" + d.board.id}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("with a challenge that nobody answered is not posted anew", func(t *testing.T) {
		d := newDesk(t)
		d.run(alice, "challenge", "opponent="+bob)
		id := match.ID(d.id())
		d.flush()
		d.expire(id)
		d.discord.failing(gone)
		d.commands.Redraw.Poke(id)
		if got := d.flush(); len(got) != 1 || d.shown(id).Shown != board.Gone {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("with a challenge that waits is posted anew and calls nobody a second time", func(t *testing.T) {
		d := newDesk(t)
		d.run(alice, "challenge", "opponent="+bob)
		id := match.ID(d.id())
		d.flush()
		if _, err := d.store.GiveBack(t.Context(), match.Part{}, d.now, time.Minute); err != nil {
			t.Fatal(err)
		}
		d.discord.failing(gone)
		d.commands.Redraw.Poke(id)
		if got, want := d.flush(), anew(d); !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
	})
}

// TestABoardWhoseReceiptWasLost: it was posted, be it as a reply or anew, and we stopped before we could record that.
func TestABoardWhoseReceiptWasLost(t *testing.T) {
	start := func(t *testing.T) (*desk, match.ID) {
		d := newDesk(t)
		d.undelivered, d.board = bot.ErrLate, nil
		d.run(alice, "ai", "first=me")
		id, err := commands.IDOf(fmt.Sprint(d.last))
		if err != nil {
			t.Fatal(err)
		}
		d.discord.original = func(o *bot.Sent) { o.Flags |= discordgo.MessageFlagsEphemeral } // the line before a follow-up
		return d, id
	}
	t.Run("is found among the latest messages of its channel", func(t *testing.T) {
		d, id := start(t)
		d.discord.recent = []bot.Sent{
			{ID: "1", Carried: []string{"computer:easy"}}, {ID: "2", Carried: []string{"play:77:0:a1"}}, {ID: "3"},
			{ID: "4", Carried: []string{"play:" + string(id) + ":0:a1", "resign:" + string(id) + ":0"}},
		}
		got := d.flush()
		if want := "edit " + channel + "/4"; len(got) != 3 || got[2] != want || d.shown(id).Message != "4" {
			t.Errorf("asked for %q, %+v", got, d.shown(id))
		}
	})
	t.Run("is not looked for where the bot may not read", func(t *testing.T) {
		d, id := start(t)
		d.discord.failing(func(request string) error {
			if strings.HasPrefix(request, "recent") {
				return bot.ErrForbidden
			}
			return nil
		})
		d.flush()
		if b := d.shown(id); b.Message != "7001" {
			t.Errorf("%+v", b)
		}
	})
	t.Run("is not posted twice because Discord did not answer", func(t *testing.T) {
		d, id := start(t)
		d.discord.failing(func(request string) error {
			if strings.HasPrefix(request, "recent") {
				return errors.New("HTTP 502")
			}
			return nil
		})
		if got := d.flush(); len(got) != 2 || d.shown(id).Message != "" {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestAClosedChannel(t *testing.T) {
	// start is a match of which every redraw is refused.
	start := func(t *testing.T) (d *desk, id match.ID, change func() []string) {
		d = newDesk(t)
		d.run(alice, "ai", "first=me")
		id = match.ID(d.id())
		d.flush()
		d.now = d.now.Add(bot.TokenLife)
		d.discord.failing(func(string) error { return bot.ErrForbidden })
		return d, id, func() []string {
			if _, err := d.store.GiveBack(t.Context(), match.Part{}, d.now.Add(-bot.TokenLife), time.Minute); err != nil {
				t.Fatal(err)
			}
			d.commands.Redraw.Poke(id)
			return d.flush()
		}
	}
	// restored is what Discord is asked for when the bot comes back.
	restored := func(t *testing.T, d *desk) []string {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			r := d.another()
			go func() { defer close(done); r.Run(ctx) }()
			r.Restore(match.Part{})
			later(time.Hour)
			cancel()
			<-done
		})
		return d.discord.take()
	}
	t.Run("is tried a few times, and that is remembered", func(t *testing.T) {
		d, id, change := start(t)
		tries := 0
		for range 10 {
			tries += len(change())
		}
		if tries != board.MaxRefused || !d.shown(id).Quiet() {
			t.Errorf("%d tries, %+v", tries, d.shown(id))
		}
		if got := restored(t, d); got != nil {
			t.Errorf("another process asks for %q", got)
		}
		if said := text(d.run(alice, "games").Components); !strings.Contains(said, "its channel is closed to me") {
			t.Error(said)
		}
	})
	t.Run("is tried again when somebody plays there, and then it is open", func(t *testing.T) {
		d, id, change := start(t)
		for range 5 {
			change()
		}
		d.press(alice, "b2")
		if b := d.shown(id); b.Refused != 0 {
			t.Errorf("%+v", b)
		}
		d.flush()
		d.now = d.now.Add(bot.TokenLife)
		d.discord.failing(nil)
		if got := change(); !cmp.Equal(got, []string{"edit " + channel + "/" + d.board.id}) {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("is tried again when something changes in its server", func(t *testing.T) {
		d, _, change := start(t)
		for range 5 {
			change()
		}
		d.discord.failing(nil)
		d.guilds(bot.Guilds{Changed: []string{"another"}, Present: []string{guild}}) // present, as at every start
		if got := append(d.flush(), restored(t, d)...); got != nil {
			t.Errorf("asked for %q", got)
		}
		d.guilds(bot.Guilds{Changed: []string{guild}})
		if got, want := append(d.flush(), restored(t, d)...), []string{"edit " + channel + "/" + d.board.id}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("of a server that the bot was removed from is not tried at all, until it is back", func(t *testing.T) {
		d, id, change := start(t)
		d.guilds(bot.Guilds{Changed: []string{guild}, Gone: []string{guild}})
		d.flush()
		if got := append(change(), restored(t, d)...); got != nil {
			t.Errorf("asked for %q", got)
		}
		d.expire(id) // the match goes on where nobody sees it
		d.discord.failing(nil)
		d.guilds(bot.Guilds{Present: []string{guild}})
		if got, want := append(d.flush(), restored(t, d)...), []string{"edit " + channel + "/" + d.board.id}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestABoardThatMayNotBeDrawn(t *testing.T) {
	start := func(t *testing.T) (*desk, match.ID, string) {
		d := newDesk(t)
		d.started()
		id := match.ID(d.id())
		token := fmt.Sprint("token-of-", d.last)
		d.flush()
		if _, err := d.commands.Referee.Resign(t.Context(), match.Request{ID: "x", By: alice, At: d.now}, id, 0); err != nil {
			t.Fatal(err)
		}
		d.discord.failing(func(request string) error {
			if strings.Contains(request, " by ") {
				return nil
			}
			return bot.ErrForbidden
		})
		d.commands.Redraw.Poke(id)
		return d, id, token
	}
	t.Run("by the bot is drawn by the newest interaction's token", func(t *testing.T) {
		d, _, token := start(t)
		own, other := "edit "+channel+"/"+d.board.id, "edit "+d.board.id+" by "+token
		if got, want := d.flush(), []string{own, other}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		if got := d.behind(); got != nil {
			t.Errorf("still behind: %q", got)
		}
	})
	t.Run("by anybody stays behind, and is drawn once it may be", func(t *testing.T) {
		d, id, _ := start(t)
		own := []string{"edit " + channel + "/" + d.board.id}
		d.now = d.now.Add(bot.TokenLife)
		if got := d.flush(); !cmp.Equal(got, own) {
			t.Errorf("asked for %q", got)
		}
		if got := d.behind(); !slices.Contains(got, id) {
			t.Errorf("it is taken for shown: %+v", d.shown(id))
		}
		d.discord.failing(nil)
		d.commands.Redraw.Poke(id)
		if got := d.flush(); !cmp.Equal(got, own) {
			t.Errorf("asked for %q", got)
		}
		if got := d.behind(); got != nil {
			t.Errorf("still behind: %q", got)
		}
	})
	t.Run("is no failure that is tried again and again", func(t *testing.T) {
		d, _, _ := start(t)
		d.now = d.now.Add(bot.TokenLife)
		d.flush()
		if got := d.discord.log.String(); got != "" {
			t.Error(got)
		}
	})
	t.Run("because its token does not work any more is not taken for deleted", func(t *testing.T) {
		d, id, _ := start(t)
		d.discord.failing(func(request string) error {
			if strings.Contains(request, " by ") {
				return bot.ErrMessageGone
			}
			return bot.ErrForbidden
		})
		if got := d.flush(); len(got) != 2 {
			t.Errorf("asked for %q", got)
		}
		if got := d.behind(); !slices.Contains(got, id) {
			t.Errorf("it is taken for shown: %+v", d.shown(id))
		}
	})
}

// TestRestoreLosesNoTimeWithWhatIsOutOfReach: boards of guests stay behind for ever, and there may be many.
func TestRestoreLosesNoTimeWithWhatIsOutOfReach(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		var want []string
		for i := range 9 {
			if d.place = asGuest; i == 8 {
				d.place = inServer
			}
			d.run(alice, "ai", "first=me")
			id := match.ID(d.id())
			want = []string{"edit " + channel + "/" + d.board.id}
			d.flush()
			if _, err := d.commands.Referee.Resign(t.Context(), match.Request{ID: "x", By: alice, At: d.now}, id, 0); err != nil {
				t.Fatal(err)
			}
		}
		d.now = d.now.Add(time.Hour)
		d.work()
		d.commands.Redraw.Restore(match.Part{})
		later(commands.SettleTime)
		d.asked(want...)
	})
}

func TestABoardThatCannotBeDrawnIsTriedAFewTimes(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.work()
		d.started()
		id := match.ID(d.id())
		later(time.Second)
		d.expire(id)
		d.discord.failing(func(string) error { return bot.ErrRateLimited })
		d.commands.Redraw.Poke(id)
		later(time.Hour)
		if got := d.discord.take(); len(got) != commands.MaxTries {
			t.Errorf("%d tries", len(got))
		}
		if got := d.discord.log.String(); strings.Count(got, "will be tried again") != commands.MaxTries-1 || !strings.Contains(got, "left to its next click") {
			t.Error(got)
		}
		d.discord.failing(nil)
		d.commands.Redraw.Restore(match.Part{})
		later(time.Minute)
		d.asked("edit " + channel + "/" + d.board.id)
	})
}

func TestABoardWhoseDrawingPanicsStopsNobody(t *testing.T) {
	d := newDesk(t)
	d.run(alice, "ai", "first=me")
	first := match.ID(d.id())
	d.flush()
	broken := "edit " + channel + "/" + d.board.id
	d.run(bob, "ai", "first=me")
	second := match.ID(d.id())
	d.flush()
	for _, id := range []match.ID{first, second} {
		d.expire(id)
		d.commands.Redraw.Poke(id)
	}
	d.discord.during = func(request string) {
		if request == broken {
			panic("cannot be drawn")
		}
	}
	if got, want := d.flush(), []string{broken, "edit " + channel + "/" + d.board.id}; !cmp.Equal(got, want) {
		t.Errorf("asked for %q", got)
	}
	if got := d.discord.log.String(); !strings.Contains(got, "panic: cannot be drawn") || !strings.Contains(got, "redraw_test.go") {
		t.Error(got)
	}
}

// panicking is a store that fails where an answer is worded.
type panicking struct{ match.Store }

func (panicking) Names(context.Context, ...match.Player) (map[match.Player]string, error) {
	panic("no names")
}

func TestWhatAPanicKeepsOutOfTheAnswerFollows(t *testing.T) {
	d := newDesk(t)
	d.started()
	d.flush()
	move := d.button(d.board.components, "b2")
	func() {
		defer func() { recover() }() // as the dispatcher does
		d.commands.Matches = panicking{d.store}
		d.click(alice, move)
		t.Error("nothing panics")
	}()
	if got, want := d.flush(), []string{"edit " + channel + "/" + d.board.id}; !cmp.Equal(got, want) {
		t.Errorf("asked for %q", got)
	}
	if says := d.discord.says(d.board.id); !strings.Contains(says, ".../.X./...") {
		t.Error(says)
	}
}

func TestABoardIsTriedAgainEvenWhileOthersAreBusy(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.work()
		d.started()
		id, m := match.ID(d.id()), d.board.id
		later(time.Second)
		d.expire(id)
		failed := false
		d.discord.failing(func(string) error {
			if !failed {
				failed = true
				return errors.New("connection reset")
			}
			return nil
		})
		d.commands.Redraw.Poke(id)
		for range 20 { // somebody clicks every second
			later(time.Second)
			d.commands.Redraw.Poke("elsewhere")
		}
		if diff := cmp.Diff([]string{"edit " + channel + "/" + m, "edit " + channel + "/" + m}, d.discord.take()); diff != "" {
			t.Error(diff)
		}
		if strings.Contains(d.discord.log.String(), "token-of") {
			t.Error("a token is in the log")
		}
	})
}

func TestAClickDuringARedrawWins(t *testing.T) {
	d := newDesk(t)
	d.started()
	id := match.ID(d.id())
	d.flush()
	// A move that Discord was never told of, and while it is drawn, another by a click.
	first := d.button(d.board.components, "b2")
	d.undelivered = errors.New("no connection")
	d.click(alice, first)
	second := strings.Replace(first, ":0:b2", ":1:a1", 1)
	clicked := false
	d.discord.during = func(string) {
		if !clicked {
			clicked = true
			d.click(bob, second)
		}
	}
	got := d.flush()
	if want := []string{"edit " + channel + "/" + d.board.id, "edit " + channel + "/" + d.board.id}; !cmp.Equal(got, want) {
		t.Errorf("asked for %q", got)
	}
	if says := d.discord.says(d.board.id); !strings.Contains(says, "O../.X./...") {
		t.Error(says)
	}
	if d.shown(id).Shown != 5 {
		t.Errorf("%+v", d.shown(id))
	}
}

func TestAnEditShowsWhatIsNewestWhenItIsSent(t *testing.T) {
	d := newDesk(t)
	d.started()
	d.flush()
	first := d.button(d.board.components, "b2")
	d.undelivered = errors.New("no connection")
	d.click(alice, first)
	d.discord.waiting = func() { // for a rate limit
		d.discord.waiting = nil
		d.click(bob, strings.Replace(first, ":0:b2", ":1:a1", 1))
	}
	if got, want := d.flush(), []string{"edit " + channel + "/" + d.board.id}; !cmp.Equal(got, want) {
		t.Errorf("asked for %q", got)
	}
	if says := d.discord.says(d.board.id); !strings.Contains(says, "O../.X./...") {
		t.Error(says)
	}
}

// another is the redrawer of another process on the same store: later, or beside this one.
func (d *desk) another() *commands.Redrawer { return commands.NewRedrawer(d.commands.Redraw.Sources) }

// TestAKillAfterAnOldEditLandedOnANewerBoard: a click has redrawn the board while an edit of it was under way, and its
// receipt is written before that edit lands; then the process that edits is killed.
func TestAKillAfterAnOldEditLandedOnANewerBoard(t *testing.T) {
	for name, beside := range map[string]bool{"by the process that answers the click": false, "by another": true} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.started()
			d.flush()
			first := d.button(d.board.components, "b2")
			d.undelivered = errors.New("no connection")
			d.click(alice, first)
			killed, kill := context.WithCancel(t.Context())
			editing := d.commands.Redraw
			d.discord.during = func(string) {
				d.discord.during = nil
				if beside {
					d.commands.Redraw = d.another()
				}
				d.click(bob, strings.Replace(first, ":0:b2", ":1:a1", 1))
				if err := d.commands.Redraw.Record(t.Context()); err != nil {
					t.Error(err)
				}
				kill()
			}
			editing.Flush(killed)
			id := match.ID(d.id())
			if says := d.discord.says(d.board.id); !strings.Contains(says, ".../.X./...") || d.shown(id).Shown != 5 {
				t.Fatalf("the old edit did not land on top: %s, %+v", says, d.shown(id))
			}
			if got := d.behind(); !slices.Contains(got, id) {
				t.Error("nobody knows that the board is old")
			}
			d.commands.Redraw = d.another()
			d.commands.Redraw.Poke(id)
			d.flush()
			if says := d.discord.says(d.board.id); !strings.Contains(says, "O../.X./...") || d.behind() != nil {
				t.Error(says, d.behind())
			}
		})
	}
}

// TestTwoProcessesDrawOneBoard: the older edit lands last.
func TestTwoProcessesDrawOneBoard(t *testing.T) {
	d := newDesk(t)
	d.started()
	d.flush()
	first := d.button(d.board.components, "b2")
	d.undelivered = errors.New("no connection")
	d.click(alice, first)
	slow := d.commands.Redraw
	d.discord.during = func(string) {
		d.discord.during = nil
		d.commands.Redraw = d.another()
		d.click(bob, strings.Replace(first, ":0:b2", ":1:a1", 1))
		d.commands.Redraw.Flush(t.Context())
	}
	slow.Flush(t.Context())
	if says := d.discord.says(d.board.id); !strings.Contains(says, "O../.X./...") || d.behind() != nil {
		t.Error(says, d.behind())
	}
}

// TestAReplyThatMayStillBeUnderWay: a board was drawn while the reply to the newest click had no receipt, and that reply
// showed less.
func TestAReplyThatMayStillBeUnderWay(t *testing.T) {
	start := func(t *testing.T, d *desk) match.ID {
		d.started()
		d.flush()
		ours := d.commands.Redraw
		d.commands.Redraw = d.another() // whose receipts nobody gets
		d.press(alice, "b2")
		d.commands.Redraw = ours
		id := match.ID(d.id())
		if _, err := d.commands.Referee.Resign(t.Context(), match.Request{ID: "x", By: alice, At: d.now}, id, 1); err != nil {
			t.Fatal(err)
		}
		d.commands.Redraw.Poke(id)
		return id
	}
	t.Run("leaves the board behind, for whoever comes after a kill", func(t *testing.T) {
		d := newDesk(t)
		id := start(t, d)
		d.flush()
		if got := d.behind(); !slices.Contains(got, id) {
			t.Errorf("%+v", d.shown(id))
		}
		d.commands.Redraw = d.another()
		d.commands.Redraw.Poke(id)
		if got := d.flush(); len(got) != 1 || d.behind() != nil {
			t.Errorf("asked for %q, %+v", got, d.shown(id))
		}
	})
	t.Run("is given time to land, and then the board is drawn once more", func(t *testing.T) {
		bubble(t, func(t *testing.T, d *desk) {
			start(t, d)
			d.work()
			later(time.Hour)
			edit := "edit " + channel + "/" + d.board.id
			d.asked(edit, edit)
			if got := d.behind(); got != nil {
				t.Errorf("still behind: %q", got)
			}
		})
	})
	t.Run("is not thought of when the click was long ago", func(t *testing.T) {
		d := newDesk(t)
		start(t, d)
		d.now = d.now.Add(time.Minute)
		if got := d.flush(); len(got) != 1 || d.behind() != nil {
			t.Errorf("asked for %q, behind %q", got, d.behind())
		}
	})
}

// TestAnEditThatMovedAway: the board is asked for elsewhere while an edit waits to be sent.
func TestAnEditThatMovedAway(t *testing.T) {
	d := newDesk(t)
	d.run(alice, "ai", "first=me")
	old, id := d.board.id, match.ID(d.id())
	d.flush()
	if _, err := d.store.GiveBack(t.Context(), match.Part{}, d.now, time.Minute); err != nil {
		t.Fatal(err)
	}
	d.discord.waiting = func() {
		d.discord.waiting = nil
		d.show(alice)
	}
	d.commands.Redraw.Poke(id)
	if got := d.flush(); got != nil {
		t.Errorf("asked for %q", got)
	}
	if got, want := d.flush(), []string{"edit " + channel + "/" + old}; !cmp.Equal(got, want) {
		t.Errorf("asked for %q", got)
	}
	if says := d.discord.says(old); !strings.Contains(says, "/"+d.board.id+")") || d.behind() != nil {
		t.Error(says, d.behind())
	}
}

// TestAReplyThatLandsAfterANewerBoard: a slow callback has put an older board over the one drawn here.
func TestAReplyThatLandsAfterANewerBoard(t *testing.T) {
	d := newDesk(t)
	d.started()
	id, message := match.ID(d.id()), d.board.id
	d.flush()
	stale := d.commands.Redraw.Delivered(id, 3)
	d.expire(id)
	d.commands.Redraw.Poke(id)
	d.flush()
	stale(bot.Receipt{Message: message, Channel: channel})
	if got, want := d.flush(), []string{"edit " + channel + "/" + message}; !cmp.Equal(got, want) {
		t.Errorf("asked for %q", got)
	}
	if d.shown(id).Shown != 4 {
		t.Errorf("%+v", d.shown(id))
	}
	d.commands.Redraw.Poke(id)
	if got := d.flush(); got != nil {
		t.Errorf("asked for %q", got)
	}
}

func TestFlushReturnsWhenItIsDrawn(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.work()
		d.started()
		id := match.ID(d.id())
		later(time.Second)
		d.expire(id)
		d.commands.Redraw.Poke(id)
		began := time.Now()
		d.commands.Redraw.Flush(t.Context())
		d.asked("edit " + channel + "/" + d.board.id)
		if time.Since(began) != 0 {
			t.Error("it took", time.Since(began))
		}
	})
}

func TestRestoreDrawsOneBoardASecond(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		var wanted []string
		for range 4 {
			d.run(alice, "ai", "first=me")
			id := match.ID(d.id())
			wanted = append(wanted, "edit "+channel+"/"+d.board.id)
			d.flush()
			if _, err := d.commands.Referee.Resign(t.Context(), match.Request{ID: "x", By: alice, At: d.now}, id, 0); err != nil {
				t.Fatal(err)
			}
		}
		d.run(bob, "ai") // and one that is true
		d.flush()
		d.now = d.now.Add(time.Minute)
		var at []time.Duration
		began := time.Now()
		d.discord.during = func(string) { at = append(at, time.Since(began)) }
		stop := d.work()
		d.commands.Redraw.Restore(match.Part{})
		later(time.Minute)
		stop()
		d.asked(wanted...)
		for i, got := range at {
			if want := commands.SettleTime + time.Duration(i)*commands.RestorePace; got != want {
				t.Errorf("board %d after %v, want %v", i, got, want)
			}
		}
	})
}

func TestRestoreLeavesAloneWhatIsBeingAnswered(t *testing.T) {
	for name, tt := range map[string]struct{ underWay, before, after time.Duration }{
		"by this process": {0, 0, time.Second},
		"by another one":  {20 * time.Second, 10 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				lost := func() match.ID {
					d.undelivered = bot.ErrLate
					d.board = nil
					d.run(alice, "ai", "first=me")
					open, err := d.store.OpenMatches(t.Context(), alice)
					if err != nil {
						t.Fatal(err)
					}
					return open[len(open)-1].ID
				}
				// One was created before the bot came back and nobody will show it; of the other the reply is on its way.
				sources := d.commands.Redraw.Sources
				sources.UnderWay = tt.underWay
				restorer := commands.NewRedrawer(sources)
				before := lost()
				d.now = d.now.Add(time.Minute)
				if tt.after > 0 {
					restorer.Restore(match.Part{})
					d.now = d.now.Add(tt.after)
				}
				d.commands.Redraw = commands.NewRedrawer(sources)
				during := lost()
				if tt.before > 0 {
					d.now = d.now.Add(tt.before)
					restorer.Restore(match.Part{})
				}
				d.commands.Redraw = restorer
				d.work()
				later(time.Minute)
				if b := d.shown(before); b.Shown != 1 {
					t.Errorf("%+v", b)
				}
				if b := d.shown(during); b.Shown != 0 {
					t.Errorf("a reply on its way was overtaken: %q", d.discord.take())
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

func TestWhatIsShownNowhereIsNotDrawn(t *testing.T) {
	d := newDesk(t)
	d.commands.Redraw.Poke("zz")
	d.save(board.Sighting{ID: "orphan", Channel: channel, Message: "1", Member: true})
	d.commands.Redraw.Poke("orphan")
	if got := d.flush(); got != nil || d.discord.log.String() != "" {
		t.Errorf("%q, log %s", got, d.discord.log.String())
	}
}

// mentions

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
		{"and no second time", func() { d.commands.Redraw.Poke(match.ID(d.id())) }, nil},
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
			if says := d.discord.says("7001"); !strings.Contains(says, "<@"+alice+">") || !strings.Contains(says, "/"+d.board.id+")") || !strings.Contains(says, "Turn mentions off") {
				t.Error(says)
			}
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
		"while the challenge is pending": func(d *desk) { d.run(alice, "challenge", "opponent="+bob, "clock=24h") },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			start(d)
			if got := d.flush(); got != nil {
				t.Errorf("asked for %q", got)
			}
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
		if got := d.flush(); !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		d.click(alice, "mentions:on")
		d.press(bob, "a1")
		if got := d.flush(); !slices.Contains(got, "post to "+channel+" in reply to "+d.board.id+" pinging "+alice) {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestAMentionThatFails(t *testing.T) {
	post := func(err error) func(string) error {
		return func(request string) error {
			if strings.HasPrefix(request, "post") {
				return err
			}
			return nil
		}
	}
	t.Run("is not tried again: nobody is called twice for one turn", func(t *testing.T) {
		for _, why := range []error{bot.ErrForbidden, bot.ErrMessageGone, errors.New("timeout")} {
			d := newDesk(t)
			d.started("clock=1h")
			d.discord.failing(post(why))
			first := d.flush()
			d.discord.failing(nil)
			d.commands.Redraw.Poke(match.ID(d.id()))
			if again := d.flush(); len(first) != 1 || again != nil {
				t.Errorf("%v: %q, then %q", why, first, again)
			}
		}
	})
	t.Run("because Discord asks to wait is tried again: nobody was called", func(t *testing.T) {
		d := newDesk(t)
		d.started("clock=1h")
		d.discord.failing(post(bot.ErrRateLimited))
		want := []string{"post to " + channel + " in reply to " + d.board.id + " pinging " + alice}
		if got := d.flush(); !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		d.discord.failing(nil)
		d.commands.Redraw.Poke(match.ID(d.id()))
		if got := d.flush(); !cmp.Equal(got, want) {
			t.Errorf("then asked for %q", got)
		}
		if b := d.shown(match.ID(d.id())); b.Mention != (board.Mention{Ply: 1, Message: "7001"}) {
			t.Errorf("%+v", b.Mention)
		}
	})
	t.Run("to go is tried again", func(t *testing.T) {
		d := newDesk(t)
		d.started("clock=1h")
		d.flush()
		d.press(alice, "b2")
		d.discord.failing(func(string) error { return errors.New("timeout") })
		if got, want := d.flush(), []string{"delete " + channel + "/7001"}; !cmp.Equal(got, want) {
			t.Errorf("asked for %q", got)
		}
		d.discord.failing(nil)
		d.commands.Redraw.Poke(match.ID(d.id()))
		if got := d.flush(); len(got) != 2 || got[0] != "delete "+channel+"/7001" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("to go because it is gone already is no failure", func(t *testing.T) {
		d := newDesk(t)
		d.started("clock=1h")
		d.flush()
		d.press(alice, "b2")
		d.discord.failing(func(request string) error {
			if strings.HasPrefix(request, "delete") {
				return bot.ErrMessageGone
			}
			return nil
		})
		if got := d.flush(); len(got) != 2 || !strings.HasPrefix(got[1], "post") {
			t.Errorf("asked for %q", got)
		}
	})
}
