package browser

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tictactoe/internal/computer"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// The users of a page: the person who plays alone, and the second player of a match between two people on the same screen.
const (
	me     match.User = "me"
	friend match.User = "friend"
)

// Page carries out what a person presses. Its methods must be called one after the other.
type Page struct {
	Rows  Rows
	Words locale.Words
	Now   func() time.Time
	Coin  func() bool

	engines computer.Engines
	puzzles daily.Puzzles
	ids     int
}

// Do carries out a press and returns the screen that follows. do is the Do of a [Cell], [Button] or [Menu], or one of the words below. An
// error is not a refusal, which a screen explains, but unexpected.
//
//	open                              the match in progress, or a new one
//	new:<board>:<opponent>:<mark>:<seconds>  a new match; the opponent is a level or "friend", the mark X, O or random
//	form                              the choices for a new match
//	puzzle:, past:<page>, drill:<board>      puzzles
//	lessons                           the course
//	analyse:<address>                        an analysis of a game, by its address after the #; any other address opens a match
func (p *Page) Do(ctx context.Context, do string) (Drawn, error) {
	verb, rest, _ := strings.Cut(do, ":")
	f := fields{strings.Split(rest, ":")}
	d, err := p.carryOut(ctx, verb, f)
	if errors.Is(err, match.ErrUnsaved) {
		return Drawn{Tone: "warning", Notes: []string{p.say("web.full")}}, nil
	}
	if refusal, is := errors.AsType[*match.Refusal](err); is {
		return p.refused(ctx, refusal)
	}
	if err != nil {
		return Drawn{}, fmt.Errorf("%s: %w", do, err)
	}
	if d.Self == "" {
		d.Self = do
	}
	return d, nil
}

// Uses reports whether the page may need the text with a key. The other texts are about Discord, servers and commands.
func Uses(key string) bool {
	first, _, _ := strings.Cut(key, ".")
	return strings.Contains(" action board choice course date grade hint lesson level match move name picture practice puzzle rematch resign "+
		"result review row rules share square terminal time walk web where why zone ", " "+first+" ") && !strings.HasPrefix(key, "action.admin.") ||
		key == "refusal.taken" || key == "refusal.turn" || key == "refusal.square" || key == "action.admin" || key == "privacy.ask.final" || key == "action.privacy.export"
}

// errUnknown is returned for a word that the page does not know.
var errUnknown = errors.New("the page does not know this word")

func (p *Page) carryOut(ctx context.Context, verb string, f fields) (Drawn, error) {
	switch verb {
	case "open":
		return p.open(ctx)
	case "form":
		return p.form(ctx)
	case "new":
		return p.begin(ctx, f)
	case "play", "resign", "ease", "undo", "hint", "rematch", "expire", "show":
		return p.onMatch(ctx, verb, f)
	case "review", "walk", "wrong", "practice", "share":
		return p.onEnded(ctx, verb, f)
	case "puzzle", "press", "sharepuzzle", "past", "drill":
		return p.onPuzzle(ctx, verb, f)
	case "lessons", "learn":
		return p.onCourse(ctx, verb, f)
	case "analyse", "step", "setup":
		return p.analyse(ctx, verb, f)
	}
	return Drawn{}, errUnknown
}

// fields are the parts of a word after its verb.
type fields struct{ all []string }

// text returns the field with an index, or the empty string.
func (f fields) text(i int) string {
	if i >= len(f.all) {
		return ""
	}
	return f.all[i]
}

// number returns the field with an index as a number, or 0.
func (f fields) number(i int) int {
	n, _ := strconv.Atoi(f.text(i))
	return n
}

func word(verb string, fields ...any) string {
	for _, field := range fields {
		verb += ":" + fmt.Sprint(field)
	}
	return verb
}

// written returns an action as a word, or the empty string if the page does not have the action.
func written(a view.Action) string {
	switch a := a.(type) {
	case view.Resign:
		return word("resign", a.Match, a.Ply)
	case view.Ease:
		return word("ease", a.Match, a.Version)
	case view.Rematch:
		return word("rematch", a.Match, a.Version)
	case view.Hint:
		return word("hint", a.Match, a.Ply)
	case view.Review:
		if a.Move > 0 {
			return word("walk", a.Match, a.Move)
		}
		return word("review", a.Match)
	case view.Share:
		return word("share", a.Match)
	case view.Walk:
		return word("walk", a.Match, a.Move)
	case view.WentWrong:
		return word("wrong", a.Match)
	case view.Practice:
		return word("practice", a.Match, a.From, a.Aim, a.Moves)
	case view.PlayComputer:
		return word("new", a.Rules, a.Level, "random")
	case view.SolvePuzzle:
		return word("puzzle", int(a.Day))
	case view.Puzzle:
		return word("sharepuzzle", int(a.Day))
	case view.Learn:
		return word("learn", a.Lesson)
	case view.ListLessons:
		return "lessons"
	}
	return ""
}

// pressed returns the press on a square of a screen as a word, or the empty string if the board is only looked at.
func pressed(s view.Screen, square string) string {
	switch {
	case s.Puzzle != nil:
		return word("press", int(s.Puzzle.Day), s.Puzzle.Presses, square)
	case s.Lesson != "":
		return word("learn", s.Lesson, square)
	case s.Practice != nil:
		return word("practice", s.Match, s.Practice.From, s.Practice.Aim, s.Practice.Moves, square)
	case s.Small:
		return ""
	default:
		return word("play", s.Match, s.Ply, square)
	}
}

func (p *Page) say(key string) string { return p.Words.Say(view.T(key, nil), style{}) }

func (p *Page) store() store { return store{rows: p.Rows} }

// referee returns the referee of the matches. The clock of a page is the clock of its computer, and nobody is away while it is open.
func (p *Page) referee() *match.Referee {
	return &match.Referee{Store: p.store(), Engines: &p.engines, Coin: p.Coin, Limits: match.Limits{}, Time: clock(p.Now), Fit: computer.Fit(p.store())}
}

type clock func() time.Time

func (c clock) Now(match.Venue) time.Time { return c() }
func (clock) Follow(context.Context, match.Venue) (func(), error) {
	return func() {}, nil
}
func (clock) Saved(time.Time, error) {}

// request returns a request of a player, with an id of its own.
func (p *Page) request(by match.User) match.Request {
	now := p.Now()
	p.ids++
	id := strconv.FormatInt(now.UnixMilli(), 36) + strconv.FormatInt(int64(p.ids), 36)
	return match.Request{ID: match.ID(id), By: by, At: now}
}

// The time that work may take before the page shows what is known by then.
const (
	adviceTime  = time.Second
	reviewTime  = 3 * time.Second
	analyseTime = 600 * time.Millisecond
)

// within returns a context that ends after d by the clock itself. The timer of an ordinary context cannot fire in a browser's worker while a
// search occupies its only thread.
func within(ctx context.Context, d time.Duration) context.Context {
	return deadline{ctx, time.Now().Add(d)}
}

type deadline struct {
	context.Context
	at time.Time
}

func (d deadline) Err() error {
	if time.Now().After(d.at) {
		return context.DeadlineExceeded
	}
	return d.Context.Err()
}

// puzzle returns the puzzle of a day.
func (p *Page) puzzleOf(ctx context.Context, day puzzle.Day) (puzzle.Puzzle, error) {
	if p.puzzles.Make == nil {
		p.puzzles.Make = puzzle.Of
	}
	return p.puzzles.Of(ctx, day)
}

// Say returns a text without arguments, for the parts of the page around the screens.
func (p *Page) Say(key string) string { return p.say(key) }

// Take adds the rows of an exported file that the page does not have, and returns the words that say how many matches there are among
// them. If there are any, Take also removes the page's latest match, provided that the match has hardly begun and is not in the file, since
// it would be shown in place of the match in progress. If any row cannot be read or saved, nothing changes.
func (p *Page) Take(ctx context.Context, rows map[string]Row) (string, error) {
	var changes []Change
	matches := 0
	for key, row := range rows {
		if check(key, row) != nil {
			return p.say("web.import.bad"), nil
		}
		if _, err := p.store().get(ctx, key); errors.Is(err, match.ErrNotFound) {
			changes = append(changes, Change{Key: key, To: row})
			if strings.HasPrefix(key, matchKey) {
				matches++
			}
		}
	}
	for _, c := range p.unplayed(ctx) {
		if matches > 0 && rows[c.Key] == nil {
			changes = append(changes, c)
		}
	}
	err := p.Rows.Put(ctx, changes...)
	if errors.Is(err, match.ErrUnsaved) {
		return p.say("web.full"), nil
	}
	return p.Words.Say(view.T("web.imported", view.Args{"PluralCount": matches}), style{}), err
}
