package postgres_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/migrations"
	"tictactoe/store/internal/column"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// TestTheSecondMigrationAllowsWhatTheFirstDid compares the functions with the constraints that they have replaced, on every
// combination of values that any of those is about, in a row that else makes sense.
func TestTheSecondMigrationAllowsWhatTheFirstDid(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	address := pgtest.Empty(t)
	open(t, address)
	first, err := fs.ReadFile(migrations.Postgres(), "00001_initial.sql")
	if err != nil {
		t.Fatal(err)
	}
	run(t, address, "CREATE SCHEMA before; SET search_path = before;"+string(first))
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	exec := func(t *testing.T, statements string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), statements); err != nil {
			t.Fatal(err)
		}
	}
	exec(t, `CREATE TEMPORARY TABLE matches_tried (LIKE tictactoe.matches);
		ALTER TABLE matches_tried ALTER id SET DEFAULT 'm', ALTER series SET DEFAULT 'm', ALTER venue SET DEFAULT '', ALTER rules SET DEFAULT '3x3',
			ALTER x_player SET DEFAULT 'a', ALTER o_player SET DEFAULT 'b', ALTER turn_ms SET DEFAULT 1, ALTER deadline SET DEFAULT 1,
			ALTER created SET DEFAULT 1, ALTER version SET DEFAULT 1, ALTER helped SET DEFAULT false;
		CREATE TEMPORARY TABLE boards_tried (LIKE tictactoe.boards INCLUDING DEFAULTS);
		ALTER TABLE boards_tried ALTER id SET DEFAULT 'm', ALTER guild SET DEFAULT '', ALTER channel SET DEFAULT '', ALTER message SET DEFAULT '',
			ALTER token SET DEFAULT '', ALTER member SET DEFAULT true, ALTER latest SET DEFAULT 1`)
	for _, space := range []struct{ about, table, columns, values string }{
		{"seats", "matches", "x_player, x_level, o_player, o_level", "[NULL, '', 'a', 'b'] a, [NULL, '', 'easy'] b, [NULL, '', 'a', 'b'] c, [NULL, '', 'easy'] d"},
		{"ends", "matches", "deadline, ended, outcome, cause, rematch, rematch_by, rematch_deadline, rematch_next",
			"[NULL, 1] a, [NULL, 1] b, [NULL, '', 'X', 'O', 'draw'] c, " +
				"[NULL, '', 'line', 'full board', 'resignation', 'time', 'aborted', 'moderator', 'voided'] d, " +
				"[NULL, '', 'proposed', 'declined', 'expired', 'started'] e, [NULL, '', 'a'] f, [NULL, 1] g, [NULL, '', 'n'] h"},
		{"the rest of a match", "matches", "id, series, turn_ms, version, held_by, held_until",
			"['', 'm'] a, ['', 'm'] b, [-1, 0, 1] c, [-1, 0, 1] d, [NULL, '', 'bot'] e, [NULL, 1] f"},
		{"boards", "boards", "id, shown, latest, mention_ply, refused", "['', 'm'] a, [-1, 0, 1] b, [-1, 0, 1] c, [-1, 0, 1] d, [-1, 0, 1] e"},
	} {
		t.Run(space.about, func(t *testing.T) {
			tried := space.table + "_tried"
			from := strings.NewReplacer("[", "unnest(ARRAY[", "]", "])").Replace(space.values)
			exec(t, "TRUNCATE "+tried+"; INSERT INTO "+tried+" ("+space.columns+") SELECT * FROM "+from)
			var allowed, refused, differ int
			query := "SELECT count(*) FILTER (WHERE before), count(*) FILTER (WHERE NOT before), count(*) FILTER (WHERE before <> after) FROM (SELECT " +
				letsIn(t, conn, "before."+space.table) + " AS before, " + letsIn(t, conn, "tictactoe."+space.table) + " AS after FROM " + tried + ") AS judged"
			if err := conn.QueryRow(t.Context(), query).Scan(&allowed, &refused, &differ); err != nil {
				t.Fatal(err)
			}
			if differ > 0 || allowed == 0 || refused == 0 {
				t.Errorf("of %d rows that were allowed and %d that were not, %d are judged differently", allowed, refused, differ)
			}
		})
	}
}

func TestBoardsAreRebuilt(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	s := open(t, address)
	for i := range 3 {
		m := begin(match.ID(fmt.Sprint("m", i)), "alice", "bob")
		err := s.Save(t.Context(), match.Save{
			Matches: []match.MatchChange{{To: m}}, Extras: []match.Extra{board.Reference{ID: m.ID, Channel: "1", Message: "2"}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	run(t, address, "UPDATE tictactoe.matches SET version = 7 WHERE id <> 'm1'") // as an erasure once did
	for _, wrong := range []int{2, 0} {
		r, err := postgres.Check(t.Context(), address, nil)
		if err != nil || len(r.Findings) != wrong {
			t.Errorf("%+v, %v", r.Findings, err)
		}
		for _, f := range r.Findings {
			if f.Remedy != column.RebuildScores {
				t.Errorf("%+v", f)
			}
		}
		if n, err := s.RebuildBoards(t.Context()); err != nil || n != wrong {
			t.Errorf("%d boards of %d were put right: %v", n, wrong, err)
		}
	}
}

// letsIn is an expression of whether the constraints of a table let a row in.
func letsIn(t *testing.T, conn *pgx.Conn, table string) string {
	t.Helper()
	rows, err := conn.Query(t.Context(), "SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint WHERE conrelid = $1::text::regclass AND contype = 'c'", table)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(all) == 0 {
		t.Fatalf("%s has %d constraints: %v", table, len(all), err)
	}
	return "(coalesce(" + strings.Join(all, ", true) AND coalesce(") + ", true))"
}
