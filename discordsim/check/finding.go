package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Findings lists the parts of a body that Discord accepts but ignores, although the sender probably meant something:
// members that no rule knows, which are mostly typos, and flags that have no effect. It omits null members and
// members that discordgo always sends. A refused body has no findings. The list is sorted, and nil if there are none.
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

// ignoredFlags returns the flags of a deferred message that Discord ignores: all but EPHEMERAL (Discord's api-docs#7515, #7910).
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

// unknown lists the members at and below a place that no rule has read. It omits objects of which no rule has read any member.
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
