package commands_test

import (
	"strings"
	"testing"

	"tictactoe/bot"
	"tictactoe/commands"
	"tictactoe/internal/discordsim/check"
	"tictactoe/internal/locale"
)

func TestTree(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	tree := commands.Tree(book)
	body := []byte(pretty(t, tree))
	golden(t, "tree.json", body)
	for _, c := range checkers(t) {
		if refusal := c.CommandsBulk(body); refusal != nil {
			t.Errorf("Discord refuses it: %v", refusal)
		}
		if findings := c.Findings(check.CommandsBulk, body); len(findings) != 0 {
			t.Errorf("Discord ignores %q", findings)
		}
	}
	if !bot.Same(tree, commands.Tree(book)) {
		t.Error("the tree differs from itself, so it would be registered anew at every start")
	}
	t.Run("what Discord would fill in from settings is said", func(t *testing.T) {
		for _, c := range tree {
			if c.Contexts == nil || len(*c.Contexts) == 0 || c.IntegrationTypes == nil || len(*c.IntegrationTypes) == 0 {
				t.Errorf("%s leaves it open where it can be used", c.Name)
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
	t.Run("every choice that is offered is understood", func(t *testing.T) {
		for _, sub := range tree[0].Options {
			for _, option := range sub.Options {
				for _, choice := range option.Choices {
					value, _ := choice.Value.(string)
					given := []string{option.Name + "=" + value}
					if sub.Name == "challenge" {
						given = append(given, "opponent="+bob)
					}
					d := newDesk(t)
					if reply := d.run(alice, sub.Name, given...); reply.Private {
						t.Errorf("%s %s: %s", sub.Name, given[0], text(reply.Components))
					}
				}
			}
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
	golden(t, "routes.txt", []byte(strings.Join(router.Routes(), "\n")))
	if router.Unknown == nil {
		t.Error("what no route is for gets no answer")
	}
}
