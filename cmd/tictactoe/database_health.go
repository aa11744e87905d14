package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"

	"tictactoe/store/sqlite"
)

// health records whether saving fails and whether the stored data is damaged.
type health struct {
	db      string
	log     *slog.Logger
	unsaved atomic.Pointer[error] // why saving fails; nil, or a pointer to nil, if saving works
	damaged atomic.Pointer[error] // the damage that an examination or a daily backup has found
}

// saving records and logs that saving fails because of err or, if err is nil, that it works again.
func (h *health) saving(err error) {
	h.unsaved.Store(&err)
	if err != nil {
		h.log.Error("nothing can be saved, and users are told so; free some space, or check the disk", "db", shownDatabase(h.db), "err", err)
		return
	}
	h.log.Info("saving works again", "db", shownDatabase(h.db))
}

// damage records that the stored data is damaged.
func (h *health) damage(err error) { h.damaged.Store(&err) }

// err returns why saving fails or which data is damaged, or nil if neither is known.
func (h *health) err() error {
	for _, known := range []*error{h.unsaved.Load(), h.damaged.Load()} {
		if known != nil && *known != nil {
			return *known
		}
	}
	return nil
}

// examine looks for damage in the file, and records and logs it. The bot continues to run, even on a damaged file: readable data and new
// saves are valuable, and a person must decide when to stop and which backup to restore.
func (h *health) examine(ctx context.Context) {
	report, err := sqlite.Check(ctx, h.db, nil)
	switch {
	case ctx.Err() != nil:
	case err != nil: // damage is a finding, not an error
		h.log.Error("the database could not be examined; tictactoe db check may tell more", "db", h.db, "err", err)
	case len(report.Findings) > 0:
		first := report.Findings[0]
		err = fmt.Errorf("%s: %s: %s", first.Where, first.What, first.Remedy)
		h.damage(err)
		h.log.Error("the database is not sound; see what tictactoe db check says", "db", h.db, "findings", len(report.Findings), "err", err)
	default:
		h.log.Info("the database is sound", "matches", report.Matches, "moves", report.Moves)
	}
}
