package terminal

import (
	"context"
	"errors"
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/internal/view"
)

// round is a match at the terminal, and the score with those before it. It is a value: what happens makes another one.
type round struct {
	game  *Game
	match match.Match
	score score.Running // A is X; a match counts once it is over
	notes []view.Text   // what there is to say about what happened last
}

// first is the first round before its first move.
func (g *Game) first() round {
	r := round{game: g, match: g.at(game.NewRecord(game.StartWith(g.Rules, g.Starter)))}
	r.notes = opening(g, g.Starter, g.ByLot)
	return r
}

// again is the next round, which the other mark begins.
func (r round) again() round {
	starter := r.match.Record.Start().Turn().Opponent()
	r.match = r.game.at(game.NewRecord(game.StartWith(r.game.Rules, starter)))
	r.notes = opening(r.game, starter, false)
	return r
}

func (r round) over() bool { return r.match.Result.Over() }

// persons tells whether a person is to move, computers whether a computer is.
func (r round) persons() bool   { return !r.over() && !r.match.Turn().IsComputer() }
func (r round) computers() bool { return !r.over() && r.match.Turn().IsComputer() }

// play is the round after the side to move has chosen a square. If a person cannot play it, the notes say why and the
// person is still to move. The error is that of an engine that chooses such a square.
func (r round) play(square game.Square) (round, error) {
	by, before := r.match.Turn(), r.match
	var m match.Match
	var err error
	if by.IsComputer() {
		m, err = before.Answer(square, time.Time{})
	} else {
		m, err = before.Play(by.Player, before.Record.Len(), square, time.Time{})
	}
	if refusal := (*match.Refusal)(nil); errors.As(err, &refusal) {
		return r.note(locale.Refusal(refusal, by.Player, r.game.names())), nil
	}
	if err != nil {
		return r, err
	}
	r.match, r.notes = m, nil
	if by.IsComputer() {
		r = r.note(moved(r.game, before.Position(), square))
	}
	return r.finish(), nil
}

// finish counts a match that is over.
func (r round) finish() round {
	if !r.over() {
		return r
	}
	switch r.match.Result.Outcome.Winner() {
	case game.X:
		r.score.A++
	case game.O:
		r.score.B++
	default:
		r.score.Drawn++
	}
	r.notes = append(r.notes, parting(r.game, r.match.Result)...)
	return r
}

// undo is the round, which is not over, before the last move of a person.
func (r round) undo() round {
	for n := r.match.Record.Len() - 1; n >= 0; n-- {
		earlier := r.game.at(r.match.Record.First(n))
		if !earlier.Turn().IsComputer() {
			r.match = earlier
			return r.note(view.T("terminal.undone", nil))
		}
	}
	return r.note(view.T("terminal.undone.none", nil))
}

// think is the move of the computer whose turn it is.
func (r round) think(ctx context.Context) (game.Square, error) {
	if r.game.people() == 0 {
		if err := wait(ctx, r.game.Delay); err != nil {
			return 0, err
		}
	}
	return r.game.side(r.match.Position().Turn()).Engine.Choose(ctx, r.match.Position())
}

// hint is a square for the side to move, and the round with why.
func (r round) hint(ctx context.Context) (round, game.Square, error) {
	square, err := r.game.Hinter.Choose(ctx, r.match.Position())
	if err != nil {
		return r, 0, err
	}
	return r.note(hint(r.game, r.match.Position(), square)), square, nil
}

// note is the round with that to say and nothing else.
func (r round) note(t view.Text) round {
	r.notes = []view.Text{t}
	return r
}

// screen is what to show. Of the notes those come first that are new: view begins with the rules.
func (r round) screen() view.Screen {
	s := view.OfMatch(r.match, r.game.names(), r.score)
	slices.Reverse(s.Notes)
	s.Notes = slices.Concat(r.notes, s.Notes)
	return s
}

// celebrated tells whether a person has won, or one of two computers: a person who has lost has nothing to celebrate.
func (r round) celebrated() bool {
	winner := r.match.Result.Outcome.Winner()
	return winner != game.None && (r.game.people() == 0 || r.game.side(winner).Engine == nil)
}

// wait returns after the time or with the context, whose error it gives.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
