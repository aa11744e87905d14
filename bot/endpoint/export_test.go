package endpoint

import "crypto/ed25519"

// Signed reports whether the body was signed, together with the time, by the holder of the key.
func Signed(key ed25519.PublicKey, stamp, signature string, body []byte) bool {
	return signed(key, signature, append([]byte(stamp), body...))
}
