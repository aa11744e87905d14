package sqlite_test

import (
	"strings"
	"testing"

	"tictactoe/internal/match"
	"tictactoe/internal/server/venue"
)

// Of a server that the bot has left, only matches and challenges in progress stay, with what belongs to them.
func TestAPruneLeavesNothingElseOfTheServer(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	everything(t, s)
	db := raw(t, path)
	run(t, db, "UPDATE matches SET arena = NULL WHERE outcome IS NULL") // games of arenas have ended a month after the bot has left
	for _, news := range []venue.News{{Present: []match.Venue{"home"}}, {Gone: []match.Venue{"home"}}} {
		if err := s.Note(t.Context(), news, noon()); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Prune(t.Context(), match.Partition{}, noon(), noon()); n == 0 || err != nil {
		t.Fatalf("%d matches were deleted: %v", n, err)
	}
	if r := checked(t, path); len(r.Findings) > 0 {
		t.Errorf("%d findings, the first: %+v", len(r.Findings), r.Findings[0])
	}
	var tables string
	if err := db.QueryRow(`SELECT group_concat(t.name, ' ') FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
		WHERE t.type = 'table' AND c.name = 'venue'`).Scan(&tables); err != nil {
		t.Fatal(err)
	}
	for _, table := range strings.Fields(tables) {
		going := "0"
		switch table {
		case "matches":
			going = "outcome IS NULL"
		case "challenges":
			going = "status = 'pending'"
		}
		var over int
		if err := db.QueryRow("SELECT count(*) FROM " + table + " WHERE venue = 'home' AND NOT " + going).Scan(&over); err != nil || over > 0 {
			t.Errorf("%s: %d rows stay: %v", table, over, err)
		}
	}
}
