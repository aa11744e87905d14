package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tictactoe/internal/match/clock"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// dailyBackups keeps a copy of a database for each of the last days, beside it.
type dailyBackups struct {
	db    string
	keep  int // 0: none are made
	clock *clock.Clock
	log   *slog.Logger
	// damaged is told what a copy has found, which reads all of the database; nil: nobody is.
	damaged func(error)

	said string // the failure that was logged; empty after a success
}

// oldAge is how long copies stay that the program has put aside: before a migration or a restore, or when a database was lost.
const oldAge = 30 * 24 * time.Hour

// dailyPause is the interval between checks for a backup of today.
const dailyPause = time.Hour

const dailyEnding = ".bak"

// run makes a copy on every day, and deletes old ones, until the context ends. A failure is logged when it is a new one.
func (b *dailyBackups) run(ctx context.Context) {
	for !postgres.IsAddress(b.db) && ctx.Err() == nil {
		err := b.expire()
		if b.keep > 0 {
			err = errors.Join(b.today(ctx), err)
		}
		if errors.Is(err, sqlite.ErrDamaged) && b.damaged != nil {
			b.damaged(err)
		}
		switch {
		case err == nil:
			b.said = ""
		case ctx.Err() == nil && err.Error() != b.said:
			b.said = err.Error()
			b.log.Error("daily backup failed, and is tried again every hour", "err", err)
		}
		select {
		case <-b.clock.After(dailyPause):
		case <-ctx.Done():
		}
	}
}

// today makes the copy of today, if there is none, and then removes those that are too many. Days are those of UTC.
func (b *dailyBackups) today(ctx context.Context) error {
	name := b.prefix() + b.clock.Now().UTC().Format(time.DateOnly) + dailyEnding
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	if err := sqlite.Backup(ctx, b.db, name, nil); err != nil {
		return err
	}
	b.log.Info("daily backup made", "file", name)
	return b.prune()
}

func (b *dailyBackups) prefix() string { return b.db + ".daily-" }

// expire removes copies that were put aside too long ago. A copy has the time in its name, or else in its modification time.
func (b *dailyBackups) expire() error {
	folder := filepath.Dir(b.db)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		ending, ours := strings.CutPrefix(entry.Name(), filepath.Base(b.db))
		made := oldCopy.FindStringSubmatch(ending)
		if !ours || made == nil || b.keep > 0 && strings.HasPrefix(ending, ".daily-") { // prune removes these
			continue
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		at, err := time.Parse("20060102", made[1])
		if err != nil {
			at = info.ModTime()
		}
		if b.clock.Now().Sub(at) < oldAge {
			continue
		}
		name := filepath.Join(folder, entry.Name())
		if err := os.Remove(name); err != nil {
			return fmt.Errorf("remove an old copy: %w", err)
		}
		b.log.Info("old copy of the database deleted", "file", name)
	}
	return nil
}

// oldCopy matches the end of the name of a copy, behind the name of its database.
var oldCopy = regexp.MustCompile(`^\.(?:before-\d+|daily-[-\d]{10}|(?:replaced|rescued)-(\d{8})-\d{6}\.\d{3})\.(?:bak(?:-wal|-journal)?|wal)$`)

// prune removes the oldest.
func (b *dailyBackups) prune() error {
	folder := filepath.Dir(b.db)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var days []string
	for _, entry := range entries {
		day, ours := strings.CutPrefix(entry.Name(), filepath.Base(b.prefix()))
		day, whole := strings.CutSuffix(day, dailyEnding)
		if _, err := time.Parse(time.DateOnly, day); ours && whole && err == nil {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	for _, day := range days[:max(0, len(days)-b.keep)] {
		if err := os.Remove(b.prefix() + day + dailyEnding); err != nil {
			return fmt.Errorf("remove an old backup: %w", err)
		}
	}
	return nil
}
