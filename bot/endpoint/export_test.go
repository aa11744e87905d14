package endpoint

import "crypto/ed25519"

// Signed reports whether the holder of the key signed the body together with the time.
func Signed(key ed25519.PublicKey, stamp, signature string, body []byte) bool {
	return signed(key, signature, append([]byte(stamp), body...))
}
