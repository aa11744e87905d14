package ai_test

import (
	"context"
	"fmt"

	"tictactoe/ai"
	"tictactoe/game"
)

func Example() {
	table, err := ai.NewSolver(game.Classic())
	if err != nil {
		fmt.Println(err)
		return
	}
	engine, err := ai.NewEngine(ai.Unbeatable, table, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := game.ParsePosition(game.Classic(), "XX./OO./...")
	if err != nil {
		fmt.Println(err)
		return
	}
	square, err := engine.Choose(context.Background(), p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Rules().Name(square))
	// Output:
	// c1
}

func ExampleSolver_Moves() {
	table, err := ai.NewSolver(game.Classic())
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := game.ParsePosition(game.Classic(), "X../.O./..X")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Turn(), "to move:", table.Eval(p))
	for _, move := range table.Moves(p) {
		fmt.Println(p.Rules().Name(move.Square), move.Eval)
	}
	// Output:
	// O to move: draw in 6
	// b1 draw in 6
	// c1 loss in 4
	// a2 draw in 6
	// c2 draw in 6
	// a3 loss in 4
	// b3 draw in 6
}

func ExampleSolver_Review() {
	table, err := ai.NewSolver(game.Classic())
	if err != nil {
		fmt.Println(err)
		return
	}
	record, err := game.Replay(game.Classic(), 0, 4, 8, 2) // X in two corners, O in the middle and in a third corner
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, move := range table.Review(record) {
		fmt.Printf("%s %s: %s", move.Mark, game.Classic().Name(move.Square), move.Played)
		if move.Grade.Error() {
			fmt.Printf(", %s; better:", move.Grade)
			for s := range move.Better.All() {
				fmt.Print(" ", game.Classic().Name(s))
			}
		}
		fmt.Println()
	}
	// Output:
	// X a1: draw in 9
	// O b2: draw in 8
	// X c3: draw in 7
	// O c1: loss in 4, losing move; better: b1 a2 c2 b3
}

func ExampleLevels() {
	fmt.Println(ai.Levels())
	// Output:
	// [random easy textbook medium hard minimax teacher unbeatable]
}

// Engines are players, so two of them play a game.
func ExampleEngine() {
	solver, err := ai.NewSolver(game.Classic())
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := ai.NewEngine(ai.Unbeatable, solver, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	o, err := ai.NewEngine(ai.Teacher, solver, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	record := game.NewRecord(game.Start(game.Classic()))
	for record.Outcome() == game.InProgress {
		player := x
		if record.Position().Turn() == game.O {
			player = o
		}
		square, err := player.Choose(context.Background(), record.Position())
		if err != nil {
			fmt.Println(err)
			return
		}
		if record, err = record.Play(square); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(record.Outcome())
	// Output:
	// draw
}
