package boards

import (
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

func TestThePlayerCalledToAMatch(t *testing.T) {
	const x, o = match.User("x"), match.User("o")
	people := match.Seats{match.Human(x), match.Human(o)}
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	quick, five, slow := time.Minute, 5*time.Minute, time.Hour
	minute := noon.Add(time.Minute)
	for _, tt := range []struct {
		name     string
		seats    match.Seats
		turnTime time.Duration
		proposer game.Mark
		plies    int           // the number of plies played, all at noon
		later    time.Duration // the time since noon
		want     mention
		next     time.Time
	}{
		{"the proposer, as a quick match begins", people, quick, game.X, 0, 0, mention{1, x}, time.Time{}},
		{"the proposer, who moves second", people, quick, game.O, 0, 0, mention{1, o}, time.Time{}},
		{"still the proposer, after the opponent's move", people, quick, game.O, 1, 0, mention{1, o}, time.Time{}},
		{"no player, once the proposer has moved first", people, quick, game.X, 1, 0, mention{}, time.Time{}},
		{"no player, once the proposer has moved second", people, quick, game.O, 2, 0, mention{}, time.Time{}},
		{"no player in a quick match with an unknown proposer", people, quick, game.None, 0, 0, mention{}, time.Time{}},
		{"no player in a quick match, however long a turn takes", people, quick, game.X, 3, 50 * time.Second, mention{}, time.Time{}},

		{"the proposer, as a match of five minutes begins", people, five, game.X, 0, 0, mention{1, x}, time.Time{}},
		{"the proposer only once, even after a minute without a move", people, five, game.X, 0, time.Minute, mention{1, x}, time.Time{}},
		{"not the accepting player, who thinks for a minute", people, five, game.O, 0, time.Minute, mention{1, o}, time.Time{}},
		{"still the proposer, whose turn it is by now", people, five, game.O, 1, 0, mention{1, o}, minute},
		{"the proposer to the turn, a minute later", people, five, game.O, 1, time.Minute, mention{2, o}, time.Time{}},
		{"no player as a turn of five minutes begins", people, five, game.X, 1, 0, mention{}, minute},
		{"no player a moment before the minute is over", people, five, game.X, 1, time.Minute - 1, mention{}, minute},
		{"the side to move after a minute", people, five, game.X, 1, time.Minute, mention{2, o}, time.Time{}},
		{"the side to move after more than that", people, five, game.X, 2, 4 * time.Minute, mention{3, x}, time.Time{}},
		{"X after a minute, in a match with an unknown proposer", people, five, game.None, 0, time.Minute, mention{1, x}, time.Time{}},

		{"the proposer, as a slow match begins", people, slow, game.X, 0, 0, mention{1, x}, time.Time{}},
		{"the proposer, as a slow match begins in which the opponent moves first", people, slow, game.O, 0, 0, mention{1, o}, time.Time{}},
		{"the side to move of a slow match at once", people, slow, game.X, 1, 0, mention{2, o}, time.Time{}},
		{"the proposer once more, whose turn comes hours later", people, slow, game.O, 1, 0, mention{2, o}, time.Time{}},
		{"X, where nobody is known to have proposed the match", people, slow, game.None, 0, 0, mention{1, x}, time.Time{}},

		{"no player against the computer", match.Seats{match.Human(x), match.Computer("easy")}, slow, game.None, 0, 0, mention{}, time.Time{}},
		{"no player once the match is over", people, slow, game.X, 5, 0, mention{}, time.Time{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := match.Start("m", "m", "", game.Classic(), tt.seats, tt.turnTime, 1, noon)
			m.Proposer = tt.proposer
			for i, square := range []string{"a1", "a2", "b1", "b2", "c1"}[:tt.plies] {
				s, err := game.Classic().ParseSquare(square)
				if err != nil {
					t.Fatal(err)
				}
				if m, err = m.Play([]match.User{x, o}[i%2], i, s, noon); err != nil {
					t.Fatal(err)
				}
			}
			got, next := mentionFor(m, noon.Add(tt.later))
			if got != tt.want || !next.Equal(tt.next) {
				t.Errorf("got %v and then %v, want %v and then %v", got, next, tt.want, tt.next)
			}
			if got.ply != 0 && !Mentioned(m) {
				t.Error("the redrawer would not look at the match")
			}
		})
	}
}
