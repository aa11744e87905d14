// Package sqlite keeps challenges, matches, scores and boards in one SQLite file.
//
// Guarantees. What Save has acknowledged survives a crash of the process and of the machine: the journal is synced on
// every commit. A Save is one transaction under compare-and-swap, so any number of stores, in any number of processes,
// may work on one file without another lock between them. A value is read in one statement or one transaction, so it is
// never half of one version and half of the next, and what this process has saved is seen by its next read.
//
// All writing goes through one connection, in turn; several would only stall each other. Reading has a few connections
// that cannot write. SQLite does not look at a context while the file is locked by somebody else; the store therefore
// lets it wait briefly, looks at the context itself, and tries again until that ends: then the error wraps
// [match.ErrBusy]. A transaction that has begun is finished even when its context ends, so that its result is known.
//
// Times are kept to the millisecond and come back in UTC.
package sqlite
