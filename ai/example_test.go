package ai_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"tictactoe/ai"
	"tictactoe/game"
)

func Example() {
	table, err := ai.NewSolver(game.Classic())
	if err != nil {
		fmt.Println(err)
		return
	}
	player, err := ai.NewPlayer(ai.Unbeatable, table, rand.NewPCG(rand.Uint64(), rand.Uint64()))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := game.ParsePosition(game.Classic(), "XX./OO./...")
	if err != nil {
		fmt.Println(err)
		return
	}
	square, err := player.Choose(context.Background(), p)
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

func ExampleLevels() {
	fmt.Println(ai.Levels())
	// Output:
	// [random easy textbook medium hard minimax teacher unbeatable]
}
