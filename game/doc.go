// Package game holds the rules of m,n,k-games, of which Tic-Tac-Toe is the smallest: two sides place marks in turn on a
// board of m columns and n rows, and whoever first has k marks in a row wins. [Rules] are data: the size of the board, and
// whether marks fall, a line loses, or only the newest marks of a side stay.
//
// Everything is an immutable value. A [Position] says what stands on the board and whose turn it is; who began, how many
// marks were placed and who has won follow from it and are never stored beside it. [Position.Play] returns a new position
// or an error that names the square and the reason. A [Record] is a game as it was played, move by move. A [Driver] asks
// two players for their moves until a game is over.
//
// The package knows no clocks, chance or chat, and imports nothing but the standard library. Playing a legal move and
// finding the outcome of a position allocate nothing.
package game
