package commands

import (
	"context"
	"time"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

// Edits of a board and replies to clicks on it take turns, as far as this process sends them: whichever was sent first
// could else land last, and take a board that people are playing on back by a move.

// Handling takes note of a click on a board that is handled: what is saved for it will be shown by its reply. Done is to be
// called once that is made; what is left to draw then is drawn.
func (r *Redrawer) Handling(id match.ID) (done func()) {
	r.mu.Lock()
	r.handled[id]++
	r.mu.Unlock()
	return func() {
		r.mu.Lock()
		if r.handled[id]--; r.handled[id] == 0 {
			delete(r.handled, id)
		}
		_, replied := r.replies[id]
		waits := r.queued[id] != nil && !replied
		r.mu.Unlock()
		if waits {
			r.Poke(id)
		}
	}
}

// Landed waits until an edit of the board that is under way has landed, for a moment at most: a reply that is sent
// earlier may be drawn over.
func (r *Redrawer) Landed(ctx context.Context, id match.ID) {
	r.mu.Lock()
	editing, landed := r.editing, r.landed
	r.mu.Unlock()
	if editing != id {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, landTime)
	defer cancel()
	select {
	case <-landed:
	case <-ctx.Done():
	}
}

// alone runs an edit of a board that is to show that version, unless a reply is being made or under way that shows it or a
// newer one (errReplying), or one has arrived while the board was looked at (errArrived). No reply is sent meanwhile; see
// [Redrawer.Landed].
func (r *Redrawer) alone(id match.ID, version int, edit func() (board.Shown, error)) (board.Shown, error) {
	landed, err := r.begin(id, version)
	if err != nil {
		return board.Shown{}, err
	}
	defer func() {
		r.mu.Lock()
		r.editing = ""
		r.mu.Unlock()
		close(landed)
	}()
	return edit()
}

func (r *Redrawer) begin(id match.ID, version int) (landed chan struct{}, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	latest, ok := r.replies[id]
	if ok && !time.Now().Before(latest.until) {
		delete(r.replies, id) // it was never sent
		ok = false
	}
	if r.handled[id] > 0 || ok && latest.version >= version {
		return nil, errReplying
	}
	if _, arrived := r.shown[id]; arrived {
		return nil, errArrived
	}
	r.editing, r.landed = id, make(chan struct{})
	return r.landed, nil
}

// reply is the latest that is under way, and until when it may land.
type reply struct {
	version int
	until   time.Time
}
