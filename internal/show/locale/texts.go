package locale

import (
	"fmt"
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

// newTexts returns the texts for the decoded values of a file.
func newTexts(file string, values map[string]any) (texts, error) {
	all := make(texts, len(values))
	for key, value := range values {
		e, ok := newEntry(value)
		if !ok {
			return nil, fmt.Errorf("texts: %s: %s: it is neither a text nor an object of texts by plural form", file, key)
		}
		all[key] = e
	}
	return all, nil
}

// wording returns a text as the file has it, or nothing if the file lacks it. The argument PluralCount decides which plural form it
// returns. Forms for exactly 0 and exactly 1 are named =0 and =1, because CLDR's form "one" also means 0 in French and 21 in Russian, and
// Japanese has no form "one".
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
