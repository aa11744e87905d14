package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// dataSection is the id of the section of a WebAssembly module that holds its data.
const dataSection = 11

// slim returns a program of Go's that behaves the same and is a fifth smaller when it is compressed. The linker writes the data as tens of
// thousands of segments, whose addresses hardly compress; slim writes one. It also leaves out the names, files and lines of functions,
// which only traces of panics print.
func slim(program []byte) ([]byte, error) {
	if len(program) < 8 {
		return nil, errors.New("the program is not a WebAssembly module")
	}
	out, rest := slices.Clone(program[:8]), program[8:]
	for len(rest) > 0 {
		size, n := binary.Uvarint(rest[1:])
		end := 1 + uint64(n) + size
		if n <= 0 || end > uint64(len(rest)) {
			return nil, errors.New("a section of the program is cut off")
		}
		section := rest[:end]
		if section[0] == dataSection {
			first, memory, err := readData(section[1+n:])
			if err != nil {
				return nil, err
			}
			if err := dropTraces(memory); err != nil {
				return nil, err
			}
			section = dataOf(first, memory)
		}
		out, rest = append(out, section...), rest[end:]
	}
	return out, nil
}

// readData returns the memory that a data section fills, and the address of the first byte that it fills.
func readData(section []byte) (first int, memory []byte, err error) {
	count, n := binary.Uvarint(section)
	at := max(n, 0)
	for i := range count {
		// A segment is 0 (the number of the memory), 0x41 address 0x0b (an expression), the length and the bytes.
		if len(section) < at+4 || section[at] != 0 || section[at+1] != 0x41 {
			return 0, nil, errors.New("a data segment has no constant address")
		}
		address, n := binary.Uvarint(section[at+2:]) // the signed form of an address below 1<<27 has the same bits
		at += 2 + n
		length, m := binary.Uvarint(section[at+1:])
		at += 1 + m
		if n <= 0 || m <= 0 || address >= 1<<27 || length > uint64(len(section)-at) {
			return 0, nil, errors.New("a data segment is cut off")
		}
		if end := int(address + length); end > len(memory) {
			memory = append(memory, make([]byte, end-len(memory))...)
		}
		copy(memory[address:], section[at:at+int(length)])
		if at += int(length); i == 0 || int(address) < first {
			first = int(address)
		}
	}
	return first, memory, nil
}

// dataOf returns a data section with one segment, which fills the memory from an address on.
func dataOf(first int, memory []byte) []byte {
	content := []byte{1, 0, 0x41, byte(first) | 0x80, byte(first>>7) | 0x80, byte(first>>14) | 0x80, byte(first >> 21), 0x0b}
	content = binary.AppendUvarint(content, uint64(len(memory)-first))
	content = append(content, memory[first:]...)
	return append(binary.AppendUvarint([]byte{dataSection}, uint64(len(content))), content...)
}

// The table of functions of a Go program, as internal/abi, runtime.pcHeader and runtime._func describe it.
type (
	functions struct {
		Magic                                                      [8]byte
		Count, Files, Text, Names, Units, FileNames, Values, Table uint64 // the last five are offsets from the start of the header
	}
	function struct {
		Entry, Name, Args, DeferReturn, Stack, File, Line, Values, Unit, StartLine uint32
		ID, Flag, _, Data                                                          uint8
	}
)

// Values and data of functions that are for traces, or for stopping threads of the system, of which a browser's program has one.
const (
	unsafePoint, argLiveIndex = 0, 3
	argInfo                   = 5
)

var functionsMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// dropTraces overwrites the names, files and lines of functions with zeros, for which a trace prints question marks. It keeps the tables
// that the stack and the garbage collector need.
func dropTraces(memory []byte) error {
	start := bytes.Index(memory, functionsMagic)
	if start < 0 {
		return errors.New("the program has no table of functions that this version of Go is known for")
	}
	table := memory[start:]
	var h functions
	if _, err := binary.Decode(table, binary.LittleEndian, &h); err != nil {
		return err
	}
	values := table[h.Values:h.Table]
	kept := make([]byte, len(values))
	for i := range h.Count {
		record := table[h.Table+uint64(binary.LittleEndian.Uint32(table[h.Table+8*i+4:])):]
		var f function
		n, err := binary.Decode(record, binary.LittleEndian, &f)
		if err != nil {
			return err
		}
		keep(kept, values, f.Stack)
		for j := range f.Values {
			offset := record[n+int(4*j):]
			if j == unsafePoint || j == argLiveIndex {
				binary.LittleEndian.PutUint32(offset, 0)
			}
			keep(kept, values, binary.LittleEndian.Uint32(offset))
		}
		if f.Data > argInfo {
			binary.LittleEndian.PutUint32(record[n+int(4*(f.Values+argInfo)):], math.MaxUint32) // none
		}
		f.Name, f.File, f.Line, f.Unit, f.StartLine = 0, 0, 0, 0, 0
		if _, err := binary.Encode(record, binary.LittleEndian, f); err != nil {
			return err
		}
	}
	copy(values, kept)
	clear(table[h.Names:h.Values])
	return shareBuckets(memory, int(h.Count)-1) // the last one only marks the end
}

// shareBuckets rewrites the table in which the runtime looks up the function of an address (runtime.findfuncbucket). A browser's program has
// sixteen equal buckets for each function, with its number. A bucket may also have a lower number, because the runtime searches on from there;
// sixteen functions in a row get the same.
func shareBuckets(memory []byte, count int) error {
	buckets := func(share int) (table []byte) {
		for function := range count {
			bucket := append(binary.LittleEndian.AppendUint32(nil, uint32(function/share*share)), make([]byte, 16)...)
			table = append(table, bytes.Repeat(bucket, 16)...)
		}
		return table
	}
	start := bytes.Index(memory, buckets(1))
	if start < 0 {
		return errors.New("the program has no table of addresses that this version of Go is known for")
	}
	copy(memory[start:], buckets(16))
	return nil
}

// keep copies the table of values that starts at an offset: pairs of varints, the first of which is 0 only at the start and at the end.
func keep(kept, values []byte, offset uint32) {
	if offset == 0 { // there is no table
		return
	}
	at := int(offset)
	for {
		_, n := binary.Uvarint(values[at:])
		if at > int(offset) && values[at] == 0 {
			break
		}
		_, m := binary.Uvarint(values[at+n:])
		at += n + m
	}
	copy(kept[offset:], values[offset:at+1])
}
