// Package sqlstore is the common part of the SQLite and the Postgres store: the statements, the meaning of their rows, and the order in
// which a transaction checks and writes. Each statement is written once. Its text marks the few words in which the two databases
// differ; see [Dialect.Text].
//
// All other differences are in the packages of the databases, behind [Database] and [Tx]:
//
//   - A SQLite file has one bot and one writer at a time, so a [Lock] has no effect, and a [Tx] runs a queued statement immediately. The
//     store guards the file: it makes sure that no other bot uses it, and that it is neither moved nor overwritten.
//   - A Postgres database is shared by any number of bots. A [Lock] is an advisory lock of the transaction, queued statements are sent
//     together, and a transaction whose COMMIT was not answered is run again. The store knows which other bots are running, and uses the
//     server's clock.
package sqlstore
