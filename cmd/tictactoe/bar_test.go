package main

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
	"tictactoe/store/sqlite"
)

func TestTheHostBarsUsersAndServers(t *testing.T) {
	t.Parallel()
	db := ownDatabase(t, t.TempDir())
	change(t, db, insertLost)
	bar := func(code int, says string, args ...string) {
		t.Helper()
		out, problems, got := runInProcess(t, "", append([]string{"bar", "--db", db}, args...)...)
		if got != code || !strings.Contains(out+problems, says) {
			t.Errorf("%v: %d\n%s%s", args, got, out, problems)
		}
	}
	bar(exitOK, "Nobody is barred.", "list")
	bar(exitFailure, "is no id at Discord", "user", "alice")
	bar(exitFailure, "is no day such as", "user", lostAccount, "--until", "tomorrow")
	bar(exitFailure, "has passed", "server", "662988600115200000", "--until", "2020-01-31")
	bar(exitOK, "Barred: user "+lostAccount+" for good. Matches, challenges and arenas that have ended or changed: 1.", "user", lostAccount)
	bar(exitOK, "server 662988600115200000 to the end of 2999-01-31 (UTC)", "server", "662988600115200000", "--until", "2999-01-31")
	bar(exitOK, "user "+lostAccount+" for good\nserver 662988600115200000 to the end of 2999-01-31 (UTC)\n", "list")
	bar(exitOK, "Lifted.", "user", lostAccount, "--lift")
	bar(exitOK, "Lifted.", "server", "662988600115200000", "--lift")
	bar(exitOK, "There is no such bar.", "server", "662988600115200000", "--lift")
	bar(exitOK, "Barred: user "+lostAccount, "user", lostAccount, "--until", time.Now().UTC().Format(time.DateOnly))
	bar(exitOK, "Lifted.", "user", lostAccount, "--lift")
	bar(exitOK, "Nobody is barred.", "list")
	lock, err := sqlite.Acquire(t.Context(), db, 0)
	if err != nil {
		t.Fatal(err)
	}
	bar(exitOK, "Barred: user "+lostAccount, "user", lostAccount)
	bar(exitOK, "Lifted.", "user", lostAccount, "--lift")
	change(t, db, "DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)")
	bar(exitInUse, "of an older version: stop it first", "user", lostAccount)
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
}

func TestBarsOfTheEnvironmentAreSetOnce(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"alice", "user:alice", "channel:662988600115200000", "user:80351110224678912:soon"} {
		if _, err := parseBars([]string{text}); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
	bars, err := parseBars([]string{"user:80351110224678912", " server:662988600115200000:2999-01-31", "user:80351110224678913:2020-01-31"})
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), ownDatabase(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	for range 2 {
		err = errors.Join(err, setBars(t.Context(), lockedFile{Store: store}, bars, log))
	}
	for _, tt := range []struct {
		at   match.Venue
		by   match.User
		want match.Reason
	}{
		{"7", "80351110224678912", match.Barred}, {"662988600115200000", "1", match.VenueBarred}, {"7", "80351110224678913", ""},
	} {
		b, failed := store.Barred(t.Context(), tt.at, tt.by, time.Now())
		if refusal := b.Refuse(tt.by, true); tt.want != "" && !errors.Is(refusal, tt.want) || tt.want == "" && b != (policy.Bar{}) {
			t.Errorf("%s in %s: %v", tt.by, tt.at, refusal)
		}
		err = errors.Join(err, failed)
	}
	if err := errors.Join(err, store.Close()); err != nil {
		t.Error(err)
	}
}
