package sqlstore

import (
	"context"

	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
	"tictactoe/store/internal/column"
)

const (
	auditColumns = `id, venue, player, at, kind, coalesce(match, ''), coalesce(whom, ''), chosen, was, coalesce(undoes, ''),
		(SELECT u.n FROM deeds AS u WHERE u.undoes = deeds.id) IS NOT NULL FROM deeds`
	selectAuditEntry = `SELECT ` + auditColumns + ` WHERE id = $2 AND venue = $1`
	selectAuditLog   = `SELECT ` + auditColumns + ` WHERE venue = $1
		ORDER BY n DESC LIMIT $3 OFFSET $2`
	insertAuditEntry = `INSERT INTO deeds (id, venue, player, at, kind, match, whom, chosen, was, undoes)
		VALUES ($1, $2, $3, $4, $5, nullif($6, ''), nullif($7, ''), $8, $9, nullif($10, '')) ON CONFLICT DO NOTHING`
	forgetAuditEntries = `DELETE FROM deeds WHERE venue = $1
		AND n <= (SELECT n FROM deeds WHERE venue = $1 ORDER BY n DESC LIMIT 1 OFFSET $2)`
)

// AuditLog returns the audit entries of a venue, the latest first: at most limit, after skipping the given number of entries.
func (s *Store) AuditLog(ctx context.Context, v match.Venue, skip, limit int) ([]policy.AuditEntry, error) {
	return readRows(ctx, s.db, Named("audit log of %s", v), scanAuditEntry, selectAuditLog, v, skip, limit)
}

// AuditEntry returns an audit entry of a venue. The error is [match.ErrNotFound] if the entry does not exist or was deleted.
func (s *Store) AuditEntry(ctx context.Context, v match.Venue, id match.ID) (policy.AuditEntry, error) {
	return readRow(ctx, s.db, Named("audit entry %s", id), scanAuditEntry, selectAuditEntry, v, id)
}

// hasAuditEntry reports whether an entry is stored already: an earlier run of the transaction may have been committed without an
// answer.
func hasAuditEntry(ctx context.Context, tx Tx, e policy.AuditEntry) (bool, error) {
	_, written, err := optional(scanAuditEntry(tx.Row(ctx, selectAuditEntry, e.Venue, e.ID)))
	return written, err
}

// rule carries out what an audit entry says, by calling do in a transaction that adds the entry, with the names of the users whom it
// concerns. If an earlier run of the transaction has added the entry, it does nothing. Without an id the entry is not added. SetBar, which
// notes how many matches it ended, and Save add their entries themselves.
func (s *Store) rule(
	ctx context.Context, kind Kind, e policy.AuditEntry, names []match.Name, do func(ctx context.Context, tx Tx) error,
) error {
	return s.db.Write(ctx, kind, func(ctx context.Context, tx Tx) error {
		if e.ID != "" {
			if written, err := hasAuditEntry(ctx, tx, e); written || err != nil {
				return err
			}
			saveAuditEntry(tx, e, names...)
		}
		return do(ctx, tx)
	})
}

// saveAuditEntry writes an audit entry once, with the names of the users whom it concerns, and deletes the oldest entries beyond the
// limit. An action is undone only once.
func saveAuditEntry(tx Tx, e policy.AuditEntry, names ...match.Name) {
	done := Named("audit entry %s", e.ID)
	inserted := done
	if e.Undoes != "" {
		inserted = done.Or(&match.Refusal{Reason: match.Undone})
	}
	tx.Queue(inserted, insertAuditEntry, e.ID, e.Venue, e.By, column.Time(e.At), e.Kind, e.Match, e.Whom, column.List(e.Chosen), column.List(e.Was), e.Undoes)
	tx.Queue(done, forgetAuditEntries, e.Venue, policy.Kept)
	saveNames(tx, names)
}

func scanAuditEntry(row column.Row) (e policy.AuditEntry, err error) {
	err = row.Scan(&e.ID, &e.Venue, &e.By, (*column.Time)(&e.At), &e.Kind, &e.Match, &e.Whom, (*column.List)(&e.Chosen), (*column.List)(&e.Was), &e.Undoes, &e.Undone)
	return e, err
}
