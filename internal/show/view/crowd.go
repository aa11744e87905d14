package view

import (
	"tictactoe/internal/match"
)

// withVotes completes the board of a running match of a crowd: whose vote it is, the votes, and how they become a move.
func withVotes(s Screen, m match.Match, names Names, textBoard []match.User) Screen {
	r, turn := m.Position().Rules(), m.Position().Turn()
	args := Args{"Name": names.Seat(m.Turn()), "Mark": Mark(turn), "Deadline": Moment(m.Deadline)}
	if tally := m.Tally(); len(tally) == 0 {
		s.Lines = append(s.Lines, T("crowd.turn", args))
	} else {
		s.Lines = append(s.Lines, T("crowd.turn.voting", args), votesText(m, tally))
		s.Cells[tally[0].Square].Better = true
	}
	s.Notes = append(rulesNote(r), vanishingNote(m.Position())...)
	if !s.Labels {
		s.Notes = append(s.Notes, squaresNote(r))
	}
	s.Notes = append(s.Notes, T("crowd.rules", Args{"PluralCount": int(m.TurnTime.Seconds())}))
	s.Notes = append(s.Notes, when(m.Seats.Level() == "", T("crowd.rules.teams", nil))...)
	s.Notes = append(s.Notes, when(m.Record.Len() > 1, T("crowd.rules.sooner", nil))...)
	s.Notes = append(s.Notes, inWords(m, names, textBoard)...)
	s.Buttons = []Button{{Do: Resign{m.ID, m.Record.Len()}, Label: T("action.crowd.stop", nil)}}
	return s
}

// votesText says how many people have voted, and for which squares.
func votesText(m match.Match, tally []match.Choice) Text {
	squares := inARow(tally, func(c match.Choice) Text {
		return T("crowd.choice", Args{"N": c.Votes, "Square": m.Position().Rules().Name(c.Square)})
	})
	return T("crowd.tally", Args{"PluralCount": m.Voters(), "Squares": squares})
}

// WithCrowdWins adds to the board of a match of a crowd how often crowds have beaten the level, this match included.
func WithCrowdWins(s Screen, m match.Match, wins int) Screen {
	s.Notes = append(s.Notes, T("crowd.beaten", Args{"PluralCount": wins, "Level": LevelName(m.Seats.Level())}))
	return s
}
