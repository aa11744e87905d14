package transfer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// copied are the tables whose rows are copied, those that others refer to first.
func copied() []string {
	return []string{
		"players", "blocks", "back_offs", "erasures", "challenges", "matches", "moves", "scores", "standings", "recounts", "score_resets", "boards", "presence",
		"venues", "policies", "deeds", "emoji", "seasons", "rated", "replays", "lessons",
		"puzzle_attempts", "puzzle_listed", "puzzle_posts",
	}
}

// leftOut tells whether a table, or a column as "table.column", stays behind.
func leftOut(name string) bool {
	switch name {
	case // These are over when no bot runs.
		"claims", "leases", "sessions", "asides", "challenges.held_by", "challenges.held_until", "matches.held_by", "matches.held_until",
		"goose_db_version", Unfinished,
		"installation": // its key goes another way, see Source
		return true
	}
	return strings.HasPrefix(name, "_litestream") // of the tool that replicates a file
}

// Unfinished is the table by which a copy that is not complete is known: one row with one column, source.
const Unfinished = "unfinished_copy"

// Plan is what is copied from one database to another, in that order. It is an error if they differ in anything that is
// not left out.
func Plan(ctx context.Context, from, into Database) ([]Table, error) {
	a, err := tables(ctx, from)
	if err != nil {
		return nil, err
	}
	b, err := tables(ctx, into)
	if err != nil {
		return nil, err
	}
	var plan []Table
	for _, name := range copied() {
		t, there := a[name], b[name]
		switch {
		case t.Key == 0 || there.Key == 0:
			return nil, fmt.Errorf("table %s: one of the databases has none, or none with a key", name)
		case t.Key != there.Key || !slices.Equal(t.Columns, there.Columns):
			return nil, fmt.Errorf("table %s: the columns of one are %v, %d of the key, those of the other %v, %d of the key",
				name, t.Columns, t.Key, there.Columns, there.Key)
		}
		plan = append(plan, t)
	}
	return plan, nil
}

// tables are those of a database that are copied, by their names.
func tables(ctx context.Context, d Database) (map[string]Table, error) {
	all, err := schema(ctx, d)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(all, func(name string, _ Table) bool { return leftOut(name) })
	for name, t := range all {
		if !slices.Contains(copied(), name) {
			return nil, fmt.Errorf("table %s: nothing says whether it is copied", name)
		}
		t.Columns = slices.DeleteFunc(t.Columns, func(c string) bool { return leftOut(name + "." + c) })
		all[name] = t
	}
	return all, nil
}
