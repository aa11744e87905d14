package view

import (
	"tictactoe/ai"
	"tictactoe/game"
)

// reasons has the key of the text about each kind of reason. To some keys [Why] adds a further word.
var reasons = map[ai.ReasonKind]string{
	ai.Wins: "lesson.reason.wins", ai.Blocks: "lesson.reason.blocks", ai.Strands: "lesson.reason.strands", ai.Avoids: "lesson.reason.avoids",
	ai.Holds: "lesson.reason.holds", ai.Resists: "lesson.reason.resists", ai.Forks: "lesson.reason.forks", ai.Stacks: "lesson.reason.stacks",
	ai.Frees: "lesson.reason.frees", ai.Threatens: "lesson.reason.threatens", ai.StopsFork: "lesson.reason.stopsfork",
	ai.Only: "lesson.reason.only", ai.Forces: "lesson.reason.forces",
}

// Why returns words for the middle of a sentence that say why a move is good. They are true of all squares of the reason. It returns false
// if there is no reason.
func Why(why ai.Reason, rules game.Rules) (Text, bool) {
	key, given := reasons[why.Kind]
	args := Args{"Squares": AllSquares(rules, why.Threats), "Opened": AllSquares(rules, why.Opened), "PluralCount": why.In}
	switch why.Kind {
	case ai.Forks, ai.Stacks, ai.Frees, ai.Threatens:
		if why.Squares.Len() > 1 { // each square makes other threats, so none is named
			key += ".any"
		}
	case ai.StopsFork, ai.Only, ai.Forces:
		switch {
		case why.Zone == ai.Centre:
			key += ".centre"
		case why.Zone == ai.Corners:
			key += ".corners"
		case why.Zone == ai.Edges:
			key += ".edges"
		}
	}
	return T(key, args), given
}

// withReason returns the text with the key or, if given is true, the text with the key and ".why", which contains the reason why.
func withReason(why Text, given bool, key string, args Args) Text {
	if given {
		args["Why"] = why
		key += ".why"
	}
	return T(key, args)
}

// ReasonFor says why a square is a good move, as far as looking ahead to the other side's answer shows.
func ReasonFor(p game.Position, square game.Square) (Text, bool) {
	return Why(ai.ReasonFor(p, square), p.Rules())
}

// harms holds the keys of sentences about the effect of a wrong move, and answers the keys of sentences about the other side's
// answer.
var (
	harms = map[ai.HarmKind]string{
		ai.Completes: "why.completes", ai.Misses: "why.misses", ai.Allows: "why.forces", ai.Releases: "why.releases",
	}
	answers = map[ai.ReasonKind]string{
		ai.Wins: "why.wins", ai.Forks: "why.forks", ai.Stacks: "why.stacks", ai.Frees: "why.frees", ai.Strands: "why.strands",
	}
)

// Harm says in a sentence what a wrong move in position p has allowed the other side to do. It returns false if there is nothing to say.
func Harm(p game.Position, r ai.Remark) (Text, bool) {
	harm := r.Harm(p)
	answer, rules := harm.Answer, p.Rules()
	key := harms[harm.Kind]
	if said, listed := answers[answer.Kind]; harm.Kind == ai.Allows && listed {
		key = said
	}
	return T(key, Args{
		"Mark": Mark(r.Mark.Opponent()), "Own": Mark(r.Mark), "At": AnySquare(rules, answer.Squares), "PluralCount": answer.In,
		"Squares": AllSquares(rules, answer.Threats), "Opened": AllSquares(rules, answer.Opened),
	}), key != ""
}

// betterText names squares that are better than the played one, and says why, unless the verdict already says it.
func betterText(p game.Position, r ai.Remark, verdict Text) Text {
	args := Args{"Verdict": verdict, "Squares": someSquares(p.Rules(), r.Better)}
	why := r.Advice().Reason(p)
	words, ok := Why(why, p.Rules())
	switch args["Why"] = words; {
	case !ok, why.Kind >= ai.Threatens:
		return T("review.better", args)
	case why.Squares != r.Better:
		args["Of"] = someSquares(p.Rules(), why.Squares)
		return T("review.better.some", args)
	default:
		return T("review.better.why", args)
	}
}

// someSquares names squares from which one can be chosen. If there are many, it names a few and says how many more there are.
func someSquares(rules game.Rules, set game.Bitboard) Text {
	var named game.Bitboard
	for square := range set.All() {
		if named.Len() < maxBetter {
			named |= game.SetOf(square)
		}
	}
	if more := set.Len() - named.Len(); more > 0 {
		return T("review.squares.more", Args{"Squares": SquareNames(rules, named), "More": more})
	}
	return AnySquare(rules, named)
}
