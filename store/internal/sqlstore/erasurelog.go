package sqlstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// ErrOtherKey is wrapped when a record of erasures was made with another key than the database uses.
var ErrOtherKey = errors.New("the record was made with the key of another installation, so its deletions cannot be matched to users")

const (
	upsertErasure = `INSERT INTO erasures (digest, at) VALUES ($1, $2)
		ON CONFLICT (digest) DO UPDATE SET at = excluded.at WHERE excluded.at > erasures.at`
	selectErasures    = `SELECT digest, at FROM erasures ORDER BY at, digest`
	deleteErasures    = `DELETE FROM erasures WHERE at <= $1`
	deleteAllErasures = `DELETE FROM erasures`

	// In a hash without a key, a digit follows the prefix.
	selectUnkeyedBlocks  = `SELECT player, blocked FROM blocks WHERE blocked >= 'veiled:0' AND blocked < 'veiled:g'`
	selectUnkeyedBackOff = `SELECT player, challenger FROM back_offs WHERE challenger >= 'veiled:0' AND challenger < 'veiled:g'`

	selectKeyUsed = `SELECT EXISTS (SELECT 1 FROM erasures) OR EXISTS (SELECT 1 FROM blocks WHERE blocked >= 'veiled:key:' AND blocked < 'veiled:key;')
		OR EXISTS (SELECT 1 FROM bars WHERE player >= 'veiled:key:' AND player < 'veiled:key;')`

	selectAllUsers = `SELECT id FROM players
		UNION SELECT x_player FROM matches WHERE x_player IS NOT NULL UNION SELECT o_player FROM matches WHERE o_player IS NOT NULL
		UNION SELECT challenger FROM challenges UNION SELECT challenged FROM challenges
		UNION SELECT player FROM blocks UNION SELECT blocked FROM blocks
		UNION SELECT player FROM back_offs UNION SELECT challenger FROM back_offs
		UNION SELECT player FROM scores UNION SELECT player FROM standings UNION SELECT player FROM recounts
		UNION SELECT player FROM deeds UNION SELECT player FROM seasons WHERE player IS NOT NULL
		UNION SELECT player FROM lessons UNION SELECT player FROM asides UNION SELECT player FROM public_posts
		UNION SELECT player FROM puzzle_attempts UNION SELECT player FROM puzzle_listed
		UNION SELECT host FROM arenas UNION SELECT player FROM entrants
		UNION SELECT player FROM bars UNION SELECT player FROM unranked UNION SELECT whom FROM deeds WHERE whom IS NOT NULL`

	// Whether the database has data of the player from before $2, and whether the player did anything at $2
	// or later.
	selectCameBack = `SELECT coalesce(min(at) < $2, false), coalesce(max(did) >= $2, false) FROM (
		SELECT created AS at, created AS did FROM matches WHERE x_player = $1 UNION ALL SELECT created, created FROM matches WHERE o_player = $1
		UNION ALL SELECT created, created FROM challenges WHERE challenger = $1 UNION ALL SELECT created, 0 FROM challenges WHERE challenged = $1
		UNION ALL SELECT at, at FROM deeds WHERE player = $1 UNION ALL SELECT solved, solved FROM lessons WHERE player = $1
		UNION ALL SELECT started, started FROM puzzle_attempts WHERE player = $1
		UNION ALL SELECT created, created FROM arenas WHERE host = $1 UNION ALL SELECT joined, since FROM entrants WHERE player = $1) AS dated`
)

// UseKey sets the key of the installation, and rehashes with the key the values that older versions of this program hashed without a
// key. It must be called before all other methods of the store. It reports whether a new key replaces a lost key: then recorded
// erasures cannot be assigned to users any more, and blocks of users who had their data deleted have no effect.
func (s *Store) UseKey(ctx context.Context, key column.Key, isNew bool) (lost bool, err error) {
	s.key = key
	done := Named("use the key of the installation")
	if isNew {
		if lost, err = readRow(ctx, s.db, done, Value[bool], selectKeyUsed); err == nil && lost {
			err = s.carryOut(ctx, Kind{}, done, deleteAllErasures)
		}
	}
	for _, kept := range []struct{ find, forget, hash string }{
		{selectUnkeyedBlocks, deleteHashedBlock, hashBlock}, {selectUnkeyedBackOff, deleteHashedBackOff, hashBackOff},
	} {
		var pairs [][2]match.User
		if err == nil {
			pairs, err = readRows(ctx, s.db, done, func(row column.Row) (p [2]match.User, err error) {
				err = row.Scan(&p[0], &p[1])
				return p, err
			}, kept.find)
		}
		if err != nil || len(pairs) == 0 {
			continue
		}
		err = s.db.Write(ctx, Kind{Locks: []Lock{erasing()}, Long: true}, func(_ context.Context, tx Tx) error {
			for _, p := range pairs {
				tx.Queue(done, kept.forget, p[0], key.Rehash(p[1]))
				tx.Queue(done, kept.hash, p[0], p[1], key.Rehash(p[1]))
			}
			return nil
		})
	}
	return lost, err
}

// recordTime is RFC 3339 to the millisecond, the precision of the store.
const recordTime = "2006-01-02T15:04:05.000Z07:00"

type erasure struct {
	digest string
	at     time.Time
}

func scanErasure(row column.Row) (e erasure, err error) {
	err = row.Scan(&e.digest, (*column.Time)(&e.at))
	return e, err
}

// RecordErasures writes the digest of each user whose data was deleted, and the time, in the format that [Store.EraseAgain] reads. It
// returns the number of users.
func (s *Store) RecordErasures(ctx context.Context, w io.Writer) (n int, err error) {
	erased, err := readRows(ctx, s.db, Named("recorded erasures"), scanErasure, selectErasures)
	if err == nil {
		_, err = fmt.Fprintln(w, "key", s.key.Name())
	}
	for _, e := range erased {
		if err == nil {
			_, err = fmt.Fprintln(w, e.digest, e.at.UTC().Format(recordTime))
		}
	}
	return len(erased), err
}

// readRecord parses the output of RecordErasures for the given key.
func readRecord(record io.Reader, key column.Key) (map[string]time.Time, error) {
	erased := make(map[string]time.Time)
	lines := bufio.NewScanner(record)
	for n := 1; lines.Scan(); n++ {
		word, value, _ := strings.Cut(lines.Text(), " ")
		switch at, err := time.Parse(recordTime, value); {
		case n == 1 && word == "key" && value == key.Name():
		case n == 1 && word == "key":
			return nil, ErrOtherKey
		case n == 1 || err != nil:
			return nil, fmt.Errorf("line %d is not a line of a record of erasures: %q", n, lines.Text())
		default:
			erased[word] = at
		}
	}
	return erased, lines.Err()
}

// EraseAgain erases the users of a record whose erasures are missing in the database, because it was restored from an older backup. It
// deletes only rows that are older than the erasure. It returns the users whose data it has deleted.
func (s *Store) EraseAgain(ctx context.Context, record io.Reader, now time.Time) (people []match.User, err error) {
	done := Named("erase again what a backup has brought back")
	erased, err := readRecord(record, s.key)
	if err != nil {
		return nil, done.Wrap(err)
	}
	known, err := readRows(ctx, s.db, done, scanErasure, selectErasures)
	if err != nil {
		return nil, err
	}
	for _, e := range known {
		if !erased[e.digest].After(e.at) {
			delete(erased, e.digest)
		}
	}
	if len(erased) == 0 {
		return nil, nil
	}
	found := make(map[match.User]time.Time)
	err = s.db.Write(ctx, Kind{Long: true}, func(ctx context.Context, tx Tx) error {
		return tx.Each(ctx, func(row column.Row) error {
			p, err := Value[match.User](row)
			if at, is := erased[s.key.Person(p)]; is {
				found[p] = at
			}
			return err
		}, selectAllUsers)
	})
	recount := false
	for p, at := range found {
		var older, since bool
		if err == nil {
			err = s.db.Read(ctx, func(ctx context.Context, tx Tx) error {
				return tx.Row(ctx, selectCameBack, p, at.UnixMilli()+1).Scan(&older, &since)
			})
		}
		if err == nil && (older || !since) {
			people = append(people, p)
			recount = recount || since
			_, err = s.eraseUntil(ctx, p, now, extent{at: at, until: at.UnixMilli() + 1, cameBack: since})
		}
	}
	if err == nil && recount { // the scores of later matches follow from fewer matches than before
		_, err = s.RebuildScores(ctx, nil)
	}
	if err == nil {
		err = s.db.Write(ctx, Kind{}, func(_ context.Context, tx Tx) error {
			for digest, at := range erased {
				tx.Queue(done, upsertErasure, digest, column.Time(at))
			}
			return nil
		})
	}
	return people, done.Wrap(err)
}

// ForgetErasures deletes the records of erasures at the given time or earlier.
func (s *Store) ForgetErasures(ctx context.Context, before time.Time) error {
	return s.carryOut(ctx, Kind{}, Named("forget erasures"), deleteErasures, column.Time(before))
}
