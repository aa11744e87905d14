package storetest

import (
	"fmt"
	"testing"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

// Click measures the save of a click: a move, the player's name, where the board is, and that the bot was there.
func Click(b *testing.B, s Store) {
	names := map[match.User]string{alice: "Alice", bob: "Bob"}
	var m match.Match
	squares := []string{"a1", "a2", "b1", "b2", "c1"}
	for n := 0; b.Loop(); n++ {
		ply := n % len(squares)
		if ply == 0 {
			b.StopTimer()
			m = begin(match.ID(fmt.Sprint("m", n)), alice, bob, noon())
			save(b, s, match.CreateMatch{Match: m}, board.Reference{ID: m.ID, Guild: "1", Channel: "2", Message: "3"})
			b.StartTimer()
		}
		by, at := m.Turn().Player, after(ply)
		next := play(b, m, at, squares[ply])
		save(b, s, match.UpdateMatch{From: m, To: next}, match.Name{Player: by, Name: names[by]},
			board.Reference{ID: m.ID, Guild: "1", Channel: "2", Message: "3", Token: fmt.Sprint(n), Member: true}, match.Seen{At: at})
		m = next
	}
}
