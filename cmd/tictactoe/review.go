package main

import (
	"fmt"
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
)

type reviewCommand struct {
	Rules game.Rules `default:"classic" placeholder:"R" help:"The rule set: a name (${rulenames}) or such as 5x4x4+gravity (${default})."`
	JSON  bool       `name:"json" help:"One JSON object."`
	Moves []string   `arg:"" help:"The moves in order, X first."`
}

func (reviewCommand) Help() string {
	return `Says of each move of a game what it was worth, and what would have been better.

  tictactoe review a1 b2 c3 c1 a3 a2 b3`
}

// remark is a reviewed move. The names are read by programs.
type remark struct {
	Mark     string   `json:"mark"`
	Square   string   `json:"square"`
	Grade    string   `json:"grade"`
	Value    ai.Value `json:"value"` // of the move, for the side that made it
	Plies    *int     `json:"plies"`
	Better   []string `json:"better"`
	Critical bool     `json:"critical"`
}

func (c *reviewCommand) Run(s surroundings) error {
	endAtOnce()
	rules := c.Rules
	record, err := replay(rules, c.Moves)
	if err != nil {
		return err
	}
	solver, err := ai.NewSolver(rules)
	if err != nil {
		return err
	}
	review := solver.Review(record)
	remarks := []remark{}
	for _, r := range review {
		better := []string{}
		for sq := range r.Better.All() {
			better = append(better, rules.Name(sq))
		}
		remarks = append(remarks, remark{
			r.Mark.String(), rules.Name(r.Square), r.Grade.String(), r.Played.Value, known(r.Played.Plies), better, r.Critical,
		})
	}
	if c.JSON {
		return writeJSON(s.stdout, struct {
			Rules    string              `json:"rules"`
			Outcome  string              `json:"outcome"`
			Moves    []remark            `json:"moves"`
			Accuracy map[string]*float64 `json:"accuracy"` // null where no decision was critical
		}{rules.String(), record.Outcome().String(), remarks, map[string]*float64{
			"X": share(review.Of(game.X)), "O": share(review.Of(game.O)),
		}})
	}
	for i, r := range remarks {
		line := fmt.Sprintf("%2d  %s %s  %-12s %s", i+1, r.Mark, r.Square, review[i].Played, r.Grade)
		if len(r.Better) > 0 {
			line += ", better: " + strings.Join(r.Better, " ")
		}
		fmt.Fprintln(s.stdout, strings.TrimRight(line, " "))
	}
	fmt.Fprintf(s.stdout, "%s. Accuracy: X %s, O %s\n", record.Outcome(), percent(review.Of(game.X)), percent(review.Of(game.O)))
	return nil
}

func share(a ai.Accuracy) *float64 {
	if share, ok := a.Share(); ok {
		return &share
	}
	return nil
}

func percent(a ai.Accuracy) string {
	share, ok := a.Share()
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.0f %% (%d of %d)", 100*share, a.Critical-a.Errors, a.Critical)
}
