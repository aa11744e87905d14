package locale

import (
	"fmt"
	"slices"
	"strings"

	"tictactoe/internal/show/view"
)

// texts are the texts of one language by key.
type texts map[string]entry

// entry is one text of a language. In a file it is a string, or an object of its plural forms.
type entry struct {
	other string            // the only form, or the plural form "other"
	forms map[string]string // the texts by plural form or exact number; nil if there is only one
}

// newEntry returns the entry for a JSON value. ok is false if the value is neither a string nor an object of strings.
func newEntry(value any) (e entry, ok bool) {
	switch value := value.(type) {
	case string:
		return entry{other: value}, true
	case map[string]any:
		e.forms = make(map[string]string, len(value))
		for form, text := range value {
			if e.forms[form], ok = text.(string); !ok {
				return entry{}, false
			}
		}
		e.other = e.forms["other"]
		return e, true
	}
	return entry{}, false
}

// all returns all texts of the entry by the name of the plural form.
func (e entry) all() map[string]string {
	if e.forms == nil {
		return map[string]string{"other": e.other}
	}
	return e.forms
}

// glossary is the first key of each file. Its value is not a text but a glossary for translators: the words of the language for the terms
// of the game or, in English, explanations of the terms.
const glossary = "glossary"

// inherited is a key in the file of a regional language, such as es-419.json. Its value names the groups of texts of the parent language
// that somebody has read for the region; see findUnread.
const inherited = "inherited"

// newTexts returns the texts for the decoded values of a file.
func newTexts(file string, values map[string]any) (texts, error) {
	all := make(texts, len(values))
	for key, value := range values {
		e, ok := newEntry(value)
		if !ok {
			return nil, fmt.Errorf("texts: %s: %s: it is neither a text nor an object of texts by plural form", file, key)
		}
		all[key] = e
		for form := range e.forms {
			if key != glossary && key != inherited && !slices.Contains(pluralForms, form) && !slices.Contains(exactForms, form) {
				return nil, fmt.Errorf("texts: %s: %s: there is no plural form %q", file, key, form)
			}
		}
	}
	return all, nil
}

// pluralForms are the names of the plural forms in CLDR and in the files.
var pluralForms = []string{"other", "zero", "one", "two", "few", "many"}

// exactForms are the names of forms for exactly 0 and exactly 1. They are needed because CLDR's form "one" also means 0 in French and 21 in
// Russian, and Japanese has no form "one".
var exactForms = []string{"=0", "=1"}

// wording returns a text as the file has it, or nothing if the file lacks it. The argument PluralCount decides which plural form it
// returns.
func (l texts) wording(numbers Numbers, t view.Text) string {
	e := l[t.Key]
	if count, is := t.Args["PluralCount"].(int); is {
		for _, form := range []string{fmt.Sprint("=", count), numbers.Form(count)} {
			if said, is := e.forms[form]; is {
				return said
			}
		}
	}
	return e.other
}

// piece is some words of a text, and the argument or the command that follows them. Both are empty at the end of a text. An argument that
// is a name may have a form.
type piece struct{ words, argument, form, command string }

// gaps are the forms of gaps in a text: an argument, written as {{.Name}} or {{.Name.form}}, or a command, written as `/tictactoe ai`.
var gaps = []struct {
	before, after string
	is            func(r rune) bool // reports whether a character is allowed between before and after
}{
	{"{{.", "}}", func(r rune) bool { return r == '.' || 'a' <= r|0x20 && r|0x20 <= 'z' }},
	{"`/", "`", func(r rune) bool { return 'a' <= r && r <= 'z' || r == ' ' }},
}

// next returns the first piece of a text, and the rest of the text.
func next(text string) (p piece, rest string) {
	for at := 0; at < len(text); at++ {
		if text[at] != '{' && text[at] != '`' {
			continue
		}
		for i, gap := range gaps {
			after, is := strings.CutPrefix(text[at:], gap.before)
			if !is {
				continue
			}
			inside, after, is := strings.Cut(after, gap.after)
			if !is || inside == "" || strings.ContainsFunc(inside, func(r rune) bool { return !gap.is(r) }) {
				continue
			}
			p.words = text[:at]
			if i == 0 {
				p.argument, p.form, _ = strings.Cut(inside, ".")
			} else {
				p.command = inside
			}
			return p, after
		}
	}
	return piece{words: text}, ""
}
