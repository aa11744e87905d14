package column

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"tictactoe/internal/match"
)

// Hash is how a player stands in the rows of another once his data was deleted. Who knows both can tell that it is them;
// nobody can read from it who they are.
func Hash(owner, other match.User) string {
	sum := sha256.Sum256([]byte(string(owner) + "\x00" + string(other)))
	return hashPrefix + hex.EncodeToString(sum[:])
}

// IsHashed tells whether a column holds a hash and no id.
func IsHashed(p match.User) bool { return strings.HasPrefix(string(p), hashPrefix) }

// hashPrefix begins what is no id: ids do not begin so.
const hashPrefix = "veiled:"
