package boards_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
)

const (
	alice, bob = "alice", "bob"
	home       = "home"    // the server
	general    = "general" // its channel
)

// desk is a referee and a redrawer on a real database. The test controls the clock and Discord.
type desk struct {
	t       *testing.T
	store   *sqlite.Store
	referee *match.Referee
	redraw  *boards.Redrawer
	discord discord
	lanes   bot.Lanes
	now     time.Time
	last    int // the number of the latest interaction

	guest bool        // the bot is not a member of the server of the interactions
	lost  error       // the reason why the next reply does not arrive
	part  bool        // the painter does not yet know the link or ratings that a finished match shows
	match match.Match // the latest match that was begun or changed
}

type deskClock struct{ of *desk }

func (c deskClock) Read() (date, ran time.Time)          { return c.of.now, c.of.now }
func (c deskClock) After(time.Duration) <-chan time.Time { return nil }

func newDesk(t *testing.T) *desk {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(sqlitetest.Folder(t), "db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	d := &desk{t: t, store: store, now: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)}
	d.discord.messages, d.discord.nonces = map[string]string{}, map[string]string{}
	d.referee = &match.Referee{
		Store: store, Limits: match.DefaultLimits(), Coin: func() bool { return false }, Time: &match.Schedulers{Clock: clock.New(deskClock{d})},
	}
	d.redraw = boards.NewRedrawer(boards.RedrawerConfig{
		Matches: store, Boards: store, Policies: store, Messenger: &d.discord, Lanes: &d.lanes, Painter: painter{d},
		Now: func() time.Time { changes.Load(); return d.now }, Log: slog.New(slog.NewTextHandler(&d.discord.log, nil)),
	})
	return d
}

// bubble runs a test with a desk in a bubble of package synctest, so that the redrawer uses fake time.
func bubble(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, newDesk(t)) })
}

// changes is a counter that the test increments before it waits and the fake Discord reads in every request. It tells the race detector
// that the test's writes happen before the redrawer's reads, because the fake time of synctest does not establish that order.
var changes atomic.Int64

// later waits for the duration and until the redrawer is idle.
func later(d time.Duration) {
	changes.Add(1)
	<-time.After(d) // in a bubble of synctest, waiting takes no real time
	synctest.Wait()
}

// work starts the redrawer. The returned function stops it and waits.
func (d *desk) work() (stop func()) {
	ctx, cancel := context.WithCancel(d.t.Context())
	done := make(chan struct{})
	r := d.redraw
	go func() { defer close(done); r.Run(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	d.t.Cleanup(stop)
	return stop
}

// another returns the redrawer of another process on the same store.
func (d *desk) another() *boards.Redrawer {
	config := d.redraw.RedrawerConfig
	config.Lanes = new(bot.Lanes)
	return boards.NewRedrawer(config)
}

// request returns the request of a new interaction with a message, and the id of the interaction.
func (d *desk) request(by match.User, id match.ID, message string) match.Request {
	d.last++
	req := match.Request{ID: match.ID(fmt.Sprint(d.last)), By: by, Venue: home, At: d.now, Names: []match.Name{{Player: by, Name: string(by)}}}
	reference := board.Reference{
		ID: id, Guild: home, Channel: general, Message: message, Token: fmt.Sprint("token-", d.last), Expires: d.now.Add(messages.TokenLife), Member: !d.guest,
	}
	if id == "" {
		reference.ID = req.ID
		req.OnCreate = []match.Extra{reference}
	} else {
		req.OnUpdate = []match.Extra{reference}
	}
	return req
}

// delivered reports the outcome of the reply that shows a version to the redrawer.
func (d *desk) delivered(id match.ID, message string, version int, anew, more bool) {
	receipt := messages.Receipt{Message: message, Channel: general, Err: d.lost}
	d.lost = nil
	d.redraw.Delivered(id, version, anew, more)(receipt)
}

// message returns the id of the message that shows a match.
func message(id match.ID) string { return "board-" + string(id) }

// challenge returns a challenge of bob by alice.
func (d *desk) challenge(first match.First, turn time.Duration) match.Challenge {
	d.t.Helper()
	c, err := d.referee.Challenge(d.t.Context(), d.request(alice, "", ""), bob, match.Terms{Rules: game.Classic(), First: first, TurnTime: turn})
	if err != nil {
		d.t.Fatal(err)
	}
	d.delivered(c.ID, message(c.ID), c.Version, true, false)
	return c
}

// started begins a match of alice, who moves first, against bob.
func (d *desk) started(turn time.Duration) {
	d.t.Helper()
	d.accept(d.challenge(match.Me, turn))
}

func (d *desk) accept(c match.Challenge) {
	d.t.Helper()
	m, err := d.referee.Accept(d.t.Context(), d.request(bob, c.ID, message(c.ID)), c.ID)
	d.show(m, err)
}

// plays makes a move by a click on the board.
func (d *desk) plays(by match.User, ply int, square string) {
	d.t.Helper()
	m, err := d.referee.Play(d.t.Context(), d.request(by, d.match.ID, d.board()), d.match.ID, ply, square)
	d.show(m, err)
}

// show replies with a changed match.
func (d *desk) show(m match.Match, err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	d.match = m
	if d.lost == nil {
		d.discord.show(d.board(), drawn(m.Position().String()))
	}
	d.delivered(m.ID, d.board(), m.Version, false, boards.Mentioned(m))
}

// resignUnseen makes alice resign without a reply that shows the resignation.
func (d *desk) resignUnseen(ply int) {
	d.t.Helper()
	if _, err := d.referee.Resign(d.t.Context(), match.Request{ID: "x", By: alice, At: d.now}, d.match.ID, ply); err != nil {
		d.t.Fatal(err)
	}
}

// expire lets the deadline of the match pass.
func (d *desk) expire() {
	d.t.Helper()
	d.now = d.now.Add(24 * time.Hour)
	if changed, err := d.referee.Expire(d.t.Context(), d.match.ID, func() time.Time { return d.now }); err != nil || !changed {
		d.t.Fatal(changed, err)
	}
}

func (d *desk) board() string { return message(d.match.ID) }
func (d *desk) edit() string  { return "edit " + general + "/" + d.board() }
func (d *desk) poke()         { d.redraw.Enqueue(d.match.ID) }

// calls returns the request that posts the mention of a player beside the board.
func (d *desk) calls(player string) string {
	return "post to " + general + " in reply to " + d.board() + " notifying " + player
}

// flush draws the boards that are behind, and returns the requests to Discord. A redrawer that does not end is stopped.
func (d *desk) flush() []string {
	ctx, cancel := context.WithTimeout(d.t.Context(), 10*time.Second)
	defer cancel()
	d.redraw.Flush(ctx)
	return d.discord.take()
}

// flushes draws the boards that are behind, and fails unless Discord gets exactly the given requests.
func (d *desk) flushes(want ...string) {
	d.t.Helper()
	if diff := cmp.Diff(want, d.flush()); diff != "" {
		d.t.Errorf("unexpected requests: %s", diff)
	}
}

// asked fails unless Discord got exactly the given requests since the last check.
func (d *desk) asked(want ...string) {
	d.t.Helper()
	if diff := cmp.Diff(want, d.discord.take()); diff != "" {
		d.t.Errorf("unexpected requests: %s", diff)
	}
}

// says fails unless a message of Discord has the given text.
func (d *desk) says(message, want string) {
	d.t.Helper()
	if said := d.discord.says(message); !strings.Contains(said, want) {
		d.t.Errorf("%s says %q, want %q", message, said, want)
	}
}

func (d *desk) shown() board.Board {
	d.t.Helper()
	b, err := d.store.Board(d.t.Context(), d.match.ID)
	if err != nil {
		d.t.Fatal(err)
	}
	return b
}

// behind returns the boards that are behind, which the next start would draw.
func (d *desk) behind() []match.ID {
	d.t.Helper()
	ids, err := d.store.Behind(d.t.Context(), match.Partition{}, "", 9)
	if err != nil {
		d.t.Fatal(err)
	}
	return ids
}

// painter draws a line of text.
type painter struct{ of *desk }

func drawn(text string) []discordgo.MessageComponent {
	return []discordgo.MessageComponent{discordgo.TextDisplay{Content: text}}
}

func (painter) Challenge(_ context.Context, _ board.Board, c match.Challenge) ([]discordgo.MessageComponent, error) {
	return drawn("challenge " + c.Status.String()), nil
}

func (p painter) Match(_ context.Context, b board.Board, m match.Match, called ...string) (boards.Drawing, error) {
	changes.Load()
	text := strings.Join(append([]string{m.Position().String()}, called...), " ")
	switch {
	case m.Result.Over() && p.of.part:
		return boards.Drawing{Components: drawn(text + " over, in part"), Version: m.Version - 1}, nil
	case m.Result.Over() && b.Small:
		text += " over, small"
	case m.Result.Over():
		text += " over"
	}
	return boards.Drawing{Components: drawn(text), Version: m.Version}, nil
}

func (painter) Arena(_ context.Context, _ board.Board, a arena.Arena) ([]discordgo.MessageComponent, error) {
	return drawn(fmt.Sprintf("arena with %d entrants, boards in %s", len(a.Entrants), a.Place())), nil
}

func (painter) ArenaEnd(context.Context, board.Board, arena.Arena) ([]discordgo.MessageComponent, error) {
	return nil, nil
}

func (painter) ThreadName(board.Board, arena.Arena) string { return "Friday" }

func (painter) Moved(b board.Board) []discordgo.MessageComponent { return drawn("now in " + b.Message) }

func (painter) Mention(_ context.Context, _ board.Board, m match.Match, begun bool) ([]discordgo.MessageComponent, error) {
	if begun {
		return drawn("begun, " + string(m.Awaited())), nil
	}
	return drawn("turn of " + string(m.Turn().Player)), nil
}

func (painter) About(customID string) match.ID {
	return match.ID(strings.TrimPrefix(customID, "play:"))
}

// discord is a fake messenger: it records the requests, and fails on demand.
type discord struct {
	mu       sync.Mutex
	next     int
	requests []string
	messages map[string]string          // the text of each message
	fail     func(request string) error // returns the error of a request; may be nil
	limit    func(request string) error // like fail, but called before anything is drawn
	waiting  func()                     // called before an edit is drawn, like a wait for a rate limit
	during   func(request string)       // called while a request is under way
	original messages.Sent              // the message found by any token; if zero, the message is gone
	recent   []messages.Sent            // the latest messages of every channel
	unread   bool                       // the bot may not read the messages of channels
	nonces   map[string]string          // the id of the message that was posted with each nonce
	log      bytes.Buffer
}

// only returns a function that fails the requests with the given prefix.
func only(prefix string, err error) func(request string) error {
	return func(request string) error {
		if strings.HasPrefix(request, prefix) {
			return err
		}
		return nil
	}
}

// rateLimited returns the error of a request that has to wait.
func rateLimited(after time.Duration) error {
	return &messages.LimitError{After: after}
}

// write draws a message and makes a request.
func (d *discord) write(ctx context.Context, request, message string, draw messages.Draw) error {
	changes.Load()
	if d.limit != nil {
		if err := d.limit(request); err != nil {
			return err
		}
	}
	if d.waiting != nil {
		d.waiting()
	}
	components, err := draw(ctx)
	if err == nil {
		err = d.request(ctx, request)
	}
	if err == nil {
		d.show(message, components)
	}
	return err
}

func (d *discord) request(ctx context.Context, request string) error {
	changes.Load()
	if err := ctx.Err(); err != nil {
		return err
	}
	d.mu.Lock()
	d.requests = append(d.requests, request)
	many := len(d.requests) > 1000
	d.mu.Unlock()
	if many {
		panic("the bot asks again and again: " + request) // without pauses the fake time of synctest would stand still, and the test would not end
	}
	if d.during != nil {
		d.during(request)
	}
	if d.fail != nil {
		return d.fail(request)
	}
	return nil
}

func (d *discord) show(message string, components []discordgo.MessageComponent) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.messages[message] = components[0].(discordgo.TextDisplay).Content
}

func (d *discord) says(message string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.messages[message]
}

// take returns the requests since it was last called.
func (d *discord) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	requests := d.requests
	d.requests = nil
	return requests
}

func (d *discord) Original(ctx context.Context, token string) (messages.Sent, error) {
	err := d.request(ctx, "original of "+token)
	if err == nil && d.original.ID == "" {
		err = messages.ErrGone
	}
	return d.original, err
}

func (d *discord) Latest(ctx context.Context, channel string) (messages.History, error) {
	changes.Load()
	if err := d.request(ctx, "latest in "+channel); d.unread || err != nil {
		return messages.History{}, err
	}
	return messages.History{Own: d.recent, All: true, Since: time.Unix(1, 0)}, nil
}

func (d *discord) EditMessage(ctx context.Context, channel, message string, draw messages.Draw) error {
	return d.write(ctx, "edit "+channel+"/"+message, message, draw)
}

func (d *discord) EditByToken(ctx context.Context, token, message string, draw messages.Draw) error {
	return d.write(ctx, "edit "+message+" by "+token, message, draw)
}

func (d *discord) Post(ctx context.Context, channel, replyTo string, draw messages.Draw, notify []string) (string, error) {
	request := "post to " + channel
	if replyTo != "" {
		request += " in reply to " + replyTo
	}
	return d.post(ctx, request, draw, notify)
}

// PostOnce posts a message, unless it was called with the nonce before.
func (d *discord) PostOnce(ctx context.Context, channel, nonce string, draw messages.Draw, notify []string) (string, error) {
	if id := d.nonces[nonce]; id != "" {
		return id, d.write(ctx, "post once more to "+channel, id+" unseen", draw)
	}
	id, err := d.post(ctx, "post to "+channel, func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		components, err := draw(ctx)
		d.nonces[nonce] = fmt.Sprint("post-", d.next+1)
		return components, err
	}, notify)
	if err != nil {
		delete(d.nonces, nonce)
	}
	return id, err
}

func (d *discord) PostByToken(ctx context.Context, token string, draw messages.Draw, notify []string) (messages.Sent, error) {
	id, err := d.post(ctx, "post by "+token, draw, notify)
	return messages.Sent{ID: id}, err
}

func (d *discord) post(ctx context.Context, request string, draw messages.Draw, notify []string) (string, error) {
	if len(notify) > 0 {
		request += " notifying " + strings.Join(notify, " ")
	}
	id := fmt.Sprint("post-", d.next+1)
	err := d.write(ctx, request, id, draw)
	if err == nil {
		d.next++
	}
	return id, err
}

func (d *discord) StartThread(ctx context.Context, channel, message, name string) (string, error) {
	return message, d.request(ctx, "thread "+name+" from "+channel+"/"+message)
}

func (d *discord) Delete(ctx context.Context, channel, message string) error {
	return d.remove(ctx, message, "delete "+channel+"/"+message)
}

func (d *discord) DeleteByToken(ctx context.Context, token, message string) error {
	return d.remove(ctx, message, "delete "+message+" by "+token)
}

func (d *discord) remove(ctx context.Context, message, request string) error {
	err := d.request(ctx, request)
	if err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.messages, message)
	}
	return err
}
