package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// meter measures the processor time of processes, and reports it per click.
type meter struct {
	unit string
	used func() time.Duration
}

func read(meters []meter) (used []time.Duration) {
	for _, m := range meters {
		used = append(used, m.used())
	}
	return used
}

// own measures the processor time of this process for a click.
func own(b *testing.B, unit string) meter {
	return meter{unit, func() time.Duration { return processorTime(b) }}
}

// of measures the processor time of other processes for a click.
func of(b *testing.B, unit string, processes ...int) meter {
	return meter{unit, func() (sum time.Duration) {
		for _, id := range processes {
			p, err := statusOf(id)
			if err != nil {
				b.Fatal(err)
			}
			sum += p.used
		}
		return sum
	}}
}

// serverOf measures all processes of a Postgres on this machine, including the ended ones.
func serverOf(b *testing.B, address string) func() time.Duration {
	conn, err := pgx.Connect(b.Context(), address)
	if err != nil {
		b.Fatal(err)
	}
	backend, err := statusOf(int(conn.PgConn().PID()))
	conn.Close(b.Context())
	if err != nil {
		b.Skipf("the server is elsewhere: %v", err)
	}
	return func() (sum time.Duration) {
		all, err := filepath.Glob("/proc/[0-9]*")
		if err != nil {
			b.Fatal(err)
		}
		for _, path := range all {
			var id int
			fmt.Sscan(filepath.Base(path), &id)
			p, err := statusOf(id)
			switch {
			case err != nil: // the process has ended since its id was read
			case id == backend.parent:
				sum += p.used + p.ended
			case p.parent == backend.parent:
				sum += p.used
			}
		}
		return sum
	}
}

// status reads a process's parent, and the processor time of the process and its ended children, from /proc.
type status struct {
	parent      int
	used, ended time.Duration
}

func statusOf(process int) (s status, err error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return s, err
	}
	fields := strings.Fields(string(content[bytes.LastIndexByte(content, ')')+1:])) // the name before the parenthesis may contain any character
	var ticks [4]time.Duration
	if _, err := fmt.Sscan(strings.Join(slices.Concat(fields[1:2], fields[11:15]), " "), &s.parent, &ticks[0], &ticks[1], &ticks[2], &ticks[3]); err != nil {
		return s, err
	}
	const tick = 10 * time.Millisecond
	return status{s.parent, (ticks[0] + ticks[1]) * tick, (ticks[2] + ticks[3]) * tick}, nil
}
