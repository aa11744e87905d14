package readme_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// These limits keep the decision records short, and few enough for a reader to read all of them.
const (
	mostWords     = 300
	mostDecisions = 40
)

var (
	decisionTitle = regexp.MustCompile(`^# (\d+)\. (.+)$`)
	indexLine     = regexp.MustCompile(`^\| (\d+) \| \[(.+)\]\((.+)\) \|$`)
)

func TestEveryDecisionHasItsFormAndItsLineInTheIndex(t *testing.T) {
	folder := filepath.Join(root, "docs", "adr")
	files, err := filepath.Glob(filepath.Join(folder, "[0-9]*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no decisions: %v", err)
	}
	slices.Sort(files)
	if len(files) > mostDecisions {
		t.Errorf("%d decisions, want at most %d: merge some, and delete those that no longer apply", len(files), mostDecisions)
	}
	var want []string
	for _, file := range files {
		name, text := filepath.Base(file), read(t, file)
		title, headings := "", []string(nil)
		for line := range strings.Lines(text) {
			switch line = strings.TrimSpace(line); {
			case title == "":
				title = line
			case strings.HasPrefix(line, "#"):
				headings = append(headings, line)
			}
		}
		m := decisionTitle.FindStringSubmatch(title)
		if m == nil {
			t.Errorf("%s: the first line is %q, want # N. Title", name, title)
			continue
		}
		if !strings.HasPrefix(name, fmt.Sprintf("%04s-", m[1])) {
			t.Errorf("%s: the title has the number %s", name, m[1])
		}
		if form := []string{"## Status", "## Context", "## Decision", "## Consequences"}; !slices.Equal(headings, form) {
			t.Errorf("%s: the headings are %q, want %q", name, headings, form)
		}
		if n := len(strings.Fields(text)); n > mostWords {
			t.Errorf("%s: %d words, want %d at most", name, n, mostWords)
		}
		want = append(want, fmt.Sprintf("| %s | [%s](%s) |", m[1], m[2], name))
	}
	var got []string
	for _, line := range lines(t, "docs/adr/README.md") {
		if indexLine.MatchString(line) {
			got = append(got, line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("docs/adr/README.md lacks the line\n%s", line)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("docs/adr/README.md has a line whose decision is missing or has another title:\n%s", line)
		}
	}
}
