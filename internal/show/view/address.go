package view

import (
	"strings"

	"tictactoe/game"
)

// MaxGameAddress is the maximum length of a [GameAddress] of a game on an offered board that began on the empty board, with the # before it.
const MaxGameAddress = len("#infinite/moves/") + 2*game.MaxPlies

// GameAddress returns the address of a game on the page that plays in a browser: the part after the #, such as drop/moves/b4c4. A game that
// did not begin on the empty board has its first position before the moves, with _ for / and ~ for a space.
func GameAddress(r game.Record) string {
	rules := r.Position().Rules()
	address := rules.Title()
	if r.Start() != game.Start(rules) {
		address += "/position/" + strings.NewReplacer("/", "_", " ", "~").Replace(r.Start().String())
	}
	address += "/moves/"
	for _, s := range r.Squares() {
		address += rules.Name(s)
	}
	return address
}

// ParseGameAddress reads an address as [GameAddress] writes it. It returns false for any other text.
func ParseGameAddress(address string) (game.Record, bool) {
	parts := strings.Split(address, "/")
	rules, known := game.OnOffer(parts[0])
	if !known {
		return game.Record{}, false
	}
	start := game.Start(rules)
	if len(parts) > 2 && parts[1] == "position" {
		var err error
		if start, err = game.ParsePosition(rules, strings.NewReplacer("_", "/", "~", " ").Replace(parts[2])); err != nil {
			return game.Record{}, false
		}
		parts = append(parts[:1], parts[3:]...)
	}
	var moves []game.Square
	if len(parts) > 2 && parts[1] == "moves" {
		for text := parts[2]; text != ""; text = text[2:] {
			s, err := rules.ParseSquare(text[:min(2, len(text))])
			if err != nil {
				return game.Record{}, false
			}
			moves = append(moves, s)
		}
	}
	record, err := game.ReplayFrom(start, moves...)
	return record, err == nil
}
