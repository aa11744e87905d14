package locale

import (
	"errors"
	"fmt"
	"strings"
)

// source are files of texts by their names, which are those of the languages: de.json.
type source map[string]string

// member is a text of a file, or one of its plural forms. A member of the glossary has the term in place of the form.
type member struct {
	key, form string // form is "" of a text that has no forms
	line      int    // of the key, counted from 1
	at, end   int    // where the text stands in the file
}

// errEscape says that a text is not written plainly.
var errEscape = errors.New("a text may have no backslash and no quotation mark of JSON: write the character itself, such as “”")

// parse calls each with the texts of a file in their order. A file is an object of JSON, whose members are texts or objects of texts. What
// JSON would write with a backslash it cannot have, so that a text is a part of the file and takes no memory of its own.
func parse(content string, each func(member)) error {
	p := parser{content: content, line: 1}
	var err error
	m := member{}
	p.object(func(key string) {
		m = member{key: key, line: p.line}
		if p.peek() != '{' {
			m.at, m.end = p.text()
			p.done(&m, each)
			return
		}
		p.object(func(form string) {
			m.form = form
			m.at, m.end = p.text()
			p.done(&m, each)
		})
	})
	if p.wrong == nil && p.peek() != 0 {
		p.fail(errors.New("something follows the last brace"))
	}
	if p.wrong != nil {
		err = fmt.Errorf("line %d: %w", p.line, p.wrong)
	}
	return err
}

// parser reads a file of texts. What is wrong first is wrong for all that follows.
type parser struct {
	content string
	at      int
	line    int
	wrong   error
}

func (p *parser) fail(err error) {
	if p.wrong == nil {
		p.wrong = err
	}
}

func (p *parser) done(m *member, each func(member)) {
	if p.wrong == nil {
		each(*m)
	}
}

// peek is the next byte that is no space, 0 at the end or where something was wrong.
func (p *parser) peek() byte {
	for ; p.wrong == nil && p.at < len(p.content); p.at++ {
		switch c := p.content[p.at]; c {
		case '\n':
			p.line++
		case ' ', '\t', '\r':
		default:
			return c
		}
	}
	return 0
}

// take reads c, if that is next, and reports whether it was.
func (p *parser) take(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

// need reads c, which has to be next.
func (p *parser) need(c byte) {
	if !p.take(c) {
		p.fail(fmt.Errorf("there is no %q where there has to be one", c))
	}
}

// object reads an object, and calls value with each name to read what it stands for.
func (p *parser) object(value func(name string)) {
	p.need('{')
	for first := true; p.wrong == nil && !p.take('}'); first = false {
		if !first {
			p.need(',')
		}
		at, end := p.text()
		p.need(':')
		value(p.content[at:end])
	}
}

// text reads a text, and returns where it stands.
func (p *parser) text() (at, end int) {
	if p.need('"'); p.wrong != nil {
		return 0, 0
	}
	at = p.at
	n := strings.IndexByte(p.content[at:], '"')
	if n < 0 {
		p.fail(errors.New("a text has no end"))
		return 0, 0
	}
	end = at + n
	p.at = end + 1
	if strings.IndexByte(p.content[at:end], '\\') >= 0 {
		p.fail(errEscape)
	}
	return at, end
}
