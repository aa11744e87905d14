package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
)

// errBadLines means that some input lines were not positions. The output has a message in place of the result of each such line.
var errBadLines = errors.New("some lines could not be read")

type analyseCommand struct {
	Rules    game.Rules `default:"classic" placeholder:"R" help:"The rule set: a name (${rulenames}) or such as 5x4x4+gravity (${default})."`
	JSON     bool       `name:"json" help:"One JSON object for each line."`
	Position []string   `arg:"" optional:"" help:"A position, or moves and the squares in order. Without it, one of either is read from each line of standard input."`
}

func (analyseCommand) Help() string {
	return `What a position is worth if both sides play perfectly, and what each move makes of it.

  tictactoe analyse X.O/.X./..O
  tictactoe analyse --rules infinite moves a2 b2 c1
  printf 'XXO O X O\n' | tictactoe analyse --json

Rows are written from the top, with or without / between them; . and spaces are empty squares. A space and X or O after the
board names the side to move, as in "X../.O./... O"; without it, O began if it has one mark more. Empty lines are passed over.`
}

// analysis holds the values of a position and of each of its moves. Other programs read it as JSON, so the names of the fields must stay.
type analysis struct {
	Rules    string         `json:"rules"`
	Position string         `json:"position"`
	Turn     string         `json:"turn"`
	Outcome  string         `json:"outcome"`
	Value    ai.Value       `json:"value"` // for the side to move
	Plies    *int           `json:"plies"`
	Best     []string       `json:"best"`
	Moves    []moveAnalysis `json:"moves"`
}

type moveAnalysis struct {
	Square string   `json:"square"`
	Value  ai.Value `json:"value"` // for the side that makes the move
	Plies  *int     `json:"plies"` // to the end of the game, with this move
}

func (c *analyseCommand) Run(s surroundings) error {
	endAtOnce()
	rules := c.Rules
	solver, err := ai.NewSolver(rules)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(s.stdout)
	var input io.Reader = s.stdin
	if len(c.Position) > 0 {
		input = strings.NewReader(strings.Join(c.Position, " ") + "\n")
	}
	bad := false
	lines := bufio.NewScanner(input)
	for n := 1; lines.Scan(); n++ {
		if lines.Text() == "" && len(c.Position) == 0 {
			continue
		}
		record, err := readGame(rules, lines.Text())
		switch {
		case err != nil && c.JSON:
			bad = true
			_ = writeJSON(out, map[string]string{"error": err.Error()})
		case err != nil:
			bad = true
			fmt.Fprintf(out, "line %d: %v\n", n, err)
		case c.JSON:
			_ = writeJSON(out, analyse(solver, record))
		default:
			explain(out, solver, record)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading the positions: %w", err)
	}
	if bad {
		return errBadLines
	}
	return nil
}

// readGame parses an input line: a position, or the word "moves" and squares.
func readGame(rules game.Rules, line string) (game.Record, error) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "moves" {
		p, err := game.ParsePosition(rules, line)
		return game.NewRecord(p), err
	}
	return replay(rules, words[1:])
}

// replay returns the game in which the moves are on the named squares. Errors count moves from 1.
func replay(rules game.Rules, names []string) (game.Record, error) {
	squares := make([]game.Square, len(names))
	for i, name := range names {
		var err error
		if squares[i], err = rules.ParseSquare(strings.ToLower(name)); err != nil {
			return game.Record{}, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	record := game.NewRecord(game.Start(rules))
	for i, square := range squares {
		next, err := record.Play(square)
		if err != nil {
			return game.Record{}, fmt.Errorf("move %d: %w", i+1, err)
		}
		record = next
	}
	return record, nil
}

func analyse(solver *ai.Solver, record game.Record) analysis {
	p := record.Position()
	rules := p.Rules()
	a := analysis{
		Rules: rules.String(), Position: p.String(), Turn: p.Turn().String(), Outcome: record.Outcome().String(),
		Plies: new(int), Best: []string{}, Moves: []moveAnalysis{},
	}
	if record.Outcome() == game.Draw {
		return a // a game that has become too long is a draw too, although its last position has another value
	}
	eval := solver.Eval(p)
	a.Value, a.Plies = eval.Value, knownPlies(eval.Plies)
	for s := range solver.Best(p).All() {
		a.Best = append(a.Best, rules.Name(s))
	}
	for _, m := range solver.Moves(p) {
		a.Moves = append(a.Moves, moveAnalysis{rules.Name(m.Square), m.Eval.Value, knownPlies(m.Eval.Plies)})
	}
	return a
}

// knownPlies returns the number of plies, or nil if the number is unknown.
func knownPlies(plies int) *int {
	if plies == ai.Unknown {
		return nil
	}
	return &plies
}

// explain draws the position with the value of each empty square.
func explain(w io.Writer, solver *ai.Solver, record game.Record) {
	p := record.Position()
	if outcome := record.Outcome(); outcome != game.InProgress {
		fmt.Fprintf(w, "%s  %s\n", p, outcome)
		return
	}
	fmt.Fprintf(w, "%s  %s to move: %s\n", p, p.Turn(), solver.Eval(p))
	best := solver.Best(p)
	for _, m := range solver.Moves(p) {
		sign := " "
		if best.Has(m.Square) {
			sign = "*"
		}
		fmt.Fprintf(w, "  %s %s  %s\n", sign, p.Rules().Name(m.Square), m.Eval)
	}
}
