package storetest

import (
	"testing"

	"tictactoe/internal/show/emoji"
)

// testEmoji tests that a store keeps the emoji of each application.
func testEmoji(t *testing.T, open opener) {
	subtest(t, open, "the latest of each id counts, and none is known of others", func(t *testing.T, s tester) {
		want := func(application string, rows ...emoji.Row) {
			t.Helper()
			same(t, must[[]emoji.Row](t)(s.Emoji(s.ctx, application)), rows)
		}
		a, b := emoji.Row{ID: "1", Name: "a1_x", Hash: "ab"}, emoji.Row{ID: "2", Name: "a1_o", Hash: "cd"}
		want("one")
		s.do(s.KeepEmoji(s.ctx, "one", b))
		s.do(s.KeepEmoji(s.ctx, "one", a))
		s.do(s.KeepEmoji(s.ctx, "two", emoji.Row{ID: "1", Name: "b2_x", Hash: "ef"}))
		want("one", a, b)
		a.Name, a.Hash = "a1_x_former", "01"
		s.do(s.KeepEmoji(s.ctx, "one", a))
		want("one", a, b)
		s.do(s.ForgetEmoji(s.ctx, "one", "2"))
		s.do(s.ForgetEmoji(s.ctx, "one", "3"))
		want("one", a)
	})
}
