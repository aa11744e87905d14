package arena

import (
	"cmp"
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
)

const (
	winPoints  = 2
	drawPoints = 1
	// hotWins is the number of wins in a row after which the next games count double.
	hotWins = 2
	// earlyPlies is the number of plies below which a draw gives no points, so that nobody can arrange draws quickly. On a board of fewer
	// squares the number of squares takes its place: there a full board is the earliest draw.
	earlyPlies = 10
)

// Standing is the place of an entrant in an arena.
type Standing struct {
	Place       int // from 1; entrants with equal points and performance share a place
	Player      match.User
	Points      int
	Scores      []int // the points of each game, in the order of the games
	Wins        int
	Draws       int
	Losses      int
	Performance int  // the rating that a new player would have after the games of the arena alone
	Hot         bool // the next game counts double

	draws bool // the latest game was a draw
	run   int  // the number of wins in a row up to the latest game
}

// Standings returns the standings, best first: by points, then by performance. Entrants with equal points and performance come in the order
// in which they joined. Removed entrants, and those who left before their first game ended, are missing.
func (a Arena) Standings() []Standing {
	of := map[match.User]*Standing{}
	ratings := map[match.User]rating.Rating{}
	rated := func(p match.User) rating.Rating {
		if r, known := ratings[p]; known && p != match.Left { // several players may have left
			return r
		}
		return rating.New()
	}
	for _, e := range a.Entrants {
		if e.State != Removed {
			of[e.Player] = &Standing{Player: e.Player}
		}
	}
	for _, g := range a.Pairings {
		if !a.Counts(g) {
			continue
		}
		x, o := g.Seats[0].Player, g.Seats[1].Player
		score := rating.Draw
		switch g.Result.Outcome {
		case game.XWins:
			score = rating.Win
		case game.OWins:
			score = rating.Loss
		}
		ratings[x], ratings[o] = rating.Match(rated(x), rated(o), score, 1, a.Begins) // one time for all games, so that no deviation grows
		for i, p := range []match.User{x, o} {
			if s := of[p]; s != nil {
				s.add(g, game.X+game.Mark(i), a.earlyDraw(g))
			}
		}
	}
	var all []Standing
	for _, e := range a.Entrants {
		s := of[e.Player]
		if s == nil || e.State == Left && len(s.Scores) == 0 {
			continue
		}
		s.Performance = rated(e.Player).Points()
		all = append(all, *s)
	}
	slices.SortStableFunc(all, better)
	for i := range all {
		all[i].Place = i + 1
		if i > 0 && better(all[i-1], all[i]) == 0 {
			all[i].Place = all[i-1].Place
		}
	}
	return all
}

// Counts reports whether a game counts for the standings: it has a result, and it ended before the arena did.
func (a Arena) Counts(g Pairing) bool {
	return g.Result.Counts() && (a.Ends.IsZero() || !g.Ended.After(a.Ends))
}

// Gain is the points of a player for a game.
type Gain struct {
	Points  int
	Doubled bool
}

// Gains returns the gains of the players of a game, X first. It returns false if the game does not count.
func (a Arena) Gains(id match.ID) (of [2]Gain, counts bool) {
	i := slices.IndexFunc(a.Pairings, func(g Pairing) bool { return g.Match == id })
	if i < 0 || !a.Counts(a.Pairings[i]) {
		return of, false
	}
	g := a.Pairings[i]
	a.Pairings = a.Pairings[:i+1]
	for _, s := range a.Standings() {
		if mark := g.Seats.Mark(s.Player); mark != game.None {
			points := s.Scores[len(s.Scores)-1]
			of[mark-game.X] = Gain{points, points > winPoints || g.Result.Outcome == game.Draw && points > drawPoints}
		}
	}
	return of, true
}

// Champions returns the players with the first place: nobody unless the arena is over as planned and somebody has points.
func (a Arena) Champions() (players []match.User) {
	if a.Status != Over {
		return nil
	}
	for _, s := range a.Standings() {
		if s.Place == 1 && s.Points > 0 {
			players = append(players, s.Player)
		}
	}
	return players
}

// earlyDraw reports whether a game was drawn too early for points.
func (a Arena) earlyDraw(g Pairing) bool {
	return g.Result.Outcome == game.Draw && g.Plies < min(earlyPlies, a.Rules.Squares())
}

// add counts the next game of the player.
func (s *Standing) add(g Pairing, mark game.Mark, early bool) {
	points := 0
	switch {
	case g.Result.Outcome == game.WinFor(mark):
		s.Wins++
		points = winPoints
	case g.Result.Outcome == game.Draw:
		s.Draws++
		if !s.draws && !early {
			points = drawPoints
		}
	default:
		s.Losses++
	}
	if s.Hot {
		points *= 2
	}
	s.draws = g.Result.Outcome == game.Draw
	s.run++
	if g.Result.Outcome != game.WinFor(mark) {
		s.run = 0
	}
	s.Hot = s.run >= hotWins
	s.Points += points
	s.Scores = append(s.Scores, points)
}

func better(a, b Standing) int {
	return cmp.Or(cmp.Compare(b.Points, a.Points), cmp.Compare(b.Performance, a.Performance))
}
