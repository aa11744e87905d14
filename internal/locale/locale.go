// Package locale holds every text by key and language, and the one table that words refusals. A language is a file of
// texts; the code knows only keys.
package locale

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

//go:embed texts/*.json
var texts embed.FS

// Style writes the arguments of a text that are not language, in the way of a front end: it escapes names, draws marks, and knows
// how its medium shows times, mentions, links and places.
type Style interface {
	Name(name string) string
	Mention(p match.User) string
	Moment(t time.Time) string
	Mark(m game.Mark) string
	Link(text string, id match.ID) string
	Place(id string) string
}

// Book holds all texts in all languages.
type Book struct{ bundle *i18n.Bundle }

// NewBook reads the embedded texts.
func NewBook() (*Book, error) {
	embedded, err := fs.Sub(texts, "texts")
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	return ReadBook(embedded)
}

// ReadBook reads the texts in a folder, which has one file for each language, named after the language, such as en.json.
func ReadBook(folder fs.FS) (*Book, error) {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	files, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	for _, file := range files {
		if _, err := bundle.LoadMessageFileFS(folder, file); err != nil {
			return nil, fmt.Errorf("texts: %w", err)
		}
	}
	return &Book{bundle}, nil
}

// In returns the texts in the first of these languages that the book has, or in English if it has none of them. Languages are
// BCP 47 tags as Discord sends them; anything else is passed over.
func (b *Book) In(languages ...string) Words {
	return Words{i18n.NewLocalizer(b.bundle, languages...)}
}

// Words are the texts in one language.
type Words struct{ localizer *i18n.Localizer }

// Say returns a text in words, with its arguments in that style. If this language has no words for it, Say returns it in English,
// and if English has none either, its key, so that nothing said is ever empty.
func (w Words) Say(t view.Text, style Style) string {
	data := make(map[string]any, len(t.Args))
	for name, arg := range t.Args {
		data[name] = w.argument(arg, style)
	}
	said, err := w.localizer.Localize(&i18n.LocalizeConfig{
		MessageID: t.Key, TemplateData: data, PluralCount: t.Args["PluralCount"],
	})
	if missing := (*i18n.MessageNotFoundErr)(nil); err != nil && !(errors.As(err, &missing) && said != "") {
		return t.Key
	}
	return said
}

func (w Words) argument(arg any, style Style) any {
	switch arg := arg.(type) {
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
		return arg
	}
}
