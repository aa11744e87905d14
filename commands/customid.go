package commands

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/show/view"
)

// errCustomID is wrapped by every refusal of a custom_id: it was made by another version of the bot, or by hand.
var errCustomID = errors.New("malformed custom_id")

// maxCustomID is the longest custom_id we make. Discord allows 100; other platforms allow 64 bytes.
const maxCustomID = 64

// codec describes how one type of action is written into a custom_id, as in "play:<match>:<ply>:b2": the verb and the fields after
// it. They must never change, because old messages contain them.
type codec struct {
	verb   string
	action reflect.Type
	write  func(*fields, view.Action)
	read   func(*fields) view.Action
}

// codecs are those of all actions.
var codecs = []codec{
	of("play", func(f *fields, a *view.Play) { f.id(&a.Match); f.number(&a.Ply); text(f, &a.Square, squarePattern) }),
	of("accept", func(f *fields, a *view.Accept) { f.id(&a.Challenge) }),
	of("decline", func(f *fields, a *view.Decline) { f.id(&a.Challenge) }),
	of("withdraw", func(f *fields, a *view.Withdraw) { f.id(&a.Challenge) }),
	of("resign", func(f *fields, a *view.Resign) { f.id(&a.Match); f.number(&a.Ply) }),
	of("easier", func(f *fields, a *view.Ease) { f.id(&a.Match); f.number(&a.Version) }),
	of("rematch", func(f *fields, a *view.Rematch) { f.id(&a.Match); f.number(&a.Version) }),
	of("norematch", func(f *fields, a *view.DeclineRematch) { f.id(&a.Match); f.number(&a.Version) }),
	of("show", func(f *fields, a *view.Show) { f.id(&a.Match) }),
	of("review", func(f *fields, a *view.Review) {
		f.id(&a.Match)
		if f.more(a.Move > 0) {
			f.number(&a.Move)
			f.bad = f.bad || a.Move == 0
		}
	}),
	of("walk", func(f *fields, a *view.Walk) {
		f.id(&a.Match)
		f.number(&a.Move)
		oneOf(f, &a.Way, view.ToFirst, view.ToPrevious, view.ToNext, view.ToLast)
	}),
	of("replay", func(*fields, *view.PickReplay) {}),
	of("share", func(f *fields, a *view.Share) { f.id(&a.Match); oneOf(f, &a.As, view.ShareForms()...) }),
	of("post", func(f *fields, a *view.PostShared) { f.id(&a.Match); oneOf(f, &a.As, view.ShareForms()...) }),
	of("wrong", func(f *fields, a *view.WentWrong) { f.id(&a.Match) }),
	of("hint", func(f *fields, a *view.Hint) { f.id(&a.Match); f.number(&a.Ply) }),
	of("learn", func(f *fields, a *view.Learn) {
		text(f, &a.Lesson, wordPattern)
		if f.more(a.Square != "") {
			text(f, &a.Square, squarePattern)
		}
	}),
	of("lessons", func(*fields, *view.ListLessons) {}),
	of("lesson", func(*fields, *view.PickLesson) {}),
	of("practice", func(f *fields, a *view.Practice) {
		f.id(&a.Match)
		f.number(&a.From)
		oneOf(f, &a.Aim, view.AimWin, view.AimDraw)
		if f.more(a.Moves != "") {
			text(f, &a.Moves, movesPattern)
		}
	}),
	of("computer", func(f *fields, a *view.PlayComputer) {
		text(f, &a.Level, wordPattern)
		if f.more(a.Rules != "") {
			text(f, &a.Rules, rulesPattern)
		}
	}),
	of("board", func(f *fields, a *view.TurnLeaderboard) {
		oneOf(f, &a.Of, view.Rankings()...)
		page := strconv.Itoa(a.Page)
		if a.Mine {
			page = "mine"
		}
		text(f, &page, pagePattern)
		a.Page, _ = strconv.Atoi(page) // the pattern admits only numbers that fit
		a.Mine = page == "mine"
		boardAndSeason(f, a)
	}),
	of("ranking", func(f *fields, a *view.PickRanking) { shownBoard(f, &a.Shown) }),
	of("rankedon", func(f *fields, a *view.PickBoard) { shownBoard(f, &a.Shown) }),
	of("seasons", func(f *fields, a *view.PickSeason) { shownBoard(f, &a.Shown) }),
	of("season", func(f *fields, a *view.ShowSeason) { f.number(&a.Number) }),
	of("mentions", func(f *fields, a *view.SwitchMentions) {
		word := "off"
		if a.On {
			word = "on"
		}
		oneOf(f, &word, "on", "off")
		a.On = word == "on"
	}),
	of("settings", func(f *fields, a *view.ChangeSetting) {
		oneOf(f, &a.Setting, view.TakeNoChallenges, view.TakeChallenges, view.MentionsOff, view.MentionsOn, view.TextBoardOn, view.TextBoardOff,
			view.HideProfile, view.ShowProfile, view.ListMe, view.UnlistMe, view.BlockedUsers,
			view.LanguageMenu, view.SecondLanguageMenu)
	}),
	of("mysettings", func(f *fields, a *view.ShowSettings) { oneOf(f, &a.Page, view.AllSettings, view.LanguagesPage) }),
	of("privacy", func(f *fields, a *view.PersonalData) { oneOf(f, &a.Request, view.ExportData, view.EraseData) }),
	of("solve", func(f *fields, a *view.SolvePuzzle) { f.day(&a.Day) }),
	of("daily", func(f *fields, a *view.PressPuzzle) {
		f.day(&a.Day)
		f.number(&a.Presses)
		text(f, &a.Square, squarePattern)
	}),
	of("puzzle", func(f *fields, a *view.Puzzle) {
		oneOf(f, &a.Do, view.SharePuzzle, view.PostAttempt, view.PuzzleSolvers, view.ListSolver, view.UnlistSolver)
		f.day(&a.Day)
	}),
	of("admin", func(f *fields, a *view.OpenPage) {
		oneOf(f, &a.Page, view.PolicyPage, view.RunningPage, view.EndedPage, view.AuditLogPage, view.ResetPage, view.SeasonPage, view.BeginSeasonPage, view.PuzzlePage,
			view.LanguagePage)
		f.number(&a.Number)
	}),
	of("policy", func(f *fields, a *view.SetPolicy) { text(f, &a.Field, wordPattern) }), // the handler refuses unknown fields
	of("pick", func(*fields, *view.PickMatch) {}),
	of("undo", func(f *fields, a *view.Undo) {
		if f.more(a.Entry != "") {
			text(f, &a.Entry, idPattern) // an audit entry, so f.about stays empty
		}
	}),
	of("rule", func(f *fields, a *view.Rule) {
		oneOf(f, &a.Ruling, view.RuleDraw, view.RuleVoid)
		f.id(&a.Match)
	}),
}

// shownBoard is the leaderboard that a message shows, whatever page of it.
func shownBoard(f *fields, a *view.TurnLeaderboard) {
	oneOf(f, &a.Of, view.Rankings()...)
	boardAndSeason(f, a)
}

// allBoards is the word for all boards together where something follows it.
const allBoards = "all"

// boardAndSeason writes or reads the board and the season of a leaderboard. Defaults at the end are left out.
func boardAndSeason(f *fields, a *view.TurnLeaderboard) {
	if f.more(a.Rules != "" || a.Season != "") {
		rules := cmp.Or(a.Rules, allBoards)
		text(f, &rules, rulesPattern)
		if a.Rules = rules; rules == allBoards {
			a.Rules = ""
		}
	}
	if f.more(a.Season != "") {
		text(f, &a.Season, numberPattern)
	}
}

var (
	idPattern     = regexp.MustCompile(`^[0-9a-v]{1,13}$`)
	movesPattern  = regexp.MustCompile(`^[a-y]{1,33}$`)
	pagePattern   = regexp.MustCompile(`^(0|[1-9][0-9]{0,8}|mine)$`)
	numberPattern = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})$`)
	squarePattern = regexp.MustCompile(`^[a-e][1-5]$`)
	rulesPattern  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,15}$`)
	datePattern   = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	wordPattern   = regexp.MustCompile(`^[a-z]{1,16}$`)
)

// of is the codec of the actions of type A. What describe says of the fields serves both directions.
func of[A view.Action](verb string, describe func(*fields, *A)) codec {
	return codec{
		verb: verb, action: reflect.TypeFor[A](),
		write: func(f *fields, action view.Action) { a := action.(A); describe(f, &a) },
		read: func(f *fields) view.Action {
			var a A
			describe(f, &a)
			return a
		},
	}
}

// fields are the fields of a custom_id after its verb, while they are written or read one after the other.
type fields struct {
	reading bool
	texts   []string // those written, or yet to be read
	bad     bool     // a field that was read is missing or not as it should be
	about   match.ID // the challenge or match that was written or read
}

// more reports whether an optional field follows. When writing, that is the case if it is set.
func (f *fields) more(set bool) bool { return f.reading && len(f.texts) > 0 || !f.reading && set }

func (f *fields) id(id *match.ID) {
	text(f, id, idPattern)
	f.about = *id
}

func (f *fields) number(n *int) {
	number := strconv.Itoa(*n)
	text(f, &number, numberPattern)
	*n, _ = strconv.Atoi(number) // the pattern admits only numbers that fit
}

// day writes or reads a day, as 2026-11-23.
func (f *fields) day(d *puzzle.Day) {
	word := d.String()
	text(f, &word, datePattern)
	day, err := puzzle.ParseDay(word)
	*d, f.bad = day, f.bad || err != nil
}

// text writes a text, or reads one that matches the pattern.
func text[T ~string](f *fields, t *T, pattern *regexp.Regexp) {
	switch {
	case !f.reading:
		f.texts = append(f.texts, string(*t))
	case len(f.texts) == 0 || !pattern.MatchString(f.texts[0]):
		f.bad = true
	default:
		*t, f.texts = T(f.texts[0]), f.texts[1:]
	}
}

// oneOf writes a word, or reads one of those that are known.
func oneOf[T ~string](f *fields, word *T, known ...T) {
	text(f, word, wordPattern)
	f.bad = f.bad || !slices.Contains(known, *word)
}

// customID is a custom_id as it was read. Nothing in it is trusted.
type customID struct {
	verb   string
	action view.Action
	about  match.ID // the challenge or match that the action is about; empty if none
}

// customIDOf writes an action as Discord keeps it. It panics for an action without a codec, of which there is none.
func customIDOf(a view.Action) string {
	c := codecs[slices.IndexFunc(codecs, func(c codec) bool { return c.action == reflect.TypeOf(a) })]
	f := fields{texts: append(make([]string, 0, 8), c.verb)}
	c.write(&f, a)
	return strings.Join(f.texts, ":")
}

// parseCustomID reads what customIDOf writes, and nothing else. Errors wrap errCustomID.
func parseCustomID(id string) (customID, error) {
	if len(id) > maxCustomID {
		return customID{}, fmt.Errorf("%w: %d bytes", errCustomID, len(id))
	}
	texts := strings.Split(id, ":")
	i := slices.IndexFunc(codecs, func(c codec) bool { return c.verb == texts[0] })
	if i < 0 {
		return customID{}, fmt.Errorf("%w: %q", errCustomID, id)
	}
	f := fields{reading: true, texts: texts[1:]}
	action := codecs[i].read(&f)
	if f.bad || len(f.texts) > 0 {
		return customID{}, fmt.Errorf("%w: %q", errCustomID, id)
	}
	return customID{texts[0], action, f.about}, nil
}

// idOf is the id of what an interaction creates: the snowflake in base 32, so that it is short and the same whenever the
// interaction is delivered.
func idOf(snowflake string) (match.ID, error) {
	n, err := strconv.ParseUint(snowflake, 10, 64)
	if err != nil {
		return "", fmt.Errorf("interaction id: %w", err)
	}
	return match.ID(strconv.FormatUint(n, 32)), nil
}
