package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Normalise reads a transcript and returns its lines without data that varies between runs: ids become #1, #2 and so
// on in the order in which they appear, tokens, sessions, dates and durations become words, and heartbeats are left
// out.
func Normalise(r io.Reader) (lines []string, err error) {
	known := map[string]string{}
	in := bufio.NewScanner(r)
	in.Buffer(nil, 64<<20)
	for n := 1; in.Scan(); n++ {
		d := json.NewDecoder(bytes.NewReader(in.Bytes()))
		d.UseNumber()
		var line map[string]any
		if err := d.Decode(&line); err != nil || line["kind"] == nil {
			return nil, fmt.Errorf("line %d is no line of a transcript: %.60s", n, in.Bytes())
		}
		if isHeartbeat(line) {
			continue
		}
		for _, varies := range [...]string{"at", "ms", "s"} {
			delete(line, varies)
		}
		if body, ok := line["body"].(map[string]any); ok && line["kind"] == OverGateway {
			delete(body, "s")
		}
		text, err := json.Marshal(line) // sorts the keys
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		lines = append(lines, normal(string(text), known))
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("after line %d: %w", len(lines), err)
	}
	return lines, nil
}

// isHeartbeat reports whether a line is a heartbeat or its acknowledgement, whose number depends on real time.
func isHeartbeat(line map[string]any) bool {
	op, _ := line["op"].(json.Number)
	return line["kind"] == OverGateway && (op == "1" || op == "11")
}

var (
	// varying matches the members whose values are replaced by their names.
	varying = regexp.MustCompile(`"(session_id|resume_gateway_url|nonce|hash|heartbeat_interval|_trace|started_at)":("(?:[^"\\]|\\.)*"|[\d.]+|\[[^\]]*\])`)
	date    = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)
	// shownDate matches a date as Discord's messages write it.
	shownDate = regexp.MustCompile(`<t:\d+(:\w)?>`)
	snowflake = regexp.MustCompile(`\b\d{15,20}\b`)
	localAddr = regexp.MustCompile(`\b(127\.0\.0\.1|localhost|\[::1\]):\d+`)
)

// normal replaces the varying parts of a line. known maps the ids that have appeared so far to their numbers.
func normal(text string, known map[string]string) string {
	text = varying.ReplaceAllString(text, `"$1":"[$1]"`)
	text = date.ReplaceAllString(text, "[date]")
	text = shownDate.ReplaceAllString(text, "<t:[date]$1>")
	text = localAddr.ReplaceAllString(text, "[address]")
	return snowflake.ReplaceAllStringFunc(text, func(id string) string {
		if known[id] == "" {
			known[id] = fmt.Sprintf("#%d", len(known)+1)
		}
		return known[id]
	})
}

// Diff compares normalised lines and returns the part where they differ, marked as by diff -u, after up to three
// equal lines. It is empty if the lines are equal.
func Diff(a, b []string) string {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	left, right := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(left) == 0 && len(right) == 0 {
		return ""
	}
	var out strings.Builder
	for _, line := range a[max(0, head-3):head] {
		out.WriteString("  " + line + "\n")
	}
	if len(left)*len(right) > maxCells {
		fmt.Fprintf(&out, "- %s\n+ %s\n(%d and %d lines follow)\n", first(left), first(right), len(left), len(right))
		return out.String()
	}
	// longest[i][j] is the length of the longest common subsequence of left[i:] and right[j:].
	longest := make([][]int32, len(left)+1)
	for i := range longest {
		longest[i] = make([]int32, len(right)+1)
	}
	for i := len(left) - 1; i >= 0; i-- {
		for j := len(right) - 1; j >= 0; j-- {
			if left[i] == right[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(left) || j < len(right); {
		switch {
		case i < len(left) && j < len(right) && left[i] == right[j]:
			out.WriteString("  " + left[i] + "\n")
			i, j = i+1, j+1
		case j == len(right) || i < len(left) && longest[i+1][j] >= longest[i][j+1]:
			out.WriteString("- " + left[i] + "\n")
			i++
		default:
			out.WriteString("+ " + right[j] + "\n")
			j++
		}
	}
	return out.String()
}

// maxCells limits the memory of a comparison. Beyond it, Diff shows only the first difference.
const maxCells = 25_000_000

func first(lines []string) string {
	if len(lines) == 0 {
		return "(nothing)"
	}
	return lines[0]
}
