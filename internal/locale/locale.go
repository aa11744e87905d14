// Package locale holds every text by key and language, and the one table that words refusals. A language is a file of
// texts; the code knows only keys.
package locale

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"golang.org/x/text/language"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

//go:embed texts/*.json
var embedded embed.FS

// Style writes the arguments of a text that are not language, in the way of a front end: it escapes names, draws marks, and knows
// how its medium shows times, mentions, links, places and commands.
type Style interface {
	Name(name string) string
	Mention(p match.User) string
	Moment(t time.Time) string
	Mark(m game.Mark) string
	Link(text string, id match.ID) string
	Place(id string) string
	// Command names a command to type, whose path is as "tictactoe ai".
	Command(path string) string
}

// Book holds all texts in all languages.
type Book struct {
	matcher   language.Matcher
	languages []texts // in the order of the matcher, English first
}

// NewBook reads the embedded texts.
func NewBook() (*Book, error) {
	folder, err := fs.Sub(embedded, "texts")
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	return ReadBook(folder)
}

// ReadBook reads the texts in a folder, which has one file for each language, named after the language, such as en.json.
func ReadBook(folder fs.FS) (*Book, error) {
	tags, languages := []language.Tag{language.English}, []texts{{}}
	files, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	for _, file := range files {
		tag, err := language.Parse(strings.TrimSuffix(path.Base(file), ".json"))
		if err != nil {
			return nil, fmt.Errorf("texts: %s: %w", file, err)
		}
		read, err := readTexts(folder, file, tag)
		if err != nil {
			return nil, fmt.Errorf("texts: %s: %w", file, err)
		}
		if tag == language.English {
			languages[0] = read
		} else {
			tags, languages = append(tags, tag), append(languages, read)
		}
	}
	return &Book{language.NewMatcher(tags), languages}, nil
}

// In returns the texts in the first of these languages that the book has, or in English if it has none of them. Languages are
// BCP 47 tags as Discord sends them; anything else is passed over.
func (b *Book) In(languages ...string) Words {
	if len(b.languages) == 1 {
		return Words{b.languages[0], b.languages[0]}
	}
	_, i := language.MatchStrings(b.matcher, languages...)
	return Words{b.languages[i], b.languages[0]}
}

// Words are the texts in one language.
type Words struct{ own, english texts }

// Say returns a text in words, with its arguments in that style. If this language has no words for it, Say returns it in English,
// and if English has none either, its key, so that nothing said is ever empty.
func (w Words) Say(t view.Text, style Style) string {
	said, is := w.own.wording(t)
	if !is {
		said, is = w.english.wording(t)
	}
	if !is {
		return t.Key
	}
	if len(said) == 1 && said[0].argument == "" && said[0].command == "" {
		return said[0].words
	}
	var b strings.Builder
	for _, p := range said {
		b.WriteString(p.words)
		if p.argument != "" {
			b.WriteString(w.argument(t.Args[p.argument], style))
		}
		if p.command != "" {
			b.WriteString(style.Command(p.command))
		}
	}
	return b.String()
}

func (w Words) argument(arg any, style Style) string {
	switch arg := arg.(type) {
	case string:
		return arg
	case view.Text:
		return w.Say(arg, style)
	case view.Name:
		return style.Name(string(arg))
	case view.Mention:
		return style.Mention(match.User(arg))
	case view.Moment:
		return style.Moment(time.Time(arg))
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
