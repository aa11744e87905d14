package view

import (
	"slices"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
)

// OfMatch is the board of a match. The running score is that of the chain of rematches it belongs to, for the seat of X
// first; the zero value is not shown. The board is one of labels if any of its players has asked for that: textBoard are those who
// have.
func OfMatch(m match.Match, names Names, running score.Running, textBoard ...match.User) Screen {
	x, o := names.Seat(m.Seats[0]), names.Seat(m.Seats[1])
	s := Screen{
		Lines:   []Text{seatsText(m, names)},
		Cells:   cells(m.Record, m.Result.Over()),
		Columns: m.Position().Rules().Width(),
		Labels:  len(textBoard) > 0,
		Match:   m.ID,
		Ply:     m.Record.Len(),
	}
	if running.Played() {
		s.Lines = append(s.Lines, runningText(x, o, running))
	}
	if played, ok := lastMoveText(m, names, ""); ok {
		s.Lines = append(s.Lines, played)
	}
	if m.Helped {
		s.Lines = append(s.Lines, T("match.helped", nil))
	}
	if m.Result.Over() {
		s.Tone = tone(m.Result)
		s.Lines = append(s.Lines, resultText(m, names))
		s.Notes, s.Buttons = rematch(m, names)
		s.Buttons = append(s.Buttons, reviewButtons(m)...)
		if Reviewable(m) {
			s.Buttons = append(s.Buttons, Button{Do: Share{m.ID, ShareAnimation}, Label: T("action.share", nil)})
		}
		s.Notes = slices.Concat(rulesNote(m.Position().Rules()), s.Notes, inWords(m, names, textBoard))
		return s
	}
	turn := m.Position().Turn()
	s.Tone = tonesOfTurns[turn]
	args := Args{"Name": names.Seat(m.Turn()), "Mark": Mark(turn)}
	if m.Deadline.IsZero() {
		s.Lines = append(s.Lines, T("match.turn.untimed", args))
	} else {
		args["Deadline"] = Moment(m.Deadline)
		s.Lines = append(s.Lines, T("match.turn", args))
	}
	s.Notes = append(rulesNote(m.Position().Rules()), vanishingNote(m.Position())...)
	if r := m.Position().Rules(); !s.Labels && m.Record.Len() > 0 && (r.Keep() > 0 || r.Gravity()) {
		s.Notes = append(s.Notes, squaresNote(r))
	}
	if m.TurnTime > 0 && m.Seats.Level() == "" {
		s.Notes = append(s.Notes, clockNote(m))
	}
	s.Notes = append(s.Notes, inWords(m, names, textBoard)...)
	s.Buttons = []Button{{Do: Resign{m.ID, m.Record.Len()}, Label: T("action.resign", nil)}}
	if m.Seats.Level() != "" && !m.NoHints {
		s.Buttons = append(s.Buttons, Button{Do: Hint{m.ID, m.Record.Len()}, Label: T("action.hint", nil)})
	}
	return s
}

// seatsText says who plays with which mark.
func seatsText(m match.Match, names Names) Text {
	return T("match.seats", seatsArgs(m, names))
}

// reviewButtons lead to what the moves of a match that is over were worth. Who lost to the computer is led to what went wrong, from
// where the whole review is one step away; between people there are both, since who won asks for something else.
func reviewButtons(m match.Match) (buttons []Button) {
	lost := m.Result.Outcome.Winner() != game.None
	alone := lost && m.Seats.Of(m.Result.Outcome.Winner()).IsComputer()
	if Reviewable(m) && !alone {
		buttons = append(buttons, Button{Do: Review{Match: m.ID}, Label: T("action.review", nil)})
	}
	if Reviewable(m) && lost && (alone || m.Seats.Level() == "") {
		buttons = append(buttons, Button{Do: WentWrong{m.ID}, Label: T("action.wrong", nil)})
	}
	return buttons
}

// clockNote says how long a move may take, and what the match counts.
func clockNote(m match.Match) Text {
	args := Args{"Time": TurnTime(m.TurnTime)}
	counts, said := stakesText(m.Stakes)
	if !said {
		return T("match.clock", args)
	}
	args["Stakes"] = counts
	return T("match.clock.stakes", args)
}

// vanishingNote names the mark that disappears with the next move, if there is one.
func vanishingNote(p game.Position) (notes []Text) {
	for square := range p.Vanishing().All() {
		notes = append(notes, T("match.vanishing", Args{"Square": p.Rules().Name(square), "Mark": Mark(p.Turn())}))
	}
	return notes
}

// lastMoveText says who moved last and where; if that was the computer, also the move before. The player `you` is addressed as
// "you"; nobody is if it is empty. It returns false if nobody has moved, or if something else than the last move ended the match.
func lastMoveText(m match.Match, names Names, you match.User) (Text, bool) {
	last, cause := m.Record.Len()-1, m.Result.Cause
	if last < 0 || m.Result.Over() && cause != match.ByLine && cause != match.ByFullBoard {
		return Text{}, false
	}
	if last == 0 || !mover(m, last).IsComputer() {
		return playedText(m, last, names, you), true
	}
	args := Args{"Played": playedText(m, last-1, names, you)}
	return moveText("match.answered", m, last, args), true
}

// playedText says who played where at that ply.
func playedText(m match.Match, ply int, names Names, you match.User) Text {
	by := mover(m, ply)
	if you != "" && by.Player == you {
		return moveText("move.played", m, ply, Args{})
	}
	return moveText("match.played", m, ply, Args{"Name": names.Seat(by)})
}

// mover is whoever moved at that ply.
func mover(m match.Match, ply int) match.Seat {
	return m.Seats.Of(m.Record.First(ply).Position().Turn())
}

// moveText adds to args the square that was played at that ply, and which mark vanished with it; the text for that has a key of its own.
func moveText(key string, m match.Match, ply int, args Args) Text {
	rules := m.Position().Rules()
	args["Square"] = rules.Name(m.Record.Square(ply))
	for left := range m.Record.First(ply).Position().Vanishing().All() {
		args["Left"] = rules.Name(left)
		key += ".vanished"
	}
	return T(key, args)
}

// squaresNote says how squares are named.
func squaresNote(r game.Rules) Text {
	last := r.Name(game.Square(r.Squares() - 1))
	return T("match.squares", Args{"Column": last[:1], "Row": last[1:]})
}

// inWords are the notes of a text board: what its labels have no room for, and at whose wish it is one.
func inWords(m match.Match, names Names, asked []match.User) (notes []Text) {
	if len(asked) == 0 {
		return nil
	}
	p := m.Position()
	if p.Rules().Width() > 4 {
		notes = marksNotes(m, names)
	}
	if line := p.Line(); line != 0 {
		notes = append(notes, T("match.line", Args{"Squares": SquareNames(p.Rules(), line)}))
	}
	if len(asked) > 1 {
		return append(notes, T("match.text.both", nil))
	}
	return append(notes, T("match.text", Args{"Name": names.Of(asked[0])}))
}

// NextLevels are the levels next to that of a match against the computer: empty where there is none.
type NextLevels struct{ Easier, Harder string }

// AgainstComputer adds to the board of a match against the computer what leads to other levels: before the player's first
// move the same match with an easier one, and after the end another match.
func AgainstComputer(s Screen, m match.Match, l NextLevels) Screen {
	if m.Easable() {
		perfect := m.Seats.Level() == ai.Unbeatable.String()
		switch {
		case perfect && l.Easier != "":
			s.Notes = append(s.Notes, T("match.perfect.easier", nil))
		case perfect:
			s.Notes = append(s.Notes, T("match.perfect", nil))
		}
		if l.Easier != "" {
			s.Buttons = slices.Insert(s.Buttons, min(1, len(s.Buttons)), Button{Do: Ease{m.ID, m.Version}, Label: T("action.easier", nil)})
		}
		return s
	}
	if m.Rematch.State != match.NoRematch {
		return s
	}
	if l.Harder != "" { // after "Again", which is the first
		s.Buttons = slices.Insert(s.Buttons, min(1, len(s.Buttons)), playLevel(l.Harder, m, "action.harder"))
	}
	if l.Easier != "" {
		s.Buttons = slices.Insert(s.Buttons, 0, playLevel(l.Easier, m, "action.easier"))
	}
	return s
}

// playLevel is the button that starts a match of the same rules against another level.
func playLevel(level string, m match.Match, label string) Button {
	b := OfferComputer(level, m.Position().Rules())
	b.Label, b.Weight = T(label, nil), Plain
	return b
}

// cells are the squares after the moves so far; over tells that nothing more can be played there.
func cells(r game.Record, over bool) []Cell {
	p, moves := r.Position(), r.Len()
	line := p.Line()
	vanishing := p.Vanishing()
	if over {
		vanishing = 0
	}
	cells := make([]Cell, p.Rules().Squares())
	for i := range cells {
		sq := game.Square(i)
		cells[i] = Cell{
			Name: p.Rules().Name(sq), Mark: p.At(sq), Vanishing: vanishing.Has(sq), Over: over,
			Last:    moves > 0 && r.Square(moves-1) == sq,
			Winning: line.Has(sq) && !p.Rules().Misere(), Losing: line.Has(sq) && p.Rules().Misere(),
		}
	}
	return cells
}

func tone(r match.Result) Tone {
	switch {
	case !r.Counts():
		return Closed
	case r.Outcome == game.Draw:
		return Drawn
	default:
		return Won
	}
}

func runningText(x, o any, r score.Running) Text {
	args := Args{"X": x, "O": o, "A": r.A, "B": r.B, "Drawn": r.Drawn}
	if r.Drawn > 0 {
		return T("match.running.drawn", args)
	}
	return T("match.running", args)
}

// resultText says how a match ended.
func resultText(m match.Match, names Names) Text {
	winner := m.Result.Outcome.Winner()
	args := Args{}
	if winner != game.None {
		args["Winner"] = names.Seat(m.Seats.Of(winner))
		args["Loser"] = names.Seat(m.Seats.Of(winner.Opponent()))
		args["Mark"] = Mark(winner)
		args["Run"] = m.Position().Rules().Run()
	}
	switch m.Result.Cause {
	case match.ByLine:
		if m.Position().Rules().Misere() {
			return T("result.line.misere", args)
		}
		return T("result.line", args)
	case match.ByFullBoard:
		if m.Position().Rules().Keep() > 0 {
			return T("result.draw.endless", args)
		}
		return T("result.draw", args)
	case match.ByResignation:
		return T("result.resignation", args)
	case match.ByTime:
		return T("result.time", args)
	case match.ByModerator:
		return T("result.moderator", args)
	case match.ByVoid:
		return T("result.void", args)
	case match.ByNoShow:
		return T("result.noshow", Args{"Name": names.Seat(m.Seats.Of(m.Proposer))})
	default:
		return T("result.aborted", args)
	}
}

func rematch(m match.Match, names Names) ([]Text, []Button) {
	ask := Button{Do: Rematch{m.ID, m.Version}, Label: T("action.rematch", nil), Weight: Main}
	if m.Seats.Level() != "" {
		ask.Label = T("action.again", nil)
	}
	by := names.Of(m.Rematch.By)
	switch m.Rematch.State {
	case match.NoRematch:
		if m.Seats.Left() {
			return nil, nil
		}
		return nil, []Button{ask}
	case match.RematchProposed:
		ask.Label, ask.Weight = T("action.rematch.accept", nil), Good
		no := Button{Do: DeclineRematch{m.ID, m.Version}, Label: T("action.rematch.decline", nil)}
		return []Text{T("rematch.proposed", Args{"Name": by, "Deadline": Moment(m.Rematch.Deadline)})}, []Button{ask, no}
	case match.RematchDeclined:
		return []Text{T("rematch.declined", nil)}, nil
	case match.RematchExpired:
		return []Text{T("rematch.expired", Args{"Name": by})}, nil
	default:
		return []Text{T("rematch.started", Args{"Link": Link{T("rematch.link", nil), m.Rematch.Next}})}, nil
	}
}

// AskResign is the question before a match is given up: what it means, and the label of the button that does it.
func AskResign(m match.Match) (title, question Text) {
	if m.Aborts() {
		return T("resign.abort.title", nil), T("resign.abort.question", nil)
	}
	return T("resign.title", nil), T("resign.question", nil)
}

// TurnTime words the time for each move.
func TurnTime(d time.Duration) Text {
	if d%time.Hour == 0 {
		return T("time.hours", Args{"PluralCount": int(d / time.Hour)})
	}
	return T("time.minutes", Args{"PluralCount": int(d / time.Minute)})
}

// TurnMention calls the side to move to its turn.
func TurnMention(m match.Match, names Names) Screen {
	opponent := m.Seats.Of(m.Position().Turn().Opponent())
	return Screen{
		Lines: []Text{T("mention.turn", Args{
			"Player": Mention(m.Turn().Player), "Opponent": names.Seat(opponent), "Deadline": Moment(m.Deadline),
			"Link": Link{T("games.link", nil), m.ID},
		})},
		Buttons: []Button{switchMentions(false)},
	}
}

// StartMention calls the proposer to a match that has begun.
func StartMention(m match.Match, names Names) Screen {
	key, args := "mention.start.them", Args{
		"Player": Mention(m.Awaited()), "Opponent": names.Seat(m.Seats.Of(m.Absent().Opponent())), "Link": Link{T("games.link", nil), m.ID},
	}
	if m.Turn().Player == m.Awaited() {
		key, args["Deadline"] = "mention.start.you", Moment(m.Deadline)
	}
	return Screen{Lines: []Text{T(key, args)}, Buttons: []Button{switchMentions(false)}}
}

// switchMentions is the button that switches turn mentions off, or on if they are off.
func switchMentions(off bool) Button {
	if off {
		return Button{Do: SwitchMentions{On: true}, Label: T("action.mentions.on", nil)}
	}
	return Button{Do: SwitchMentions{On: false}, Label: T("action.mentions.off", nil)}
}
