package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/storetest"
)

// Stretches are some thousand long. In short ones a few players do what else only many would.
func TestStandingsInShortStretches(t *testing.T) {
	longtest.Only(t)
	storetest.Standings(t, func(t *testing.T) storetest.Store {
		address := pgtest.Empty(t)
		s := open(t, address)
		shorten(t, address)
		t.Cleanup(func() { lawful(t, address) })
		return s
	})
}

func TestStandingsThatChangeFromManySides(t *testing.T) {
	address := pgtest.Empty(t)
	all := stores(t, address)
	shorten(t, address)
	var sides sync.WaitGroup
	for i, s := range all {
		sides.Go(func() {
			for n := range 2 * rounds {
				x, o := match.User(fmt.Sprint("x", n%7)), match.User(fmt.Sprint("o", (n+i)%11))
				m := begin(match.ID(fmt.Sprint(i, "-", n)), x, o)
				save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
				save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: won(t, m)}}})
			}
		})
	}
	sides.Wait()
	lawful(t, address)
}

// shorten lets no rank bucket be longer than three.
func shorten(t *testing.T, address string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var stand string
	if err := conn.QueryRow(t.Context(), `SELECT pg_get_functiondef('tictactoe.stand'::regproc)`).Scan(&stand); err != nil {
		t.Fatal(err)
	}
	short := strings.Replace(stand, "> 2048", "> 3", 1)
	if short == stand {
		t.Fatal("not the length that was expected:\n" + stand)
	}
	if _, err := conn.Exec(t.Context(), short); err != nil {
		t.Fatal(err)
	}
}
