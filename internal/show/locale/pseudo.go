package locale

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// PseudoName names the pseudo-language, as CLDR does.
const PseudoName = "en-XA"

// Pseudo is a book with a language that shows what is not translated, and what has no room for longer words: each text of English in
// brackets, its letters accented, and 40 percent longer. Whatever has plain letters there does not come from a text.
func Pseudo() (*Book, error) {
	english := embedded[first]
	var strange strings.Builder
	rest := 0
	err := parse(english, func(m member) {
		if m.key != glossary {
			strange.WriteString(english[rest:m.at] + pseudo(english[m.at:m.end]))
			rest = m.end
		}
	})
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	strange.WriteString(english[rest:])
	return wholeBook(source{first: english, PseudoName + ".json": strange.String()})
}

// pseudo is a text in the pseudo-language. Arguments and commands stay as they are.
func pseudo(text string) string {
	var b strings.Builder
	b.WriteString("⟦")
	length := 0
	for rest := text; rest != ""; {
		var p piece
		before := rest
		p, rest = next(rest)
		b.WriteString(strings.Map(accented, p.words))
		b.WriteString(before[len(p.words) : len(before)-len(rest)])
		length += utf8.RuneCountInString(p.words)
	}
	b.WriteString(strings.Repeat("·", (length*4+9)/10))
	b.WriteString("⟧")
	return b.String()
}

// accented is a letter that looks like a plain one and is none.
func accented(r rune) rune {
	const plain, strange = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀçđéƒĝĥíĵķļɱñóþɋŕšţúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĻṀÑÓÞɊŔŠŢÚṼŴẊÝŽ"
	if i := strings.IndexRune(plain, r); i >= 0 {
		return []rune(strange)[i]
	}
	return r
}
