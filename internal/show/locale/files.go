//go:build !js

package locale

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

//go:embed texts/*.json
var files embed.FS

// Embedded returns the folder of language files that is built into the program.
func Embedded() fs.FS {
	folder, err := fs.Sub(files, "texts")
	if err != nil {
		panic(err) // not possible: the name of the folder is a valid path
	}
	return folder
}

// NewBook returns a book of the texts that are built into the program.
func NewBook() (*Book, error) { return ReadBook(Embedded()) }

// ReadBook returns a book of the files of a folder, each of which is read when it is first needed. Each language has a file with its code,
// such as en.json. A file may have only the texts that differ from the language's parent in CLDR, as en-GB.json from en.json and es-419.json
// from es.json. If the file of English is missing, English has no texts.
func ReadBook(folder fs.FS) (*Book, error) {
	files, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	b := &Book{exact: map[string]*speech{}}
	b.languages = []*speech{{read: func() (texts, error) { return nil, nil }, numbers: cldr(language.English)}}
	for _, file := range files {
		tag, err := language.Parse(strings.TrimSuffix(file, ".json"))
		if err != nil {
			return nil, fmt.Errorf("texts: %s: %w", file, err)
		}
		read := sync.OnceValues(func() (texts, error) { return readTexts(folder, file) })
		if file == "en.json" {
			b.languages[0].read = read
		} else {
			b.languages = append(b.languages, &speech{read: read, numbers: cldr(tag)})
		}
	}
	var tags []language.Tag
	for i, l := range b.languages {
		if tags = append(tags, l.tag()); i > 0 {
			l.parent = b.parentOf(l.tag())
		}
	}
	matcher := language.NewMatcher(tags)
	b.nearest = func(name string) *speech {
		_, i := language.MatchStrings(matcher, name)
		return b.languages[i]
	}
	for _, name := range Languages() {
		b.exact[name] = b.nearest(name)
	}
	return b, nil
}

// tag returns the tag of a language of a [ReadBook].
func (l *speech) tag() language.Tag { return language.Tag(l.numbers.(cldr)) }

// parentOf returns the nearest ancestor of a language that the book has, or English.
func (b *Book) parentOf(tag language.Tag) *speech {
	for tag = tag.Parent(); tag != language.Und; tag = tag.Parent() {
		for _, l := range b.languages {
			if l.tag() == tag {
				return l
			}
		}
	}
	return b.languages[0]
}

// readTexts reads the file of a language.
func readTexts(folder fs.FS, file string) (texts, error) {
	content, err := fs.ReadFile(folder, file)
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	var values map[string]any
	if err := json.Unmarshal(content, &values); err != nil {
		return nil, fmt.Errorf("texts: %s: %w", file, err)
	}
	return newTexts(file, values)
}

// cldr has the numbers of a language as x/text knows them.
type cldr language.Tag

// Form returns the name of a plural form. A negative number has the form of its absolute value.
func (c cldr) Form(n int) string { return formOf(language.Tag(c), n) }

// Write returns a number in decimal digits.
func (c cldr) Write(n int) string {
	tag := language.Tag(c)
	if tag == language.Norwegian {
		tag = language.MustParse("nb") // x/text knows numbers only for nb, not for no
	}
	return message.NewPrinter(tag).Sprint(number.Decimal(n))
}

// pluralForms are the names of the plural forms in CLDR and in the files.
var pluralForms = []string{"other", "zero", "one", "two", "few", "many"}

// formOf returns the name of the plural form that a language uses with a number. A negative number has the form of its absolute value.
func formOf(tag language.Tag, n int) string {
	return pluralForms[plural.Cardinal.MatchPlural(tag, max(n, -n), 0, 0, 0, 0)] // MatchPlural panics for negative numbers
}
