package sqlstore

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Fragments that differ between the databases and occur in more than one statement.
const (
	// venueOfPartition and the similar fragments test whether a venue or server is in the partition $1 of $2, like [match.PartitionOf].
	// SQLite converts text that is not a number to 0.
	venueOfPartition = `{postgres:` + venueOfPostgres + `}{sqlite:` + venueOfSQLite + `}`
	venueOfPostgres  = `dealt(venue) % $2::bigint = $1::bigint`
	venueOfSQLite    = `(CAST(venue AS INTEGER) >> 22) % $2 = $1`
	guildOfPartition = `{postgres:dealt(guild) % $2::bigint = $1::bigint}{sqlite:(CAST(guild AS INTEGER) >> 22) % $2 = $1}`
	idOfPartition    = `{postgres:dealt(id) % $2::bigint = $1::bigint}{sqlite:(CAST(id AS INTEGER) >> 22) % $2 = $1}`

	// each1 is a table of one column that holds the values of the [Texts] $1.
	each1 = `(SELECT value FROM {postgres:unnest($1::text[]) AS each (value)}{sqlite:json_each($1)})`
	// oneOf1 and the similar fragments test whether the preceding expression is one of the given values. In a join with a table of the
	// values, Postgres would read all rows, for example all scores of a server, because it cannot estimate the number of values.
	oneOf1 = `{postgres:= ANY($1::text[])}{sqlite:IN (SELECT value FROM json_each($1))}`
	oneOf2 = `{postgres:= ANY($2::text[])}{sqlite:IN (SELECT value FROM json_each($2))}`

	// released clears the holder of the deadline of a row. SQLite has no holders.
	released = `{postgres:, held_by = NULL, held_until = NULL}`
)

var (
	marked    = regexp.MustCompile(`\{(\w+):([^{}]*)\}`)
	parameter = regexp.MustCompile(`\$(\d+)`)
)

// Dialect translates statements for one database, and caches the translations. It is safe for concurrent use.
type Dialect struct {
	name  string   // the name that marks the text for this database in statements
	texts sync.Map // values of type text, by statement
}

// The databases.
var (
	SQLite   = &Dialect{name: "sqlite"}
	Postgres = &Dialect{name: "postgres"}
)

type text struct {
	text       string
	parameters int
}

// Text returns a statement in the syntax of the database. Text in braces after the name of a database is for that database only:
//
//	SELECT id FROM boards {sqlite:INDEXED BY boards_behind} WHERE id > $1
//
// Parameters are $1, $2 and so on. For SQLite, which would read them as names, they become ?1, ?2.
func (d *Dialect) Text(statement string) string { return d.text(statement).text }

// Statement returns the [Dialect.Text] of a statement and the arguments for the database, without the last arguments that the text does
// not use.
func (d *Dialect) Statement(statement string, args []any) (string, []any) {
	t := d.text(statement)
	args = args[:min(t.parameters, len(args))]
	for i, arg := range args {
		if several, is := arg.(Texts); is && d == SQLite {
			array, _ := json.Marshal(several) // encoding strings cannot fail
			args = slices.Clone(args)
			args[i] = string(array)
		}
	}
	return t.text, args
}

func (d *Dialect) text(statement string) text {
	if known, is := d.texts.Load(statement); is {
		return known.(text)
	}
	words := marked.ReplaceAllStringFunc(statement, func(mark string) string {
		part := marked.FindStringSubmatch(mark)
		if part[1] != d.name {
			return ""
		}
		return part[2]
	})
	var t text
	for _, p := range parameter.FindAllStringSubmatch(words, -1) {
		n, _ := strconv.Atoi(p[1])
		t.parameters = max(t.parameters, n)
	}
	if d == SQLite {
		words = parameter.ReplaceAllString(words, "?$1")
	}
	t.text = strings.TrimSpace(words)
	d.texts.Store(statement, t)
	return t
}

// Texts is a parameter that holds several texts: an array for Postgres, JSON for SQLite. The fragments each1 and oneOf1 read it.
type Texts []string

// texts returns ids as a parameter.
func texts[T ~string](ids []T) Texts {
	all := make(Texts, len(ids))
	for i, id := range ids {
		all[i] = string(id)
	}
	return all
}
