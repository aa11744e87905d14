package boards

import (
	"testing"

	"tictactoe/internal/boards/board"
)

func TestTheNextStepOfABoard(t *testing.T) {
	shown := func(version int) board.Board { return board.Board{ID: "m", Message: "1", Shown: version} }
	with := func(b board.Board, change func(*board.Board)) board.Board { change(&b); return b }
	edited := func(b *board.Board) { b.Edit = "an edit" }
	moved := func(b *board.Board) { b.Past = board.Place{Channel: "c", Message: "0"} }
	for _, tt := range []struct {
		name    string
		board   board.Board
		version int
		known   known
		want    step
	}{
		{"a board that is true", shown(3), 3, known{}, finish},
		{"a board that is behind", shown(2), 3, known{}, draw},
		{"a board that shows nothing yet", board.Board{ID: "m"}, 1, known{}, draw},
		{"a board whose message was deleted for good", shown(board.Gone), 3, known{}, finish},

		{"a board in a new message that is under way", board.Board{ID: "m"}, 1, known{pending: true}, await},
		{"a moved board whose new message is under way", with(board.Board{ID: "m"}, moved), 1, known{pending: true}, await},
		{"a known message beside a reply in a new message", shown(2), 3, known{pending: true}, draw},

		{"a board that was moved", with(shown(3), moved), 3, known{}, depart},
		{"a board that was moved and is behind", with(shown(2), moved), 3, known{}, depart},
		{"a moved board whose new message is not known", with(board.Board{ID: "m"}, moved), 1, known{}, draw},

		{"a board on which an edit may have landed", with(shown(3), edited), 3, known{}, draw},
		{"the same, drawn since", with(shown(3), edited), 3, known{drawn: 3}, finish},
		{"the same, drawn before something changed", with(shown(3), edited), 3, known{drawn: 2}, draw},
		{"a board that changed while it was drawn", shown(2), 3, known{drawn: 2}, draw},
		{"a board that a click drew while an older version was drawn here", shown(3), 3, known{drawn: 2}, draw},

		{"a board on which an older reply has landed", shown(3), 3, known{receipt: 2}, draw},
		{"a board on which the newest reply has landed", shown(3), 3, known{receipt: 3}, finish},
		{"a reply that landed before the shown version was known", shown(2), 3, known{receipt: 3}, draw},

		{"a board that Discord has refused to draw once", with(shown(2), func(b *board.Board) { b.Refused = 1 }), 3, known{}, draw},
		{"a board that Discord has refused to draw too often", with(shown(2), func(b *board.Board) { b.Refused = board.MaxRefused }), 3, known{}, rest},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := next(tt.board, tt.version, tt.known); got != tt.want {
				t.Errorf("got step %d, want %d", got, tt.want)
			}
		})
	}
}
