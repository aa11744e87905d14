// Package soak lets many users play against a real bot while faults happen, records what each of them did and was told, and
// judges that history afterwards against the database.
//
// The judge consists of [Laws]: each looks at the history and at the tables as they are in the end, and finds what breaks it. The laws
// share with the bot package game, which replays the stored moves, the keys of its texts, constants that it promises, and the check of
// the database that the program makes itself.
package soak
