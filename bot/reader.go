package bot

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"
)

// maxDepth bounds how deep what a reader reads may be nested.
const maxDepth = 64

// reader reads JSON that is written as Discord writes it, in one pass and without reflection, which takes half of the time of
// encoding/json. What it reads is what encoding/json would read. If the text is of any other form, odd says so, and encoding/json
// has to read it from the beginning.
type reader struct {
	json  []byte
	at    int
	depth int
	odd   bool
}

// ended reports whether all was read, and nothing was odd.
func (r *reader) ended() bool { return r.peek() == 0 && r.at == len(r.json) && !r.odd }

// peek returns the next byte that is no space, 0 at the end.
func (r *reader) peek() byte {
	for ; r.at < len(r.json); r.at++ {
		if c := r.json[r.at]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

// take reads c if that is next, and reports whether it was.
func (r *reader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.at++
	return true
}

// null reads null if that is next, and reports whether it was.
func (r *reader) null() bool {
	if r.peek() != 'n' || !bytes.HasPrefix(r.json[r.at:], []byte("null")) {
		return false
	}
	r.at += len("null")
	return true
}

// object reads an object or null. members are names, each followed by a pointer to the variable for the member of that name. A
// name with other characters than a-z, 0-9 and _ is odd, because encoding/json might match it to another name.
func (r *reader) object(members ...any) {
	r.list('{', '}', func() {
		name := r.quoted()
		for _, c := range name {
			r.odd = r.odd || (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_'
		}
		r.odd = r.odd || !r.take(':')
		for i := 0; i < len(members); i += 2 {
			if members[i].(string) == string(name) {
				r.value(members[i+1])
				return
			}
		}
		r.skip()
	})
}

// value reads a value into a variable.
func (r *reader) value(to any) {
	switch to := to.(type) {
	case *string:
		r.text(to)
	case *int:
		number(r, to)
	case *discordgo.ChannelType:
		number(r, to)
	case *discordgo.MessageType:
		number(r, to)
	case *discordgo.MessageFlags:
		number(r, to)
	case *json.RawMessage:
		*to = r.raw()
	case **member:
		readAt(r, to)
	case **user:
		readAt(r, to)
	case **clicked:
		readAt(r, to)
	case **carrier:
		readAt(r, to)
	case *[]carrier:
		r.odd = r.odd || *to != nil // encoding/json would read the second ones into the first
		r.list('[', ']', func() {
			if *to == nil {
				*to = make([]carrier, 0, 5) // Discord's row of buttons
			}
			*to = append(*to, carrier{})
			(*to)[len(*to)-1].read(r)
		})
	case interface{ read(*reader) }:
		to.read(r)
	case json.Unmarshaler:
		r.odd = to.UnmarshalJSON(r.raw()) != nil || r.odd
	default:
		r.into(to)
	}
}

// readAt reads what a pointer leads to, or that it leads nowhere.
func readAt[T any, P interface {
	*T
	read(r *reader)
}](r *reader, to *P) {
	switch {
	case r.null():
		*to = nil
		return
	case *to == nil:
		*to = new(T)
	}
	(*to).read(r)
}

// list reads what stands between two brackets, parted by commas, or null.
func (r *reader) list(begin, end byte, one func()) {
	if r.null() {
		return
	}
	r.depth++
	r.odd = r.odd || !r.take(begin) || r.depth > maxDepth
	for first := true; !r.odd && !r.take(end); first = false {
		if r.odd = !first && !r.take(','); !r.odd {
			one()
		}
	}
	r.depth--
}

// text reads a string; null leaves to as it is.
func (r *reader) text(to *string) {
	if r.peek() != '"' {
		r.into(to)
		return
	}
	start := r.at
	inside := r.quoted()
	if bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		*to = string(inside)
		return
	}
	r.at = start
	r.into(to)
}

// number reads a number; null leaves to as it is.
func number[T ~int](r *reader, to *T) {
	r.peek()
	start := r.at
	r.skip()
	value := r.json[start:r.at]
	if n, err := strconv.Atoi(string(value)); err == nil && !r.odd {
		*to = T(n)
		return
	}
	r.at = start
	r.into(to)
}

// into reads any value as encoding/json does.
func (r *reader) into(to any) {
	if value := r.raw(); !r.odd && json.Unmarshal(value, to) != nil {
		r.odd = true
	}
}

// raw reads any value and returns it as it is written.
func (r *reader) raw() json.RawMessage {
	r.peek()
	start := r.at
	r.skip()
	return r.json[start:r.at]
}

// skip reads any value and forgets it.
func (r *reader) skip() {
	switch r.peek() {
	case '{':
		r.list('{', '}', func() {
			r.quoted()
			r.odd = r.odd || !r.take(':')
			r.skip()
		})
	case '[':
		r.list('[', ']', r.skip)
	case '"':
		r.quoted()
	default:
		r.literal()
	}
}

// quoted reads a string and returns what stands between the quotes, as it is written.
func (r *reader) quoted() []byte {
	r.odd = r.odd || !r.take('"')
	for start := r.at; r.at < len(r.json) && !r.odd; r.at++ {
		switch c := r.json[r.at]; {
		case c == '"':
			r.at++
			return r.json[start : r.at-1]
		case c == '\\':
			r.escape()
		case c < ' ':
			r.odd = true
		}
	}
	r.odd = true
	return nil
}

// escape reads an escape sequence except for its last byte, which quoted skips.
func (r *reader) escape() {
	rest := r.json[r.at+1:]
	switch {
	case len(rest) > 4 && rest[0] == 'u':
		_, err := strconv.ParseUint(string(rest[1:5]), 16, 16)
		r.odd = err != nil
		r.at += 5
	case len(rest) > 0 && strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		r.at++
	default:
		r.odd = true
	}
}

// literal reads a number, true, false or null.
func (r *reader) literal() {
	start, digits := r.at, true
	for ; r.at < len(r.json) && strings.IndexByte(",]} \n\t\r", r.json[r.at]) < 0; r.at++ {
		digits = digits && '0' <= r.json[r.at] && r.json[r.at] <= '9'
	}
	switch value := r.json[start:r.at]; {
	case string(value) == "true", string(value) == "false", string(value) == "null":
	case digits && len(value) > 0 && (value[0] != '0' || len(value) == 1):
	default:
		r.odd = r.odd || !json.Valid(value)
	}
}
