package commands_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/show/locale"
)

func TestABoardIsShownWhereAPlayerAsks(t *testing.T) {
	lounge := inServer
	lounge.channel = "5009"

	t.Run("the old message says where the board is", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		old := *d.board
		d.flush()
		d.place = lounge
		if r := d.show(bob); r.Kind != bot.Post || r.Private || len(r.Ping) > 0 {
			t.Errorf("%+v", r)
		}
		d.flushes("edit " + channel + "/" + old.id)
		link := "https://discord.com/channels/" + guild + "/5009/" + d.board.id
		if says := d.discord.says(old.id); !strings.Contains(says, link) || strings.Contains(says, "Resign") {
			t.Error(says)
		}
		if b := d.shown(d.id()); b.Channel != "5009" || b.Message != d.board.id || b.Past != (board.Place{}) {
			t.Errorf("%+v", b)
		}
		d.poke(d.id())
		d.flushes()
		d.press(alice, "b2")
		if marks(d.board.components) != ".../.X./..." {
			t.Error(marks(d.board.components))
		}
	})
	t.Run("the old message was deleted", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		d.flush()
		d.show(alice)
		d.discord.failing(gone)
		d.flush()
		if b := d.shown(d.id()); b.Message != d.board.id || b.Past != (board.Place{}) {
			t.Errorf("%+v", b)
		}
	})
	t.Run("only once if the click is delivered twice", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		d.run(alice, "games")
		in := d.clicking(alice, d.line, d.button(d.line.components, "Show it here"))
		first := d.handle(in)
		shown := d.board.id
		d.flush()
		if again, err := d.commands.Handle(t.Context(), in); err != nil || text(again.Components) != text(first.Components) {
			t.Error(again, err)
		} else {
			again.Sent(messages.Receipt{Err: rest.ErrAlreadyAnswered})
		}
		if got := d.flush(); got != nil || d.shown(d.id()).Message != shown {
			t.Errorf("asked for %q, %+v", got, d.shown(d.id()))
		}
	})
	t.Run("after a lost reply the old message does not count", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		old, id := d.board.id, d.id()
		d.flush()
		d.run(alice, "games")
		d.undelivered = rest.ErrLate
		d.clickOn(alice, d.line, d.button(d.line.components, "Show it here"))
		d.discord.original = func(o *messages.Sent) {
			*o = messages.Sent{ID: d.line.id, Flags: discordgo.MessageFlagsEphemeral, Carried: []string{"show:" + string(id)}}
		}
		d.discord.recent = []messages.Sent{{ID: old, Carried: []string{"resign:" + string(id) + ":0"}}}
		got := d.flush()
		if want := []string{"latest in " + channel, "post to " + channel, "edit " + channel + "/" + old}; len(got) != 4 || !cmp.Equal(got[1:], want) {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("together with the mention of a slow match, which notifies no player twice", func(t *testing.T) {
		d := newCallingDesk(t)
		d.started("clock=1h")
		old := d.board.id
		d.flush()
		d.place = lounge
		d.show(alice)
		d.flushes("edit "+channel+"/"+old, "delete "+channel+"/7001")
	})
	t.Run("the board moves within the same chat after its tokens have expired", func(t *testing.T) {
		d := newDesk(t)
		d.place = inPrivate
		d.started("clock=24h")
		old, id := *d.board, d.id()
		d.flush()
		d.advance(time.Hour)
		d.show(bob)
		d.flushes()
		// The old message could not be edited, so a click on it shows the new place.
		r := d.clickOn(alice, &old, d.button(old.components, "b2"))
		if said := text(r.Components); r.Kind != bot.Update || !strings.Contains(said, "This board has moved") {
			t.Error(said)
		}
		if m, err := d.store.Match(t.Context(), id); err != nil || m.Record.Len() != 0 {
			t.Error(m, err)
		}
	})
	t.Run("anywhere for a match against the computer", func(t *testing.T) {
		d := newDesk(t)
		d.run(alice, "ai", "first=me")
		d.place = inBotDM
		if r := d.show(alice); r.Private {
			t.Error(text(r.Components))
		}
		if r := d.press(alice, "b2"); r.Kind != bot.Update {
			t.Error(text(r.Components))
		}
	})
	t.Run("no move to a place where the opponent may not find the board", func(t *testing.T) {
		for name, elsewhere := range map[string]place{"another server": {guild: "4002", channel: "5", installed: true}, "direct messages": inBotDM, "a silent place": asSilent} {
			d := newDesk(t)
			d.started()
			d.flush()
			d.place = elsewhere
			if said := text(d.show(alice).Components); !strings.Contains(said, "Your opponent might not find") {
				t.Errorf("%s: %s", name, said)
			}
			if b := d.shown(d.id()); b.Channel != channel || b.Message != d.board.id {
				t.Errorf("%s: %+v", name, b)
			}
		}
	})
	t.Run("no move to a channel where the server wants no matches", func(t *testing.T) {
		for name, begin := range map[string]func(*desk){"of two people": func(d *desk) { d.started() }, "against the computer": func(d *desk) { d.run(alice, "ai", "first=me") }} {
			d := newDesk(t)
			d.opened()
			d.pick("policy:places", channel, "5010")
			d.place = inServer
			begin(d)
			d.flush()
			at := d.shown(d.id())
			d.place = lounge
			if said := text(d.show(alice).Components); !strings.Contains(said, "<#5010>") {
				t.Errorf("%s: %s", name, said)
			}
			if b := d.shown(d.id()); !cmp.Equal(b, at) {
				t.Errorf("%s: %+v", name, b)
			}
			d.place = lounge
			d.place.channel = "5010"
			if r := d.show(alice); r.Private {
				t.Errorf("%s, in an allowed channel: %s", name, text(r.Components))
			}
		}
	})
}

// TestAStaleClickOnAnOldMessageBringsNoBoardBack tests that a moved board is not drawn in its old message again, because then two
// boards would show different states.
func TestAStaleClickOnAnOldMessageBringsNoBoardBack(t *testing.T) {
	d := newDesk(t)
	d.started()
	old := *d.board
	d.show(alice)
	d.flush()
	d.press(alice, "b2")
	d.flush()
	if said := text(d.clickOn(alice, &old, d.button(old.components, "a1")).Components); !strings.Contains(said, "This board has moved") {
		t.Error(said)
	}
}

// bilingual returns a book with a second language, in which only the texts of these tests are translated.
func bilingual(t *testing.T) *locale.Book {
	t.Helper()
	english, err := os.ReadFile("../internal/show/locale/texts/en.json")
	if err != nil {
		t.Fatal(err)
	}
	book, err := locale.ReadBook(fstest.MapFS{
		"en.json": {Data: english},
		"de.json": {Data: []byte(`{"action.resign": "Aufgeben", "action.rematch": "Revanche", "mention.start.you": "{{.Player}}, du bist dran.", "moved": "Nun dort: {{.Link}}"}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func TestABoardKeepsItsLanguage(t *testing.T) {
	start := func(t *testing.T, p place, server, person discordgo.Locale) *desk {
		d := newCallingDesk(t)
		d.place, d.server, d.person = p, server, person
		d.commands.Book = bilingual(t)
		painter := d.commands.Redraw.Painter.(commands.Painter)
		painter.Book = d.commands.Book
		d.commands.Redraw.Painter = painter
		return d
	}
	t.Run("in a server it is the server's language, after clicks of any user and without clicks", func(t *testing.T) {
		d := start(t, inServer, discordgo.German, discordgo.EnglishUS)
		d.started("clock=1h")
		id := d.id()
		d.flush()
		if got := labels(d.board.components); got != "Aufgeben" {
			t.Error(got)
		}
		d.says("7001", "du bist dran")
		d.expire(id)
		d.poke(id)
		d.flush()
		d.says(d.board.id, "Revanche")
	})
	t.Run("in a server it is never the language of one user", func(t *testing.T) {
		d := start(t, inServer, discordgo.Japanese, discordgo.German) // a server whose language the bot does not have
		d.started()
		if got := labels(d.board.components); got != "Resign" {
			t.Error(got)
		}
	})
	t.Run("elsewhere it is the challenger's language, even after clicks of the other player", func(t *testing.T) {
		d := start(t, inPrivate, "", discordgo.German)
		d.challenge("first=me")
		d.flush()
		d.person = discordgo.EnglishUS
		d.press(bob, "Accept")
		if got := labels(d.board.components); got != "Aufgeben" {
			t.Error(got)
		}
	})
	t.Run("the old message of a moved board keeps the language", func(t *testing.T) {
		d := start(t, inServer, discordgo.German, discordgo.EnglishUS)
		d.started()
		old := d.board.id
		d.show(alice)
		d.flush()
		d.says(old, "Nun dort: [")
	})
}

func TestABoardOfAnUnreadableMatchIsLoggedOnce(t *testing.T) {
	d := newDesk(t)
	d.started()
	id := d.id()
	d.flush()
	config := d.commands.Redraw.RedrawerConfig
	config.Matches = failing{Store: d.store, match: match.ErrUnreadable}
	d.commands.Redraw = boards.NewRedrawer(config)
	d.poke(id)
	d.flush()
	d.flush()
	if got := d.discord.log.String(); strings.Count(got, "level=ERROR") != 1 || strings.Contains(got, "tried again") {
		t.Error(got)
	}
}

// TestPrivateBoards tests that where Discord shows the bot's answers only to one user, a board is private like other answers, and
// stays in its message.
func TestPrivateBoards(t *testing.T) {
	for _, page := range []string{"Hint", "Review", "Share"} {
		t.Run(page, func(t *testing.T) {
			d := newDesk(t)
			d.place = asSilent
			d.run(alice, "ai", "first=me")
			board := d.board.id
			if page != "Hint" {
				d.press(alice, "b2")
				d.resign(alice)
			}
			if reply := d.press(alice, page); reply.Kind != bot.Post || !reply.Private {
				t.Errorf("the board was replaced: %+v", reply)
			}
			if page == "Hint" {
				d.press(alice, "b2")
			}
			if b, err := d.store.Board(t.Context(), d.id()); err != nil || b.Message != board {
				t.Errorf("the board is in message %q, %v; it was in %q", b.Message, err, board)
			}
		})
	}
}
