// Package soak lets many users play against a real bot while faults happen. It records what each user did and was told, and then judges
// that history against the database.
//
// The judge consists of [Laws]: each checks the history and the final tables, and finds what violates it. The laws share with the bot:
// package game, which replays the stored moves; the keys of its texts; constants that it promises; and the program's own check of the
// database.
package soak
