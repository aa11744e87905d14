package readme_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// The table of log messages in docs/operating.md must quote them exactly as the program writes them.
func TestLogMessagesInThePagesAreLogged(t *testing.T) {
	var sources strings.Builder
	for _, name := range watch(t) {
		if filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			sources.WriteString(read(t, name))
		}
	}
	_, table, found := strings.Cut(read(t, filepath.Join(root, "docs", "operating.md")), "| message | what it means |\n|---|---|\n")
	if !found {
		t.Fatal("docs/operating.md has no table of messages")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	logged := func(message string) bool { return strings.Contains(sources.String(), `"`+message) }
	for line := range strings.Lines(table) {
		cell := strings.TrimSpace(strings.Split(line, "|")[1])
		if logged(cell) {
			continue
		}
		for message := range strings.SplitSeq(cell, ", ") { // several messages with the same meaning
			if !logged(message) {
				t.Errorf("the program never logs %q", message)
			}
		}
	}
}
