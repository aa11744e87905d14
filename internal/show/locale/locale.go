// Package locale has all texts that users see, by key and language, and the table of texts about refusals. Each language is a file of
// texts; other packages use only keys.
package locale

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// Style writes the arguments of a text that look different in each front end: names and titles, which it escapes, marks, times, mentions,
// links, places and commands.
type Style interface {
	Name(name string) string
	// Title writes the name that a user has given to something, such as a season.
	Title(title string) string
	Mention(p match.User) string
	Moment(t time.Time) string
	Hour(t time.Time) string
	// Date writes the day of a time. The function long returns the day as the language writes it, such as January 2, 2026.
	Date(t time.Time, long func(t time.Time) string) string
	Mark(m game.Mark) string
	Link(text string, id match.ID) string
	Place(id string) string
	Role(id string) string
	// Command writes a command that the reader can use. path is its English path, such as "tictactoe ai", and named its name in the
	// language.
	Command(path, named string) string
}

// Book has all texts in all languages. The file of a language is read when a text in that language is first needed.
type Book struct {
	languages map[string]*speech // keyed by the codes in the names of the files, and by Discord's codes
	nearest   func(name string) *speech
}

// speech is one language of a book.
type speech struct {
	parent  *speech // the language whose text is used where this one lacks it; nil for English
	read    func() (texts, error)
	numbers Numbers
}

// Numbers says how a language uses numbers.
type Numbers interface {
	// Form returns the name of the plural form in CLDR that goes with a number, such as "few".
	Form(n int) string
	// Write returns a number as the language writes it.
	Write(n int) string
}

// Languages returns the codes of the languages of Discord's clients.
func Languages() (names []string) {
	for _, l := range view.Languages() {
		names = append(names, l.Code)
	}
	return names
}

// BookOf returns a book of some languages, for a front end that decodes the files of texts and knows about numbers by itself. So a page in a
// browser needs neither a decoder of JSON nor the tables of x/text, which would be a quarter of its program. Languages are found by
// their exact codes, such as pt-BR; any other code is English. values are the contents of the files by code.
func BookOf(values map[string]map[string]any, numbers func(code string) Numbers) (*Book, error) {
	languages := map[string]*speech{}
	for code, values := range values {
		own, err := newTexts(code, values)
		if err != nil {
			return nil, err
		}
		languages[code] = &speech{read: func() (texts, error) { return own, nil }, numbers: numbers(code)}
	}
	return newBook(languages, numbers("en")), nil
}

// newBook returns a book that finds languages by their codes alone. If the language lacks a general form, such as es for es-419, its parent
// is English, which has no texts if it is missing.
func newBook(languages map[string]*speech, numbers Numbers) *Book {
	if languages["en"] == nil {
		languages["en"] = &speech{read: func() (texts, error) { return nil, nil }, numbers: numbers}
	}
	english := languages["en"]
	for code, own := range languages {
		general, _, _ := strings.Cut(code, "-")
		if own.parent = languages[general]; own == english {
			own.parent = nil
		} else if own.parent == nil || own.parent == own {
			own.parent = english
		}
	}
	return &Book{languages, func(string) *speech { return english }}
}

// In returns the texts in the language of the book that is nearest to the named one. The name is a BCP 47 tag, as Discord sends it. If the
// name is invalid or no language is near, it returns English.
func (b *Book) In(name string) Words {
	if t, is := b.languages[name]; is {
		return Words{t}
	}
	return Words{b.nearest(name)}
}

// Words are the texts in one language.
type Words struct{ own *speech }

// Say returns a text in words, with its arguments in a style. If this language lacks the text, Say returns it in the parent language,
// and at last in English. If English lacks it too, Say returns the key, so that the result is never empty. A full stop after an argument
// that ends with one, such as a Russian date, is left out.
func (w Words) Say(t view.Text, style Style) string { return w.say(t, style, true) }

// say returns a text in words. The argument start reports whether the text begins a sentence. At the start of a sentence, the name of a
// feature, and words that replace a player's name, such as "a deleted player", begin with a capital letter.
func (w Words) say(t view.Text, style Style, start bool) string {
	var b strings.Builder
	wording := w.Wording(t)
	begins := start
	for p, rest := next(wording); ; p, rest = next(rest) {
		b.WriteString(p.words)
		begins = beginsAfter(p.words, begins)
		if p.argument != "" {
			arg := inForm(t.Args[p.argument], p.form)
			said := w.argument(arg, style, begins)
			b.WriteString(said)
			begins = begins && (isSign(arg) || !strings.ContainsFunc(said, unicode.IsLetter))
			if strings.HasSuffix(said, ".") {
				rest = strings.TrimPrefix(rest, ".")
			}
		}
		if p.command != "" {
			b.WriteString(style.Command(p.command, w.commandName(p.command)))
		}
		if rest == "" {
			break
		}
	}
	first, size := utf8.DecodeRuneInString(wording)
	if common := strings.HasPrefix(t.Key, "name.") || strings.HasPrefix(t.Key, "feature."); start && common && unicode.IsLower(first) {
		return string(unicode.ToTitle(first)) + b.String()[size:]
	}
	return b.String()
}

// beginsAfter reports whether a new sentence begins after the given words. The argument start reports whether the words themselves begin a
// sentence. The full stop of "vs." ends no sentence.
func beginsAfter(words string, start bool) bool {
	for _, r := range strings.ReplaceAll(words, "vs.", "vs") {
		switch {
		case unicode.IsLetter(r):
			start = false
		case strings.ContainsRune(".!?。！？", r):
			start = true
		}
	}
	return start
}

// isSign reports whether an argument stands before a sentence without being its first word.
func isSign(arg any) bool {
	switch arg.(type) {
	case view.Mark, view.Moment, view.Date:
		return true
	}
	return false
}

// inForm returns a name, or words that replace a name, in a form that the file of a language defines, such as name.against.
func inForm(arg any, form string) any {
	if form == "" {
		return arg
	}
	switch arg := arg.(type) {
	case view.Name:
		return view.T("name."+form, view.Args{"Name": arg})
	case view.Text:
		if strings.HasPrefix(arg.Key, "name.") {
			return view.T(arg.Key+"."+form, arg.Args)
		}
	}
	return arg
}

// number returns a number as the language writes it.
func (w Words) number(n int) string {
	if -1000 < n && n < 1000 {
		return strconv.Itoa(n)
	}
	return w.own.numbers.Write(n)
}

// date returns the day of a time in the language's long form (CLDR, dateStyle "long"), in the location of the time.
func (w Words) date(t time.Time) string {
	months := w.list("date.months", 12)
	return strings.NewReplacer("{{.Day}}", strconv.Itoa(t.Day()), "{{.Month}}", months[t.Month()-1], "{{.Year}}", strconv.Itoa(t.Year())).
		Replace(w.Wording(view.T("date", nil)))
}

// list returns the items of a text that is a list of n with commas between them. Missing items are empty; Check reports them.
func (w Words) list(key string, n int) []string {
	items := strings.Split(w.Wording(view.T(key, nil)), ", ")
	return append(items, make([]string, max(0, n-len(items)))...)
}

// commandName returns the path of a command in this language.
func (w Words) commandName(path string) string {
	names := strings.Fields(path)
	for i, name := range names {
		names[i] = w.Named(name)
	}
	return strings.Join(names, " ")
}

// Named returns the name of a command or an option in this language.
func (w Words) Named(name string) string {
	if named := w.Wording(view.T("word."+name, nil)); named != "word."+name {
		return named
	}
	return name
}

// Wording returns a text as the file has it, with gaps in place of arguments. It is from the nearest language that has the text. If none
// has it, Wording returns the key.
func (w Words) Wording(t view.Text) string {
	for l := w.own; l != nil; l = l.parent {
		// A file that cannot be read counts as one without texts. A test reads all files.
		if texts, err := l.read(); err == nil {
			if said := texts.wording(l.numbers, t); said != "" {
				return said
			}
		}
	}
	return t.Key
}

func (w Words) argument(arg any, style Style, begins bool) string {
	switch arg := arg.(type) {
	case string:
		return arg
	case view.Text:
		return w.say(arg, style, begins)
	case int:
		return w.number(arg)
	case view.Name:
		return style.Name(string(arg))
	case view.Title:
		return style.Title(string(arg))
	case view.Mention:
		return style.Mention(match.User(arg))
	case view.Moment:
		return style.Moment(time.Time(arg))
	case view.Hour:
		return style.Hour(time.Time(arg))
	case view.Date:
		return style.Date(time.Time(arg), w.date)
	case view.Day:
		return w.date(time.Time(arg))
	case view.LanguageCode:
		return w.list("language.names", len(view.Languages()))[arg.Index()]
	case view.Mark:
		return style.Mark(game.Mark(arg))
	case view.Link:
		return style.Link(w.Say(arg.Text, style), arg.Match)
	case view.Place:
		return style.Place(string(arg))
	case view.Role:
		return style.Role(string(arg))
	default:
		return fmt.Sprint(arg)
	}
}
