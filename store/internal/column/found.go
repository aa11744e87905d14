package column

import "tictactoe/internal/match"

// ScanFound reads whether it is a match, and then the columns of a match and those of a challenge: what it is not is empty.
func ScanFound(row Row) (match.Found, error) {
	var isMatch bool
	var m matchRow
	var c challengeRow
	if err := row.Scan(append(append([]any{&isMatch}, m.dest()...), c.dest()...)...); err != nil {
		return match.Found{}, err
	}
	if isMatch {
		found, err := m.match()
		return match.Found{Match: &found}, err
	}
	found, err := c.challenge()
	return match.Found{Challenge: &found}, err
}
