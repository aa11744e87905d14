// Package postgres keeps challenges, matches, scores and boards in a Postgres database that any number of bots share.
//
// Guarantees. An acknowledged Save is committed. A Save is one transaction under compare-and-swap: an UPDATE names the version that
// it replaces, and of two racing saves the second finds another version. Conditions across several rows (a quota, consent, a
// policy, a sum of scores) are checked under advisory locks on the players and venues, which are taken in one order before the
// first row is locked (advisorylock.go). A value is read in one statement or one snapshot.
//
// A transaction that fails for a temporary reason (a lost connection, a failover, a deadlock, a timeout) is repeated until the
// context ends, for [patience] at most: then the error wraps [match.ErrBusy]. A transaction whose COMMIT was not answered is run
// again. If the first run was committed, the second conflicts with it, and Save finds its values stored (database.go). When the
// context of a transaction ends, its statements are cut off and it is rolled back; COMMIT and long transactions are not cut off.
//
// All times come from the caller, are kept to the millisecond and come back in UTC. Only [Clock] and leases ask the server for its
// time.
//
// All tables are in the schema tictactoe of the database. Postgres stores no NUL and no invalid UTF-8 in a text: package bot
// replaces both where it decodes interactions.
package postgres
