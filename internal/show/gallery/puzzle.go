package gallery

import (
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/show/view"
)

// puzzleOf returns the puzzle of a day.
func puzzleOf(t T, day string) puzzle.Puzzle {
	t.Helper()
	d, err := puzzle.ParseDay(day)
	if err != nil {
		t.Fatal(err)
	}
	p, err := puzzle.Of(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// solving returns Alice's progress on a puzzle after she has pressed the squares, one each minute.
func solving(t T, p puzzle.Puzzle, squares ...string) daily.Solving {
	t.Helper()
	a := daily.Attempt{User: Alice, Day: p.Day, Started: p.Day.Start().Add(time.Hour)}
	for i, name := range squares {
		square, err := p.Start.Rules().ParseSquare(name)
		if err == nil {
			a, err = a.Press(p, square, a.Started.Add(time.Duration(i+1)*time.Minute))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	state, err := p.Play(a.Presses.Line()...)
	if err != nil {
		t.Fatal(err)
	}
	return daily.Solving{Puzzle: p, Attempt: a, State: state, Today: p.Day}
}

// solution returns the names of the squares that solve a puzzle.
func solution(p puzzle.Puzzle) (squares []string) {
	for _, m := range p.Solution() {
		squares = append(squares, p.Start.Rules().Name(m.Right))
	}
	return squares
}

// wrongSquares returns the names of n squares that are wrong as the first move of a puzzle.
func wrongSquares(t T, p puzzle.Puzzle, n int) (squares []string) {
	t.Helper()
	for square := range p.Start.Legal().All() {
		if s, err := p.Play(square); err == nil && s.Status == puzzle.Failed && len(squares) < n {
			squares = append(squares, p.Start.Rules().Name(square))
		}
	}
	if len(squares) < n {
		t.Fatalf("the puzzle of %v has only the wrong moves %v", p.Day, squares)
	}
	return squares
}

// puzzleShots adds the screens of two puzzles. In the first the solver must win, in the second hold a draw.
func puzzleShots(t T, add adder) {
	t.Helper()
	win, hold := puzzleOf(t, "2026-11-25"), puzzleOf(t, "2026-11-23")
	here := view.PuzzleReader{Server: true}
	shot := func(name string, s daily.Solving, by view.PuzzleReader) {
		add("puzzle-"+name, "OfPuzzle", view.OfPuzzle(s, by))
	}
	shot("win", solving(t, win), here)
	shot("hold", solving(t, hold), view.PuzzleReader{TextBoard: true})
	shot("right", solving(t, win, solution(win)[0]), here)
	shot("wrong-win", solving(t, win, wrongSquares(t, win, 1)...), here)
	shot("wrong-hold", solving(t, hold, wrongSquares(t, hold, 2)...), here)
	shot("failed-win", solving(t, win, wrongSquares(t, win, daily.Tries)...), here)
	failed := solving(t, hold, wrongSquares(t, hold, daily.Tries)...)
	failed.Streak.Best = 7
	shot("failed-hold", failed, here)
	solved := solving(t, win, solution(win)...)
	solved.Streak = daily.Streak{Current: 3, Best: 5}
	shot("solved", solved, here)
	late := solving(t, hold, append(wrongSquares(t, hold, 1), solution(hold)...)...)
	late.Attempt.Solved, late.Today, late.Streak = late.Attempt.Started.Add(5*time.Hour), hold.Day+1, daily.Streak{Current: 1, Best: 1}
	shot("solved-late", late, view.PuzzleReader{Server: true, Listed: true})
	quick := solved
	quick.Attempt.Solved = quick.Attempt.Started.Add(7 * time.Second)
	shot("solved-quickly", quick, view.PuzzleReader{})
	earlier := solving(t, hold)
	earlier.Today++
	shot("of-yesterday", earlier, here)
	unfinished := solving(t, win)
	unfinished.Unfinished = daily.Attempt{User: Alice, Day: win.Day - 1}
	shot("and-an-unfinished-one", unfinished, here)

	list := func(name string, first []daily.Solver, of int, by view.PuzzleReader) {
		add("solvers-"+name, "Solvers", view.Solvers(win.Day, first, of, by))
	}
	list("none", nil, 0, here)
	list("some", []daily.Solver{
		{User: Alice, Name: "Alice", Try: 1, Took: 40 * time.Second}, {User: Bob, Name: Names[Bob], Try: 2, Took: 3 * time.Minute},
		{User: match.User("1004"), Try: 3, Took: 7 * time.Hour},
	}, 5, view.PuzzleReader{Server: true, Listed: true})
	add("puzzle-shared", "SharedPuzzle", view.SharedPuzzle(solved, false))
	add("puzzle-shared-failed", "SharedPuzzle", view.SharedPuzzle(failed, false))
	add("puzzle-shared-and-posted", "SharedPuzzle", view.SharedPuzzle(solved, true))
	add("puzzle-posted", "PostedAttempt", view.PostedAttempt(late, "Alice"))
	add("puzzle-posted-failed", "PostedAttempt", view.PostedAttempt(failed, "Alice"))
	add("puzzle-post-win", "PuzzlePost", view.PuzzlePost(win))
	add("puzzle-post-hold", "PuzzlePost", view.PuzzlePost(hold))

	add("post-nowhere", "OfPuzzlePost", view.OfPuzzlePost(posting.Post{}, false, false))
	add("post-somewhere", "OfPuzzlePost", view.OfPuzzlePost(posting.Post{Channel: "5001", Next: win.Day}, false, true))
	add("post-closed", "OfPuzzlePost", view.OfPuzzlePost(posting.Post{Channel: "5001", Next: win.Day}, true, false))
	add("calendar-nowhere", "OfLeaderboardPost", view.OfLeaderboardPost(posting.Post{}, false))
	weekly := posting.Post{Channel: "5001", Every: posting.Week, Board: "players", Next: win.Day}
	monthly := posting.Post{Channel: "5001", Every: posting.Month, Board: "rating 4x4", Next: win.Day, Edit: true}
	add("calendar-weekly", "OfLeaderboardPost", view.OfLeaderboardPost(weekly, false))
	add("calendar-monthly", "OfLeaderboardPost", view.OfLeaderboardPost(monthly, true))
	rows := []score.Row{
		{Rank: 1, Player: Alice, Name: "Alice", Tally: score.Tally{Wins: 3, Losses: 1}}, {Rank: 2, Player: Bob, Hidden: true, Tally: score.Tally{Wins: 2}},
	}
	add("calendar-post-week", "LeaderboardPost", view.LeaderboardPost(weekly, weekly.Every.Begin(win.Day), rows, map[match.User]int{Alice: 4}))
	monthly.Board = "computer"
	rows[0].Levels = []score.LevelTally{{Level: "hard", Tally: score.Tally{Wins: 3}, Fewest: 4}}
	add("calendar-post-month", "LeaderboardPost", view.LeaderboardPost(monthly, monthly.Every.After(win.Day), rows, map[match.User]int{Alice: 1, Bob: 2}))
	monthly.Board = "rating 4x4"
	add("calendar-post-ratings", "RatingsPost", view.RatingsPost(monthly, monthly.Every.After(win.Day), []ladder.Row{
		{Rank: 1, Name: "Alice", Standing: ladder.Standing{Player: Alice, Rating: rating.Rating{Value: 1650, Deviation: 60}, Opponents: 5}},
	}))
	about := func(by match.User, kind policy.Kind, chosen ...string) policy.AuditEntry {
		return policy.AuditEntry{By: by, At: Noon, Kind: kind, Chosen: chosen}
	}
	add("calendar-deeds", "OfAuditLog", view.OfAuditLog([]policy.AuditEntry{
		about(Carol, policy.PostLeaderboards), about(Carol, policy.PostLeaderboards, "5001", "rating", "4x4", "month", "edit"),
		about(Carol, policy.PostLeaderboards, "5001", "computer", "week"),
		about(policy.Itself, policy.PostsClosed, "5001", "puzzle"), about(policy.Itself, policy.PostsClosed, "5001", "leaderboard"),
		about(policy.Itself, policy.PostsOpen, "5001", "puzzle"), about(policy.Itself, policy.PostsOpen, "5001", "leaderboard"),
		about(policy.Itself, policy.PostsGone, "5001", "puzzle"), about(policy.Itself, policy.PostsGone, "5001", "leaderboard"),
	}, nil, Names, 1, false, Noon))
	add("post-deeds", "OfAuditLog", view.OfAuditLog([]policy.AuditEntry{
		{ID: "d2", By: Carol, At: Noon, Kind: policy.PostPuzzles}, {ID: "d1", By: Carol, At: Noon, Kind: policy.PostPuzzles, Chosen: []string{"5001"}, Was: []string{"daily"}},
	}, nil, Names, 1, false, Noon))
}
