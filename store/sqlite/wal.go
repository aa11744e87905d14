package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// A write-ahead log is a header and frames, each of a header and a page: https://www.sqlite.org/fileformat.html#walformat
const (
	walHeader   = 32
	frameHeader = 24
	walMagic    = 0x377f0682 // or one more, if its checksums are of big-endian words

	// framesAtOnce is how many frames are read at once, about as many as a click writes.
	framesAtOnce = 8
	// keptBlocks is how many blocks of so many frames are kept, to be read into again.
	keptBlocks = 8
)

// errContent says that a database or its write-ahead log does not hold any more what was written to it.
var errContent = errors.New("its content is not what was written")

// walReader reads the frames of a write-ahead log in the order in which they were committed. Each frame's checksum goes on
// from that of the one before, so that nothing before a place can change without being noticed.
type walReader struct {
	file      *os.File
	header    [walHeader]byte
	bigEndian bool
	page      int // its size; 0 if the log is empty
	frames    int // that were read, up to the end of a transaction
	sum       [2]uint32
	blocks    [keptBlocks][]byte
}

// begin reads the header of a log, which may have no frames.
func (r *walReader) begin() error {
	n, err := r.file.ReadAt(r.header[:], 0)
	r.frames, r.page = 0, 0
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		r.header = [walHeader]byte{}
		return nil
	case n < walHeader:
		return errContent
	}
	magic := binary.BigEndian.Uint32(r.header[:])
	r.bigEndian = magic&1 == 1
	r.sum = r.add([2]uint32{}, r.header[:24])
	if magic&^1 != walMagic || r.sum != sumAt(r.header[24:]) {
		return errContent
	}
	r.page = int(binary.BigEndian.Uint32(r.header[8:]))
	return nil
}

// begunAnew tells whether the header of the log has changed since it was read: SQLite restarts a log when all of it is in the database. An
// empty log always counts as restarted, for another one may have come and gone meanwhile.
func (r *walReader) begunAnew() bool {
	var now [walHeader]byte
	_, err := r.file.ReadAt(now[:], 0)
	return r.page == 0 || err != nil && !errors.Is(err, io.EOF) || now != r.header
}

// goesOn tells whether there is a frame after those that were read. It may be of a transaction that was rolled back.
func (r *walReader) goesOn() bool {
	var frame [frameHeader]byte
	_, err := r.file.ReadAt(frame[:], r.offset(r.frames))
	return err == nil && r.ofThis(frame[:])
}

// ofThis tells whether a frame is of this log, and not of the one that was there before, by the salts in both headers.
func (r *walReader) ofThis(frame []byte) bool { return bytes.Equal(frame[8:16], r.header[16:24]) }

// next calls transaction with the pages of each transaction that was committed after what was read, and the size of the database in pages.
// With nil it only reads. The pages are valid until transaction returns.
func (r *walReader) next(transaction func(pages map[uint32][]byte, size uint32)) error {
	if r.page == 0 {
		return nil
	}
	pages := make(map[uint32][]byte)
	sum := r.sum
	for frame, block := r.frames, 0; ; {
		frames, err := r.read(block, frame)
		if err != nil || len(frames) == 0 {
			return err
		}
		for content := range slices.Chunk(frames, frameHeader+r.page) {
			sum = r.add(r.add(sum, content[:8]), content[frameHeader:])
			if !r.ofThis(content) || sum != sumAt(content[16:]) { // the second: of a transaction that was rolled back
				return nil
			}
			frame++
			pages[binary.BigEndian.Uint32(content)] = content[frameHeader:]
			if size := binary.BigEndian.Uint32(content[4:]); size > 0 {
				if transaction != nil {
					transaction(pages, size)
				}
				r.frames, r.sum = frame, sum
				clear(pages)
			}
		}
		if block++; transaction == nil || r.frames == frame { // nobody needs what was read until now
			block = 0
		}
	}
}

// read returns the frames from one on, a block of them at most, none at the end of the log. They are valid until the block with that
// number is read again.
func (r *walReader) read(block, frame int) ([]byte, error) {
	length := frameHeader + r.page
	var content []byte
	switch size := framesAtOnce * length; {
	case block < len(r.blocks) && len(r.blocks[block]) == size:
		content = r.blocks[block]
	default:
		content = make([]byte, size)
		if block < len(r.blocks) {
			r.blocks[block] = content
		}
	}
	n, err := r.file.ReadAt(content, r.offset(frame))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return content[:n-n%length], err
}

// verify reads the log from its start, and finds what has been written over the first frames.
func (r *walReader) verify(frames int) error {
	again := walReader{file: r.file}
	if err := again.begin(); err != nil {
		return err
	}
	if err := again.next(nil); err != nil {
		return err
	}
	if again.frames < frames {
		return fmt.Errorf("%w: of %d pages in it %d are sound", errContent, frames, again.frames)
	}
	return nil
}

func (r *walReader) offset(frame int) int64 {
	return walHeader + int64(frame)*int64(frameHeader+r.page)
}

// add continues a checksum. There is a loop for each byte order, with its sums in variables of their own: choosing the order for each word, or
// changing an array, would take most of the time.
func (r *walReader) add(sum [2]uint32, content []byte) [2]uint32 {
	first, second := sum[0], sum[1]
	if r.bigEndian {
		for ; len(content) >= 8; content = content[8:] {
			first += binary.BigEndian.Uint32(content) + second
			second += binary.BigEndian.Uint32(content[4:]) + first
		}
		return [2]uint32{first, second}
	}
	for ; len(content) >= 8; content = content[8:] {
		first += binary.LittleEndian.Uint32(content) + second
		second += binary.LittleEndian.Uint32(content[4:]) + first
	}
	return [2]uint32{first, second}
}

func sumAt(field []byte) [2]uint32 {
	return [2]uint32{binary.BigEndian.Uint32(field), binary.BigEndian.Uint32(field[4:])}
}
