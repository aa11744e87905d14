package check

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The codes of nested errors that belong to a type rather than to a feature.
const (
	badLength      = "BASE_TYPE_BAD_LENGTH"
	maxLength      = "BASE_TYPE_MAX_LENGTH"
	required       = "BASE_TYPE_REQUIRED"
	notAChoice     = "BASE_TYPE_CHOICES"
	wrongUnion     = "UNION_TYPE_CHOICES"
	notAnObject    = "MODEL_TYPE_CONVERT"
	notAList       = "LIST_TYPE_CONVERT"
	notAString     = "STRING_TYPE_CONVERT"
	notABoolean    = "BOOLEAN_TYPE_CONVERT"
	notANumber     = "NUMBER_TYPE_COERCE"
	numberTooSmall = "NUMBER_TYPE_MIN"
	numberTooLarge = "NUMBER_TYPE_MAX"
	badURL         = "URL_TYPE_INVALID_URL"
	badScheme      = "URL_TYPE_INVALID_SCHEME"
	badDate        = "DATE_TIME_TYPE_PARSE"
	notDataURI     = "BINARY_TYPE_INVALID_DATA_URI"
)

// value is one JSON value of a body, with its place in the body and the report that collects its faults. Its data is a map, a
// list, a string, a bool, an int64 or a float64, or nil if the value is absent.
type value struct {
	data   any
	at     *place
	report *report
}

// place is a place in a body: a linked list of keys, from which a path is built only for an error.
type place struct {
	above *place
	key   string
}

func (p *place) path() []string {
	var path []string
	for ; p != nil; p = p.above {
		path = append(path, p.key)
	}
	slices.Reverse(path)
	return path
}

func (v value) present() bool { return v.data != nil }

// refuse records a fault at this place.
func (v value) refuse(code, format string, args ...any) {
	v.report.add(v.at.path(), fault{Code: code, Message: fmt.Sprintf(format, args...)})
}

func (v value) refuseRequired() { v.refuse(required, "This field is required") }

// member returns the member of an object. The member is absent if the object lacks it, or if v is not an object.
// Findings reports the members that no rule has read with this method.
func (v value) member(key string) value {
	v.report.know(v.at, key)
	return v.peek(key)
}

// peek is like member, for a rule that only looks whether the member is present. Findings still reports the member as
// unknown.
func (v value) peek(key string) value {
	object, _ := v.data.(map[string]any)
	return value{data: object[key], at: &place{v.at, key}, report: v.report}
}

// unset makes a member known to Findings if it has the value that a client sends because it cannot omit the member.
// If the parameter as is nil, every value matches.
func (v value) unset(key string, as any) {
	if as == nil || v.peek(key).data == as {
		v.report.know(v.at, key)
	}
}

// keys returns the sorted names of an object's members.
func (v value) keys() []string {
	object, _ := v.data.(map[string]any)
	return slices.Sorted(maps.Keys(object))
}

// required returns a required member of an object, and reports a missing one.
func (v value) required(key string) value {
	m := v.member(key)
	if !m.present() {
		m.refuseRequired()
	}
	return m
}

// object reports whether v is an object. It records a fault if v is present and
// not an object.
func (v value) object() bool {
	if !v.present() {
		return false
	}
	if _, ok := v.data.(map[string]any); !ok {
		v.refuse(notAnObject, "Only dictionaries may be used in a ModelType")
		return false
	}
	return true
}

// list returns the items of a list whose length must be in a range. It returns nil if there is no list, or if the list is too
// long, so that a long list does not cause a thousand faults.
func (v value) list(least, most int) []value {
	if !v.present() {
		return nil
	}
	data, ok := v.data.([]any)
	if !ok {
		v.refuse(notAList, "Only iterables may be used in a ListType")
		return nil
	}
	if !v.length(len(data), least, most) {
		return nil
	}
	items := make([]value, len(data))
	for i := range data {
		items[i] = v.item(i)
		if !items[i].present() {
			items[i].refuseRequired()
		}
	}
	return items
}

// item returns one item of a list. The item is absent if the list is shorter, or if v is not a list.
func (v value) item(i int) value {
	items, _ := v.data.([]any)
	var data any
	if i < len(items) {
		data = items[i]
	}
	return value{data: data, at: &place{v.at, strconv.Itoa(i)}, report: v.report}
}

// length checks a length against its range.
func (v value) length(n, least, most int) bool {
	switch {
	case n >= least && n <= most:
		return true
	case least == 0:
		v.refuse(maxLength, "Must be %d or fewer in length.", most)
	default:
		v.refuse(badLength, "Must be between %d and %d in length.", least, most)
	}
	return false
}

// text returns a string whose length must be in a range, or "" if there is none.
func (v value) text(least, most int) string {
	s, ok := v.anyText()
	if ok {
		v.length(utf8.RuneCountInString(s), least, most)
	}
	return s
}

// notBlank reports a text that consists only of spaces, since Discord trims texts.
func (v value) notBlank(text string) {
	if text != "" && strings.TrimSpace(text) == "" {
		v.refuseRequired()
	}
}

func (v value) anyText() (string, bool) {
	if !v.present() {
		return "", false
	}
	s, ok := v.data.(string)
	if !ok {
		v.refuse(notAString, "Could not interpret %q as string.", fmt.Sprint(v.data))
	}
	return s, ok
}

// whole returns an integer that must be in a range. It returns false if the integer is absent or invalid.
func (v value) whole(least, most int64) (int64, bool) {
	if !v.present() {
		return 0, false
	}
	n, ok := v.data.(int64)
	if !ok {
		v.refuse(notANumber, "Value %q is not int.", fmt.Sprint(v.data))
		return 0, false
	}
	switch {
	case n < least:
		v.refuse(numberTooSmall, "Value should be greater than or equal to %d.", least)
	case n > most:
		v.refuse(numberTooLarge, "Value should be less than or equal to %d.", most)
	default:
		return n, true
	}
	return n, false
}

// number returns a number that must be in a range. It returns false if the number is absent or invalid.
func (v value) number(least, most float64) (float64, bool) {
	if !v.present() {
		return 0, false
	}
	f, ok := v.float()
	if !ok {
		v.refuse(notANumber, "Value %q is not float.", fmt.Sprint(v.data))
		return 0, false
	}
	switch {
	case f < least:
		v.refuse(numberTooSmall, "Value should be greater than or equal to %v.", int64(least))
	case f > most:
		v.refuse(numberTooLarge, "Value should be less than or equal to %v.", int64(most))
	default:
		return f, true
	}
	return f, false
}

// float returns a number, if there is one.
func (v value) float() (float64, bool) {
	switch data := v.data.(type) {
	case int64:
		return float64(data), true
	case float64:
		return data, true
	}
	return 0, false
}

// choice returns an integer that must be one of the allowed values. It returns false if the integer is absent or invalid.
func (v value) choice(allowed ...int64) (int64, bool) {
	if !v.present() {
		return 0, false
	}
	n, ok := v.data.(int64)
	if !ok || !slices.Contains(allowed, n) {
		v.refuse(notAChoice, "Value must be one of {%s}.", joined(allowed))
		return 0, false
	}
	return n, true
}

// unionType returns the type of an object that may have one of several types. It returns false if the type is none of them.
func (v value) unionType(allowed ...int64) (int64, bool) {
	t := v.required("type")
	if !t.present() {
		return 0, false
	}
	n, ok := t.data.(int64)
	if !ok || !slices.Contains(allowed, n) {
		tuple := joined(allowed)
		if len(allowed) == 1 {
			tuple += ","
		}
		t.refuse(wrongUnion, `Value of field "type" must be one of (%s).`, tuple)
		return 0, false
	}
	return n, true
}

// word returns a string that must be one of the allowed values, or "" if the
// string is absent or invalid.
func (v value) word(allowed ...string) string {
	if !v.present() {
		return ""
	}
	s, ok := v.data.(string)
	if !ok || !slices.Contains(allowed, s) {
		v.refuse(notAChoice, "Value must be one of {'%s'}.", strings.Join(allowed, "', '"))
		return ""
	}
	return s
}

// flag returns a boolean, or false if there is none.
func (v value) flag() bool {
	if !v.present() {
		return false
	}
	b, ok := v.data.(bool)
	if !ok {
		v.refuse(notABoolean, "Must be either true or false.")
	}
	return b
}

// snowflake checks an id, which Discord writes as a string of digits and also accepts as a number.
func (v value) snowflake() {
	switch data := v.data.(type) {
	case nil:
		return
	case int64:
		if data >= 0 {
			return
		}
	case string:
		_, err := strconv.ParseUint(data, 10, 64)
		if err == nil && (data == "0" || data[0] != '0') {
			return
		}
	}
	v.refuse(notANumber, "Value %q is not snowflake.", fmt.Sprint(v.data))
}

// link returns a string, which must be a well-formed URL with one of the schemes.
func (v value) link(most int, schemes ...string) string {
	s := v.text(0, most)
	if s == "" {
		return s
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme == "" || u.Host == "" && u.Opaque == "" && u.Path == "":
		v.refuse(badURL, "Not a well formed URL.")
	case !slices.Contains(schemes, u.Scheme):
		v.refuse(badScheme, "Scheme %q is not supported. Scheme must be one of ('%s').", u.Scheme, strings.Join(schemes, "', '"))
	}
	return s
}

func joined(numbers []int64) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(words, ", ")
}
