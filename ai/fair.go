package ai

import (
	"iter"
	"math"
	"slices"

	"tictactoe/game"
)

// MaxSkill is the skill of the strongest fair level, which hardly errs. The weakest level, of skill 0, takes every win but overlooks
// most threats.
const MaxSkill = 12

// FairName begins the names of the fair levels, such as "fair:7".
const FairName = "fair"

// Fair returns the fair level of a skill from 0 to [MaxSkill]; any other skill counts as the nearest of these. The level of skill 7
// is named "fair:7". A fair level errs as people do: it overlooks threats and makes no plan, but it never misses a win. [Fit]
// chooses the skill for a person.
func Fair(skill int) Level { return Unbeatable + 1 + Level(min(max(skill, 0), MaxSkill)) }

// Skill returns the skill of a fair level, and false for any other level.
func (level Level) Skill() (int, bool) {
	skill := int(level) - int(Unbeatable) - 1
	return skill, skill >= 0 && skill <= MaxSkill
}

// fairly returns the style of a fair level.
func (s *Solver) fairly(skill int) style {
	k := float64(skill) / MaxSkill
	sees := min(1, float64(skill+1)/10)
	plan := noticing(sees, sane, anyOf(game.Position.Legal))
	if skill > 0 {
		plan = mixed(k*k, s.sound(), plan)
	}
	return seeing(winning, noticing(sees, blocking, plan))
}

// Result is a finished game of a person against a level.
type Result struct {
	Level Level
	First bool    // the person began
	Score float64 // 1 for a win of the person, 0 for a loss; anything else is a draw
}

// ResultOf returns the result of a game against a level for a person who played the mark own. The winner is [game.None] after a draw.
func ResultOf(level Level, own, winner game.Mark) Result {
	r := Result{Level: level, First: own == game.X, Score: 0.5}
	switch winner {
	case own:
		r.Score = 1
	case own.Opponent():
		r.Score = 0
	}
	return r
}

const (
	// spread is the standard deviation of the strengths of people, in points, around the human model.
	spread = 900
	// fading is the weight of a game relative to the game after it. It is below 1 because people improve.
	fading = 0.85
	// recent is the number of latest games that count.
	recent = 25
	// The range and the step of the strengths that a person may have, in points.
	weakest, strongest, step = -400, 2400, 50
)

// Fit returns the fair level against which a person scores about half of the points in the next game, judged by the person's
// results against computers by the same rules, the oldest first. first reports whether the person begins. The estimate is the mean
// of the posterior distribution of a Davidson model (J. Am. Stat. Assoc. 65, 1970) with an advantage for the side that begins;
// without results it is the strength of the human model. For rules that are not on offer, Fit ignores the results and returns the
// level of medium skill.
func Fit(rules game.Rules, results []Result, first bool) Level {
	scale, known := scales[rules.Title()]
	if !known {
		return Fair(MaxSkill / 2)
	}
	person := scale.estimate(results)
	best, least := 0, math.Inf(1)
	for skill := range MaxSkill + 1 {
		of := scale.chances(person, Fair(skill), first)
		if off := math.Abs(of[0] + of[1]/2 - 0.5); off < least {
			best, least = skill, off
		}
	}
	return Fair(best)
}

// A scale holds the strengths of all levels by one rule set, in points: 400 points make the odds of a win to a loss ten to one. Random
// has 0 points.
type scale struct {
	draws  float64               // the weight of a draw, relative to 1 for a win between equals
	first  float64               // the advantage of the side that begins, in points
	people float64               // the strength of the human model
	levels [Unbeatable]float64   // in the order of Levels
	fair   [MaxSkill + 1]float64 // indexed by skill
}

// strength returns the strength of a level.
func (s scale) strength(level Level) float64 {
	if skill, fair := level.Skill(); fair {
		return s.fair[skill]
	}
	return s.levels[level-Random]
}

// chances returns the probabilities that a person of the given strength wins, draws and loses against a level, where first reports whether
// the person begins.
func (s scale) chances(person float64, level Level, first bool) [3]float64 {
	ahead := person - s.strength(level)
	if first {
		ahead += s.first
	} else {
		ahead -= s.first
	}
	half := math.Pow(10, ahead/800)
	all := half + s.draws + 1/half
	return [3]float64{half / all, s.draws / all, 1 / half / all}
}

// likely returns the probability that a person of the given strength gets the result.
func (s scale) likely(person float64, r Result) float64 {
	of := s.chances(person, r.Level, r.First)
	switch r.Score {
	case 1:
		return of[0]
	case 0:
		return of[2]
	default:
		return of[1]
	}
}

// posterior yields each strength that a person with the results, the oldest first, may have, and its probability up to a common
// factor.
func (s scale) posterior(results []Result) iter.Seq2[float64, float64] {
	results = slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return r.Level.check() != nil })
	results = results[max(0, len(results)-recent):]
	return func(yield func(strength, likelihood float64) bool) {
		for strength := float64(weakest); strength <= strongest; strength += step {
			off := (strength - s.people) / spread
			likelihood, weight := -off*off/2, 1.0
			for i := len(results) - 1; i >= 0; i-- {
				likelihood += weight * math.Log(s.likely(strength, results[i]))
				weight *= fading
			}
			if !yield(strength, math.Exp(likelihood)) {
				return
			}
		}
	}
}

// estimate returns the strength of a person with those results, the oldest first.
func (s scale) estimate(results []Result) float64 {
	var sum, all float64
	for strength, likelihood := range s.posterior(results) {
		sum, all = sum+strength*likelihood, all+likelihood
	}
	return sum / all
}

// Stronger reports whether a level is stronger than another by the given rules. It returns false for rules that are not on offer, and
// if there is no such level.
func Stronger(rules game.Rules, level, than Level) bool {
	scale, known := scales[rules.Title()]
	return known && level.check() == nil && than.check() == nil && scale.strength(level) > scale.strength(than)
}

// Predict returns how likely a person wins, draws and loses the next game against a level, by the model and the results of [Fit]. It
// returns false if the rules are not on offer or there is no such level.
func Predict(rules game.Rules, results []Result, level Level, first bool) (chances [3]float64, known bool) {
	scale, known := scales[rules.Title()]
	if !known || level.check() != nil {
		return chances, false
	}
	var all float64
	for strength, likelihood := range scale.posterior(results) {
		for i, chance := range scale.chances(strength, level, first) {
			chances[i] += chance * likelihood
		}
		all += likelihood
	}
	for i := range chances {
		chances[i] /= all
	}
	return chances, true
}

// scales holds the scale of each rule set on offer, by its name. They are fitted to games between all levels and the human model;
// this command fits one of them: `go test ./ai -run TestStrengths -v -strengths drop`.
var scales = map[string]scale{
	"classic": {2.58, 188, 689,
		[...]float64{0, 446, 1030, 965, 1107, 1178, 1136, 1247},
		[...]float64{234, 303, 366, 418, 533, 622, 729, 811, 907, 986, 1049, 1093, 1173}},
	"4x4": {5.90, 73, 750,
		[...]float64{0, 445, 985, 1082, 1287, 1088, 850, 1382},
		[...]float64{255, 326, 383, 477, 552, 677, 776, 909, 1019, 1127, 1222, 1275, 1390}},
	"5x5": {0.49, 58, 558,
		[...]float64{0, 490, 594, 1164, 1516, 861, 1621, 1721},
		[...]float64{373, 395, 448, 542, 571, 687, 799, 905, 1069, 1187, 1330, 1524, 1717}},
	"infinite": {0.02, 87, 496,
		[...]float64{0, 363, 709, 790, 1050, 769, 1236, 1210},
		[...]float64{268, 307, 339, 382, 418, 466, 551, 649, 745, 838, 950, 1064, 1197}},
	"drop": {1.20, -21, 347,
		[...]float64{0, 206, 527, 668, 1005, 760, 1009, 1189},
		[...]float64{133, 133, 210, 256, 308, 383, 442, 543, 605, 708, 818, 968, 1197}},
	"drop-5x5": {0.51, 54, 311,
		[...]float64{0, 219, 396, 646, 1035, 759, 1096, 1317},
		[...]float64{100, 177, 210, 258, 327, 349, 430, 533, 634, 737, 814, 1015, 1289}},
	"misere": {1.28, -302, 148,
		[...]float64{0, 171, 57, 351, 563, 620, 736, 793},
		[...]float64{-20, 13, 41, 80, 133, 166, 210, 288, 318, 423, 459, 590, 758}},
}
