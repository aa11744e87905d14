// Package sqlstore is what the SQLite and the Postgres store have in common: the statements, what their rows mean, and in
// which order a transaction checks and writes. Each statement stands here once. The few words in which the two databases
// differ are marked in its text; see [Dialect.Text].
//
// What else differs stays with the database, behind [Database] and [Tx]:
//
//   - A SQLite file is of one bot. Whoever writes is the only one, so that a [Lock] is nothing there, and a [Tx] carries a queued
//     statement out at once. The store guards the file itself: who else has it, whether it is still in its place and as it was written.
//   - A Postgres database is shared by any number of bots. A [Lock] is an advisory lock of the transaction, queued statements travel
//     together, and a COMMIT whose answer was lost is made again. The store knows which other bots are there, and lives by the
//     server's clock.
package sqlstore
