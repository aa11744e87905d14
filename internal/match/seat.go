package match

import "tictactoe/game"

// Seat is one side of a match: a player or a computer of some level. Exactly one of the two is set.
type Seat struct {
	Player User
	Level  string
}

// Human is the seat of a player.
func Human(p User) Seat { return Seat{Player: p} }

// Computer is the seat of an engine of that level.
func Computer(level string) Seat { return Seat{Level: level} }

// IsComputer tells whether an engine sits here.
func (s Seat) IsComputer() bool { return s.Player == "" }

// Seats are both sides: X first, then O.
type Seats [2]Seat

// Of is the seat that has that mark; it panics for None.
func (s Seats) Of(m game.Mark) Seat { return s[m-game.X] }

// Mark is the mark of a player, None for a stranger.
func (s Seats) Mark(p User) game.Mark {
	for i, seat := range s {
		if !seat.IsComputer() && seat.Player == p {
			return game.X + game.Mark(i)
		}
	}
	return game.None
}

// Players are the humans, X first.
func (s Seats) Players() []User {
	var players []User
	for _, seat := range s {
		if !seat.IsComputer() {
			players = append(players, seat.Player)
		}
	}
	return players
}

// Level is the level of the seated computer, empty when two people play.
func (s Seats) Level() string { return s[0].Level + s[1].Level }

// Swapped are the same sides with their marks exchanged.
func (s Seats) Swapped() Seats { return Seats{s[1], s[0]} }
