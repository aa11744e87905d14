package sqlstore

import (
	"context"
	"crypto/rand"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/server/policy"
	"tictactoe/store/internal/column"
)

const (
	// toEnd1 finds the matches that change when a player leaves: running matches, ended matches with a proposed rematch, and matches of
	// crowds with a vote of the player.
	toEnd1 = `SELECT id FROM matches WHERE x_player = $1 AND (ended IS NULL OR rematch = 'proposed')
			UNION ALL SELECT id FROM matches WHERE o_player = $1 AND (ended IS NULL OR rematch = 'proposed')
			UNION ALL SELECT match FROM votes WHERE player = $1`
	selectToEnd = `SELECT ` + matchColumns + ` WHERE id IN (` + toEnd1 + `) ORDER BY created, id`
	// selectVenuesOf finds the venues whose scores and ladders name the player. Until the transaction ends, no other transaction may
	// write scores there that it computed from earlier rows.
	selectVenuesOf = `SELECT venue FROM matches WHERE x_player = $1 UNION SELECT venue FROM matches WHERE o_player = $1
		UNION SELECT venue FROM scores WHERE player = $1 UNION SELECT venue FROM recounts WHERE player = $1`

	// Matches and challenges that would be left without a known player. Rows up to the time $3 are deleted.
	alone1 = `SELECT id FROM matches WHERE x_player = $1 AND (o_player IS NULL OR o_player = $2) AND created < $3
		UNION ALL SELECT id FROM matches WHERE o_player = $1 AND (x_player IS NULL OR x_player = $2) AND created < $3
		UNION ALL SELECT id FROM challenges WHERE challenger = $1 AND challenged = $2 AND created < $3
		UNION ALL SELECT id FROM challenges WHERE challenged = $1 AND challenger = $2 AND created < $3`

	deleteAloneMoves  = `DELETE FROM moves WHERE match IN (` + alone1 + `)`
	deleteAloneBoards = `DELETE FROM boards WHERE id IN (` + alone1 + `)`
	// These statements do not use alone1, which reads both tables: the first statement would change the result of the second.
	deleteAloneMatches = `DELETE FROM matches WHERE x_player = $1 AND (o_player IS NULL OR o_player = $2) AND created < $3
		OR o_player = $1 AND (x_player IS NULL OR x_player = $2) AND created < $3`
	deleteAloneChallenges = `DELETE FROM challenges WHERE challenger = $1 AND challenged = $2 AND created < $3
		OR challenged = $1 AND challenger = $2 AND created < $3`

	updateXPlayer = `UPDATE matches SET x_player = $2, rematch_by = CASE WHEN rematch_by = $1 THEN $2 ELSE rematch_by END
		WHERE x_player = $1 AND created < $3`
	updateOPlayer = `UPDATE matches SET o_player = $2, rematch_by = CASE WHEN rematch_by = $1 THEN $2 ELSE rematch_by END
		WHERE o_player = $1 AND created < $3`
	updateChallenger   = `UPDATE challenges SET challenger = $2 WHERE challenger = $1 AND created < $3`
	updateChallenged   = `UPDATE challenges SET challenged = $2 WHERE challenged = $1 AND created < $3`
	updateHost         = `UPDATE matches SET host = $2 WHERE host = $1 AND created < $3`
	updateAuditEntries = `UPDATE deeds SET player = $2 WHERE player = $1 AND at < $3`
	updateWhom         = `UPDATE deeds SET whom = $2 WHERE whom = $1 AND at < $3`

	deletePlayer     = `DELETE FROM players WHERE id = $1`
	deleteBlocksBy   = `DELETE FROM blocks WHERE player = $1`
	deleteBackOffsBy = `DELETE FROM back_offs WHERE player = $1`
	deleteLessonsOf  = `DELETE FROM lessons WHERE player = $1 AND solved < $2`
	deleteVotesOf    = `DELETE FROM votes WHERE player = $1`
	deleteAsidesOf   = `DELETE FROM asides WHERE player = $1`

	selectBlockers      = `SELECT player FROM blocks WHERE blocked = $1`
	selectLeftAlone     = `SELECT player FROM back_offs WHERE challenger = $1`
	deleteHashedBlock   = `DELETE FROM blocks WHERE player = $1 AND blocked = $2`
	deleteHashedBackOff = `DELETE FROM back_offs WHERE player = $1 AND challenger = $2`
	hashBlock           = `UPDATE blocks SET blocked = $3 WHERE player = $1 AND blocked = $2`
	hashBackOff         = `UPDATE back_offs SET challenger = $3 WHERE player = $1 AND challenger = $2`
)

// eraseAttempts is how often Erase and SetBar try, because each change of the player's matches meanwhile makes an attempt fail.
const eraseAttempts = 10

// extent says which rows of a player are erased.
type extent struct {
	at       time.Time // the time of the erasure
	until    int64     // the time of the first rows that stay, in Unix milliseconds; earlier rows are erased
	cameBack bool      // the player has used the bot after the erasure, so later rows and the settings stay
	form     string    // the id of the interaction that asks for the erasure; may be empty

	// For a bar, which ends what erase would end but deletes nothing.
	venue match.Venue // the only venue in which something ends; empty for all
	how   policy.Ending
}

// formKept is how long Erase and Erased remember that a player's form has deleted the player's data. That is long enough: Discord delivers
// an interaction again only to a bot that resumes its session within minutes.
const formKept = time.Hour

// selectErased reports whether there is a claim with an id in a range, which says that a form has deleted a player's data. Such an id ends
// in the form's interaction id, padded with zeros, so that the ids of one player sort like the interactions.
const selectErased = `SELECT EXISTS (SELECT 1 FROM claims WHERE id > $1 AND id <= $2)`

// claimOfForm returns the id of a claim. The claim says that the form with the given interaction id has deleted the player's data.
func (s *Store) claimOfForm(p match.User, interaction string) string {
	const digits = 20
	return "erased:" + s.key.Person(p) + ":" + strings.Repeat("0", max(digits-len(interaction), 0)) + interaction
}

// Erased reports whether [Store.Erase] has deleted a player's data for a form that was sent after the given interaction.
func (s *Store) Erased(ctx context.Context, p, interaction string) (erased bool, err error) {
	first, last := s.claimsOfLaterForms(match.User(p), interaction)
	return readRow(ctx, s.db, Named("erasure of a player"), Value[bool], selectErased, first, last)
}

// claimsOfLaterForms returns the range of ids for selectErased.
func (s *Store) claimsOfLaterForms(p match.User, interaction string) (first, last string) {
	return s.claimOfForm(p, interaction), s.claimOfForm(p, strings.Repeat("9", 20))
}

// Erase deletes all rows that name a player, in one transaction, and returns the matches and challenges that it ended. The argument form
// is the id of the interaction in which the player asked for the deletion, or empty. The error is [claim.ErrTaken] if an earlier call has
// carried out the same form.
func (s *Store) Erase(ctx context.Context, p match.User, at time.Time, form string) (ended []match.ID, err error) {
	return s.eraseUntil(ctx, p, at, extent{at: at, until: math.MaxInt64, form: form})
}

func (s *Store) eraseUntil(ctx context.Context, p match.User, now time.Time, of extent) (ended []match.ID, err error) {
	process := rand.Text()
	err = persistently(func() error {
		kind := Kind{Locks: []Lock{erasing(), ofPlayer(p)}, Long: true}
		return s.db.Write(ctx, kind, func(ctx context.Context, tx Tx) error {
			if of.form != "" {
				saveClaim(tx, claim.Claim{Interaction: s.claimOfForm(p, of.form), By: process, Until: now.Add(formKept)})
			}
			over, _, err := s.endAll(ctx, tx, p, now, of)
			if err != nil {
				return err
			}
			// A run whose COMMIT was not answered may have ended further matches. Returning a match that has not ended does no harm.
			ended = slices.Compact(slices.Sorted(slices.Values(append(ended, over...))))
			return s.erase(ctx, tx, p, of)
		})
	})
	if err != nil {
		return nil, Named("erase a player").Wrap(err)
	}
	return ended, nil
}

// endAll ends the open matches and challenges of a player. These matches count as usual, in fairness to the opponents. endAll does not
// end unreadable matches; erase replaces the player in them as in all other matches. It returns the number of voided matches, too.
func (s *Store) endAll(ctx context.Context, tx Tx, p match.User, at time.Time, of extent) (ended []match.ID, voided int, err error) {
	venues, err := ScanRows(ctx, tx, Value[match.Venue], selectVenuesOf, p)
	if of.venue != "" {
		venues = []match.Venue{of.venue}
	}
	if err != nil {
		return nil, 0, err
	}
	var scores []Lock
	for _, v := range venues {
		scores = append(scores, ofScores(v))
	}
	tx.Lock(scores...)
	challenges, err := ScanRows(ctx, tx, column.ScanChallenge, selectPendingChallenges, p)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return nil, 0, err
	}
	for _, c := range challenges {
		next, left := c.Leave(p, at)
		if !left || c.Created.UnixMilli() >= of.until || of.venue != "" && c.Venue != of.venue {
			continue
		}
		change := match.ChallengeChange{From: c, To: next}
		if c.From == p { // the challenged player did not decline: the challenger has left
			change.At = at
		}
		if err := s.endChallenge(ctx, tx, change, &ended); err != nil {
			return nil, 0, err
		}
	}
	matches, err := ScanRows(ctx, tx, column.ScanMatch, selectToEnd, p)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return nil, 0, err
	}
	for _, m := range matches {
		open := m
		if of.until < math.MaxInt64 && !m.Deadline.IsZero() && m.Deadline.Before(at) {
			open.Deadline = at.Add(time.Minute) // no player could move while the match existed only in the backup
		}
		next, left := of.how.End(open, p, at)
		if !left || of.venue != "" && m.Venue != of.venue || m.Created.UnixMilli() >= of.until {
			continue
		}
		if err := endMatch(ctx, tx, m, next, &ended); err != nil {
			return nil, 0, err
		}
		if next.Result.Cause == match.ByVoid && !m.Result.Over() {
			voided++
		}
	}
	return ended, voided, nil
}

// endChallenge saves a challenge that has ended, and adds it to ended.
func (s *Store) endChallenge(ctx context.Context, tx Tx, c match.ChallengeChange, ended *[]match.ID) error {
	*ended = append(*ended, c.To.ID)
	tellBoard(tx, c.To.ID, c.To.Version)
	return s.replaceChallenge(ctx, tx, c)
}

// endMatch saves a match that has ended, and adds it to ended.
func endMatch(ctx context.Context, tx Tx, from, to match.Match, ended *[]match.ID) error {
	*ended = append(*ended, to.ID)
	tellMatch(tx, from, to)
	return replaceMatch(ctx, tx, from, to)
}

func (s *Store) erase(ctx context.Context, tx Tx, p match.User, of extent) error {
	done := Named("erase")
	tx.Queue(done, upsertErasure, s.key.Person(p), column.Time(of.at))
	for _, statement := range []string{deleteRatedOf, deleteLessonsOf, deleteAttemptsOf, touchArenasOf, touchArenaBoardsOf, deleteEntrantsOf} {
		tx.Queue(done, statement, p, of.until)
	}
	for _, statement := range []string{
		forgetX, forgetO, // before the matches are changed, because these statements find rows by the matches of the player
		deleteAloneMoves, deleteAloneBoards, deleteAloneMatches, deleteAloneChallenges,
		updateXPlayer, updateOPlayer, updateChallenger, updateChallenged, updateHost, updateAuditEntries, updateWhom, updateSeasonUser, updateArenaHost,
	} {
		tx.Queue(done, statement, p, match.Left, of.until)
	}
	for _, statement := range []string{deleteStandingsOf, deleteScoresOf, deleteRecountsOf} {
		tx.Queue(done, statement, p)
	}
	if of.cameBack { // the other rows have no time that says whether they are older than the erasure
		return nil
	}
	for _, statement := range []string{deletePlayer, deleteBlocksBy, deleteBackOffsBy, deleteAsidesOf, deleteVotesOf, deleteListedOf, deletePublicPostsOf, deleteGrantsOf, deleteUnrankedOf, deleteChecksOf} {
		tx.Queue(done, statement, p)
	}
	tx.Queue(done, takeGrantsOf, p, column.Time(of.at))
	// The deletion of a player's data must not lift the bars, blocks and back-offs against the player.
	for _, kept := range []struct{ find, forget, hash string }{
		{selectBlockers, deleteHashedBlock, hashBlock}, {selectLeftAlone, deleteHashedBackOff, hashBackOff}, {selectBarring, deleteBar, hashBar},
	} {
		owners, err := ScanRows(ctx, tx, Value[match.User], kept.find, p)
		if err != nil {
			return err
		}
		for _, owner := range owners {
			tx.Queue(done, kept.forget, owner, s.key.Pair(owner, p))
			tx.Queue(done, kept.hash, owner, p, s.key.Pair(owner, p))
		}
	}
	return nil
}
