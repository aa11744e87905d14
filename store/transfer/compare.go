package transfer

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Difference is a row that is not the same in both databases.
type Difference struct {
	Table  string `json:"table"`
	Key    string `json:"key"`
	Column string `json:"column,omitempty"` // none if one of them has no such row
	Source string `json:"source"`           // what it has there: a number, a text in quotes, null
	Target string `json:"target"`
}

// String words it.
func (d Difference) String() string {
	column := ""
	if d.Column != "" {
		column = ", column " + d.Column
	}
	return fmt.Sprintf("table %s, key %s%s: source %s, target %s", d.Table, d.Key, column, d.Source, d.Target)
}

// compare reads the rows of a table from both sides at once and returns how they differ. The order is the same on both
// sides, unless a key holds what one of them keeps in another way; a row that comes earlier on one side waits for the other's.
func compare(t Table, from, into iter.Seq2[Row, error], compared func()) ([]Difference, error) {
	nextSource, stopSource := iter.Pull2(from)
	defer stopSource()
	nextTarget, stopTarget := iter.Pull2(into)
	defer stopTarget()
	var differences []Difference
	unmatched := map[string][2]Row{} // that of the source and that of the target, by their key, while one is missing
	for {
		a, err, more := nextSource()
		if err != nil {
			return nil, fmt.Errorf("read %s of the source: %w", t.Name, err)
		}
		b, err, moreThere := nextTarget()
		if err != nil {
			return nil, fmt.Errorf("read %s of the target: %w", t.Name, err)
		}
		if !more && !moreThere {
			break
		}
		compared()
		if slices.Equal(a, b) {
			continue
		}
		for side, row := range [...]Row{a, b} {
			if row == nil {
				continue
			}
			key := t.key(row)
			pair := unmatched[key]
			pair[side] = row
			unmatched[key] = pair
			if pair[0] != nil && pair[1] != nil {
				delete(unmatched, key)
				differences = append(differences, t.differences(pair[0], pair[1])...)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(unmatched)) {
		d := Difference{t.Name, key, "", "has it", "does not"}
		if unmatched[key][0] == nil {
			d.Source, d.Target = d.Target, d.Source
		}
		differences = append(differences, d)
	}
	return differences, nil
}

// key names a row.
func (t Table) key(r Row) string {
	var parts []string
	for _, v := range r[:t.Key] {
		parts = append(parts, word(v))
	}
	return strings.Join(parts, " ")
}

// differences are those of two rows with one key.
func (t Table) differences(one, other Row) (all []Difference) {
	for i, column := range t.Columns {
		if one[i] != other[i] {
			all = append(all, Difference{t.Name, t.key(one), column, word(one[i]), word(other[i])})
		}
	}
	return all
}

func word(v any) string {
	if v == nil {
		return "null"
	}
	if text, is := v.(string); is {
		return fmt.Sprintf("%q", text)
	}
	return fmt.Sprint(v)
}
