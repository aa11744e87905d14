package boards

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

// unsaved is a store of boards in which every save fails at once.
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

func TestUnsavedReceiptsAreTriedAgainAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		boards := &unsaved{}
		r := NewRedrawer(RedrawerConfig{Boards: boards, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		ctx, cancel := context.WithCancel(t.Context())
		go r.Run(ctx)
		r.Delivered("m", 1, false, false)(messages.Receipt{Message: "1"})
		time.Sleep(5*RetryPause + RetryPause/2) // the fake time of synctest
		synctest.Wait()
		if boards.tries != 5 {
			t.Errorf("tried %d times in %v, want every %v", boards.tries, 5*RetryPause, RetryPause)
		}
		cancel()
	})
}

// noted is a store of boards that only records which boards were saved.
type noted struct {
	board.Store
	saved []match.ID
}

func (n *noted) SaveShown(_ context.Context, shown ...board.Shown) error {
	for _, s := range shown {
		n.saved = append(n.saved, s.ID)
	}
	return nil
}

func TestReceiptsAreRecordedInOneOrder(t *testing.T) {
	store := &noted{}
	r := NewRedrawer(RedrawerConfig{Boards: store})
	for i := range 30 {
		r.Delivered(match.ID(fmt.Sprintf("m%02d", i*7%30)), 1, false, false)(messages.Receipt{Message: "1"})
	}
	if err := r.SaveReceipts(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(store.saved) != 30 || !slices.IsSorted(store.saved) {
		t.Error(store.saved)
	}
}
