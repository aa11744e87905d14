package locale

import (
	"runtime"
	"testing"
)

// BenchmarkAllLanguages reads the texts of all languages, which a start does once, to name the commands in them. It also tells what they take of the heap
// for good.
func BenchmarkAllLanguages(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		all(b)
	}
	b.StopTimer()
	before := heap()
	book := all(b)
	b.ReportMetric(float64(heap()-before)/1024, "KiB-kept")
	runtime.KeepAlive(book)
}

// all is a book of which all languages have been read.
func all(b *testing.B) *Book {
	book, err := NewBook()
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range book.languages {
		if _, err := t.read(); err != nil {
			b.Fatal(err)
		}
	}
	return book
}

// heap is how much of it is in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
