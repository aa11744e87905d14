package commands_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tictactoe/bot"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/internal/server/policy"
	"tictactoe/store/sqlite"
)

// halved is a store in which reading fails after the first save.
type halved struct {
	*sqlite.Store
	err   error
	saved *bool
}

func (f halved) note(err error) error {
	*f.saved = *f.saved || err == nil
	return err
}

func (f halved) broken() error {
	if *f.saved {
		return f.err
	}
	return nil
}

func (f halved) Save(ctx context.Context, save match.Save) error {
	return f.note(f.Store.Save(ctx, save))
}

func (f halved) Move(ctx context.Context, ask match.Permit, to board.Reference) error {
	return f.note(f.Store.Move(ctx, ask, to))
}

func (f halved) SetTurnMentions(ctx context.Context, p match.User, off bool) error {
	return f.note(f.Store.SetTurnMentions(ctx, p, off))
}

func (f halved) SetClosed(ctx context.Context, p match.User, closed bool) error {
	return f.note(f.Store.SetClosed(ctx, p, closed))
}

func (f halved) SetTextBoard(ctx context.Context, p match.User, on bool) error {
	return f.note(f.Store.SetTextBoard(ctx, p, on))
}

func (f halved) SetHidden(ctx context.Context, p match.User, hidden bool) error {
	return f.note(f.Store.SetHidden(ctx, p, hidden))
}

func (f halved) SetBlocked(ctx context.Context, p match.User, blocked []match.User) error {
	return f.note(f.Store.SetBlocked(ctx, p, blocked))
}

func (f halved) SetPolicy(ctx context.Context, from, to policy.Policy, entry policy.AuditEntry, names ...match.Name) error {
	return f.note(f.Store.SetPolicy(ctx, from, to, entry, names...))
}

func (f halved) ResetScores(ctx context.Context, entry policy.AuditEntry, names ...match.Name) error {
	return f.note(f.Store.ResetScores(ctx, entry, names...))
}

func (f halved) Match(ctx context.Context, id match.ID) (match.Match, error) {
	return lookless{f.Store}.Match(ctx, id)
}

func (f halved) Names(ctx context.Context, players ...match.User) (map[match.User]string, error) {
	if err := f.broken(); err != nil {
		return nil, err
	}
	return f.Store.Names(ctx, players...)
}

func (f halved) Looks(ctx context.Context, players ...match.User) (match.Looks, error) {
	if err := f.broken(); err != nil {
		return nil, err
	}
	return f.Store.Looks(ctx, players...)
}

func (f halved) Settings(ctx context.Context, p match.User) (user.Settings, error) {
	if err := f.broken(); err != nil {
		return user.Settings{}, err
	}
	return f.Store.Settings(ctx, p)
}

func (f halved) OpenMatches(ctx context.Context, p match.User) ([]match.Match, error) {
	if err := f.broken(); err != nil {
		return nil, err
	}
	return f.Store.OpenMatches(ctx, p)
}

// fail makes all reads fail after the next save.
func (d *desk) fail(err error) {
	f := halved{d.store, err, new(bool)}
	c := d.commands
	c.Play.Referee.Store, c.Matches, c.Boards, c.Players, c.Policies = f, f, f, f, f
	moderation := *c.Admin.Moderation
	moderation.Store = f
	c.Admin.Moderation = &moderation
	d.apologises = true
}

// TestAnApologySaysThatTheActionWasSaved tests that after a failure between the commit and the reply, the apology says that the
// action was saved.
func TestAnApologySaysThatTheActionWasSaved(t *testing.T) {
	broken := map[string]error{"busy": match.ErrBusy, "late": context.DeadlineExceeded, "unsaved": match.ErrUnsaved, "anything": errors.New("disk on fire")}
	for name, do := range map[string]func(d *desk) func() bot.Reply{
		"a challenge": func(d *desk) func() bot.Reply {
			return func() bot.Reply { return d.challenge() }
		},
		"a match against the computer": func(d *desk) func() bot.Reply {
			return func() bot.Reply { return d.run(alice, "ai") }
		},
		"an accepted challenge": func(d *desk) func() bot.Reply {
			d.challenge()
			return func() bot.Reply { return d.press(bob, "Accept") }
		},
		"a withdrawn challenge": func(d *desk) func() bot.Reply {
			d.challenge()
			return func() bot.Reply { return d.press(alice, "Withdraw") }
		},
		"a move": func(d *desk) func() bot.Reply {
			d.started()
			return func() bot.Reply { return d.press(alice, "b2") }
		},
		"a resignation": func(d *desk) func() bot.Reply {
			d.started()
			return func() bot.Reply { return d.resign(alice) }
		},
		"a proposed rematch": func(d *desk) func() bot.Reply {
			d.won()
			return func() bot.Reply { return d.press(alice, "Rematch") }
		},
		"an agreed rematch": func(d *desk) func() bot.Reply {
			d.won()
			d.press(alice, "Rematch")
			return func() bot.Reply { return d.press(bob, "Accept rematch") }
		},
		"a declined rematch": func(d *desk) func() bot.Reply {
			d.won()
			d.press(alice, "Rematch")
			return func() bot.Reply { return d.press(bob, "No rematch") }
		},
		"a board shown elsewhere": func(d *desk) func() bot.Reply {
			d.started()
			d.flush()
			d.run(alice, "games")
			return func() bot.Reply { return d.clickOn(alice, d.line, d.button(d.line.components, "Show it here")) }
		},
		"settings": func(d *desk) func() bot.Reply {
			d.run(alice, "settings")
			return func() bot.Reply { return d.choose(alice, bob) }
		},
		"turn mentions": func(d *desk) func() bot.Reply {
			d.run(alice, "games")
			return func() bot.Reply { return d.clickOn(alice, d.line, "mentions:off") }
		},
		"a ruling": func(d *desk) func() bot.Reply {
			d.started()
			d.picked()
			return func() bot.Reply { return d.turn(carol, "End as a draw") }
		},
	} {
		for how, err := range broken {
			t.Run(name+", "+how, func(t *testing.T) {
				d := newDesk(t)
				act := do(d)
				d.fail(err)
				said := text(act().Components)
				if !strings.Contains(said, "saved") || strings.Contains(said, "othing") || strings.Contains(said, "try again") {
					t.Error(said)
				}
			})
		}
	}
}
