package arena_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
)

// table is a bot with an arena, whose time passes when the test says so.
type table struct {
	t       *testing.T
	store   store
	now     time.Time
	away    bool
	runner  *arena.Runner
	desk    *arena.Desk
	changes []arena.Arena
	games   []match.Match
}

// store is a database in which others can act just before a save.
type store struct {
	*sqlite.Store
	before *func()
}

func (s store) Save(ctx context.Context, save match.Save) error {
	if act := *s.before; act != nil {
		*s.before = nil
		act()
	}
	return s.Store.Save(ctx, save)
}

// Counts, Now and Follow implement arena.Hours.
func (b *table) Counts() bool                           { return !b.away }
func (b *table) Now() time.Time                         { return b.now }
func (b *table) Follow(context.Context) (func(), error) { return func() {}, nil }

// keeper is the table as the time of all venues.
type keeper struct{ *table }

func (k keeper) Now(match.Venue) time.Time                           { return k.now }
func (k keeper) Follow(context.Context, match.Venue) (func(), error) { return func() {}, nil }
func (k keeper) Saved(time.Time, error)                              {}

// newTable announces an arena with the given entrants.
func newTable(t *testing.T, players ...match.User) *table {
	t.Helper()
	db, err := sqlitetest.Open(t.Context(), filepath.Join(sqlitetest.Folder(t), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	b := &table{t: t, store: store{db, new(func())}, now: noon}
	b.desk = &arena.Desk{Store: b.store, Time: keeper{b}}
	b.runner = b.another()
	shown := board.Reference{ID: "a", Guild: "1", Channel: "channel", Message: "message", Member: true, Locale: "de"}
	if _, err := b.desk.Announce(t.Context(), match.Request{ID: "a", By: "host", Venue: "1", At: noon, OnCreate: []match.Extra{shown}}, "channel", terms()); err != nil {
		t.Fatal(err)
	}
	for _, p := range players {
		b.change(p, arena.Arena.Join)
	}
	return b
}

// another returns the runner of another process.
func (b *table) another() *arena.Runner {
	return &arena.Runner{
		Store: b.store, Hours: b, Saved: func(time.Time, error) {}, Log: slog.New(slog.DiscardHandler),
		Changed: func(a arena.Arena, games []match.Match) {
			b.changes, b.games = append(b.changes, a), append(b.games, games...)
		},
	}
}

func (b *table) change(p match.User, how func(arena.Arena, match.User, time.Time) (arena.Arena, error)) arena.Arena {
	b.t.Helper()
	a, err := b.desk.Change(b.t.Context(), match.Request{By: p, Venue: "1", At: b.now}, "a", func(a arena.Arena, now time.Time) (arena.Arena, error) {
		return how(a, p, now)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// at lets the runner act at a time after the beginning.
func (b *table) at(since time.Duration) arena.Arena {
	b.t.Helper()
	b.now = terms().Begins.Add(since)
	if err := b.runner.Act(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	return b.arena()
}

func (b *table) arena() arena.Arena {
	b.t.Helper()
	a, err := b.store.Arena(b.t.Context(), "a")
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// resign ends the running game of a player.
func (b *table) resign(p match.User) {
	b.t.Helper()
	g, playing := b.arena().Playing(p)
	if !playing {
		b.t.Fatalf("%s plays no game", p)
	}
	m, err := b.store.Match(b.t.Context(), g.Match)
	if err != nil {
		b.t.Fatal(err)
	}
	next, err := m.Resign(p, m.Record.Len(), b.now)
	if err == nil {
		err = b.store.Store.Save(b.t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: next}}})
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

func TestARunnerPlaysAnArena(t *testing.T) {
	b := newTable(t, "alice", "bob", "carol")
	if a := b.at(-time.Millisecond); a.Status != arena.Announced || len(b.changes) > 0 {
		t.Errorf("it has begun: %+v", a)
	}
	a := b.at(0)
	if a.Status != arena.Running || len(a.Pairings) != 1 || len(b.games) != 1 {
		t.Fatalf("%v, %d games", a.Status, len(a.Pairings))
	}
	m, err := b.store.Match(t.Context(), b.games[0].ID)
	if err != nil || m.Arena != "a" || m.Stakes != 0 {
		t.Errorf("%+v, %v", m, err)
	}
	shown, err := b.store.Board(t.Context(), m.ID)
	if want := (board.Board{ID: m.ID, Guild: "1", Channel: "channel", Member: true, Locale: "de"}); err != nil || shown != want {
		t.Errorf("the board is %+v, %v", shown, err)
	}
	if b.at(20 * time.Second); len(b.games) != 1 {
		t.Error("somebody is paired who plays")
	}
	b.resign(a.Pairings[0].Seats[0].Player)
	if a = b.at(20 * time.Second); len(a.Pairings) != 2 {
		t.Fatalf("%d games", len(a.Pairings))
	}
	b.resign(a.Pairings[1].Seats[0].Player)
	b.at(a.Lasts)
	if a = b.at(a.Lasts + arena.Grace - 1); len(a.Pairings) != 2 || a.Status != arena.Running {
		t.Errorf("%v, %d games", a.Status, len(a.Pairings))
	}
	if a = b.at(a.Lasts + arena.Grace); a.Status != arena.Over || b.changes[len(b.changes)-1].Status != arena.Over {
		t.Errorf("%v", a.Status)
	}
}

func TestTwoRunnersPairNobodyTwice(t *testing.T) {
	b := newTable(t, "alice", "bob", "carol", "dan")
	for acts := range 3 {
		*b.store.before = func() {
			if err := b.another().Act(t.Context()); err != nil {
				t.Error(err)
			}
		}
		a := b.at(time.Duration(acts) * time.Second)
		for _, e := range a.Entrants {
			playing := slices.DeleteFunc(slices.Clone(a.Pairings), func(g arena.Pairing) bool { return g.Seats.Mark(e.Player) == game.None || g.Result.Over() })
			if len(playing) > 1 {
				t.Errorf("%s plays %d games", e.Player, len(playing))
			}
		}
		if len(a.Pairings) != 2+acts || len(b.games) != 2+acts {
			t.Errorf("%d games, and %d were told of", len(a.Pairings), len(b.games))
		}
		b.resign(a.Pairings[len(a.Pairings)-1].Seats[0].Player)
		b.change(a.Pairings[len(a.Pairings)-1].Seats[0].Player, arena.Arena.Pause)
		b.change(a.Pairings[len(a.Pairings)-1].Seats[1].Player, arena.Arena.Pause)
		b.change(match.User(fmt.Sprint("late", acts)), arena.Arena.Join)
		b.change(match.User(fmt.Sprint("later", acts)), arena.Arena.Join)
	}
}

func TestWhatComesBetweenTheLookAndTheSave(t *testing.T) {
	t.Run("an entrant who leaves is not paired", func(t *testing.T) {
		b := newTable(t, "alice", "bob")
		b.at(0)
		b.resign("alice")
		*b.store.before = func() { b.change("bob", arena.Arena.Leave) }
		if a := b.at(time.Minute); len(a.Pairings) != 1 {
			t.Errorf("%d games", len(a.Pairings))
		}
	})
	t.Run("an entrant whose data is deleted is not paired", func(t *testing.T) {
		b := newTable(t, "alice", "bob")
		b.at(0)
		b.resign("alice")
		*b.store.before = func() {
			if _, err := b.store.Erase(t.Context(), "bob", b.now, ""); err != nil {
				t.Error(err)
			}
		}
		if a := b.at(time.Minute); len(a.Pairings) != 1 || len(a.Entrants) != 1 {
			t.Errorf("%d games, %d entrants", len(a.Pairings), len(a.Entrants))
		}
	})
	t.Run("an entrant who blocks another plays a third", func(t *testing.T) {
		b := newTable(t, "alice", "bob")
		b.at(0)
		b.resign("alice")
		b.change("carol", arena.Arena.Join)
		*b.store.before = func() {
			if err := b.store.SetBlocked(t.Context(), "carol", []match.User{"alice"}); err != nil {
				t.Error(err)
			}
		}
		a := b.at(time.Minute)
		if len(a.Pairings) != 2 || a.Pairings[1].Seats.Mark("bob") == game.None || a.Pairings[1].Seats.Mark("carol") == game.None {
			t.Errorf("%+v", a.Pairings)
		}
	})
}

func TestARunnerDoesNothingWhileTheBotIsAway(t *testing.T) {
	b := newTable(t, "alice", "bob")
	b.away = true
	if a := b.at(time.Minute); a.Status != arena.Announced {
		t.Errorf("%v", a.Status)
	}
	b.away = false
	if a := b.at(arena.MaxLate - time.Second); a.Status != arena.Running || len(a.Pairings) != 1 {
		t.Errorf("%v", a.Status)
	}
}

func TestARequestAboutAnArena(t *testing.T) {
	b := newTable(t)
	t.Run("that is delivered twice finds the arena that it created", func(t *testing.T) {
		again, err := b.desk.Announce(t.Context(), match.Request{ID: "a", By: "host", Venue: "1", At: noon}, "channel", terms())
		if err != nil || again.Version != 1 {
			t.Errorf("%+v, %v", again, err)
		}
	})
	t.Run("for a second one in the channel is refused", func(t *testing.T) {
		if _, err := b.desk.Announce(t.Context(), match.Request{ID: "b", By: "host", Venue: "1", At: noon}, "channel", terms()); !errors.Is(err, arena.Taken) {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("from another server is refused", func(t *testing.T) {
		_, err := b.desk.Change(t.Context(), match.Request{By: "alice", Venue: "2", At: noon}, "a", func(a arena.Arena, now time.Time) (arena.Arena, error) {
			return a.Join("alice", now)
		})
		if !errors.Is(err, arena.Unknown) {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("is repeated when another came first", func(t *testing.T) {
		*b.store.before = func() { b.change("bob", arena.Arena.Join) }
		if a := b.change("alice", arena.Arena.Join); len(a.Entrants) != 2 {
			t.Errorf("%d entrants", len(a.Entrants))
		}
	})
	t.Run("is dated by the clock of the venue", func(t *testing.T) {
		_, err := b.desk.Change(t.Context(), match.Request{By: "alice", Venue: "1", At: noon.Add(time.Hour)}, "a", func(a arena.Arena, now time.Time) (arena.Arena, error) {
			if !now.Equal(b.now) {
				t.Errorf("it is dated %v", now)
			}
			return a, nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
