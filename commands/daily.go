package commands

import (
	"context"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/show/view"
)

// daily shows the user the puzzle of the day, privately.
func (c *Learn) daily(ctx context.Context, in *interaction) (bot.Reply, error) {
	return c.solve(ctx, in, view.SolvePuzzle{Day: puzzle.DayOf(in.Received)})
}

// solve shows the puzzle of a day privately, if the day is today or the user began the puzzle on that day. Otherwise it shows today's
// puzzle.
func (c *Learn) solve(ctx context.Context, in *interaction, a view.SolvePuzzle) (bot.Reply, error) {
	s, err := c.Attempts.Open(ctx, c.request(in), a.Day)
	return c.showPuzzle(ctx, in, s, err)
}

func (c *Learn) pressPuzzle(ctx context.Context, in *interaction, a view.PressPuzzle) (bot.Reply, error) {
	s, err := c.Attempts.Press(ctx, c.request(in), a.Day, a.Presses, a.Square)
	return c.showPuzzle(ctx, in, s, err)
}

// showPuzzle shows the user's attempt at a puzzle. If err is not nil, it returns err.
func (c *Learn) showPuzzle(ctx context.Context, in *interaction, s daily.Solving, err error) (bot.Reply, error) {
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	by, err := c.puzzleReader(ctx, in)
	return c.privatelyOn(ctx, in, s.Puzzle.Start.Rules(), view.OfPuzzle(s, by), err)
}

// puzzleReader returns what the screen of a puzzle needs to know about the user and the place.
func (c *Learn) puzzleReader(ctx context.Context, in *interaction) (by view.PuzzleReader, err error) {
	looks, err := c.Matches.Looks(ctx, in.by)
	by = view.PuzzleReader{TextBoard: looks[in.by].TextBoard, Server: in.GuildID != "" && in.BotMember()}
	if err == nil && by.Server {
		by.Listed, err = c.Solvers.Listed(ctx, in.venue, in.by)
	}
	return by, err
}

// usePuzzle handles the buttons of a puzzle other than its squares.
func (c *Learn) usePuzzle(ctx context.Context, in *interaction, a view.Puzzle) (bot.Reply, error) {
	switch a.Do {
	case view.SharePuzzle, view.PostAttempt:
		return c.sharePuzzle(ctx, in, a)
	case view.ListSolver, view.UnlistSolver:
		if err := setListed(ctx, c.Solvers, c.request(in), a.Do == view.ListSolver); err != nil {
			return bot.Reply{}, err
		}
		in.Saved = true
	}
	return c.showSolvers(ctx, in, a.Day)
}

// setListed saves whether a user wants to be listed among the solvers of puzzles in the server of the request. Outside of servers it does
// nothing.
func setListed(ctx context.Context, solvers daily.Store, req match.Request, on bool) error {
	if req.Venue == "" {
		return nil
	}
	return solvers.SetListed(ctx, req.Venue, req.By, on, req.Names...)
}

// showSolvers lists the members of the server who have solved the puzzle of a day and want to be listed.
func (c *Learn) showSolvers(ctx context.Context, in *interaction, day puzzle.Day) (bot.Reply, error) {
	if in.GuildID == "" {
		return bot.Reply{}, refused("refusal.puzzle.server", nil)
	}
	by, err := c.puzzleReader(ctx, in)
	if err != nil {
		return bot.Reply{}, err
	}
	first, of, err := c.Solvers.Solvers(ctx, in.venue, day, view.SolversListed)
	return c.privately(ctx, in, view.Solvers(day, first, of, by), err)
}

// sharePuzzle shows the user's finished attempt at a puzzle, privately or to everybody in the channel.
func (c *Learn) sharePuzzle(ctx context.Context, in *interaction, a view.Puzzle) (bot.Reply, error) {
	s, err := c.Attempts.Open(ctx, c.request(in), a.Day)
	if err != nil {
		return bot.Reply{}, err
	}
	if s.Puzzle.Day != a.Day || !s.Attempt.Over() {
		solve := view.Button{Do: view.SolvePuzzle{Day: s.Puzzle.Day}, Label: view.T("action.puzzle.solve", nil)}
		return bot.Reply{}, refused("refusal.puzzle.open", nil, solve)
	}
	if a.Do == view.PostAttempt {
		if err := refusePost(in); err != nil {
			return bot.Reply{}, err
		}
		post := c.publicly(ctx, in, bot.Post, view.PostedAttempt(s, nameOf(in)), c.style(nil))
		posted, err := c.privately(ctx, in, view.SharedPuzzle(s, true), nil)
		return c.postOnce(ctx, in, post, posted, err)
	}
	return c.privately(ctx, in, view.SharedPuzzle(s, false), nil)
}
