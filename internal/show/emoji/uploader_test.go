package emoji_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/game"
	"tictactoe/internal/show/emoji"
)

// discord is a fake Discord with the emoji of one application.
type discord struct {
	mu      sync.Mutex
	t       *testing.T
	own     []emoji.Own
	next    int
	pace    time.Duration // how long each upload takes, to simulate rate limits
	uploads map[string]int
	fail    func() error // the error of the next upload that was carried out; nil means none
	room    int          // the largest number of emoji that Discord accepts; 0 means MaxOfApplication
	refused int          // the number of uploads that did not fit
}

func newDiscord(t *testing.T) *discord { return &discord{t: t, uploads: make(map[string]int)} }

func (d *discord) ApplicationID(context.Context) (string, error) { return "app", nil }

func (d *discord) OwnEmoji(context.Context) ([]emoji.Own, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.own), nil
}

func (d *discord) CreateEmoji(ctx context.Context, name string, png []byte) (string, error) {
	d.mu.Lock()
	pace := d.pace
	d.mu.Unlock()
	select {
	case <-time.After(pace):
	case <-ctx.Done():
		return "", ctx.Err()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.room > 0 && len(d.own) >= d.room {
		d.refused++
		return "", fmt.Errorf("create emoji: %w", emoji.ErrNoRoom)
	}
	if slices.ContainsFunc(d.own, func(e emoji.Own) bool { return e.Name == name }) || len(d.own) >= emoji.MaxOfApplication {
		return "", fmt.Errorf("Discord rejects %s", name)
	}
	d.next++
	d.uploads[name]++
	id := fmt.Sprint(d.next)
	d.own = append(d.own, emoji.Own{ID: id, Name: name})
	if d.fail != nil {
		return id, d.fail()
	}
	return id, nil
}

func (d *discord) RenameEmoji(_ context.Context, id, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, e := range d.own {
		if e.ID == id {
			d.own[i].Name = name
			return nil
		}
	}
	return errors.New("unknown emoji")
}

// lose deletes emoji without the bot's knowledge, and makes each later upload take the given time.
func (d *discord) lose(which func(e emoji.Own) bool, pace time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.own, d.pace = slices.DeleteFunc(d.own, which), pace
}

func (d *discord) wantOnce() {
	d.t.Helper()
	for _, e := range emoji.Set() {
		if d.uploads[e.Name] != 1 {
			d.t.Errorf("%s was uploaded %d times", e.Name, d.uploads[e.Name])
		}
	}
}

// rows is a store of the emoji of one application.
type rows struct {
	mu sync.Mutex
	of map[string]emoji.Row
}

func (r *rows) Emoji(context.Context, string) ([]emoji.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Collect(maps.Values(r.of)), nil
}

func (r *rows) KeepEmoji(_ context.Context, _ string, row emoji.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of[row.ID] = row
	return nil
}

func (r *rows) ForgetEmoji(_ context.Context, _, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.of, id)
	return nil
}

// process runs a process that watches and keeps the emoji, until stop is called.
func process(t *testing.T, store *rows, d *discord) (known *emoji.Known, stop func()) {
	k := keeper(store, d)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { k.Watch(ctx); ended <- struct{}{} }()
	go func() { k.Keep(ctx); ended <- struct{}{} }()
	return k.Known, func() { cancel(); <-ended; <-ended }
}

func keeper(store *rows, d *discord) *emoji.Uploader {
	return &emoji.Uploader{Known: new(emoji.Known), Store: store, Discord: d, Log: slog.New(slog.DiscardHandler)}
}

func passed(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func wantWhole(t *testing.T, k *emoji.Known, d *discord) {
	t.Helper()
	if have, want := k.Count(); have != want {
		t.Errorf("there are %d of %d emoji", have, want)
	}
	for _, offer := range game.Offered() {
		drawn := k.For(offer.Rules)
		for _, e := range emoji.Set() {
			if !slices.Contains(d.own, emoji.Own{ID: drawn[e.Name], Name: e.Name}) {
				t.Errorf("on a board of %s, the emoji %s is drawn as %q", offer.Name, e.Name, drawn[e.Name])
			}
		}
	}
}

func wantUnicode(t *testing.T, k *emoji.Known) {
	t.Helper()
	for _, offer := range game.Offered() {
		if drawn := k.For(offer.Rules); drawn != nil {
			t.Errorf("boards of %s are drawn with %v", offer.Name, drawn)
		}
	}
}

// inTime runs a test in a bubble of package synctest, in which waiting takes no real time.
func inTime(t *testing.T, name string, test func(t *testing.T, store *rows, d *discord)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { test(t, &rows{of: make(map[string]emoji.Row)}, newDiscord(t)) })
	})
}

func TestTheSetIsUploaded(t *testing.T) {
	inTime(t, "and each board uses its emoji when they are all there", func(t *testing.T, store *rows, d *discord) {
		d.pace = 500 * time.Millisecond
		k, stop := process(t, store, d)
		defer stop()
		passed(25 * time.Second)
		wantUnicode(t, k)
		passed(20 * time.Second)
		if k.For(game.Classic()) == nil {
			t.Error("small boards do not get their emoji before the large ones")
		}
		passed(75 * time.Second)
		wantWhole(t, k, d)
		d.wantOnce()
	})

	inTime(t, "and boards do not wait for the stars", func(t *testing.T, store *rows, d *discord) {
		k, stop := process(t, store, d)
		defer stop()
		passed(time.Minute)
		d.lose(func(e emoji.Own) bool { return strings.HasSuffix(e.Name, "_better") }, time.Minute)
		k.Refused()
		passed(10 * time.Second)
		if k.For(game.Classic()) == nil {
			t.Error("a board is drawn without its emoji because stars are missing")
		}
	})

	inTime(t, "also if the process is killed again and again", func(t *testing.T, store *rows, d *discord) {
		d.pace = time.Second
		for range 10 {
			_, stop := process(t, store, d)
			passed(25*time.Second + 500*time.Millisecond)
			stop()
		}
		k, stop := process(t, store, d)
		defer stop()
		passed(time.Minute)
		wantWhole(t, k, d)
		d.wantOnce()
	})

	inTime(t, "also if an answer is lost, and no row was written", func(t *testing.T, store *rows, d *discord) {
		fails := 3
		d.fail = func() error {
			if fails--; fails >= 0 {
				return errors.New("no answer")
			}
			return nil
		}
		k, stop := process(t, store, d)
		defer stop()
		passed(5 * time.Minute)
		wantWhole(t, k, d)
		d.wantOnce()
	})

	inTime(t, "and another process learns of it, and brings nothing", func(t *testing.T, store *rows, d *discord) {
		d.pace = time.Second / 10
		_, stop := process(t, store, d)
		defer stop()
		other := keeper(store, d)
		go other.Watch(t.Context())
		passed(2 * time.Minute)
		wantWhole(t, other.Known, d)
		d.wantOnce()
	})

	inTime(t, "not if there is too little room", func(t *testing.T, store *rows, d *discord) {
		for i := range 1900 {
			d.own = append(d.own, emoji.Own{ID: fmt.Sprint("other", i), Name: fmt.Sprint("other", i)})
		}
		k, stop := process(t, store, d)
		defer stop()
		passed(time.Minute)
		wantUnicode(t, k)
		if len(d.own) != 1900 || len(d.uploads) > 0 {
			t.Errorf("the process uploaded %d emoji", len(d.uploads))
		}
		d.lose(func(e emoji.Own) bool { return strings.HasSuffix(e.Name, "7") }, 0) // the host has made room
		passed(61 * time.Minute)
		wantWhole(t, k, d)
	})
}

func TestDiscordHasNoRoom(t *testing.T) {
	inTime(t, "and is asked again after an hour", func(t *testing.T, store *rows, d *discord) {
		d.room = 100
		k, stop := process(t, store, d)
		defer stop()
		passed(50 * time.Minute)
		if d.refused != 1 {
			t.Errorf("Discord was asked %d times", d.refused)
		}
		if k.For(game.Classic()) == nil {
			t.Error("a board is drawn without emoji although all of its emoji exist")
		}
		d.mu.Lock()
		d.room = 0
		d.mu.Unlock()
		passed(12 * time.Minute)
		wantWhole(t, k, d)
	})
}

func TestADeletedEmoji(t *testing.T) {
	inTime(t, "comes again when Discord refuses it", func(t *testing.T, store *rows, d *discord) {
		k, stop := process(t, store, d)
		defer stop()
		passed(time.Minute)
		d.lose(func(e emoji.Own) bool { return e.Name == "b2_x" }, time.Minute)
		k.Refused()
		wantUnicode(t, k)
		passed(10 * time.Second)
		if k.For(game.Classic()) != nil {
			t.Error("boards are drawn with a deleted emoji")
		}
		passed(2 * time.Minute)
		wantWhole(t, k, d)
	})

	inTime(t, "comes again within an hour when nobody asks", func(t *testing.T, store *rows, d *discord) {
		k, stop := process(t, store, d)
		defer stop()
		passed(time.Minute)
		d.lose(func(e emoji.Own) bool { return strings.HasPrefix(e.Name, "a") }, 0)
		passed(61 * time.Minute)
		wantWhole(t, k, d)
	})

	inTime(t, "is no reason for doubt if it was another's", func(t *testing.T, store *rows, d *discord) {
		k, stop := process(t, store, d)
		defer stop()
		passed(time.Minute)
		k.Refused()
		passed(10 * time.Second)
		wantWhole(t, k, d)
	})
}

func TestAnEmojiWithANewPicture(t *testing.T) {
	inTime(t, "takes the name, and the former one keeps its id", func(t *testing.T, store *rows, d *discord) {
		k, stop := process(t, store, d)
		passed(time.Minute)
		former := k.For(game.Classic())["b2_x_last"]
		row := store.of[former]
		row.Hash = "0123456789abcdef"
		store.of[former] = row
		stop()
		k, stop = process(t, store, d)
		defer stop()
		passed(time.Minute)
		wantWhole(t, k, d)
		if !slices.Contains(d.own, emoji.Own{ID: former, Name: "b2_x_last_" + former}) {
			t.Error("old boards have lost their emoji")
		}
		all, _ := store.Emoji(t.Context(), "app")
		if old := emoji.Superseded(all); len(old) != 1 || old[0].ID != former {
			t.Errorf("the superseded emoji are %v", old)
		}
	})
}
