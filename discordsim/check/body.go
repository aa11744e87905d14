package check

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
)

// parse decodes a body. It drops members that are null, as Discord does not distinguish them from absent members.
func parse(body []byte) (any, *Error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var data any
	if err := decoder.Decode(&data); err != nil {
		return nil, invalidJSON()
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, invalidJSON()
	}
	data, ok := simplify(data)
	if !ok {
		return nil, invalidJSON()
	}
	return data, nil
}

// simplify drops null members and turns each number into an int64, or into a float64 if it is not an integer. It returns false
// for a number beyond the range of both.
func simplify(data any) (any, bool) {
	switch data := data.(type) {
	case map[string]any:
		for key, member := range data {
			if member == nil {
				delete(data, key)
				continue
			}
			simple, ok := simplify(member)
			if !ok {
				return nil, false
			}
			data[key] = simple
		}
	case []any:
		for i, item := range data {
			simple, ok := simplify(item)
			if !ok {
				return nil, false
			}
			data[i] = simple
		}
	case json.Number:
		if n, err := data.Int64(); err == nil {
			return n, true
		}
		f, err := data.Float64()
		if err != nil {
			return nil, false
		}
		if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
			return int64(f), true
		}
		return f, true
	}
	return data, true
}
