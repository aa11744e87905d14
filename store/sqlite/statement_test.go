package sqlite_test

import (
	"context"
	"database/sql"
	"regexp"
	"strings"
	"testing"

	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/storetest"
)

// statements returns the SQL statements in the syntax of SQLite, by name.
func statements(t testing.TB) map[string]string {
	t.Helper()
	return storetest.Statements(t, sqlstore.SQLite, ".", "../internal/sqlstore")
}

// plan returns SQLite's query plan of a statement, one step a line.
func plan(t *testing.T, db *sql.DB, statement string) string {
	t.Helper()
	rows, err := db.QueryContext(context.Background(), "EXPLAIN QUERY PLAN "+statement, make([]any, 36)...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var steps strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps.WriteString(step + "\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps.String()
}

func TestStatements(t *testing.T) {
	path := newPath(t)
	open(t, path)
	db := raw(t, path)
	all := statements(t)

	// The pattern matches a step that reads a whole table or index.
	scan := regexp.MustCompile(`SCAN (players|challenges|matches|moves|scores|standings|recounts|boards|asides|public_posts|blocks|back_offs|venues|policies|deeds|score_resets|rated|replays|seasons|lessons|puzzle_attempts|puzzle_listed|calendar_posts|arenas|entrants|rank_roles|role_grants|bars|unranked|member_checks)\b.*`)
	for name, statement := range all {
		t.Run(name+" fits the schema", func(t *testing.T) {
			prepared, err := db.PrepareContext(context.Background(), statement)
			if err != nil {
				t.Fatal(err)
			}
			prepared.Close()
		})
		if strings.Contains(name, "All") {
			continue // these statements are meant to read everything
		}
		t.Run(name+" does not read everything", func(t *testing.T) {
			if found := scan.FindString(plan(t, db, statement)); found != "" {
				t.Error(found)
			}
		})
	}
	for name, want := range map[string]string{
		"selectMatch":             "SEARCH matches USING INDEX sqlite_autoindex_matches_1 (id=?)",
		"selectOpenMatches":       "SEARCH matches USING INDEX matches_of_x (x_player=? AND ended=?)",
		"selectEndedMatches":      "SEARCH matches USING INDEX matches_of_o (o_player=? AND ended>?)",
		"selectPendingChallenges": "SEARCH challenges USING INDEX challenges_to (challenged=? AND status=?)",
		"selectOccupied":          "SEARCH matches USING INDEX matches_of_o (o_player=? AND ended=?)",
		"selectBetween":           "SEARCH challenges USING INDEX challenges_to (challenged=? AND status=?)",
		"keepShown":               "SEARCH boards USING PRIMARY KEY (id=?)",
		"selectSeries":            "SEARCH matches USING COVERING INDEX matches_series (series=?)",
		"takeDue": "SEARCH matches USING INDEX matches_deadline (deadline<?); SEARCH matches USING INDEX matches_rematch (rematch_deadline<?); " +
			"SEARCH challenges USING INDEX challenges_deadline (deadline<?)",
		"selectNextDeadline": "SEARCH matches USING INDEX matches_rematch (rematch_deadline>?)",
		"moveTurnDeadlines":  "SEARCH matches USING INDEX matches_deadline (deadline>?)",
		"selectPage": "SEARCH standings USING COVERING INDEX standings_place (venue=? AND season=? AND rules=? AND leaderboard=? AND place<?); " +
			"SEARCH standings USING INDEX standings_place (venue=? AND season=? AND rules=? AND leaderboard=? AND place>? AND place<?)",
		"selectPosition": "SEARCH standings USING COVERING INDEX standings_place (venue=? AND season=? AND rules=? AND leaderboard=? AND place<?); " +
			"SEARCH own USING PRIMARY KEY (venue=? AND player=? AND season=? AND rules=? AND leaderboard=?)",
		"selectEntriesOf":      "SEARCH s USING PRIMARY KEY (venue=? AND player=? AND season=? AND rules=?)",
		"selectRunning":        "SEARCH matches USING INDEX matches_venue (venue=? AND ended=?)",
		"selectEndedIn":        "SEARCH matches USING INDEX matches_venue (venue=? AND ended>?)",
		"markSince":            "SEARCH matches USING INDEX matches_venue (venue=? AND ended>?)",
		"selectPlayed":         "SEARCH matches USING INDEX matches_of_x (x_player=?)",
		"deleteChallengesIn":   "SEARCH challenges USING INDEX challenges_venue (venue=?)",
		"selectAuditLog":       "SEARCH deeds USING INDEX deeds_venue (venue=?)",
		"forgetAuditEntries":   "SEARCH deeds USING COVERING INDEX deeds_venue (venue=? AND n<?)",
		"leaveBoards":          "SEARCH boards USING INDEX boards_guild (guild=?)",
		"reopenBoards":         "SEARCH boards USING INDEX boards_refused (guild=? AND refused>?)",
		"selectChallengesOf":   "SEARCH challenges USING INDEX challenges_to (challenged=?)",
		"selectUntidy":         "SEARCH boards USING INDEX boards_shrinks (shrinks<?)",
		"selectBehind":         "SEARCH boards USING INDEX boards_behind (id>?)",
		"selectWithoutMention": "SEARCH m USING INDEX matches_deadline (deadline>?); SEARCH b USING PRIMARY KEY (id=?)",
		"selectLatestPlayed":   "SEARCH matches USING INDEX matches_of_x (x_player=? AND ended>?); SEARCH matches USING INDEX matches_of_o (o_player=? AND ended>?)",
		"selectUnreviewed":     "SEARCH matches USING INDEX matches_unreviewed (ended>?)",
		"selectLaddersSince":   "SEARCH matches USING INDEX matches_venue (venue=? AND ended>?)",
	} {
		t.Run(name+" uses its index", func(t *testing.T) {
			for want := range strings.SplitSeq(want, "; ") {
				if have := plan(t, db, all[name]); !strings.Contains(have, want) {
					t.Errorf("want %s, got\n%s", want, have)
				}
			}
		})
	}
}
