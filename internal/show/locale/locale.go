// Package locale holds every text by key and language, and the one table that words refusals. A language is a file of
// texts; the code knows only keys.
package locale

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
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

// Style writes the arguments of a text that are not language, in the way of a front end: it escapes names, draws marks, and knows
// how its medium shows titles, times, mentions, links, places and commands.
type Style interface {
	Name(name string) string
	// Title writes what somebody has named a thing.
	Title(title string) string
	Mention(p match.User) string
	Moment(t time.Time) string
	// Date writes the day of a time.
	Date(t time.Time) string
	Mark(m game.Mark) string
	Link(text string, id match.ID) string
	Place(id string) string
	// Command names a command to type, whose path is as "tictactoe ai", and as it is named in the language.
	Command(path, named string) string
}

// Book holds all texts in all languages. A language is read when something is first said in it.
type Book struct {
	keys    *numbers
	tongues []*tongue // in the order of the matcher, English first
	matcher language.Matcher
	exact   map[string]*tongue // by the names that Discord has for languages
}

// tongue is a language of a book.
type tongue struct {
	tag    language.Tag
	parent *tongue // whose words it uses where it has none; nil for English
	read   func() (texts, error)
}

// first is the file of the language that the others are compared with, and that is spoken where there is no better one.
const first = "en.json"

// NewBook is the book of the embedded texts.
func NewBook() (*Book, error) { return newBook(embedded) }

// ReadBook reads all texts in a folder, which has one file for each language, named after the language, such as en.json. A file may
// have only what differs from its parent, which is that of CLDR: en-GB.json from en.json, es-419.json from es.json.
func ReadBook(folder fs.FS) (*Book, error) {
	files, err := readSource(folder)
	if err != nil {
		return nil, err
	}
	return wholeBook(files)
}

// wholeBook is a book of which all languages have been read.
func wholeBook(files source) (*Book, error) {
	b, err := newBook(files)
	if err != nil {
		return nil, err
	}
	for _, t := range b.tongues {
		if _, err := t.read(); err != nil {
			return nil, err
		}
	}
	for file := range files {
		if err := files.checkForms(file); err != nil {
			return nil, fmt.Errorf("texts: %s: %w", file, err)
		}
	}
	return b, nil
}

func readSource(folder fs.FS) (source, error) {
	names, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	files := source{}
	for _, name := range names {
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, fmt.Errorf("texts: %w", err)
		}
		files[name] = string(content)
	}
	return files, nil
}

// newBook is a book that knows the keys of English and no text yet.
func newBook(files source) (*Book, error) {
	b := &Book{keys: &numbers{of: map[string]int{}}, exact: map[string]*tongue{}}
	if _, is := files[first]; is {
		err := parse(files[first], func(m member) {
			if m.key != glossary {
				b.keys.add(m.key)
			}
		})
		if err != nil {
			return nil, fmt.Errorf("texts: %s: %w", first, err)
		}
	} else {
		files = maps.Clone(files)
		files[first] = "{}"
	}
	b.tongues = []*tongue{{tag: language.English}}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		tag, err := language.Parse(strings.TrimSuffix(file, ".json"))
		if err != nil {
			return nil, fmt.Errorf("texts: %s: %w", file, err)
		}
		read := sync.OnceValues(func() (texts, error) { return files.texts(file, tag, b.keys) })
		if file == first {
			b.tongues[0].read = read
		} else {
			b.tongues = append(b.tongues, &tongue{tag: tag, read: read})
		}
	}
	var tags []language.Tag
	for i, t := range b.tongues {
		if tags = append(tags, t.tag); i > 0 {
			t.parent = b.parentOf(t.tag)
		}
	}
	b.matcher = language.NewMatcher(tags)
	for _, name := range Languages() {
		b.exact[name] = b.match(name)
	}
	return b, nil
}

// parentOf is the nearest ancestor of a language that the book has, or English.
func (b *Book) parentOf(tag language.Tag) *tongue {
	for tag = tag.Parent(); tag != language.Und; tag = tag.Parent() {
		for _, t := range b.tongues {
			if t.tag == tag {
				return t
			}
		}
	}
	return b.tongues[0]
}

func (b *Book) match(name string) *tongue {
	_, i := language.MatchStrings(b.matcher, name)
	return b.tongues[i]
}

// In returns the texts in a language, or in English if the book has nothing like it. The name is a BCP 47 tag as Discord sends it; anything
// else means English.
func (b *Book) In(name string) Words {
	if t, is := b.exact[name]; is {
		return Words{b, t}
	}
	return Words{b, b.match(name)}
}

// Words are the texts in one language.
type Words struct {
	book *Book
	own  *tongue
}

// File is the name of the file of this language.
func (w Words) File() string { return w.own.tag.String() + ".json" }

// Say returns a text in words, with its arguments in that style. If this language has no words for it, Say returns it in the language
// that is its parent, and at last in English. If English has none either, it returns the key, so that nothing said is ever empty.
func (w Words) Say(t view.Text, style Style) string {
	text := w.wording(t)
	p, rest := next(text)
	if rest == "" && p.argument == "" && p.command == "" {
		return p.words
	}
	var b strings.Builder
	for {
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
		p, rest = next(rest)
	}
}

// number writes a number as the language does.
func (w Words) number(n int) string {
	if -1000 < n && n < 1000 {
		return strconv.Itoa(n)
	}
	tag := w.own.tag
	if tag == language.Norwegian {
		tag = language.MustParse("nb") // the numbers of which are known
	}
	return message.NewPrinter(tag).Sprint(number.Decimal(n))
}

// commandName is the path of a command in this language.
func (w Words) commandName(path string) string {
	names := strings.Fields(path)
	for i, name := range names {
		names[i] = w.Named(name)
	}
	return strings.Join(names, " ")
}

// Named is the name that this language has for a command or an option.
func (w Words) Named(name string) string {
	if named := w.wording(view.T("word."+name, nil)); named != "word."+name {
		return named
	}
	return name
}

// wording is what a text says in the nearest language that has words for it, or its key.
func (w Words) wording(t view.Text) string {
	n, is := w.book.keys.of[t.Key]
	if !is {
		return t.Key
	}
	for l := w.own; l != nil; l = l.parent {
		// A file that cannot be read has no words. A test reads all.
		if texts, err := l.read(); err == nil {
			if said := texts.wording(n, t); said != "" {
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
		return style.Date(time.Time(arg))
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
