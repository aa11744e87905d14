package redraw

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

// ReceiptTime is how long receipts are collected before they are written, unless their board is drawn before. A receipt is not
// worth a commit of its own: without it, the board is drawn once more than necessary.
const ReceiptTime = 2 * time.Second

// receipts are what the replies of this process have shown, until that is written.
type receipts struct {
	shown   map[match.ID]board.Shown
	due     time.Time              // when they are written at the latest; zero if there are none
	pending map[match.ID]time.Time // replies that show a board in a new message, and until when they may land
}

// Delivered is to be called when a reply of that kind is made that shows that version of a board. What it returns takes the
// reply's receipt. more says that something beside the message has to be brought up to date, such as a mention.
func (r *Redrawer) Delivered(id match.ID, version int, kind bot.Kind, more bool) func(bot.Receipt) {
	if kind == bot.Post {
		r.mu.Lock()
		r.receipts.pending[id] = time.Now().Add(replyTime)
		r.mu.Unlock()
	}
	return func(receipt bot.Receipt) {
		r.mu.Lock()
		if kind == bot.Post {
			delete(r.receipts.pending, id)
		}
		if receipt.Err == nil {
			r.note(id, version, kind, receipt)
		}
		r.mu.Unlock()
		if receipt.Err != nil || kind == bot.Post || more {
			r.Enqueue(id)
		} else {
			r.signal()
		}
	}
}

// note keeps a receipt. The receipt of the reply that created the message never overrides a later one: people may have
// clicked on the message before Discord has answered for it. The caller holds mu.
func (r *Redrawer) note(id match.ID, version int, kind bot.Kind, receipt bot.Receipt) {
	shown := r.receipts.shown[id]
	if kind == bot.Post && receipt.Message == shown.Message && version < shown.Version {
		return
	}
	shown.ID, shown.Version = id, version
	if receipt.Message != "" {
		shown.Channel, shown.Message = receipt.Channel, receipt.Message
	}
	r.receipts.shown[id] = shown
	if r.receipts.due.IsZero() {
		r.receipts.due = time.Now().Add(ReceiptTime)
	}
}

// Record writes the receipts collected so far, so that whoever reads the boards next finds them. Where other processes answer
// clicks too, their replies may have landed on ours, or ours on theirs: a board of which more is known than ours showed is
// drawn again.
func (r *Redrawer) Record(ctx context.Context) error {
	r.mu.Lock()
	// In one order, so that processes that record the same boards wait for each other, and not each for the other.
	ids := slices.Sorted(maps.Keys(r.receipts.shown))
	shown := make([]board.Shown, len(ids))
	for i, id := range ids {
		shown[i] = r.receipts.shown[id]
	}
	r.mu.Unlock()
	if len(shown) == 0 {
		return nil
	}
	if err := r.Boards.SaveShown(ctx, shown...); err != nil {
		return err
	}
	r.mu.Lock()
	for i, id := range ids {
		if r.receipts.shown[id] == shown[i] {
			delete(r.receipts.shown, id)
		}
	}
	if r.receipts.due = (time.Time{}); len(r.receipts.shown) > 0 {
		r.receipts.due = time.Now().Add(ReceiptTime)
	}
	r.mu.Unlock()
	if r.UnderWay == 0 {
		return nil
	}
	stored, err := r.Boards.Boards(ctx, ids...)
	for i, id := range ids {
		if ours := shown[i]; ours.Version < stored[id].Shown && stored[id].Shown != board.Gone {
			r.enqueue(id, ours.Version)
		}
	}
	return err
}

// record is Record where an error is for the log: the receipts are kept, and written with the next.
func (r *Redrawer) record(ctx context.Context) {
	if err := r.Record(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, match.ErrUnsaved) {
		r.Log.Error("record which versions the messages show", "err", err)
	}
}

// recordDue is when the receipts are to be written, zero if there are none.
func (r *Redrawer) recordDue() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.receipts.due
}

func (r *Redrawer) hasReceipt(id match.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.receipts.shown[id]
	return ok
}

// pendingUntil is until when a reply may land that shows the board in a new message, zero if none is under way.
func (r *Redrawer) pendingUntil(id match.ID) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	until := r.receipts.pending[id]
	if !until.IsZero() && !time.Now().Before(until) { // it was never sent
		delete(r.receipts.pending, id)
		return time.Time{}
	}
	return until
}
