package ai

import "tictactoe/game"

// winning finds the squares on which the side to move wins at once.
func winning(p game.Position) game.Bitboard {
	if p.Rules().Misere() {
		return 0 // no move wins at once
	}
	return p.Threats(p.Turn())
}

// blocking finds the squares on which the other side would win at once.
func blocking(p game.Position) game.Bitboard {
	if p.Rules().Misere() {
		return 0
	}
	return p.Threats(p.Turn().Opponent())
}

// sane finds the squares that do not lose the game at once, or all legal squares if each of them does. A player without a
// plan chooses among them.
func sane(p game.Position) game.Bitboard {
	legal := p.Legal()
	if !p.Rules().Misere() {
		return legal
	}
	if rest := legal &^ p.Threats(p.Turn()); rest != 0 {
		return rest
	}
	return legal
}

// central finds the sane squares among the one, two or four squares in the middle of the board.
func central(p game.Position) game.Bitboard {
	w, h := p.Rules().Width(), p.Rules().Height()
	var middle game.Bitboard
	for y := (h - 1) / 2; y <= h/2; y++ {
		for x := (w - 1) / 2; x <= w/2; x++ {
			middle |= game.SetOf(game.Square(y*w + x))
		}
	}
	return sane(p) & middle
}

// cornered finds the sane corners.
func cornered(p game.Position) game.Bitboard {
	w, h := p.Rules().Width(), p.Rules().Height()
	corners := game.SetOf(0, game.Square(w-1), game.Square((h-1)*w), game.Square(h*w-1))
	return sane(p) & corners
}
