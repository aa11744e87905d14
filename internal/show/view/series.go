package view

import (
	"fmt"
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
)

// SeriesName returns the name of a series of so many games.
func SeriesName(bestOf int) Text { return T("series.best", Args{"Games": bestOf}) }

// InSeries adds to the board of a game the state of its series as of that game: the score and, once the game is over, how the series ended or
// where it goes on. If unposted is true, nothing shows the next game yet and the bot cannot post it by itself, so a button brings it up.
func InSeries(s Screen, m match.Match, of match.Series, names Names, unposted bool) Screen {
	running := score.Running{A: of.Wins[0], B: of.Wins[1], Drawn: of.Drawn}
	args := Args{
		"Series": SeriesName(of.BestOf), "N": of.Number, "Score": runningText(names.Seat(of.Seats[0]), names.Seat(of.Seats[1]), running),
		"Board": T("board.infinite", nil),
	}
	next, ended := m.NextGame(), m.Result.Over() && m.NextGame() == ""
	key := "series.score"
	switch {
	case ended && of.End == match.SeriesForfeited:
		key = "series.forfeited"
	case of.PlayOff:
		key, args["N"] = "series.playoff", of.Number-of.BestOf
	}
	seats := slices.IndexFunc(s.Lines, func(t Text) bool { return t.Key == "match.seats" })
	s.Lines = slices.Insert(s.Lines, seats+1, T(key, args))
	switch {
	case ended && of.End == match.SeriesForfeited && m.Result.Cause == match.ByAbort: // the game that was left has no result to tell
		s.Lines[0], s.Tone = seriesEnd(of, names), Won
	case ended:
		s.Lines = slices.Insert(s.Lines, 0, seriesEnd(of, names))
	case next != "":
		note := Args{"N": of.Played() + 1, "Link": Link{T("rematch.link", nil), next}, "Board": args["Board"]}
		key := "series.next"
		switch {
		case of.Played() > of.BestOf:
			key = "series.next.second"
		case of.Played() == of.BestOf:
			key = "series.next.playoff"
		}
		if unposted {
			button := Button{Do: NextGame{m.ID}, Label: T("action.series.next", nil), Weight: Main}
			key, note["Button"] = "series.next.press", button.Label
			s.Buttons = slices.Insert(s.Buttons, 0, button)
		}
		s.Notes = slices.Insert(s.Notes, 0, T(key, note))
	}
	return s
}

// seriesEnd says how a series ended. A series that was left without a decision, because a moderator voided a game after the end, was called
// off.
func seriesEnd(of match.Series, names Names) Text {
	args := Args{}
	if of.Winner != game.None {
		args["Winner"], args["Loser"] = names.Seat(of.Seats.Of(of.Winner)), names.Seat(of.Seats.Of(of.Winner.Opponent()))
		args["Less"], args["More"] = minutes(of.Used[of.Winner-game.X]), minutes(of.Used[of.Winner.Opponent()-game.X])
	}
	switch of.End {
	case match.SeriesWon:
		return T("series.won", args)
	case match.SeriesForfeited:
		return T("series.forfeit", args)
	case match.SeriesOnTime:
		return T("series.time", args)
	case match.SeriesLevel:
		return T("series.level", nil)
	default:
		return T("series.off", nil)
	}
}

// minutes returns a time for moves, as in 4:05. It is exact to a tenth of a second if it is short.
func minutes(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d:%02d", d/time.Minute, d%time.Minute/time.Second)
}
