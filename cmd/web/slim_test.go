package main

import (
	"strings"
	"testing"
)

// The tests in a browser run a program that slim has changed.
func TestSlimRefusesWhatItDoesNotKnow(t *testing.T) {
	const head = "\x00asm\x01\x00\x00\x00"
	for _, tt := range []struct{ name, program, want string }{
		{"an empty file", "", "not a WebAssembly module"},
		{"half a section", head + "\x0b\x09\x01", "a section of the program is cut off"},
		{"a section without a length", head + "\x0b", "a section of the program is cut off"},
		{"an address that is computed", head + "\x0b\x07\x01\x00\x23\x00\x0b\x01x", "no constant address"},
		{"half a segment", head + "\x0b\x07\x01\x00\x41\x08\x0b\x02x", "a data segment is cut off"},
		{"a program in another language", head + "\x0b\x07\x01\x00\x41\x08\x0b\x01x", "no table of functions"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := slim([]byte(tt.program)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v; want %s", err, tt.want)
			}
		})
	}
}

func TestOneSegmentFillsTheMemoryOfMany(t *testing.T) {
	many := "\x02\x00\x41\x09\x0b\x01b" + "\x00\x41\x06\x0b\x02aa"
	first, memory, err := readData([]byte(many))
	if err != nil || first != 6 {
		t.Fatalf("the memory starts at %d: %v", first, err)
	}
	one := dataOf(first, memory)
	if again, memory, err := readData(one[2:]); again != 6 || string(memory[6:]) != "aa\x00b" || err != nil {
		t.Errorf("one segment is %q and fills %q from %d: %v", one, memory, again, err)
	}
}
