package commands

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/view"
)

const (
	// settleTime is how long receipts are collected before they are written: one commit for all of them, none of which
	// is worth a commit of its own, since a board that is thought to be behind is only drawn once more.
	settleTime = 500 * time.Millisecond
	// restorePace is the time between two boards that are redrawn after the bot was away.
	restorePace = time.Second
	// drawTime bounds the drawing of one board, rate limits included: the others wait for it.
	drawTime = 5 * time.Second
	// retryPause is the time after which boards that could not be drawn are tried again.
	retryPause = 5 * time.Second
	// replyTime bounds how long after a click its reply may still land.
	replyTime = 30 * time.Second
	// maxTries is how often a board is tried before it is left to the next click or the next start.
	maxTries = 4
	// mentionFrom is the time for each move from which on the side to move is mentioned.
	mentionFrom = time.Hour
	// restoreAtOnce bounds how many boards are looked up in one go.
	restoreAtOnce = 100
)

var (
	// errLeft: nothing that we hold lets us write to the board. It stays behind for its next click.
	errLeft = errors.New("the board is out of reach")
	// errRefused: Discord does not let us write to the board.
	errRefused = fmt.Errorf("%w: %w", errLeft, bot.ErrForbidden)
	// errUnsure: the board was drawn, and something older may land on it yet.
	errUnsure = errors.New("something older may be on its way to the board")
)

// Messenger reads and writes messages outside of interactions.
type Messenger interface {
	Original(ctx context.Context, token string) (bot.Sent, error)
	Recent(ctx context.Context, channel string) ([]bot.Sent, error)
	EditMessage(ctx context.Context, channel, message string, draw bot.Draw) error
	EditByToken(ctx context.Context, token, message string, draw bot.Draw) error
	Post(ctx context.Context, channel, replyTo string, components []discordgo.MessageComponent, ping []string) (message string, err error)
	Delete(ctx context.Context, channel, message string) error
}

// Redrawer makes boards true again whose match has changed without a click on them: lost on time, restarted in between, or
// a reply that Discord never took. It also keeps the one message that calls the side to move to a slow match.
//
// What is behind is in the store, and how often Discord has refused to let it be drawn; what is held here is only what to
// look at first.
type Redrawer struct {
	Sources
	wake chan struct{} // capacity 1

	drawing chan struct{} // capacity 1; full while a board is drawn. Waiting for it heeds a context

	mu      sync.Mutex
	shown   map[match.ID]board.Shown // by the latest receipts, not yet written
	latest  map[match.ID]int         // the version of the latest receipt, of those in urgent
	urgent  []match.ID
	queued  map[match.ID]bool   // in urgent
	failed  map[match.ID]int    // how often, of boards that will be tried again
	restore map[match.Part]bool // of which every board has to be looked at
	since   time.Time           // when that was asked for: what came later is answered by its handler
}

// Sources are what a redrawer reads from and writes to.
type Sources struct {
	Matches match.Store
	Boards  board.Store
	// Policies say in which servers nobody is mentioned.
	Policies policy.Store
	REST     Messenger
	Book     *locale.Book
	Level    string // of the computer offered where a challenge came to nothing
	Now      func() time.Time
	Log      *slog.Logger
	// UnderWay is for how long another process may be busy with what it has received; what is younger than that is not
	// restored. 0: there is no other that hears the same players.
	UnderWay time.Duration
}

// NewRedrawer makes a redrawer; Run starts it.
func NewRedrawer(s Sources) *Redrawer {
	return &Redrawer{
		Sources: s, wake: make(chan struct{}, 1), drawing: make(chan struct{}, 1),
		shown: map[match.ID]board.Shown{}, latest: map[match.ID]int{}, queued: map[match.ID]bool{}, failed: map[match.ID]int{},
		restore: map[match.Part]bool{},
	}
}

// Poke asks for a look at where that challenge or match is shown. It never blocks.
func (r *Redrawer) Poke(id match.ID) {
	r.mu.Lock()
	if !r.queued[id] {
		r.queued[id] = true
		r.urgent = append(r.urgent, id)
	}
	r.mu.Unlock()
	r.nudge()
}

// Restore asks for a look at every board of a part, because the bot was away from it.
func (r *Redrawer) Restore(p match.Part) {
	r.mu.Lock()
	r.restore[p], r.since = true, r.Now().Add(-r.UnderWay)
	clear(r.failed)
	r.mu.Unlock()
	r.nudge()
}

// Guilds takes what happened to servers: the boards of one are left alone while the bot is not in it, and tried again when
// that or something else there changes.
func (r *Redrawer) Guilds(ctx context.Context, news bot.Guilds) error {
	for _, some := range []struct {
		guilds  []string
		refused int
	}{{news.Changed, 1}, {news.Present, board.Left}} { // by its presence alone, channels are as closed as they were
		for _, id := range some.guilds {
			n, err := r.Boards.Reopen(ctx, id, some.refused)
			if err != nil {
				return err
			}
			if n > 0 {
				r.Restore(match.Part{Index: news.Shard.ID, Of: news.Shard.Of})
			}
		}
	}
	for _, id := range news.Gone {
		if err := r.Boards.Save(ctx, board.GuildLeft{Guild: id}); err != nil {
			return err
		}
	}
	return nil
}

// Delivered takes the receipt of a reply that shows that version. The last one tells what the message shows, even if it is
// of an older version: a reply may land after a newer board was drawn here.
func (r *Redrawer) Delivered(id match.ID, version int) func(bot.Receipt) {
	return func(receipt bot.Receipt) {
		if receipt.Err == nil {
			shown := board.Shown{ID: id, Version: version, Channel: receipt.Channel, Message: receipt.Message}
			r.mu.Lock()
			if shown.Message == "" {
				shown.Channel, shown.Message = r.shown[id].Channel, r.shown[id].Message
			}
			r.shown[id], r.latest[id] = shown, version
			r.mu.Unlock()
		}
		r.Poke(id)
	}
}

func (r *Redrawer) nudge() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run works until the context ends, then writes the receipts it still has.
func (r *Redrawer) Run(ctx context.Context) {
	var retry <-chan time.Time // kept over other work, which might never pause for that long
	for {
		if retry == nil && r.hasFailed() {
			retry = time.After(retryPause)
		}
		select {
		case <-ctx.Done():
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			defer cancel()
			if err := r.Record(end); err != nil && !errors.Is(err, match.ErrUnsaved) {
				r.Log.Error("record what is shown", "err", err)
			}
			return
		case <-retry:
			retry = nil
			r.queueFailed()
		case <-r.wake:
		}
		if !wait(ctx, settleTime) {
			continue
		}
		r.Flush(ctx)
		r.mu.Lock()
		restore, since := r.restore, r.since
		r.restore = map[match.Part]bool{}
		r.mu.Unlock()
		for p := range restore {
			r.restoreAll(ctx, p, since)
		}
	}
}

// Flush draws everything that was asked for, now, and returns when it is drawn.
func (r *Redrawer) Flush(ctx context.Context) {
	if !r.hold(ctx) {
		return
	}
	defer r.release()
	ids, latest := r.takeUrgent() // before the receipts are recorded, for whoever asked has left the receipt first
	if err := r.Record(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, match.ErrUnsaved) {
		r.Log.Error("record what is shown", "err", err)
	}
	for _, id := range ids {
		r.tend(ctx, id, latest[id])
	}
}

// hold waits until nobody else draws, and reports false if the context ended first; release ends it.
func (r *Redrawer) hold(ctx context.Context) bool {
	select {
	case r.drawing <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (r *Redrawer) release() { <-r.drawing }

func (r *Redrawer) takeUrgent() (ids []match.ID, latest map[match.ID]int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids, latest = r.urgent, r.latest
	r.urgent, r.latest = nil, map[match.ID]int{}
	clear(r.queued)
	return ids, latest
}

// restoreAll draws every board of a part that is behind, at a pace that leaves room for the players. What nothing reaches
// costs no pause. A reply to what has come since may still be on its way, and its receipt will ask for a look.
func (r *Redrawer) restoreAll(ctx context.Context, p match.Part, since time.Time) {
	var after match.ID
	for {
		ids, err := r.Boards.Behind(ctx, p, after, restoreAtOnce)
		if err != nil {
			if ctx.Err() == nil {
				r.Log.Error("look for boards to restore", "err", err)
			}
			return
		}
		if len(ids) == 0 {
			return
		}
		for _, id := range ids {
			after = id
			b, err := r.Boards.Board(ctx, id)
			if err == nil && (b.Quiet() || !b.Member && !r.lives(b) || b.Message == "" && b.Expires.After(since.Add(bot.TokenLife))) {
				continue
			}
			if !r.hold(ctx) {
				return
			}
			r.tend(ctx, id, 0)
			r.release()
			if !wait(ctx, restorePace) {
				return
			}
			r.Flush(ctx)
		}
	}
}

// Record writes the receipts collected so far, so that whoever reads the boards next finds them.
func (r *Redrawer) Record(ctx context.Context) error {
	r.mu.Lock()
	changes := make([]match.Change, 0, len(r.shown))
	for _, s := range r.shown {
		changes = append(changes, s)
	}
	r.mu.Unlock()
	if len(changes) == 0 {
		return nil
	}
	if err := r.Boards.Save(ctx, changes...); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range changes {
		if s := c.(board.Shown); r.shown[s.ID] == s {
			delete(r.shown, s.ID)
		}
	}
	return nil
}

// tend makes one board true, and remembers to try again if it could not. Receipt is the version that the latest reply
// showed, 0 if there was none since the last look.
func (r *Redrawer) tend(ctx context.Context, id match.ID, receipt int) {
	brief, cancel := context.WithTimeout(ctx, drawTime)
	defer cancel()
	err := r.attempt(brief, id, receipt)
	if ctx.Err() != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		delete(r.failed, id)
		return
	}
	if errors.Is(err, match.ErrUnreadable) {
		delete(r.failed, id)
		r.Log.Error("board of what cannot be read", "match", id, "err", err)
		return
	}
	if r.failed[id]++; r.failed[id] >= maxTries {
		delete(r.failed, id)
		r.Log.Warn("board left to its next click", "match", id, "err", err)
		return
	}
	r.Log.Info("board will be tried again", "match", id, "err", err)
}

// attempt draws with a panic as an error: one board that cannot be drawn must not end the program at every start.
func (r *Redrawer) attempt(ctx context.Context, id match.ID, receipt int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return r.draw(ctx, id, receipt)
}

func (r *Redrawer) hasFailed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.failed) > 0
}

func (r *Redrawer) queueFailed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range r.failed {
		if !r.queued[id] {
			r.queued[id] = true
			r.urgent = append(r.urgent, id)
		}
	}
}

// subject is what there is to show: the match, or while there is none the challenge.
type subject struct {
	match     *match.Match
	challenge match.Challenge
	version   int
}

// call is who is notified of a message that is posted anew: a challenge that nobody has seen yet calls its opponent. One
// that has been seen was answered for with an interaction's token at hand.
func (s subject) call(b board.Board) []string {
	if s.match == nil && s.challenge.Status == match.Pending && b.Token != "" {
		return []string{string(s.challenge.To)}
	}
	return nil
}

// matters tells whether there is still something to do or to learn, so that a board which was deleted is worth another
// message. How a rematch came to nothing is not.
func (s subject) matters() bool {
	if s.match == nil {
		return s.challenge.Status == match.Pending
	}
	return !s.match.Result.Over() || s.match.Rematch.State == match.NoRematch
}

func (r *Redrawer) load(ctx context.Context, id match.ID) (subject, error) {
	m, err := r.Matches.Match(ctx, id)
	if err == nil {
		return subject{match: &m, version: m.Version}, nil
	}
	if !errors.Is(err, match.ErrNotFound) {
		return subject{}, err
	}
	c, err := r.Matches.Challenge(ctx, id)
	return subject{challenge: c, version: c.Version}, err
}

// draw brings the message of an id up to date, and the mention beside it. A click may have redrawn the message while it
// was drawn here, so it looks again until nothing has changed meanwhile. An edit that the row still names, be it of another
// process or of one that was killed, may have put an older board there.
func (r *Redrawer) draw(ctx context.Context, id match.ID, receipt int) error {
	drawn := 0 // the version that was drawn here last
	for {
		b, err := r.Boards.Board(ctx, id)
		if errors.Is(err, match.ErrNotFound) {
			return nil // shown nowhere
		}
		if err != nil {
			return err
		}
		if b.Quiet() {
			return nil
		}
		s, err := r.load(ctx, id)
		if errors.Is(err, match.ErrNotFound) {
			return nil // the request that would have created it was refused
		}
		if err != nil {
			return err
		}
		if b.Past.Message != "" && b.Message != "" {
			if err := r.depart(ctx, b); err != nil {
				return err
			}
			continue
		}
		overdrawn := 0 < receipt && receipt < b.Shown // by a reply that was slower than we
		if b.Shown >= s.version && !overdrawn && (drawn == s.version || drawn == 0 && b.Edit == "") {
			err := r.mention(ctx, b, s.match)
			if err == nil && b.Edit != "" {
				err = errUnsure
			}
			return err
		}
		receipt = 0
		shown, err := r.write(ctx, b, s)
		drawn = shown.Version
		switch {
		case errors.Is(err, board.ErrMoved):
			return nil // whoever moved it asks for a look when the new message has an id
		case errors.Is(err, errRefused):
			return errors.Join(r.Boards.Save(ctx, board.Refused{ID: id}), r.mention(ctx, b, s.match))
		case errors.Is(err, errLeft):
			return r.mention(ctx, b, s.match)
		case errors.Is(err, bot.ErrMessageGone) && b.Token != "" && s.matters():
			// Posted anew, once: what nobody has used since it was posted here is not wanted where it is.
			if err := r.Boards.Save(ctx, board.Lost{ID: id, Message: b.Message}); err != nil {
				return err
			}
			continue
		case errors.Is(err, bot.ErrMessageGone):
			shown.Version = board.Gone
		case err != nil:
			return err
		}
		if err := r.Boards.Save(ctx, shown); err != nil {
			return err
		}
	}
}

func (r *Redrawer) components(ctx context.Context, b board.Board, s subject) ([]discordgo.MessageComponent, error) {
	words := r.Book.In(b.Locale)
	if s.match == nil {
		names, err := r.Matches.Names(ctx, s.challenge.From, s.challenge.To)
		if err != nil {
			return nil, err
		}
		return encode(view.OfChallenge(s.challenge, names, r.Level), words, discordStyle{}), nil
	}
	screen, style, err := matchScreen(ctx, r.Matches, r.Boards, *s.match)
	if err != nil {
		return nil, err
	}
	return encode(screen, words, style), nil
}

// write draws where the board is, by the bot's own token if it may, else by the newest interaction's, and returns what the
// message shows then. A board that no message is known to show is posted anew where the bot may write, and only that message
// calls anybody. Errors: errLeft, which may be errRefused, bot.ErrMessageGone if the message was deleted, board.ErrMoved if
// another one shows the board by now, or why it should be tried again.
func (r *Redrawer) write(ctx context.Context, b board.Board, s subject) (shown board.Shown, err error) {
	shown = board.Shown{ID: b.ID, Version: s.version, Channel: b.Channel, Message: b.Message}
	if shown.Message == "" {
		if shown.Message, err = r.find(ctx, b); err != nil {
			return shown, err
		}
	}
	if shown.Message == "" {
		if !b.Member {
			return shown, errLeft
		}
		components, err := r.components(ctx, b, s)
		if err != nil {
			return shown, err
		}
		shown.Message, err = r.REST.Post(ctx, b.Channel, "", components, s.call(b))
		if errors.Is(err, bot.ErrForbidden) {
			err = errRefused
		}
		return shown, err
	}
	draw := func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		edit := board.Edit{ID: b.ID, Message: shown.Message, Name: rand.Text()}
		if err := r.Boards.Save(ctx, edit); err != nil {
			return nil, err
		}
		s, err := r.load(ctx, b.ID)
		if err != nil {
			return nil, err
		}
		shown.Version, shown.Edit = s.version, edit.Name
		if b.Shown < s.version-1 && r.Now().Before(b.Expires.Add(replyTime-bot.TokenLife)) {
			shown.Edit = "" // the newest click made a version that is not known to be shown: its reply may be under way
		}
		return r.components(ctx, b, s)
	}
	left := errLeft
	if b.Member {
		err := r.REST.EditMessage(ctx, b.Channel, shown.Message, draw)
		if !errors.Is(err, bot.ErrForbidden) {
			return shown, err
		}
		left = errRefused
	}
	if !r.lives(b) {
		return shown, left
	}
	err = r.REST.EditByToken(ctx, b.Token, shown.Message, draw)
	if errors.Is(err, bot.ErrForbidden) || errors.Is(err, bot.ErrMessageGone) {
		err = left // gone may be the token alone
	}
	return shown, err
}

// lives tells whether the token of the board still works, as far as we know.
func (r *Redrawer) lives(b board.Board) bool { return r.Now().Before(b.Expires) }

// find is the id of the message that shows the board although nobody could tell us: its receipt was lost. It is what the
// interaction was answered with, or stands among the latest messages of the channel; empty if there is none. The original
// of a token may be something else as well, what was clicked, a line that says that the answer is late, or an apology: a
// message is the board's if everybody sees it and its buttons say so.
func (r *Redrawer) find(ctx context.Context, b board.Board) (string, error) {
	if r.lives(b) {
		original, err := r.REST.Original(ctx, b.Token)
		if err != nil && !errors.Is(err, bot.ErrMessageGone) {
			return "", err
		}
		if err == nil && shows(original, b) {
			return original.ID, nil
		}
	}
	if !b.Member {
		return "", nil
	}
	recent, err := r.REST.Recent(ctx, b.Channel)
	if err != nil && !errors.Is(err, bot.ErrForbidden) {
		return "", err
	}
	for _, sent := range recent {
		if shows(sent, b) {
			return sent.ID, nil
		}
	}
	return "", nil
}

// shows tells whether a message is that board, and not the one that it was moved away from.
func shows(sent bot.Sent, b board.Board) bool {
	if sent.Flags&discordgo.MessageFlagsEphemeral != 0 || sent.ID == b.Past.Message {
		return false
	}
	return slices.ContainsFunc(sent.Carried, func(carried string) bool {
		id, err := parseCustomID(carried)
		return err == nil && id.id == b.ID
	})
}

// depart says in the message that showed the board before where it is now, and takes the mention there away.
func (r *Redrawer) depart(ctx context.Context, b board.Board) error {
	style := discordStyle{map[match.ID]board.Board{b.ID: b}}
	moved := func(context.Context) ([]discordgo.MessageComponent, error) {
		return encode(view.Moved(b.ID), r.Book.In(b.Locale), style), nil
	}
	err := r.REST.EditMessage(ctx, b.Past.Channel, b.Past.Message, moved)
	if err == nil && b.Mention.Message != "" {
		err = r.REST.Delete(ctx, b.Past.Channel, b.Mention.Message)
	}
	if err != nil && !errors.Is(err, bot.ErrMessageGone) && !errors.Is(err, bot.ErrForbidden) {
		return err
	}
	return r.Boards.Save(ctx, board.Departed{ID: b.ID, Message: b.Past.Message},
		board.Mentioned{ID: b.ID, Mention: board.Mention{Ply: b.Mention.Ply}})
}

// mention keeps at most one message that calls the side to move, for slow matches in servers where the bot may write.
func (r *Redrawer) mention(ctx context.Context, b board.Board, m *match.Match) error {
	if m == nil || b.Message == "" || !b.Member || b.Guild == "" || m.TurnTime < mentionFrom || m.Seats.Level() != "" {
		return nil
	}
	want := 0
	if !m.Result.Over() {
		quiet, err := r.Boards.IsQuiet(ctx, m.Turn().Player)
		if err != nil {
			return err
		}
		p, err := r.Policies.Policy(ctx, m.Venue)
		if err != nil {
			return err
		}
		if !quiet && !p.Quiet {
			want = m.Record.Len() + 1
		}
	}
	if b.Mention.Ply == want {
		return nil
	}
	if b.Mention.Message != "" {
		err := r.REST.Delete(ctx, b.Channel, b.Mention.Message)
		if err != nil && !errors.Is(err, bot.ErrMessageGone) && !errors.Is(err, bot.ErrForbidden) {
			return err
		}
	}
	// Recorded before it is posted: a player is called once at most, even if we stop in between.
	if err := r.Boards.Save(ctx, board.Mentioned{ID: b.ID, Mention: board.Mention{Ply: want}}); err != nil || want == 0 {
		return err
	}
	names, err := r.Matches.Names(ctx, m.Seats.Players()...)
	if err != nil {
		return err
	}
	style := discordStyle{map[match.ID]board.Board{b.ID: b}}
	player := string(m.Turn().Player)
	message, err := r.REST.Post(ctx, b.Channel, b.Message,
		encode(view.TurnMention(*m, names), r.Book.In(b.Locale), style), []string{player})
	switch {
	case errors.Is(err, bot.ErrForbidden), errors.Is(err, bot.ErrMessageGone):
		return nil
	case errors.Is(err, bot.ErrRateLimited): // the one failure after which nobody was called for certain
		return errors.Join(err, r.Boards.Save(ctx, board.Mentioned{ID: b.ID}))
	case err != nil:
		return err
	}
	return r.Boards.Save(ctx, board.Mentioned{ID: b.ID, Mention: board.Mention{Ply: want, Message: message}})
}

// wait reports false if the context ended first.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
