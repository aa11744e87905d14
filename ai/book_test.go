package ai_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
)

var write = flag.Bool("write", false, "write the book anew, which takes some minutes")

// The book is right if its moves keep the value, and complete if every early position in which the unbeatable player may
// have to move is in it.
func TestBook(t *testing.T) {
	if *write {
		var all []game.Rules
		for _, text := range []string{"4x4x4", "5x4x4", "5x5x4", "5x5x4+gravity"} {
			all = append(all, must(game.ParseRules(text)))
		}
		text := strings.Join(ai.WriteBook(all), "\n") + "\n"
		if err := os.WriteFile("book.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Skip("written; build again to judge it")
	}
}
