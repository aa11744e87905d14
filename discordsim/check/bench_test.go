package check_test

import (
	"fmt"
	"testing"

	"tictactoe/discordsim/check"
)

// BenchmarkCallback measures the check of one board update, with and without the description.
func BenchmarkCallback(b *testing.B) {
	board := callback(7, rich(text("Alice against Bob"), repeat(3, func(i int) string {
		return row(repeat(3, func(j int) string { return button(fmt.Sprintf("play:m:0:%d%d", i, j)) }))
	}), row(button("resign:m:1"))))
	for _, with := range []struct {
		name string
		open func(testing.TB) *check.Checker
	}{{"hand rules", handRules}, {"with the description", described}} {
		b.Run(with.name, func(b *testing.B) {
			c := with.open(b)
			body := []byte(board)
			b.ReportAllocs()
			for b.Loop() {
				if refusal := c.CallbackOn(body, false); refusal != nil {
					b.Fatal(refusal)
				}
			}
		})
	}
}
