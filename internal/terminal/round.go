package terminal

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// round is a match at the terminal, with the score of all rounds so far. It is a value: methods that change something return a changed
// copy. While a puzzle is being solved, the match has only the right moves.
type round struct {
	game    *Game
	match   match.Match
	score   score.Running  // A counts the wins of X; the match is included once it is over
	notes   []view.Text    // texts about the latest event
	attempt *daily.Attempt // the attempt at the puzzle; nil if the round is not a puzzle
	lesson  *lesson        // the lesson of the course; nil if the round is not a lesson
}

// first returns the first round of the game, without moves.
func (g *Game) first() round {
	if g.Course != nil {
		return g.lesson(0)
	}
	if g.Puzzle != nil {
		return round{game: g, match: g.at(game.NewRecord(g.Puzzle.Start)), attempt: g.Puzzle.attempt()}
	}
	r := round{game: g, match: g.at(game.NewRecord(game.StartWith(g.Rules, g.Starter)))}
	r.notes = opening(g, g.Starter, g.ByLot)
	return r
}

// again returns the round after this one, in which the other mark begins, or the next lesson.
func (r round) again() round {
	if r.lesson != nil {
		return r.game.lesson(r.lesson.number + 1)
	}
	starter := r.match.Record.Start().Turn().Opponent()
	r.match = r.game.at(game.NewRecord(game.StartWith(r.game.Rules, starter)))
	r.notes = opening(r.game, starter, false)
	return r
}

func (r round) over() bool {
	if r.lesson != nil {
		return r.lesson.solved
	}
	if r.attempt != nil {
		return r.attempt.Over()
	}
	return r.match.Result.Over()
}

// ends reports whether the game ends with this round.
func (r round) ends() bool {
	return r.attempt != nil || r.lesson != nil && r.lesson.last() || r.game.humans() == 0
}

// humanToMove reports whether it is a human's turn, and computerToMove whether it is a computer's.
func (r round) humanToMove() bool    { return !r.over() && !r.match.Turn().IsComputer() }
func (r round) computerToMove() bool { return !r.over() && r.match.Turn().IsComputer() }

// play returns the round after the side to move has chosen a square. If a human chose an illegal one, the notes say why, and the human must
// choose again. If an engine did, play returns an error.
func (r round) play(square game.Square) (round, error) {
	if r.lesson != nil {
		return r.answer(square)
	}
	if r.attempt != nil {
		return r.solve(square)
	}
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

// finish adds the match to the score and notes about the end, if the match is over, and returns the round.
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

// undo returns the round as it was before the last move of a human. The round must not be over.
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

// think returns the move that the computer chooses. It must be a computer's turn.
func (r round) think(ctx context.Context) (game.Square, error) {
	if r.game.humans() == 0 {
		select {
		case <-time.After(r.game.Delay):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return r.game.side(r.match.Position().Turn()).Engine.Choose(ctx, r.match.Position())
}

// hint returns a good square for the side to move, and the round with a note that says why the square is good.
func (r round) hint(ctx context.Context) (round, game.Square, error) {
	square, err := r.game.Hinter.Choose(ctx, r.match.Position())
	if err != nil {
		return r, 0, err
	}
	return r.note(hint(r.game, r.match.Position(), square)), square, nil
}

// note returns the round with a text as its only note.
func (r round) note(t view.Text) round {
	r.notes = []view.Text{t}
	return r
}

// screen returns the screen of the round. The notes about the latest event come first, and the notes about the rules
// last.
func (r round) screen() view.Screen {
	if r.lesson != nil {
		return r.lessonScreen()
	}
	if r.attempt != nil {
		return r.puzzleScreen()
	}
	s := r.board(r.match)
	slices.Reverse(s.Notes)
	s.Notes = slices.Concat(r.notes, s.Notes)
	return s
}

// board returns the screen of a match without the parts that the terminal shows in another way: the latest move, which a note names, and
// the names of columns and rows.
func (r round) board(m match.Match) view.Screen {
	s := view.OfMatch(m, r.game.names(), r.score)
	said := func(t view.Text) bool {
		return strings.HasPrefix(t.Key, "match.played") || strings.HasPrefix(t.Key, "match.answered") || t.Key == "match.squares"
	}
	s.Lines, s.Notes = slices.DeleteFunc(s.Lines, said), slices.DeleteFunc(s.Notes, said)
	return s
}

// past returns the screen of the round as it was at a ply. No square can be played there.
func (r round) past(ply int) view.Screen {
	switch last := ply == r.match.Record.Len(); {
	case last && r.attempt != nil:
		return r.puzzleScreen()
	case last:
		return r.board(r.match)
	}
	s := r.board(r.game.at(r.match.Record.First(ply)))
	for i := range s.Cells {
		s.Cells[i].Over = true
	}
	return s
}
