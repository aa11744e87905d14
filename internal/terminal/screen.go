package terminal

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tictactoe/ai"
	"tictactoe/game"
)

// PlayScreen plays rounds on the whole screen until the person leaves or the context ends. Errors are those of the
// terminal and the engines.
func (g *Game) PlayScreen(ctx context.Context) error {
	last, err := tea.NewProgram(NewScreen(ctx, g), tea.WithInput(g.In), tea.WithOutput(g.Out), tea.WithContext(ctx)).Run()
	switch {
	case errors.Is(err, tea.ErrInterrupted), ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	return last.(Screen).err
}

// Screen is the state of the full screen: the round being played, and what was played before. It is a value that
// changes only by [Screen.Update].
type Screen struct {
	ctx     context.Context // ends the engines' thinking; the program that runs the screen hands none to its commands
	game    *Game
	record  game.Record
	starter game.Mark
	cursor  game.Square
	typed   string // the part of a square's name or number that has been typed
	note    string
	review  []string
	version int // of the record and what is known of it: a late answer to an older one is dropped
	wins    map[game.Mark]int
	drawn   int
	tall    bool // whether there is room for large marks
	err     error
}

// NewScreen is the screen before the first move.
func NewScreen(ctx context.Context, g *Game) Screen {
	s := Screen{ctx: ctx, game: g, wins: map[game.Mark]int{}, tall: g.Rules.Height() <= 3}
	return s.begin(g.Starter)
}

// begin starts a round.
func (s Screen) begin(starter game.Mark) Screen {
	s.starter = starter
	s.record = game.NewRecord(game.StartWith(s.game.Rules, starter))
	s.cursor = game.Square(s.game.Rules.Height()/2*s.game.Rules.Width() + s.game.Rules.Width()/2)
	s.typed, s.review = "", nil
	s.note = s.game.warning(starter)
	s.version++
	return s
}

// The answers to what the screen has asked for, with the version it asked about.
type (
	chosen struct {
		version int
		square  game.Square
		err     error
	}
	hinted struct {
		version int
		text    string
		err     error
	}
	reviewed struct {
		version int
		lines   []string
	}
)

// Init lets a computer begin.
func (s Screen) Init() tea.Cmd { return s.think() }

// Update is the screen after a key, a click or an answer.
func (s Screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.tall = msg.Height >= frameLines+4*s.game.Rules.Height()
	case tea.KeyPressMsg:
		return s.press(msg.String())
	case tea.MouseClickMsg:
		if square, ok := s.squareAt(msg.X, msg.Y); ok && msg.Button == tea.MouseLeft {
			s.cursor = square
			return s.place(square)
		}
	case chosen:
		if msg.version != s.version {
			break
		}
		if msg.err != nil {
			s.err = msg.err
			return s, tea.Quit
		}
		return s.move(msg.square)
	case hinted:
		if msg.version != s.version {
			break
		}
		s.note = msg.text
		if msg.err != nil {
			s.err = msg.err
			return s, tea.Quit
		}
	case reviewed:
		if msg.version == s.version {
			s.note, s.review = "", msg.lines
		}
	}
	return s, nil
}

// press is the screen after a key.
func (s Screen) press(key string) (tea.Model, tea.Cmd) {
	typed := s.typed
	s.typed = ""
	width, height := s.game.Rules.Width(), s.game.Rules.Height()
	x, y := int(s.cursor)%width, int(s.cursor)/width
	switch key {
	case "q", "ctrl+c", "esc":
		return s, tea.Quit
	case "left":
		x = (x + width - 1) % width
	case "right":
		x = (x + 1) % width
	case "up":
		y = (y + height - 1) % height
	case "down":
		y = (y + 1) % height
	case "enter", "space":
		if s.over() {
			return s.again()
		}
		return s.place(s.cursor)
	case "u":
		return s.undo(), nil
	case "h":
		return s.askHint()
	case "n":
		return s.again()
	case "r":
		return s.askReview()
	default:
		return s.write(typed, strings.ToLower(key))
	}
	s.cursor = game.Square(y*width + x)
	return s, nil
}

// write is the screen after a part of a square's name or number. A name is played at once; a number moves the cursor,
// for it may go on.
func (s Screen) write(typed, key string) (tea.Model, tea.Cmd) {
	if len(key) != 1 || !strings.Contains("abcde0123456789", key) {
		return s, nil
	}
	for _, text := range []string{typed + key, key} {
		square, err := ParseMove(s.game.Rules, text)
		switch {
		case err == nil && strings.ContainsAny(text, "abcde"):
			s.cursor = square
			return s.place(square)
		case err == nil:
			s.cursor, s.typed = square, text
			return s, nil
		}
	}
	s.typed = key
	return s, nil
}

// place is the screen after the person has chosen a square.
func (s Screen) place(square game.Square) (tea.Model, tea.Cmd) {
	if s.over() || s.turn().Engine != nil {
		return s, nil
	}
	return s.move(landing(s.record.Position(), square))
}

// move is the screen after a move of either side.
func (s Screen) move(square game.Square) (tea.Model, tea.Cmd) {
	mover, before := s.turn(), s.record.Position()
	next, err := s.record.Play(square)
	if illegal := (*game.IllegalMoveError)(nil); errors.As(err, &illegal) && mover.Engine == nil {
		s.note = refusal(illegal)
		return s, nil
	}
	if err != nil {
		s.err = err
		return s, tea.Quit
	}
	s.record, s.note = next, ""
	s.version++
	if mover.Engine != nil {
		s.note = fmt.Sprintf("%s played %s", mover, s.game.Rules.Name(square))
		if mover.explains() {
			s.note += because(before, square)
		}
	}
	if s.over() {
		s.note = ""
		s.count()
	}
	return s, s.think()
}

// count adds the finished round to the score.
func (s *Screen) count() {
	wins := map[game.Mark]int{game.X: s.wins[game.X], game.O: s.wins[game.O]}
	if winner := s.record.Outcome().Winner(); winner != game.None {
		wins[winner]++
	} else {
		s.drawn++
	}
	s.wins = wins
}

// undo is the screen before the person's last move. A finished round is counted and stays.
func (s Screen) undo() Screen {
	if s.over() || s.turn().Engine != nil {
		return s
	}
	for n := s.record.Len() - 1; n >= 0; n-- {
		earlier := s.record.First(n)
		if s.game.side(earlier.Position().Turn()).Engine == nil {
			s.record, s.note = earlier, "Taken back."
			s.version++
			return s
		}
	}
	s.note = "There is nothing to take back."
	return s
}

// again is the screen with the next round, which the other mark begins; a running round goes on.
func (s Screen) again() (tea.Model, tea.Cmd) {
	if !s.over() {
		return s, nil
	}
	s = s.begin(s.starter.Opponent())
	return s, s.think()
}

// think asks the computer for its move, if it is its turn.
func (s Screen) think() tea.Cmd {
	if s.over() || s.turn().Engine == nil {
		return nil
	}
	g, engine, position, version := s.game, s.turn().Engine, s.record.Position(), s.version
	return func() tea.Msg {
		if g.people() == 0 {
			if err := wait(s.ctx, g.Delay); err != nil {
				return chosen{version: version, err: err}
			}
		}
		square, err := engine.Choose(s.ctx, position)
		return chosen{version, square, err}
	}
}

func (s Screen) askHint() (tea.Model, tea.Cmd) {
	if s.over() || s.turn().Engine != nil {
		return s, nil
	}
	g, position, version := s.game, s.record.Position(), s.version
	return s, func() tea.Msg {
		text, err := g.hint(s.ctx, position)
		return hinted{version, text, err}
	}
}

func (s Screen) askReview() (tea.Model, tea.Cmd) {
	if !s.over() || s.review != nil {
		return s, nil
	}
	s.note = "Reviewing..."
	g, record, version := s.game, s.record, s.version
	return s, func() tea.Msg { return reviewed{version, reviewLines(g.Rules, g.Solver.Review(record))} }
}

// reviewLines tells the errors and inaccuracies of a round, and the accuracy of both sides.
func reviewLines(rules game.Rules, review ai.Review) []string {
	var lines []string
	for i, r := range review {
		if !r.Grade.Error() && !r.Grade.Inaccuracy() {
			continue
		}
		var better []string
		for s := range r.Better.All() {
			better = append(better, rules.Name(s))
		}
		lines = append(lines, fmt.Sprintf("%2d. %s %s  %s, better: %s", i+1, r.Mark, rules.Name(r.Square), r.Grade, strings.Join(better, " ")))
	}
	if len(lines) == 0 {
		lines = append(lines, "Not one move could have been better.")
	}
	for _, m := range []game.Mark{game.X, game.O} {
		if a := review.Of(m); a.Critical > 0 {
			lines = append(lines, fmt.Sprintf("%s was right in %d of %d critical decisions.", m, a.Critical-a.Errors, a.Critical))
		}
	}
	return lines
}

func (s Screen) over() bool { return s.record.Outcome() != game.InProgress }

// turn is the side to move.
func (s Screen) turn() Side { return s.game.side(s.record.Position().Turn()) }
