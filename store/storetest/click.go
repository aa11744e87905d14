package storetest

import (
	"fmt"
	"testing"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
)

// Click measures the save of a click: a move, the player's name, and the board's reference.
func Click(b *testing.B, s Store) {
	names := map[match.User]string{alice: "Alice", bob: "Bob"}
	var m match.Match
	squares := []string{"a1", "a2", "b1", "b2", "c1"}
	for n := 0; b.Loop(); n++ {
		ply := n % len(squares)
		if ply == 0 {
			b.StopTimer()
			m = begin(match.ID(fmt.Sprint("m", n)), alice, bob, noon())
			save(b, s, match.Save{
				Matches: []match.MatchChange{{To: m}},
				Extras:  []match.Extra{board.Reference{ID: m.ID, Guild: "1", Channel: "2", Message: "3"}},
			})
			b.StartTimer()
		}
		by, at := m.Turn().Player, after(ply)
		next := play(b, m, at, squares[ply])
		save(b, s, match.Save{
			Matches: []match.MatchChange{{From: m, To: next}},
			Names:   []match.Name{{Player: by, Name: names[by]}},
			Extras:  []match.Extra{board.Reference{ID: m.ID, Guild: "1", Channel: "2", Message: "3", Token: fmt.Sprint(n), Member: true}},
		})
		m = next
	}
}
