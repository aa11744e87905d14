//go:build race

package ai_test

// underRace reports whether the race detector is on, which makes everything slow.
const underRace = true
