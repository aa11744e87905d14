package locale

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing/fstest"
	"unicode/utf8"
)

// PseudoName names the pseudo-language, as CLDR does.
const PseudoName = "en-XA"

// Pseudo is a book with a language that shows what is not translated, and what has no room for longer words: each text of English in
// brackets, its letters accented, and 40 percent longer. Whatever has plain letters there does not come from a text.
func Pseudo() (*Book, error) {
	english, err := embedded.ReadFile("texts/en.json")
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	var entries map[string]entry
	if err := json.Unmarshal(english, &entries); err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	for _, forms := range entries {
		for form, text := range forms {
			forms[form] = pseudo(text)
		}
	}
	strange, err := json.Marshal(entries)
	if err != nil {
		return nil, fmt.Errorf("texts: %w", err)
	}
	return ReadBook(fstest.MapFS{"en.json": {Data: english}, PseudoName + ".json": {Data: strange}})
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
