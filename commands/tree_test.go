package commands_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/discordsim/check"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

func TestTree(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	tree := commands.Tree(book)
	goldenFile(t, "tree.json", []byte(pretty(t, inEnglish(tree))))
	body := []byte(pretty(t, tree))
	for _, c := range checkers(t) {
		if refusal := c.CommandsBulk(body); refusal != nil {
			t.Errorf("Discord refuses it: %v", refusal)
		}
		if findings := c.Findings(check.CommandsBulk, body); len(findings) != 0 {
			t.Errorf("Discord ignores %q", findings)
		}
	}
	if !rest.Same(tree, commands.Tree(book)) {
		t.Error("the tree differs from itself, so it would be registered anew at every start")
	}
	t.Run("fields that Discord would take from settings are set", func(t *testing.T) {
		for _, c := range tree {
			if c.Contexts == nil || len(*c.Contexts) == 0 || c.IntegrationTypes == nil || len(*c.IntegrationTypes) == 0 {
				t.Errorf("%s does not set where it can be used", c.Name)
			}
		}
	})
	t.Run("every command has its handler", func(t *testing.T) {
		router := bot.NewRouter()
		newDesk(t).commands.Route(router)
		routes := strings.Join(router.Routes(), "\n") + "\n"
		for _, c := range tree {
			want := []string{"user " + c.Name}
			if len(c.Options) > 0 {
				want = nil
				for _, sub := range c.Options {
					want = append(want, "command "+c.Name+" "+sub.Name)
				}
			}
			for _, route := range want {
				if !strings.Contains(routes, route+"\n") {
					t.Errorf("no handler for %s", route)
				}
			}
		}
	})
	t.Run("the handlers know every offered choice", func(t *testing.T) {
		for _, sub := range tree[0].Options {
			for _, option := range sub.Options {
				for _, choice := range option.Choices {
					value, _ := choice.Value.(string)
					given := []string{option.Name + "=" + value}
					if sub.Name == "challenge" {
						given = append(given, "opponent="+bob)
					}
					d := newDesk(t)
					if reply := d.run(alice, sub.Name, given...); reply.Private && sub.Name != "best" { // the goldens of "best" show its private answer
						t.Errorf("%s %s: %s", sub.Name, given[0], text(reply.Components))
					}
				}
			}
		}
	})
}

// inEnglish returns a command tree without the other languages.
func inEnglish(tree []*discordgo.ApplicationCommand) (english []*discordgo.ApplicationCommand) {
	var options func(all []*discordgo.ApplicationCommandOption) (in []*discordgo.ApplicationCommandOption)
	options = func(all []*discordgo.ApplicationCommandOption) (in []*discordgo.ApplicationCommandOption) {
		for _, o := range all {
			o := *o
			o.NameLocalizations, o.DescriptionLocalizations, o.Options = nil, nil, options(o.Options)
			o.Choices = slices.Clone(o.Choices)
			for i, c := range o.Choices {
				o.Choices[i] = &discordgo.ApplicationCommandOptionChoice{Name: c.Name, Value: c.Value}
			}
			in = append(in, &o)
		}
		return in
	}
	for _, c := range tree {
		c := *c
		c.NameLocalizations, c.DescriptionLocalizations, c.Options = nil, nil, options(c.Options)
		english = append(english, &c)
	}
	return english
}

// TestCommandsInTexts tests that every name in backticks in a text is either a complete command with its slash, or the name of an
// option in the language. (A mention of a command has no options.) Commands are named in no other way, because a mention shows the
// English name.
func TestCommandsInTexts(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, l := range view.Languages() {
		usable := map[string]bool{}
		for _, c := range commands.Tree(book) {
			for _, sub := range c.Options {
				usable["`/"+c.Name+" "+sub.Name+"`"] = true
				for _, o := range sub.Options {
					usable["`"+cmp.Or(o.NameLocalizations[discordgo.Locale(l.Code)], o.Name)+"`"] = true
				}
			}
		}
		file := l.Code + ".json"
		texts, err := fs.ReadFile(locale.Embedded(), file)
		if errors.Is(err, fs.ErrNotExist) { // es-ES.json is es.json
			general, _, _ := strings.Cut(l.Code, "-")
			file = general + ".json"
			texts, err = fs.ReadFile(locale.Embedded(), file)
		}
		if err != nil {
			t.Fatal(err)
		}
		named := regexp.MustCompile("`[^`]*`").FindAllString(string(texts), -1)
		for _, name := range named {
			if !usable[name] {
				t.Errorf("%s: %s is no command and no option", file, name)
			}
		}
		total += len(named)
	}
	if total < 30*20 {
		t.Errorf("%d commands and options are named", total)
	}
}

// TestCommandsCanBePressed tests that messages mention a command by its id once the id is known. In labels and forms, where
// mentions are not drawn, and in messages without room, the text has the command as users type it.
func TestCommandsCanBePressed(t *testing.T) {
	const mention = "</tictactoe challenge:71>"
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	registered := func(d *desk) *desk {
		d.commands.CommandIDs = new(bot.CommandIDs)
		d.commands.CommandIDs.Registered([]*discordgo.ApplicationCommand{{Type: discordgo.ChatApplicationCommand, Name: "tictactoe", ID: "71"}})
		return d
	}
	if said := text(newDesk(t).run(alice, "help").Components); strings.Contains(said, "</") || !strings.Contains(said, "`/tictactoe challenge`") {
		t.Errorf("no id is known, but the help says %s", said)
	}
	for name, reply := range map[string]func(*desk) bot.Reply{
		"the help":      func(d *desk) bot.Reply { return d.run(alice, "help") },
		"no matches":    func(d *desk) bot.Reply { return d.run(alice, "games") },
		"a leaderboard": func(d *desk) bot.Reply { return d.run(alice, "leaderboard") },
		"a refusal":     func(d *desk) bot.Reply { d.started(); return d.press(carol, "b2") },
		"a match that is gone": func(d *desk) bot.Reply {
			d.board = &message{id: "9001", components: []discordgo.MessageComponent{discordgo.Button{CustomID: "play:v:0:b2"}}}
			return d.click(alice, "play:v:0:b2")
		},
	} {
		t.Run(name, func(t *testing.T) {
			reply := reply(registered(newDesk(t)))
			if said := text(reply.Components); !strings.Contains(said, mention) || strings.Contains(said, "`/") {
				t.Error(said)
			}
			accepted(t, checkers(t), callback(t, reply))
		})
	}
	t.Run("labels have the command as users type it", func(t *testing.T) {
		label := view.T("refusal.server", nil)
		shown := commands.Encoded(view.Screen{
			Lines:   []view.Text{label},
			Buttons: []view.Button{{Do: view.Show{Match: "m"}, Label: label}},
			Selects: []view.Select{{Do: view.PickMatch{}, Hint: label, Options: []view.Option{{Label: label, Value: "v"}}}},
		}, book.In("en"), nil, "")
		said, err := json.Marshal(shown)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(said), ":18446744073709551615"); n != 1 {
			t.Errorf("%d mentions, want the one in the text: %s", n, said)
		}
	})
}

func TestClocksOfTheTreeAreThoseOfMatches(t *testing.T) {
	for word, want := range map[string]string{"": "1 minute", "1m": "1 minute", "5m": "5 minutes", "1h": "1 hour", "24h": "24 hours", "7y": "1 minute"} {
		options := []string{"opponent=" + bob}
		if word != "" {
			options = append(options, "clock="+word)
		}
		reply := newDesk(t).run(alice, "challenge", options...)
		if said := text(reply.Components); !strings.Contains(said, want+" per move") {
			t.Errorf("%q: %s", word, said)
		}
	}
}

func TestRoutes(t *testing.T) {
	router := bot.NewRouter()
	newDesk(t).commands.Route(router)
	goldenFile(t, "routes.txt", []byte(strings.Join(router.Routes(), "\n")))
	if router.Unknown == nil {
		t.Error("an interaction without a route gets no answer")
	}
}

// FuzzOptions tests that every value of an option gets an answer, and that a value that Discord never offered begins no match.
func FuzzOptions(f *testing.F) {
	for _, seed := range [][4]string{
		{"challenge", "1m", "me", "classic"}, {"challenge", "24h", "random", "5x5"}, {"challenge", "", "", ""},
		{"ai", "unbeatable", "them", "infinite"}, {"ai", "godlike", "me", "drop"}, {"challenge", "-1m", "ME", "3x3x9+gravity"},
		{"ai", "\x00", "🎲", strings.Repeat("x", 200)}, {"leaderboard", "computer", "", ""}, {"games", "", "", ""},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, command, clock, first, rules string) {
		d := newDesk(t)
		reply := d.run(alice, command, "opponent="+bob, "clock="+clock, "level="+clock, "against="+clock, "first="+first, "board="+rules)
		if reply.Kind == bot.Post && len(reply.Components) == 0 {
			t.Errorf("%q %q %q %q: an answer without content", command, clock, first, rules)
		}
		open := d.openMatches()
		for _, m := range open {
			if command != "ai" || m.Position().Rules().String() == "" {
				t.Errorf("%q began %+v", command, m)
			}
		}
	})
}
