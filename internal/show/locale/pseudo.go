package locale

import (
	"strings"
	"unicode/utf8"
)

// PseudoName names the pseudo-language, as CLDR does.
const PseudoName = "en-XA"

// Pseudo is a book with a language that shows what is not translated, and what has no room for longer words: each text of English in
// brackets, its letters accented, and 40 percent longer. Whatever has plain letters there does not come from a text.
func Pseudo() (*Book, error) {
	const strange = PseudoName + ".json"
	return newBook([]string{first, strange}, func(file string) (texts, error) {
		all, err := readTexts(embedded(), first)
		if err != nil || file == first {
			return all, err
		}
		for key, e := range all {
			e.other = pseudo(e.other)
			for form, text := range e.forms {
				e.forms[form] = pseudo(text)
			}
			all[key] = e
		}
		return all, nil
	})
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
