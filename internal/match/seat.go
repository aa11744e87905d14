package match

import (
	"strings"

	"tictactoe/game"
)

// Seat is one side of a match: a human, a computer or a crowd. Exactly one of the fields is set.
type Seat struct {
	Player User
	Level  string // the level of the computer
	Crowd  Crowd
}

// Left takes the seat of a user whose data was deleted at the user's request. No user has this id, it stands for all
// deleted users, and it has no name and no scores.
const Left User = "left"

// Human returns the seat of a human.
func Human(p User) Seat { return Seat{Player: p} }

// Computer returns the seat of a computer of a level.
func Computer(level string) Seat { return Seat{Level: level} }

// IsComputer reports whether a computer has the seat.
func (s Seat) IsComputer() bool { return s.Level != "" }

// Seats are both sides: X first, then O.
type Seats [2]Seat

// Of returns the seat that plays a mark. It panics for None.
func (s Seats) Of(m game.Mark) Seat { return s[m-game.X] }

// Mark returns the mark of a player, or None for a stranger.
func (s Seats) Mark(p User) game.Mark {
	for i, seat := range s {
		if p != "" && seat.Player == p {
			return game.X + game.Mark(i)
		}
	}
	return game.None
}

// Players returns the humans, X first.
func (s Seats) Players() []User {
	var players []User
	for _, seat := range s {
		if seat.Player != "" {
			players = append(players, seat.Player)
		}
	}
	return players
}

// Level returns the level of the seated computer, empty if there is none.
func (s Seats) Level() string { return s[0].Level + s[1].Level }

// People reports whether two people play.
func (s Seats) People() bool { return s[0].Player != "" && s[1].Player != "" }

// HasCrowd reports whether a crowd plays.
func (s Seats) HasCrowd() bool { return s[0].Crowd != NoCrowd || s[1].Crowd != NoCrowd }

// LevelName returns the name of a level without the skill that follows a colon, as in "fair:7".
func LevelName(level string) string {
	name, _, _ := strings.Cut(level, ":")
	return name
}

// Left reports whether a seat belongs to a user who has left.
func (s Seats) Left() bool { return s[0].Player == Left || s[1].Player == Left }
