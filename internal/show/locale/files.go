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
// such as en.json. A file may have only the texts that differ from the general language, as en-GB.json from en.json and es-419.json from
// es.json.
func ReadBook(folder fs.FS) (*Book, error) {
	files, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	languages := map[string]*speech{}
	codes, tags := []string{"en"}, []language.Tag{language.English}
	for _, file := range files {
		code := strings.TrimSuffix(file, ".json")
		tag, err := language.Parse(code)
		if err != nil {
			return nil, fmt.Errorf("texts: %s: %w", file, err)
		}
		read := sync.OnceValues(func() (texts, error) { return readTexts(folder, file) })
		languages[code] = &speech{read: read, numbers: cldr(tag)}
		codes, tags = append(codes, code), append(tags, tag)
	}
	b, matcher := newBook(languages, cldr(language.English)), language.NewMatcher(tags)
	b.nearest = func(name string) *speech {
		_, i := language.MatchStrings(matcher, name)
		return b.languages[codes[i]]
	}
	for _, name := range Languages() {
		b.languages[name] = b.nearest(name)
	}
	return b, nil
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
