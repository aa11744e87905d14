package game_test

import (
	"errors"
	"fmt"

	"tictactoe/game"
)

func Example() {
	p := game.Start(game.Classic())
	for _, name := range []string{"b2", "a1", "c1", "a2", "a3"} {
		s, err := p.Rules().ParseSquare(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		if p, err = p.Play(s); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(p)
	fmt.Println(p.Outcome())
	for s := range p.Line().All() {
		fmt.Print(p.Rules().Name(s), " ")
	}
	// Output:
	// O.X/OX./X..
	// X wins
	// c1 b2 a3
}

func ExamplePosition_Play() {
	p, err := game.ParsePosition(game.Classic(), "X../.O./...")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = p.Play(4)
	fmt.Println(err)

	var illegal *game.IllegalMoveError
	fmt.Println(errors.As(err, &illegal) && illegal.Reason == game.Taken)
	// Output:
	// illegal move b2 in X../.O./...: the square is taken
	// true
}

func ExampleParsePosition() {
	_, err := game.ParsePosition(game.Classic(), "XXX/OOO/XX.")
	fmt.Println(err)
	// Output:
	// position "XXX/OOO/XX.": wrong count of marks: X has 5 and O has 3, but they take turns; two winners: X and O both have 3 in a row
}

func ExampleReplay() {
	record, err := game.Replay(game.Classic(), 4, 0, 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(record.Position(), record.Outcome(), record.Position().Turn(), "to move")

	_, err = game.Replay(game.Classic(), 4, 0, 4)
	fmt.Println(err)
	// Output:
	// O../.X./..X in progress O to move
	// ply 2: illegal move b2 in O../.X./...: the square is taken
}

func ExamplePosition_Threats() {
	p, err := game.ParsePosition(game.Classic(), "X.O/.O./X..")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, side := range []game.Mark{game.X, game.O} {
		for s := range p.Threats(side).All() {
			fmt.Printf("%s would win on %s\n", side, p.Rules().Name(s))
		}
	}
	// Output:
	// X would win on a2
}

func ExamplePosition_Canonical() {
	for _, text := range []string{".X./.../...", ".../X../...", ".../.../.X."} {
		p, err := game.ParsePosition(game.Classic(), text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Canonical())
	}
	// Output:
	// .X./.../...
	// .X./.../...
	// .X./.../...
}

func ExamplePerft() {
	for depth := range 6 {
		fmt.Println(depth, game.Perft(game.Start(game.Classic()), depth))
	}
	// Output:
	// 0 1
	// 1 9
	// 2 72
	// 3 504
	// 4 3024
	// 5 15120
}
