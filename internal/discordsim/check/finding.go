package check

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Findings lists what Discord accepts in a body and ignores, so that the sender is mistaken about what it says: members
// that the description does not know, typos mostly, and flags that have no effect. Members that are null do not count,
// nor what discordgo cannot help sending. It does not repeat what is an Error, and without a description it knows no
// unknown members. The list is sorted, and nil for a body without findings.
func (c *Checker) Findings(kind Kind, body []byte) []string {
	data, malformed := parse(body)
	if malformed != nil {
		return nil
	}
	data = orEmpty(kind, data)
	var findings []string
	if kind == Callback {
		findings = ignoredFlags(value{data: data})
	}
	findings = append(findings, c.unknownMembers(kind, data)...)
	slices.Sort(findings)
	return slices.Compact(findings)
}

// ignoredFlags: a deferred message honours EPHEMERAL alone (Discord's api-docs#7515, #7910).
func ignoredFlags(v value) []string {
	if v.member("type").data != int64(deferredChannelMessage) {
		return nil
	}
	flags, _ := v.member("data").member("flags").data.(int64)
	if flags&^ephemeral == 0 {
		return nil
	}
	return []string{fmt.Sprintf("data.flags: a deferral ignores the flags %d", flags&^ephemeral)}
}

// unknownMembers lists the members that the description does not know.
func (c *Checker) unknownMembers(of Kind, data any) []string {
	name := schemaName(of, data)
	if c.schemas == nil || name == "" {
		return nil
	}
	violation, ok := errors.AsType[*jsonschema.ValidationError](c.schemas.validate(strict, name, data))
	if !ok {
		return nil
	}
	var unknown []string
	for _, leaf := range explain(violation) {
		extra, ok := leaf.ErrorKind.(*kind.AdditionalProperties)
		if !ok {
			continue
		}
		schema := path.Base(leaf.SchemaURL)
		holder := object(at(data, leaf.InstanceLocation))
		for _, member := range extra.Properties {
			if !isQuirk(schema, member, holder[member]) {
				place := append(slices.Clone(leaf.InstanceLocation), member)
				unknown = append(unknown, strings.Join(place, ".")+": unknown field")
			}
		}
	}
	return unknown
}

// at is the value under a path.
func at(data any, path []string) any {
	v := value{data: data}
	for _, key := range path {
		if _, isList := v.data.([]any); isList {
			i, _ := strconv.Atoi(key) // the validator's own path: always an index
			v = v.item(i)
			continue
		}
		v = v.member(key)
	}
	return v.data
}

// quirk is a member that discordgo v0.29.0 sends where Discord does not know it, and that its user cannot leave out.
type quirk struct {
	schema string // pattern of the names of the schemas that lack the member
	member string
	value  any // what is sent when the user sets nothing; nil for anything
	reason string
}

var quirks = []quirk{
	{"ModalInteractionCallbackRequestData", "tts", false, "one struct for the data of all callbacks, no omitempty"},
	{"ModalInteractionCallbackRequestData", "content", "", "one struct for the data of all callbacks, no omitempty"},
	{"InteractionApplicationCommandAutocompleteCallback*Data", "tts", false, "one struct for the data of all callbacks, no omitempty"},
	{"InteractionApplicationCommandAutocompleteCallback*Data", "content", "", "one struct for the data of all callbacks, no omitempty"},
	{"IncomingWebhookUpdateForInteractionCallbackRequestPartial", "tts", false, "one struct for the data of all callbacks, no omitempty"},
	{"ApplicationCommand*Option", "autocomplete", false, "one struct for all types of option, no omitempty"},
	{"MessageEditRequestPartial", "ID", nil, "the address of the message, not excluded from the JSON"},
	{"MessageEditRequestPartial", "Channel", nil, "the address of the message, not excluded from the JSON"},
}

func isQuirk(schema, member string, sent any) bool {
	return slices.ContainsFunc(quirks, func(q quirk) bool {
		matches, _ := path.Match(q.schema, schema)
		return matches && q.member == member && (q.value == nil || q.value == sent)
	})
}
