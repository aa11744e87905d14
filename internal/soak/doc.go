// Package soak lets many people play against a real bot while everything goes wrong, writes down what each of them did and
// was told, and judges that history afterwards against the database.
//
// The judge is made of [Laws]: each looks at the history and at the tables as they are in the end, and finds what breaks
// it. They share nothing with the bot but package game, by which the stored moves are replayed.
package soak
