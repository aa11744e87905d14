package readme_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// page is one Markdown file.
type page struct {
	name   string // the path from the root of the repository
	fences []fence
	spans  []string // pieces of code within the text
	links  []string // the targets of links and pictures
	slugs  map[string]bool
}

// fence is a block of code.
type fence struct {
	language string
	lines    []string
}

var (
	spanPattern = regexp.MustCompile("`([^`\n]+)`")
	linkPattern = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"`)
)

func parsePage(name, text string) page {
	p := page{name: name, slugs: map[string]bool{}}
	var open *fence
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		language, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && open == nil:
			open = &fence{language: language}
		case isFence:
			p.fences = append(p.fences, *open)
			open = nil
		case open != nil:
			open.lines = append(open.lines, line)
		default:
			p.read(line)
		}
	}
	return p
}

// read collects the headings, pieces of code and links in a line of text.
func (p *page) read(line string) {
	if title := strings.TrimLeft(line, "#"); title != line {
		p.slugs[slug(title)] = true
	}
	for _, m := range spanPattern.FindAllStringSubmatch(line, -1) {
		p.spans = append(p.spans, m[1])
	}
	for _, m := range linkPattern.FindAllStringSubmatch(spanPattern.ReplaceAllString(line, ""), -1) {
		p.links = append(p.links, m[1]+m[2])
	}
}

// slug returns the anchor that GitHub gives a heading.
func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(title))
}

// readPages reads every Markdown file of the repository.
func readPages(t *testing.T) []page {
	t.Helper()
	var pages []page
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if n := entry.Name(); name != root && (strings.HasPrefix(n, ".") || n == "testdata" || n == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".md" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, name)
		pages = append(pages, parsePage(filepath.ToSlash(inside), string(text)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}
