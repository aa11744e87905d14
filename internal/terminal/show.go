package terminal

import (
	"context"
	"slices"

	"tictactoe/ai"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// Shown is a match that is viewed move by move.
type Shown struct {
	Match  match.Match
	Names  view.Names // nil if the names are unknown
	Review ai.Review  // the review of the match's record; nil if there is none
	Kept   bool       // the match is from a database, so it has an id and a date
}

// screen returns the screen after the given number of moves. It has no buttons, because a terminal has keys.
func (s Shown) screen(move int) view.Screen {
	screen := view.OfPosition(s.Match, s.Review, move, s.Names, "")
	screen.Buttons = nil
	if !s.Kept {
		screen.Notes = slices.DeleteFunc(screen.Notes, func(t view.Text) bool { return t.Key == "walk.match" })
	}
	return screen
}

// named returns the match with general names for the players, if their names are unknown.
func (s Shown) named(g *Game) Shown {
	if s.Names == nil {
		s.Names = g.names()
	}
	return s
}

// ShowLines prints the position after move number from, and after each later move unless alone is true.
func (g *Game) ShowLines(s Shown, from int, alone bool) error {
	l, s := &lines{game: g, out: g.Out}, s.named(g)
	to := s.Match.Record.Len()
	if alone {
		to = from
	}
	for move := from; move <= to; move++ {
		screen := s.screen(move)
		if move < to { // print lines that are the same below each board only once
			screen.Notes = nil
		}
		l.draw(screen)
	}
	return l.err
}

// ShowScreen shows the match on the full screen, at first after the given number of moves, until the human leaves. It returns the same
// errors as [Game.PlayScreen].
func (g *Game) ShowScreen(ctx context.Context, s Shown, move int) error {
	return g.run(ctx, NewWalk(g, s, move))
}

// NewWalk returns the full screen that shows the match after the given number of moves. Until the terminal has reported its size, 80x24 is
// assumed.
func NewWalk(g *Game, s Shown, move int) Screen {
	named := s.named(g)
	return Screen{width: 80, height: 24, round: round{game: g, match: s.Match}, shown: &named, ply: move}
}

// walkScreen returns the screen of a match that is viewed. It moves the remark on the move below the board.
func (s Screen) walkScreen() view.Screen {
	show := s.shown.screen(s.ply)
	show.Lines, show.Notes = show.Lines[:1], slices.Concat(show.Lines[1:], show.Notes)
	return show
}
