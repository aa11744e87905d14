package commands_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/show/gallery"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// speaks makes a user choose a language in the settings.
func (d *desk) speaks(who, language string) bot.Reply {
	d.t.Helper()
	d.run(who, "settings")
	d.turn(who, d.label("mysettings:languages"))
	return d.clickedWith(who, "settings:language", language)
}

// serverSpeaks makes carol choose a language for the server.
func (d *desk) serverSpeaks(language string) bot.Reply {
	d.t.Helper()
	d.opened()
	d.turn(carol, d.label("admin:language:1"))
	return d.pick("policy:language", language)
}

// clickedWith picks an entry of a menu of the latest private message.
func (d *desk) clickedWith(who, customID, value string) bot.Reply {
	d.t.Helper()
	return d.handle(d.clicking(who, d.line, customID, value))
}

// label returns the label of a button of the latest private message.
func (d *desk) label(customID string) string {
	d.t.Helper()
	for _, b := range buttonsOf(d.line.components) {
		if b.CustomID == customID {
			return b.Label
		}
	}
	d.t.Fatalf("no button %s", customID)
	return ""
}

func buttonsOf(components []discordgo.MessageComponent) (found []discordgo.Button) {
	for _, c := range components {
		switch c := c.(type) {
		case discordgo.Button:
			found = append(found, c)
		case discordgo.ActionsRow:
			found = append(found, buttonsOf(c.Components)...)
		case discordgo.Container:
			found = append(found, buttonsOf(c.Components)...)
		case discordgo.Section:
			found = append(found, buttonsOf(c.Components)...)
		}
	}
	return found
}

func wantWords(t *testing.T, reply bot.Reply, words string) {
	t.Helper()
	if got := text(reply.Components); !strings.Contains(got, words) {
		t.Errorf("no %q in %s", words, got)
	}
}

func TestLanguageOfPrivateMessages(t *testing.T) {
	t.Run("is the language of the user's Discord", func(t *testing.T) {
		d := newDesk(t)
		d.person = discordgo.German
		wantWords(t, d.run(alice, "settings"), "Deutsch")
		wantWords(t, d.run(alice, "help"), "`/tictactoe")
	})
	t.Run("is the chosen one, also in direct messages and servers with another language", func(t *testing.T) {
		d := newDesk(t)
		d.server, d.person = discordgo.Turkish, discordgo.German
		d.speaks(alice, "es-ES")
		for _, p := range []place{inServer, inBotDM} {
			d.place = p
			wantWords(t, d.run(alice, "settings"), "español")
		}
		wantWords(t, d.run(bob, "settings"), "Deutsch")
	})
	t.Run("is English if the bot lacks the language", func(t *testing.T) {
		d := newDesk(t)
		d.person = "tlh"
		wantWords(t, d.run(alice, "settings"), "Your settings")
	})
	t.Run("a value that no menu offers changes nothing", func(t *testing.T) {
		d := newDesk(t)
		d.run(alice, "settings")
		d.clickedWith(alice, "settings:language", "tlh")
		if got, err := d.store.Language(t.Context(), alice); got != "" || err != nil {
			t.Error(got, err)
		}
	})
}

func TestLanguageOfPublicMessages(t *testing.T) {
	const german, english, spanish = "fordert", "challenges", "reta a"
	for name, tt := range map[string]struct {
		place  place
		chosen string // the language chosen by a moderator
		server discordgo.Locale
		own    string // the language of alice
		client discordgo.Locale
		want   string
	}{
		"is in the language of whoever begins":                    {place: inServer, server: "en-US", client: "de", want: german},
		"as they have chosen it":                                  {place: inServer, own: "de", client: "en-US", want: german},
		"or that of a Community":                                  {place: inServer, server: "de", client: "es-ES", want: german},
		"or that which a moderator has chosen":                    {place: inServer, chosen: "de", server: "tr", client: "es-ES", want: german},
		"in English if nobody speaks anything else":               {place: inServer, client: "en-US", want: english},
		"in a direct message, the language of the user who began": {place: inPrivate, own: "es-ES", client: "de", want: spanish},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.server, d.person = tt.server, "en-US"
			if tt.chosen != "" {
				d.serverSpeaks(tt.chosen)
			}
			d.place = tt.place
			if tt.own != "" {
				d.speaks(alice, tt.own)
			}
			d.person = tt.client
			wantWords(t, d.challenge(), tt.want)
		})
	}
}

func TestABoardKeepsItsLanguageWhenTheServersChanges(t *testing.T) {
	d := newDesk(t)
	d.serverSpeaks("de")
	d.place = inServer
	d.challenge("first=me", "clock=1h")
	d.press(bob, d.labelOnBoard("accept:"))
	before := labels(d.board.components)
	d.serverSpeaks("es-ES")
	d.place = inServer
	d.play("b2", alice)
	if got := labels(d.board.components); got != before || got == "Resign" {
		t.Errorf("%q, and it was %q", got, before)
	}
	d.play("a1 b1 c3 b3", bob, alice)
	d.press(alice, d.labelOnBoard("rematch:"))
	d.press(bob, d.labelOnBoard("rematch:"))
	if got := labels(d.board.components); got == before {
		t.Errorf("the text of the rematch is %q", got)
	}
}

func TestAMoveInADeletedMatchIsRefusedInTheServersLanguage(t *testing.T) {
	d := newDesk(t)
	d.serverSpeaks("de")
	d.place = inServer
	d.challenge()
	in := d.clicking(alice, d.board, "play:gone:0:a1")
	in.Components = json.RawMessage(`[{"custom_id":"play:gone:0:a1"}]`)
	wantWords(t, d.handle(in), "gibt es nicht mehr")
}

// labelOnBoard returns the label of the first button on the board whose custom_id has the given prefix.
func (d *desk) labelOnBoard(prefix string) string {
	d.t.Helper()
	for _, b := range buttonsOf(d.board.components) {
		if strings.HasPrefix(b.CustomID, prefix) {
			return b.Label
		}
	}
	d.t.Fatalf("no button %s on the board", prefix)
	return ""
}

func TestPostsAreInTheLanguageOfTheServer(t *testing.T) {
	d := newDesk(t)
	d.person = discordgo.German
	d.choosesPostAnyhow()
	post, err := d.store.Post(t.Context(), guild, posting.Puzzle)
	if err != nil || post.Language != "de" {
		t.Fatal(post, err)
	}
	said := func(p posting.Post) string {
		t.Helper()
		d.notBeforeMonday()
		components, err := d.commands.CalendarPost(t.Context(), p, d.today())
		if err != nil {
			t.Fatal(err)
		}
		return labels(components)
	}
	german := said(post)
	d.serverSpeaks("es-ES")
	spanish, english := said(post), said(posting.Post{Venue: "9", Kind: posting.Puzzle})
	if german == spanish || german == english || spanish == english {
		t.Error(german, spanish, english)
	}
}

// choosesPostAnyhow is like choosesPost, for buttons in any language.
func (d *desk) choosesPostAnyhow() {
	d.t.Helper()
	d.opened()
	d.turn(carol, d.label("admin:puzzle:1"))
	d.pick("policy:puzzles", "5001")
}

// TestEveryScreenFitsInEveryLanguage checks Discord's limits, and its advice for buttons, for screens with the longest names and
// the most entries.
func TestEveryScreenFitsInEveryLanguage(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	screens := longest(t)
	for name, shot := range gallery.Screens(t) {
		screens["shown: "+name] = shot.Screen
	}
	boards := map[match.ID]board.Board{}
	for _, l := range view.Languages() {
		t.Run(l.Code, func(t *testing.T) {
			for name, screen := range screens {
				components := commands.Encoded(screen, book.In(l.Code), boards, rest.Site(""))
				if n := commands.Size(components); n > commands.MaxText {
					t.Errorf("%s: %d characters of text", name, n)
				}
				if n := count(components); n > 40 {
					t.Errorf("%s: %d components", name, n)
				}
				for _, b := range buttonsOf(components) {
					if n := utf8.RuneCountInString(b.Label); n > 34 {
						t.Errorf("%s: a button with %d characters: %s", name, n, b.Label)
					}
				}
				for _, s := range selectsOf(components) {
					if n := utf8.RuneCountInString(s.Placeholder); n > 150 {
						t.Errorf("%s: a menu whose hint has %d characters: %s", name, n, s.Placeholder)
					}
					for _, o := range s.Options {
						if n := utf8.RuneCountInString(o.Label); n > 100 || n == 0 {
							t.Errorf("%s: an option with %d characters: %s", name, n, o.Label)
						}
					}
				}
			}
		})
	}
}

func selectsOf(components []discordgo.MessageComponent) (found []discordgo.SelectMenu) {
	for _, c := range components {
		switch c := c.(type) {
		case discordgo.SelectMenu:
			found = append(found, c)
		case discordgo.ActionsRow:
			found = append(found, selectsOf(c.Components)...)
		case discordgo.Container:
			found = append(found, selectsOf(c.Components)...)
		}
	}
	return found
}

// TestCommandsAreNamedInEveryLanguage tests that no two commands, options or choices beside each other have the same name in a
// language, and that none has the English name of another one.
func TestCommandsAreNamedInEveryLanguage(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	tree := commands.Tree(book)
	sides := map[string][]*discordgo.ApplicationCommandOption{"subcommands": tree[0].Options}
	for _, sub := range tree[0].Options {
		sides["options of "+sub.Name] = sub.Options
	}
	for of, options := range sides {
		for _, l := range view.Languages() {
			taken := map[string]string{}
			for _, o := range options {
				taken[o.Name] = o.Name
			}
			for _, o := range options {
				named := o.NameLocalizations[discordgo.Locale(l.Code)]
				if named == "" {
					continue
				}
				if other := taken[named]; other != "" && other != o.Name {
					t.Errorf("%s in %s: %s and %s are both %s", of, l.Code, other, o.Name, named)
				}
				taken[named] = o.Name
			}
		}
	}
	// Discord limits the size of a command:
	// https://discord.com/developers/docs/interactions/application-commands#application-command-object-maximum-size
	t.Run("the largest command has room", func(t *testing.T) {
		size := 0
		longest := func(english string, others map[discordgo.Locale]string) {
			n := utf8.RuneCountInString(english)
			for _, said := range others {
				n = max(n, utf8.RuneCountInString(said))
			}
			size += n
		}
		var add func(all []*discordgo.ApplicationCommandOption)
		add = func(all []*discordgo.ApplicationCommandOption) {
			for _, o := range all {
				longest(o.Name, o.NameLocalizations)
				longest(o.Description, o.DescriptionLocalizations)
				for _, c := range o.Choices {
					longest(c.Name, c.NameLocalizations)
					size += utf8.RuneCountInString(c.Value.(string))
				}
				add(o.Options)
			}
		}
		longest(tree[0].Name, *tree[0].NameLocalizations)
		longest(tree[0].Description, *tree[0].DescriptionLocalizations)
		add(tree[0].Options)
		t.Logf("%d of 8000 characters", size)
		if size > 8000 {
			t.Errorf("%d characters, of 8000", size)
		}
	})
}
