package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Findings lists what Discord accepts in a body and ignores, so that the sender is mistaken about what it says: members
// that no rule knows, typos mostly, and flags that have no effect. Members that are null do not count, nor what
// discordgo cannot help sending. A body that is refused has no findings. The list is sorted, and nil for a body without
// any.
func (c *Checker) Findings(kind Kind, body []byte) []string {
	data, malformed := parse(body)
	if malformed != nil {
		return nil
	}
	data = orEmpty(kind, data)
	r := &report{known: map[string]map[string]bool{}}
	v := value{data: data, report: r}
	rules(kind, false)(v)
	if r.err() != nil {
		return nil
	}
	var findings []string
	if kind == Callback {
		findings = ignoredFlags(v)
	}
	findings = append(findings, r.unknown(v)...)
	slices.Sort(findings)
	return slices.Compact(findings)
}

// ignoredFlags: a deferred message honours EPHEMERAL alone (Discord's api-docs#7515, #7910).
func ignoredFlags(v value) []string {
	if v.peek("type").data != int64(deferredChannelMessage) {
		return nil
	}
	flags, _ := v.peek("data").peek("flags").data.(int64)
	if flags&^ephemeral == 0 {
		return nil
	}
	return []string{fmt.Sprintf("data.flags: a deferral ignores the flags %d", flags&^ephemeral)}
}

// unknown lists the members at and below a place that no rule has asked for. An object of which no rule asked for
// anything is one that is not looked into.
func (r *report) unknown(v value) []string {
	var unknown []string
	switch data := v.data.(type) {
	case []any:
		for i := range data {
			unknown = append(unknown, r.unknown(v.item(i))...)
		}
	case map[string]any:
		known := r.known[strings.Join(v.at.path(), ".")]
		if known == nil {
			return nil
		}
		for _, key := range slices.Sorted(maps.Keys(data)) {
			m := v.peek(key)
			if !known[key] {
				unknown = append(unknown, strings.Join(m.at.path(), ".")+": unknown field")
				continue
			}
			unknown = append(unknown, r.unknown(m)...)
		}
	}
	return unknown
}
