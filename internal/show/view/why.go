package view

import (
	"tictactoe/ai"
	"tictactoe/game"
)

// Why says in words, in the middle of a sentence, why a move is good. It reports false if there is no reason. The words are true of all
// squares that the reason holds for.
func Why(why ai.Reason, rules game.Rules) (Text, bool) {
	args := Args{"Squares": SquareNames(rules, why.Threats), "Opened": SquareNames(rules, why.Opened)}
	switch why.Kind {
	case ai.Wins:
		return T("lesson.reason.wins", nil), true
	case ai.Blocks:
		return T("lesson.reason.blocks", nil), true
	case ai.Strands:
		return T("lesson.reason.strands", nil), true
	case ai.Avoids:
		return T("lesson.reason.avoids", nil), true
	case ai.Holds:
		return T("lesson.reason.holds", nil), true
	case ai.Resists:
		return T("lesson.reason.resists", nil), true
	case ai.Forks:
		return each(why, "lesson.reason.forks", args), true
	case ai.Stacks:
		return each(why, "lesson.reason.stacks", args), true
	case ai.Frees:
		return each(why, "lesson.reason.frees", args), true
	case ai.Threatens:
		return each(why, "lesson.reason.threatens", args), true
	case ai.StopsFork:
		return zoned(why, "lesson.reason.stopsfork", nil), true
	case ai.Only:
		return zoned(why, "lesson.reason.only", nil), true
	case ai.Forces:
		if why.In == ai.Unknown {
			return T("lesson.reason.forces.far", nil), true
		}
		return zoned(why, "lesson.reason.forces", Args{"PluralCount": why.In}), true
	default:
		return Text{}, false
	}
}

// each is a text about threats. If the reason holds for several squares, each has threats of its own, and none is named.
func each(why ai.Reason, key string, args Args) Text {
	if why.Squares.Len() > 1 {
		key += ".any"
		return T(key, nil)
	}
	return T(key, args)
}

// zoned is a text about the zone that the reason is about, if it is about one.
func zoned(why ai.Reason, key string, args Args) Text {
	switch why.Zone {
	case ai.Centre:
		key += ".centre"
	case ai.Corners:
		key += ".corners"
	case ai.Edges:
		key += ".edges"
	}
	return T(key, args)
}

// ReasonFor says why to play a square, as far as that can be seen without looking further than the other side's answer.
func ReasonFor(p game.Position, square game.Square) (Text, bool) {
	return Why(ai.ReasonFor(p, square), p.Rules())
}

// Harm says in a sentence what a wrong move in p has let the other side do. It reports false if there was no harm.
func Harm(p game.Position, r ai.Remark) (Text, bool) {
	harm := r.Harm(p)
	answer, rules := harm.Answer, p.Rules()
	args := Args{
		"Mark": Mark(r.Mark.Opponent()), "Own": Mark(r.Mark), "At": SquareNames(rules, answer.Squares),
		"Squares": SquareNames(rules, answer.Threats), "Opened": SquareNames(rules, answer.Opened),
	}
	switch harm.Kind {
	case ai.Completes:
		return T("why.completes", args), true
	case ai.Releases:
		return T("why.releases", args), true
	case ai.Misses:
		return T("why.misses", args), true
	case ai.Allows:
		if answer.In > 0 {
			args["PluralCount"] = answer.In
		}
		return T(allowed(answer), args), true
	default:
		return Text{}, false
	}
}

// allowed is the key of the sentence about what a move has allowed.
func allowed(answer ai.Reason) string {
	switch answer.Kind {
	case ai.Wins:
		return "why.wins"
	case ai.Forks:
		return "why.forks"
	case ai.Stacks:
		return "why.stacks"
	case ai.Frees:
		return "why.frees"
	case ai.Strands:
		return "why.strands"
	}
	if answer.In > 0 {
		return "why.forces"
	}
	return "why.forces.far"
}

// betterText names squares that are better than the one that was played, and says why they are, unless the verdict says that already.
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

// someSquares names squares, and if they are many, how many more there are.
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
	return SquareNames(rules, named)
}
