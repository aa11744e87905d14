package boards_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/boards"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
)

// asideDesk runs asides on a database, with a fake Discord.
type asideDesk struct {
	t      *testing.T
	store  *sqlite.Store
	asides *boards.Asides
	stop   func() // stops the asides and waits for them
	log    bytes.Buffer

	mu    sync.Mutex
	asked []string
	fail  map[string][]error // the errors of the first attempts of each request
	last  int
}

// inBubble runs a test with asides in a bubble of package synctest, whose clock is fake, and then stops the asides.
func inBubble(t *testing.T, name string, test func(d *asideDesk)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		folder := sqlitetest.Folder(t)
		synctest.Test(t, func(t *testing.T) {
			store, err := sqlitetest.Open(t.Context(), filepath.Join(folder, "db"))
			if err != nil {
				t.Fatal(err)
			}
			d := &asideDesk{t: t, store: store, fail: map[string][]error{}}
			d.asides = boards.NewAsides(boards.AsidesConfig{
				Store: store, Messenger: d, Now: time.Now, Log: slog.New(slog.NewTextHandler(&d.log, nil)),
			})
			ctx, stop := context.WithCancel(t.Context())
			stopped := make(chan struct{})
			go func() { defer close(stopped); d.asides.Run(ctx) }()
			d.stop = func() { stop(); <-stopped }
			test(d)
			d.stop()
			if err := store.Close(); err != nil {
				t.Error(err)
			}
			if strings.Contains(d.log.String(), "token-") {
				t.Errorf("a token is in the log: %s", d.log.String())
			}
		})
	})
}

func (d *asideDesk) request(request string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, request)
	if fail := d.fail[request]; len(fail) > 0 {
		d.fail[request] = fail[1:]
		return fail[0]
	}
	return nil
}

func (d *asideDesk) drawn(ctx context.Context, request string, draw messages.Draw) error {
	components, err := draw(ctx)
	if err != nil {
		return err
	}
	return d.request(request + ": " + components[0].(discordgo.TextDisplay).Content)
}

func (d *asideDesk) FollowUpPrivately(ctx context.Context, token string, draw messages.Draw) (string, error) {
	d.last++
	return fmt.Sprint("line-", d.last), d.drawn(ctx, "post by "+token, draw)
}

func (d *asideDesk) EditByToken(ctx context.Context, token, message string, draw messages.Draw) error {
	return d.drawn(ctx, "edit "+message+" by "+token, draw)
}

func (d *asideDesk) DeleteByToken(_ context.Context, token, message string) error {
	return d.request("delete " + message + " by " + token)
}

// wants waits until no work is left, and compares the requests to Discord since the last call.
func (d *asideDesk) wants(requests ...string) {
	d.t.Helper()
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if diff := cmp.Diff(requests, d.asked); diff != "" {
		d.t.Error(diff)
	}
	d.asked = nil
}

// line returns the line of a user under the board m, written with a new interaction.
func line(u match.User, token string) boards.Line {
	return boards.Line{Board: "m", User: u, Token: token, Expires: time.Now().Add(messages.TokenLife)}
}

func (d *asideDesk) replied(u match.User, token string) {
	d.asides.Replied(line(u, token))(messages.Receipt{Message: "@original", Channel: "c"})
}

func says(text string) messages.Draw {
	return func(context.Context) ([]discordgo.MessageComponent, error) {
		return []discordgo.MessageComponent{discordgo.TextDisplay{Content: text}}, nil
	}
}

func TestAReplyReplacesThePreviousLine(t *testing.T) {
	inBubble(t, "the first is left alone, and each further one takes the one before away", func(d *asideDesk) {
		d.replied("alice", "token-1")
		d.wants()
		d.replied("bob", "token-2")
		d.wants()
		d.replied("alice", "token-3")
		d.wants("delete @original by token-1")
		d.asides.Replied(line("alice", "token-4"))(messages.Receipt{Message: "7001", Channel: "c"}) // this reply arrived late, and became a message of its own
		d.replied("alice", "token-5")
		d.wants("delete @original by token-3", "delete 7001 by token-4")
	})
	inBubble(t, "a reply that did not arrive changes nothing", func(d *asideDesk) {
		d.replied("alice", "token-1")
		d.asides.Replied(line("alice", "token-2"))(messages.Receipt{Err: errors.New("no connection")})
		d.replied("alice", "token-3")
		d.wants("delete @original by token-1")
	})
	inBubble(t, "a line that Discord no longer has is gone without a word in the log", func(d *asideDesk) {
		d.fail["delete @original by token-1"] = []error{messages.ErrGone}
		d.replied("alice", "token-1")
		d.replied("alice", "token-2")
		d.wants("delete @original by token-1")
		if d.log.Len() > 0 {
			d.t.Error(d.log.String())
		}
	})
	inBubble(t, "a line whose token has expired is left alone", func(d *asideDesk) {
		d.replied("alice", "token-1")
		time.Sleep(messages.TokenLife - time.Second) // the fake time of synctest
		d.replied("alice", "token-2")
		d.wants()
	})
	inBubble(t, "any other failure is in the log, without the token", func(d *asideDesk) {
		d.fail["delete @original by token-1"] = []error{errors.New("no connection")}
		d.replied("alice", "token-1")
		d.replied("alice", "token-2")
		d.wants("delete @original by token-1")
		if !strings.Contains(d.log.String(), "no connection") {
			d.t.Error(d.log.String())
		}
	})
}

func TestOutdatedLinesAreDeleted(t *testing.T) {
	inBubble(t, "the lines of the players, once", func(d *asideDesk) {
		for i, u := range []match.User{"alice", "bob", "carol"} {
			d.replied(u, fmt.Sprint("token-", i+1))
		}
		synctest.Wait()
		d.asides.Outdated("m", "bob", "alice")
		d.wants("delete @original by token-1", "delete @original by token-2")
		d.asides.Outdated("m", "carol")
		d.wants("delete @original by token-3")
		d.asides.Outdated("m", "bob", "alice")
		d.wants()
	})
	inBubble(t, "lines of other players and of other boards stay", func(d *asideDesk) {
		for i, u := range []match.User{"alice", "bob", "carol"} {
			d.replied(u, fmt.Sprint("token-", i+1))
		}
		synctest.Wait()
		d.asides.Outdated("n", "carol")
		d.wants()
		d.asides.Outdated("m", "bob", "alice")
		d.wants("delete @original by token-1", "delete @original by token-2")
	})
	inBubble(t, "a later line stays", func(d *asideDesk) {
		d.asides.Outdated("m", "alice")
		time.Sleep(time.Millisecond)
		d.replied("alice", "token-1")
		time.Sleep(time.Second)
		d.wants()
	})
}

func TestSay(t *testing.T) {
	inBubble(t, "is posted once and then edited by the token that it was posted by", func(d *asideDesk) {
		d.asides.Say(line("alice", "token-1"), says("one"))
		d.asides.Say(line("alice", "token-2"), says("two"))
		time.Sleep(time.Second)
		d.wants("post by token-1: one", "edit line-1 by token-1: two")
		time.Sleep(messages.TokenLife)
		d.asides.Say(line("alice", "token-3"), says("three"))
		d.asides.Say(line("alice", "token-4"), says("four"))
		time.Sleep(time.Second)
		d.wants("post by token-3: three", "edit line-2 by token-3: four")
	})
	inBubble(t, "takes the place of a refusal", func(d *asideDesk) {
		d.replied("alice", "token-1")
		d.asides.Say(line("alice", "token-2"), says("one"))
		d.wants("edit @original by token-1: one")
	})
	inBubble(t, "is posted anew where Discord does not have the line any more", func(d *asideDesk) {
		d.fail["edit line-1 by token-1: two"] = []error{messages.ErrGone}
		d.asides.Say(line("alice", "token-1"), says("one"))
		d.asides.Say(line("alice", "token-2"), says("two"))
		d.asides.Say(line("alice", "token-3"), says("three"))
		time.Sleep(2 * time.Second)
		d.wants("post by token-1: one", "edit line-1 by token-1: two", "post by token-2: two", "edit line-2 by token-2: three")
	})
	inBubble(t, "is missing where it cannot be drawn, and the next is not", func(d *asideDesk) {
		d.asides.Say(line("alice", "token-1"), func(context.Context) ([]discordgo.MessageComponent, error) { panic("nothing to say") })
		d.asides.Say(line("alice", "token-2"), says("two"))
		time.Sleep(2 * time.Second)
		d.wants("post by token-2: two")
		if !strings.Contains(d.log.String(), "nothing to say") {
			d.t.Error(d.log.String())
		}
	})
}

func TestExpiredLinesAreForgotten(t *testing.T) {
	inBubble(t, "lines expire although nobody acts", func(d *asideDesk) {
		d.replied("alice", "token-1")
		synctest.Wait()
		if _, err := d.store.Aside(d.t.Context(), "m", "alice"); err != nil {
			d.t.Fatal(err)
		}
		time.Sleep(messages.TokenLife + time.Minute)
		synctest.Wait()
		if _, err := d.store.Aside(d.t.Context(), "m", "alice"); !errors.Is(err, match.ErrNotFound) {
			d.t.Error(err)
		}
		d.wants()
	})
}
