package column

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"tictactoe/internal/match"
)

// Veil is how a player stands in the rows of another once his data was deleted. Who knows both can tell that it is them;
// nobody can read from it who they are.
func Veil(owner, other match.Player) string {
	sum := sha256.Sum256([]byte(string(owner) + "\x00" + string(other)))
	return veilMark + hex.EncodeToString(sum[:])
}

// IsVeiled tells whether a column holds a veil and no id.
func IsVeiled(p match.Player) bool { return strings.HasPrefix(string(p), veilMark) }

// veilMark begins what is no id: ids do not begin so.
const veilMark = "veiled:"
