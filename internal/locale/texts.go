package locale

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"tictactoe/internal/view"
)

// texts are those of one language, by their keys.
type texts struct {
	tag   language.Tag
	byKey map[string]wordings
}

// wordings are those of a text by plural form. [plural.Other] is that of a text which counts nothing.
type wordings map[plural.Form]wording

// wording is what a text says, piece by piece.
type wording []piece

// piece is some words, and the argument that follows them unless its name is empty.
type piece struct{ words, argument string }

// pluralForms are the names that files have for them, which are those of CLDR.
var pluralForms = map[string]plural.Form{
	"zero": plural.Zero, "one": plural.One, "two": plural.Two, "few": plural.Few, "many": plural.Many, "other": plural.Other,
}

// readTexts reads a file of texts. Each is a string, or one for each plural form.
func readTexts(folder fs.FS, file string, tag language.Tag) (texts, error) {
	read := texts{tag, make(map[string]wordings)}
	content, err := fs.ReadFile(folder, file)
	if err != nil {
		return texts{}, err
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(content, &entries); err != nil {
		return texts{}, err
	}
	for key, entry := range entries {
		forms := make(map[string]string)
		if entry[0] == '"' {
			entry = []byte(`{"other":` + string(entry) + `}`)
		}
		if err := json.Unmarshal(entry, &forms); err != nil {
			return texts{}, fmt.Errorf("%s: %w", key, err)
		}
		read.byKey[key] = make(wordings)
		for name, text := range forms {
			form, is := pluralForms[name]
			if !is {
				return texts{}, fmt.Errorf("%s: there is no plural form %q", key, name)
			}
			read.byKey[key][form] = parse(text)
		}
	}
	return read, nil
}

// parse finds the arguments in a text, each of which is written as {{.Name}}.
func parse(text string) (said wording) {
	for text != "" {
		words, rest, _ := strings.Cut(text, "{{.")
		argument, rest, _ := strings.Cut(rest, "}}")
		said, text = append(said, piece{words, argument}), rest
	}
	return said
}

// wording is what a text says in this language, if it has words for it. The argument PluralCount decides about the plural form.
func (l texts) wording(t view.Text) (wording, bool) {
	forms := l.byKey[t.Key]
	if count, is := t.Args["PluralCount"].(int); is {
		if said, is := forms[plural.Cardinal.MatchPlural(l.tag, count, 0, 0, 0, 0)]; is {
			return said, true
		}
	}
	said, is := forms[plural.Other]
	return said, is
}
