package commands_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/ranking/ladder"
)

// bubble runs a test in a synctest bubble, with a desk whose redrawer uses the fake time of the bubble.
func bubble(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, newDesk(t)) })
}

// work starts the redrawer. The returned function stops it and waits.
func (d *desk) work() (stop func()) {
	ctx, cancel := context.WithCancel(d.t.Context())
	done := make(chan struct{})
	r := d.commands.Redraw
	go func() { defer close(done); r.Run(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	d.t.Cleanup(stop)
	return stop
}

// flushes draws the outdated boards, and fails unless Discord gets exactly the given requests.
func (d *desk) flushes(want ...string) {
	d.t.Helper()
	d.commands.Redraw.Flush(d.t.Context())
	d.asked(want...)
}

// asked fails unless Discord got exactly the given requests since the last check.
func (d *desk) asked(want ...string) {
	d.t.Helper()
	if diff := cmp.Diff(want, d.discord.take()); diff != "" {
		d.t.Errorf("unexpected requests: %s", diff)
	}
}

// edit returns the request that redraws the board.
func (d *desk) edit() string { return "edit " + channel + "/" + d.board.id }

// says fails unless a message of Discord contains all of the given texts.
func (d *desk) says(message string, all ...string) {
	d.t.Helper()
	says := d.discord.says(message)
	for _, part := range all {
		if !strings.Contains(says, part) {
			d.t.Errorf("no %q in %s", part, says)
		}
	}
}

// openMatches returns alice's open matches.
func (d *desk) openMatches() []match.Match {
	d.t.Helper()
	open, err := d.store.OpenMatches(d.t.Context(), alice)
	if err != nil {
		d.t.Fatal(err)
	}
	return open
}

func (d *desk) poke(id match.ID) { d.commands.Redraw.Enqueue(id) }

// resignUnseen makes alice resign in the database, without telling Discord.
func (d *desk) resignUnseen(id match.ID, ply int) {
	d.t.Helper()
	if _, err := d.commands.Play.Referee.Resign(d.t.Context(), match.Request{ID: "x", By: alice, At: d.now()}, id, ply); err != nil {
		d.t.Fatal(err)
	}
}

// giveBack credits a minute to all players, which makes all boards outdated.
func (d *desk) giveBack() {
	d.t.Helper()
	if err := d.missed(d.now()); err != nil {
		d.t.Fatal(err)
	}
}

// missed credits the minute after from, or after the last recorded time if there is one.
func (d *desk) missed(from time.Time) error {
	seen, err := d.store.LastSeen(d.t.Context(), match.Partition{})
	if err != nil {
		return err
	}
	if !seen.IsZero() {
		from = seen
	}
	_, err = d.store.Credit(d.t.Context(), match.Partition{}, clock.Span{From: from, To: from.Add(time.Minute)})
	return err
}

// expire lets the deadline of a match or challenge pass, without any click.
func (d *desk) expire(id match.ID) {
	d.t.Helper()
	d.advance(24 * time.Hour)
	if changed, err := d.commands.Play.Referee.Expire(d.t.Context(), id, d.now); err != nil || !changed {
		d.t.Fatal(changed, err)
	}
}

// guilds passes news about servers to the redrawer.
func (d *desk) guilds(news boards.Guilds) {
	d.t.Helper()
	if err := d.commands.Redraw.Guilds(d.t.Context(), match.Partition{}, news); err != nil {
		d.t.Fatal(err)
	}
}

// later waits for the duration and until the redrawer is idle.
func later(d time.Duration) {
	time.Sleep(d) // in the bubble, sleeping takes no real time
	synctest.Wait()
}

func (d *desk) shown(id match.ID) board.Board {
	d.t.Helper()
	b, err := d.store.Board(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return b
}

// behind returns the boards that are behind, which the next start would redraw.
func (d *desk) behind() []match.ID {
	d.t.Helper()
	ids, err := d.store.Behind(d.t.Context(), match.Partition{}, "", 9)
	if err != nil {
		d.t.Fatal(err)
	}
	return ids
}

// another returns the redrawer of another process on the same store.
func (d *desk) another() *boards.Redrawer {
	config := d.commands.Redraw.RedrawerConfig
	config.Lanes = new(bot.Lanes)
	return boards.NewRedrawer(config)
}

func TestABoardThatIsBehindIsDrawn(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.started()
		id := d.id()
		d.flush()
		d.expire(id)
		d.poke(id)
		stop := d.work()
		later(boards.CollectTime)
		d.asked(d.edit())
		d.says(d.board.id, "**Alice** didn't show up", "Rematch")
		for _, c := range checkers(t) {
			body := []byte(pretty(t, map[string]any{"flags": 1 << 15, "components": d.discord.bodies[len(d.discord.bodies)-1]}))
			if refusal := c.MessageEdit(body, true); refusal != nil {
				t.Error("Discord refuses it:", refusal)
			}
		}
		d.poke(id)
		later(time.Minute)
		d.asked() // the board is up to date now
		stop()
		if got := d.discord.log.String(); got != "" {
			t.Error(got)
		}
	})
}

// TestRestoreSkipsUnreachableBoards tests that boards that the bot cannot reach do not slow down a start. Boards where the bot is
// not a member stay behind forever, and there may be many.
func TestRestoreSkipsUnreachableBoards(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		var want []string
		for i := range 9 {
			if d.place = asGuest; i == 8 {
				d.place = inServer
			}
			id := d.alone()
			want = []string{d.edit()}
			d.flush()
			d.resignUnseen(id, 0)
		}
		d.advance(time.Hour)
		d.work()
		d.commands.Redraw.CatchUp(match.Partition{})
		later(boards.CollectTime)
		d.asked(want...)
		later(time.Minute)
		if got := d.discord.log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "boards=8 reason=") {
			t.Errorf("want one line for all of them:\n%s", got)
		}
	})
}

func TestAPanicWhileDrawingStopsNoOtherBoard(t *testing.T) {
	d := newDesk(t)
	d.run(alice, "ai", "first=me")
	first := d.id()
	d.flush()
	broken := d.edit()
	d.run(bob, "ai", "first=me")
	second := d.id()
	d.flush()
	for _, id := range []match.ID{first, second} {
		d.expire(id)
		d.poke(id)
	}
	d.discord.during = func(request string) {
		if request == broken {
			panic("cannot be drawn")
		}
	}
	d.flushes(broken, d.edit())
	if got := d.discord.log.String(); !strings.Contains(got, "panic: cannot be drawn") || !strings.Contains(got, "redrawer_test.go") {
		t.Error(got)
	}
}

// panicking is a store that panics when the reply is written.
type panicking struct{ match.Store }

func (panicking) Names(context.Context, ...match.User) (map[match.User]string, error) {
	panic("no names")
}

func (panicking) Looks(context.Context, ...match.User) (match.Looks, error) {
	panic("no names")
}

func TestAfterAPanicTheBoardIsRedrawn(t *testing.T) {
	d := newDesk(t)
	d.started()
	d.flush()
	move := d.button(d.board.components, "b2")
	func() {
		defer func() { recover() }() // recovers from the panic, as the dispatcher does
		d.commands.Play.Referee.Store, d.commands.Matches = lookless{d.store}, panicking{d.store}
		d.click(alice, move)
		t.Error("the handler did not panic")
	}()
	d.flushes(d.edit())
	d.says(d.board.id, ".../.X./...")
}

func TestABoardIsTriedAgainEvenWhileOthersAreBusy(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.work()
		d.started()
		id, m := d.id(), d.board.id
		later(time.Second)
		d.expire(id)
		failed := false
		d.discord.failing(func(string) error {
			if !failed {
				failed = true
				return errors.New("connection reset")
			}
			return nil
		})
		d.poke(id)
		for range 20 { // a click every second
			later(time.Second)
			d.poke("elsewhere")
		}
		if diff := cmp.Diff([]string{"edit " + channel + "/" + m, "edit " + channel + "/" + m}, d.discord.take()); diff != "" {
			t.Error(diff)
		}
		if strings.Contains(d.discord.log.String(), "token-of") {
			t.Error("a token is in the log")
		}
	})
}

func TestFlushReturnsWhenItIsDrawn(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.work()
		d.started()
		id := d.id()
		later(time.Second)
		d.expire(id)
		d.poke(id)
		began := time.Now()
		d.commands.Redraw.Flush(t.Context())
		d.asked(d.edit())
		if time.Since(began) != 0 {
			t.Error("Flush took", time.Since(began))
		}
	})
}

func TestRestoreDrawsALotOfBoardsEachSecond(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		var wanted []string
		for range boards.CatchUpAtOnce + 2 {
			id := d.alone()
			wanted = append(wanted, d.edit())
			d.flush()
			d.resignUnseen(id, 0)
		}
		d.run(bob, "ai") // this board is up to date
		d.flush()
		d.advance(time.Minute)
		at := map[time.Duration]int{}
		began := time.Now()
		d.discord.during = func(string) { at[time.Since(began)]++ }
		stop := d.work()
		d.commands.Redraw.CatchUp(match.Partition{})
		later(time.Minute)
		stop()
		d.asked(wanted...)
		first := boards.CollectTime
		if diff := cmp.Diff(map[time.Duration]int{first: boards.CatchUpAtOnce, first + boards.CatchUpPace: 2}, at); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRestoreReadsOnWhileTheBoardsOfAChannelWait(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		many := boards.CatchUpMost + boards.CatchUpAtOnce + 1
		for range many {
			id := d.alone()
			d.flush()
			d.resignUnseen(id, 0)
		}
		d.advance(time.Hour) // after an hour no token is valid any more
		tried := map[string]bool{}
		began := time.Now()
		d.discord.limiting(func(request string) error {
			if time.Since(began) > time.Minute {
				return nil
			}
			tried[request] = true
			return rateLimited(5 * time.Second)
		})
		d.work()
		d.commands.Redraw.CatchUp(match.Partition{})
		later(time.Minute)
		if len(tried) != boards.CatchUpMost {
			t.Errorf("%d boards wait for the limit at the same time, want %d", len(tried), boards.CatchUpMost)
		}
		later(time.Minute)
		if left := d.behind(); len(left) > 0 {
			t.Errorf("%d of %d boards are still behind", len(left), many)
		}
	})
}

// unread is a store that once fails to list the boards that are behind.
type unread struct {
	board.Store
	failed bool
}

func (u *unread) Behind(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error) {
	if !u.failed {
		u.failed = true
		return nil, match.ErrBusy
	}
	return u.Store.Behind(ctx, p, after, limit)
}

func TestRestoreIsTriedAgain(t *testing.T) {
	bubble(t, func(t *testing.T, d *desk) {
		d.started()
		d.flush()
		d.expire(d.id())
		d.discord.take()
		config := d.commands.Redraw.RedrawerConfig
		config.Boards = &unread{Store: config.Boards}
		d.commands.Redraw = boards.NewRedrawer(config)
		d.work()
		d.commands.Redraw.CatchUp(match.Partition{})
		later(time.Minute)
		d.asked(d.edit())
	})
}

func TestRestoreSkipsBoardsWithAReplyUnderWay(t *testing.T) {
	for name, tt := range map[string]struct{ underWay, before, after time.Duration }{
		"by this process": {0, 0, time.Second},
		"by another one":  {20 * time.Second, 10 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, d *desk) {
				lost := func() match.ID {
					d.undelivered = rest.ErrLate
					d.board = nil
					d.run(alice, "ai", "first=me")
					open := d.openMatches()
					return open[len(open)-1].ID
				}
				// The first board was created before the bot came back, so no reply will show it. The reply with the second board
				// is under way.
				config := d.commands.Redraw.RedrawerConfig
				config.UnderWay = tt.underWay
				restorer := boards.NewRedrawer(config)
				before := lost()
				d.advance(time.Minute)
				if tt.after > 0 {
					restorer.CatchUp(match.Partition{})
					d.advance(tt.after)
				}
				d.commands.Redraw = boards.NewRedrawer(config)
				during := lost()
				if tt.before > 0 {
					d.advance(tt.before)
					restorer.CatchUp(match.Partition{})
				}
				d.commands.Redraw = restorer
				d.work()
				later(time.Minute)
				if b := d.shown(before); b.Shown != 1 {
					t.Errorf("%+v", b)
				}
				if b := d.shown(during); b.Shown != 0 {
					t.Errorf("the board was drawn before its reply arrived: %q", d.discord.take())
				}
			})
		})
	}
}

// inSilence is a server whose interactions say neither that the bot is in it nor what users may do there. Only the gateway lists
// it.
var inSilence = place{guild: guild, channel: channel, listed: true, silent: true}

// TestAServerKnownOnlyFromTheGateway tests that challenges are possible in such a server, and that the bot's own token keeps boards
// up to date there.
func TestAServerKnownOnlyFromTheGateway(t *testing.T) {
	d := newDesk(t)
	d.place = inSilence
	d.started()
	d.flush()
	d.expire(d.id()) // no interaction's token is valid after this
	d.poke(d.id())
	if got, want := d.flush(), d.edit(); len(got) == 0 || got[0] != want {
		t.Errorf("asked for %q", got)
	}
	d.says(d.board.id, "didn't show up")
	t.Run("no user is refused because of missing permissions", func(t *testing.T) {
		d := newDesk(t)
		d.place = place{guild: guild, channel: channel, silent: true}
		if r := d.challenge(); r.Private {
			t.Error(text(r.Components))
		}
	})
}

// replaying is a store of ladders, all of which are stale while it is set.
type replaying struct {
	ladder.Store
	now *atomic.Bool
}

func (r replaying) Changes(ctx context.Context, id match.ID) ([]ladder.Change, error) {
	changes, err := r.Store.Changes(ctx, id)
	for i := range changes {
		changes[i].Stale = r.now.Load()
	}
	return changes, err
}

func TestABoardOfAStaleLadderIsDrawnAfterTheRecount(t *testing.T) {
	const stale, known = "recalculating", "**Alice** 1662? (+162) · **Bob** 1338? (−162)"
	bubble(t, func(t *testing.T, d *desk) {
		var working atomic.Bool
		working.Store(true)
		painter := d.commands.Painter
		painter.Ladders = replaying{d.store, &working}
		d.commands.Painter = painter
		config := d.commands.Redraw.RedrawerConfig
		config.Painter = painter
		d.commands.Redraw = boards.NewRedrawer(config)
		stop := d.work()
		d.started()
		id, message := d.id(), d.board.id
		d.play("a1 b2 b1 a3", alice, bob)
		later(time.Minute)
		d.play("c1", alice)
		later(time.Minute)
		d.asked(d.edit()) // drawn once more after the reply, because the process does not know what the reply showed
		if said := text(d.board.components); !strings.Contains(said, stale) {
			t.Error(said)
		}
		d.poke(id)
		later(time.Minute)
		d.asked()
		d.says(message, stale)
		working.Store(false)
		later(time.Minute)
		d.asked(d.edit())
		d.says(message, known)
		later(time.Minute)
		d.asked()

		working.Store(true) // the ladder is being recalculated again, and the process ends meanwhile
		if err := d.commands.Redraw.Again(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		later(time.Minute)
		d.asked(d.edit())
		d.says(message, stale)
		stop()
		working.Store(false)
		d.commands.Redraw = d.another()
		d.work()
		d.commands.Redraw.CatchUp(match.Partition{})
		later(time.Minute)
		d.asked(d.edit())
		d.says(message, known)
		if d.behind() != nil {
			t.Error(d.behind())
		}
	})
}
