package locale

import (
	"testing"
)

// BenchmarkAllLanguages reads the texts of all languages, which a start does once, to name the commands in them.
func BenchmarkAllLanguages(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		book, err := NewBook()
		if err != nil {
			b.Fatal(err)
		}
		for _, t := range book.tongues {
			if _, err := t.read(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
