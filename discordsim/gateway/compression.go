package gateway

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// stream is Discord's transport compression: it compresses all messages of a
// connection as one stream, which is flushed after each message.
type stream struct {
	packed bytes.Buffer
	writer interface {
		io.Writer
		Flush() error
	}
}

// streamWindow is the window of a zstd stream in bytes. It is smaller than Discord's, since each connection keeps its
// window in memory.
const streamWindow = 256 << 10

// newStream begins a stream of the type named by the query parameter compress.
func newStream(kind string) (*stream, error) {
	s := &stream{}
	switch kind {
	case "zlib-stream":
		s.writer = zlib.NewWriter(&s.packed)
	case "zstd-stream":
		writer, err := zstd.NewWriter(&s.packed,
			zstd.WithEncoderConcurrency(1), // starts no goroutines
			zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(streamWindow), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(fmt.Sprintf("discordsim: zstd refuses our options: %v", err))
		}
		s.writer = writer
	default:
		return nil, fmt.Errorf("this gateway compresses by zlib-stream or zstd-stream, not by %q", kind)
	}
	return s, nil
}

// pack compresses a text and flushes the stream. The result is valid until the next call.
func (s *stream) pack(text []byte) []byte {
	s.packed.Reset()
	s.writer.Write(text) // cannot fail, since it writes to memory
	s.writer.Flush()
	return s.packed.Bytes()
}

// deflater compresses single payloads, each independently.
type deflater struct {
	packed bytes.Buffer
	writer *zlib.Writer
}

func (d *deflater) pack(text []byte) []byte {
	d.packed.Reset()
	if d.writer == nil {
		d.writer = zlib.NewWriter(&d.packed)
	}
	d.writer.Reset(&d.packed)
	d.writer.Write(text) // cannot fail, since it writes to memory
	d.writer.Close()
	return d.packed.Bytes()
}
