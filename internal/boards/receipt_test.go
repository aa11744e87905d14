package boards

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
)

// unsaved are boards in a store that can save nothing, and says so at once.
type unsaved struct {
	board.Store
	tries int
}

func (s *unsaved) SaveShown(context.Context, ...board.Shown) error {
	if s.tries++; s.tries > 1000 {
		panic("there is no pause between the tries")
	}
	return match.ErrUnsaved
}

func TestReceiptsThatCannotBeSavedAreTriedAgainAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		boards := &unsaved{}
		r := NewRedrawer(RedrawerConfig{Boards: boards, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		ctx, cancel := context.WithCancel(t.Context())
		go r.Run(ctx)
		r.Delivered("m", 1, false, false)(Receipt{Message: "1"})
		time.Sleep(5*ReceiptTime + ReceiptTime/2) // of the clock of the test
		synctest.Wait()
		if boards.tries != 5 {
			t.Errorf("tried %d times in %v, want every %v", boards.tries, 5*ReceiptTime, ReceiptTime)
		}
		cancel()
	})
}
