package puzzle

import "tictactoe/game"

// chance is a probability in millionths. It is a whole number, so that all machines get the same one: with floating point the last
// digit depends on the processor.
type chance int64

// certain is the chance of what always happens.
const certain chance = 1_000_000

// of returns the chance that both of two independent things happen.
func (c chance) of(other chance) chance { return c * other / certain }

// share returns the chance of one among n equally likely things.
func share(n int) chance { return certain / chance(n) }

// A model is somebody who tries a puzzle, described by what it sees. Where it sees nothing and has no plan, it plays any square, in
// misere one that does not lose at once. The numbers belong to the puzzles and not to the levels of the computer, since a change of
// a level must not change puzzles that were shown.
type model struct {
	wins   chance // that it sees a win at once
	blocks chance // that it sees where the other side would win at once
	plans  chance // that it plays perfectly where it sees nothing
}

// triers are the models that try a puzzle to find out how difficult it is.
func triers() []model {
	return []model{
		{wins: certain, blocks: 950_000, plans: 500_000}, // the level "medium"
		{wins: 950_000, blocks: 800_000},                 // people
	}
}

// finds returns how likely the model is to play the one right move of a position.
func (m model) finds(p game.Position, right game.Square) chance {
	var wins, blocks game.Bitboard
	sane := p.Legal()
	if p.Rules().Misere() { // nobody wins at once; anybody sees a line that loses
		sane = saneOf(p)
	} else {
		wins, blocks = p.Threats(p.Turn()), p.Threats(p.Turn().Opponent())
	}
	c := m.plans + (certain - m.plans).of(among(sane, right))
	c = noticing(m.blocks, blocks, right, c)
	return noticing(m.wins, wins, right, c)
}

// noticing returns the chance to play a square for somebody who notices the found squares with a chance and then plays one of them,
// and else plays the square with the other chance.
func noticing(sees chance, found game.Bitboard, square game.Square, otherwise chance) chance {
	if found == 0 {
		return otherwise
	}
	return sees.of(among(found, square)) + (certain - sees).of(otherwise)
}

// among returns the chance that a square is drawn from a set.
func among(set game.Bitboard, square game.Square) chance {
	if !set.Has(square) {
		return 0
	}
	return share(set.Len())
}

// saneOf returns the squares of a misere position that do not lose at once, or all that are legal if each of them does.
func saneOf(p game.Position) game.Bitboard {
	if sane := p.Legal() &^ p.Threats(p.Turn()); sane != 0 {
		return sane
	}
	return p.Legal()
}

// obvious reports whether the next move of a position is found without thinking: somebody wins at once, or, in misere, all moves
// but one lose at once.
func obvious(p game.Position) bool {
	if p.Rules().Misere() {
		return saneOf(p).Len() == 1
	}
	return p.Threats(game.X)|p.Threats(game.O) != 0
}
