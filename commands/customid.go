package commands

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/show/view"
)

// errCustomID is wrapped by every refusal of a custom_id: it was made by another version of the bot, or by hand.
var errCustomID = errors.New("malformed custom_id")

// maxCustomID is the longest custom_id we make. Discord allows 100; other platforms allow 64 bytes.
const maxCustomID = 64

// codec describes how one type of action is written into a custom_id, as in "play:<match>:<ply>:b2".
type codec struct {
	verb   string
	action reflect.Type
	write  func(*fields, view.Action)
	read   func(*fields) view.Action
}

var (
	codecsOnce sync.Once
	codecsRead []codec
)

// codecs returns the codecs in the routes of all areas. They are collected once. Go cannot initialize a variable with them, because the
// handlers in the routes write custom_ids.
func codecs() []codec {
	codecsOnce.Do(func() {
		for _, r := range new(Commands).routes() {
			if r.class == components {
				codecsRead = append(codecsRead, r.codec)
			}
		}
	})
	return codecsRead
}

// shownBoard writes or reads the leaderboard that a message shows, without its page.
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
	userPattern   = regexp.MustCompile(`^[0-9]{1,20}$`)
	movesPattern  = regexp.MustCompile(`^[a-y]{1,33}$`)
	pagePattern   = regexp.MustCompile(`^(0|[1-9][0-9]{0,8}|mine)$`)
	numberPattern = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})$`)
	squarePattern = regexp.MustCompile(`^[a-e][1-5]$`)
	rulesPattern  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,15}$`)
	datePattern   = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	wordPattern   = regexp.MustCompile(`^[a-z]{1,16}$`)
)

// fields are the fields of a custom_id after its verb, while they are written or read one after the other.
type fields struct {
	reading bool
	texts   []string // the fields written, or yet to be read
	bad     bool     // a field that was read is missing or not as it should be
	about   match.ID // the challenge or match that was written or read
}

// more reports whether an optional field follows: in writing, if it is set.
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

// oneOf writes a word, or reads one of the known words.
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
	c := codecs()[slices.IndexFunc(codecs(), func(c codec) bool { return c.action == reflect.TypeOf(a) })]
	f := fields{texts: append(make([]string, 0, 8), c.verb)}
	c.write(&f, a)
	return strings.Join(f.texts, ":")
}

// parseCustomID parses the output of customIDOf, and accepts no other text. Errors wrap errCustomID.
func parseCustomID(id string) (customID, error) {
	if len(id) > maxCustomID {
		return customID{}, fmt.Errorf("%w: %d bytes", errCustomID, len(id))
	}
	texts := strings.Split(id, ":")
	i := slices.IndexFunc(codecs(), func(c codec) bool { return c.verb == texts[0] })
	if i < 0 {
		return customID{}, fmt.Errorf("%w: %q", errCustomID, id)
	}
	f := fields{reading: true, texts: texts[1:]}
	action := codecs()[i].read(&f)
	if f.bad || len(f.texts) > 0 {
		return customID{}, fmt.Errorf("%w: %q", errCustomID, id)
	}
	return customID{texts[0], action, f.about}, nil
}

// idOf returns the id of the challenge or match that an interaction creates: the interaction's snowflake in base 32,
// which is short and the same at every delivery.
func idOf(snowflake string) (match.ID, error) {
	n, err := strconv.ParseUint(snowflake, 10, 64)
	if err != nil {
		return "", fmt.Errorf("interaction id: %w", err)
	}
	return match.ID(strconv.FormatUint(n, 32)), nil
}

// Describe names the match or challenge that an interaction is about, for the log. It reads only the custom_id, which may
// be forged, and looks nothing up.
func Describe(in *bot.Interaction) []slog.Attr {
	id, err := parseCustomID(in.CustomID())
	if err != nil || id.about == "" {
		return nil
	}
	switch id.action.(type) {
	case view.Accept, view.Decline, view.Withdraw:
		return []slog.Attr{slog.String("challenge", string(id.about))}
	}
	return []slog.Attr{slog.String("match", string(id.about))}
}
