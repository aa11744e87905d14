package locale

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"tictactoe/internal/show/view"
)

// texts are those of one language: where they stand in its file. Languages share the numbers of keys, so that one more costs little more
// than its file.
type texts struct {
	tag     language.Tag
	content string
	// said has the texts by the number of their key: empty where there is none, and the form "other" of one that counts.
	said []span
	// counted has the other forms of those that count, by key and form.
	counted []counted
}

// span is a part of a file.
type span struct{ at, end uint32 }

// counted is a plural form of a text.
type counted struct {
	key  uint16
	form plural.Form
	text span
}

func (c counted) compare(d counted) int {
	return cmp.Or(cmp.Compare(c.key, d.key), cmp.Compare(c.form, d.form))
}

// numbers are those of the keys, which are the keys of English in their order.
type numbers struct {
	of    map[string]int
	names []string
}

// add gives a key a number, if it has none.
func (n *numbers) add(key string) {
	if _, is := n.of[key]; !is {
		n.of[key] = len(n.names)
		n.names = append(n.names, key)
	}
}

// find is the number of a key. Most keys follow in a file on the one that follows in English, whose number is the next.
func (n *numbers) find(key string, next int) (number int, is bool) {
	if next < len(n.names) && n.names[next] == key {
		return next, true
	}
	number, is = n.of[key]
	return number, is
}

// pluralForms are the names that files have for them, which are those of CLDR.
var pluralForms = map[string]plural.Form{
	"zero": plural.Zero, "one": plural.One, "two": plural.Two, "few": plural.Few, "many": plural.Many, "other": plural.Other,
}

// glossary is at the head of each file, and not a text: the words that a language has for the terms of the game, for those who write
// in it. That of English explains the terms.
const glossary = "glossary"

// entry is a text of a file by plural form, "other" if it has none.
type entry map[string]string

// entries are the texts of a file by key, and the words of its glossary.
func (s source) entries(file string) (all map[string]entry, terms entry, err error) {
	all, terms = map[string]entry{}, entry{}
	content := s[file]
	err = parse(content, func(m member) {
		text := content[m.at:m.end]
		if m.key == glossary {
			terms[m.form] = text
			return
		}
		if all[m.key] == nil {
			all[m.key] = entry{}
		}
		all[m.key][cmp.Or(m.form, "other")] = text
	})
	if err == nil {
		err = s.checkForms(file)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("texts: %s: %w", file, err)
	}
	return all, terms, nil
}

// checkForms returns an error for a plural form that no language has.
func (s source) checkForms(file string) (err error) {
	parseErr := parse(s[file], func(m member) {
		if _, is := pluralForms[cmp.Or(m.form, "other")]; !is && m.key != glossary && err == nil {
			err = fmt.Errorf("line %d: %s: there is no plural form %q", m.line, m.key, m.form)
		}
	})
	return cmp.Or(parseErr, err)
}

// texts are those of a file by the numbers of their keys. Keys that have no number are passed over.
func (s source) texts(file string, tag language.Tag, keys *numbers) (texts, error) {
	l := texts{tag: tag, content: s[file], said: make([]span, len(keys.names))}
	last := -1 // the number of the latest key
	err := parse(l.content, func(m member) {
		n, is := keys.find(m.key, last+1)
		if last >= 0 && keys.names[last] == m.key {
			n, is = last, true // another form of the same text
		}
		if !is {
			return
		}
		last = n
		text := span{uint32(m.at), uint32(m.end)}
		if m.form == "" || m.form == "other" {
			l.said[n] = text
		} else {
			l.counted = append(l.counted, counted{uint16(n), pluralForms[m.form], text})
		}
	})
	if err != nil {
		return texts{}, fmt.Errorf("texts: %s: %w", file, err)
	}
	l.counted = slices.Clip(l.counted)
	slices.SortFunc(l.counted, counted.compare)
	return l, nil
}

// wording is what a text says in this language, empty if it has no words for it. The argument PluralCount decides about the plural form; that of
// a negative number is the one of the number without its sign.
func (l texts) wording(n int, t view.Text) string {
	said := l.said[n]
	if count, is := t.Args["PluralCount"].(int); is {
		form := plural.Cardinal.MatchPlural(l.tag, max(count, -count), 0, 0, 0, 0) // it panics for negative numbers
		at, found := slices.BinarySearchFunc(l.counted, counted{key: uint16(n), form: form}, counted.compare)
		if found {
			said = l.counted[at].text
		}
	}
	return l.content[said.at:said.end]
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
