// Package game holds the rules of m,n,k-games, of which Tic-Tac-Toe is the smallest: two sides place marks in turn on a
// board of m columns and n rows, and the first side with k marks in a row wins. [Rules] are data: the size of the board, and
// whether marks fall, a line loses, or only the newest marks of a side stay.
//
// All values are immutable. A [Position] holds the marks on the board and the side to move; the starter, the number of marks and
// the winner are derived from it and never stored separately. [Position.Play] returns a new position or an error that names the
// square and the reason. A [Record] is a game, move by move. A [Player] chooses its moves.
//
// The package knows no clocks, chance or chat, and imports nothing but the standard library. Playing a legal move and
// finding the outcome of a position allocate nothing.
package game
