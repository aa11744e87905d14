package sqlite_test

import (
	"fmt"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/store/sqlite"
)

// TestAMatchTableMadeAnewKeepsWhatItHad: 00003 rebuilds the table that moves refer to and that triggers stand on.
func TestAMatchTableMadeAnewKeepsWhatItHad(t *testing.T) {
	open, fresh := begin("open"), begin("lost")
	moved := move(t, open)
	path := asOf(t, 1, func(s *sqlite.Store) {
		save(t, s, match.Save{Matches: []match.MatchChange{{To: open}, {To: fresh}}})
		save(t, s, match.Save{Matches: []match.MatchChange{{From: open, To: moved}}})
	})
	lost, _ := fresh.Expire(fresh.Deadline)
	asked, _, err := lost.AskRematch(lost.Seats[0].Player, lost.Version, "next", lost.Ended.Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	// By hand: the program of today asks for tables and columns that were not there.
	old := raw(t, path)
	run(t, old, fmt.Sprintf(`INSERT INTO boards (id, guild, channel, message, token, member, shown, latest)
		VALUES ('open', 'home', '5001', '7', '', 1, %[1]d, %[1]d)`, moved.Version))
	run(t, old, fmt.Sprintf(`UPDATE matches SET deadline = NULL, outcome = 'O', cause = 'time', ended = %d, version = %d,
		rematch = 'proposed', rematch_by = x_player, rematch_deadline = %d WHERE id = 'lost'`,
		asked.Ended.UnixMilli(), asked.Version, asked.Rematch.Deadline.UnixMilli()))
	for _, r := range score.Of(lost) {
		tally := r.Outcome.Tally()
		run(t, old, fmt.Sprintf(`INSERT INTO scores VALUES ('%s', '%s', '%s', %d, %d, %d, %d)`,
			lost.Venue, r.Player, r.Level, tally.Wins, tally.Draws, tally.Losses, r.Ended.UnixMilli()))
	}
	old.Close() // a migration needs the file for itself

	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, s) })
	same(t, load(t, s, "open"), moved)
	same(t, load(t, s, "lost"), asked)
	if n, err := s.RebuildScores(t.Context(), nil); n != 0 || err != nil {
		t.Errorf("%d scores are wrong, %v", n, err)
	}

	drawn, err := moved.CallDraw(moved.Deadline)
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, match.Save{Matches: []match.MatchChange{{From: moved, To: drawn}}})
	same(t, load(t, s, "open"), drawn)
	behind, err := s.Behind(t.Context(), match.Partition{}, "", 9)
	if err != nil {
		t.Fatal(err)
	}
	same(t, behind, []match.ID{"open"})
}
