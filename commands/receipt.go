package commands

import (
	"context"
	"maps"
	"slices"
	"time"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

// Delivered takes the receipt of a reply of that kind that shows that version. The last one tells what the message shows, even
// if it is of an older version: a reply may land after a newer board was drawn here. Not so that which made the message:
// whatever else it shows came later.
//
// Until then the reply is under way, and nothing that it shows is drawn here: it might land on what the next click shows.
func (r *Redrawer) Delivered(id match.ID, version int, kind bot.Kind) func(bot.Receipt) {
	r.mu.Lock()
	r.replies[id] = reply{version, time.Now().Add(replyTime)}
	r.mu.Unlock()
	return func(receipt bot.Receipt) {
		r.mu.Lock()
		if r.replies[id].version == version {
			delete(r.replies, id)
		}
		shown := r.shown[id]
		made := kind == bot.Post && receipt.Message == shown.Message && version < shown.Version
		if receipt.Err == nil && !made {
			shown.ID, shown.Version = id, version
			if receipt.Message != "" {
				shown.Channel, shown.Message = receipt.Channel, receipt.Message
			}
			r.shown[id] = shown
		}
		r.mu.Unlock()
		if receipt.Err != nil || kind == bot.Post {
			r.Poke(id)
		} else {
			r.ask(id, version)
		}
	}
}

// Record writes the receipts collected so far, so that whoever reads the boards next finds them.
func (r *Redrawer) Record(ctx context.Context) error {
	r.mu.Lock()
	changes := make([]match.Change, 0, len(r.shown))
	// In one order, so that processes that record the same boards wait for each other, and not each for the other.
	for _, id := range slices.Sorted(maps.Keys(r.shown)) {
		changes = append(changes, r.shown[id])
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

func (r *Redrawer) hasReceipt(id match.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.shown[id]
	return ok
}
