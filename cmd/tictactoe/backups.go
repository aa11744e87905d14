package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// dailyBackups keeps a copy of a database for each of the last days, beside the database, and deletes old copies.
type dailyBackups struct {
	db      string
	keep    int // 0 makes none
	clock   *clock.Clock
	log     *slog.Logger
	damaged func(error)                        // called with the damage that a copy has found, because copying reads the whole database
	tried   func(outcome string, at time.Time) // called after each attempt: "made" with the time of today's copy, or "failed"
}

const (
	// defaultBackups is how many daily copies are kept unless the host asks for another number, up to maxBackups: deletions of players
	// can be repeated on a restored copy for that many days.
	defaultBackups = 7
	maxBackups     = int(match.ErasureMemory / (24 * time.Hour))
	// oldAge is how long other copies of the program are kept, made before a migration or a restore, or when a database was lost.
	oldAge = 30 * 24 * time.Hour
	// dailyPause is the interval between checks whether today's backup exists.
	dailyPause  = time.Hour
	dailyPrefix = ".daily-"
)

// oldCopy matches the suffix of a copy's name, after the name of its database.
var oldCopy = regexp.MustCompile(`^\.(?:before-\d+|daily-\d{4}-\d\d-\d\d|(?:replaced|rescued)-(\d{8})-\d{6}\.\d{3})\.(?:bak(?:-wal|-journal)?|wal)$`)

// run makes a copy every day, and deletes old ones, until the context ends. It logs a failure unless the previous one was the same.
func (b *dailyBackups) run(ctx context.Context) {
	said := "" // the failure that was last logged; empty after a success
	for !postgres.IsAddress(b.db) && ctx.Err() == nil {
		at, err := b.makeToday(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			b.tried("failed", b.clock.Now())
		case !at.IsZero():
			b.tried("made", at)
		}
		err = errors.Join(err, b.deleteOld())
		if errors.Is(err, sqlite.ErrDamaged) {
			b.damaged(err)
		}
		switch {
		case err == nil:
			said = ""
		case ctx.Err() == nil && err.Error() != said:
			said = err.Error()
			b.log.Error("daily backup failed; the next attempt follows within an hour", "err", err)
		}
		select {
		case <-b.clock.After(dailyPause):
		case <-ctx.Done():
		}
	}
}

// makeToday makes today's copy, unless it exists, and returns when it was made. Days are in UTC.
func (b *dailyBackups) makeToday(ctx context.Context) (at time.Time, err error) {
	if b.keep == 0 {
		return time.Time{}, nil
	}
	name := b.db + dailyPrefix + b.clock.Now().UTC().Format(time.DateOnly) + ".bak"
	if info, err := os.Stat(name); err == nil {
		return info.ModTime(), nil
	}
	if err := sqlite.Backup(ctx, b.db, name, nil); err != nil {
		return time.Time{}, err
	}
	b.log.Info("daily backup made", "file", name)
	return b.clock.Now(), nil
}

// deleteOld deletes all but the newest daily copies, and other copies that are too old, by the time in the name or else the time of the
// file.
func (b *dailyBackups) deleteOld() error {
	folder := filepath.Dir(b.db)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var old, daily []string // in the order of their dates, like their names
	for _, entry := range entries {
		ending, ours := strings.CutPrefix(entry.Name(), filepath.Base(b.db))
		made := oldCopy.FindStringSubmatch(ending)
		if !ours || made == nil {
			continue
		}
		if b.keep > 0 && strings.HasPrefix(ending, dailyPrefix) {
			daily = append(daily, entry.Name())
			continue
		}
		at, err := time.Parse("20060102", made[1])
		if err != nil {
			info, err := entry.Info()
			if err != nil {
				return err
			}
			at = info.ModTime()
		}
		if b.clock.Now().Sub(at) >= oldAge {
			old = append(old, entry.Name())
		}
	}
	for _, name := range append(old, daily[:max(0, len(daily)-b.keep)]...) {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			return fmt.Errorf("delete an old copy: %w", err)
		}
		b.log.Info("old copy of the database deleted", "file", filepath.Join(folder, name))
	}
	return nil
}
