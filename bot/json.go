package bot

import (
	"encoding/json"
	"unicode/utf8"

	fast "github.com/segmentio/encoding/json"
)

// shortJSON is how long JSON may be for the faster library, in bytes. It has no limit for nesting, each level of which takes some of the
// stack; so much cannot nest deeper than encoding/json allows. A click has 4 kB.
const shortJSON = 16 << 10

// readJSON reads what a click brings, in half the time that encoding/json takes. What the faster library refuses, encoding/json reads again:
// it decides what is wrong, and reads everything else. It also reads what is not UTF-8, because the faster library does not correct that.
func readJSON[T any](raw []byte) (v T, err error) {
	if len(raw) <= shortJSON && utf8.Valid(raw) && fast.Unmarshal(raw, &v) == nil {
		return v, nil
	}
	var anew T
	err = json.Unmarshal(raw, &anew)
	return anew, err
}

// writeJSON writes the body of a request, in half the time that encoding/json takes. It does not know the option omitzero of a field.
func writeJSON(v any) ([]byte, error) { return fast.Marshal(v) }
