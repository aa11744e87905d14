package locale

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash"
	"hash/fnv"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"tictactoe/internal/show/view"
)

// Problem is a mistake in a file of texts.
type Problem struct {
	File string
	Line int // counted from 1; 0 if the problem is something that the file lacks
	Key  string
	What string
}

// String returns the problem with its file and line, in the form that compilers use.
func (p Problem) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s: %s", p.File, p.Key, p.What)
	}
	return fmt.Sprintf("%s:%d: %s: %s", p.File, p.Line, p.Key, p.What)
}

// Inherited reports whether the problem is only a note that nobody has read the texts that the language takes from its parent.
func (p Problem) Inherited() bool { return strings.HasSuffix(p.Key, ".*") }

// Check compares the files of a folder with its en.json, and returns their problems by file and line: keys that the file or English lacks,
// and texts with too many or too few arguments, commands or plural forms. A file whose parent is not en.json, such as es-419.json, and a
// file of another kind of English, such as en-GB.json, may lack keys; Check notes the groups of missing keys whose inherited texts nobody
// has read. The error means that a file cannot be read at all.
func Check(folder fs.FS) ([]Problem, error) {
	b, err := ReadBook(folder)
	if err != nil {
		return nil, err
	}
	english, err := readTexts(folder, "en.json")
	if err != nil {
		return nil, err
	}
	var all []Problem
	files, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		l := b.languages[strings.TrimSuffix(file, ".json")]
		c := checker{
			file: file, tag: l.tag(), english: english,
			whole: l.parent == b.languages["en"] && !sameBase(l.tag(), language.English),
		}
		if err := c.findLines(folder); err != nil {
			return nil, err
		}
		if c.own, err = l.read(); err != nil {
			return nil, err
		}
		c.check()
		if !c.whole && l.parent != nil {
			parent, err := l.parent.read()
			if err != nil {
				return nil, err
			}
			c.findUnread(l.parent.tag(), parent)
		}
		all = append(all, c.problems...)
	}
	return all, nil
}

// findUnread notes the groups of texts that the file inherits and that nobody has read since they last changed. A group consists of
// the keys with the same first word. The file names each group that somebody has read, with a checksum of the texts inherited at
// that time.
func (c *checker) findUnread(from language.Tag, parent texts) {
	sums, numbers := map[string]hash.Hash32{}, map[string]int{}
	for _, key := range slices.Sorted(maps.Keys(parent)) {
		if _, own := c.own[key]; own || key == glossary {
			continue
		}
		group, _, _ := strings.Cut(key, ".")
		if sums[group] == nil {
			sums[group] = fnv.New32a()
		}
		fmt.Fprintln(sums[group], key, parent[key].all())
		numbers[group]++
	}
	for _, group := range slices.Sorted(maps.Keys(sums)) {
		if sum := fmt.Sprintf("%08x", sums[group].Sum32()); c.own[inherited].forms[group] != sum {
			c.report(group+".*", "inherited, not looked at (%d, from %s.json); once they are read, write %q: %q under %q",
				numbers[group], from, group, sum, inherited)
		}
	}
}

// glossary is the first key of each file. Its value is not a text but a glossary for translators: the words of the language for the terms
// of the game or, in English, explanations of the terms.
const glossary = "glossary"

// inherited is a key in the file of a regional language, such as es-419.json. Its value names the groups of texts of the parent language
// that somebody has read for the region; see findUnread.
const inherited = "inherited"

// exactForms are the names of forms for exactly 0 and exactly 1.
var exactForms = []string{"=0", "=1"}

// all returns all texts of the entry by the name of the plural form.
func (e entry) all() map[string]string {
	if e.forms == nil {
		return map[string]string{"other": e.other}
	}
	return e.forms
}

// tag returns the tag of a language of a book of files.
func (l *speech) tag() language.Tag { return language.Tag(l.numbers.(cldr)) }

func sameBase(a, b language.Tag) bool {
	baseA, _ := a.Base()
	baseB, _ := b.Base()
	return baseA == baseB
}

// checker finds the problems in one file.
type checker struct {
	file     string
	tag      language.Tag
	english  texts
	own      texts
	whole    bool // the file must have every key
	lines    map[string]int
	problems []Problem
}

func (c *checker) check() {
	for key, e := range c.own {
		english, is := c.english[key]
		if name, form := formOfName(key); form != "" {
			english, is = c.english[name], true
			if name == "name" {
				english.other = "{{.Name}}"
			}
		}
		if !is && key != inherited {
			c.report(key, "English has no such text")
		} else if key != glossary && key != inherited {
			c.compare(key, english, e.all())
		}
	}
	for key := range c.english {
		if _, is := c.own[key]; !is && c.whole && key != glossary {
			c.report(key, "it is missing")
		}
	}
	for term := range c.english[glossary].forms {
		if c.own[glossary].forms[term] == "" && c.whole {
			c.report(glossary, "it has no word for %q", term)
		}
	}
	slices.SortFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Key, b.Key), strings.Compare(a.What, b.What))
	})
}

func (c *checker) report(key, format string, args ...any) {
	c.problems = append(c.problems, Problem{File: c.file, Line: c.lines[key], Key: key, What: fmt.Sprintf(format, args...)})
}

// findLines finds the line of each key in the file, and adds a problem for each key that occurs twice.
func (c *checker) findLines(folder fs.FS) error {
	content, err := fs.ReadFile(folder, c.file)
	if err != nil {
		return fmt.Errorf("texts: %w", err)
	}
	c.lines = map[string]int{}
	d := json.NewDecoder(bytes.NewReader(content))
	_, err = d.Token() // skips the opening brace
	for err == nil && d.More() {
		var key json.Token
		if key, err = d.Token(); err != nil {
			break
		}
		name, line := fmt.Sprint(key), 1+bytes.Count(content[:d.InputOffset()], []byte("\n"))
		if first, twice := c.lines[name]; twice {
			c.problems = append(c.problems, Problem{File: c.file, Line: line, Key: name, What: fmt.Sprintf("it stands on line %d already", first)})
		}
		c.lines[name] = line
		err = d.Decode(new(json.RawMessage))
	}
	if err != nil {
		return fmt.Errorf("texts: %s:%d: %w", c.file, 1+bytes.Count(content[:d.InputOffset()], []byte("\n")), err)
	}
	return nil
}

// compare compares the text of a key with the English text, and adds the problems.
func (c *checker) compare(key string, english entry, forms map[string]string) {
	needed := map[string]bool{"other": true}
	counted := len(english.forms) > 1 || gapsOf(english.other)["{{.PluralCount}}"] && len(forms) > 1
	if counted {
		needed = neededForms(c.tag)
	}
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		if _, is := forms[name]; !is {
			c.report(key, "the plural form %q is missing", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		if !needed[name] && !(counted && slices.Contains(exactForms, name)) {
			c.report(key, "there is no plural form %q here", name)
			continue
		}
		want, got := gapsOf(english.other), gapsOf(forms[name])
		c.nameForms(key, forms[name])
		for option := range optionsOf(english.other) {
			if named := c.named(option); !strings.Contains(forms[name], "`"+named+"`") {
				c.report(key, "the option `%s` is missing", named)
			}
		}
		if counted && standsForOne(c.tag, name, forms) {
			delete(want, "{{.PluralCount}}") // a text such as "one move" has the number in words
			delete(got, "{{.PluralCount}}")
		}
		for _, gap := range slices.Sorted(maps.Keys(want)) {
			if !got[gap] {
				c.report(key, "%s is missing", gap)
			}
		}
		for _, gap := range slices.Sorted(maps.Keys(got)) {
			if !want[gap] {
				c.report(key, "English has no %s", gap)
			}
		}
		c.fit(key, forms[name])
	}
}

// standIns are the keys of the texts that replace names. In inflected languages, each of them, and "name" itself, has a text for
// each form of names that other texts use.
var standIns = []string{"name", "name.unknown", "name.hidden", "name.left", "name.computer", "name.crowd", "name.team"}

// formOfName returns the stand-in and the form of a key such as name.left.against. The form is empty for other keys.
func formOfName(key string) (name, form string) {
	if i := strings.LastIndex(key, "."); i > 0 && slices.Contains(standIns, key[:i]) && !slices.Contains(standIns, key) {
		return key[:i], key[i+1:]
	}
	return "", ""
}

// nameForms reports forms of names in a text that the file does not define.
func (c *checker) nameForms(key, text string) {
	for text != "" {
		var p piece
		p, text = next(text)
		for _, name := range standIns {
			if _, is := c.own[name+"."+p.form]; p.form != "" && !is && c.whole {
				c.report(key, "{{.%s.%s}} needs %s.%s", p.argument, p.form, name, p.form)
			}
		}
	}
}

// fit reports violations of the limits of Discord and of screens in a text.
func (c *checker) fit(key, text string) {
	words := wordsOf(text)
	switch {
	case strings.HasPrefix(key, "word.") && !isName(text):
		c.report(key, "a command or an option is named in small letters, digits, - and _, without spaces")
	case strings.Contains(words, "{{") || strings.Contains(words, "}}"):
		c.report(key, "an argument is written {{.Name}}")
	case text == "" || strings.TrimSpace(text) != text:
		c.report(key, "it is empty, or has space around it")
	case strings.Contains(text, "\n"):
		c.report(key, "it has more than one line; lists of lines are the screen's")
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == utf8.RuneError }):
		c.report(key, "it has a character that nobody can see")
	case strings.ContainsAny(words, "*_~|<>[]{}@#"):
		c.report(key, "it has markup; how things look is the style's")
	case strings.Contains(text, "!!") || strings.Contains(text, "  "):
		c.report(key, "it has two spaces or exclamation marks in a row")
	}
	if n := lists[key]; n > 0 && strings.Count(text, ", ") != n-1 {
		c.report(key, "it has %d items with commas between them, not %d", strings.Count(text, ", ")+1, n)
	}
	if n, most := utf8.RuneCountInString(text), maxLength(key); n > most {
		c.report(key, "it has %d characters, %d more than there is room for", n, n-most)
	}
}

// lists has the key of each text that is a list, with the number of its items.
var lists = map[string]int{"date.months": 12, "language.names": len(view.Languages())}

// maxLength returns how many characters a text may have: 34 on a button, as Discord advises, 45 as the title of a form or the label of an
// input in it, 100 as a description and 32 as the name of a command, which are Discord's limits. Other texts have to leave room for their
// neighbours on a screen.
func maxLength(key string) int {
	switch {
	case strings.HasPrefix(key, "word."), strings.HasPrefix(key, "menu."):
		return 32
	case strings.HasPrefix(key, "action."):
		return 34
	case key == "admin.season.date":
		return 44 // a date is one character longer than {{.Date}}
	case key == "privacy.ask.word":
		return 12
	case key == "language.names":
		return 500 // no screen shows all of it
	case key == "privacy.ask.label":
		return 42 // a word may be three characters longer than {{.Word}}
	case strings.HasPrefix(key, "resign.") && strings.HasSuffix(key, ".title"),
		slices.Contains([]string{"privacy.ask.title", "admin.reset.title", "admin.season.title", "admin.season.name"}, key):
		return 45
	case strings.HasPrefix(key, "command."):
		return 100
	default:
		return 300
	}
}

// gapsOf returns the arguments and commands in a text, in the form in which the text has them.
func gapsOf(text string) map[string]bool {
	found := map[string]bool{}
	for text != "" {
		var p piece
		p, text = next(text)
		if p.argument != "" {
			found[fmt.Sprintf("{{.%s}}", p.argument)] = true
		}
		if p.command != "" {
			found[fmt.Sprintf("`/%s`", p.command)] = true
		}
	}
	return found
}

// optionsOf returns the names of options and of commands without a slash in a text, which are small letters between backquotes.
func optionsOf(text string) map[string]bool {
	found := map[string]bool{}
	parts := strings.Split(text, "`")
	for _, part := range parts[1:max(1, len(parts)-1)] {
		if part != "" && strings.Trim(part, "abcdefghijklmnopqrstuvwxyz") == "" {
			found[part] = true
		}
	}
	return found
}

// named returns the name that an option has in this file or, if the file has none, in English. An option with the name of a command may have
// a word of its own.
func (c *checker) named(option string) string {
	for _, texts := range []texts{c.own, c.english} {
		for _, key := range []string{"word." + option + ".option", "word." + option} {
			if e, is := texts[key]; is {
				return e.other
			}
		}
	}
	return option
}

// isName reports whether Discord allows the name for commands and options
// (https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-naming).
func isName(text string) bool {
	forbidden := func(r rune) bool {
		return !strings.ContainsRune("-_'", r) && !unicode.In(r, unicode.L, unicode.N, unicode.Devanagari, unicode.Thai)
	}
	n := utf8.RuneCountInString(text)
	return 1 <= n && n <= 32 && !strings.ContainsFunc(text, forbidden) && strings.ToLower(text) == text
}

// wordsOf returns the words of a text, without the arguments and commands.
func wordsOf(text string) (words string) {
	for text != "" {
		var p piece
		p, text = next(text)
		words += p.words
	}
	return words
}

// counts returns whole numbers among which every plural form of every language occurs.
func counts() (all []int) {
	for n := range 201 {
		all = append(all, n)
	}
	return append(all, 1_000, 1_000_000)
}

// neededForms returns the plural forms that a language has for whole numbers.
func neededForms(tag language.Tag) map[string]bool {
	needed := map[string]bool{}
	for _, n := range counts() {
		needed[formOf(tag, n)] = true
	}
	return needed
}

// standsForOne reports whether the form is used for only one number, so that the text may leave the number out.
func standsForOne(tag language.Tag, name string, forms map[string]string) bool {
	n := 0
	for _, count := range counts() {
		if _, exact := forms[fmt.Sprint("=", count)]; !exact && formOf(tag, count) == name {
			n++
		}
	}
	return n == 1 || slices.Contains(exactForms, name)
}
