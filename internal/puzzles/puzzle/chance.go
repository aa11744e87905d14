package puzzle

import "tictactoe/game"

// chance is a probability in millionths. It is an integer, so that all machines get the same result: the last digit of a
// floating-point result depends on the processor.
type chance int64

// certain is the probability 1.
const certain chance = 1_000_000

// of returns the chance that two independent events both happen.
func (c chance) of(other chance) chance { return c * other / certain }

// share returns the chance of one of n equally likely events.
func share(n int) chance { return certain / chance(n) }

// A model is a simulated solver of puzzles, described by its chances to see wins and threats. If it sees none, it plays perfectly with a
// certain chance (the field plans), and otherwise plays a random square; in misere the random square does not lose at once. The numbers are
// independent of the levels of the computer, since a change of a level must not change published puzzles.
type model struct {
	wins   chance // the chance that it sees an immediate win
	blocks chance // the chance that it sees an immediate win of the other side
	plans  chance // the chance that it plays perfectly if it sees neither
}

// triers returns the models that measure the difficulty of a puzzle.
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
	if p.Rules().Misere() { // no move wins at once, and every model sees a line that loses
		sane = saneOf(p)
	} else {
		wins, blocks = p.Threats(p.Turn()), p.Threats(p.Turn().Opponent())
	}
	c := m.plans + (certain - m.plans).of(among(sane, right))
	c = noticing(m.blocks, blocks, right, c)
	return noticing(m.wins, wins, right, c)
}

// noticing returns the chance that a model plays a square. The argument attention is the chance that the model notices a set of good
// squares, of which it then plays a random one. The argument fallback is the chance that it plays the square if it does not notice the set.
func noticing(attention chance, good game.Bitboard, square game.Square, fallback chance) chance {
	if good == 0 {
		return fallback
	}
	return attention.of(among(good, square)) + (certain - attention).of(fallback)
}

// among returns the chance that a square is drawn from a set.
func among(set game.Bitboard, square game.Square) chance {
	if !set.Has(square) {
		return 0
	}
	return share(set.Len())
}

// saneOf returns the squares of a misere position that do not lose at once, or all legal squares if each of them loses.
func saneOf(p game.Position) game.Bitboard {
	if sane := p.Legal() &^ p.Threats(p.Turn()); sane != 0 {
		return sane
	}
	return p.Legal()
}

// obvious reports whether the right move of a position is found without thinking: either side could win at once, or, in misere,
// all moves but one lose at once.
func obvious(p game.Position) bool {
	if p.Rules().Misere() {
		return saneOf(p).Len() == 1
	}
	return p.Threats(game.X)|p.Threats(game.O) != 0
}
