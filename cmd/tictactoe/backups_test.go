package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/match/clock"
	"tictactoe/store/sqlite"
)

func TestDailyBackups(t *testing.T) {
	// days returns the dates of the backups beside a database.
	days := func(t *testing.T, db string) (found []string) {
		t.Helper()
		entries, err := os.ReadDir(filepath.Dir(db))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if day, ours := strings.CutPrefix(entry.Name(), "x.db.daily-"); ours {
				found = append(found, strings.TrimSuffix(day, ".bak"))
			}
		}
		slices.Sort(found)
		return found
	}
	tried := map[string]time.Time{} // the time of the latest attempt for each outcome
	// pass runs the daily backups until wait returns, and returns the log, which contains only failures.
	pass := func(t *testing.T, db string, keep int, wait func()) string {
		t.Helper()
		said := &output{}
		clear(tried)
		ctx, stop := context.WithCancel(t.Context())
		b := &dailyBackups{
			db: db, keep: keep, clock: clock.New(clock.Machine{}), log: slog.New(slog.NewTextHandler(said, nil)), damaged: func(error) {},
			tried: func(outcome string, at time.Time) { tried[outcome] = at },
		}
		ended := make(chan struct{})
		go func() { b.run(ctx); close(ended) }()
		wait()
		stop()
		<-ended
		return said.String()
	}

	t.Run("each of the last days has a sound backup", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { // the bubble's time begins at 1 January 2000
			db := ownDatabase(t, t.TempDir())
			store, err := sqlite.Open(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			said := pass(t, db, 3, func() { time.Sleep(5*24*time.Hour + dailyPause/2) })
			want := []string{"2000-01-04", "2000-01-05", "2000-01-06"}
			if diff := cmp.Diff(want, days(t, db)); diff != "" {
				t.Errorf("%s\n%s", diff, said)
			}
			if made, wrong := tried["made"], tried["failed"]; made.Format(time.DateOnly) != "2000-01-06" || !wrong.IsZero() {
				t.Errorf("the latest was made at %v, and one failed at %v", made, wrong)
			}
			for _, day := range want {
				if r, err := sqlite.Check(t.Context(), db+".daily-"+day+".bak", nil); err != nil || len(r.Findings) > 0 {
					t.Errorf("%s: %v, %v", day, r.Findings, err)
				}
			}
		})
	})
	t.Run("a file of a similar name is not removed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			db := ownDatabase(t, t.TempDir())
			write(t, db+".daily-1999-mine.bak", nil)
			pass(t, db, 1, func() { time.Sleep(50 * time.Hour) })
			if diff := cmp.Diff([]string{"1999-mine", "2000-01-03"}, days(t, db)); diff != "" {
				t.Error(diff)
			}
		})
	})
	t.Run("old copies are deleted after 30 days, by the time in their names or of the file", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { // the bubble's time begins at 1 January 2000
			db := ownDatabase(t, t.TempDir())
			names := []string{
				".replaced-19991201-000000.000.bak", ".replaced-19991201-000000.000.bak-wal", ".rescued-19991201-000000.000.wal", ".before-33.bak",
				".replaced-19991231-000000.000.bak", ".before-34.bak", ".mine.bak", ".erasures",
			}
			for _, name := range names {
				write(t, db+name, nil)
				made := time.Now()
				if name == ".before-33.bak" || name == ".erasures" {
					made = made.Add(-31 * 24 * time.Hour)
				}
				if err := os.Chtimes(db+name, made, made); err != nil {
					t.Fatal(err)
				}
			}
			said := pass(t, db, 0, func() { time.Sleep(time.Minute) })
			var left []string
			for _, name := range names {
				if _, err := os.Stat(db + name); err == nil {
					left = append(left, name)
				}
			}
			if diff := cmp.Diff(names[4:], left); diff != "" {
				t.Error(diff)
			}
			if n := strings.Count(said, "old copy of the database deleted"); n != 4 {
				t.Errorf("the failure was logged %d times:\n%s", n, said)
			}
		})
	})
	t.Run("a failure is logged, deletes nothing, and ends with the next success", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			db := ownDatabase(t, t.TempDir())
			write(t, db+".daily-1999-12-31.bak", nil)
			if err := os.Rename(db, db+".away"); err != nil {
				t.Fatal(err)
			}
			said := pass(t, db, 1, func() {
				time.Sleep(30*time.Hour + dailyPause/2) // between two checks
				if diff := cmp.Diff([]string{"1999-12-31"}, days(t, db)); diff != "" {
					t.Error(diff)
				}
				if err := os.Rename(db+".away", db); err != nil {
					t.Fatal(err)
				}
				time.Sleep(2 * time.Hour)
			})
			if n := strings.Count(said, "daily backup failed"); n != 31 {
				t.Errorf("the failure was logged %d times:\n%s", n, said)
			}
			if diff := cmp.Diff([]string{"2000-01-02"}, days(t, db)); diff != "" {
				t.Error(diff)
			}
			if made, failed := tried["made"], tried["failed"]; !made.After(failed) || failed.Hour() != 6 {
				t.Errorf("the latest was made at %v, and one failed at %v", made, failed)
			}
		})
	})
}
