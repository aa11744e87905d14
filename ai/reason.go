package ai

import (
	"context"

	"tictactoe/game"
)

// A Reason is the reason why a move is good: the effect of the move, or the move of the other side that it prevents. It is true of
// the position, whatever the players do next. The zero value is no reason.
type Reason struct {
	Kind    ReasonKind
	Squares game.Bitboard // the moves that the reason holds for
	// Threats is the set of squares on which the side that moves wins next, after the first of Squares: one square for the kinds
	// Stacks and Threatens, two or more for Forks, and the square that gets free for Frees. For StopsFork it is the set of squares
	// on which the other side forks after every move that does not hold, and may be empty.
	Threats game.Bitboard
	Opened  game.Bitboard // for Stacks, the squares on which the side wins once the threat is blocked
	In      int           // for Forces, the number of moves of the winner until the win
	// Zone is the zone of the moves that keep the value, if they are exactly the open squares of a zone.
	Zone  Zone
	Value Value // the value of the position for the side that moves, if it is known; otherwise [Draw]
}

// ReasonKind says in which way a move is good, for example that it wins at once or blocks the other side.
type ReasonKind uint8

// The kinds of reasons, the weightiest first.
const (
	NoReason  ReasonKind = iota
	Wins                 // the move wins at once
	Blocks               // the other side would win on the square at once
	Forks                // the move threatens to win on two squares; the other side cannot win first, and can block only one of them
	Stacks               // the move threatens to win on one square, and a block makes another square winning
	Frees                // the other side's next vanishing mark stands on a winning square, which the other side therefore cannot block
	Strands              // a line loses, and every move of the other side completes one
	Avoids               // a line loses, and every other square completes one
	StopsFork            // every move that does not hold lets the other side fork
	Only                 // no other move keeps the value, or only moves of the same zone do
	Forces               // the move wins by force
	Threatens            // the move threatens to win on one square
	Holds                // the move keeps the draw
	Resists              // the game is lost, and no move loses it more slowly
)

// String returns the kind in a few words, such as "winning move", "must block" or "two threats". NoReason is the empty string.
func (k ReasonKind) String() string {
	return nameOf(k,
		"", "winning move", "must block", "two threats", "a threat that cannot be blocked", "a square gets free", "only lines are left", "avoids a line",
		"stops a fork", "only move", "wins by force", "a threat", "holds", "resists",
	)
}

// Zone is a named set of squares of a board, such as its corners.
type Zone uint8

// The zones of a board.
const (
	NoZone  Zone = iota
	Centre       // the square in the middle
	Corners      // the four corners
	Edges        // on 3x3, the four squares between corners
)

// ReasonFor returns the weightiest reason for a move in p that can be found without searching beyond the other side's answer. Its
// kind is one of the kinds from [Wins] to [Avoids], [Threatens], or [NoReason] if there is no such reason or the move is illegal.
func ReasonFor(p game.Position, s game.Square) Reason {
	next, err := p.Play(s)
	if err != nil {
		return Reason{}
	}
	why := Reason{Squares: game.SetOf(s)}
	switch lines := p.Threats(p.Turn()); {
	case p.Rules().Misere() && !lines.Has(s) && p.Legal()&^lines == why.Squares && lines != 0:
		why.Kind = Avoids
	case winning(p).Has(s):
		why.Kind = Wins
	case blocking(p).Has(s):
		why.Kind = Blocks
	}
	if pressed := pressure(next); why.Kind == NoReason || pressed.Kind == Strands {
		pressed.Squares = why.Squares
		why = pressed
	}
	if why.Kind == NoReason {
		return Reason{}
	}
	return why
}

// pressure returns the threat in next of the side that has just moved. Its kind is Forks, Stacks, Frees, Strands,
// Threatens or NoReason.
func pressure(next game.Position) Reason {
	legal, threats := next.Legal(), blocking(next)
	switch {
	case legal == 0:
		return Reason{}
	case next.Rules().Misere() && next.Threats(next.Turn()) == legal:
		return Reason{Kind: Strands}
	case winning(next) != 0: // the other side wins first
		return Reason{}
	case threats.Len() > 1:
		return Reason{Kind: Forks, Threats: threats}
	}
	if freed := freed(next); freed != 0 {
		return Reason{Kind: Frees, Threats: freed}
	}
	for block := range threats.All() {
		blocked, _ := next.Play(block) // the move is legal, since every threat is a legal move
		if opened := winning(blocked); opened != 0 {
			return Reason{Kind: Stacks, Threats: threats, Opened: opened}
		}
		return Reason{Kind: Threatens, Threats: threats}
	}
	return Reason{}
}

// freed returns the square of the mark that vanishes with the next move, if the side that has just moved can then win on that
// square. Either every next move allows this win or none does, because the move that frees the square cannot take it.
func freed(next game.Position) game.Bitboard {
	if next.Vanishing() == 0 {
		return 0
	}
	for _, after := range next.Moves() {
		return winning(after) & next.Vanishing()
	}
	return 0
}

// forking returns the squares on which the side to move forks.
func forking(p game.Position) game.Bitboard {
	var forks game.Bitboard
	for s, next := range p.Moves() {
		if pressure(next).Kind == Forks {
			forks |= game.SetOf(s)
		}
	}
	return forks
}

// zones returns the squares of each zone of a board. Boards with gravity have no zones, since zones have little meaning for them.
func zones(rules game.Rules) map[Zone]game.Bitboard {
	w, h := rules.Width(), rules.Height()
	if rules.Gravity() || w < 3 || h < 3 {
		return nil
	}
	of := map[Zone]game.Bitboard{Corners: game.SetOf(0, game.Square(w-1), game.Square((h-1)*w), game.Square(h*w-1))}
	if w%2 == 1 && h%2 == 1 {
		of[Centre] = game.SetOf(game.Square(h * w / 2))
	}
	if w == 3 && h == 3 {
		of[Edges] = rules.Board() &^ of[Corners] &^ of[Centre]
	}
	return of
}

// zoneOf returns the zone whose open squares are exactly the holding squares, or NoZone.
func zoneOf(p game.Position, holding game.Bitboard) Zone {
	for zone, squares := range zones(p.Rules()) {
		if holding == squares&p.Legal() && holding != p.Legal() && (zone == Centre || holding.Len() > 1) {
			return zone
		}
	}
	return NoZone
}

// Advice holds the best moves in a position.
type Advice struct {
	Eval    Eval          // the evaluation of the position for the side to move
	Squares game.Bitboard // best moves: they keep the value and, if it is not a draw, win fastest or lose slowest
	Holding game.Bitboard // all moves that keep the value
}

// AdviseWithin returns the best moves in p. It reports false if the context ends before they are known, and if the game is over.
// It panics if p is of other rules.
func (s *Solver) AdviseWithin(ctx context.Context, p game.Position) (Advice, bool) {
	a, moves, ok := s.advise(ctx, p)
	return a, ok && len(moves) > 0
}

// Favour narrows the advice for p to the moves after which people are likeliest to err, as [Unbeatable] sees it, if several moves draw and
// the game can still be won. The search for them is not bounded by a context. It panics if p is of other rules.
func (s *Solver) Favour(p game.Position, a Advice) Advice {
	if a.Eval.Value == Draw && a.Squares.Len() > 1 && p.CanBeWon() {
		a.Squares &= s.perfect()(p).peaks()
	}
	return a
}

// Advice returns the moves that were better than the move or, if there are none, the move itself. It is empty if the move is
// [Unjudged].
func (r Remark) Advice() Advice {
	if r.Grade == Unjudged {
		return Advice{}
	}
	a := Advice{Eval: r.Best, Squares: r.Better, Holding: r.Kept}
	if r.Played.Value == r.Best.Value {
		a.Holding |= game.SetOf(r.Square)
	}
	if a.Squares == 0 {
		a.Squares = game.SetOf(r.Square)
	}
	return a
}

// Reason returns the weightiest reason for any of the advised squares of p, with the advised squares for which it holds. There is no
// reason if all moves are equally good.
func (a Advice) Reason(p game.Position) Reason {
	var best Reason
	for s := range a.Squares.All() {
		switch why := a.reason(p, s); {
		case why.Kind == NoReason:
		case best.Kind == NoReason || why.Kind < best.Kind:
			best = why
		case why.Kind == best.Kind:
			best.Squares |= why.Squares
		}
	}
	return best
}

// reason returns the reason for one of the advised squares of p.
func (a Advice) reason(p game.Position, s game.Square) Reason {
	why := ReasonFor(p, s)
	if !p.Legal().Has(s) {
		return Reason{}
	}
	why.Value = a.Eval.Value
	idle := p.Legal() &^ a.Holding // the moves that lose value
	switch {
	case why.Kind == Blocks && a.Eval == (Eval{Loss, 2}): // the other side wins at once, perhaps on another square than s
		why.Kind = Resists
	case why.Kind != NoReason && why.Kind != Threatens:
	case a.Eval.Value == Loss && why.Kind == NoReason:
		why.Kind = Resists
	case a.Eval.Value == Win:
		why = Reason{Kind: Forces, In: (a.Eval.Plies + 1) / 2, Zone: zoneOf(p, a.Holding), Value: Win} // the loser makes the last ply if a line loses
	case a.Eval.Value == Loss, idle == 0: // the only reason can be that the move threatens
	default:
		why = a.keeping(p, s, why)
	}
	if why.Kind == NoReason {
		return Reason{}
	}
	why.Squares = game.SetOf(s)
	return why
}

// keeping returns the reason for a move that keeps a draw where other moves lose, for moves without a better reason.
func (a Advice) keeping(p game.Position, s game.Square, threat Reason) Reason {
	zone := zoneOf(p, a.Holding)
	switch forks, stops := a.stopsFork(p, s); {
	case stops:
		return Reason{Kind: StopsFork, Threats: forks, Zone: zone}
	case zone != NoZone || a.Holding.Len() == 1:
		return Reason{Kind: Only, Zone: zone}
	case threat.Kind == Threatens:
		return threat
	default:
		return Reason{Kind: Holds}
	}
}

// stopsFork reports whether the other side cannot fork after the move, but can after every move that does not hold. It returns the
// squares on which the other side can fork after each of these moves.
func (a Advice) stopsFork(p game.Position, s game.Square) (forks game.Bitboard, stops bool) {
	forks = p.Rules().Board()
	for other, next := range p.Moves() {
		switch at := forking(next); {
		case other == s && at != 0, !a.Holding.Has(other) && at == 0:
			return 0, false
		case !a.Holding.Has(other):
			forks &= at
		}
	}
	return forks, true
}

// Harm says what a move allowed the other side to do. The zero value is no harm.
type Harm struct {
	Kind HarmKind
	// Answer is the reason for the other side's answer, if the move Misses or Allows it.
	Answer Reason
}

// HarmKind says in which way a move helped the other side, for example that it missed a threat.
type HarmKind uint8

// The kinds of harm.
const (
	NoHarm    HarmKind = iota
	Completes          // a line loses, and the move completed one
	Misses             // the other side threatened to win at once, and still threatens it
	Allows             // the other side wins as described by Answer: it wins at once, forks, stacks, strands or forces
	Releases           // the other side was lost, and can now hold a draw
)

// Harm returns the harm of a move in p. A move that only delayed a win did no harm, nor did a move as good as any other. The harm of
// an [Unjudged] move is unknown.
func (r Remark) Harm(p game.Position) Harm {
	next, err := p.Play(r.Square)
	if err != nil || r.Played.Value >= r.Best.Value && r.Grade != FasterLoss {
		return Harm{}
	}
	missed, wins := blocking(p)&^game.SetOf(r.Square), winning(next)
	switch {
	case r.Grade == MissedWin:
		return Harm{Kind: Releases}
	case next.Legal() == 0:
		return Harm{Kind: Completes}
	case missed&wins != 0:
		return Harm{Misses, Reason{Kind: Wins, Squares: missed & wins, Value: Win}}
	case wins != 0:
		return Harm{Allows, Reason{Kind: Wins, Squares: wins, Value: Win}}
	}
	answer := Reason{Kind: Forces, In: r.Played.Plies / 2} // the first ply was the move itself
	for s, after := range next.Moves() {
		if why := pressure(after); why.Kind != NoReason && why.Kind < answer.Kind {
			answer = why
			answer.Squares = game.SetOf(s)
		}
	}
	answer.Value = Win
	return Harm{Allows, answer}
}
