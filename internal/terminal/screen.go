package terminal

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tictactoe/ai"
	"tictactoe/game"
)

// PlayScreen plays rounds on the full screen until the human leaves or a signal ends it, and then returns nil. Otherwise it returns an error
// of the terminal, an engine or the context.
func (g *Game) PlayScreen(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // stops an engine that is thinking
	return g.run(ctx, NewScreen(ctx, g))
}

// run shows the screen until the human leaves, or a signal or an error ends it.
func (g *Game) run(ctx context.Context, s Screen) error {
	model, err := tea.NewProgram(s, tea.WithInput(g.In), tea.WithOutput(g.Out), tea.WithContext(ctx)).Run()
	if err != nil && !errors.Is(err, tea.ErrInterrupted) {
		return err
	}
	last, _ := model.(Screen)
	return last.err
}

// Screen is the state of the full screen: the round, the cursor, the typed text and more. It is a value; [Screen.Update] returns a changed
// copy.
type Screen struct {
	ctx     context.Context // stops engines; it is a field because Bubble Tea passes no context to commands
	round   round
	version int // grows with each change of the round and the typed text, so that answers to older versions are ignored
	cursor  game.Square
	typed   string // the part of a square's name or number that was typed
	help    bool
	awaited bool      // a review was requested and is not there yet
	review  ai.Review // the review of the finished round, while it is shown; else nil
	shown   *Shown    // the match that is viewed; nil if a round is played
	ply     int       // the ply of the review or of the viewed match
	width   int       // the size of the terminal
	height  int
	err     error
}

// NewScreen returns the screen before the first move. Until the terminal has reported its size, 80x24 is assumed.
func NewScreen(ctx context.Context, g *Game) Screen {
	return Screen{ctx: ctx, width: 80, height: 24}.show(g.first()).centred()
}

// centred returns the screen with the cursor on the middle square of the board.
func (s Screen) centred() Screen {
	rules := s.round.game.Rules
	s.cursor = game.Square(rules.Height()/2*rules.Width() + rules.Width()/2)
	return s
}

// show returns the screen with another state of the round.
func (s Screen) show(r round) Screen {
	s.round, s.typed, s.help, s.awaited, s.review = r, "", false, false, nil
	s.version++
	return s
}

// Messages that answer requests of the screen. version is the screen's version when it made the request.
type (
	chosen struct {
		version int
		square  game.Square
	}
	hinted struct {
		version int
		round   round
		square  game.Square
	}
	reviewed struct {
		version int
		review  ai.Review
	}
	waited struct{ version int }
	failed struct{ err error }
)

// Init asks the computer for a move if a computer begins.
func (s Screen) Init() tea.Cmd {
	if s.shown != nil {
		return nil
	}
	return s.think()
}

// Update returns the screen after a message: a key, a click or an answer to a request.
func (s Screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return s.press(strings.ToLower(msg.String()))
	case tea.MouseClickMsg:
		if square, ok := s.squareAt(msg.X, msg.Y); ok && msg.Button == tea.MouseLeft {
			return s.place(square)
		}
	case chosen:
		if msg.version == s.version {
			return s.play(msg.square)
		}
	case hinted:
		if msg.version == s.version {
			s.round, s.cursor = msg.round, msg.square
		}
	case reviewed:
		if msg.version == s.version {
			s.awaited, s.review, s.ply = false, msg.review, len(msg.review)
		}
	case waited:
		if msg.version == s.version && s.typed != "" {
			return s.enter()
		}
	case failed:
		return s.fail(msg.err)
	}
	return s, nil
}

func (s Screen) fail(err error) (tea.Model, tea.Cmd) {
	s.err = err
	return s, tea.Quit
}

// press returns the screen after a key was pressed.
func (s Screen) press(key string) (tea.Model, tea.Cmd) {
	switch {
	case key == "ctrl+c":
		return s, tea.Quit
	case key == "ctrl+z":
		return s, tea.Suspend
	case s.shown != nil:
		if ply, ok := walk(key, s.ply, s.round.match.Record.Len()); ok {
			s.ply = ply
		} else if key == "esc" || key == orderQuit.key() {
			return s.obey(orderQuit)
		}
		return s, nil
	case s.help && key != orderQuit.key(): // the help covers the board, and any key closes it
		s.help = false
		return s, nil
	}
	switch key {
	case "esc":
		s.typed, s.review = "", nil
		return s, nil
	case "enter", "space":
		return s.enter()
	}
	if s.review != nil {
		if ply, ok := walk(key, s.ply, len(s.review)); ok {
			s.ply = ply
			return s, nil
		}
	}
	if square, ok := s.beside(key); ok {
		s.cursor, s.typed = square, ""
		return s, nil
	}
	if o := s.round.readOrder(key); o != "" {
		s.typed = ""
		return s.obey(o)
	}
	return s.write(key)
}

// walk returns the ply to which a key leads from the given ply, in a review of the given number of moves. It returns false for all other
// keys.
func walk(key string, ply, moves int) (int, bool) {
	switch key {
	case "left", "up":
		return max(ply-1, 0), true
	case "right", "down":
		return min(ply+1, moves), true
	case "home":
		return 0, true
	case "end":
		return moves, true
	default:
		return 0, false
	}
}

// beside returns the square to which an arrow key moves the cursor. From an edge the cursor moves to the opposite edge. It returns false if
// the key is not an arrow key.
func (s Screen) beside(key string) (game.Square, bool) {
	width, height := s.round.game.Rules.Width(), s.round.game.Rules.Height()
	x, y := int(s.cursor)%width, int(s.cursor)/width
	switch key {
	case "left":
		x = (x + width - 1) % width
	case "right":
		x = (x + 1) % width
	case "up":
		y = (y + height - 1) % height
	case "down":
		y = (y + 1) % height
	default:
		return 0, false
	}
	return game.Square(y*width + x), true
}

// enter plays the typed square, or the square under the cursor. If the round is over, it begins the next one.
func (s Screen) enter() (tea.Model, tea.Cmd) {
	switch {
	case s.round.over() && s.round.ends() && s.round.game.humans() > 0:
		return s, nil
	case s.round.over():
		return s.obey(orderNext)
	case s.typed != "":
		if square, ok := ParseMove(s.round.game.Rules, s.typed); ok {
			return s.place(square)
		}
		s.typed = ""
		return s, nil
	default:
		return s.place(s.cursor)
	}
}

// place returns the screen after a human has chosen a square.
func (s Screen) place(square game.Square) (tea.Model, tea.Cmd) {
	if !s.round.humanToMove() || s.shown != nil {
		return s, nil
	}
	s.cursor = square
	return s.play(square)
}

// play returns the screen after the side to move has chosen a square.
func (s Screen) play(square game.Square) (tea.Model, tea.Cmd) {
	r, err := s.round.play(square)
	if err != nil {
		return s.fail(err)
	}
	s = s.show(r)
	return s, s.think()
}

// digitTime is how long the screen waits for a letter after a digit that alone would name a square.
const digitTime = 400 * time.Millisecond

// write returns the screen after a key that is part of a square's name or number. When the typed text names a square, the square is played.
// But after a single digit another key may follow: if that can only be a letter, the screen waits for digitTime; if numbers have two
// digits, it waits for Enter.
func (s Screen) write(key string) (tea.Model, tea.Cmd) {
	rules := s.round.game.Rules
	letter := len(key) == 1 && 'a' <= key[0] && int(key[0]-'a') < rules.Width()
	digit := len(key) == 1 && '0' <= key[0] && key[0] <= '9'
	if !s.round.humanToMove() || !letter && !digit {
		s.typed = ""
		return s, nil
	}
	text := s.typed + key
	square, ok := ParseMove(rules, text)
	noRow := digit && int(key[0]-'0') > rules.Height()
	switch {
	case ok && (len(text) == 2 || noRow && rules.Squares() <= 9):
		return s.place(square)
	case s.passing(): // a second digit came in place of a letter, so each digit names a square
		played, think := s.enter()
		written, wait := played.(Screen).write(key)
		return written, tea.Batch(think, wait)
	case len(text) == 2: // together the two keys name no square, so the second begins a new name
		s.typed = ""
		return s.write(key)
	case ok:
		s.cursor = square
	case digit: // no name begins with this digit
		return s, nil
	}
	s.typed = text
	s.version++
	if !s.passing() {
		return s, nil
	}
	version := s.version
	return s, tea.Tick(digitTime, func(time.Time) tea.Msg { return waited{version} })
}

// passing reports whether the typed text is a square that is played unless a letter follows within digitTime.
func (s Screen) passing() bool {
	_, number := ParseMove(s.round.game.Rules, s.typed)
	return number && s.round.game.Rules.Squares() <= 9
}

// obey returns the screen after an order was carried out.
func (s Screen) obey(o order) (tea.Model, tea.Cmd) {
	r, ctx, version := s.round, s.ctx, s.version
	switch o {
	case orderQuit:
		return s, tea.Quit
	case orderHelp:
		s.help = true
	case orderUndo:
		return s.show(r.undo()), nil
	case orderNext:
		s = s.show(r.again()).centred()
		return s, s.think()
	case orderHint:
		return s, func() tea.Msg {
			r, square, err := r.hint(ctx)
			if err != nil {
				return failed{err}
			}
			return hinted{version, r, square}
		}
	case orderReview:
		if s.review != nil || s.awaited {
			s.review = nil
			return s, nil
		}
		s.awaited = true
		return s, func() tea.Msg { return reviewed{version, r.game.Solver.Review(r.match.Record)} }
	}
	return s, nil
}

// think returns the request for a computer's move, or nil if it is not a computer's turn.
func (s Screen) think() tea.Cmd {
	r, ctx, version := s.round, s.ctx, s.version
	if !r.computerToMove() {
		return nil
	}
	return func() tea.Msg {
		square, err := r.think(ctx)
		if err != nil {
			return failed{err}
		}
		return chosen{version, square}
	}
}
