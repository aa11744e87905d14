// Package locale holds every text by key and language, and the one table that words refusals. A language is a file of
// texts; the code knows only keys.
package locale

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// Style writes the arguments of a text that depend on the front end: it escapes names and titles, draws marks, and shows times,
// mentions, links, places and commands.
type Style interface {
	Name(name string) string
	// Title writes the name that a user gave a thing.
	Title(title string) string
	Mention(p match.User) string
	Moment(t time.Time) string
	// Date writes the day of a time. The function long writes it as the language does, such as January 2, 2026.
	Date(t time.Time, long func(t time.Time) string) string
	Mark(m game.Mark) string
	Link(text string, id match.ID) string
	Place(id string) string
	// Command names a command to type, by its path such as "tictactoe ai" and by its name in the language.
	Command(path, named string) string
}

// Book holds all texts in all languages. A language is read when something is first said in it.
type Book struct {
	languages []*speech // in the order of the matcher, English first
	matcher   language.Matcher
	exact     map[string]*speech // by the names that Discord has for languages
}

// speech is a language of a book.
type speech struct {
	tag    language.Tag
	parent *speech // the language of texts that it lacks; nil for English
	read   func() (texts, error)
}

// first is the file of English, which the other files are compared with, and which is used in place of unknown languages.
const first = "en.json"

//go:embed texts/*.json
var files embed.FS

// Embedded returns the language files that are built into the program.
func Embedded() fs.FS {
	folder, err := fs.Sub(files, "texts")
	if err != nil {
		panic(err) // the name of the folder is a valid path
	}
	return folder
}

// Languages returns the codes of the languages of Discord's clients.
func Languages() (names []string) {
	for _, l := range view.Languages() {
		names = append(names, l.Code)
	}
	return names
}

// NewBook returns a book of the embedded texts.
func NewBook() (*Book, error) { return folderBook(Embedded()) }

// ReadBook reads all texts in a folder, which has one file for each language, named after the language, such as en.json. A file may
// have only the differences from its parent in CLDR: en-GB.json from en.json, es-419.json from es.json.
func ReadBook(folder fs.FS) (*Book, error) {
	b, err := folderBook(folder)
	if err != nil {
		return nil, err
	}
	for _, l := range b.languages {
		if _, err := l.read(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// folderBook returns a book of the files of a folder. A file is read when it is first needed. English has no texts if its file is
// missing.
func folderBook(folder fs.FS) (*Book, error) {
	files, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	b := &Book{exact: map[string]*speech{}}
	b.languages = []*speech{{tag: language.English, read: func() (texts, error) { return nil, nil }}}
	for _, file := range files {
		tag, err := language.Parse(strings.TrimSuffix(file, ".json"))
		if err != nil {
			return nil, fmt.Errorf("texts: %s: %w", file, err)
		}
		read := sync.OnceValues(func() (texts, error) { return readTexts(folder, file) })
		if file == first {
			b.languages[0].read = read
		} else {
			b.languages = append(b.languages, &speech{tag: tag, read: read})
		}
	}
	var tags []language.Tag
	for i, l := range b.languages {
		if tags = append(tags, l.tag); i > 0 {
			l.parent = b.parentOf(l.tag)
		}
	}
	b.matcher = language.NewMatcher(tags)
	for _, name := range Languages() {
		b.exact[name] = b.match(name)
	}
	return b, nil
}

// parentOf returns the nearest ancestor of a language in the book, or English.
func (b *Book) parentOf(tag language.Tag) *speech {
	for tag = tag.Parent(); tag != language.Und; tag = tag.Parent() {
		for _, l := range b.languages {
			if l.tag == tag {
				return l
			}
		}
	}
	return b.languages[0]
}

func (b *Book) match(name string) *speech {
	_, i := language.MatchStrings(b.matcher, name)
	return b.languages[i]
}

// In returns the texts in a language, or in English if the book has nothing like it. The name is a BCP 47 tag as Discord sends it;
// anything else means English.
func (b *Book) In(name string) Words {
	if t, is := b.exact[name]; is {
		return Words{t}
	}
	return Words{b.match(name)}
}

// Words are the texts in one language.
type Words struct{ own *speech }

// File returns the name of the file of this language.
func (w Words) File() string { return w.own.tag.String() + ".json" }

// Say returns a text in words, with its arguments in a style. If this language lacks the text, Say returns it in the parent language,
// and at last in English. If English lacks it too, Say returns the key, so that the result is never empty.
func (w Words) Say(t view.Text, style Style) string {
	var b strings.Builder
	for p, rest := next(w.Wording(t)); ; p, rest = next(rest) {
		b.WriteString(p.words)
		if p.argument != "" {
			b.WriteString(w.argument(t.Args[p.argument], style))
		}
		if p.command != "" {
			b.WriteString(style.Command(p.command, w.commandName(p.command)))
		}
		if rest == "" {
			return b.String()
		}
	}
}

// number returns a number as the language writes it.
func (w Words) number(n int) string {
	if -1000 < n && n < 1000 {
		return strconv.Itoa(n)
	}
	tag := w.own.tag
	if tag == language.Norwegian {
		tag = language.MustParse("nb") // x/text knows the numbers of nb alone
	}
	return message.NewPrinter(tag).Sprint(number.Decimal(n))
}

// date writes the day of a time as the language does in its long form (CLDR, dateStyle "long"), in the location of the time.
func (w Words) date(t time.Time) string {
	months := strings.Split(w.Wording(view.T("date.months", nil)), ", ")
	if len(months) != 12 {
		return t.Format(time.DateOnly)
	}
	return strings.NewReplacer("{{.Day}}", strconv.Itoa(t.Day()), "{{.Month}}", months[t.Month()-1], "{{.Year}}", strconv.Itoa(t.Year())).
		Replace(w.Wording(view.T("date", nil)))
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

// Wording returns a text with its gaps, as the file has it, in the nearest language that has the text; its key if none has.
func (w Words) Wording(t view.Text) string {
	for l := w.own; l != nil; l = l.parent {
		// A file that cannot be read has no words. A test reads all.
		if texts, err := l.read(); err == nil {
			if said := texts.wording(l.tag, t); said != "" {
				return said
			}
		}
	}
	return t.Key
}

func (w Words) argument(arg any, style Style) string {
	switch arg := arg.(type) {
	case string:
		return arg
	case view.Text:
		return w.Say(arg, style)
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
	case view.Date:
		return style.Date(time.Time(arg), w.date)
	case view.Mark:
		return style.Mark(game.Mark(arg))
	case view.Link:
		return style.Link(w.Say(arg.Text, style), arg.Match)
	case view.Place:
		return style.Place(string(arg))
	default:
		return fmt.Sprint(arg)
	}
}
