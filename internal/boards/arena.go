package boards

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

// ArenaPace is the shortest pause between two drawings of the message of an arena. Many things change in an arena, and each drawing shows
// all changes before it.
const ArenaPace = 2 * time.Second

// errEarly means that the message of an arena was drawn less than ArenaPace ago.
var errEarly = errors.New("the arena was drawn just now")

// early returns errEarly if the message of an arena was drawn less than ArenaPace ago, and otherwise notes that it is drawn now.
func (r *Redrawer) early(b board.Board, a *arena.Arena) error {
	if a == nil || b.Message == "" {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if now.Before(r.paced[a.ID]) {
		return errEarly
	}
	r.paced[a.ID] = now.Add(ArenaPace)
	if !a.Open() {
		delete(r.paced, a.ID)
	}
	return nil
}

// placeArena records which message shows an open arena. For the first message it also makes the thread in which the boards are posted. Where
// no thread can be made, they are posted in the channel. It reports whether it has recorded anything.
func (r *Redrawer) placeArena(ctx context.Context, b board.Board, a *arena.Arena) (recorded bool, err error) {
	if a == nil || !a.Open() || b.Message == "" || a.Message == b.Message {
		return false, nil
	}
	thread := a.Thread
	if a.Message == "" && mayPost(b) {
		thread, err = r.Messenger.StartThread(ctx, b.Channel, b.Message, r.Painter.ThreadName(b, *a))
		switch {
		case errors.Is(err, messages.ErrRateLimited):
			return false, err
		case errors.Is(err, messages.ErrForbidden), errors.Is(err, messages.ErrGone), errors.Is(err, messages.ErrRefused):
			r.Log.Info("an arena has no thread", "arena", a.ID, "channel", b.Channel, "err", err)
			thread = ""
		case err != nil:
			return false, err
		}
	}
	return true, r.showArena(ctx, *a, b.Message, thread)
}

// endNewsTime is how long after the end of an arena the message about the end may still be posted.
const endNewsTime = time.Hour

// announceEnd tells the players of an arena that it is over: it posts a message where the boards are, and requests that the latest board of
// each player be drawn again, because it promises another one. Like a mention, the message is noted in the board's row before it is sent: a
// crash may lose it and never doubles it.
func (r *Redrawer) announceEnd(ctx context.Context, b board.Board, a *arena.Arena) error {
	if a == nil || a.Open() || a.Status == arena.CalledOff && len(a.Pairings) == 0 || b.Mention.Ply > 0 || !mayPost(b) ||
		r.Now().After(a.Ends.Add(endNewsTime)) {
		return nil
	}
	latest := map[match.User]match.ID{}
	for _, g := range a.Pairings {
		latest[g.Seats[0].Player], latest[g.Seats[1].Player] = g.Match, g.Match
	}
	for _, id := range slices.Compact(slices.Sorted(maps.Values(latest))) {
		if err := r.Again(ctx, id); err != nil {
			return err
		}
	}
	noted := board.Mention{}
	_, err := r.Messenger.Post(ctx, a.Place(), "", func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		components, err := r.Painter.ArenaEnd(ctx, b, *a)
		if err == nil && noted.Ply == 0 {
			noted.Ply = 1
			err = r.Boards.SaveMention(ctx, b.ID, b.Mention, noted)
		}
		return components, err
	}, nil)
	switch {
	case errors.Is(err, messages.ErrRateLimited): // only after this failure is it certain that the message was not sent
		return errors.Join(err, unlessConflict(r.Boards.SaveMention(ctx, b.ID, noted, board.Mention{})))
	case errors.Is(err, messages.ErrForbidden), errors.Is(err, messages.ErrGone), errors.Is(err, messages.ErrRefused):
		r.Log.Info("the end of an arena could not be posted", "arena", a.ID, "channel", a.Place(), "err", err)
		return nil
	}
	return unlessConflict(err)
}

// showArena records which message shows an arena, and the thread for its boards.
func (r *Redrawer) showArena(ctx context.Context, a arena.Arena, message, thread string) error {
	_, err := r.Arenas.Change(ctx, match.Request{Venue: a.Venue, At: r.Now()}, a.ID, func(a arena.Arena, _ time.Time) (arena.Arena, error) {
		return a.Shown(message, thread), nil
	})
	return err
}

// leaveThread moves the board of a match of an arena from a thread where Discord refuses it, because the thread was locked or deleted, to the
// channel of the arena. The next boards are posted there, too. It reports whether the board is moved.
func (r *Redrawer) leaveThread(ctx context.Context, b board.Board, m *match.Match) (moved bool, err error) {
	if m == nil || m.Arena == "" || r.Arenas == nil {
		return false, nil
	}
	a, err := r.Arenas.Store.Arena(ctx, m.Arena)
	if err != nil || b.Channel == a.Channel {
		return false, err
	}
	if a.Thread == b.Channel {
		if err := r.showArena(ctx, a, a.Message, ""); err != nil {
			return false, err
		}
		r.Enqueue(a.ID)
	}
	to := board.Reference{ID: b.ID, Guild: b.Guild, Channel: a.Channel, Member: b.Member, Locale: b.Locale}
	return true, r.Boards.Move(ctx, match.Permit{Venue: a.Venue, Places: []string{a.Channel}}, to)
}
