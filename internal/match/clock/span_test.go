package clock_test

import (
	"testing"
	"time"

	"tictactoe/internal/match/clock"
)

// at parses a time of day such as 15:04:05.
func at(t *testing.T, text string) time.Time {
	t.Helper()
	date, err := time.Parse(time.TimeOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return date.AddDate(2026, 2, 1)
}

const away = -1 // the value of ran in a test in which players were not heard

func TestCredit(t *testing.T) {
	for _, tt := range []struct {
		happened   string
		from, to   string        // dates: when this process last recorded that players were heard, and now
		ran        time.Duration // how long players were heard since then, or the constant away
		recorded   string        // the time up to which any process heard players; empty if only this process records
		others     bool          // whether another process hears the players now
		want       time.Duration
		wantsSince string // empty means the same as from
	}{
		{happened: "they were heard all the time", from: "12:00:00", to: "12:00:05", ran: 5 * time.Second},
		{happened: "the bot was away", from: "12:00:00", to: "12:30:00", ran: away, want: 30 * time.Minute},
		{happened: "for a moment", from: "12:00:00", to: "12:00:01", ran: away, want: time.Second},
		{happened: "and the clock was set back meanwhile", from: "12:00:00", to: "11:30:00", ran: away, want: -30 * time.Minute},
		{happened: "the clock was set forward", from: "12:00:00", to: "15:00:03", ran: 3 * time.Second, want: 3 * time.Hour},
		{happened: "the clock was set back", from: "12:00:00", to: "09:00:03", ran: 3 * time.Second, want: -3 * time.Hour},
		{happened: "back by little", from: "12:00:00", to: "12:00:00", ran: 3 * time.Second, want: -3 * time.Second},
		{happened: "the process was stopped", from: "12:00:00", to: "12:00:28", ran: 3 * time.Second, want: 25 * time.Second},
		{happened: "players were not heard for long, and then the process was stopped", from: "12:00:00", to: "12:02:00", ran: 80 * time.Second, want: 40 * time.Second},

		{happened: "away, and another process hears them", from: "12:00:00", to: "12:30:00", ran: away, recorded: "12:29:58", others: true},
		{happened: "and has not recorded it yet", from: "12:00:00", to: "12:00:03", ran: away, others: true},
		{happened: "away, and another process heard them for a while", from: "12:00:00", to: "12:30:00", ran: away, recorded: "12:20:00", want: 10 * time.Minute, wantsSince: "12:20:00"},
		{happened: "away, and another process was first to credit it, and is gone", from: "12:00:00", to: "12:30:00", ran: away, recorded: "12:29:59", want: time.Second, wantsSince: "12:29:59"},
		{happened: "away, and another process recorded at about the same time", from: "12:00:00", to: "12:30:00", ran: away, recorded: "12:00:04", want: 30 * time.Minute},
		{happened: "away, and another process was first to follow a clock set back", from: "12:00:00", to: "11:30:00", ran: away, recorded: "11:29:00", want: time.Minute, wantsSince: "11:29:00"},

		{happened: "the shared clock was set forward, and this process notices first", from: "12:00:00", to: "15:00:04", ran: 4 * time.Second, recorded: "12:00:03", others: true, want: 3 * time.Hour},
		{happened: "and this process notices second", from: "12:00:00", to: "15:00:04", ran: 4 * time.Second, recorded: "15:00:03", others: true},
		{happened: "the shared clock was set back, and this process notices first", from: "12:00:00", to: "09:00:04", ran: 4 * time.Second, recorded: "12:00:03", others: true, want: -3 * time.Hour},
		{happened: "and this process notices second", from: "12:00:00", to: "09:00:04", ran: 4 * time.Second, recorded: "09:00:03", others: true},
		{happened: "forward by little, and it is unknown whether another process was first: players gain", from: "12:00:00", to: "12:00:07", ran: 4 * time.Second, recorded: "12:00:03", others: true, want: 3 * time.Second},
		{happened: "back by little, and it is unknown whether another process was first: players gain", from: "12:00:00", to: "12:00:01", ran: 4 * time.Second, recorded: "12:00:01", others: true},
		{happened: "only this process was stopped, and another one heard the players", from: "12:00:00", to: "12:10:03", ran: 3 * time.Second, recorded: "12:10:00", others: true},
	} {
		t.Run(tt.happened, func(t *testing.T) {
			span := clock.Span{From: at(t, tt.from), To: at(t, tt.to)}
			if tt.ran != away {
				span.Counts, span.Ran = true, tt.ran
			}
			recorded, since := span.From, span.From
			if tt.recorded != "" {
				recorded = at(t, tt.recorded)
			}
			if tt.wantsSince != "" {
				since = at(t, tt.wantsSince)
			}
			if from, by := span.Credit(recorded, tt.others); by != tt.want || !from.Equal(since) {
				t.Errorf("deadlines after %s move by %v, not those after %s by %v",
					from.Format(time.TimeOnly), by, since.Format(time.TimeOnly), tt.want)
			}
		})
	}
}

func TestAllTimeIsCreditedIfPlayersWereNeverHeard(t *testing.T) {
	span := clock.Span{From: at(t, "12:00:00"), To: at(t, "12:01:00")}
	if from, by := span.Credit(time.Time{}, false); by != time.Minute || !from.Equal(span.From) {
		t.Errorf("%v", by)
	}
}
