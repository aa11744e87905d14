package browser

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/course"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/show/view"
)

// pageOfDays is the number of past puzzles that are listed at once.
const pageOfDays = 20

// onPuzzle shows puzzles and judges presses on them. The puzzle of a past day is not begun by package daily; it does not count for the
// streak.
func (p *Page) onPuzzle(ctx context.Context, verb string, f fields) (Drawn, error) {
	attempts := &daily.Attempts{Store: p.store(), Puzzles: &p.puzzles}
	req, today := p.request(me), puzzle.DayOf(p.Now())
	day, err := dayOf(f.text(0))
	if err != nil {
		day = today
	}
	switch verb {
	case "past":
		return p.past(ctx, today, f.number(0))
	case "drill":
		if day, err = p.drill(ctx, f.text(0), f.text(1)); err != nil {
			return Drawn{}, err
		}
	}
	if _, err := p.puzzleOf(ctx, day); err != nil {
		return Drawn{}, err
	}
	if day < today && verb != "press" {
		if _, err := p.store().BeginAttempt(ctx, daily.Attempt{User: me, Day: day, Started: req.At}); err != nil {
			return Drawn{}, err
		}
	}
	var s daily.Solving
	if verb == "press" {
		s, err = attempts.Press(ctx, req, day, f.number(1), f.text(2))
	} else {
		s, err = attempts.Open(ctx, req, day)
	}
	if err != nil {
		return Drawn{}, err
	}
	if verb == "sharepuzzle" {
		d := draw(p.Words, view.SharedPuzzle(s, true), "puzzle")
		d.Buttons = append([]Button{{Label: p.say("web.copy"), Copy: d.Paste, Weight: "main"}}, d.Buttons...)
		return d, nil
	}
	return p.puzzleScreen(s), nil
}

// puzzleScreen draws a puzzle. One for practice has no date, and neither streak nor text to share.
func (p *Page) puzzleScreen(s daily.Solving) Drawn {
	screen := view.OfPuzzle(s, view.PuzzleReader{})
	board := s.Puzzle.Start.Rules()
	practice := s.Puzzle.Day < firstPast
	if practice {
		screen.Lines[0] = view.T("web.practice.title", view.Args{"Board": view.RulesName(board)})
		dated := func(t view.Text) bool {
			return t.Key == "puzzle.streak" || t.Key == "puzzle.past" || t.Key == "puzzle.late" || t.Key == "puzzle.next"
		}
		screen.Lines, screen.Notes = slices.DeleteFunc(screen.Lines, dated), slices.DeleteFunc(screen.Notes, dated)
		screen.Buttons = nil
	}
	if puzzle.DayOf(s.Attempt.Started) != s.Puzzle.Day { // it does not count for the streak, as it does on Discord
		screen.Notes = slices.DeleteFunc(screen.Notes, func(t view.Text) bool { return t.Key == "puzzle.late" })
	}
	d := draw(p.Words, screen, "puzzle")
	d.Self = word("puzzle", int(s.Puzzle.Day))
	chosen := ""
	if practice {
		chosen = board.Title()
		if s.Attempt.Over() {
			d.Buttons = []Button{{Label: p.say("web.practice.next"), Do: word("drill", board.Title()), Weight: "main"}}
		}
		d.Buttons = append(d.Buttons, Button{Label: p.say("action.easier"), Do: word("drill", board.Title(), "easier/"+strconv.Itoa(int(s.Puzzle.Day)))},
			Button{Label: p.say("action.harder"), Do: word("drill", board.Title(), "harder/"+strconv.Itoa(int(s.Puzzle.Day)))})
	} else {
		d.Buttons = append(d.Buttons, Button{Label: p.say("web.archive"), Do: "past:0"})
	}
	d.Menus = p.boards("web.practice", "drill", chosen)
	return d
}

// firstPast is the earliest day in the list of past puzzles. Days before it are for practice.
var firstPast = puzzle.DayOf(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC))

// past lists the puzzles of earlier days, the latest first, each with a tick if it is solved and a cross if it was failed.
func (p *Page) past(ctx context.Context, today puzzle.Day, page int) (Drawn, error) {
	d := Drawn{Tab: "puzzle", Lines: []string{p.say("web.archive")}}
	first := today - 1 - puzzle.Day(max(0, page)*pageOfDays)
	for day := first; day > first-pageOfDays && day >= firstPast; day-- {
		rules, _ := game.OnOffer(puzzle.BoardOf(day))
		label := p.Words.Say(view.T("row", view.Args{"First": view.Day(day.Start()), "More": view.RulesName(rules)}), plain{})
		a, err := p.store().Attempt(ctx, me, day)
		switch {
		case err != nil && !errors.Is(err, match.ErrNotFound):
			return Drawn{}, err
		case err == nil && !a.Solved.IsZero():
			label = "✅ " + label
		case err == nil && a.Over():
			label = "🟥 " + label
		}
		d.Buttons = append(d.Buttons, Button{Label: label, Do: word("puzzle", int(day))})
	}
	if page > 0 {
		d.Buttons = append(d.Buttons, Button{Label: p.say("action.previous"), Do: word("past", page-1)})
	}
	if first-pageOfDays >= firstPast {
		d.Buttons = append(d.Buttons, Button{Label: p.say("action.next"), Do: word("past", page+1), Weight: "main"})
	}
	d.Buttons = append(d.Buttons, Button{Label: p.say("action.puzzle.today"), Do: "puzzle"})
	return d, nil
}

// drillDays is the number of days before [firstPast] among which practice puzzles are chosen, and drillTries how many puzzles are looked at
// for one that is easier or harder than another.
const (
	drillDays  = 20_000
	drillTries = 4
)

// drill returns a day whose puzzle has the given board. than may ask for a puzzle that is easier or harder than that of a day.
func (p *Page) drill(ctx context.Context, board, than string) (puzzle.Day, error) {
	if _, known := game.OnOffer(board); !known {
		board = "classic"
	}
	any := func() puzzle.Day {
		for {
			if day := firstPast - 1 - puzzle.Day(rand.IntN(drillDays)); puzzle.BoardOf(day) == board {
				return day
			}
		}
	}
	direction, from, _ := strings.Cut(than, "/")
	last, err := dayOf(from)
	if err != nil {
		return any(), nil
	}
	before, err := p.puzzleOf(ctx, last)
	best := before
	for range drillTries {
		next, failed := p.puzzleOf(ctx, any())
		if failed != nil {
			return 0, failed
		}
		if best.Day == before.Day || (direction == "harder") == (next.Difficulty > best.Difficulty) {
			best = next
		}
		if (direction == "harder") == (next.Difficulty > before.Difficulty) && next.Day != before.Day {
			return next.Day, err
		}
	}
	return best.Day, err
}

// onCourse shows the lessons, or judges a square that was pressed in one.
func (p *Page) onCourse(ctx context.Context, verb string, f fields) (Drawn, error) {
	lesson, number := course.Find(f.text(0))
	if verb == "lessons" || number == 0 {
		solved, err := p.store().lessons(ctx)
		s := view.OfCourse(solved)
		s.Notes = nil
		d := draw(p.Words, s, "learn")
		for i, o := range s.Selects[0].Options { // each lesson has a line of its own after the first, which is pressed here
			d.Buttons = append(d.Buttons, Button{Label: d.Lines[1+i], Do: word("learn", o.Value)})
		}
		d.Lines = slices.Delete(d.Lines, 1, 1+len(s.Selects[0].Options))
		return d, err
	}
	at := lesson.Position()
	square, err := at.Rules().ParseSquare(f.text(1))
	if err != nil {
		return draw(p.Words, view.OfTask(lesson), "learn"), nil
	}
	if at.Marks(game.None).Has(square) {
		square = at.Landing(square)
	}
	after, err := lesson.Record.Play(square)
	if err != nil {
		return Drawn{}, &match.Refusal{Reason: match.SquareTaken}
	}
	if !lesson.Answers.Has(square) {
		review, err := p.engines.Review(within(ctx, reviewTime), after)
		if err != nil {
			return Drawn{}, err
		}
		return draw(p.Words, view.OfWrongAnswer(lesson, review[len(review)-1]), "learn"), nil
	}
	if err := p.store().solveLesson(ctx, lesson.Name); err != nil {
		return Drawn{}, err
	}
	advice, known, err := p.engines.Advise(within(ctx, adviceTime), at)
	if known {
		advice.Squares = game.SetOf(square)
	}
	return draw(p.Words, view.OfRightAnswer(lesson, after, advice.Reason(at)), "learn"), err
}
