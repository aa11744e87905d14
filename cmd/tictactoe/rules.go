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
func ruleNames() string {
	var names []string
	for _, offer := range game.Offered() {
		names = append(names, offer.Name)
	}
	return strings.Join(names, ", ")
}
