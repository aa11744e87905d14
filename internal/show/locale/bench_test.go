package locale

import (
	"runtime"
	"testing"
)

// BenchmarkAllLanguages reads the texts of all languages, which a start does once, to name the commands in them. It also tells what they take
// of the heap for good, and how large their files are, which are a part of the program.
func BenchmarkAllLanguages(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		all(b)
	}
	b.StopTimer()
	before := heap()
	book := all(b)
	b.ReportMetric(float64(heap()-before)/1024, "KiB-kept")
	size := 0
	for _, content := range embedded {
		size += len(content)
	}
	b.ReportMetric(float64(size)/1024, "KiB-of-files")
	runtime.KeepAlive(book)
}

// all is a book of which all languages have been read.
func all(b *testing.B) *Book {
	book, err := NewBook()
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range book.tongues {
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
