// Package sqlstore is what the SQLite and the Postgres store have in common: the statements, what their rows mean, and in
// which order a transaction checks and writes. Each statement stands here once. The few words in which the two databases
// differ are marked in its text; see [Dialect.Text].
//
// What else differs stays with the database, behind [Database]: connections, transactions and locks, and how several bots on one
// Postgres know of each other.
package sqlstore
