package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
)

// lostAccount is the id of a user who has an open match.
const lostAccount = "80351110224678912"

const insertLost = `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, created, deadline, version)
	VALUES ('m', 'm', '', '3x3x3', '80351110224678912', '80351110224678913', 60000, 1, 60001, 1)`

func TestTheDataOfALostAccountIsDeletedByItsID(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"file", "Postgres"} {
		t.Run(kind, func(t *testing.T) {
			db := ""
			if kind == "file" {
				db = ownDatabase(t, t.TempDir())
				change(t, db, insertLost)
			} else {
				db = pgtest.Migrated(t)
				conn, err := pgx.Connect(t.Context(), db)
				if err != nil {
					t.Fatal(err)
				}
				_, err = conn.Exec(t.Context(), "SET search_path = tictactoe; "+insertLost)
				if err := errors.Join(err, conn.Close(t.Context())); err != nil {
					t.Fatal(err)
				}
			}
			erase := func(code int, says string, args ...string) {
				t.Helper()
				out, problems, got := runInProcess(t, "", append([]string{"db", "--db", db, "erase"}, args...)...)
				if got != code || !strings.Contains(out+problems, says) {
					t.Errorf("%v: %d\n%s%s", args, got, out, problems)
				}
			}
			erase(exitUsage, "is no id at Discord", "--player", "alice")
			if kind == "file" {
				lock, err := sqlite.Acquire(t.Context(), db, 0)
				if err != nil {
					t.Fatal(err)
				}
				erase(exitInUse, "stop it first", "--player", lostAccount)
				if err := lock.Release(); err != nil {
					t.Fatal(err)
				}
			}
			erase(exitOK, ": 1 matches, 0 challenges", "--player", lostAccount)
			erase(exitOK, "Nothing is stored of "+lostAccount, "--player", lostAccount)
		})
	}
}
