package transfer_test

import (
	"strings"
	"testing"

	"tictactoe/store/postgres/pgtest"
)

// This test adds a table or column to one of the two schemas. All other tests here copy both schemas as they are, so they fail as
// well if a schema gets a table or column that the other lacks and that is not listed as left out.
func TestEveryTableAndColumnIsCopiedOrListedAsLeftOut(t *testing.T) {
	there := pgtest.Empty(t)
	empty(t, there)
	for planted, said := range map[string]string{
		"CREATE TABLE feelings (player TEXT NOT NULL PRIMARY KEY)": "feelings: nothing says whether it is copied",
		"ALTER TABLE players ADD COLUMN mood TEXT":                 "players: one database has the columns",
		"ALTER TABLE deeds RENAME COLUMN chosen TO elected":        "deeds: one database has the columns",
		"DROP TABLE deeds": "deeds: one of the databases has none",
	} {
		other := empty(t, file(t))
		change(t, other, planted)
		for _, pair := range [][2]string{{other, there}, {there, other}} {
			if _, err := copied(t.Context(), pair[0], pair[1], nil); err == nil || !strings.Contains(err.Error(), said) {
				t.Errorf("%s: %v", planted, err)
			}
		}
	}
}

func TestTablesOfLitestreamAreLeftOut(t *testing.T) {
	src, dst := rich(t), file(t)
	before := content(t, src)
	change(t, src, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
	mustCopy(t, src, dst)
	same(t, content(t, dst), before)
}
