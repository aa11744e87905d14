package boards

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

// Delivered is called when a handler makes a reply that shows a version of a board, in a new message if newMessage is set. The returned
// function must be called with the receipt of the reply. If more is set, something beside the message must be brought up to date too, such
// as a mention.
func (r *Redrawer) Delivered(id match.ID, version int, newMessage, more bool) func(messages.Receipt) {
	if newMessage {
		r.mu.Lock()
		r.pending[id] = time.Now().Add(replyTime)
		r.mu.Unlock()
	}
	return func(receipt messages.Receipt) {
		r.mu.Lock()
		if newMessage {
			delete(r.pending, id)
		}
		if receipt.Err == nil {
			r.note(id, version, newMessage, receipt)
		}
		r.mu.Unlock()
		if receipt.Err != nil || newMessage || more {
			r.Enqueue(id)
		} else {
			r.signal()
		}
	}
}

// note remembers a receipt until it is saved. People can click a new message before its receipt has come, so the receipt of a new message
// does not replace the receipt of a click. The caller holds mu.
func (r *Redrawer) note(id match.ID, version int, newMessage bool, receipt messages.Receipt) {
	shown := r.receipts[id]
	if newMessage && receipt.Message == shown.Message && version < shown.Version {
		return
	}
	shown.ID, shown.Version = id, version
	if receipt.Message != "" {
		shown.Channel, shown.Message = receipt.Channel, receipt.Message
	}
	r.receipts[id] = shown
}

// SaveReceipts saves the receipts collected so far, so that the next reader of the boards finds them. Each pass saves all receipts
// together: a receipt is not worth a commit of its own, because losing it costs one needless drawing of the board.
//
// Another process may also have replied to a click on the message, and either reply may have arrived last. If the row records a newer
// version than this process's reply showed, SaveReceipts enqueues the board.
func (r *Redrawer) SaveReceipts(ctx context.Context) error {
	r.mu.Lock()
	// The receipts are sorted, so that processes that save the same boards lock the rows in the same order and do not
	// deadlock.
	ids := slices.Sorted(maps.Keys(r.receipts))
	shown := make([]board.Shown, len(ids))
	for i, id := range ids {
		shown[i] = r.receipts[id]
	}
	r.mu.Unlock()
	if len(shown) == 0 {
		return nil
	}
	err := r.Boards.SaveShown(ctx, shown...)
	r.mu.Lock()
	for i, id := range ids {
		if err == nil && r.receipts[id] == shown[i] {
			delete(r.receipts, id)
		}
	}
	r.mu.Unlock()
	if err != nil || r.UnderWay == 0 {
		return err
	}
	stored, err := r.Boards.Boards(ctx, ids...)
	for i, id := range ids {
		if ours := shown[i]; ours.Version < stored[id].Shown && stored[id].Shown != board.Gone {
			r.enqueue(id, ours.Version)
		}
	}
	return err
}

// trySaveReceipts saves the receipts and logs an error. Receipts that could not be saved stay in memory, and the next pass, at most
// RetryPause later, tries again.
func (r *Redrawer) trySaveReceipts(ctx context.Context) {
	err := r.SaveReceipts(ctx)
	if err == nil || ctx.Err() != nil {
		return
	}
	if !errors.Is(err, match.ErrUnsaved) {
		r.Log.Error("receipts could not be saved", "err", err)
	}
	time.AfterFunc(RetryPause, r.signal)
}

// pendingUntil returns until when a reply under way, which shows the board in a new message, may still arrive. It returns zero if there is
// no such reply.
func (r *Redrawer) pendingUntil(id match.ID) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	until := r.pending[id]
	if !until.IsZero() && !time.Now().Before(until) { // the reply was never sent
		delete(r.pending, id)
		return time.Time{}
	}
	return until
}
