// Package ai judges positions and chooses moves. A [Solver] knows the exact value of every position that can be reached,
// and how many plies are left; it reviews games. An [Engine] chooses moves at a [Level], from random to unbeatable, and is a
// [game.Player]. Each level is composed of a few small habits.
//
// A solver finds values in one of three ways. Up to 12 squares, and up to 16 where a line loses, it fills a table backwards
// from the full board. Where marks vanish, it fills a table backwards from all finished positions. Larger boards it searches
// by alpha-beta. There the unbeatable player takes its first plies from a book, and every other answer from a bounded number
// of nodes.
//
// The package knows positions. It knows no users, no matches and no chat.
package ai
