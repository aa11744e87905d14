//go:build !js

package rankrole

import (
	"context"
	"slices"

	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// Set changes what earns a role in the venue of the request, and adds an entry to the audit log. It does nothing if from and to are equal.
func Set(ctx context.Context, by *policy.Moderation, store Store, req match.Request, from, to Rule) error {
	if slices.Equal(from.choice(), to.choice()) {
		return nil
	}
	entry := policy.AuditEntry{Kind: SetRole, Chosen: to.choice(), Was: append([]string{string(SetRole)}, from.choice()...)}
	return by.Record(ctx, req, entry, func(e policy.AuditEntry) error { return store.SetRankRole(ctx, to, e, req.Names...) })
}

// Undo sets what earns a role to what it was before an entry of the audit log. The refusal is ChangedSince if moderators have changed that
// since, or give so many other roles that there is no room.
func Undo(store Store) policy.Undoing {
	return func(ctx context.Context, undone, undo policy.AuditEntry, names ...match.Name) error {
		rules, err := store.RankRoles(ctx, undone.Venue)
		if err != nil {
			return err
		}
		was := append(slices.Clone(undone.Was[1:]), "", "")
		to := Rule{Venue: undone.Venue, Role: was[0], Merit: Merit(was[1]), Board: was[2]}
		now := Rule{Role: to.Role}
		if i := slices.IndexFunc(rules, func(r Rule) bool { return r.Role == to.Role }); i >= 0 {
			now = rules[i]
		}
		if !slices.Equal(now.choice(), undone.Chosen) || now.Merit == "" && len(rules) >= MaxRules {
			return &match.Refusal{Reason: match.ChangedSince}
		}
		return store.SetRankRole(ctx, to, undo, names...)
	}
}

// choice returns a rule as audit entries have it.
func (r Rule) choice() []string {
	if r.Merit == "" {
		return []string{r.Role}
	}
	return []string{r.Role, string(r.Merit), r.Board}
}
