package locale

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"

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

// piece is some words, and what follows them: an argument, a command, or nothing if both are empty.
type piece struct{ words, argument, command string }

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

// gap is where something is put into a text: an argument, written as {{.Name}}, or a command, written as `/tictactoe ai`.
var gap = regexp.MustCompile("{{\\.([A-Za-z]+)}}|`/([a-z]+(?: [a-z]+)*)`")

// parse finds the arguments and commands in a text.
func parse(text string) (said wording) {
	at := 0
	for _, found := range gap.FindAllStringSubmatchIndex(text, -1) {
		p := piece{words: text[at:found[0]]}
		if found[2] >= 0 {
			p.argument = text[found[2]:found[3]]
		} else {
			p.command = text[found[4]:found[5]]
		}
		said, at = append(said, p), found[1]
	}
	if at < len(text) {
		said = append(said, piece{words: text[at:]})
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
