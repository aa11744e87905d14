// Package sqlite keeps challenges, matches, scores and boards in one SQLite file.
//
// Guarantees. An acknowledged Save survives a crash of the process and of the machine: its commit is synced. A Save is one transaction under compare-and-swap, so any number of stores, in any number
// of processes, may save to one file; only one store may belong to the bot, see [Lock]. A value is read in one statement or one
// transaction, so it is never half of one version and half of the next, and each read of this process sees its earlier saves.
//
// Writes take turns; at the same time they would only stall each other. A few more connections read, and cannot write. SQLite ignores
// the context while another process has locked the file; the store therefore lets it wait only briefly, and tries again until the
// context ends: then the error wraps [match.ErrBusy]. A transaction that writes is finished even when its context ends, so that its
// result is known. A query outside of a transaction is finished as well, because it is short.
//
// Times are kept to the millisecond and come back in UTC.
package sqlite
