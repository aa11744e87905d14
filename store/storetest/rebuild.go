package storetest

import (
	"testing"
	"time"
)

// Rebuild measures how long it takes to compare the scores and the ladder of a million matches with the matches, and to write the
// corrections. The function run executes SQL on the database. The function open opens a store on the database, and returns a
// function that rebuilds the scores and the ladder. The function used returns the processor time used so far.
func Rebuild(b *testing.B, run func(statement string), open func(b *testing.B) (rebuild func() (corrected int, err error)), used func() time.Duration) {
	run(`INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version, stakes)
		WITH RECURSIVE n (i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 999999)
		SELECT CAST(1000000000000 + i AS TEXT), CAST(1000000000000 + i AS TEXT), 'home', '3x3x3', 'p' || (i * 7919 % 5000), 'q' || (i * 104729 % 4999),
			3600000, CASE WHEN i * 31337 % 997 < 300 THEN 'X' ELSE 'O' END, 'resignation', i * 1000, i * 1000 + 1, 12, 'full' FROM n`)
	for _, state := range []struct{ name, damage string }{
		{"with every row missing", "DELETE FROM rated; DELETE FROM standings; DELETE FROM scores"},
		{"with every rating wrong", "UPDATE rated SET volatility = 0.07"},
		{"with nothing wrong", ""},
	} {
		b.Run(state.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				run(state.damage)
				rebuild := open(b)
				before := used()
				b.StartTimer()
				corrected, err := rebuild()
				if err != nil || (corrected > 0) != (state.damage != "") {
					b.Fatalf("%d corrected, %v", corrected, err)
				}
				b.ReportMetric((used() - before).Seconds(), "processor-s")
			}
		})
	}
}
