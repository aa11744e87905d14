package column_test

import (
	"testing"

	"tictactoe/store/internal/column"
)

// FuzzStoredGame tests that any stored rules and moves are either read as a consistent game or reported as an error.
func FuzzStoredGame(f *testing.F) {
	for _, seed := range [][2]string{{"3x3x3", "0:4 1:0"}, {"3x3x3", "0:4 1:4"}, {"3x3x3", "1:4"}, {"3x3x3", "0:256"}, {"3x3x3", "0"},
		{"5x5x4+gravity", "0:20"}, {"3x3x9", ""}, {"", ""}, {"infinite", "0:-1"}, {"3x3x3", "0:4  1:0 "}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, rules, moves string) {
		record, err := column.Replay(rules, moves)
		if err != nil {
			return
		}
		if record.Len() > 0 && moves == "" {
			t.Errorf("rules %q and moves %q were read as %d plies", rules, moves, record.Len())
		}
		for ply := range record.Len() {
			if int(record.Square(ply)) >= 25 {
				t.Errorf("the move of ply %d is on square %d", ply, record.Square(ply))
			}
		}
	})
}
