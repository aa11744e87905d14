package check_test

import (
	"fmt"
	"strings"
)

// The functions below write JSON bodies, so that a row of a table only has the part that it tests.

func list(items ...string) string { return strings.Join(items, ",") }

func repeat(n int, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return list(items...)
}

func long(n int) string { return strings.Repeat("x", n) }

func sprintf(format string) func(i int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

// legacy returns a message without Components V2, and rich a message with Components V2. Both have the given
// components.
func legacy(components ...string) string {
	return `{"content":"hi","components":[` + list(components...) + `]}`
}

func rich(components ...string) string {
	return `{"flags":32768,"components":[` + list(components...) + `]}`
}

func row(components ...string) string {
	return `{"type":1,"components":[` + list(components...) + `]}`
}

func button(id string) string {
	return `{"type":2,"style":2,"label":"go","custom_id":"` + id + `"}`
}

func text(content string) string { return `{"type":10,"content":"` + content + `"}` }

func container(components ...string) string {
	return `{"type":17,"components":[` + list(components...) + `]}`
}

func selection(members string) string {
	return row(`{"type":3,"custom_id":"s",` + members + `}`)
}

func option(value string) string {
	return `{"label":"one","value":"` + value + `","description":"","default":false}`
}

func callback(kind int, data string) string {
	return fmt.Sprintf(`{"type":%d,"data":%s}`, kind, data)
}

func modal(components ...string) string {
	return callback(9, `{"custom_id":"m","title":"Resign?","components":[`+list(components...)+`]}`)
}

func input(members string) string {
	return row(`{"type":4,"custom_id":"i","style":1,"label":"Why",` + members + `}`)
}

// command returns a slash command with the given further members.
func command(members ...string) string {
	return `{` + list(append([]string{`"name":"play","description":"Play a game"`}, members...)...) + `}`
}

func withOptions(options ...string) string {
	return command(`"options":[` + list(options...) + `]`)
}

// argument returns an option of a type, with the given further members.
func argument(kind int, name string, members ...string) string {
	all := append([]string{fmt.Sprintf(`"type":%d,"name":%q,"description":"What"`, kind, name)}, members...)
	return `{` + list(all...) + `}`
}

func named(kind int, name string) string {
	return fmt.Sprintf(`{"type":%d,"name":%q}`, kind, name)
}

// ask returns a message with a poll that has the given answers, and attached a message with an attachment that has
// the given members.
func ask(answers ...string) string {
	return `{"poll":{"question":{"text":"?"},"answers":[` + list(answers...) + `]}}`
}

func attached(members string) string { return `{"attachments":[{"id":"0",` + members + `}]}` }
