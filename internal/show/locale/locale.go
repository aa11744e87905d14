// Package locale holds every text by key and language, and the one table that words refusals. A language is a file of
// texts; the code knows only keys.
package locale

import (
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
	languages []*speech // in the order of the matcher, English first
	matcher   language.Matcher
	exact     map[string]*speech // by the names that Discord has for languages
}

// speech is a language of a book.
type speech struct {
	tag    language.Tag
	parent *speech // whose words it uses where it has none; nil for English
	read   func() (texts, error)
}

// first is the file of the language that the others are compared with, and that is spoken where there is no better one.
const first = "en.json"

// NewBook is the book of the embedded texts.
func NewBook() (*Book, error) { return folderBook(embedded()) }

// ReadBook reads all texts in a folder, which has one file for each language, named after the language, such as en.json. A file may
// have only what differs from its parent, which is that of CLDR: en-GB.json from en.json, es-419.json from es.json.
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

// folderBook is a book of the files of a folder, none of which has been read.
func folderBook(folder fs.FS) (*Book, error) {
	files, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	return newBook(files, func(file string) (texts, error) { return readTexts(folder, file) })
}

// newBook is a book of files that read reads when they are needed. English has no texts if its file is missing.
func newBook(files []string, read func(file string) (texts, error)) (*Book, error) {
	b := &Book{exact: map[string]*speech{}}
	b.languages = []*speech{{tag: language.English, read: func() (texts, error) { return nil, nil }}}
	for _, file := range files {
		tag, err := language.Parse(strings.TrimSuffix(file, ".json"))
		if err != nil {
			return nil, fmt.Errorf("texts: %s: %w", file, err)
		}
		once := sync.OnceValues(func() (texts, error) { return read(file) })
		if file == first {
			b.languages[0].read = once
		} else {
			b.languages = append(b.languages, &speech{tag: tag, read: once})
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

// parentOf is the nearest ancestor of a language that the book has, or English.
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
	own  *speech
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

// Wording returns what a text says with its gaps, as they are written in the file; the key if there is no such text.
func (w Words) Wording(t view.Text) string { return w.wording(t) }

// wording is what a text says in the nearest language that has words for it, or its key.
func (w Words) wording(t view.Text) string {
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
