//go:build !race

package ai_test

// underRace tells whether the race detector slows everything down.
const underRace = false
