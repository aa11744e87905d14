package commands

import (
	"cmp"
	"encoding/base64"
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

// errCustomID means that a custom_id cannot be parsed, because another version of the bot made it or it is forged.
var errCustomID = errors.New("malformed custom_id")

// maxCustomID is the maximum length of a custom_id, in bytes. Discord allows 100 characters.
const maxCustomID = 100

// codec writes one type of action as a custom_id, as in "play:<match>:<ply>:b2", and reads it.
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

// codecs returns the codecs of all routes. The first call collects them. A variable cannot be initialized with them, because Go would see a
// cycle: handlers in the routes write custom_ids.
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

// shownBoard writes or reads which leaderboard a message shows, without the page.
func shownBoard(f *fields, a *view.TurnLeaderboard) {
	oneOf(f, &a.Of, view.Rankings()...)
	boardAndSeason(f, a)
}

// allBoards is the word in a custom_id for all rule sets together. It is only written if another field follows.
const allBoards = "all"

// boardAndSeason writes or reads the rule set and the season of a leaderboard. Default values at the end are not written.
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
	base64Pattern = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)
	wordPattern   = regexp.MustCompile(`^[a-z]{1,16}$`)
)

// fields are the fields of a custom_id after the verb. Each method writes or reads the next one, so that one description serves for both.
type fields struct {
	reading bool
	texts   []string // the fields that are written, or not read yet
	bad     bool     // a field is missing or invalid
	about   match.ID // the challenge or match in the fields
}

// more reports whether an optional field follows. In writing it does if set is true, in reading if a field is left.
func (f *fields) more(set bool) bool { return f.reading && len(f.texts) > 0 || !f.reading && set }

func (f *fields) id(id *match.ID) {
	text(f, id, idPattern)
	f.about = *id
}

func (f *fields) number(n *int) {
	number := strconv.Itoa(*n)
	text(f, &number, numberPattern)
	*n, _ = strconv.Atoi(number) // the pattern accepts only numbers that fit into an int
}

// typed writes or reads a text of any characters, in base 64.
func (f *fields) typed(t *string) {
	encoded := base64.RawURLEncoding.EncodeToString([]byte(*t))
	text(f, &encoded, base64Pattern)
	decoded, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	*t, f.bad = string(decoded), f.bad || err != nil
}

// day writes or reads a day, as 2026-11-23.
func (f *fields) day(d *puzzle.Day) {
	word := d.String()
	text(f, &word, datePattern)
	day, err := puzzle.ParseDay(word)
	*d, f.bad = day, f.bad || err != nil
}

// text writes a text, or reads one that must match the pattern.
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

// oneOf writes a word, or reads one that must be known.
func oneOf[T ~string](f *fields, word *T, known ...T) {
	text(f, word, wordPattern)
	f.bad = f.bad || !slices.Contains(known, *word)
}

// customID is a parsed custom_id. It comes from the user's client, so nothing in it is trusted.
type customID struct {
	verb   string
	action view.Action
	about  match.ID // the challenge or match in the fields; empty if none
}

// customIDOf returns the custom_id for an action. It panics if the action's type has no codec, which a test excludes.
func customIDOf(a view.Action) string {
	c := codecs()[slices.IndexFunc(codecs(), func(c codec) bool { return c.action == reflect.TypeOf(a) })]
	f := fields{texts: append(make([]string, 0, 8), c.verb)}
	c.write(&f, a)
	return strings.Join(f.texts, ":")
}

// parseCustomID parses a custom_id. It accepts exactly the texts that customIDOf returns. Errors wrap errCustomID.
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

// idOf returns the id for a challenge or match that an interaction creates: the interaction's id in base 32. It is short, and a repeated
// delivery of the interaction gives the same id.
func idOf(snowflake string) (match.ID, error) {
	n, err := strconv.ParseUint(snowflake, 10, 64)
	if err != nil {
		return "", fmt.Errorf("interaction id: %w", err)
	}
	return match.ID(strconv.FormatUint(n, 32)), nil
}

// Describe returns the match or challenge in the custom_id of an interaction, as an attribute for the log. The custom_id may be forged, and
// the match need not exist.
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
