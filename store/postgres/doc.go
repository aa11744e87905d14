// Package postgres keeps challenges, matches, scores and boards in a Postgres database that any number of bots share.
//
// Guarantees. What Save has acknowledged is committed. A Save is one transaction under compare-and-swap: an UPDATE names
// the version it started from, and of two that race the second finds another. What is no property of one row (room for a
// match, consent, a policy, what a score adds up to) is judged under advisory locks on the players and venues concerned,
// all taken before the first row is, in one order (advisorylock.go). A value is read in one statement or one snapshot.
//
// What fails for a reason that passes (a lost connection, a failover, a deadlock, a timeout) is tried again until the context ends, for
// [patience] at most: then the error wraps [match.ErrBusy]. A transaction whose COMMIT was not answered is run again. If the first run was
// committed, the second conflicts with it, and Save finds its values stored (database.go). When the context of
// a transaction ends, its statements are cut off and it is rolled back; COMMIT and long transactions are not cut off.
//
// All times come from the caller, are kept to the millisecond and come back in UTC. Only [Clock] and leases ask the server for
// its time.
//
// All tables are in the schema tictactoe of the database. Postgres keeps no NUL and nothing but UTF-8 in a text: package bot replaces both
// where it decodes interactions.
package postgres
