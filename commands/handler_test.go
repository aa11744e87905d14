package commands_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/commands"
	"tictactoe/game"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
)

func TestAClickOnAnOutdatedBoardGetsTheCurrentOne(t *testing.T) {
	for _, tt := range []struct {
		name  string
		click func(d *desk) bot.Reply
		board string
	}{
		{"a double click", func(d *desk) bot.Reply {
			d.started()
			id := d.button(d.board.components, "b2")
			d.click(alice, id)
			return d.click(alice, id)
		}, ".../.X./..."},
		{"a square of the board before the last move", func(d *desk) bot.Reply {
			d.started()
			id := d.button(d.board.components, "a1")
			d.play("b2 c3", alice, bob)
			return d.click(bob, id)
		}, ".../.X./..O"},
		{"a square after the end", func(d *desk) bot.Reply {
			d.started()
			id := d.button(d.board.components, "c3")
			d.play("a1 a2 b1 b2 c1", alice, bob)
			return d.click(bob, id)
		}, "XXX/OO./..."},
		{"Resign after the end", func(d *desk) bot.Reply {
			d.started()
			id := d.button(d.board.components, "Resign")
			d.play("a1 a2 b1 b2 c1", alice, bob)
			return d.click(bob, id)
		}, "XXX/OO./..."},
		{"Accept once more", func(d *desk) bot.Reply {
			d.challenge()
			id := d.button(d.board.components, "Accept")
			d.press(bob, "Accept")
			return d.click(bob, id)
		}, ".../.../..."},
		{"Withdraw after it was accepted", func(d *desk) bot.Reply {
			d.challenge()
			id := d.button(d.board.components, "Withdraw")
			d.press(bob, "Accept")
			return d.click(alice, id)
		}, ".../.../..."},
		{"Rematch of a match that goes on, made by hand", func(d *desk) bot.Reply {
			d.started()
			return d.click(bob, "rematch:"+string(d.id())+":3")
		}, ".../.../..."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := tt.click(newDesk(t))
			if r.Kind != bot.Update || marks(r.Components) != tt.board {
				t.Errorf("%v with %s", r.Kind, marks(r.Components))
			}
		})
	}
	t.Run("an ended challenge shows how it ended", func(t *testing.T) {
		d := newDesk(t)
		d.challenge()
		id := d.button(d.board.components, "Accept")
		d.press(alice, "Withdraw")
		if r := d.click(bob, id); r.Kind != bot.Update || !strings.Contains(text(r.Components), "withdrew") || len(buttons(r.Components)) != 0 {
			t.Errorf("%v: %s", r.Kind, text(r.Components))
		}
	})
	t.Run("the form to abort, submitted after one move too many", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		asked := d.press(alice, "Resign").Modal
		d.play("b2 a1", alice, bob)
		if r := d.submit(alice, asked); r.Kind != bot.Update || marks(r.Components) != "O../.X./..." || !strings.Contains(text(r.Components), "to move") {
			t.Errorf("%v: %s", r.Kind, text(r.Components))
		}
	})
}

// unreadable is a store in which every user has matches or challenges that cannot be read.
type unreadable struct{ match.Store }

func (s unreadable) OpenMatches(ctx context.Context, p match.User) ([]match.Match, error) {
	open, err := s.Store.OpenMatches(ctx, p)
	return open, errors.Join(err, match.ErrUnreadable)
}

func TestAMoveSavesNamesAndTheBoard(t *testing.T) {
	d := newDesk(t)
	d.started()
	id := d.id()
	d.flush()
	d.advance(time.Second)
	d.press(alice, "b2")
	got, err := d.store.Board(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	want := board.Board{
		ID: id, Guild: guild, Channel: channel, Message: d.board.id, Token: fmt.Sprint("token-of-", d.last),
		Expires: d.now().Add(15 * time.Minute), Member: true, Shown: 3, Locale: "en-US", Mention: board.Mention{Ply: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("the click's token was not saved:", diff)
	}
	stored, err := d.store.Names(t.Context(), alice, bob)
	if err != nil || stored[alice] != "Alice" || stored[bob] != "Bob" {
		t.Error(stored, err)
	}
	d.flush()
	if got, _ := d.store.Board(t.Context(), id); got.Shown != 4 {
		t.Errorf("version %d counts as shown", got.Shown)
	}
}

func TestARefusedClickSavesNothing(t *testing.T) {
	d := newDesk(t)
	d.started()
	id := d.id()
	d.flush()
	before, err := d.store.Board(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	d.press(carol, "b2")
	d.press(bob, "b2")
	after, err := d.store.Board(t.Context(), id)
	if err != nil || before != after {
		t.Error("the board's message can be edited by the token of a private answer", err)
	}
}

func TestTheSameMoveByCommandTwiceIsOneMove(t *testing.T) {
	d := newDesk(t)
	d.started("board=infinite")
	id := d.id()
	in := d.typed(alice, "move", "square=b2")
	deliver := func() error { // to a separate process
		in.Claim = &claim.Claim{Interaction: in.ID, By: rand.Text(), Until: d.now().Add(time.Minute)}
		_, err := d.commands.Handle(t.Context(), in)
		return err
	}
	if err := deliver(); err != nil {
		t.Fatal(err)
	}
	d.flush()
	for i, square := range []string{"a1", "c1", "a2", "c2", "b1", "a3", "c3"} { // after these moves the mark on b2 has vanished
		d.run([]string{bob, alice}[i%2], "move", "square="+square)
	}
	if err := deliver(); !errors.Is(err, claim.ErrTaken) {
		t.Errorf("delivered again: %v", err)
	}
	if m, err := d.store.Match(t.Context(), id); err != nil || m.Record.Len() != 8 {
		t.Errorf("%d moves, %v", m.Record.Len(), err)
	}
}

func TestTheSameInteractionTwiceIsOneChallengeAndOneMatch(t *testing.T) {
	d := newDesk(t)
	first := d.challenge()
	d.last--
	if again := d.challenge(); pretty(t, again.Components) != pretty(t, first.Components) {
		t.Error(text(again.Components))
	}
	d.press(bob, "Decline")
	computer := d.run(alice, "ai", "first=me")
	d.last--
	if again := d.run(alice, "ai", "first=me"); pretty(t, again.Components) != pretty(t, computer.Components) {
		t.Error(text(again.Components))
	}
	open, err := d.store.OpenMatches(t.Context(), alice)
	if err != nil || len(open) != 1 {
		t.Error(ids(open), err)
	}
}

func TestOnlyTheChallengedPlayerIsNotified(t *testing.T) {
	d := newDesk(t)
	if got := d.challenge().Ping; !cmp.Equal(got, []string{bob}) {
		t.Error("the challenge notifies", got)
	}
	for _, step := range []func() bot.Reply{
		func() bot.Reply { return d.press(carol, "Accept") },
		func() bot.Reply { return d.press(bob, "Accept") },
		func() bot.Reply { return d.press(alice, "b2") },
		func() bot.Reply { return d.run(carol, "leaderboard") },
		func() bot.Reply { return d.run(alice, "games") },
	} {
		if r := step(); len(r.Ping) != 0 {
			t.Errorf("%s notifies %v", text(r.Components), r.Ping)
		}
	}
}

// hostile are names that contain markdown, mentions or control characters.
var hostile = map[string]string{
	"markdown":     "**b** __u__ ~~s~~ ||x|| `c`",
	"headings":     "# h\n## h\n> q\n- l",
	"mentions":     "@everyone @here <@1001> <@&4001>",
	"links":        "[x](https://evil.example) <https://a.b>",
	"timestamps":   "<t:0:R> <:x:1> </help:1>",
	"templates":    "{{.Name}} {{template}} %s %d",
	"rtl override": "\u202egnp.exe \u2066\u2069",
	"zero width":   "a\u200b\u200b\u2060\ufeffb",
	"500 long":     strings.Repeat("*", 500),
	"wide":         strings.Repeat("﷽", 40),
	"newlines":     "a\n\n\n\r\n\u2028b",
	"backslashes":  `\\\*\\`,
	"invisible":    "\u3164\u200b",
}

func TestHostileNames(t *testing.T) {
	all := checkers(t)
	for what, name := range hostile {
		t.Run(what, func(t *testing.T) {
			was := names[bob]
			names[bob] = name
			defer func() { names[bob] = was }()
			d := newDesk(t)
			d.run(bob, "help") // this reply does not contain the name
			shown := commands.Styled(name)
			if commands.CleanName(name) == "" {
				shown = "omeone" // capitalised at the start of a sentence
			}
			lines := func(r bot.Reply) int { return strings.Count(text(r.Components), "\n") }
			check := func(r bot.Reply, wantLines int) {
				t.Helper()
				body := callback(t, r)
				accepted(t, all, body)
				said := text(r.Components)
				if !strings.Contains(said, shown) {
					t.Errorf("%q is not shown literally:\n%s", name, said)
				}
				if lines(r) != wantLines {
					t.Errorf("%d lines, want %d:\n%s", lines(r)+1, wantLines+1, said)
				}
				if len(r.Ping) > 0 && !cmp.Equal(r.Ping, []string{alice}) && !cmp.Equal(r.Ping, []string{bob}) {
					t.Error("notifies", r.Ping)
				}
			}
			check(d.run(bob, "challenge", "opponent="+alice, "first=me"), 3)
			check(d.press(carol, "Withdraw"), 0)
			check(d.press(alice, "Accept"), 2)
			check(d.play("a1 a2 b1 b2 c1", bob, alice), 3)
			check(d.press(bob, "Rematch"), 4)
			check(d.run(alice, "leaderboard"), 4)
			check(d.run(alice, "games"), 3)
		})
	}
}

// TestTheLongestListFitsAMessage fills /tictactoe games with as many entries as possible, with the longest names and ids.
func TestTheLongestListFitsAMessage(t *testing.T) {
	d := newDesk(t)
	worst := strings.Repeat("*", 32)
	const longID = "18446744073709551615"
	d.place.channel = longID
	var save match.Save
	show := func(id match.ID, m string) {
		save.Extras = append(save.Extras, board.Reference{ID: id, Guild: longID, Channel: longID, Message: m, Member: true})
	}
	for i := range 30 {
		other := match.User(fmt.Sprint(9000 + i))
		save.Names = append(save.Names, match.Name{Player: other, Name: worst})
		seats := match.Seats{match.Human(alice), match.Human(other)}
		ended := match.Start(match.ID(fmt.Sprint("e", i)), "e", guild, game.Classic(), seats, time.Minute, 1, d.now())
		ended.Result, ended.Ended, ended.Deadline = match.Result{Outcome: game.XWins, Cause: match.ByResignation}, d.now(), time.Time{}
		c, err := match.NewChallenge(match.ID(fmt.Sprint("c", i)), guild, other, alice, match.Terms{Rules: game.Classic(), TurnTime: time.Minute}, d.now())
		if err != nil {
			t.Fatal(err)
		}
		save.Matches = append(save.Matches, match.MatchChange{To: ended})
		d.save(match.Save{Challenge: match.ChallengeChange{To: c}})
		show(ended.ID, longID)
		show(c.ID, longID)
		if i < match.DefaultLimits().Open {
			open := match.Start(match.ID(fmt.Sprint("o", i)), "o", guild, game.Classic(), seats, 24*time.Hour, 1, d.now())
			save.Matches = append(save.Matches, match.MatchChange{To: open})
			show(open.ID, longID)
		}
	}
	d.save(save)
	r := d.run(alice, "games")
	// Discord limits the text of a message of Components V2 to 4000 characters.
	if n := utf8.RuneCountInString(text(r.Components)); n > 4000 {
		t.Errorf("%d characters", n)
	}
	accepted(t, checkers(t), callback(t, r))
	open, err := d.store.OpenMatches(t.Context(), alice)
	if err != nil || strings.Count(text(r.Components), "your turn") != len(open) {
		t.Errorf("the list lacks open matches: %v", err)
	}
}

// failing is a store in which one operation fails.
type failing struct {
	match.Store
	names, open, match error
}

func (s failing) Names(ctx context.Context, players ...match.User) (map[match.User]string, error) {
	if s.names != nil {
		return nil, s.names
	}
	return s.Store.Names(ctx, players...)
}

func (s failing) Looks(ctx context.Context, players ...match.User) (match.Looks, error) {
	if s.names != nil {
		return nil, s.names
	}
	return s.Store.Looks(ctx, players...)
}

func (s failing) OpenMatches(ctx context.Context, p match.User) ([]match.Match, error) {
	if s.open != nil {
		return nil, s.open
	}
	return s.Store.OpenMatches(ctx, p)
}

func (s failing) Match(ctx context.Context, id match.ID) (match.Match, error) {
	if s.match != nil {
		return match.Match{}, s.match
	}
	return s.Store.Match(ctx, id)
}

func (s failing) Find(ctx context.Context, id match.ID) (match.Found, error) {
	if s.match != nil {
		return match.Found{}, s.match
	}
	return s.Store.Find(ctx, id)
}

// lookless loads matches without the looks of their players, so that the looks are read after the save.
type lookless struct{ match.Store }

func (s lookless) Match(ctx context.Context, id match.ID) (match.Match, error) {
	m, err := s.Store.Match(ctx, id)
	m.Looks = nil
	return m, err
}

func TestAFailingStore(t *testing.T) {
	broken := errors.New("disk on fire")
	t.Run("a busy store is reported privately", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		d.commands.Matches = failing{Store: d.store, open: fmt.Errorf("list: %w", match.ErrBusy), match: match.ErrBusy}
		for _, r := range []bot.Reply{d.run(alice, "games"), d.press(alice, "Resign")} {
			if !r.Private || !strings.Contains(text(r.Components), "try again in a few seconds") {
				t.Error(text(r.Components))
			}
		}
	})
	t.Run("any other failure is an error, which the runtime logs and apologises for", func(t *testing.T) {
		d := newDesk(t)
		d.commands.Matches = failing{Store: d.store, open: broken}
		if _, err := d.commands.Handle(t.Context(), d.typed(alice, "games")); !errors.Is(err, broken) {
			t.Error(err)
		}
	})
	t.Run("a saved move that cannot be shown is shown later", func(t *testing.T) {
		d := newDesk(t)
		d.started()
		d.flush()
		click := d.button(d.board.components, "b2")
		in := d.clicking(alice, d.board, click)
		d.commands.Play.Referee.Store, d.commands.Matches = lookless{d.store}, failing{Store: d.store, names: broken}
		if _, err := d.commands.Handle(t.Context(), in); !errors.Is(err, broken) {
			t.Fatal(err)
		}
		d.flushes(d.edit())
		if !strings.Contains(d.discord.says(d.board.id), ".../.X./...") {
			t.Error(d.discord.says(d.board.id))
		}
	})
}

// TestInvalidData tests that invalid interactions are refused.
func TestInvalidData(t *testing.T) {
	d := newDesk(t)
	command := func(name string, options ...*discordgo.ApplicationCommandInteractionDataOption) discordgo.InteractionData {
		sub := &discordgo.ApplicationCommandInteractionDataOption{Name: name, Type: discordgo.ApplicationCommandOptionSubCommand, Options: options}
		return discordgo.ApplicationCommandInteractionData{Name: "tictactoe", Options: []*discordgo.ApplicationCommandInteractionDataOption{sub}}
	}
	type opt = discordgo.ApplicationCommandInteractionDataOption
	for name, data := range map[string]discordgo.InteractionData{
		"a challenge of a text":           command("challenge", &opt{Name: "opponent", Type: discordgo.ApplicationCommandOptionString, Value: bob}),
		"a challenge of a number":         command("challenge", &opt{Name: "opponent", Type: discordgo.ApplicationCommandOptionUser, Value: 7.0}),
		"a challenge of an empty id":      command("challenge", &opt{Name: "opponent", Type: discordgo.ApplicationCommandOptionUser, Value: ""}),
		"a challenge of somebody unknown": command("challenge", &opt{Name: "opponent", Type: discordgo.ApplicationCommandOptionUser, Value: bob}),
		"a context menu without a target": discordgo.ApplicationCommandInteractionData{Name: "Challenge to Tic-Tac-Toe", CommandType: discordgo.UserApplicationCommand},
		"another one":                     discordgo.ApplicationCommandInteractionData{Name: "Tic-Tac-Toe profile", CommandType: discordgo.UserApplicationCommand},
		"a command of another tree":       discordgo.ApplicationCommandInteractionData{Name: "chess"},
	} {
		t.Run(name, func(t *testing.T) {
			r := d.handle(d.interaction(alice, discordgo.InteractionApplicationCommand, data))
			if !r.Private || !strings.Contains(text(r.Components), "/tictactoe help") {
				t.Error(text(r.Components))
			}
		})
	}
	t.Run("an interaction whose id is not a number", func(t *testing.T) {
		in := d.interaction(alice, discordgo.InteractionApplicationCommand, command("ai"))
		in.ID = "x"
		if _, err := d.commands.Handle(t.Context(), in); err == nil {
			t.Error("the interaction was answered")
		}
	})
}

func TestAnEmptyHintCostsNothing(t *testing.T) {
	helped := func(d *desk) bool {
		m, err := d.store.Match(t.Context(), d.id())
		if err != nil {
			t.Fatal(err)
		}
		return m.Helped
	}
	d := newDesk(t)
	d.run(alice, "ai", "first=me")
	d.play("b1 a2 b2 a3", alice)
	r := d.click(alice, "hint:"+string(d.id())+":8")
	if said := text(r.Components); !strings.Contains(said, "Any square will do") || strings.Contains(said, "accuracy") || helped(d) {
		t.Errorf("helped: %v\n%s", helped(d), said)
	}
	d.run(alice, "ai", "first=me")
	r = d.press(alice, "Hint")
	if said := text(r.Components); !strings.Contains(said, "⭐") || !strings.Contains(said, "accuracy") || !helped(d) {
		t.Errorf("helped: %v\n%s", helped(d), said)
	}
}
