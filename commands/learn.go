package commands

import (
	"context"
	"errors"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/course"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// Learn has the handlers with which players learn: puzzles, the course, practice, reviews and hints.
type Learn struct {
	*Replies
	Referee *match.Referee
	// Attempts carries out users' attempts at puzzles. Solvers stores who solved them.
	Attempts *daily.Attempts
	Solvers  daily.Store
	// Advise returns the best moves in a position, or false if there was not enough time to find them. The error wraps [match.ErrBusy] if
	// too many users ask at once.
	Advise func(ctx context.Context, p game.Position) (ai.Advice, bool, error)
}

func (c *Learn) routes() []route {
	return []route{
		command(slashCommands, "tictactoe daily", c.daily).needs(policy.Daily),
		component("solve", c.solve, func(f *fields, a *view.SolvePuzzle) { f.day(&a.Day) }).needs(policy.Daily),
		component("daily", c.pressPuzzle, func(f *fields, a *view.PressPuzzle) {
			f.day(&a.Day)
			f.number(&a.Presses)
			text(f, &a.Square, squarePattern)
		}).needs(policy.Daily),
		component("puzzle", c.usePuzzle, func(f *fields, a *view.Puzzle) {
			oneOf(f, &a.Do, view.SharePuzzle, view.PostAttempt, view.PuzzleSolvers, view.ListSolver, view.UnlistSolver)
			f.day(&a.Day)
		}).needs(policy.Daily),
		command(slashCommands, "tictactoe learn", c.learn).needs(policy.Learn),
		component("lessons", c.listLessons, noFields[view.ListLessons]).needs(policy.Learn),
		component("lesson", c.pickLesson, noFields[view.PickLesson]).needs(policy.Learn),
		component("learn", c.learnAt, func(f *fields, a *view.Learn) {
			text(f, &a.Lesson, wordPattern)
			if f.more(a.Square != "") {
				text(f, &a.Square, squarePattern)
			}
		}).needs(policy.Learn),
		component("review", ofMatch(c.Replies, c.review), func(f *fields, a *view.Review) {
			f.id(&a.Match)
			if f.more(a.Move > 0) {
				f.number(&a.Move)
				f.bad = f.bad || a.Move == 0
			}
		}),
		component("wrong", ofMatch(c.Replies, c.wrong), func(f *fields, a *view.WentWrong) { f.id(&a.Match) }),
		component("practice", ofMatch(c.Replies, c.practice), func(f *fields, a *view.Practice) {
			f.id(&a.Match)
			f.number(&a.From)
			oneOf(f, &a.Aim, view.AimWin, view.AimDraw)
			if f.more(a.Moves != "") {
				text(f, &a.Moves, movesPattern)
			}
		}),
		component("hint", c.hint, func(f *fields, a *view.Hint) { f.id(&a.Match); f.number(&a.Ply) }).needs(policy.Hints),
	}
}

// learn lists the lessons of the course, privately.
func (c *Learn) learn(ctx context.Context, in *interaction) (bot.Reply, error) {
	solved, err := c.Players.Lessons(ctx, in.by)
	ticks := make(map[string]bool, len(solved))
	for _, l := range solved {
		ticks[l.Name] = true
	}
	return c.privately(ctx, in, view.OfCourse(ticks), err)
}

func (c *Learn) listLessons(ctx context.Context, in *interaction, _ view.ListLessons) (bot.Reply, error) {
	return c.learn(ctx, in)
}

// pickLesson shows the lesson that was chosen from the menu.
func (c *Learn) pickLesson(ctx context.Context, in *interaction, _ view.PickLesson) (bot.Reply, error) {
	return c.learnAt(ctx, in, view.Learn{Lesson: only(chosen(in))})
}

// learnAt shows a lesson, or judges the square that was pressed on the lesson's board. A lesson asks for one move, and only that it was
// found is stored; everything else is in the button.
func (c *Learn) learnAt(ctx context.Context, in *interaction, a view.Learn) (bot.Reply, error) {
	lesson, number := course.Find(a.Lesson)
	if number == 0 {
		return c.unknown(ctx, in)
	}
	p := lesson.Position()
	if a.Square == "" {
		return c.privately(ctx, in, view.OfTask(lesson), nil)
	}
	square, err := p.Rules().ParseSquare(a.Square)
	if err != nil {
		return c.unknown(ctx, in)
	}
	if p.Marks(game.None).Has(square) {
		square = p.Landing(square)
	}
	after, err := lesson.Record.Play(square)
	if err != nil {
		return bot.Reply{}, &match.Refusal{Reason: match.SquareTaken}
	}
	if !lesson.Answers.Has(square) {
		review, err := c.Review(ctx, after)
		if err != nil && !errors.Is(err, match.ErrBusy) {
			return bot.Reply{}, err
		}
		remark := ai.Remark{Square: square, Grade: ai.Unjudged}
		if err == nil {
			remark = review[len(review)-1]
		}
		return c.privately(ctx, in, view.OfWrongAnswer(lesson, remark), nil)
	}
	if err := c.Players.SolveLesson(ctx, in.by, lesson.Name, in.Received); err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	advice, known, err := c.Advise(ctx, p)
	if err != nil && !errors.Is(err, match.ErrBusy) {
		return bot.Reply{}, err
	}
	if known {
		advice.Squares = game.SetOf(square)
	}
	return c.privately(ctx, in, view.OfRightAnswer(lesson, after, advice.Reason(p)), nil)
}
