package main

import "tictactoe/game"

// ruleSet is a flag that names a rule set.
type ruleSet struct{ game.Rules }

// UnmarshalText reads the flag; an error is one of usage.
func (r *ruleSet) UnmarshalText(text []byte) (err error) {
	r.Rules, err = game.ParseRules(string(text))
	return err
}
