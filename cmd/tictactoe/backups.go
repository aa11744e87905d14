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

// dailyBackups makes a copy of a database file every day, beside the file, and deletes old copies.
type dailyBackups struct {
	db      string
	keep    int // how many daily copies are kept; 0 makes none
	clock   *clock.Clock
	log     *slog.Logger
	damaged func(error)                        // called if copying, which reads the whole database, finds damage
	tried   func(outcome string, at time.Time) // called after each attempt: "made" with the time of today's copy, or "failed"
}

const (
	// defaultBackups is how many daily copies are kept unless the host asks for another number. maxBackups is the most that the host can
	// ask for, because after more days the deletions of players' data cannot be repeated on a restored copy.
	defaultBackups = 7
	maxBackups     = int(match.ErasureMemory / (24 * time.Hour))
	// oldAge is how long the program keeps other copies than the daily ones: those made before a migration or a restore, and those of a
	// lost database.
	oldAge = 30 * 24 * time.Hour
	// dailyPause is the interval between checks whether today's backup exists.
	dailyPause  = time.Hour
	dailyPrefix = ".daily-"
)

// oldCopy matches what follows the name of the database in the file name of a copy.
var oldCopy = regexp.MustCompile(`^\.(?:before-\d+|daily-\d{4}-\d\d-\d\d|(?:replaced|rescued)-(\d{8})-\d{6}\.\d{3})\.(?:bak(?:-wal|-journal)?|wal)$`)

// run makes a copy every day, and deletes old copies, until ctx ends.
func (b *dailyBackups) run(ctx context.Context) {
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
		if err != nil && ctx.Err() == nil {
			b.log.Error("daily backup failed; the next attempt follows within an hour", "err", err)
		}
		select {
		case <-b.clock.After(dailyPause):
		case <-ctx.Done():
		}
	}
}

// makeToday makes the copy of today, unless it exists, and returns when that copy was made. Days are in UTC.
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

// deleteOld deletes all but the newest daily copies, and other copies that are older than oldAge. The age is taken from the name or, if
// the name contains no time, from the time of the file.
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
