package view

import (
	"slices"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
)

// OfMatch returns the board of a match. running is the score of the chain of rematches with this match, with the seat of X as A; a zero
// score is not shown. textBoard are the players who want words in place of pictures; if there is one, the board has words.
func OfMatch(m match.Match, names Names, running score.Running, textBoard ...match.User) Screen {
	x, o := names.Seat(m.Seats[0]), names.Seat(m.Seats[1])
	s := Screen{
		Lines:   []Text{T("match.seats", seatsArgs(m, names))},
		Cells:   cells(m.Record, m.Result.Over()),
		Columns: m.Position().Rules().Width(),
		Labels:  len(textBoard) > 0,
		Match:   m.ID,
		Ply:     m.Stage(),
	}
	s.Lines = append(s.Lines, when(running.Played(), runningText(x, o, running))...)
	if played, ok := lastMoveText(m, names, ""); ok {
		s.Lines = append(s.Lines, played)
	}
	s.Lines = append(s.Lines, when(m.Helped, T("match.helped", nil))...)
	if m.Result.Over() {
		s.Tone = tone(m.Result)
		if crowdLost(m) {
			s.Tone = Drawn
		}
		s.Lines = append([]Text{resultText(m, names)}, s.Lines...)
		s.Notes, s.Buttons = rematch(m, names)
		s.Buttons = append(s.Buttons, reviewButtons(m)...)
		s.Notes = append(s.Notes, inWords(m, names, textBoard)...)
		return s
	}
	turn := m.Position().Turn()
	s.Tone = tonesOfTurns[turn]
	if m.Seats.HasCrowd() {
		return withVotes(s, m, names, textBoard)
	}
	args := Args{"Name": names.Seat(m.Turn()), "Mark": Mark(turn), "Deadline": Moment(m.Deadline)}
	if m.Deadline.IsZero() || !m.Seats.People() { // the turn time against a computer, a day, is not worth showing
		s.Lines = append(s.Lines, T("match.turn.untimed", args))
	} else {
		s.Lines = append(s.Lines, T("match.turn", args))
	}
	r := m.Position().Rules()
	s.Notes = append(rulesNote(r), vanishingNote(m.Position())...)
	if !s.Labels && m.Record.Len() > 0 && (r.Keep() > 0 || r.Gravity()) {
		s.Notes = append(s.Notes, squaresNote(r))
	}
	if m.TurnTime > 0 && m.Seats.People() {
		s.Notes = append(s.Notes, withStakes("match.clock", m.Stakes, Args{"Time": TurnTime(m.TurnTime)}))
	}
	s.Notes = append(s.Notes, inWords(m, names, textBoard)...)
	s.Buttons = []Button{{Do: Resign{m.ID, m.Record.Len()}, Label: T("action.resign", nil)}}
	s = wishes(s, m, names)
	if hintable(m) {
		s.Buttons = append(s.Buttons, Button{Do: Hint{m.ID, m.Record.Len()}, Label: T("action.hint", nil)})
	}
	return s
}

// Calling returns the board of a match with mentions in place of the names of the called players, where it says who plays.
func Calling(s Screen, m match.Match, called []string) Screen {
	for i, of := range []string{"X", "O"} {
		if p := m.Seats[i].Player; slices.Contains(called, string(p)) {
			s.Lines[0].Args[of] = Mention(p)
		}
	}
	return s
}

// wishes adds the open wish with the buttons that answer it. If no wish is open, it adds the buttons with which a player makes one.
func wishes(s Screen, m match.Match, names Names) Screen {
	button := func(do WishAction, label string) Button {
		return Button{Do: Wish{m.ID, m.Stage(), do}, Label: T(label, nil)}
	}
	accept, args := "", Args{}
	if m.Wish.Kind != match.NoWish {
		args["Name"], args["Other"] = names.Seat(m.Seats.Of(m.Wish.By)), names.Seat(m.Seats.Of(m.Wish.By.Opponent()))
	}
	switch m.OpenWish().Kind {
	case match.WishDraw:
		accept = "action.draw.accept"
		s.Lines = append(s.Lines, T("wish.draw", args))
	case match.WishBack:
		accept = "action.takeback.accept"
		key := "wish.back"
		if m.Wish.By == m.Position().Turn() {
			key = "wish.back.both"
		}
		s.Lines = append(s.Lines, T(key, args))
	}
	if accept != "" {
		yes := button(AgreeWish, accept)
		yes.Weight = Good
		s.Buttons = append(s.Buttons, yes, button(DeclineWish, "action.decline"))
		return s
	}
	if m.Wish.Kind == match.WishDeclined && m.Wish.Ply == m.Record.Len() {
		s.Notes = append(s.Notes, T("wish.declined", Args{"Name": args["Other"]}))
	}
	s.Buttons = append(s.Buttons, when(m.MayWish(match.WishDraw), button(OfferDraw, "action.draw"))...)
	s.Buttons = append(s.Buttons, when(m.MayWish(match.WishBack), button(TakeBack, "action.takeback"))...)
	return s
}

// TakenBack returns the note that names the moves of a match that are missing after a take-back, or none.
func TakenBack(before, after match.Match) []Text {
	var squares []string
	for ply := after.Record.Len(); ply < before.Record.Len() && after.Backs > before.Backs; ply++ {
		squares = append(squares, after.Position().Rules().Name(before.Record.Square(ply)))
	}
	return when(len(squares) > 0, T("wish.taken", Args{"Squares": inARow(squares, func(name string) string { return name })}))
}

// reviewButtons returns the buttons to review and to share an ended match, or none if it cannot be reviewed.
func reviewButtons(m match.Match) []Button {
	return when(Reviewable(m), Button{Do: Review{Match: m.ID}, Label: T("action.review", nil)}, shareButton(m))
}

// shareButton returns the button with which an ended match is shared.
func shareButton(m match.Match) Button {
	return Button{Do: Share{m.ID, ShareAnimation}, Label: T("action.share", nil)}
}

// vanishingNote returns a note that names the mark that disappears with the next move, if there is one.
func vanishingNote(p game.Position) (notes []Text) {
	for square := range p.Vanishing().All() {
		notes = append(notes, T("match.vanishing", Args{"Square": p.Rules().Name(square)}))
	}
	return notes
}

// lastMoveText says who made the last move, and where. If the computer made it, the text also names the move before. The user given by the
// argument you is addressed as "you". It returns false if there was no move, or if the match was not ended by its last move.
func lastMoveText(m match.Match, names Names, you match.User) (Text, bool) {
	last, cause := m.Record.Len()-1, m.Result.Cause
	if last < 0 || m.Result.Over() && cause != match.ByLine && cause != match.ByFullBoard {
		return Text{}, false
	}
	played := func(ply int) Text {
		by := mover(m, ply)
		if you != "" && by.Player == you {
			return moveText("move.played", m, ply, Args{})
		}
		return moveText("match.played", m, ply, Args{"Name": names.Seat(by)})
	}
	if last == 0 || !mover(m, last).IsComputer() {
		return played(last), true
	}
	return moveText("match.answered", m, last, Args{"Played": played(last - 1)}), true
}

// mover returns the seat that moved at a ply.
func mover(m match.Match, ply int) match.Seat {
	return m.Seats.Of(m.Record.First(ply).Position().Turn())
}

// moveText returns the text about the move at a ply, with args and the square as arguments. If a mark vanished with the move, the text with
// another key also names that mark's square.
func moveText(key string, m match.Match, ply int, args Args) Text {
	rules := m.Position().Rules()
	args["Square"] = rules.Name(m.Record.Square(ply))
	for left := range m.Record.First(ply).Position().Vanishing().All() {
		args["Left"] = rules.Name(left)
		key += ".vanished"
	}
	return T(key, args)
}

// squaresNote returns the note that explains the names of squares.
func squaresNote(r game.Rules) Text {
	last := r.Name(game.Square(r.Squares() - 1))
	return T("match.squares", Args{"Column": last[:1], "Row": last[1:]})
}

// inWords returns the notes of a board with words: the marks and the line, for which the labels have no room, and for the opponent why
// there are words. The notes do not tell who has asked for words.
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
	return append(notes, when(m.Seats.People() || m.Seats.HasCrowd(), T("match.text", nil))...)
}

// NextLevels are the next easier and the next harder level for a match against the computer. A level is empty if there is none.
type NextLevels struct{ Easier, Harder string }

// AgainstComputer adds to the board of a match against the computer the button that leads to another level: before the player's first move
// the same match on an easier level, and after the end another match, which is harder after a win, and easier after a loss or after a draw
// with the hardest level.
func AgainstComputer(s Screen, m match.Match, l NextLevels) Screen {
	if m.Easable() {
		perfect := m.Seats.Level() == ai.Unbeatable.String()
		switch {
		case score.Adapts(m.Seats.Level()):
			s.Notes = append(s.Notes, T("match.fair", nil))
		case perfect && score.FirstWins(m.Position().Rules().String()) && !m.Seats[0].IsComputer():
			s.Notes = append(s.Notes, T("match.perfect.first", nil))
		case perfect && l.Easier != "":
			s.Notes = append(s.Notes, T("match.perfect.easier", nil))
		case perfect:
			s.Notes = append(s.Notes, T("match.perfect", nil))
		}
		if l.Easier != "" && m.Seats.Level() != ai.Easy.String() { // the fair level may be stronger than easy
			s.Buttons = slices.Insert(s.Buttons, min(1, len(s.Buttons)), Button{Do: Ease{m.ID, m.Version}, Label: T("action.easier", nil)})
		}
		return s
	}
	if m.Rematch.State != match.NoRematch {
		return s
	}
	winner := m.Result.Outcome.Winner()
	lost := winner != game.None && m.Seats.Of(winner).IsComputer()
	won := winner != game.None && !lost
	switch after := min(1, len(s.Buttons)); { // "Play again" is the first
	case l.Harder != "" && (won || !lost && l.Easier != ai.FairName):
		s.Buttons = slices.Insert(s.Buttons, after, playLevel(l.Harder, m, "action.harder"))
	case l.Easier == ai.FairName && !won:
		s.Buttons = slices.Insert(s.Buttons, after, playLevel(l.Easier, m, "action.fair"))
	case l.Easier != "" && !won:
		s.Buttons = slices.Insert(s.Buttons, after, playLevel(l.Easier, m, "action.easier"))
	}
	return s
}

// playLevel returns the button that starts a match by the same rules against another level.
func playLevel(level string, m match.Match, label string) Button {
	b := OfferComputer(level, m.Position().Rules())
	b.Label, b.Weight = T(label, nil), Plain
	return b
}

// CellsOf returns the squares of the board after the moves of a record, for a board that is only looked at.
func CellsOf(r game.Record) []Cell { return cells(r, true) }

// cells returns the squares of the board after the moves of a record. If over is true, no square can be played any more.
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

// results has, for each cause of an end, the key of the text about it.
var results = map[match.Cause]string{
	match.ByLine: "result.line", match.ByFullBoard: "result.draw", match.ByResignation: "result.resignation", match.ByTime: "result.time",
	match.ByAbort: "result.aborted", match.ByModerator: "result.moderator", match.ByVoid: "result.void", match.ByNoShow: "result.noshow",
	match.ByAgreement: "result.agreed",
}

// crowdLost reports whether a crowd has lost against the computer, which is nothing to celebrate.
func crowdLost(m match.Match) bool {
	winner := m.Result.Outcome.Winner()
	return m.Seats.HasCrowd() && winner != game.None && m.Seats.Of(winner).IsComputer()
}

// resultText says how a match ended.
func resultText(m match.Match, names Names) Text {
	winner, rules, key := m.Result.Outcome.Winner(), m.Position().Rules(), results[m.Result.Cause]
	args := Args{}
	if winner != game.None {
		args["Winner"] = names.Seat(m.Seats.Of(winner))
		args["Loser"] = names.Seat(m.Seats.Of(winner.Opponent()))
		args["Mark"] = Mark(winner)
		args["Run"] = rules.Run()
	}
	switch cause := m.Result.Cause; {
	case crowdLost(m):
		key = "result.lost"
	case cause == match.ByLine && rules.Misere():
		key += ".misere"
	case cause == match.ByFullBoard && rules.Keep() > 0:
		key += ".endless"
	case cause == match.ByAbort && m.Seats.HasCrowd():
		key = "result.stopped"
	case cause == match.ByNoShow:
		args["Name"] = names.Seat(m.Seats.Of(m.Proposer))
	}
	return T(key, args)
}

func rematch(m match.Match, names Names) ([]Text, []Button) {
	if m.NextGame() != "" {
		return nil, nil // InSeries says where the next game is
	}
	ask := Button{Do: Rematch{m.ID, m.Version}, Label: T("action.rematch", nil), Weight: Main}
	if !m.Seats.People() {
		ask.Label = T("action.again", nil)
	}
	by := names.Of(m.Rematch.By)
	switch m.Rematch.State {
	case match.NoRematch:
		if m.Seats.Left() || m.Arena != "" {
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

// AskResign returns the title and text of the form in which a player confirms to resign. The text names the consequence.
func AskResign(m match.Match) (title, question Text) {
	if m.Seats.HasCrowd() {
		return T("crowd.stop.title", nil), T("crowd.stop.question", nil)
	}
	if m.Aborts() && m.BestOf > 0 && m.Series != m.ID {
		return T("resign.series.title", nil), T("resign.series.question", nil)
	}
	if m.Aborts() {
		return T("resign.abort.title", nil), T("resign.abort.question", nil)
	}
	return T("resign.title", nil), T("resign.question", nil)
}

// TurnTime returns the time for each move, in words.
func TurnTime(d time.Duration) Text {
	switch {
	case d%time.Hour == 0:
		return T("time.hours", Args{"PluralCount": int(d / time.Hour)})
	case d%time.Minute > 0:
		return T("time.seconds", Args{"PluralCount": int(d / time.Second)})
	}
	return T("time.minutes", Args{"PluralCount": int(d / time.Minute)})
}

// TurnMention returns the message that calls the side to move to its turn.
func TurnMention(m match.Match, names Names) Screen {
	opponent := m.Seats.Of(m.Position().Turn().Opponent())
	called := m.Turn().Player
	return Screen{
		Lines: []Text{T("mention.turn", Args{
			"Player": Mention(called), "Opponent": names.Seat(opponent), "Deadline": Moment(m.Deadline),
			"Link": Link{T("games.link", nil), m.ID},
		})},
		Buttons: []Button{switchMentions(false, called)},
	}
}

// StartMention returns the message that calls the proposer to a match that has begun.
func StartMention(m match.Match, names Names) Screen {
	key, args := "mention.start.them", Args{
		"Player": Mention(m.Awaited()), "Opponent": names.Seat(m.Seats.Of(m.Absent().Opponent())), "Link": Link{T("games.link", nil), m.ID},
	}
	if m.Turn().Player == m.Awaited() {
		key, args["Deadline"] = "mention.start.you", Moment(m.Deadline)
	}
	return Screen{Lines: []Text{T(key, args)}, Buttons: []Button{switchMentions(false, m.Awaited())}}
}

// switchMentions returns the button that switches turn mentions off or, if they are off, on. If owner is set, only that player can use the
// button.
func switchMentions(off bool, owner match.User) Button {
	if off {
		return Button{Do: SwitchMentions{On: true, Of: owner}, Label: T("action.mentions.on", nil)}
	}
	return Button{Do: SwitchMentions{On: false, Of: owner}, Label: T("action.mentions.off", nil)}
}
