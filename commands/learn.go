package commands

import (
	"context"
	"errors"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/course"
	"tictactoe/internal/show/view"
)

// learn lists the lessons of the course, privately.
func (c *Commands) learn(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	solved, err := c.Players.Lessons(ctx, match.User(in.User().ID))
	if err != nil {
		return bot.Reply{}, err
	}
	ticks := make(map[string]bool, len(solved))
	for _, l := range solved {
		ticks[l.Name] = true
	}
	return c.privately(ctx, in, view.OfCourse(ticks), c.style(nil)), nil
}

func (c *Commands) listLessons(ctx context.Context, in *bot.Interaction, _ view.ListLessons) (bot.Reply, error) {
	return c.learn(ctx, in)
}

// pickLesson shows the lesson that was chosen from the menu.
func (c *Commands) pickLesson(ctx context.Context, in *bot.Interaction, _ view.PickLesson) (bot.Reply, error) {
	return c.learnAt(ctx, in, view.Learn{Lesson: only(chosen(in))})
}

// learnAt shows a lesson, or what comes of the square that was pressed on its board. The whole state is in the button: a lesson has
// one move to find, and what is stored is that it was found.
func (c *Commands) learnAt(ctx context.Context, in *bot.Interaction, a view.Learn) (bot.Reply, error) {
	lesson, number := course.Find(a.Lesson)
	if number == 0 {
		return c.unknown(ctx, in)
	}
	p := lesson.Position()
	if a.Square == "" {
		return c.privately(ctx, in, view.OfTask(lesson), c.style(nil)), nil
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
		return c.privately(ctx, in, view.OfWrongAnswer(lesson, remark), c.style(nil)), nil
	}
	if err := c.Players.SolveLesson(ctx, match.User(in.User().ID), lesson.Name, in.Received); err != nil {
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
	return c.privately(ctx, in, view.OfRightAnswer(lesson, after, advice.Reason(p)), c.style(nil)), nil
}
