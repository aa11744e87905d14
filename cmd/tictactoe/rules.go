package main

import (
	"strings"

	"tictactoe/game"
)

// ruleSet is a flag that names a rule set.
type ruleSet struct{ game.Rules }

// UnmarshalText reads the flag; an error is one of usage.
func (r *ruleSet) UnmarshalText(text []byte) (err error) {
	r.Rules, err = game.ParseRules(string(text))
	return err
}

// ruleNames are the names of the rule sets on offer.
func ruleNames() string { return joined(game.Offered(), func(o game.Offer) string { return o.Name }) }

// joined returns the names of all in a row.
func joined[T any](all []T, name func(T) string) string {
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = name(one)
	}
	return strings.Join(names, ", ")
}
