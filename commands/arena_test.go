package commands_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

// asksForArena opens the form of a new arena as carol, who is a moderator.
func (d *desk) asksForArena(options ...string) bot.Reply {
	d.t.Helper()
	d.place = inCharge
	return d.run(carol, "arena", options...)
}

// announces has carol announce an arena, with texts and choices that differ from a usual one.
func (d *desk) announces(typed ...string) bot.Reply {
	d.t.Helper()
	d.place = inCharge
	return d.submitsArena(carol, "newarena:casual", typed...)
}

func (d *desk) submitsArena(by, form string, typed ...string) bot.Reply {
	d.t.Helper()
	d.routes["modal newarena"] = true
	in := d.interaction(by, discordgo.InteractionModalSubmit, discordgo.ModalSubmitInteractionData{CustomID: form})
	in.Inputs = map[string]string{"board": "drop", "lasts": "20m0s", "clock": "30s", "starts": "5", "name": "Friday *fun*"}
	for pair := range slices.Chunk(typed, 2) {
		in.Inputs[pair[0]] = pair[1]
	}
	return d.handle(in)
}

// announced returns a desk with an arena, and players who act in the channel of it.
func (d *desk) announced() {
	d.t.Helper()
	d.announces()
	d.place = inServer
}

// arena returns the open arena of the desk's channel.
func (d *desk) arena() arena.Arena {
	d.t.Helper()
	a, err := d.store.OpenArena(d.t.Context(), guild, channel)
	if err != nil {
		d.t.Fatal(err)
	}
	return a
}

// callsOff presses the button of the standings that calls the arena off, and confirms it.
func (d *desk) callsOff(by string) bot.Reply {
	d.t.Helper()
	d.press(by, "Standings")
	return d.fillIn(by, d.turn(by, "Call it off").Modal.CustomID)
}

// arenaRuled returns the page on which carol sees the arena as a moderator.
func (d *desk) arenaRuled() bot.Reply {
	d.t.Helper()
	d.announced()
	d.press(alice, "Join")
	d.press(bob, "Join")
	d.opened()
	d.turn(carol, "Arenas")
	return d.pick("pickarena", string(d.arena().ID))
}

// removes picks people in the menu that removes an entrant.
func (d *desk) removes(who string) bot.Reply {
	d.t.Helper()
	d.routes["component entrant"] = true
	in := d.interaction(carol, discordgo.InteractionMessageComponent, discordgo.MessageComponentInteractionData{
		CustomID: "entrant:" + string(d.arena().ID), ComponentType: discordgo.UserSelectMenuComponent, Values: []string{who},
		Resolved: discordgo.MessageComponentInteractionDataResolved{Users: resolved(who).Users},
	})
	d.line.clicked(d, in)
	return d.handle(in)
}

func TestWhenAnArenaStarts(t *testing.T) {
	now := noon.Add(30 * time.Second)
	for _, c := range []struct {
		typed string
		want  time.Time // zero if it is refused
	}{
		{"1", now.Add(time.Minute)}, {" 30 ", now.Add(30 * time.Minute)}, {"0", time.Time{}}, {"31", time.Time{}}, {"-1", time.Time{}},
		{"18:00", noon.Add(6 * time.Hour)}, {"9:05", noon.Add(21*time.Hour + 5*time.Minute)},
		{"12:01", noon.Add(24*time.Hour + time.Minute)}, // in less than a minute, so tomorrow
		{"24:00", time.Time{}}, {noon.Add(48 * time.Hour).Format("2006-01-02 15:04"), noon.Add(48 * time.Hour)},
		{noon.Add(8 * 24 * time.Hour).Format("2006-01-02 15:04"), time.Time{}}, {"2020-01-01 00:00", time.Time{}},
		{"tomorrow", time.Time{}}, {"", time.Time{}},
	} {
		t.Run(c.typed, func(t *testing.T) {
			d := newDesk(t)
			d.setNow(now)
			reply := d.announces("starts", c.typed)
			if c.want.IsZero() {
				if !reply.Private || !strings.Contains(text(reply.Components), "I can't start it at") {
					t.Errorf("the answer is %s", text(reply.Components))
				}
				return
			}
			if a := d.arena(); !a.Begins.Equal(c.want) {
				t.Errorf("it starts at %v, want %v", a.Begins, c.want)
			}
		})
	}
}

func TestWhoMayStartAnArena(t *testing.T) {
	d := newDesk(t)
	if reply := d.run(alice, "arena"); !strings.Contains(text(reply.Components), "moderators start arenas") {
		t.Errorf("a player may: %s", text(reply.Components))
	}
	if reply := d.submitsArena(alice, "newarena:rated"); !strings.Contains(text(reply.Components), "moderators start arenas") {
		t.Errorf("a player may submit the form: %s", text(reply.Components))
	}
	d.opened()
	d.turn(carol, "Arenas")
	d.turn(carol, "Let anyone start arenas")
	d.place = inServer
	if reply := d.run(alice, "arena"); reply.Kind != bot.Ask {
		t.Errorf("a player may not: %s", text(reply.Components))
	}
}

func TestTheMessageOfAnArena(t *testing.T) {
	// paced runs a test in which the pauses between drawings of an arena take no time.
	paced := func(name string, test func(t *testing.T)) {
		t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
	}
	paced("gets a thread, and says so", func(t *testing.T) {
		d := newDesk(t)
		d.announced()
		message := d.board.id
		d.flushes(`thread "🏟️ Friday *fun*" from `+channel+"/"+message, d.edit())
		if a := d.arena(); a.Message != message || a.Thread != message {
			t.Errorf("the message is %q, the thread %q", a.Message, a.Thread)
		}
		if said := d.discord.says(message); !strings.Contains(said, "Boards appear in <#"+message+">") {
			t.Errorf("it says %s", said)
		}
	})
	paced("names the channel where no thread can be made", func(t *testing.T) {
		d := newDesk(t)
		d.announced()
		d.discord.failing(only("thread", messages.ErrForbidden))
		d.flush()
		if a := d.arena(); a.Thread != "" || a.Place() != channel {
			t.Errorf("the thread is %q", a.Thread)
		}
	})
	paced("is posted anew by the command if it was deleted twice", func(t *testing.T) {
		d := newDesk(t)
		d.announced()
		d.flush()
		d.discord.failing(only("edit", messages.ErrGone))
		d.press(alice, "Join")
		d.flush()
		d.press(bob, "Join")
		d.flush()
		d.discord.failing(nil)
		reply := d.run(bob, "arena")
		if reply.Private || !strings.Contains(text(reply.Components), "2 players") {
			t.Errorf("the answer is %s", text(reply.Components))
		}
	})
	paced("is not mistaken for the board of a game, which has buttons of the arena too", func(t *testing.T) {
		d := newDesk(t)
		d.undelivered, d.board = rest.ErrLate, nil
		d.announced()
		d.discord.original = func(o *messages.Sent) { o.Flags |= discordgo.MessageFlagsEphemeral } // the private line before a follow-up
		join := "arena:" + string(d.arena().ID) + ":join"
		d.discord.recent = []messages.Sent{{ID: "1", Carried: []string{join, "review:77"}}, {ID: "2", Carried: []string{join}}}
		d.flush()
		if b := d.shown(d.arena().ID); b.Message != "2" {
			t.Errorf("the message is %q", b.Message)
		}
	})
	paced("is in another channel than the next arena", func(t *testing.T) {
		d := newDesk(t)
		d.announced()
		reply := d.announces("name", "another")
		if !reply.Private || !strings.Contains(text(reply.Components), "There's an arena in this channel already") {
			t.Errorf("the answer is %s", text(reply.Components))
		}
	})
}

func TestALongNameIsCutWhenTheFormComesAgain(t *testing.T) {
	d := newDesk(t)
	d.announces("starts", "kurz nach sechs!", "name", strings.Repeat("ü", arena.MaxName))
	form := d.turn(carol, "Try again")
	for _, want := range []string{"kurz nach sechs!", strings.Repeat("ü", 15)} {
		if said, err := json.Marshal(form.Modal.Components); err != nil || !strings.Contains(string(said), want) {
			t.Errorf("the form lacks %q: %s, %v", want, said, err)
		}
	}
}

func TestTheEndOfAnArenaIsPostedOnce(t *testing.T) { synctest.Test(t, testEndOfArena) }

func testEndOfArena(t *testing.T) {
	d := newDesk(t)
	d.announced()
	d.press(alice, "Join")
	d.press(bob, "Join")
	d.flush()
	m := d.pairs(alice, bob)
	d.commands.Redraw.Enqueue(m.ID)
	d.flush()
	a, limited := d.arena(), true
	d.discord.failing(func(request string) error {
		if strings.HasPrefix(request, "post to "+a.Thread) && limited {
			limited = false
			return messages.ErrRateLimited
		}
		return nil
	})
	d.place = inCharge
	d.callsOff(carol)
	var posts, edits int
	for range 3 {
		for _, request := range d.flush() {
			if request == "post to "+a.Thread {
				posts++
			}
			if strings.HasSuffix(request, "/"+d.shown(m.ID).Message) {
				edits++
			}
		}
		d.commands.Redraw.Enqueue(a.ID)
	}
	if posts != 2 || edits == 0 { // the first attempt met a rate limit
		t.Errorf("the end was posted %d times, and the last board drawn %d times", posts, edits)
	}
	if said := d.discord.says(d.shown(m.ID).Message); !strings.Contains(said, "The arena is over: this match doesn't count for it.") {
		t.Errorf("the board says %s", said)
	}
}

func TestABoardLeavesAThreadThatIsClosed(t *testing.T) { synctest.Test(t, testClosedThread) }

func testClosedThread(t *testing.T) {
	d := newDesk(t)
	d.announced()
	d.flush()
	m := d.pairs(alice, bob)
	d.discord.failing(only("post to "+d.arena().Thread, messages.ErrForbidden))
	d.commands.Redraw.Enqueue(m.ID)
	d.flush()
	if b := d.shown(m.ID); b.Channel != channel || b.Message == "" {
		t.Errorf("the board is in %s, message %q", b.Channel, b.Message)
	}
	if a := d.arena(); a.Thread != "" {
		t.Errorf("the next boards go to %s", a.Place())
	}
}

// pairs saves a match of an arena between two players, as a runner of arenas does.
func (d *desk) pairs(x, o match.User) match.Match {
	d.t.Helper()
	a := d.arena()
	next, games := a.Paired([]match.Seats{{match.Human(x), match.Human(o)}}, d.now())
	m := games[0]
	err := d.store.Save(d.t.Context(), match.Save{
		Matches: []match.MatchChange{{To: m}},
		Extras: []match.Extra{
			arena.Change{From: a, To: next},
			board.Reference{ID: m.ID, Guild: guild, Channel: a.Place(), Member: true, Locale: "en-US"},
		},
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return m
}
