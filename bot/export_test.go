package bot

import (
	"context"
	"crypto/ed25519"
)

// Decode reads the data of an INTERACTION_CREATE.
var Decode = decode

// Signed reports whether the body was signed, together with the time, by who has the key.
func Signed(key ed25519.PublicKey, stamp, signature string, body []byte) bool {
	return signed(key, signature, append([]byte(stamp), body...))
}

// FollowUp writes a further message of an interaction, as a late answer does.
func (r *REST) FollowUp(ctx context.Context, token string) error {
	_, err := r.followUp(ctx, token, messageBody{}, nil)
	return err
}

// Room changes how many handlers run at once, and how many more interactions may be under way.
func (l *Limits) Room(workers, queue int) { l.workers, l.queue = workers, queue }

// RefusesEmoji reports whether Discord refused a message because of an emoji in a component.
var RefusesEmoji = refusesEmoji

// WithoutOwnEmoji puts the emoji of everybody in the place of the application's.
var WithoutOwnEmoji = withoutOwnEmoji
