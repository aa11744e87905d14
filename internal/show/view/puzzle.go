package view

import (
	"strings"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/posting"
)

// SolversListed is how many solvers a list names at most.
const SolversListed = 20

// PuzzleReader describes the user who looks at a puzzle, and the place where the puzzle is shown.
type PuzzleReader struct {
	Server    bool // in a server where the bot is a member, so that there is a list of solvers
	Listed    bool // the user wants to be on that list
	TextBoard bool // the user wants words in place of pictures
}

// OfPuzzle returns the puzzle of a day with the user's progress. Only the user sees it.
func OfPuzzle(s daily.Solving, by PuzzleReader) Screen {
	p, at, record := s.Puzzle, s.Attempt, s.State.Record
	screen := Screen{
		Lines:   []Text{puzzleTitle(p)},
		Columns: p.Start.Rules().Width(),
		Labels:  by.TextBoard,
		Ply:     len(at.Presses),
		Puzzle:  &PressPuzzle{Day: p.Day, Presses: len(at.Presses)},
		Notes:   rulesNote(p.Start.Rules()),
	}
	switch {
	case !at.Solved.IsZero():
		screen.Tone = Won
		screen.Lines = append(screen.Lines, solvedText(at))
	case at.Over():
		screen.Tone = Closed
		screen.Lines = append(screen.Lines, lastTryText(s)...)
		screen.Lines = append(append(screen.Lines, T("puzzle.failed", nil)), PuzzleSolution(p)...)
		record = solvedRecord(p)
	default:
		screen.Tone = tonesOfTurns[p.Start.Turn()]
		goal := Args{"Mark": Mark(p.Start.Turn()), "PluralCount": p.Decisions}
		screen.Lines = append(screen.Lines, T("puzzle.goal."+p.Goal.String(), goal), progressText(s))
		screen.Notes = append(screen.Notes, vanishingNote(record.Position())...)
	}
	screen.Cells = cells(record, at.Over())
	for square := range at.Presses.Missed().All() {
		screen.Cells[square].Over = true
	}
	streak := T("puzzle.streak", Args{"PluralCount": s.Streak.Current, "Best": s.Streak.Best})
	screen.Lines = append(screen.Lines, when(at.Over() && (s.Streak.Current > 0 || s.Streak.Best > 0), streak)...)
	screen.Notes = append(screen.Notes, dayNote(s))
	screen.Buttons = puzzleButtons(s, by)
	return screen
}

// tonesOfTurns has the tone of a board for each side to move.
var tonesOfTurns = map[game.Mark]Tone{game.X: TurnX, game.O: TurnO}

func puzzleButtons(s daily.Solving, by PuzzleReader) (buttons []Button) {
	day, over, listed := s.Puzzle.Day, s.Attempt.Over(), by.Listed || s.Attempt.Solved.IsZero()
	buttons = when(over, Button{Do: Puzzle{SharePuzzle, day}, Label: T("action.puzzle.share", nil), Weight: Main})
	buttons = append(buttons, when(by.Server, Button{Do: Puzzle{PuzzleSolvers, day}, Label: T("action.puzzle.solvers", nil)})...)
	buttons = append(buttons, when(by.Server && !listed, Button{Do: Puzzle{ListSolver, day}, Label: T("action.puzzle.list", nil)})...)
	if s.Unfinished.User != "" {
		buttons = append(buttons, Button{Do: SolvePuzzle{s.Unfinished.Day}, Label: T("action.puzzle.yesterday", nil)})
	}
	if day != s.Today && over {
		buttons = append(buttons, Button{Do: SolvePuzzle{s.Today}, Label: T("action.puzzle.today", nil), Weight: Main})
	}
	return buttons
}

func puzzleTitle(p puzzle.Puzzle) Text {
	return T("puzzle.title", Args{"Day": Day(p.Day.Start()), "Board": RulesName(p.Start.Rules())})
}

// progressText says whether the last press was right, and how many tries are left.
func progressText(s daily.Solving) Text {
	at, rules := s.Attempt, s.Puzzle.Start.Rules()
	left := Args{"PluralCount": at.Left()}
	if len(at.Presses) == 0 {
		return T("puzzle.tries", left)
	}
	last := at.Presses[len(at.Presses)-1]
	if last.Wrong {
		left["Square"], left["Why"] = rules.Name(last.Square), missText(lastMistake(s))
		return T("puzzle.wrong", left)
	}
	record := s.State.Record
	return T("puzzle.right", Args{
		"Square": rules.Name(last.Square), "Answer": rules.Name(record.Square(record.Len() - 1)),
		"N": len(at.Presses.Line()) + 1, "Of": s.Puzzle.Decisions,
	})
}

// lastMistake returns the mistake in the last press, which must have been wrong.
func lastMistake(s daily.Solving) *puzzle.Mistake {
	last := s.Attempt.Presses[len(s.Attempt.Presses)-1]
	missed, _ := s.Puzzle.Play(append(s.Attempt.Presses.Line(), last.Square)...) // no error is possible: the square was pressed before
	return missed.Mistake
}

// missText says what the player has given away by a mistake.
func missText(m *puzzle.Mistake) Text {
	if m != nil && m.Reached == ai.Draw {
		return T("puzzle.miss.draw", nil)
	}
	return T("puzzle.miss.loss", nil)
}

// lastTryText says why the press that used up the last try was wrong. After an earlier try such a text would give the right move
// away.
func lastTryText(s daily.Solving) []Text {
	m := lastMistake(s)
	if m == nil {
		return nil
	}
	why, ok := Harm(m.Before, m.Remark())
	return when(ok, T("puzzle.last", Args{"Square": s.Puzzle.Start.Rules().Name(m.Pressed), "Why": why}))
}

func solvedText(at daily.Attempt) Text {
	took := tookText(at.Took())
	if at.Presses.Wrong() == 0 {
		return T("puzzle.solved.first", Args{"Took": took})
	}
	return T("puzzle.solved", Args{"Try": at.Try(), "Of": daily.Tries, "Took": took})
}

// PuzzleSolution lists the moves that solve a puzzle, each with its reason.
func PuzzleSolution(p puzzle.Puzzle) (lines []Text) {
	for i, m := range p.Solution() {
		rules := m.Before.Rules()
		args := Args{"N": i + 1, "Square": rules.Name(m.Right), "Why": PuzzleReason(p, m)}
		key := "puzzle.step"
		if m.Answer != game.NoSquare {
			key, args["Answer"] = "puzzle.step.answer", rules.Name(m.Answer)
		}
		lines = append(lines, T(key, args))
	}
	return lines
}

// PuzzleReason says why a move of the solution is right.
func PuzzleReason(p puzzle.Puzzle, m puzzle.Move) Text {
	if why, ok := Why(m.Advice().Reason(m.Before), m.Before.Rules()); ok {
		return why
	}
	return T("puzzle.only."+p.Goal.String(), nil)
}

// solvedRecord returns the game with all moves of the solution.
func solvedRecord(p puzzle.Puzzle) game.Record {
	var line []game.Square
	for _, m := range p.Solution() {
		line = append(line, m.Right)
	}
	s, _ := p.Play(line...) // no error is possible: the solution is legal
	return s.Record
}

// dayNote says when the next puzzle comes or, for an earlier puzzle, until when it counts.
func dayNote(s daily.Solving) Text {
	args := Args{"Day": Day(s.Puzzle.Day.Start()), "Until": Moment(s.Attempt.Started.Add(daily.CountsFor))}
	switch {
	case s.Puzzle.Day == s.Today:
		return T("puzzle.next", Args{"When": Moment((s.Today + 1).Start())})
	case s.Attempt.Over():
		return T("puzzle.past", args)
	default:
		return T("puzzle.late", args)
	}
}

// tookText returns a duration in whole hours, minutes or seconds.
func tookText(d time.Duration) Text {
	switch {
	case d < time.Minute:
		return T("puzzle.took.seconds", Args{"PluralCount": int(d / time.Second)})
	case d < time.Hour:
		return T("puzzle.took.minutes", Args{"PluralCount": int(d / time.Minute)})
	default:
		return T("puzzle.took.hours", Args{"PluralCount": int(d / time.Hour)})
	}
}

// Solvers returns the list of the members of a server who have solved the puzzle of a day and want to be listed, with their tries and
// times. The list does not reveal the solution.
func Solvers(day puzzle.Day, first []daily.Solver, of int, by PuzzleReader) Screen {
	s := Screen{Lines: []Text{T("puzzle.solvers", Args{"Day": Day(day.Start())})}}
	for i, r := range first {
		args := Args{"N": i + 1, "Name": Names{r.User: r.Name}.Of(r.User), "PluralCount": r.Try, "Took": tookText(r.Took)}
		s.Lines = append(s.Lines, T("puzzle.solver", args))
	}
	switch more := of - len(first); {
	case of == 0:
		s.Lines = append(s.Lines, T("puzzle.solvers.none", nil))
	case more > 0:
		s.Lines = append(s.Lines, T("puzzle.solvers.more", Args{"PluralCount": more}))
	}
	list := Button{Do: Puzzle{ListSolver, day}, Label: T("action.puzzle.list", nil)}
	if by.Listed {
		list = Button{Do: Puzzle{UnlistSolver, day}, Label: T("action.puzzle.unlist", nil)}
	}
	s.Buttons = []Button{list, {Do: SolvePuzzle{day}, Label: T("action.puzzle.back", nil)}}
	s.Notes = []Text{T("puzzle.solvers.note", nil)}
	return s
}

// SharedPuzzle returns an attempt at a puzzle as text that the user can paste anywhere. If posted is true, the user has already posted it.
func SharedPuzzle(s daily.Solving, posted bool) Screen {
	screen := Screen{
		Lines:   []Text{T("puzzle.share", nil)},
		Paste:   attemptText(s),
		Buttons: when(!posted, Button{Do: Puzzle{PostAttempt, s.Puzzle.Day}, Label: T("action.puzzle.post", nil)}),
	}
	screen.Buttons = append(screen.Buttons, Button{Do: SolvePuzzle{s.Puzzle.Day}, Label: T("action.puzzle.back", nil)})
	return screen
}

// PostedAttempt returns the public message with a user's attempt at a puzzle.
func PostedAttempt(s daily.Solving, name string) Screen {
	by := Args{"Name": Names{s.Attempt.User: name}.Of(s.Attempt.User)}
	screen := Screen{
		Tone:    Won,
		Lines:   []Text{T("puzzle.posted", by)},
		Paste:   attemptText(s),
		Buttons: []Button{{Do: SolvePuzzle{s.Puzzle.Day}, Label: T("action.puzzle.solve", nil), Weight: Main}},
	}
	if s.Attempt.Solved.IsZero() {
		screen.Tone, screen.Lines = Closed, []Text{T("puzzle.posted.failed", by)}
	}
	return screen
}

// attemptText returns the rows that show an attempt, one for each try. Each row begins with the right moves found before. The rows do not
// tell which squares are right.
func attemptText(s daily.Solving) []Text {
	const right, wrong = "✅", "🟥"
	var rows []string
	found := ""
	for _, p := range s.Attempt.Presses {
		if p.Wrong {
			rows = append(rows, found+wrong)
		} else {
			found += right
		}
	}
	rows = append(rows, when(!s.Attempt.Solved.IsZero(), found)...)
	args := Args{
		"Day": Day(s.Puzzle.Day.Start()), "Board": RulesName(s.Puzzle.Start.Rules()), "Try": s.Attempt.Try(), "Of": daily.Tries,
		"PluralCount": s.Streak.Current,
	}
	title := T("puzzle.text", args)
	if s.Attempt.Solved.IsZero() {
		title = T("puzzle.text.failed", args)
	}
	lines := []Text{title, T("puzzle.text.grid", Args{"Grid": strings.Join(rows, "\n")})}
	lines = append(lines, when(s.Streak.Current > 1, T("puzzle.text.streak", args))...)
	return lines
}

// PuzzlePost returns the public message with the puzzle of a day, for the channel that a server has chosen. Its button opens the puzzle
// privately.
func PuzzlePost(p puzzle.Puzzle) Screen {
	return Screen{
		Tone:    tonesOfTurns[p.Start.Turn()],
		Lines:   []Text{puzzleTitle(p), T("puzzle.post."+p.Goal.String(), Args{"Mark": Mark(p.Start.Turn()), "PluralCount": p.Decisions})},
		Cells:   cells(game.NewRecord(p.Start), false),
		Columns: p.Start.Rules().Width(),
		Small:   true,
		Notes:   append(rulesNote(p.Start.Rules()), T("puzzle.post.note", Args{"PluralCount": daily.Tries})),
		Buttons: []Button{{Do: SolvePuzzle{p.Day}, Label: T("action.puzzle.solve", nil), Weight: Main}},
	}
}

// OfPuzzlePost returns the page on which moderators see and choose in which channel the puzzle is posted. closed means that the
// bot may not write there, and off that the puzzle is switched off in the server.
func OfPuzzlePost(p posting.Post, closed, off bool) Screen {
	s := Screen{Lines: []Text{T("admin.puzzle", nil)}}
	pick := Select{Do: SetPolicy{PolicyPuzzles}, Hint: T("admin.pick.puzzle", nil), Of: PostPlaces, Min: 1, Max: 1}
	if p.Channel == "" {
		s.Lines = append(s.Lines, T("admin.puzzle.nowhere", nil))
	} else {
		s.Lines = append(s.Lines, T("admin.puzzle.on", Args{"Place": Place(p.Channel), "When": Moment(p.Next.Start())}))
		pick.Chosen = []string{p.Channel}
		s.Buttons = []Button{{Do: SetPolicy{PolicyNoPuzzles}, Label: T("action.admin.puzzle.off", nil)}}
	}
	s.warnClosed(p.Channel, closed)
	s.Lines = append(s.Lines, when(off, T("admin.puzzle.off", nil))...)
	s.Notes = []Text{T("admin.puzzle.note", nil)}
	s.Selects = []Select{pick}
	s.Buttons = append(s.Buttons, back(PolicyPage))
	return s
}
