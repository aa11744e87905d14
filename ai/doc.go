// Package ai judges positions and chooses moves. A [Solver] knows the exact value of every position that can be reached,
// and how many plies are left; it reviews games. An [Engine] chooses moves at a [Level], from random to unbeatable, and is a
// [game.Player]. Each level is composed of a few small habits. [Prove] plays every game that an engine can get into and
// finds out whether the engine ever gives anything away.
//
// There are three ways to know: up to 12 squares, and 16 where a line loses, a table is filled backwards from the full
// board; where marks vanish, from all finished positions; larger boards are searched by alpha-beta. The unbeatable player
// answers on those from a bounded number of nodes, the first plies from a book.
//
// The package knows positions. It knows no players in the sense of people, no matches and no chat.
package ai
