// Package ai chooses moves. A [Table] holds the exact value of every position of a small rule set; a [Player] plays at a
// level, from beginner to unbeatable, each level being composed of a few small habits.
//
// The package knows positions. It knows no players in the sense of people, no matches and no chat.
package ai
