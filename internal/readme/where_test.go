package readme_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A row of the architecture's tables names a file in the second column. The identifiers that the row names, after the file or in the
// third column, must occur in that file.
func TestNamesInTheArchitectureExist(t *testing.T) {
	named := 0
	section := ""
	for _, line := range lines(t, "docs/architecture.md") {
		if title, isTitle := strings.CutPrefix(line, "## "); isTitle {
			section = title
		}
		columns := strings.Split(line, "|")
		path := strings.HasPrefix(section, "The path of")
		if len(columns) != 5 || !path && section != "Where to look" {
			continue
		}
		source, names := "", spans(columns[3])
		if path {
			names = nil
		}
		for _, span := range spans(columns[2]) {
			if ending := filepath.Ext(span); ending == ".go" || ending == ".json" {
				source += read(t, filepath.Join(root, span))
			} else {
				names = append(names, span)
			}
		}
		if source == "" {
			continue // the heading, or a step whose file an earlier row names
		}
		for _, name := range names {
			named++
			last := name // for example, "Referee.Play" is found as "Play"
			if path {
				last = name[strings.LastIndex(name, ".")+1:]
			}
			if !regexp.MustCompile(`\b` + regexp.QuoteMeta(last) + `\b`).MatchString(source) {
				t.Errorf("%s: %s is not in%s", section, name, columns[2])
			}
		}
	}
	if named < 40 {
		t.Errorf("found only %d names; do the tables still exist?", named)
	}
}

// spans returns the pieces of code in a text.
func spans(text string) (all []string) {
	for _, m := range spanPattern.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}
