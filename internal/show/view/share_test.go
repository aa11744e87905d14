package view_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/show/gallery"
	"tictactoe/internal/show/view"
)

func TestABoardIsAGridOfItsMarks(t *testing.T) {
	t.Parallel()
	won := gallery.Between(t, gallery.XWins).Position()
	want := strings.Join([]string{"❌❌❌", "⭕⭕⬜", "⬜⬜⬜"}, "\n")
	if diff := cmp.Diff(want, view.BoardGrid(won)); diff != "" {
		t.Error(diff)
	}
	wide := gallery.PlayedBy(t, "drop", gallery.Between(t, "").Seats, 0, "c4 c3").Position()
	want = strings.Join([]string{"⬜⬜⬜⬜⬜", "⬜⬜⬜⬜⬜", "⬜⬜⭕⬜⬜", "⬜⬜❌⬜⬜"}, "\n")
	if diff := cmp.Diff(want, view.BoardGrid(wide)); diff != "" {
		t.Error(diff)
	}
}
