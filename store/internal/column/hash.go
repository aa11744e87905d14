package column

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"tictactoe/internal/match"
)

// Key is the secret of an installation. Without the key, a hash cannot be matched to a player by trying all ids.
type Key []byte

// NewKey returns a random key.
func NewKey() Key {
	key := make(Key, sha256.Size)
	rand.Read(key)
	return key
}

// ParseKey parses the output of String.
func ParseKey(text string) (Key, error) {
	key, err := hex.DecodeString(strings.TrimSpace(text))
	if err == nil && len(key) != sha256.Size {
		err = fmt.Errorf("got %d bytes, want %d", len(key), sha256.Size)
	}
	if err != nil {
		return nil, fmt.Errorf("parse the key of the installation: %w", err)
	}
	return key, nil
}

// String returns the key in hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k) }

// Name returns a name that identifies the key without revealing it.
func (k Key) Name() string { return k.hash("key")[:16] }

// Person returns the digest of an erased player.
func (k Key) Person(p match.User) string { return k.hash("person:" + string(p)) }

// Pair returns a hash of two ids. It replaces the id of other in the rows of owner after the data of other was deleted.
func (k Key) Pair(owner, other match.User) match.User {
	sum := sha256.Sum256([]byte(string(owner) + "\x00" + string(other)))
	return k.Rehash(match.User(hashPrefix + hex.EncodeToString(sum[:])))
}

// Rehash takes the hash of two ids without a key, which older versions stored, and returns the hash that Pair returns for these ids.
func (k Key) Rehash(unkeyed match.User) match.User {
	return match.User(keyedPrefix + k.hash(string(unkeyed)))
}

func (k Key) hash(text string) string {
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// IsHashed reports whether a column holds a hash in place of an id.
func IsHashed(p match.User) bool { return strings.HasPrefix(string(p), hashPrefix) }

// hashPrefix marks a hashed value; no id starts with it. In a hash without a key, hexadecimal digits follow
// the prefix.
const (
	hashPrefix  = "veiled:"
	keyedPrefix = hashPrefix + "key:"
)
