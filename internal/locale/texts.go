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

// texts are those of one language. Languages share the numbers of keys, so that one more costs little more than its words.
type texts struct {
	tag language.Tag
	// said has the texts by the number of their key: empty where there is none, and the form "other" of one that counts.
	said []string
	// counted has those that count, in all plural forms.
	counted map[int]map[plural.Form]string
}

// numbers are those of the keys, which are the keys of English.
type numbers map[string]int

// pluralForms are the names that files have for them, which are those of CLDR.
var pluralForms = map[string]plural.Form{
	"zero": plural.Zero, "one": plural.One, "two": plural.Two, "few": plural.Few, "many": plural.Many, "other": plural.Other,
}

// entry is a text of a file: a string, or one for each plural form.
type entry map[string]string

func (e *entry) UnmarshalJSON(raw []byte) error {
	if raw[0] != '"' {
		return json.Unmarshal(raw, (*map[string]string)(e))
	}
	var text string
	err := json.Unmarshal(raw, &text)
	*e = entry{"other": text}
	return err
}

// readEntries reads a file of texts.
func readEntries(folder fs.FS, file string) (entries map[string]entry, err error) {
	content, err := fs.ReadFile(folder, file)
	if err == nil {
		err = json.Unmarshal(content, &entries)
	}
	if err != nil {
		return nil, fmt.Errorf("texts: %s: %w", file, err)
	}
	for key, forms := range entries {
		for name := range forms {
			if _, is := pluralForms[name]; !is {
				return nil, fmt.Errorf("texts: %s: %s: there is no plural form %q", file, key, name)
			}
		}
	}
	return entries, nil
}

// textsOf are the texts of a language by the numbers of their keys. Keys that have no number are passed over.
func textsOf(entries map[string]entry, tag language.Tag, keys numbers) texts {
	l := texts{tag: tag, said: make([]string, len(keys)), counted: map[int]map[plural.Form]string{}}
	for key, forms := range entries {
		n, is := keys[key]
		if !is {
			continue
		}
		l.said[n] = forms["other"]
		if _, alone := forms["other"]; alone && len(forms) == 1 {
			continue
		}
		l.counted[n] = map[plural.Form]string{}
		for name, text := range forms {
			l.counted[n][pluralForms[name]] = text
		}
	}
	return l
}

// wording is what a text says in this language, empty if it has no words for it. The argument PluralCount decides about the plural form.
func (l texts) wording(n int, t view.Text) string {
	if count, is := t.Args["PluralCount"].(int); is {
		if said, is := l.counted[n][plural.Cardinal.MatchPlural(l.tag, count, 0, 0, 0, 0)]; is {
			return said
		}
	}
	return l.said[n]
}

// piece is some words of a text, and what follows them: an argument, a command, or nothing if both are empty.
type piece struct{ words, argument, command string }

// gaps are where something is put into a text: an argument, written as {{.Name}}, or a command, written as `/tictactoe ai`.
var gaps = []struct {
	before, after string
	is            func(r rune) bool // a part of what stands between
}{
	{"{{.", "}}", func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }},
	{"`/", "`", func(r rune) bool { return 'a' <= r && r <= 'z' || r == ' ' }},
}

// next cuts the first piece off a text.
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
				p.argument = inside
			} else {
				p.command = inside
			}
			return p, after
		}
	}
	return piece{words: text}, ""
}
